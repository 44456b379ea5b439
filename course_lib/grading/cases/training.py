"""Fit for training: gradients reach every input and every weight, and the arguments are as they were after a call."""

from collections.abc import Callable, Iterator

from torch import Tensor

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts


def training(names: str) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at the gradients of all floating tensors within the arguments, which `names` names.

    They are those of Σ output·cotangent, with the cotangents in `case.extra`; and it looks at the arguments afterwards.
    """

    def probe(function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        floating = [n for n, each in named_tensors(names.split(), case.arguments) if each.is_floating_point()]
        pulled, after = student.pull(case.arguments, case.extra), student.leaves(case.arguments)
        for values, wanted in (pulled, floating), (after, names.split()):
            if not isinstance(values, (list, tuple)) or len(values) != len(wanted):
                raise StudentError(f"its gradients are {kind(values)}, expected is one for each of {len(wanted)}")
        gradients = {f"the gradient of {name}": value for name, value in zip(floating, pulled, strict=True)}
        return Parts(gradients | {f"{n}, after the call,": a for n, a in zip(names.split(), after, strict=True)})

    return probe


def named_tensors(names: list[str], arguments: tuple) -> Iterator[tuple[str, Tensor]]:
    """Every tensor within the arguments, with how one would write it: ("weights['W_xh']", …)."""
    for name, value in zip(names, arguments, strict=True):
        if isinstance(value, Tensor):
            yield name, value
        elif isinstance(value, dict):
            yield from named_tensors([f"{name}[{key!r}]" for key in value], tuple(value.values()))
        elif isinstance(value, (list, tuple)):
            yield from named_tensors([f"{name}[{i}]" for i in range(len(value))], tuple(value))
