"""Ways to exercise a function: some of the values that it returns."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.cases.arguments import after_call
from course_lib.grading.cases.numbers import converted
from course_lib.grading.compare import is_tensor, kind, misfit
from course_lib.grading.task import Case, Parts, Told

Probe = Callable[[Callable, Case], Parts]


def returned_values(function: Callable, arguments: tuple, names: list[str]) -> Parts:
    """What `function` returns, by name; what is named alone is returned alone, not in a tuple.

    Raises StudentError for None, and if it is no tuple of as many values.
    """
    values = function(*arguments)
    if len(names) == 1:
        if values is None:
            raise StudentError(f"it returned None, not a tensor of the {names[0]}")
        return Parts({names[0]: values})
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        raise StudentError(f"it returned {kind(values)}, not a tuple of {len(names)}: {', '.join(names)}")
    return Parts(zip(names, values, strict=True))


def values_probe(names: str, wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the values `names`; the other returned values are ignored.

    Another float dtype is ignored, too: that is for the criterion of dtypes.
    """

    def probe(function: Callable, case: Case) -> Parts:
        values = in_either_dtype(lambda arguments: returned_values(function, arguments, names.split()), case.arguments)
        return Parts((name, values[name]) for name in wanted.split())

    return probe


def shaped(values: Parts, shapes: dict[str, tuple[int, ...]]) -> Parts:
    """The values as they are; raises StudentError for one that is no tensor of the shape that its name is to have."""
    for name, shape in shapes.items():
        if says := misfit(torch.empty(shape), values[name], name):
            raise StudentError(says)
    return values


def arguments_alone(names: str, returned: str) -> Probe:
    """The probe that looks at the arguments, which `names` names, as a call leaves them.

    Of the result it asks only that it is as many values as `returned` names.
    """

    def probe(function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        returned_values(student, case.arguments, returned.split())
        return after_call(names, student, case.arguments)

    return probe


def dtypes_of(values: Parts) -> Parts:
    """The dtype of each of these values; raises StudentError for one that is no tensor."""
    for name, value in values.items():
        if not is_tensor(value):
            raise StudentError(f"{name} is {kind(value)}, not a tensor")
    return Parts((f"the dtype of {name}", Told(dtype(value))) for name, value in values.items())


@dataclass(frozen=True)
class dtypes_and_values:
    """The probe that looks at the dtypes of the values `names`, and excuses wrong values: so a stub earns nothing."""

    names: str

    def __call__(self, function: Callable, case: Case) -> Parts:
        values = returned_values(function, case.arguments, self.names.split())
        return Parts(dtypes_of(values) | values)

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The outcome with the right values in place of wrong ones."""
        return Parts(got | {name: expected[name] for name in self.names.split()}) if isinstance(got, Parts) else got


def dtype(value: Any) -> str:
    """The dtype of a tensor: "float32"."""
    return str(value.dtype).removeprefix("torch.")


def in_either_dtype(see: Callable[[tuple], Parts], arguments: tuple) -> Parts:
    """What is seen with the arguments, in their float dtype; where torch refuses them, what is seen in float64.

    So a tensor that a function makes in a dtype of its own costs the criterion of dtypes alone.
    """
    try:
        seen = see(arguments)
    except StudentError as error:
        if error.kind != "RuntimeError":
            raise
        with contextlib.suppress(StudentError):
            return in_the_dtype_of(arguments, see(converted(arguments, torch.float64)))
        raise
    return in_the_dtype_of(arguments, seen)


def in_the_dtype_of(arguments: tuple, seen: Parts) -> Parts:
    """What was seen, in the float dtype of the arguments."""
    given = next(each.dtype for each in tensors(arguments) if each.is_floating_point())
    return Parts((name, converted(value, given)) for name, value in seen.items())
