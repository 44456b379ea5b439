"""Fit for training: gradients reach every input and every weight, and the arguments are as they were after a call."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.cases.arguments import after_call, argument_parts
from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.cases.probes import in_either_dtype, returned_values
from course_lib.grading.compare import difference, kind, misfit
from course_lib.grading.task import Case, OwnParts, Parts

OF = "the gradient of a weighted sum of the results with respect to "
UNSEEN = 1e-11  # a change of this size is seen in float64, and not in float32


@dataclass(frozen=True)
class Near:
    """How near a gradient is to a central difference of this step if it is right: a wrong one is off by far more."""

    step: float
    terms: float = 1e-4  # relative to the sum of its terms' magnitudes
    beside: float = 1e-7  # and beside that


FINE, FINEST = Near(1e-6), Near(1e-8)  # the second is for values that change very fast
COARSE = Near(1e-2, 0.03, 3e-3), Near(1e-3, 0.03, 3e-3)  # where float32 is used within


@dataclass(frozen=True)
class GradientProbe:
    """The probe that looks at the arguments, which `names` names, after a call, and at the gradients of their tensors.

    They are those of L = Σ value·cotangent over the values `returned`, with the cotangents in `case.extra`. They are
    not asked for where the call changes an argument. Raises StudentError for values that are not tensors of the right
    shapes. `defined` is a right version.
    """

    names: str
    returned: str
    defined: Callable

    def __call__(self, function: Callable, case: Case) -> Parts:
        student = function if isinstance(function, Student) else local(function)
        return in_either_dtype(lambda arguments: self.seen(student, case, arguments), case.arguments)

    def seen(self, student: Student, case: Case, arguments: tuple) -> Parts:
        """What a call with these arguments leaves of them, and their gradients."""
        self.total(student, case, arguments)
        after = after_call(self.names, student, arguments)
        changed = difference(argument_parts(self.names, arguments), after, case)
        pulled = dict.fromkeys(self.floating(arguments)) if changed else self.pulled(student, case, arguments)
        return Parts(after | {f"{OF}{name}": value for name, value in pulled.items()})

    def pulled(self, student: Student, case: Case, arguments: tuple) -> dict[str, Any]:
        """The gradient of L for each floating tensor within the arguments, by name; raises StudentError."""
        floating = self.floating(arguments)
        pulled = student.pull(arguments, case.extra, self.returned.split())
        if not isinstance(pulled, list) or len(pulled) != len(floating):
            raise StudentError(f"its gradients are {kind(pulled)}, not one for each of {len(floating)}")
        return dict(zip(floating, pulled, strict=True))

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The outcome with the right gradients in place of those that are right for the function's own wrong values.

        g is right for them, where g·d is the slope of L along a random direction d, (L(a + εd) − L(a − εd)) / 2ε in
        float64. Values that are NaN are left out of L. Nothing is excused where L changes with no argument. What is
        left is OwnParts if the function's values are wrong.
        """
        if not isinstance(got, Parts):
            return got
        arguments, rng = deepcopy(converted(case.arguments, torch.float64)), Random(case.words)
        excused = Parts(got)
        try:
            undefined = has_nan([*returned_values(function, arguments, self.returned.split()).values()])
            moves, holes = undefined, undefined and has_holes(arguments)
            pulled = self.pulled(function, case, arguments)
            for name, at in self.floating(arguments).items():
                direction = tensor(rng, *at.shape).double()
                for near, slope in self.slopes(function, case, arguments, at, direction):
                    moves |= not abs(slope) <= near.beside
                    if follows(pulled[name], direction, slope, near, holes):
                        excused[OF + name] = expected[OF + name]
                        break
            own = not any(value is None for value in got.values()) and not self.values_are_right(function, case)
        except StudentError:
            return got
        left = excused if moves else got
        return OwnParts(left) if own else left

    def values_are_right(self, function: Callable, case: Case) -> bool:
        """Whether what the function returns is what a right version returns."""

        def returned(function: Callable) -> Parts:
            names = self.returned.split()
            return in_either_dtype(lambda arguments: returned_values(function, arguments, names), case.arguments)

        return difference(returned(self.defined), returned(function), case) is None

    def slopes(
        self, function: Callable, case: Case, arguments: tuple, at: Tensor, direction: Tensor
    ) -> Iterator[tuple[Near, float]]:
        """Slopes of L, from the step that is right for most on, and how near to each a right gradient is."""

        def slope(step: float) -> float:
            return self.slope(function, case, arguments, at, direction, step)

        yield FINE, slope(FINE.step)
        for near in (FINEST,) if slope(UNSEEN) else COARSE:
            yield near, slope(near.step)

    def slope(
        self, function: Callable, case: Case, arguments: tuple, at: Tensor, direction: Tensor, step: float
    ) -> float:
        """How fast L changes as the tensor `at`, which lies within the arguments, moves in that direction."""
        here, totals = at.clone(), []
        for moved in here + step * direction, here - step * direction:
            at.copy_(moved)
            totals.append(self.total(function, case, arguments))
        at.copy_(here)
        return (totals[0] - totals[1]) / (2 * step)

    def total(self, function: Callable, case: Case, arguments: tuple) -> float:
        """L = Σ value·cotangent without NaN; raises StudentError for values that are not shaped as their cotangents."""
        values, total = returned_values(function, arguments, self.returned.split()), 0.0
        for (name, value), cotangent in zip(values.items(), case.extra, strict=True):
            if says := misfit(cotangent, value, name):
                raise StudentError(says)
            total += float((value * cotangent).nansum())
        return total

    def floating(self, arguments: tuple) -> dict[str, Tensor]:
        """The tensors within the arguments that can have a gradient, by name."""
        tensors_by_name = named_tensors(self.names.split(), arguments)
        return {name: each for name, each in tensors_by_name if each.is_floating_point()}


