"""Arguments that a call must leave as they were."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts

RESULT = "the result"


@dataclass(frozen=True)
class leaving:
    """The probe that looks at the arguments, which `names` names, as a call leaves them.

    The result is seen with them, for hints; a wrong one of the right kind costs nothing here.
    """

    names: str

    def __call__(self, function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        seen, after = Parts({RESULT: student(*case.arguments)}), student.leaves(case.arguments)
        return Parts(seen | after_call(self.names, after))

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The outcome with the right result in place of any of its kind."""
        alike = isinstance(got, Parts) and sort(got[RESULT]) == sort(expected[RESULT])
        return Parts(got | {RESULT: expected[RESULT]}) if alike else got


def sort(value: Any) -> str:
    """What kind of value it is, whatever its size: a list or tuple, a number, …"""
    return {"tuple": "list", "int": "float"}.get(name := type(value).__name__, name)


def after_call(names: str, arguments: tuple) -> Parts:
    """The arguments, named as what they are after a call; raises StudentError if they are not as many."""
    if not isinstance(arguments, (list, tuple)) or len(arguments) != len(names.split()):
        raise StudentError(f"the arguments after the call are {kind(arguments)}")
    return Parts({f"{name}, after the call,": each for name, each in zip(names.split(), arguments, strict=True)})
