"""Submissions that try to gain points, or to cost others theirs: each module is one run of `nbgrader autograde ps1`."""

from types import ModuleType

from . import honest, line, notebooks, page, python, resources, wall

RUNS: dict[str, ModuleType] = {
    "python": python,
    "wall": wall,
    "line": line,
    "resources": resources,
    "notebooks": notebooks,
    "page": page,
    "honest": honest,
}