@dataclass(frozen=True)
class of_form:
    """The probe that `looks` at the form of values, right or wrong: that it is right proves no work."""

    looks: Callable[[Callable, Case], Parts]
    proves = False

    def __call__(self, function: Callable, case: Case) -> Parts:
        return self.looks(function, case)


def with_cotangents(draw: Callable, outputs: Callable[..., Any], least: float = 0.0) -> Callable:
    """The cases of `draw` with a random cotangent for every one of `outputs(*arguments)`: what gradients start from.

    Its numbers are at least as large as `least`.
    """

    def drawn(rng: Random, size: int) -> Case:
        case = draw(rng, size)
        shapes = [each.shape for each in tensors(outputs(*case.arguments))]
        drawn = [tensor(rng, *shape) for shape in shapes]
        return replace(case, extra=[each + least * each.sign() for each in drawn])

    return drawn


def follows(gradient: Any, direction: Tensor, slope: float, near: Near, holes: bool) -> bool:
    """Whether g·d is `near` the slope along d; it may be NaN where L has terms that are, and arguments have holes."""
    if misfit(direction, gradient, "") or not gradient.is_floating_point():
        return False
    terms = gradient.double() * direction
    most = near.terms * float(terms.abs().sum()) + near.beside
    return abs(float(terms.sum()) - slope) <= most or (holes and bool(terms.isnan().any()))


def has_nan(value: Any) -> bool:
    """Whether a number within the tensors of `value` is NaN."""
    return any(bool(each.isnan().any()) for each in tensors(value))


def has_holes(value: Any) -> bool:
    """Whether a number within the tensors of `value` is NaN or infinite: 0 times it is NaN."""
    return not all(bool(each.isfinite().all()) for each in tensors(value))


def named_tensors(names: list[str], arguments: tuple) -> Iterator[tuple[str, Tensor]]:
    """Every tensor within the arguments, with how one would write it: ("weights['W_xh']", …)."""
    for name, value in zip(names, arguments, strict=True):
        if isinstance(value, Tensor):
            yield name, value
        elif isinstance(value, dict):
            yield from named_tensors([f"{name}[{key!r}]" for key in value], tuple(value.values()))
        elif isinstance(value, (list, tuple)):
            yield from named_tensors([f"{name}[{i}]" for i in range(len(value))], tuple(value))
