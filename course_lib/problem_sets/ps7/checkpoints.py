"""Checkpoints of a run as they are drawn: their steps, names, shapes and dtypes."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import torch

from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.task import Case


def draw(
    count: int,
    n: int,
    steps: Callable[[Random], list[int]],
    dtype: torch.dtype = torch.float32,
) -> Callable[[Random, int], Case]:
    """So many checkpoints, of which the last n count."""

    def drawn(rng: Random, size: int) -> Case:
        part = 3 if dtype == torch.float64 else 1  # a third of a float32 is none itself
        names = rng.sample(("embedding.E", "layer.0.W_q", "layer.0.W_k", "layer.1.W_q", "norm.g"), 2 + size % 2)
        shapes = {name: rng.choice(((3,), (2, 2), (2, 3))) for name in names}
        at = steps(rng)[:count]
        made = {f"step_{s}": {name: tensor(rng, *shape).to(dtype) / part for name, shape in shapes.items()} for s in at}
        return Case(
            (made, n), f"checkpoints of the steps {', '.join(map(str, at))}, the last {n}", scale=4.0, terms=count
        )

    return drawn


def draw_doubles(rng: Random, size: int) -> Case:
    """Three in float64, with numbers so short that their mean in float32 is right: how precise it is asks "dtype"."""
    made = draw(3, 3, in_order)(rng, size)
    checkpoints, n = converted(made.arguments, torch.float64)
    short = {
        step: {name: 3 * (each * 64).round() / 64 for name, each in at.items()} for step, at in checkpoints.items()
    }
    return replace(made, arguments=(short, n), words=f"{made.words}, in float64", scale=12.0)


def draw_whole(rng: Random, size: int) -> Case:
    """Three with tensors that are no floats, and one of a single number; the newest is neither given last nor last as
    text."""
    new, old = rng.choice((1000, 1100, 1200)), sorted(rng.sample((600, 700, 800, 900), 2), reverse=bool(size % 2))
    made = draw(3, 3, lambda rng: [old[0], new, old[1]])(rng, size)
    for step in (new, *old):
        made.arguments[0][f"step_{step}"] |= {
            "steps": torch.tensor(step),
            "seen": torch.tensor([rng.randint(0, 9) for _ in range(3)], dtype=torch.int32),
            "mask": torch.tensor([step == new, step != new]),
            "temperature": tensor(rng),
        }
    return made


def in_order(rng: Random) -> list[int]:
    """Steps of equally many digits, the oldest first."""
    first = rng.randint(1, 5) * 100
    return [first + 50 * k for k in range(6)]


def shuffled(rng: Random) -> list[int]:
    """Steps of different numbers of digits, in any order: neither the newest nor the two newest stand last.

    The newest lie far apart: which they are no distance tells.
    """
    steps = rng.sample((800, 900, 1000, rng.choice((1300, 1400)), rng.choice((1700, 1800))), 5)
    return steps if steps[-1] < 1100 else shuffled(rng)


def draw_large(rng: Random, size: int) -> Case:
    """Numbers whose sum is too large for float16."""
    made = {
        f"step_{100 * (k + 1)}": {"W_q": torch.tensor([rng.uniform(2.5, 6) * 1e4 for _ in range(3)]).half()}
        for k in range(3)
    }
    return Case((made, 3), "three checkpoints in float16 with numbers of some ten thousands")


def draw_dtypes(rng: Random, size: int) -> Case:
    dtype = (torch.float64, torch.float16, torch.float32)[size % 3]
    return replace(draw(3, 2, in_order, dtype)(rng, size), scale=1.0)
