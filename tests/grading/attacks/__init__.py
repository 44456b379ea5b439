"""Submissions that try to gain points, or to cost others theirs: each run is one `nbgrader autograde ps1` over modules."""

from types import ModuleType, SimpleNamespace

from tests.problem_sets.ps1 import delegation

from . import honest, line, notebooks, page, python, resources, wall


def together(*modules: ModuleType) -> SimpleNamespace:
    """The attacks of these modules in one run, with the limits that any of them sets."""
    attacks = tuple(attack for module in modules for attack in module.ATTACKS)
    limits = {name: value for module in modules for name, value in module.LIMITS.items()}
    return SimpleNamespace(ATTACKS=attacks, LIMITS=limits)


RUNS: dict[str, SimpleNamespace] = {  # those that take longest first: runs are made beside each other
    "resources": together(resources),
    "python": together(python, delegation, wall),
    "line": together(line),
    "notebooks": together(notebooks),
    "page": together(page, honest),
}
