"""What a student's function uses of the course that is not there while it is graded: refused in `check` as well."""

from collections.abc import Callable
from functools import partial
from typing import Any

from course_lib.grading.boundary.forbid import Delegated, refusal

VISIBLE = tuple(f"course_lib.{name}" for name in ("corpora", "files", "grading", "settings", "training"))


def refusals(function: Any) -> dict[str, Callable]:
    """For each name, where `function` was written, of the course's that is absent while graded: what refuses its use.

    An import alone costs nothing. The course's own functions, the references among them, may use what they like.
    """
    if str(getattr(function, "__module__", "")).startswith("course_lib."):
        return {}
    names = getattr(function, "__globals__", {})
    return {name: partial(refuse, path_of(value)) for name, value in names.items() if absent(path_of(value))}


def path_of(value: Any) -> str:
    """The dotted name of a function or class, else ""."""
    return f"{value.__module__}.{value.__qualname__}" if callable(value) and hasattr(value, "__qualname__") else ""


def absent(path: str) -> bool:
    return path.startswith("course_lib.") and not path.startswith(VISIBLE)


def refuse(path: str, *_: Any, **__: Any) -> None:
    raise Delegated(refusal(path))
