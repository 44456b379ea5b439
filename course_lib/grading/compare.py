"""Where two values first differ, in words that do not give the answer away."""

import math
import re
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from course_lib.grading.boundary.proxy import Student
from course_lib.grading.task import Case, Parts, Told

KINDS = ((bool, "a bool"), (int, "a whole number"), (float, "a number"), (str, "a string"), (dict, "a dict"))
NAMED = re.compile(r"(after the call, )?[^\W\d]\w*(\[[^\]]*\])*")  # a name, perhaps with indices: pairs[0]
SIMPLE = {bool, int, float, str}  # of these very types, equal values are right
AFTER, WHOLE = "after the call, ", "the result"
HONEST = 1e-9  # relative to the terms: what a tiny epsilon, or another way to the same number, may cost
PRECISION = {8: 1e-6, 4: 1e-4}  # by bytes of a float: a smaller relative difference is one of precision


def difference(expected: Any, got: Any, case: Case, reveal: bool = False) -> str | None:
    """None if `got` is right, else where it first differs; what came and what was expected only if `reveal`.

    Lists and tuples are equal if their items are; a whole number may stand for a number. Floats agree within
    max(10⁻⁹, 32 · ε · terms) · scale (ε of the expected dtype): any order of summation, and any honest way to compute.
    """
    says = next(_differences(expected, got, _Place(WHOLE, case, reveal)), None)
    if says and reveal and isinstance(expected, (list, tuple)) and _plain(expected) and _plain(got):
        says += f"; all of it: {shown(got)}, expected {shown(expected)}"
    return says


def slack(epsilon: float, case: Case, honest: float = HONEST) -> float:
    """How far apart two results may lie that were computed with this `epsilon`, for a scale of 1, in `honest` ways."""
    return max(honest, 32 * epsilon * case.terms)


class _Place(NamedTuple):
    """A part of what is compared: `where` it lies, in words, the case it belongs to, and whether values may be told."""

    where: str
    case: Case
    reveal: bool

    def named(self, where: str) -> "_Place":
        """The part of that name."""
        return _Place(where, self.case, self.reveal)

    def item(self, key: Any, what: str) -> "_Place":
        """The value under that key or index: as one would write it, where the whole has a name; result[0], say."""
        whole = "result" if self.where == WHOLE else self.where
        return self.named(f"{whole}[{key!r}]") if NAMED.fullmatch(whole) else self.within(f"{what} {shown(key)}")

    def within(self, what: str) -> "_Place":
        """That part of it, in words: "after the call, item 0 of an entry of model"."""
        after = AFTER if self.where.startswith(AFTER) else ""
        return self.named(f"{after}{what} of {self.where.removeprefix(after)}")

    def wrong(self, says: str, expected: Any) -> str:
        """That it is what `says`, and what is expected if that may be told."""
        return f"{self.where} is {says}" + (f"; expected {shown(expected)}" if self.reveal else "")


def _differences(expected: Any, got: Any, at: _Place) -> Iterator[str]:
    """All differences in order; what is asked of `got` depends on what is expected."""
    if is_tensor(expected):
        return _of_tensors(expected, got, at)
    if isinstance(expected, (list, tuple)):
        return _of_lists(expected, got, at)
    if isinstance(expected, Parts):
        return _of_parts(expected, got, at)
    if isinstance(expected, dict):
        return _of_dicts(expected, got, at)
    if type(expected) is float:
        return _of_numbers(expected, got, at)
    return _of_others(expected, got, at)


def _of_lists(expected: list | tuple, got: Any, at: _Place) -> Iterator[str]:
    if not isinstance(got, (list, tuple)):
        yield at.wrong(f"{kind(got)}, not a list or tuple", expected)
        return
    for index, (e, g) in enumerate(zip(expected, got, strict=False)):
        if type(e) is type(g) and type(e) in SIMPLE and e == g:
            continue
        yield from _differences(e, g, at.item(index, "item"))
    if len(expected) != len(got):
        right = _right(min(len(expected), len(got)))
        yield f"{at.where} has length {len(got)}, not {len(expected)}{right}"


