"""Cases of the diagnosis: runs of a layer with faults, so drawn that each fault shows clearly."""

from collections.abc import Callable
from random import Random

import numpy as np
import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted, sentences, tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps2.run_layer import last
from course_lib.problem_sets.ps2.units import Weights, weights
from course_lib.problem_sets.ps2.wrong_diagnose import Run


def run(x: Tensor, lengths: list[int], weights: Weights, faults: tuple[str, ...] = (), partly: bool = False) -> Run:
    """What a layer with these faults gives, token by token; in numpy, which is faster on numbers so few.

    `partly`: a leak comes in before the second token only, and only the first output at padding is not 0.
    """
    W_xh, W_hh, b_h = (weights[name].numpy() for name in ("W_xh", "W_hh", "b_h"))
    zero = np.zeros(len(W_hh))
    h, outputs, finals = zero, [], []
    for row, n in zip(x.numpy(), lengths, strict=True):
        before, states = h if "leak" in faults else zero, []
        h = zero if partly else before
        for t, token in enumerate(row):
            h = h + before if partly and t == 1 else h
            u = token @ W_xh + (zero if "memory" in faults else h) @ W_hh + b_h
            h = u / (1 + abs(u))
            states.append(h)
        h = states[n - 1]
        kept = (n + 1 if partly else len(row)) if "padding" in faults else n
        outputs.append(states[:kept] + [zero] * (len(row) - kept))
        finals.append(states[-1] if "final" in faults else h)
    given = {"outputs": torch.tensor(np.array(outputs)), "final": torch.tensor(np.array(finals))}
    return {"x": x, "lengths": torch.tensor(lengths)} | given


def rounded(rng: Random, given: Run) -> Run:
    """The same run, summed in another order: the last bits of its outputs differ."""
    outputs = given["outputs"]
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(outputs.numel())], dtype=outputs.dtype)
    return given | {"outputs": outputs * factors.view_as(outputs)}


def turned(runs: list[Run], sign: int, t: int) -> list[Run]:
    """The runs of the layer whose units are so signed that a leak shows at token t in the direction of `sign`.

    The softsign is odd: a unit with all its weights negated gives the negative of what it gave.
    """
    alone, _, batch = runs
    flip = torch.where((alone["outputs"][0, t] - batch["outputs"][1, t]) * sign < 0, -1.0, 1.0)
    return [each | {name: each[name] * flip for name in ("outputs", "final")} for each in runs]


CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right


def clear(alone: Run, changed: Run, batch: Run, faults: tuple[str, ...], sign: int, partly: bool) -> bool:
    """Whether each of the faults shows wherever it is looked for, and a memory that is right shows everywhere.

    By more than CLEAR; a leak in the direction of `sign`, for who forgets that a difference can be negative.
    """
    n, lengths, time = alone["outputs"].shape[1], batch["lengths"], batch["outputs"].shape[1]
    padding = torch.arange(time) >= lengths[:, None]
    shown = padding & (torch.arange(time) == lengths[:, None]) if partly else padding
    effects = {
        "leak": lambda: (alone["outputs"][0] - batch["outputs"][1, :n])[int(partly) :].flatten() * sign,
        "memory": lambda: (alone["outputs"] - changed["outputs"])[0, 1:].abs().max(1).values,
        "final": lambda: (last(batch["outputs"], lengths) - batch["final"])[lengths < time].abs().max(1).values,
        "padding": lambda: batch["outputs"][shown].abs().max(1).values,
    }
    shows = {*faults} ^ {"memory"}
    return all(bool((effect() > CLEAR).all()) for each, effect in effects.items() if each in shows)


def draw(
    faults: Callable[[int], tuple[str, ...]],
    pads: bool,
    rounds: bool = False,
    partly: Callable[[int], bool] = lambda size: False,
    apart: Callable[[int], bool] = lambda size: False,
) -> Callable[[Random, int], Case]:
    """Three runs of a layer with the faults of that size; with padding in the batch, and rounding, if wanted.

    One sentence of the batch, each in turn, or two of them are shorter than the longest. The faults of some sizes show
    `partly`; the layers of some have a unit `apart`, to which no state is carried by its weights.
    """

    def runs_of(rng: Random, size: int) -> tuple[Run, Run, Run, tuple[str, ...], int, bool]:
        n, hidden, present = rng.randint(2, 4), rng.randint(1 + apart(size), 3), faults(size)
        lengths = [n, n, n]
        if pads:
            time = n + (2 if partly(size) else rng.randint(1, 2))
            lengths = SHORT[size % len(SHORT)](time, n, rng.randint(1, n))
        x, given = converted([tensor(rng, 3, max(lengths), 3), weights(rng, 3, hidden)], torch.float64)
        if apart(size):
            given["W_hh"][:, 0] = 0
        alone = x[1:2, : lengths[1]]
        other = torch.cat([converted(tensor(rng, 1, 1, 3), torch.float64), alone[:, 1:]], 1)
        read = (alone, lengths[1:2]), (other, lengths[1:2]), (x, lengths)
        runs = [run(*each, given, present, partly(size)) for each in read]
        sign = (-1) ** (size // 2)
        runs = turned(runs, sign, int(partly(size))) if "leak" in present else runs
        runs[2] = rounded(rng, runs[2]) if rounds else runs[2]
        return *runs, present, sign, partly(size)

    def drawn(rng: Random, size: int) -> Case:
        *runs, _, _, _ = until(lambda: runs_of(rng, size), clear)
        lengths = runs[2]["lengths"].tolist()
        words = f"a sentence of {lengths[1]} tokens, and in a batch of {sentences(lengths, max(lengths))}"
        return case(words, 1, *runs)

    return drawn


SHORT = (  # the lengths of three sentences, of which the second has at least two tokens: any of them may be padded
    lambda time, n, k: [time, n, k],
    lambda time, n, k: [k, time, time],
    lambda time, n, k: [time, time, k],
    lambda time, n, k: [k, n, time],
    lambda time, n, k: [time, n, time],
)


def one(fault: str, each: int) -> Callable[[int], tuple[str, ...]]:
    """Layers that are right and layers that have the fault, so many of each in turn."""
    return lambda size: (fault,) * (size // each % 2)
