"""The problem sets by name. The engine holds none of their content: it finds the package where they lie by its name."""

import importlib
import pkgutil

from course_lib.grading.task import ProblemSet

PACKAGE = "course_lib.problem_sets"


def names() -> list[str]:
    """The names of all problem sets, in order: ["ps1", …]."""
    found = pkgutil.iter_modules(importlib.import_module(PACKAGE).__path__)
    return sorted((module.name for module in found), key=lambda name: int(name[2:]))


def problem_set(name: str) -> ProblemSet:
    """The problem set of that name; raises ValueError that lists the names there are."""
    if name not in names():
        raise ValueError(f"problem set must be one of {', '.join(names())}, got {name!r}")
    return importlib.import_module(f"{PACKAGE}.{name}").PROBLEM_SET
