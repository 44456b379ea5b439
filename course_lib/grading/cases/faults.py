"""Diagnoses asked fault by fault: a wrong test costs the criterion of its fault, whatever else is reported."""

from collections.abc import Callable

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts


def about(*faults: str, containers: tuple[type, ...] = (set,)) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at nothing but whether each of these faults is in the result, one of the `containers`."""

    def probe(function: Callable, case: Case) -> Parts:
        said = function(*case.arguments)
        if not isinstance(said, containers):
            raise StudentError(f"it returned {kind(said)}, not a set")
        return Parts((f'"{fault!r} is in the result"', fault in said) for fault in faults)

    return probe
