"""What a student's function uses that is not there while it is graded: refused in `check` as well, in the same words.

That is most of the course, and every installed package that `visible_packages.py` does not list. An import costs
nothing, in a cell or in a function: what refuses is the use.
"""

import builtins
import contextlib
import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from course_lib.grading.boundary import visible_packages
from course_lib.grading.boundary.stand_in import Refused, StandIn, named

VISIBLE = tuple(f"course_lib.{name}" for name in ("corpora", "files", "grading", "settings", "training"))
THERE = {*sys.stdlib_module_names, *visible_packages.NEEDED, "__main__"}  # known without a look at what is installed


def names_around(function: Any) -> dict[str, Any]:
    """The names where `function` was written; none for the course's own functions, which may use what they like."""
    if str(getattr(function, "__module__", "")).startswith("course_lib."):
        return {}
    owner = function if hasattr(function, "__globals__") else type(function).__call__ if callable(function) else None
    return getattr(owner, "__globals__", {})


def refusals(function: Any) -> dict[str, Refused | StandIn]:
    """For each name around `function` of something that is absent while graded: what refuses its use."""
    return {name: stand_in(value) for name, value in names_around(function).items() if absent(path_of(value))}


@contextlib.contextmanager
def standing_in_for_imports(function: Any) -> Iterator[None]:
    """What the code around `function` imports until the block ends is a stand-in where it is absent while graded."""
    names, original = names_around(function), builtins.__import__

    def imported(name: str, globals: dict | None = None, locals: Any = None, fromlist: Any = (), level: int = 0):
        if globals is names and level == 0 and absent(name):
            return StandIn(name if fromlist else name.partition(".")[0])
        return original(name, globals, locals, fromlist, level)

    builtins.__import__ = imported
    try:
        yield
    finally:
        builtins.__import__ = original


def stand_in(value: Any) -> Refused | StandIn:
    """What refuses the use of a module, function or class."""
    return (StandIn if isinstance(value, ModuleType) else named)(path_of(value))


def path_of(value: Any) -> str:
    """The dotted name of a module, function or class, else ""."""
    if isinstance(value, ModuleType):
        return value.__name__
    return f"{value.__module__}.{value.__qualname__}" if callable(value) and hasattr(value, "__qualname__") else ""


def absent(path: str) -> bool:
    """Whether `path` names something installed here, or something of the course's, that is not there while graded."""
    package = path.partition(".")[0]
    if package == "course_lib":
        return path != package and not path.startswith(VISIBLE)
    return package not in THERE and package in visible_packages.absent()
