"""Cases of ps3.diagnose: what trainings with faults give for sentences that are chosen to tell of them."""

from collections.abc import Callable
from itertools import combinations
from random import Random

import torch

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted
from course_lib.grading.task import Case
from course_lib.problem_sets.ps3 import decoder_step, encode
from course_lib.problem_sets.ps3 import wrong_diagnose as wrong
from course_lib.problem_sets.ps3.models import Model, model_weights
from course_lib.problem_sets.ps3.wrong_diagnose import Report, Run

FAULTS = tuple(wrong.TESTS)
CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right
VOCABULARY = 6


def run(x: list[int], y: list[int], weights: Model, bos: int, faults: tuple[str, ...]) -> Run:
    """What a decoder with these faults gives under teacher forcing."""
    words = torch.tensor([x])
    _, c = encode.defined(words, torch.tensor([len(x)]), weights["encoder"], False)
    c = torch.zeros_like(c) if "source" in faults else c
    s, previous, rows = c, bos, []
    for word in y:
        read = torch.tensor([word if "shift" in faults else previous])
        s, z = decoder_step.defined(read, c if "memory" in faults else s, c, weights["decoder"])
        rows.append(z.log_softmax(1))
        previous = int(z.argmax()) if "own words" in faults else word
    return {"source": x, "target": y, "log_p": torch.cat(rows)}


def reported(
    sources: list, targets: list, pad: int, weights: Model, bos: int, faults: tuple[str, ...], other: Callable
) -> Report:
    """A batch and the loss that is said to be its: a wrong one is what `other` gives."""
    longest = max(map(len, targets))
    rows = [y + [pad] * (longest - len(y)) for y in targets]
    log_p = torch.stack([run(x, y, weights, bos, faults)["log_p"] for x, y in zip(sources, rows, strict=True)])
    report = {"target": torch.tensor(rows), "lengths": torch.tensor([*map(len, targets)]), "log_p": log_p}
    return report | {"loss": other(report) if "loss" in faults else wrong.loss_of(report)}


def still(run: Run, base: Run) -> Run:
    """The run with two numbers of `base` in each row: that of the word in the target, and that of word 0.

    The others share what is left of the probability. So who looks at one number of a row finds no difference.
    """
    same, log_p = base["log_p"], run["log_p"]
    kept = torch.zeros_like(same, dtype=torch.bool).scatter_(1, torch.tensor(base["target"])[:, None], True)
    kept[:, 0] = True
    left = same.exp().masked_fill(kept, 0).sum(1, keepdim=True).log()
    moved = torch.where(kept, same, log_p.masked_fill(kept, -torch.inf).log_softmax(1) + left)
    return run | {"log_p": torch.where((log_p == same).all(1, keepdim=True), same, moved)}


def rounded(rng: Random, runs: list[Run], report: Report) -> tuple:
    """The same runs and the same loss, summed in another order: the last bits of the numbers differ."""

    def other_bits(log_p: torch.Tensor) -> torch.Tensor:
        factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(log_p.numel())], dtype=log_p.dtype)
        return log_p * factors.view_as(log_p)

    return *(run | {"log_p": other_bits(run["log_p"])} for run in runs), report | {
        "loss": report["loss"] * (1 + 2**-49)
    }


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


def clear(base: Run, changed: Run, other: Run, report: Report, faults: tuple[str, ...], sign: int) -> bool:
    """Whether all that the faults change, and all that they leave as it should be, shows by more than CLEAR.

    A loss that is wrong differs in the direction of `sign`, for who forgets that a difference can be negative.
    """
    k, time = wrong.place(base, changed), len(base["target"])
    first = k if "shift" in faults else k + 1
    touched = [] if "own words" in faults else [first] if "memory" in faults else range(first, time)
    apart = [(base["log_p"] - each["log_p"]).abs().amax(1) for each in (changed, other)]
    right, padded = wrong.loss_of(report), bool((report["lengths"] != report["target"].shape[1]).any())
    losses = [right, *(loss(report) for loss in wrong.LOSSES)]
    return (
        base["source"] != other["source"]
        and all(apart[0][i] > CLEAR for i in touched)
        and ("source" in faults or bool((apart[1] > CLEAR).all()))
        and ("loss" not in faults or sign * (report["loss"] - right) > CLEAR)
        and (not padded or all(abs(one - each) > CLEAR for one, each in combinations(losses, 2)))
    )


def draw(
    faults: Callable[[int], tuple[str, ...]], pads: bool = False, noisy: Callable[[int], bool] = lambda size: False
) -> Callable[[Random, int], Case]:
    """What a training with the faults of that size gives: with padding in the batch, with rounding, if wanted."""

    def given(rng: Random, size: int) -> tuple:
        present, k = faults(size), size // 2 % 3
        bos, eos, *words = rng.sample(range(VOCABULARY), VOCABULARY)
        weights = converted(model_weights(rng, VOCABULARY), torch.float64)
        y, z = ([*each, eos] for each in sentences(rng, words, k, after=rng.randint(2, 3)))
        x, w = ([*rng.choices(words, k=n), eos] for n in (rng.sample(range(1, 5), 2) if k != 1 else [3, 3]))
        lengths = rng.sample(range(1, 5), 3) if pads else [rng.randint(1, 4)]
        sources, targets = ([[*rng.choices(words, k=n), eos] for n in lengths] for _ in range(2))
        base, *others = (run(*each, weights, bos, present) for each in ((x, y), (x, z), (w, y)))
        runs = [base, *(still(each, base) for each in others)]
        other = wrong.LOSSES[size // 2 % len(wrong.LOSSES)]
        seen = *runs, reported(sources, targets, eos, weights, bos, present, other)
        shown = rounded(rng, runs, seen[-1]) if noisy(size) else seen
        return *shown, present, (-1) ** (size // 2)

    def drawn(rng: Random, size: int) -> Case:
        *shown, _, _ = until(lambda: given(rng, size), clear)
        base, _, _, report = shown
        sizes = " and ".join(map(str, report["lengths"].tolist()))
        text = f"{len(base['source'])} → {len(base['target'])} words, the word at {wrong.place(*shown[:2])} changed"
        return case(f"{text}; a batch of {sizes} words", 1, *shown)

    return drawn


def one(fault: str, *others: str) -> Callable[[int], tuple[str, ...]]:
    """Trainings without the fault, right ones or such that have another, and trainings that have it, in turn."""
    without = [(), *((each,) for each in others)]
    return lambda size: (fault,) if size % 2 else without[size // 2 % len(without)]


def now_and_then(size: int) -> bool:
    """Rounding in two of three pairs of cases: who takes it for a difference is right in the third."""
    return size // 2 % 3 != 1


APART = ({"shift", "own words"}, {"own words", "memory"})  # no decoder reads two words; what is not read is not carried
SEVERAL = [
    faults for count in (2, 3) for faults in combinations(FAULTS, count) if not any(pair <= {*faults} for pair in APART)
]
