"""What a network costs on a long sentence: products that must wait for each other, and memory for the way back."""

import re
from collections.abc import Callable

import torch
from torch import Tensor

PRODUCT = re.compile(r"mm|Mm|Linear")  # addmm, mm, bmm, linear among autograd's names


def sequential_products(result: Tensor) -> int:
    """The longest chain of matrix products that led to `result`, each of which needs the one before it.

    Read off autograd's graph; however many cores there are, these run one after another. Raises ValueError for a result
    without a graph.
    """
    if result.grad_fn is None:
        raise ValueError(
            "result must be computed from something that requires a gradient, got a tensor without a graph"
        )
    longest: dict[object, int] = {}
    waiting = [(result.grad_fn, False)]
    while waiting:
        function, ready = waiting.pop()
        before = [earlier for earlier, _ in function.next_functions if earlier is not None]
        if ready:
            length = max((longest[earlier] for earlier in before), default=0)
            longest[function] = length + bool(PRODUCT.search(function.name()))
        elif function not in longest:
            waiting.append((function, True))
            waiting += [(earlier, False) for earlier in before if earlier not in longest]
    return longest[result.grad_fn]


def stored_bytes(compute: Callable[[], Tensor]) -> int:
    """How much of what `compute` makes and reads is kept for the backward pass; a tensor kept twice counts once."""
    kept: dict[int, int] = {}

    def keep(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(keep, lambda tensor: tensor):
        result = compute()  # alive as long as its parts are counted, so that no place in memory is used twice
        total = sum(kept.values())
        del result
    return total
