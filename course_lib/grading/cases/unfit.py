"""Wrong versions of any function, each unfit for training: without gradients, or in another dtype than it was given."""

from collections.abc import Callable
from typing import Any

import torch

from course_lib.grading.cases.numbers import converted


def cut(function: Callable) -> Callable:
    """`function` with values that pass no gradient on."""
    return lambda *arguments: detached(function(*arguments))


def constant_weights(function: Callable, first: int) -> Callable:
    """`function` with weights, the arguments from `first` on, that no gradient reaches."""
    return lambda *arguments: function(*arguments[:first], *map(detached, arguments[first:]))


def detached(value: Any) -> Any:
    """`value` with every tensor within it cut off from its gradient."""
    if isinstance(value, dict):
        return {name: detached(each) for name, each in value.items()}
    return type(value)(map(detached, value)) if isinstance(value, (list, tuple)) else value.detach()


def in_single_precision(function: Callable) -> Callable:
    """`function` with float32 values, whatever it is given."""
    return lambda *arguments: converted(function(*arguments), torch.float32)


CUT = "No gradient comes out of your function: a detach, no_grad, numpy or item() on the way cuts it off."
SINGLE = (
    "You were given float64 and return float32, as torch.zeros(…) is. "
    "The new_zeros(…) of a tensor that you were given has its dtype."
)
