"""The problem sets: one package each, one module a task."""

import importlib
import pkgutil

from course_lib.grading.task import ProblemSet


def names() -> list[str]:
    """The names of all problem sets, in order: ["ps1", …]."""
    return sorted((module.name for module in pkgutil.iter_modules(__path__)), key=lambda name: int(name[2:]))


def problem_set(name: str) -> ProblemSet:
    """The problem set of that name; raises ValueError that lists the names there are."""
    if name not in names():
        raise ValueError(f"problem set must be one of {', '.join(names())}, got {name!r}")
    return importlib.import_module(f"{__name__}.{name}").PROBLEM_SET
