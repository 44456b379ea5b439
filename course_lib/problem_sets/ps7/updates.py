"""Weights, gradients and the state of Adam, drawn: what ps7.adam_step is asked with."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps7 import wrong_adam_step as wrong

NAMES = ("W_q", "W_k", "W_v", "b", "E")
BETAS = ((0.9, 0.98), (0.8, 0.95), (0.7, 0.9))
SMALL = 1e-9


def gradient(rng: Random, θ: Tensor) -> Tensor:
    """Numbers between 0.2 and 2, of either sign."""
    numbers = [rng.choice((-1, 1)) * rng.uniform(0.2, 2) for _ in range(θ.numel())]
    return torch.tensor(numbers).reshape(θ.shape)


def history(rng: Random, θ: Tensor, t: int, betas: tuple[float, float]) -> dict:
    """m and v as t steps leave them."""
    now = wrong.start(θ, θ)
    for _ in range(t):
        _, now = wrong.move(θ, gradient(rng, θ), now, 0.1, betas, SMALL)
    return now


def draw(
    ages: Callable[[Random], list[int]],
    eps: float | None = None,
    absent: int = 0,
    zeros: int = 0,
    length: float = 1.0,
) -> Callable:
    """A step of a weight for each of the ages, the steps that it has had; the last `absent` ones have no gradient.

    `zeros`: so many of the first weights have a gradient of 0, and so has a number of the next one. `length`: times the
    gradients of this step.
    """

    def drawn(rng: Random, size: int) -> Case:
        steps, betas = ages(rng), BETAS[size % len(BETAS)]
        names = rng.sample(NAMES, len(steps))
        shapes = [rng.choice(((3,), (2, 3), (2, 2))) for _ in steps]
        weights = {name: tensor(rng, *shape) for name, shape in zip(names, shapes, strict=True)}
        state = {name: history(rng, weights[name], t, betas) for name, t in zip(names, steps, strict=True) if t}
        given = names[: len(names) - absent]
        gradients = {name: length * gradient(rng, weights[name]) for name in rng.sample(given, len(given))}
        if zeros:
            for name in names[:zeros]:
                gradients[name].zero_()
            gradients[names[zeros]].view(-1)[rng.randrange(3)] = 0
        constant = SMALL if eps is None else round(rng.uniform(0.5, 1) * eps, 2)
        rate = round(rng.uniform(0.3, 1), 2)
        words = f"steps that the weights have had: {', '.join(map(str, steps))}; with a gradient: {len(given)}"
        words += f" ({zeros} of them 0)" * bool(zeros)
        return Case((weights, gradients, state, rate, betas, constant), words, scale=4.0, terms=10)

    return drawn


LARGE = 1000 / 3  # times numbers that are float32: what comes of it in float64 is no float32


def draw_precise(rng: Random, size: int) -> Case:
    """A later and a first step with numbers of some hundreds, every other time with all digits of a float64.

    No new weight is near 0, where an old one and its move nearly cancel: honest numerics differ most there. `terms`:
    less precise than a float64 is all that is off by less than a thousandth.
    """

    def drawn() -> tuple[Case]:
        made = draw(of_one_older_and_one_new)(rng, size)
        weights, gradients, state, rate, *rest = converted(made.arguments, torch.float64)
        weights, gradients = ({name: LARGE * each for name, each in given.items()} for given in (weights, gradients))
        state = {name: {"t": now["t"], "m": LARGE * now["m"], "v": LARGE**2 * now["v"]} for name, now in state.items()}
        return (replace(made, arguments=(weights, gradients, state, LARGE * rate, *rest), scale=3.0, terms=300),)

    def decidable(made: Case) -> bool:
        moved, _ = wrong.defined(*made.arguments)
        return min(float(each.abs().min()) for each in moved.values()) > 10

    (made,) = until(drawn, decidable)
    return replace(made, arguments=converted(made.arguments, torch.float32 if size % 2 else torch.float64))


def new(rng: Random) -> list[int]:
    return [0] * rng.randint(1, 2)


def older(rng: Random) -> list[int]:
    return [rng.randint(2, 6)] * rng.randint(1, 2)


def much_older(rng: Random) -> list[int]:
    """Late, but m and v are still to be corrected."""
    return [rng.randint(10, 14)] * rng.randint(1, 2)


def of_one_older_and_one_new(rng: Random) -> list[int]:
    return [rng.randint(2, 6), 0]


def of_all_kinds(rng: Random) -> list[int]:
    """One older and one new, and both without a gradient."""
    return [*of_one_older_and_one_new(rng), rng.randint(1, 3), 0]


def of_several_ages(rng: Random) -> list[int]:
    """The first is old, the second new; of the last two, which have no gradient, one has had a few, one none."""
    return [rng.randint(4, 6), 0, rng.randint(1, 3), rng.randint(1, 3), 0]


def of_two_ages(rng: Random) -> list[int]:
    """One that had more steps than the other, which may be its first."""
    return [rng.randint(4, 6), rng.randint(0, 3)]
