"""Where two values first differ, in words that do not give the answer away."""

import math
import re
import sys
from collections.abc import Iterator
from typing import Any

from course_lib.grading.boundary.proxy import Student
from course_lib.grading.task import Case, Parts, Told

KINDS = ((bool, "a bool"), (int, "a whole number"), (float, "a number"), (str, "a string"), (dict, "a dict"))
NAMED = re.compile(r"(after the call, )?[^\W\d]\w*(\[[^\]]*\])*")  # a name, perhaps with indices: pairs[0]
HONEST = 1e-9  # relative to the terms: what a tiny epsilon, or another way to the same number, may cost
PRECISION = {8: 1e-6, 4: 1e-4}  # by bytes of a float: a smaller relative difference is one of precision


def difference(expected: Any, got: Any, case: Case, reveal: bool = False) -> str | None:
    """None if `got` is right, else where it first differs; what came and what was expected only if `reveal`.

    Lists and tuples are equal if their items are; a whole number may stand for a number. Floats agree within
    max(10⁻⁹, 32 · ε · terms) · scale (ε of the expected dtype): any order of summation, and any honest way to compute.
    """
    says = next(_differences(expected, got, case, reveal, "the result"), None)
    if says and reveal and isinstance(expected, (list, tuple)) and _plain(expected) and _plain(got):
        says += f"; all of it: {shown(got)}, expected {shown(expected)}"
    return says


def slack(epsilon: float, case: Case, honest: float = HONEST) -> float:
    """How far apart two results may lie that were computed with this `epsilon`, for a scale of 1, in `honest` ways."""
    return max(honest, 32 * epsilon * case.terms)


def _differences(expected: Any, got: Any, case: Case, reveal: bool, where: str) -> Iterator[str]:
    def wrong(says: str) -> str:
        return f"{where} is {says}" + (f"; expected {shown(expected)}" if reveal else "")

    if is_tensor(expected):
        yield from _tensor_differences(expected, got, case, reveal, where)
    elif isinstance(expected, (list, tuple)):
        if not isinstance(got, (list, tuple)):
            yield wrong(f"{kind(got)}, not a list or tuple")
            return
        for index, (e, g) in enumerate(zip(expected, got, strict=False)):
            yield from _differences(e, g, case, reveal, _within(where, index, "item"))
        if len(expected) != len(got):
            right = _right(min(len(expected), len(got)))
            yield f"{where} has length {len(got)}, not {len(expected)}{right}"
    elif isinstance(expected, Parts):
        if not isinstance(got, Parts):
            yield f"{where} is {kind(got)}, not the kind of result that is right"
            return
        for name in expected:
            part = name if where == "the result" else f"{name} of {where}"
            if name in got:
                yield from _differences(expected[name], got[name], case, reveal, part)
            else:
                yield f"{part} is missing"
        if extra := [name for name in got if name not in expected]:
            yield f"{where} has a part that does not belong" + (f": {extra[0]}" if reveal else "")
    elif isinstance(expected, dict):
        if not isinstance(got, dict):
            yield wrong(f"{kind(got)}, not a dict")
            return
        told = reveal or not _plain(expected)  # weights have the names that they were given under
        for key in expected:
            if key not in got:
                yield f"{where} is a dict in which {f'entry {shown(key)}' if told else 'an entry'} is missing"
            else:
                entry = _within(where, key, "entry") if told else f"an entry of {where}"
                yield from _differences(expected[key], got[key], case, reveal, entry)
        if extra := [key for key in got if key not in expected]:
            yield f"{where} is a dict with a key that does not belong" + (f": {shown(extra[0])}" if reveal else "")
    elif type(expected) is float:
        if type(got) not in (int, float):
            yield wrong(f"{kind(got)}, not a number")
        elif not (math.isfinite(expected) and math.isfinite(got)):
            if got != expected and not (math.isnan(expected) and math.isnan(got)):
                hidden = "not finite" if math.isfinite(expected) else "not the infinite number that is right"
                yield wrong(shown(got) if reveal else hidden)
        else:
            scale = max(case.scale, abs(expected))
            if abs(got - expected) > slack(sys.float_info.epsilon, case) * scale:
                yield where + _numbers(expected, got, scale, reveal)
    elif type(expected) is not type(got):
        yield wrong(f"{kind(got)}, not {'a set' if isinstance(expected, set) else kind(expected)}")
    elif expected == got:
        return
    elif type(expected) is bool:
        stated = where.strip('"') if where.startswith('"') else f"{where} is true"  # "it is in the result": a statement
        yield f"{where} is not true" if expected else f"{stated}, and should not be"
    elif isinstance(expected, Told):
        yield f"{where} is {got}, not {expected}"
    else:
        yield wrong(shown(got) if reveal else re.sub("^an? ", "a wrong ", kind(got)))


def _within(where: str, key: Any, what: str) -> str:
    """The value under that key or index: as one would write it, where the whole has a name."""
    return f"{where}[{key!r}]" if NAMED.fullmatch(where) else f"{what} {shown(key)} of {where}"


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


def _tensor_differences(expected: Any, got: Any, case: Case, reveal: bool, where: str) -> Iterator[str]:
    import torch

    if says := misfit(expected, got, where):
        yield says
        return
    if got.dtype != expected.dtype:
        yield f"{where} has dtype {got.dtype}, not {expected.dtype}"
        return
    if not expected.dtype.is_floating_point:
        close = got == expected
    else:
        near = slack(torch.finfo(expected.dtype).eps, case) * max(case.scale, 1.0)
        close = torch.isclose(got.double(), expected.double(), rtol=near, atol=near, equal_nan=True)
        close |= expected.isinf() & (got == expected)
    if close.all():
        return
    index = tuple((~close).nonzero()[0].tolist())
    at = f"{where} first differs at index {index}: it" if index else where
    e, g = expected[index].item(), got[index].item()
    if not expected.dtype.is_floating_point:
        yield f"{at} is {shown(g)}, expected {shown(e)}" if reveal else f"{at} is wrong"
    elif math.isfinite(e) and math.isfinite(g):
        yield at + _numbers(e, g, max(case.scale, 1.0), reveal, expected.element_size())
    else:
        yield f"{at} is {g:.6g}, expected {e + 0.0:.6g}" if reveal else f"{at} is not finite, or should not be"


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