def _of_parts(expected: Parts, got: Any, at: _Place) -> Iterator[str]:
    if not isinstance(got, Parts):
        yield f"{at.where} is {kind(got)}, not the kind of result that is right"
        return
    for name in expected:
        part = at.named(name if at.where == WHOLE else f"{name} of {at.where}")
        if name in got:
            yield from _differences(expected[name], got[name], part)
        else:
            yield f"{part.where} is missing"
    if extra := [name for name in got if name not in expected]:
        yield f"{at.where} has a part that does not belong" + (f": {extra[0]}" if at.reveal else "")


def _of_dicts(expected: dict, got: Any, at: _Place) -> Iterator[str]:
    if not isinstance(got, dict):
        yield at.wrong(f"{kind(got)}, not a dict", expected)
        return
    told = at.reveal or not _plain(expected)  # weights have the names that they were given under
    for key in expected:
        if key not in got:
            yield f"{at.where} is a dict in which {f'entry {shown(key)}' if told else 'an entry'} is missing"
        else:
            entry = at.item(key, "entry") if told else at.within("an entry")
            yield from _differences(expected[key], got[key], entry)
    if extra := [key for key in got if key not in expected]:
        yield f"{at.where} is a dict with a key that does not belong" + (f": {shown(extra[0])}" if at.reveal else "")


def _of_numbers(expected: float, got: Any, at: _Place) -> Iterator[str]:
    if type(got) not in (int, float):
        yield at.wrong(f"{kind(got)}, not a number", expected)
    elif math.isfinite(expected) and math.isfinite(got):
        scale = max(at.case.scale, abs(expected))
        if abs(got - expected) > slack(sys.float_info.epsilon, at.case) * scale:
            yield at.where + _numbers(expected, got, scale, at.reveal)
    elif got != expected and not (math.isnan(expected) and math.isnan(got)):
        hidden = "is not finite" if math.isfinite(expected) else f"should be {shown(expected)}"
        yield at.wrong(shown(got), expected) if at.reveal else f"{at.where} {hidden}"


def _of_others(expected: Any, got: Any, at: _Place) -> Iterator[str]:
    """Of what must be of one type and equal: truth values, whole numbers, strings, sets, None."""
    if type(expected) is not type(got):
        yield at.wrong(f"{kind(got)}, not {'a set' if isinstance(expected, set) else kind(expected)}", expected)
    elif expected == got:
        return
    elif type(expected) is bool:
        quoted = at.where.startswith('"')  # "it is in the result": a statement
        stated = at.where.strip('"') if quoted else f"{at.where} is true"
        came = stated.replace(" is ", " is not ", 1) if expected else stated
        yield f"{came}, and should{'' if expected else ' not'} be"
    elif isinstance(expected, Told):
        yield f"{at.where} is {got}, not {expected}"
    else:
        yield at.wrong(shown(got) if at.reveal else re.sub("^an? ", "a wrong ", kind(got)), expected)


def _of_tensors(expected: Any, got: Any, at: _Place) -> Iterator[str]:
    import torch

    if says := misfit(expected, got, at.where):
        yield says
    elif got.dtype != expected.dtype:
        yield f"{at.where} has dtype {got.dtype}, not {expected.dtype}"
    elif torch.equal(expected, got):
        return
    elif not expected.dtype.is_floating_point:
        yield from _first_of_tensors(expected, got, got == expected, at)
    else:
        near = slack(torch.finfo(expected.dtype).eps, at.case) * max(at.case.scale, 1.0)
        close = torch.isclose(got.double(), expected.double(), rtol=near, atol=near, equal_nan=True)
        if not close.all():
            yield from _first_of_tensors(expected, got, close | (expected.isinf() & (got == expected)), at)


