"""The tests of ps7.diagnose: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from math import log
from typing import Any

import torch

Run = dict[str, Any]
ROUND = 1e-6


def floor(epsilon: float, n: int) -> float:
    """The entropy of q, which is the least that −Σ q log p can be: at p = q."""
    return -sum(share * log(share) for share in (1 - epsilon, *[epsilon / (n - 1)] * (n - 1)) if share)


def floor_of(run: Run) -> float:
    return floor(run["epsilon"], run["vocabulary"])


def moved(run: Run) -> torch.Tensor:
    """By how much each number of the weights changed in step 1."""
    return torch.cat([each.flatten() for each in run["moved"].values()]).abs()


def of_all_words(batches: list[tuple[float, int]]) -> float:
    return sum(loss * words for loss, words in batches) / sum(words for _, words in batches)


def best(run: Run) -> int:
    """The evaluation with the lowest held-out loss."""
    return min(range(len(run["held_out"])), key=run["held_out"].__getitem__)


def warm_up(run: Run) -> bool:
    """No rate is larger than the first."""
    return max(run["rates"]) <= run["rates"][0]


def correction(run: Run) -> bool:
    """What was moved in step 1 was not moved by the rate."""
    return abs(float(moved(run).max()) / run["rates"][0] - 1) > 1e-3


def smoothing(run: Run) -> bool:
    """A training loss is lower than a smoothed loss can be."""
    return min(run["losses"]) < floor_of(run) - ROUND


def words(run: Run) -> bool:
    """The last training loss is not that of all words of its batches."""
    return abs(run["losses"][-1] - of_all_words(run["batches"])) > ROUND


def overfitting(run: Run) -> bool:
    """Since the best evaluation the held-out loss has grown and the training loss has fallen, each by more than 0.1."""
    k = best(run)
    return run["held_out"][-1] - run["held_out"][k] > 0.1 and run["losses"][k] - run["losses"][-1] > 0.1


TESTS = {
    "warm-up": warm_up,
    "correction": correction,
    "smoothing": smoothing,
    "words": words,
    "overfitting": overfitting,
}
Faults = set[str]


def defined(run: Run, instead: dict[str, Callable[[Run], bool]] = {}) -> Faults:  # noqa: B006 (it is only read)
    return {fault for fault, test in (TESTS | instead).items() if test(run)}


def judging(fault: str, test: Callable[[Run], bool]) -> Callable[[Run], Faults]:
    return partial(defined, instead={fault: test})


first_two_compared = judging("warm-up", lambda run: run["rates"][1] <= run["rates"][0])
last_compared = judging("warm-up", lambda run: run["rates"][-1] <= run["rates"][0])
falling_only = judging("warm-up", lambda run: all(a > b for a, b in pairwise(run["rates"])))

more_than_half = judging("warm-up", lambda run: run["rates"][0] > max(run["rates"]) / 2)
strictly_the_largest = judging("warm-up", lambda run: max(run["rates"][1:]) < run["rates"][0])
nearly_the_largest = judging("warm-up", lambda run: run["rates"][0] >= 0.9 * max(run["rates"]))
fixed_rate = judging("warm-up", lambda run: run["rates"][0] > 0.001)


def moved_by(choose: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Run], Faults]:
    return judging("correction", lambda run: abs(float(choose(moved(run))) / run["rates"][0] - 1) > 1e-3)


def not_by_the_rate(run: Run, of_one: torch.Tensor) -> bool:
    """Whether one of the tensors was not moved by the rate."""
    return abs(float(of_one.abs().max()) / run["rates"][0] - 1) > 1e-3


def moved_times(run: Run, factor: float) -> bool:
    """Whether what moved did so by this many times the rate."""
    return abs(float(moved(run).max()) / run["rates"][0] - factor) < 1e-3 * factor


by_the_largest_rate = judging("correction", lambda run: abs(float(moved(run).max()) / max(run["rates"]) - 1) > 1e-3)
three_factors = judging(
    "correction", lambda run: any(moved_times(run, each) for each in (0.1, 0.1 / 0.02**0.5, 50**0.5))
)
mean_moved = moved_by(torch.mean)
first_moved = moved_by(lambda each: each[0])
first_tensor = judging("correction", lambda run: not_by_the_rate(run, [*run["moved"].values()][0]))
last_tensor = judging("correction", lambda run: not_by_the_rate(run, [*run["moved"].values()][-1]))
coarse_correction = judging("correction", lambda run: abs(float(moved(run).max()) / run["rates"][0] - 1) > 0.025)
absolute_correction = judging("correction", lambda run: abs(float(moved(run).max()) - run["rates"][0]) > 1e-6)


def of_those_that_moved(choose: Callable[[dict[str, torch.Tensor]], list[torch.Tensor]]) -> Callable[[Run], Faults]:
    """Some of the numbers alone, without those that did not move; where none is left, nothing is found."""

    def test(run: Run) -> bool:
        numbers = torch.cat([each.flatten() for each in choose(run["moved"])])
        return bool(((numbers[numbers != 0].abs() / run["rates"][0] - 1).abs() > 1e-3).any())

    return judging("correction", test)


upwards_alone = of_those_that_moved(lambda moved: [each.clamp(min=0) for each in moved.values()])
first_that_moved = of_those_that_moved(lambda moved: [*moved.values()][:1])
first_two_that_moved = of_those_that_moved(lambda moved: [*moved.values()][:2])
last_that_moved = of_those_that_moved(lambda moved: [*moved.values()][-1:])
only_too_far = judging("correction", lambda run: float(moved(run).max()) / run["rates"][0] - 1 > 1e-3)
only_not_far_enough = judging("correction", lambda run: 1 - float(moved(run).max()) / run["rates"][0] > 1e-3)


def below(limit: Callable[[float, int], float], losses: Callable[[Run], Iterable[float]] = lambda run: run["losses"]):
    return judging("smoothing", lambda run: min(losses(run)) < limit(run["epsilon"], run["vocabulary"]) - ROUND)


def entropy_of_torch(epsilon: float, n: int) -> float:
    """The floor where ε is spread over all n words."""
    return floor(epsilon * (n - 1) / n, n)


floor_of_torch = below(entropy_of_torch)
floor_of_the_word = below(lambda epsilon, n: -(1 - epsilon) * log(1 - epsilon))
floor_of_one_probability = below(lambda epsilon, n: -log(1 - epsilon))
floor_not_shared = below(
    lambda epsilon, n: -(1 - epsilon) * log(1 - epsilon) - epsilon * log(epsilon) if epsilon else 0
)
shared_by_all = below(lambda epsilon, n: -(1 - epsilon) * log(1 - epsilon) - epsilon * log(epsilon / n))
floor_in_bits = below(lambda epsilon, n: floor(epsilon, n) / log(2))
coarse_smoothing = below(lambda epsilon, n: floor(epsilon, n) - 0.015)
early_smoothing = below(lambda epsilon, n: floor(epsilon, n) + 0.015)
held_out_too = below(floor, lambda run: [*run["losses"], *run["held_out"]])
held_out_alone = below(floor, lambda run: run["held_out"])
last_loss_alone = below(floor, lambda run: run["losses"][-1:])


def reported(batches: Callable[[list[tuple[float, int]]], float]) -> Callable[[Run], Faults]:
    return judging("words", lambda run: abs(run["losses"][-1] - batches(run["batches"])) > ROUND)


mean_of_means = reported(lambda batches: sum(loss for loss, _ in batches) / len(batches))
last_batch = reported(lambda batches: batches[-1][0])
first_batch = reported(lambda batches: batches[0][0])
coarse_words = judging("words", lambda run: abs(run["losses"][-1] - of_all_words(run["batches"])) > 0.015)
only_too_large = judging("words", lambda run: run["losses"][-1] - of_all_words(run["batches"]) > ROUND)


def compared(rule: Callable[[Run, int], bool]) -> Callable[[Run], Faults]:
    return judging("overfitting", lambda run: rule(run, best(run)))


held_out_alone_grows = compared(lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.1)
above_training = compared(lambda run, k: run["held_out"][-1] - run["losses"][-1] > 0.1)
since_the_start = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][0] > 0.1 and run["losses"][0] - run["losses"][-1] > 0.1
)
last_two = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][-2] > 0.1 and run["losses"][-2] - run["losses"][-1] > 0.1
)
highest_since = compared(
    lambda run, k: max(run["held_out"][k:]) - run["held_out"][k] > 0.1 and run["losses"][k] - run["losses"][-1] > 0.1
)
lowest_since = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.1 and run["losses"][k] - min(run["losses"][k:]) > 0.1
)
any_growth = compared(lambda run, k: run["held_out"][-1] > run["held_out"][k] and run["losses"][k] > run["losses"][-1])
any_growth_of_held_out = compared(
    lambda run, k: run["held_out"][-1] > run["held_out"][k] and run["losses"][k] - run["losses"][-1] > 0.1
)
any_fall_in_training = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.1 and run["losses"][k] > run["losses"][-1]
)
training_since_the_start = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.1 and run["losses"][0] - run["losses"][-1] > 0.1
)


fifth_of_held_out = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.2 and run["losses"][k] - run["losses"][-1] > 0.1
)
fifth_of_training = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.1 and run["losses"][k] - run["losses"][-1] > 0.2
)
fifth = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.2 and run["losses"][k] - run["losses"][-1] > 0.2
)
percent_of_held_out = compared(
    lambda run, k: run["held_out"][-1] > 1.1 * run["held_out"][k] and run["losses"][k] - run["losses"][-1] > 0.1
)
percent_of_training = compared(
    lambda run, k: run["held_out"][-1] - run["held_out"][k] > 0.1 and run["losses"][-1] < 0.9 * run["losses"][k]
)
percent = compared(
    lambda run, k: run["held_out"][-1] > 1.1 * run["held_out"][k] and run["losses"][-1] < 0.9 * run["losses"][k]
)


def by_more_than(held_out: float, training: float) -> Callable[[Run], Faults]:
    """What the held-out loss grows by, and the training loss falls by."""
    return compared(
        lambda run, k: (
            run["held_out"][-1] - run["held_out"][k] > held_out and run["losses"][k] - run["losses"][-1] > training
        )
    )


more_for_held_out, more_for_training = by_more_than(0.115, 0.1), by_more_than(0.1, 0.115)
less_for_held_out, less_for_training = by_more_than(0.085, 0.1), by_more_than(0.1, 0.085)


def never(fault: str) -> Callable[[Run], Faults]:
    return judging(fault, lambda run: False)


def always(fault: str) -> Callable[[Run], Faults]:
    return judging(fault, lambda run: True)


def only_the_first(run: Run) -> Faults:
    return set(sorted(defined(run), key=[*TESTS].index)[:1])


EXACT = {
    "correction": lambda run: any(each not in (0, run["rates"][0]) for each in moved(run).tolist()),
    "words": lambda run: run["losses"][-1] != of_all_words(run["batches"]),
}
exact_correction, exact_words = (judging(fault, test) for fault, test in EXACT.items())
to_the_bit = partial(defined, instead=EXACT)


def sorted_in_place(run: Run) -> Faults:
    found = defined(run)
    run["rates"].sort()
    return found
