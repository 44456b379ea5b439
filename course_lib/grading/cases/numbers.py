"""Random tensors, padded batches and their cases: small, float32 unless asked, and as plain as a criterion needs."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from math import prod
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.task import Case, Criterion

Numbers = partial(Criterion, visible=2, graded=4)  # of random numbers each case shows what is wrong: a few will do


def tensor(rng: Random, *shape: int, spread: float = 1.0) -> Tensor:
    """Numbers from a normal distribution, float32."""
    return torch.tensor([rng.gauss(0, spread) for _ in range(prod(shape))], dtype=torch.float32).reshape(shape)


def rounded(rng: Random, value: Tensor) -> Tensor:
    """The same numbers, summed in another order: their last bits differ."""
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(value.numel())], dtype=value.dtype)
    return value * factors.view_as(value)


def converted(value: Any, dtype: torch.dtype) -> Any:
    """`value` with every floating tensor within it in `dtype`."""
    if isinstance(value, Tensor):
        return value.to(dtype) if value.is_floating_point() else value
    if isinstance(value, dict):
        return {key: converted(item, dtype) for key, item in value.items()}
    return type(value)(converted(item, dtype) for item in value) if isinstance(value, (list, tuple)) else value


def in_both_dtypes(draw: Callable[[Random, int], Case]) -> Callable[[Random, int], Case]:
    """The cases of `draw` in float64 and float32, in turn."""

    def drawn(rng: Random, size: int) -> Case:
        case = draw(rng, size)
        return case if size % 2 else replace(case, arguments=converted(case.arguments, torch.float64))

    return drawn


def sizes(rng: Random) -> tuple[int, int]:
    """Two different sizes, of the input and of the hidden state: what is turned by mistake does not fit, or shows."""
    return tuple(rng.sample(range(2, 6), 2))


def time_and_lengths(rng: Random, most: int) -> tuple[int, list[int]]:
    """A time and the lengths of three sentences of it, in any order: one is full, the others are shorter."""
    time = rng.randint(3, most)
    lengths = [time, *(rng.randint(1, time - 1) for _ in range(2))]
    return time, rng.sample(lengths, 3)


def case(words: str, terms: int, *arguments: object) -> Case:
    """A case whose sums have up to `terms` terms, products of its numbers and weights below 1."""
    largest = max(float(each.double().nan_to_num().abs().max()) for each in tensors(arguments))
    return Case(arguments, words, scale=largest, terms=terms)


def count(number: int, noun: str) -> str:
    """ "1 word", "2 words"."""
    return f"{number} {noun}{'s' * (number != 1)}"


def sentences(lengths: Iterable[int], time: int) -> str:
    """A padded batch in words."""
    *others, last = map(str, lengths)
    count = f"sentences of {', '.join(others)} and {last}" if others else f"one sentence of {last}"
    return f"{count} token{'s' * (last != '1' or bool(others))}, padded to {time}"
