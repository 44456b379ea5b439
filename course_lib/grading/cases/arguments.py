"""Arguments that a call must leave as they were."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.compare import is_tensor, kind
from course_lib.grading.task import Case, Parts

RESULT = "the result"


@dataclass(frozen=True)
class ArgumentsProbe:
    """The probe that looks at the arguments, which `names` names, as a call leaves them.

    The result is seen with them, for hints, as `sees(result)` if not as it is; a wrong one of the right kind costs
    nothing here.
    """

    names: str
    sees: Callable[[Any], Any] = lambda result: result

    def __call__(self, function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        seen = {RESULT: self.sees(student(*case.arguments))}
        return Parts(seen | after_call(self.names, student, case.arguments))

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The outcome with the right result in place of any of its kind."""
        alike = isinstance(got, Parts) and coarse_kind(got[RESULT]) == coarse_kind(expected[RESULT])
        return Parts(got | {RESULT: expected[RESULT]}) if alike else got


def coarse_kind(value: Any) -> str:
    """What kind of value it is, whatever its size and its form: a list, tuple or set, a number, …"""
    if is_tensor(value) and value.dim() == 0:
        return "float"
    return {"tuple": "list", "set": "list", "int": "float"}.get(name := type(value).__name__, name)


def after_call(names: str, student: Student, arguments: tuple, asking: bool = False) -> Parts:
    """The arguments as a call of `student` leaves them: named as what they are then.

    A tensor that has been asked for its gradient (requires_grad_), or holds one, is not as it was. If `asking`, all
    floating tensors ask for it before the call. Raises StudentError if what comes back are not as many arguments.
    """
    left = student.leaves(arguments, asking)
    try:
        return argument_parts(names, *left)
    except (TypeError, ValueError):
        raise StudentError(f"the arguments after the call are {kind(left)}") from None


def argument_parts(
    names: str, arguments: Sequence, asks: Sequence[bool] | None = None, holds: Sequence[bool] | None = None
) -> Parts:
    """Arguments after a call, and whether each asks for a gradient and holds one; raises for another number."""
    none = [False] * len(arguments)
    parts, asks, holds = Parts(), none if asks is None else asks, none if holds is None else holds
    for name, value, asked, held in zip(names.split(), arguments, asks, holds, strict=True):
        parts |= {
            f"after the call, {name}": value,
            f"after the call, requires_grad of {name}": asked,
            f'"a .grad is left in {name} after the call"': held,
        }
    return parts
