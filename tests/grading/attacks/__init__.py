"""Submissions that try to gain points, or to cost others theirs: each module is one run of `nbgrader autograde ps1`."""

from types import ModuleType

from . import delegation, honest, line, notebooks, page, python, resources, wall

RUNS: dict[str, ModuleType] = {  # those that take longest first: runs are made beside each other
    "resources": resources,
    "python": python,
    "line": line,
    "notebooks": notebooks,
    "delegation": delegation,
    "wall": wall,
    "page": page,
    "honest": honest,
}
