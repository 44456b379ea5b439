"""Right solutions: the honest styles of each problem set, and the same with other honest numerics."""

import importlib
import importlib.util
import math
from collections.abc import Callable, Iterator
from functools import wraps
from types import ModuleType, SimpleNamespace

import torch
from torch.overrides import TorchFunctionMode

from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.cases.numbers import converted
from course_lib.grading.task import Task

PROBLEM_SETS = "tests.problem_sets"  # what is held of each lies here, in a package
STYLES = ("functional", "loops", "objects")


def styles(problem_set: str) -> dict[str, ModuleType]:
    """The modules that solve the problem set in honestly different ways, by name; none without a package."""
    package = f"{PROBLEM_SETS}.{problem_set}"
    if importlib.util.find_spec(package) is None:
        return {}
    found = (f"{package}.{style}" for style in STYLES)
    return {name.rpartition(".")[2]: importlib.import_module(name) for name in found if importlib.util.find_spec(name)}


def honest(task: Task) -> Iterator[tuple[str, Callable]]:
    """Every honest version of a task's function, by a name."""
    problem_set, _, name = task.name.partition(".")
    for style, module in styles(problem_set).items():
        function = getattr(module, name)
        yield style, function
        if "torch" in vars(module) and style == "functional":
            yield f"{style}, float64 inside", in_double_precision(function)
            yield f"{style}, sums in another order", reordered(function)
        if "log" in vars(module) or "math" in vars(module):
            yield f"{style}, log(p + 1e-12)", getattr(with_epsilon(module), name)
    extra = importlib.import_module(f"{PROBLEM_SETS}.{problem_set}")
    yield from getattr(extra, "NUMERICS", {}).get(task.name, {}).items()


def in_double_precision(function: Callable) -> Callable:
    """It computes in float64 and gives back the dtype that it was given."""

    @wraps(function)
    def inside(*arguments):
        given = next((each.dtype for each in tensors(arguments) if each.is_floating_point()), torch.float64)
        return converted(function(*converted(arguments, torch.float64)), given)

    return inside


class Reordered(TorchFunctionMode):
    """Matrix products that sum from the last term to the first."""

    products = (torch.matmul, torch.Tensor.matmul, torch.Tensor.__matmul__)

    def __torch_function__(self, function, types, arguments=(), keywords=None):
        if function in self.products:
            left, right = arguments
            arguments = left.flip(-1), right.flip(-2 if right.dim() > 1 else 0)
        return function(*arguments, **(keywords or {}))


def reordered(function: Callable) -> Callable:
    """It sums its matrix products in another order."""

    @wraps(function)
    def inside(*arguments):
        with Reordered():
            return function(*arguments)

    return inside


def anew(module: ModuleType) -> ModuleType:
    """The module once more: what is changed in it does not change the first."""
    spec = importlib.util.spec_from_file_location(f"{module.__name__}_anew", module.__file__)
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def with_epsilon(module: ModuleType) -> ModuleType:
    """The module anew, with log(p + 1e-12) for log(p)."""
    made = anew(module)

    def log(value: float) -> float:
        return math.log(value + 1e-12)

    if "log" in vars(made):
        made.log = log
    if "math" in vars(made):
        made.math = SimpleNamespace(**{**vars(math), "log": log})
    return made
