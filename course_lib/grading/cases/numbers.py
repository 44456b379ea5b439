"""Random tensors, padded batches and their cases: small, float64, and as plain as a criterion needs them."""

from collections.abc import Iterable, Iterator
from functools import partial
from math import prod
from random import Random

import torch
from torch import Tensor

from course_lib.grading.task import Case, Criterion

Numbers = partial(Criterion, visible=2, graded=4)  # of random numbers each case shows what is wrong: a few will do


def tensor(rng: Random, *shape: int, spread: float = 1.0) -> Tensor:
    """Numbers from a normal distribution, float64."""
    return torch.tensor([rng.gauss(0, spread) for _ in range(prod(shape))], dtype=torch.float64).reshape(shape)


def sizes(rng: Random) -> tuple[int, int]:
    """Two different sizes, of the input and of the hidden state: what is turned by mistake does not fit, or shows."""
    return tuple(rng.sample(range(2, 6), 2))


def padded(rng: Random, most: int) -> tuple[int, list[int]]:
    """A time and the lengths of three sentences of it: the first is full, the others are shorter."""
    time = rng.randint(3, most)
    return time, [time, *(rng.randint(1, time - 1) for _ in range(2))]


def tensors(value: object) -> Iterator[Tensor]:
    """Every tensor within nested lists, tuples and dicts."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (dict, list, tuple)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from tensors(part)


def case(words: str, terms: int, *arguments: object) -> Case:
    """A case whose sums have up to `terms` products of two of its numbers."""
    largest = max(float(each.abs().max()) for each in tensors(arguments))
    return Case(arguments, words, scale=largest**2, terms=terms)


def sentences(lengths: Iterable[int], time: int) -> str:
    """A padded batch in words."""
    *others, last = map(str, lengths)
    count = f"sentences of {', '.join(others)} and {last}" if others else f"one sentence of {last}"
    return f"{count} token{'s' * (last != '1' or bool(others))}, padded to {time}"
