"""Diagnoses asked fault by fault: a wrong test costs the criterion of its fault, whatever else is reported."""

from collections.abc import Callable

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Misconception, Parts


def about(*faults: str, containers: tuple[type, ...] = (set,)) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at nothing but whether each of these faults is in the result, one of the `containers`."""

    def probe(function: Callable, case: Case) -> Parts:
        said = function(*case.arguments)
        if not isinstance(said, containers):
            raise StudentError(f"it returned {kind(said)}, not a set")
        return Parts((f'"{fault!r} is in the result"', fault in said) for fault in faults)

    return probe


def never_reported(slip: Callable, name: str) -> Misconception:
    """The mistake not to look for a fault; `slip(name, test)(hint)` makes that of another test of the fault."""
    return slip(name, lambda _: False)(f"You report {fault_of(name)!r} in none of the cases tried.")


def always_reported(slip: Callable, name: str, asks: str) -> Misconception:
    """The mistake to report a fault whatever comes, with what is asked for."""
    says = f"You report {fault_of(name)!r} in every case, though it is not there in all."
    return slip(name, lambda _: True)(f"{says} {asks}")


def fault_of(name: str) -> str:
    """The fault of a criterion: "warm-up" of "warm_up"."""
    return name.replace("_", "-")
