"""What a training leaves behind, with the faults that are wanted: learning rates, first step, losses."""

from math import log
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.training import schedules

Run = dict[str, Any]
Batches = list[tuple[float, int]]  # the loss of each, and its real words
CLEAR = 0.0105  # what decides lies further from what would decide otherwise: no tolerance up to 0.01 matters
CLOSE = 0.0145  # what decides lies between the two, in some cases
OFF = 0.0205  # relative: a step that is not corrected is further off
FACTORS = (  # times the rate: what step 1 moves by with β_1 = 0.9
    *(0.1 / 0.02**0.5, 0.1 / 0.001**0.5),  # neither corrected, for two β_2
    *(0.1 / 0.00959**0.5, 0.1 / 0.01043**0.5),  # the same, little more than 2 % off
    *(0.1, 1 / 0.02**0.5),  # m alone not corrected; v alone, for β_2 = 0.98
)
PEAK, PEAKS, TINY = 0.002, (0.001, 0.03), 5e-10
EVALUATIONS = 6


# What a run tells


def floor(epsilon: float, n: int) -> float:
    """The entropy of q, which is the least that −Σ q log p can be: at p = q."""
    return -sum(share * log(share) for share in (1 - epsilon, *[epsilon / (n - 1)] * (n - 1)) if share)


def moved(run: Run) -> Tensor:
    """By how much each number of the weights changed in step 1."""
    return torch.cat([each.flatten() for each in run["moved"].values()]).abs()


def farthest(run: Run) -> float:
    """The largest of these changes."""
    return float(moved(run).max())


def moved_times(run: Run, factor: float) -> bool:
    """Whether what moved did so by this many times the rate."""
    return abs(farthest(run) / run["rates"][0] - factor) < 1e-3 * factor


def of_all_words(batches: Batches) -> float:
    return sum(loss * words for loss, words in batches) / sum(words for _, words in batches)


def best(run: Run) -> int:
    """The evaluation with the lowest held-out loss."""
    return min(range(len(run["held_out"])), key=run["held_out"].__getitem__)


def clear(run: Run) -> bool:
    """Whether no number decides by less than CLEAR what is wrong."""
    losses, held_out, k = run["losses"], run["held_out"], best(run)
    first, least = farthest(run) / run["rates"][0], floor(run["epsilon"], run["vocabulary"])
    said = abs(losses[-1] - of_all_words(run["batches"]))
    near_best = sorted(held_out)[1] - held_out[k]
    return (
        min(map(min, (losses, held_out))) > 0
        and min(loss for loss, _ in run["batches"]) > 0
        and (abs(first - 1) < 1e-6 or abs(first - 1) > OFF)
        and all(abs(each - least) > CLEAR for each in losses)
        and (said < 1e-9 or CLEAR < said < CLOSE or said > 0.15)
        and all(abs(each - 0.1) > CLEAR for each in (held_out[-1] - held_out[k], losses[k] - losses[-1]))
        and near_best > CLEAR
    )


# Runs as they are drawn


def run_with(rng: Random, faults: set[str], wild: str) -> Run:
    """A run with these faults, or nearly so; all is plain but what bears on the fault that `wild` names."""
    epsilon, n = rng.choice((0.1, 0.2, 0.3)), rng.choice((5, 6, 8))
    least = floor(epsilon, n)
    if wild == "smoothing":
        above = rng.uniform(CLEAR, rng.choice((CLOSE, 0.06)))
    else:
        above = rng.uniform(0.15, 1.5 if wild == "overfitting" else 0.5)
    under = rng.uniform(*rng.choice(((CLEAR, CLOSE), (0.06, least - 0.03)))) if "smoothing" in faults else -above
    losses, held_out = curves(rng, least - under, faults, wild)
    rates = rates_of(rng, "warm-up" in faults, wild == "warm-up")
    if wild in ("warm-up", "correction") and rng.random() < 0.3:
        rates = [each * TINY / PEAK for each in rates]
    batches = batches_of(rng, losses[-1], "words" in faults, wild == "words")
    if "words" not in faults:
        losses[-1] = of_all_words(batches)  # to the last bit
    if wild == "words" and rng.random() < 0.6:
        losses[-1] *= 1 + rng.choice((-1, 1)) * 2**-50  # as if summed in another order
    return {
        "rates": rates,
        "moved": moved_by(rng, rates[0], "correction" in faults, wild == "correction"),
        "epsilon": epsilon,
        "vocabulary": n,
        "losses": losses,
        "held_out": held_out,
        "batches": batches,
    }


def rates_of(rng: Random, falling: bool, wild: bool) -> list[float]:
    """The learning rates of the first steps."""
    if falling:
        shapes = [
            [step**-0.5 for step in range(1, 9)],
            [1.0] * 8,
            [1.0, 0.6, 0.8, 0.7, 0.5],
        ]
        shape = rng.choice(shapes) if wild else shapes[0]
    elif wild:
        there_and_back = [schedules.inverse_square_root(2)(step) for step in range(1, 13)]
        shape = rng.choice(
            (there_and_back, [0.45, 0.4, 1.0, 0.4], [*[0.5] * 5, 1.0], [0.6, 0.8, 1.0, 0.9], [0.95, 1.0, 1.0, 0.7])
        )
    else:
        shape = [schedules.inverse_square_root(3)(step) for step in range(1, 9)]
    peak = rng.choice(PEAKS) if wild else PEAK
    return [peak * each for each in shape]


