"""Whether values have the dtype that they should have, and are as precise as that dtype."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.numbers import converted
from course_lib.grading.cases.probes import Probe, called, dtype, dtypes_of
from course_lib.grading.cases.training import named_tensors
from course_lib.grading.compare import difference
from course_lib.grading.task import Case, Parts


def precisely(names: str, defined: Callable, judged: Sequence[str] = ()) -> Probe:
    """The probe that looks at the dtypes of the tensors within the values `names`, and at the precision of some.

    Those are the `judged` values, else all. What is computed in float32 and cast back to float64 is less precise than
    it looks. `defined` gives the right values; what is wrong in float32, too, is for other criteria. Raises
    StudentError where a tensor is missing, or is not asked for.
    """
    judged = judged or names.split()

    def probe(function: Callable, case: Case) -> Parts:
        values, wanted = (called(each, case.arguments, names.split()) for each in (function, defined))
        tensors = [name for name, each in wanted.items() if isinstance(each, Tensor)]
        dtypes_of(Parts((name, values[name]) for name in tensors))  # raises for what is none
        got, right = flat(values), flat(wanted)
        for name in right:
            if name not in got:
                raise StudentError(f"{name} is missing, or is no tensor")
        for name in got:
            if name not in right:
                raise StudentError(f"{name} is a tensor, and none is expected there")
        precise = [name for name in got if name.startswith(tuple(judged))]
        return Parts(
            dtypes_of(Parts(got))
            | {f"the precision of {name}": precision(right[name], got[name], case) for name in precise}
        )

    return probe


def flat(values: Parts) -> dict[str, Tensor]:
    """Every tensor within the values, by how one would write it."""
    return dict(named_tensors([*values], tuple(values.values())))


def precision(right: Tensor, value: Any, case: Case) -> str:
    """Its dtype as it should be; "below float64" for what is right as a float32 and not as the float64 asked for."""
    if right.dtype != torch.float64:
        return dtype(right)
    fits = [difference(converted(right, d), converted(value, d), case) is None for d in (torch.float32, right.dtype)]
    return "below float64" if fits == [True, False] else "float64"
