"""Trainings that have faults: what their decoder gives for sentences, and the loss that they report."""

import math
from collections.abc import Callable
from itertools import combinations
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.cases.numbers import rounded
from course_lib.problem_sets.ps3 import decoder_step, encode
from course_lib.problem_sets.ps3.models import Model

Run = dict[str, Any]  # source [ids], target [ids], log_p (place, vocabulary)
Report = dict[str, Any]  # target (batch, time), lengths (batch), log_p (batch, time, vocabulary), loss
CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right
BARELY = 1.05 * CLEAR
VOCABULARY = 6
Faults = tuple[str, ...]


def run(x: list[int], y: list[int], weights: Model, bos: int, faults: Faults) -> Run:
    """What a decoder with these faults gives under teacher forcing."""
    _, c = encode.defined(torch.tensor([x]), torch.tensor([len(x)]), weights["encoder"], False)
    c = torch.zeros_like(c) if "source" in faults else c
    s, previous, rows = c, bos, []
    for word in y:
        read = torch.tensor([word if "shift" in faults else previous])
        s, z = decoder_step.defined(read, c if "memory" in faults else s, c, weights["decoder"])
        rows.append(z.log_softmax(1))
        previous = int(z.argmax()) if "own words" in faults else word
    return {"source": x, "target": y, "log_p": torch.cat(rows)}


def losses_of(report: Report) -> Tensor:
    """−log p of the word at each place."""
    return -report["log_p"].gather(2, report["target"][..., None]).squeeze(2)


def loss_of(report: Report) -> float:
    """The loss of a word, over all real words."""
    real = torch.arange(report["target"].shape[1]) < report["lengths"][:, None]
    return losses_of(report)[real].mean().item()


def mean_of_places(report: Report) -> float:
    """The mean over all places, padding included."""
    return losses_of(report).mean().item()


def sum_over_places(report: Report) -> float:
    """The real words' losses, divided by the number of all places."""
    return loss_of(report) * report["lengths"].sum().item() / report["target"].numel()


def mean_of_means(report: Report) -> float:
    """The mean of the sentences' mean losses."""
    rows = zip(losses_of(report), report["lengths"].tolist(), strict=True)
    return sum(row[:n].mean().item() for row, n in rows) / len(report["lengths"])


def first_loss(report: Report) -> float:
    """The loss of the first sentence."""
    return loss_of({name: value if name == "loss" else value[:1] for name, value in report.items()})


LOSSES = mean_of_places, sum_over_places, mean_of_means, first_loss  # wrong ones; every second one is too small


def reported(sources: list, targets: list, pad: int, decode: Callable, loss: Callable[[Report], float]) -> Report:
    """A batch, what `decode` gives for it, and the loss that is said to be its."""
    longest = max(map(len, targets))
    rows = [y + [pad] * (longest - len(y)) for y in targets]
    log_p = torch.stack([decode(x, y)["log_p"] for x, y in zip(sources, rows, strict=True)])
    report = {"target": torch.tensor(rows), "lengths": torch.tensor([*map(len, targets)]), "log_p": log_p}
    return report | {"loss": loss(report)}


def still(run: Run, base: Run) -> Run:
    """The run with two numbers of `base` in each row: that of the word in the target, and that of word 0.

    The others share what is left of the probability, and no number differs by more than BARELY. So who looks at one
    number of a row, or at the mean of all, finds no difference.
    """
    same, log_p = base["log_p"], run["log_p"]
    kept = torch.zeros_like(same, dtype=torch.bool).scatter_(1, torch.tensor(base["target"])[:, None], True)
    kept[:, 0] = True
    left = same.exp().masked_fill(kept, 0).sum(1, keepdim=True).log()
    moved = torch.where(kept, same, log_p.masked_fill(kept, -torch.inf).log_softmax(1) + left)
    more = (moved - same).expm1()  # a number of `moved` is so much more probable, in proportion
    part = (torch.where(more > 0, math.expm1(BARELY), -math.expm1(-BARELY)) / more.abs()).amin(1, keepdim=True)
    moved = same + (part.clamp(max=1) * more).log1p()
    return run | {"log_p": torch.where((log_p == same).all(1, keepdim=True), same, moved)}


def exchanged(run: Run, base: Run) -> Run:
    """The run with the numbers of `base` in each row that differs, those that `still` would move exchanged.

    So who adds up the differences of a row, or looks at its largest number, finds none.
    """
    same, rows = base["log_p"].clone(), (run["log_p"] != base["log_p"]).any(1).nonzero()[:, 0].tolist()
    for i in rows:
        others = [word for word in range(1, VOCABULARY) if word != base["target"][i]]
        same[i, others] = same[i, others].roll(1)
    return run | {"log_p": same}


def other_bits(rng: Random, *runs: Run, report: Report) -> tuple:
    """The same runs and the same loss, summed in another order."""
    changed = [run | {"log_p": rounded(rng, run["log_p"])} for run in runs]
    return *changed, report | {"loss": report["loss"] * (1 + 2**-49)}


def sentences(rng: Random, words: list[int], k: int, after: int) -> tuple[list[int], list[int]]:
    """A target and the same with another word at place k; that word, or what stood there, stands in front of it, too.

    So who looks for a word finds another place.
    """
    y = [*rng.choices(words, k=k + after)]
    if k == 1:
        y[0] = y[1]
    other = y[0] if k > 1 else rng.choice([word for word in words if word != y[k]])
    if k > 1:
        y[k] = rng.choice([word for word in words if word != other])
    return y, [*y[:k], other, *y[k + 1 :]]


def place(base: Run, changed: Run) -> int:
    """Where another word stands."""
    pairs = zip(base["target"], changed["target"], strict=True)
    return next(i for i, (y, z) in enumerate(pairs) if y != z)


def clear(base: Run, changed: Run, other: Run, report: Report, faults: Faults, sign: int) -> bool:
    """Whether all that the faults change, and all that they leave as it should be, shows by more than CLEAR.

    A loss that is wrong differs in the direction of `sign`, for who forgets that a difference can be negative.
    """
    k, time = place(base, changed), len(base["target"])
    first = k if "shift" in faults else k + 1
    touched = [] if "own words" in faults else [first] if "memory" in faults else range(first, time)
    apart = [(base["log_p"] - each["log_p"]).abs().amax(1) for each in (changed, other)]
    right, padded = loss_of(report), bool((report["lengths"] != report["target"].shape[1]).any())
    losses = [right, *(loss(report) for loss in LOSSES)]
    return (
        base["source"] != other["source"]
        and all(apart[0][i] > CLEAR for i in touched)
        and ("source" in faults or bool((apart[1] > CLEAR).all()))
        and ("loss" not in faults or sign * (report["loss"] - right) > CLEAR)
        and (not padded or all(abs(one - each) > CLEAR for one, each in combinations(losses, 2)))
    )
