"""Where two values first differ, in words that do not give the answer away."""

import math
import sys
from typing import Any

from course_lib.grading.boundary.proxy import Student
from course_lib.grading.task import Case

KINDS = ((bool, "a bool"), (int, "a whole number"), (float, "a number"), (str, "a string"), (dict, "a dict"))


def difference(expected: Any, got: Any, case: Case, reveal: bool = False, where: str = "the result") -> str | None:
    """None if `got` is right, else where it first differs and what came; what was expected only if `reveal`.

    Lists and tuples are equal if their items are; a whole number may stand for a number. Floats agree within
    32 · ε · terms · scale (ε of the expected dtype), the rounding that any order of summation may cost.
    """

    def wrong(says: str) -> str:
        return f"{where} is {says}" + (f"; expected {shown(expected)}" if reveal else "")

    if is_tensor(expected):
        return _tensor_difference(expected, got, case, reveal, where)
    if isinstance(expected, (list, tuple)):
        if not isinstance(got, (list, tuple)):
            return wrong(f"{kind(got)}, expected is a list or tuple")
        for index, (e, g) in enumerate(zip(expected, got, strict=False)):
            if says := difference(e, g, case, reveal, f"item {index} of {where}"):
                return says
        if len(expected) != len(got):
            both = min(len(expected), len(got))
            return wrong(f"of length {len(got)}, expected is length {len(expected)}; its first {both} items are right")
        return None
    if isinstance(expected, dict):
        if not isinstance(got, dict):
            return wrong(f"{kind(got)}, expected is a dict")
        for key in expected:
            if key not in got:
                return wrong(
                    f"a dict of {len(got)} keys in which one is missing" + (f" ({shown(key)})" if reveal else "")
                )
            if says := difference(expected[key], got[key], case, reveal, f"entry {shown(key)} of {where}"):
                return says
        if extra := [key for key in got if key not in expected]:
            return wrong(f"a dict with a key that does not belong: {shown(extra[0])}")
        return None
    if type(expected) is float:
        if type(got) not in (int, float):
            return wrong(f"{kind(got)}, expected is a number")
        if not (math.isfinite(expected) and math.isfinite(got)):
            finite = "a finite" if math.isfinite(expected) else "an infinite"
            return None if got == expected else wrong(f"{got:.6g}, expected is {finite} number")
        slack = 32 * sys.float_info.epsilon * case.terms * max(case.scale, abs(expected))
        return None if abs(got - expected) <= slack else wrong(f"{got:.6g}")
    if type(expected) is not type(got):
        return wrong(f"{kind(got)}, expected is {kind(expected)}")
    return None if expected == got else wrong(shown(got))


def is_tensor(value: Any) -> bool:
    """True for a tensor; torch is not imported to find out."""
    return "torch" in sys.modules and isinstance(value, sys.modules["torch"].Tensor)


def _tensor_difference(expected: Any, got: Any, case: Case, reveal: bool, where: str) -> str | None:
    import torch

    if not is_tensor(got):
        return f"{where} is {kind(got)}, expected is a tensor"
    if got.shape != expected.shape:
        return f"{where} has shape {tuple(got.shape)}, expected is {tuple(expected.shape)}"
    if got.dtype != expected.dtype:
        return f"{where} has dtype {got.dtype}, expected is {expected.dtype}"
    if expected.dtype.is_floating_point:
        slack = 32 * torch.finfo(expected.dtype).eps * case.terms * max(case.scale, 1.0)
        close = torch.isclose(got.double(), expected.double(), rtol=slack, atol=slack, equal_nan=False)
        close |= expected.isinf() & (got == expected)
    else:
        close = got == expected
    if close.all():
        return None
    index = tuple((~close).nonzero()[0].tolist())
    says = f"{where} first differs at index {index}: it is {got[index].item():.6g}"
    return says + (f"; expected {expected[index].item():.6g}" if reveal else "")


def kind(value: Any) -> str:
    """What `value` is, in words: "a list of 3"."""
    if value is None:
        return "None"
    if is_tensor(value):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, (list, tuple, set)):
        return f"a {type(value).__name__} of {len(value)}"
    if isinstance(value, Student):
        return "an object that is no plain data"
    return next((name for type_, name in KINDS if type(value) is type_), f"of type {type(value).__name__}")


def shown(value: Any, width: int = 160) -> str:
    """`repr(value)`, cut to `width` characters."""
    text = repr(value)
    return text if len(text) <= width else text[: width - 1] + "…"
