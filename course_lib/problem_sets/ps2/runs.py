"""Layers that have faults, and what they give for padded sentences."""

import operator

import numpy as np
import torch
from torch import Tensor

from course_lib.problem_sets.ps2.run_layer import last
from course_lib.problem_sets.ps2.units import Weights

Run = dict[str, Tensor]  # x (batch, time, input), lengths (batch), outputs (batch, time, hidden), final (batch, hidden)
PLACES = {  # of the outputs at padding that are not 0, of a sentence with n of so many tokens; else all
    "first": lambda n, time: [n],
    "last": lambda n, time: [time - 1],
    "faint": lambda n, time: [time - 1],
    "opposite": lambda n, time: [n, n + 1],
}
ROWS = {"shortest": operator.eq, "longer": operator.gt}  # how long the sentences are that show a fault, to the least


CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right
LARGE = {"padding": 10, "final": 10, "leak": 3}  # by how many times as much, if not "faint": a mean shows it, too


def faint(change: np.ndarray) -> np.ndarray:
    """The change in the same direction, by little more than CLEAR."""
    return 1.5 * CLEAR * change / max(abs(change).max(), 1e-9)


def showing(partly: str, lengths: list[int]) -> list[bool]:
    """Which sentences show a fault of padding or of final states: all but where ROWS has `partly`."""
    return [partly not in ROWS or ROWS[partly](n, min(lengths)) for n in lengths]


def run(x: Tensor, lengths: list[int], weights: Weights, faults: tuple[str, ...] = (), partly: str = "") -> Run:
    """What a layer with these faults gives, token by token; in numpy, which is faster on numbers so few.

    `partly`: a leak comes in before the second token only, and only the "first" output at padding is not 0, or the
    "last", or two that add to 0, "opposite"; a final state comes one token "early"; the "shortest" sentence alone shows
    what is wrong with padding or final states, or the "longer" ones. A "faint" fault changes numbers by little more
    than CLEAR: from the second token on, at the last padding, or in the final states.
    """
    W_xh, W_hh, b_h = (weights[name].numpy() for name in ("W_xh", "W_hh", "b_h"))
    zero = np.zeros(len(W_hh))
    h, outputs, finals = zero, [], []
    for row, n, shows in zip(x.numpy(), lengths, showing(partly, lengths), strict=True):
        before, states = h if "leak" in faults else zero, []  # without memory it reaches every token by itself
        h = zero if partly else before
        for t, token in enumerate(row):
            h = h + before if partly not in ("", "faint") and t == 1 else h
            carried = (zero if partly and t == 0 else before) if "memory" in faults else h
            u = token @ W_xh + carried @ W_hh + b_h
            h = u / (1 + abs(u)) + (faint(before) if partly == "faint" and t == 1 else zero)
            states.append(h)
        h = states[n - 1]
        if partly == "opposite" and n < len(row):
            states[n + 1] = -states[n]
        padded = PLACES.get(partly, range)(n, len(row)) if "padding" in faults and shows else ()
        other = [zero, *states][n - 1] if partly == "early" else states[-1]
        if partly == "faint":
            states[n:], other = map(faint, states[n:]), h + faint(other - h)
        outputs.append([state if t < n or t in padded else zero for t, state in enumerate(states)])
        finals.append(other if "final" in faults and shows else h)
    given = {"outputs": torch.tensor(np.array(outputs)), "final": torch.tensor(np.array(finals))}
    return {"x": x, "lengths": torch.tensor(lengths)} | given


def turned(runs: list[Run], sign: int, t: int) -> list[Run]:
    """The runs of the layer whose units are so signed that a leak shows at token t in the direction of `sign`.

    The softsign is odd: a unit with all its weights negated gives the negative of what it gave.
    """
    alone, _, batch = runs
    flip = torch.where((alone["outputs"][0, t] - batch["outputs"][1, t]) * sign < 0, -1.0, 1.0)
    return [each | {name: each[name] * flip for name in ("outputs", "final")} for each in runs]


def clear(alone: Run, changed: Run, batch: Run, faults: tuple[str, ...], sign: int, partly: str) -> bool:
    """Whether each of the faults shows wherever it is looked for, and a memory that is right shows everywhere.

    By more than CLEAR, or as LARGE says; a leak in the direction of `sign`, if any, for who forgets that a difference
    can be negative. A final state "early", without memory, is that after the changed token.
    """
    n, lengths, time = alone["outputs"].shape[1], batch["lengths"], batch["outputs"].shape[1]
    rows = torch.tensor(showing(partly, lengths.tolist()))
    padding = (torch.arange(time) >= lengths[:, None]) & rows[:, None]
    first, end = torch.arange(time) == lengths[:, None], torch.arange(time) == time - 1
    places = {"first": first, "last": end, "faint": end}
    late = (lengths < time) & rows | (partly == "early")
    shown = padding & places.get(partly, padding)
    leaks = (alone["outputs"][0] - batch["outputs"][1, :n])[bool(partly) :]
    effects = {
        "leak": lambda: leaks.flatten() * sign if sign else leaks.abs().max(1).values,
        "memory": lambda: (alone["outputs"] - changed["outputs"])[0, 1:].abs().max(1).values,
        "final": lambda: (last(batch["outputs"], lengths) - batch["final"])[late].abs().max(1).values,
        "padding": lambda: batch["outputs"][shown].abs().max(1).values,
        "early": lambda: (alone["final"] - changed["final"]).abs().max(1).values,
    }
    shows = {*faults} ^ {"memory"} | ({partly} if "memory" in faults else set())
    least = {} if partly == "faint" else LARGE
    return all(bool((effects[each]() > least.get(each, 1) * CLEAR).all()) for each in effects if each in shows)
