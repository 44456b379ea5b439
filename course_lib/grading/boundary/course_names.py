"""What a student's function uses of the course that is not there while it is graded: refused in `check` as well."""

from types import ModuleType
from typing import Any

from course_lib.grading.boundary.stand_in import Refused, StandIn, named

VISIBLE = tuple(f"course_lib.{name}" for name in ("corpora", "files", "grading", "settings", "training"))


def refusals(function: Any) -> dict[str, Refused | StandIn]:
    """For each name, where `function` was written, of the course's that is absent while graded: what refuses its use.

    An import alone costs nothing, of a module neither. The course's own functions, the references among them, may use
    what they like.
    """
    if str(getattr(function, "__module__", "")).startswith("course_lib."):
        return {}
    names = getattr(function, "__globals__", {})
    return {name: stand_in(value) for name, value in names.items() if absent(path_of(value))}


def stand_in(value: Any) -> Refused | StandIn:
    """What refuses the use of a module, function or class."""
    return (StandIn if isinstance(value, ModuleType) else named)(path_of(value))


def path_of(value: Any) -> str:
    """The dotted name of a module, function or class, else ""."""
    if isinstance(value, ModuleType):
        return value.__name__
    return f"{value.__module__}.{value.__qualname__}" if callable(value) and hasattr(value, "__qualname__") else ""


def absent(path: str) -> bool:
    """Whether `path` names something of the course that is not there while graded."""
    return path.startswith("course_lib.") and not path.startswith(VISIBLE)