def moved_by(rng: Random, rate: float, uncorrected: bool, wild: bool) -> dict[str, Tensor]:
    """By how much each weight changed in step 1.

    If wild, some had a gradient of 0, perhaps all of a tensor or of all but one; or the others were moved by the rate
    but for ϵ; or both. Perhaps all that moved went down, or all went up.
    """
    zeros, rounded = rng.choice(((True, True), (True, False), (False, True))) if wild else (False, False)
    factor = rng.choice(FACTORS) if uncorrected else 1.0
    shapes = {"E": (3, 2), "W_q": (2, 2), "W_k": (2, 2)}
    names = [*shapes]
    still = rng.choice(([], names[:1], names[-1:], names[1:], names[:-1])) if zeros else []
    ways = rng.choice(((-1.0,), (1.0,), (-1.0, 1.0))) if wild else (-1.0, 1.0)

    def numbers(name: str, *shape: int) -> Tensor:
        signs = torch.tensor([rng.choice(ways) for _ in range(shape[0] * shape[1])], dtype=torch.float64)
        gradients = torch.tensor([rng.uniform(0.05, 0.9) for _ in signs], dtype=torch.float64)
        if zeros:
            signs[rng.sample(range(len(signs)), 2)] = 0.0
            signs *= name not in still
        if rounded:
            signs *= gradients / (gradients + 1e-9)
        return (rate * factor * signs).reshape(shape)

    return {name: numbers(name, *shape) for name, shape in shapes.items()}


def batches_of(rng: Random, loss: float, wrong: bool, wild: bool) -> Batches:
    """The losses and real words of the last step's batches; `loss` is said to be that of all of them."""
    words = rng.sample(range(5, 40), rng.randint(2, 3))
    if not (wrong or wild):
        return [(loss, n) for n in words]
    losses = [loss + rng.uniform(-0.4, 0.4) for _ in words]
    rest = list(zip(losses, words, strict=True))[1:]
    if not wrong:  # the first batch has what is missing
        losses[0] = (loss * sum(words) - sum(each * n for each, n in rest)) / words[0]
    elif rng.random() < 0.3:  # next to it
        off = rng.choice((-1, 1)) * rng.uniform(CLEAR, CLOSE)
        losses[0] = ((loss + off) * sum(words) - sum(each * n for each, n in rest)) / words[0]
    elif rng.random() < 0.6:  # the mean of the means is said to be it
        losses[0] = loss * len(words) - sum(losses[1:])
    elif rng.random() < 0.5:  # the first one, or the last, is said to be it
        losses[rng.choice((0, -1))] = loss
    return list(zip(losses, words, strict=True))


def curve(rng: Random, lowest: float, k: int, after: float, bend: float = 0.0, falls: bool = True) -> list[float]:
    """Losses that fall to `lowest` at place k, perhaps with rises on the way, and change by `after` to the end.

    Those between k and the end are changed by `bend` more.
    """
    before = [lowest + rng.uniform(0.2, 1.5) for _ in range(k)]
    if falls:
        before.sort(reverse=True)
    rest = EVALUATIONS - 1 - k
    later = [lowest + after * step / rest + bend * (step < rest) for step in range(1, rest + 1)]
    return [*before, lowest, *later]


def curves(rng: Random, low: float, faults: set[str], wild: str) -> tuple[list[float], list[float]]:
    """The training losses, whose smallest is `low`, and the held-out losses."""
    if wild not in ("smoothing", "overfitting") and "overfitting" not in faults:
        losses = curve(rng, low, EVALUATIONS - 1, 0)
        return losses, [each - rng.uniform(0, 0.02) for each in losses]
    k = rng.randint(0, EVALUATIONS - 2)
    if "overfitting" in faults:
        grows, falls = (rng.uniform(0.1 + CLEAR, rng.choice((0.1 + CLOSE, 0.17, most))) for most in (0.6, 0.5))
    else:
        grows, falls = rng.choice((0.05, 0.089, 0.3, -0.2)), rng.choice((0.3, 0.04, 0.089, -0.3, -1.8))
    plain = wild != "overfitting"
    bent = "no" if plain else rng.choice(("no", "training", "held-out"))
    bend = rng.uniform(0.2, 0.5)
    losses = curve(rng, 0, k, -falls, rng.choice((-1, 1)) * bend * (bent == "training"), plain)
    held_out = curve(rng, low, k, grows, bend * (bent == "held-out"), plain)
    lowest, offset = min(losses), rng.uniform(-0.6, 0.9)
    return [each - lowest + low for each in losses], [each + offset for each in held_out]
