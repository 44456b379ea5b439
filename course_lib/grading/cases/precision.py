"""Whether values have the dtype that they should have, and are as precise as that dtype."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.cases.probes import Probe, dtypes_of, returned_values
from course_lib.grading.cases.training import named_tensors
from course_lib.grading.compare import difference, slack
from course_lib.grading.task import Case, Parts, Told

Named = dict[str, Tensor]
See = Callable[[tuple], Named]
FOURTH = (1, -4, 6, -4, 1)  # the fourth difference: 0 along a line, and next to 0 along a curve
FINE, WIDE = 2**-22, 2**-9  # steps relative to each number: a few roundings to float32, and to float16
POINTS = {FINE: 8, WIDE: 5}
ROUGH = 2**-13  # relative: more than a smooth function bends in wide steps, less than float16 rounds
NEAR = 2**-22  # relative: as far off as a constant that is float32 may be; other mistakes are further off
DOUBLE, SINGLE = Told("that of float64"), Told("that of float32")


def precisely(names: str, defined: Callable, also: str = "") -> Probe:
    """The probe that looks at the dtypes of the tensors within the values `names`, and at their precision.

    `defined` gives the right values: there must be a tensor where it has one. What the numbers are is for other
    criteria. `also`: "float16" or "constants", see below. Raises StudentError where a tensor is missing, or is not
    asked for.
    """

    def probe(function: Callable, case: Case) -> Parts:
        def see(arguments: tuple, function: Callable = function) -> Named:
            return flat(returned_values(function, arguments, names.split()))

        values, wanted = (returned_values(each, case.arguments, names.split()) for each in (function, defined))
        dtypes_of(Parts((name, values[name]) for name, each in wanted.items() if isinstance(each, Tensor)))
        got, right = flat(values), flat(wanted)
        for name in right:
            if name not in got:
                raise StudentError(f"{name} is missing, or is no tensor")
        for name in got:
            if name not in right:
                raise StudentError(f"{name} is a tensor, and none is expected there")
        return dtypes_and_precision(see, got, partial(see, function=defined), case, also)

    return probe


def flat(values: Parts) -> Named:
    """Every tensor within the values, by how one would write it."""
    return dict(named_tensors([*values], tuple(values.values())))


def dtypes_and_precision(see: See, got: Named, right: See, case: Case, also: str = "") -> Parts:
    """The dtypes of what was `got`, and the precision of what is float64 there.

    `see(arguments)` gives it anew, and `right(arguments)` what is right.
    """
    doubles = [name for name, each in got.items() if each.dtype == torch.float64]
    coarse = less_precise(see, right, doubles, case, also) if doubles else set()
    precision = {f"the precision of {name}": SINGLE if name in coarse else DOUBLE for name in got}
    return Parts(dtypes_of(Parts(got)) | precision)


def less_precise(see: See, right: See, names: list[str], case: Case, also: str) -> set[str]:
    """Which of the float64 values `names` are float32 on the way, judged by the function's own computation.

    Its arguments move along a line in steps so short that a smooth function, right or wrong, moves along a line, too;
    rounding to float32 makes stairs of it. In wide steps, beside a right function without kinks, "float16" shows. A
    value that is right but for "constants" in float32 is nearer to right than anything else.
    """
    fine = line(see, case, FINE)
    wide, smooth = (line(each, case, WIDE) if also == "float16" else [] for each in (see, right))
    wanted, got = right(case.arguments), see(case.arguments)
    found = set()
    for name in names:
        points = stacked(fine, name)
        if (
            bend(points) > rounding(case)
            or (also == "float16" and bend(stacked(wide, name)) > ROUGH + 32 * bend(stacked(smooth, name)))
            or of_float32(points)
            or (also == "constants" and nearly(wanted[name], got[name], case))
        ):
            found.add(name)
    return found


def line(see: See, case: Case, step: float) -> list[Named]:
    """What is seen while the arguments of a case move along a line."""
    return [see(moved(case.arguments, n * step, Random(case.words))) for n in range(1, POINTS[step] + 1)]


def stacked(points: list[Named], name: str) -> Tensor:
    """One of the values along a line (point, …); raises StudentError if it is not always of one shape."""
    values = [each.get(name) for each in points]
    if any(not isinstance(each, Tensor) or each.shape != values[0].shape for each in values):
        raise StudentError(f"{name} has another shape at each call")
    return torch.stack([each.double() for each in values])


def bend(points: Tensor) -> float:
    """How far the values are from a smooth line at most, relative to the largest of them; NaN tells nothing."""
    if not points.numel():
        return 0.0
    parts = (weight * points[i : i + len(points) - 4] for i, weight in enumerate(FOURTH))
    size = points[points.isfinite()].abs().max().clamp(min=1.0) if points.isfinite().any() else 1.0
    return float((sum(parts).abs() / size).nan_to_num(0.0, 0.0).max())


def rounding(case: Case) -> float:
    """What bend float64 explains."""
    return slack(torch.finfo(torch.float64).eps, case, honest=0.0) * sum(map(abs, FOURTH)) * max(1.0, case.scale)


def nearly(right: Tensor, got: Tensor, case: Case) -> bool:
    """Whether a value is not right, and so near to it that it would be in float32."""
    if right.shape != got.shape or not right.numel() or difference(right, got, case) is None:
        return False
    off = (got - right).abs()
    return bool((off.isfinite().all()) and off.max() <= NEAR * right.abs().max())


def moved(value: Any, by: float, rng: Random) -> Any:
    """`value` with each float64 number in it moved along a line, at a speed of its own: a float towards 0, no further.

    So a rate, or a probability, stays one.
    """
    if isinstance(value, Tensor):
        return value * (1 + by * tensor(rng, *value.shape).double()) if value.dtype == torch.float64 else value
    if isinstance(value, dict):
        return {key: moved(item, by, rng) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(moved(item, by, rng) for item in value)
    return value * (1 - by * rng.uniform(0.5, 1)) if type(value) is float else value


def of_float32(value: Tensor) -> bool:
    """Whether a finite number in `value` is one of float32, and no short one such as 0, 1 or a half."""
    short = value.half() == value
    return bool((value.isfinite() & (value.float() == value) & ~short).any())