def _first_of_tensors(expected: Any, got: Any, close: Any, at: _Place) -> Iterator[str]:
    """The first number that is not `close`, if any."""
    if close.all():
        return
    index = tuple((~close).nonzero()[0].tolist())
    it = f"{at.where} first differs at index {index}: it" if index else at.where
    e, g = expected[index].item(), got[index].item()
    if not expected.dtype.is_floating_point:
        yield f"{it} is {shown(g)}, expected {shown(e)}" if at.reveal else f"{it} is wrong"
    elif math.isfinite(e) and math.isfinite(g):
        yield it + _numbers(e, g, max(at.case.scale, 1.0), at.reveal, expected.element_size())
    else:
        hidden = "is not finite" if math.isfinite(e) else f"should be {shown(e)}"
        yield f"{it} is {g:.6g}, expected {e + 0.0:.6g}" if at.reveal else f"{it} {hidden}"


def _right(count: int) -> str:
    """That so many items at the beginning are right, if any."""
    return f"; its first {f'{count} items are' if count > 1 else 'item is'} right" if count else ""


def _numbers(expected: float, got: float, scale: float, reveal: bool, size: int = 8) -> str:
    """Two numbers that differ, with as many digits as it takes to see it; and whether only in precision."""
    says = " is a wrong number"
    if reveal:
        says = next(
            f" is {g}, expected {e}"
            for digits in range(6, 18)
            for g, e in [[f"{value + 0.0:.{digits}g}" for value in (got, expected)]]
            if g != e
        )
    smaller = min(abs(expected), scale)
    if abs(got - expected) <= PRECISION.get(size, 0.0) * smaller:
        says += f" (it differs by a relative {abs(got - expected) / smaller:.0e}: this looks like a loss of precision)"
    return says


def is_tensor(value: Any) -> bool:
    """True for a tensor; torch is not imported to find out."""
    return "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor)


def misfit(expected: Any, got: Any, where: str) -> str | None:
    """What `got` is in place of a tensor of the shape of the tensor `expected`; None if it is one."""
    if not is_tensor(got):
        return f"{where} is {kind(got)}, not a tensor of shape {tuple(expected.shape)}"
    if got.shape != expected.shape:
        return f"{where} has shape {tuple(got.shape)[:6]}, not {tuple(expected.shape)}"
    return None


def kind(value: Any) -> str:
    """What `value` is, in words: "a list of 3"."""
    if value is None:
        return "None"
    if is_tensor(value):
        return f"a tensor of shape {tuple(value.shape)[:6]}"
    if isinstance(value, (list, tuple, set)):
        return f"a {type(value).__name__} of {len(value)}" if value else f"an empty {type(value).__name__}"
    if isinstance(value, Student):
        return "an object that is no plain data"
    return next((name for type_, name in KINDS if type(value) is type_), f"of type {type(value).__name__}")


def shown(value: Any, width: int = 200) -> str:
    """`repr(value)`, cut to `width` characters; numbers short, sets sorted; of tensors the shape, and a few numbers."""
    if is_tensor(value):
        few = value.numel() <= 4
        numbers = [f"{each + 0.0:.4g}" for each in value.flatten().tolist()] if few else []  # + 0.0: no -0
        text = f"tensor of shape {tuple(value.shape)}" + (f" ({', '.join(numbers)})" if few else "")
    elif isinstance(value, set):
        text = "{" + ", ".join(sorted(map(repr, value))) + "}" if value else "an empty set"
    elif isinstance(value, float):
        text = f"{value + 0.0:.6g}"
    elif isinstance(value, dict) and not _plain(value):
        text = "{" + ", ".join(f"{key!r}: {shown(item, 60)}" for key, item in value.items()) + "}"
    elif isinstance(value, (list, tuple)) and not _plain(value):
        text = "[" + ", ".join(shown(item, 80) for item in value) + "]"
    else:
        text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"


def _plain(value: Any) -> bool:
    """Whether no tensor lies within `value`."""
    if isinstance(value, (list, tuple, set)):
        return all(map(_plain, value))
    return all(map(_plain, value.values())) if isinstance(value, dict) else not is_tensor(value)
