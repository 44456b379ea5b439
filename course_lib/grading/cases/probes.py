"""Ways to exercise a function: some of the values that it returns."""

from collections.abc import Callable

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts

Probe = Callable[[Callable, Case], Parts]


def called(function: Callable, arguments: tuple, names: list[str]) -> Parts:
    """What `function` returns, by name. Raises StudentError if it is no tuple of as many values."""
    values = function(*arguments)
    if not isinstance(values, (tuple, list)) or len(values) != len(names):
        raise StudentError(f"it returned {kind(values)}, expected is a tuple of {len(names)}: {', '.join(names)}")
    return Parts(zip(names, values, strict=True))


def seeing(names: str, wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the values `names`: what a criterion is not about, it does not see."""

    def probe(function: Callable, case: Case) -> Parts:
        values = called(function, case.arguments, names.split())
        return Parts((name, values[name]) for name in wanted.split())

    return probe


def leaving(names: str) -> Probe:
    """The probe that looks at the result, and at the arguments, which `names` names, as the call leaves them."""

    def probe(function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        seen, after = Parts({"the result": student(*case.arguments)}), student.leaves(case.arguments)
        if not isinstance(after, (list, tuple)) or len(after) != len(names.split()):
            raise StudentError(f"the arguments after the call are {kind(after)}")
        return Parts(seen | {f"{n}, after the call,": a for n, a in zip(names.split(), after, strict=True)})

    return probe
