"""Ranking: wrong versions that looked right on every visible case once; each loses now, where it should."""

from math import exp, log

import pytest

from course_lib.grading.registry import problem_set
from course_lib.problem_sets.ps5 import rank
from tests.grading.caught import each_row, is_caught, lost
from tests.grading.measure.secrets import secret


def by_score(hypotheses):
    return sorted(hypotheses, key=lambda h: -h[1])


def unfinished_removed(hypotheses, penalty, alpha):
    if any(y[-1] == 0 for y, _ in hypotheses):
        for h in list(hypotheses):
            if h[0][-1] != 0:
                hypotheses.remove(h)
    return rank.defined(hypotheses, penalty, alpha)


def with_bases(power, gnmt):
    def ranked(hypotheses, penalty, alpha):
        chosen = [h for h in hypotheses if h[0][-1] == 0] or hypotheses
        base = {"power": power, "gnmt": gnmt}[penalty]
        return by_score((y, s / base(len(y), alpha)) for y, s in chosen)

    return ranked


def equals_by(key):
    """Right, but for a key that decides between equal scores; it sees words, log p and divided score."""

    def ranked(hypotheses, penalty, alpha):
        chosen = [h for h in hypotheses if h[0][-1] == 0] or hypotheses
        divided = [(y, s, s / GNMT[penalty](len(y), alpha)) for y, s in chosen]
        return [(y, score) for y, _, score in sorted(divided, key=lambda h: (-h[2], key(*h)))]

    return ranked


def eos_alone_unfinished(hypotheses, penalty, alpha):
    chosen = [h for h in hypotheses if len(h[0]) > 1 and h[0][-1] == 0] or hypotheses
    return by_score((y, s / GNMT[penalty](len(y), alpha)) for y, s in chosen)


def power_above_a_half(hypotheses, penalty, alpha):
    return rank.defined(hypotheses, penalty, 1.0 if penalty == "power" and alpha > 0.5 else alpha)


def unfinished_ranked_by(divisor, order=1):
    """All outputs ranked by a way of their own where none is finished."""

    def ranked(hypotheses, penalty, alpha):
        if any(y[-1] == 0 for y, _ in hypotheses):
            return rank.defined(hypotheses, penalty, alpha)
        return by_score((y, s / divisor(len(y), penalty, alpha)) for y, s in hypotheses[::order])

    return ranked


def right_divisor(n, penalty, alpha):
    return GNMT[penalty](n, alpha)


def alpha_at_most_1(n, alpha):
    return n ** min(alpha, 1)


GNMT = {"power": lambda n, alpha: n**alpha, "gnmt": lambda n, alpha: ((5 + n) / 6) ** alpha}


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("rank", unfinished_ranked_by(lambda n, _, alpha: n**alpha), "finished", "unfinished outputs by the power"),
    ("rank", unfinished_ranked_by(lambda n, _, alpha: n), "finished", None),
    (
        *("rank", unfinished_ranked_by(lambda n, penalty, _: GNMT[penalty](n, 1)), "finished"),
        "alpha ignored where nothing is finished",
    ),
    ("rank", unfinished_ranked_by(right_divisor, order=-1), "ties", "the last of equal unfinished ones"),
    ("rank", with_bases(alpha_at_most_1, lambda n, alpha: ((5 + n) / 6) ** alpha), "power", None),
    ("rank", rank.alpha_above_1_taken_for_1, "power", "alpha above 1 taken for 1"),
    ("rank", power_above_a_half, "power", None),
    ("rank", equals_by(lambda words, log_p, score: len(words)), "ties", "shorter of equals first"),
    ("rank", equals_by(lambda words, log_p, score: -len(words)), "ties", "longer of equals first"),
    ("rank", equals_by(lambda words, log_p, score: -log_p), "ties", "more probable of equals first"),
    ("rank", equals_by(lambda words, log_p, score: log_p), "ties", None),
    ("rank", eos_alone_unfinished, "finished", "EOS alone taken for unfinished"),
    ("rank", unfinished_removed, "arguments", "unfinished outputs removed in place"),
    ("rank", with_bases(lambda n, _: n, lambda n, _: (5 + n) / 6), "power", "alpha ignored"),
    ("rank", with_bases(GNMT["gnmt"], GNMT["power"]), "power", "penalties exchanged"),
)


def by_exp_of_log(hypotheses, penalty, alpha):
    """A right version whose quotients differ in the last digit."""
    chosen = [h for h in hypotheses if h[0][-1] == 0] or hypotheses
    base = {"power": lambda n: n, "gnmt": lambda n: (5 + n) / 6}[penalty]
    return by_score((y, s * exp(-alpha * log(base(len(y))))) for y, s in chosen)


@pytest.mark.parametrize("number", range(20))
def test_another_formula_for_the_quotients_is_right(number):
    assert lost(problem_set("ps5").task("ps5.rank"), by_exp_of_log, secret(number)) == set()


@each_row("ps5", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
