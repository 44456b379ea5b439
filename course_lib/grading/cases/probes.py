"""How problem set 2 exercises a function: some of the values that it returns, or the gradients that it passes on."""

from collections.abc import Callable

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.compare import kind
from course_lib.grading.task import Case

Probe = Callable[[Callable, Case], dict]


def called(function: Callable, arguments: tuple, names: list[str]) -> dict:
    """What `function` returns, by name. Raises StudentError if it is no tuple of as many values."""
    values = function(*arguments)
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        raise StudentError(f"it returned {kind(values)}, expected is a tuple of {len(names)}: {', '.join(names)}")
    return dict(zip(names, values, strict=True))


def seeing(names: str, wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the values `names`: what a criterion is not about, it does not see."""

    def probe(function: Callable, case: Case) -> dict:
        values = called(function, case.arguments, names.split())
        return {name: values[name] for name in wanted.split()}

    return probe


def gradient(function: Callable, case: Case) -> dict:
    """∂(Σ output · cotangent)/∂x, where the case's last argument holds the cotangents and its first is x."""
    *arguments, cotangents = case.arguments
    student = function if isinstance(function, Student) else local(function)
    return {"the gradient at x": student.pull(tuple(arguments), cotangents)[0]}
