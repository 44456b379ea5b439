"""Arguments that a call must leave as they were."""

from collections.abc import Callable

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.cases.probes import called
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts


def leaving(names: str) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at the result, and at the arguments, which `names` names, as the call leaves them."""

    def probe(function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        seen, after = Parts({"the result": student(*case.arguments)}), student.leaves(case.arguments)
        return Parts(seen | after_call(names, after))

    return probe


def untouched(names: str, returned: str) -> Callable[[Callable, Case], Parts]:
    """The probe that looks at the arguments, which `names` names, as the call leaves them, and at nothing else.

    That the values `returned` are as many as they should be is all that it asks of the result.
    """

    def probe(function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        called(student, case.arguments, returned.split())
        return after_call(names, student.leaves(case.arguments))

    return probe


def after_call(names: str, arguments: tuple) -> Parts:
    """The arguments, named as what they are after a call; raises StudentError if they are not as many."""
    if not isinstance(arguments, (list, tuple)) or len(arguments) != len(names.split()):
        raise StudentError(f"the arguments after the call are {kind(arguments)}")
    return Parts({f"{name}, after the call,": each for name, each in zip(names.split(), arguments, strict=True)})
