"""Wrong versions of any function, each unfit for training: without gradients, or in another dtype than it was given."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.cases.numbers import converted
from course_lib.grading.task import Misconception


def cut(function: Callable) -> Callable:
    """`function` with values that pass no gradient on."""
    return lambda *arguments: detached(function(*arguments))


def cut_at(function: Callable, place: int) -> Callable:
    """`function` with one of its values, the one at that place, cut off from its gradient."""

    def partly(*arguments: Any) -> tuple:
        return tuple(detached(value) if i == place else value for i, value in enumerate(function(*arguments)))

    return partly


def constant_weights(function: Callable, first: int) -> Callable:
    """`function` with weights, the arguments from `first` on, that no gradient reaches."""
    return lambda *arguments: function(*arguments[:first], *map(detached, arguments[first:]))


def detached(value: Any) -> Any:
    """`value` with every tensor within it cut off from its gradient."""
    if isinstance(value, dict):
        return {name: detached(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(detached, value))
    return value.detach() if isinstance(value, Tensor) else value


def in_single_precision(function: Callable) -> Callable:
    """`function` with float32 values, whatever it is given."""
    return lambda *arguments: converted(function(*arguments), torch.float32)


CUT = "No gradient comes out of your function: a detach, .data, no_grad, numpy, tolist() or item() cuts it off."
CUT_AT = "No gradient comes out of `{name}`: a detach, .data, no_grad, numpy, tolist() or item() cuts it off."
CONSTANT = (
    "No gradient reaches the weights that you are given: something on the way makes constants of them, as detach, "
    ".data, torch.tensor(…) and Embedding.from_pretrained do."
)
SINGLE = (
    "You were given float64 and return float32. Something on the way is converted, or was made without a dtype, as "
    "torch.zeros(…) is; the new_zeros(…) of a tensor that you were given has its dtype."
)


INEXACT = (
    "You were given float64. Your results have this dtype, but are only as exact as float32: something on the way is "
    "converted, or was made without a dtype, as torch.tensor(…) is."
)
FIRST = "Your {name} are float32, whatever you are given: were they made without a dtype, as torch.zeros(…) is?"


def computed_in_single_precision(function: Callable) -> Callable:
    """`function` computed in float32; the results have the float dtype of the arguments."""

    def computed(*arguments: Any) -> Any:
        given = next(each.dtype for each in tensors(arguments) if each.is_floating_point())
        return converted(function(*converted(arguments, torch.float32)), given)

    return computed


def first_in_single_precision(function: Callable) -> Callable:
    """`function` with the first of its values in float32."""

    def partly(*arguments: Any) -> tuple:
        first, *others = function(*arguments)
        return first.float(), *others

    return partly


def without_gradient(
    function: Callable, weights_from: int | None = None, returned: str = ""
) -> tuple[Misconception, ...]:
    """The ways to cut `function` off from its gradient; its weights, if any, are the arguments from that one on.

    `returned` names the values that it returns, if one of several may be cut off.
    """
    found = [Misconception("cut off from the gradient", cut(function), "gradient", CUT)]
    found += [
        Misconception(f"{name} cut off from the gradient", cut_at(function, i), "gradient", CUT_AT.format(name=name))
        for i, name in enumerate(returned.split())
    ]
    if weights_from is not None:
        constant = constant_weights(function, weights_from)
        found.append(Misconception("constant weights", constant, "gradient", CONSTANT))
    return tuple(found)


def in_another_dtype(function: Callable) -> tuple[Misconception, ...]:
    """`function` with float32 values, whatever it is given."""
    return (Misconception("single precision", in_single_precision(function), "dtype", SINGLE),)


def inexact(function: Callable, first: str = "") -> tuple[Misconception, ...]:
    """The ways in which float32 gets into `function` and its dtype looks right; `first` names the first of several."""
    found = [Misconception("computed in float32", computed_in_single_precision(function), "dtype", INEXACT)]
    if first:
        says = FIRST.format(name=first)
        found.append(Misconception(f"{first} in float32", first_in_single_precision(function), "dtype", says))
    return tuple(found)
