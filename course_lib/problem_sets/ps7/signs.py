"""The signs of faults in a recorded run: what its tests are made of, and what wrong ones are made of."""

from itertools import pairwise
from math import log

import torch

from course_lib.problem_sets.ps7.runs import Run, best, floor, moved

ROUND = 1e-6
SLACK = 0.006  # a wrong test with a tolerance up to this says what it says with none


def off(run, number, by=1e-3):
    """Whether a number was not moved by the rate."""
    return abs(float(number) / run["rates"][0] - 1) > by


def numbers(run):
    """By how much each number of the weights changed in step 1, and which way."""
    return torch.cat([each.flatten() for each in run["moved"].values()]).tolist()


def off_at_all(run):
    return any(each not in (0, run["rates"][0]) for each in moved(run).tolist())


def of_those_that_moved(choose):
    """The test of some of the numbers alone, without those that did not move; where none is left, nothing is found."""

    def test(run):
        numbers = torch.cat([each.flatten() for each in choose([*run["moved"].values()])])
        return bool(((numbers[numbers != 0].abs() / run["rates"][0] - 1).abs() > 1e-3).any())

    return test


def mean_loss(run):
    return sum(run["losses"]) / len(run["losses"])


def below(limit, losses=lambda run: run["losses"]):
    return lambda run: min(losses(run)) < limit(run["epsilon"], run["vocabulary"]) - ROUND


def right_word(epsilon, n):
    return -(1 - epsilon) * log(1 - epsilon)


def one_probability(epsilon, n):
    return -log(1 - epsilon)


def one_other_word(epsilon, n):
    share = epsilon / (n - 1)
    return right_word(epsilon, n) - share * log(share)


def other_words(epsilon, n):
    return floor(epsilon, n) - right_word(epsilon, n)


def two_words(epsilon, n):
    return floor(epsilon, 2)


def over_all_words(epsilon, n):
    return floor(epsilon * (n - 1) / n, n)


def in_bits(epsilon, n):
    return floor(epsilon, n) / log(2)


WRONG_FLOORS = right_word, one_probability, one_other_word, other_words, two_words, over_all_words, in_bits


def mean_of_means(batches):
    return sum(loss for loss, _ in batches) / len(batches)


def of_the_last(batches):
    return batches[-1][0]


def of_the_first(batches):
    return batches[0][0]


WRONG_MEANS = mean_of_means, of_the_last, of_the_first


def against(number, by=ROUND):
    return lambda run: abs(run["losses"][-1] - number(run["batches"])) > by


def grown(more=0.0, times=1.0):
    return lambda held_out, k: held_out[-1] > times * held_out[k] + more


def fallen(more=0.0, times=1.0):
    return lambda losses, k: losses[-1] < times * losses[k] - more


GROWN, FALLEN = grown(0.1), fallen(0.1)


def first_rise(run: Run) -> int:
    """The evaluation before the first rise of the held-out loss, or the last one."""
    held_out = run["held_out"]
    return next((k for k, (now, later) in enumerate(pairwise(held_out)) if later > now), len(held_out) - 1)


def changed(held_out=GROWN, losses=FALLEN, since=best):
    """The test whether, since an evaluation k, the held-out loss has grown and the training loss has fallen."""
    return lambda run: held_out(run["held_out"], since(run)) and losses(run["losses"], since(run))


def apart(run: Run) -> bool:
    """Whether no number decides narrowly what a wrong test says: of another floor, or of another mean of batches."""
    given = run["epsilon"], run["vocabulary"]
    least, last = floor(*given), run["losses"][-1]
    return (
        all(abs(loss - wrong(*given)) > SLACK for wrong in WRONG_FLOORS for loss in run["losses"])
        and all(abs(loss - least) > SLACK for loss in (mean_loss(run), *run["held_out"]))
        and not any(1e-9 < abs(last - mean(run["batches"])) < SLACK for mean in WRONG_MEANS)
    )
