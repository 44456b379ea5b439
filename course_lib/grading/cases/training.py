"""Fit for training: gradients reach every input and every weight, and the arguments are as they were after a call."""

from collections.abc import Callable, Iterator

from torch import Tensor

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.cases.arguments import after_call
from course_lib.grading.cases.probes import called
from course_lib.grading.compare import difference, kind, misfit
from course_lib.grading.task import Case, Parts


def training(names: str, returned: str) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at the arguments, which `names` names, after a call, and at the gradients of their tensors.

    They are those of Σ value·cotangent over the values `returned`, with the cotangents in `case.extra`. They are not
    asked for where the call changes an argument. Raises StudentError for values that are no tensors of right shapes.
    """

    def probe(function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        values = called(student, case.arguments, returned.split())
        for (name, value), cotangent in zip(values.items(), case.extra, strict=True):
            if says := misfit(cotangent, value, name):
                raise StudentError(says)
        before = after_call(names, case.arguments)
        after = after_call(names, student.leaves(case.arguments))
        floating = [n for n, each in named_tensors(names.split(), case.arguments) if each.is_floating_point()]
        changed = difference(before, after, case)
        pulled = [None] * len(floating) if changed else student.pull(case.arguments, case.extra)
        if not isinstance(pulled, list) or len(pulled) != len(floating):
            raise StudentError(f"its gradients are {kind(pulled)}, expected is one for each of {len(floating)}")
        of = "the gradient of Σ results · given numbers with respect to "
        return Parts(after | {f"{of}{name}": value for name, value in zip(floating, pulled, strict=True)})

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
