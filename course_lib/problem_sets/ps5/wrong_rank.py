"""The ranking of outputs of different length as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from functools import partial

from course_lib.problem_sets.ps5.tables import Hypothesis, best_first, ended

Ranked = list[Hypothesis]
PENALTIES = {"power": lambda length, alpha: length**alpha, "gnmt": lambda length, alpha: ((5 + length) / 6) ** alpha}


def eligible(hypotheses: Ranked) -> Ranked:
    """The finished ones; all, if none is."""
    return list(filter(ended, hypotheses)) or hypotheses


def defined(
    hypotheses: Ranked,
    penalty: str,
    alpha: float,
    penalties: dict[str, Callable] = PENALTIES,
    length: Callable = len,
    divide: Callable[[float, float], float] = lambda score, by: score / by,
    choose: Callable[[Ranked], Ranked] = eligible,
    order: Callable[[Ranked], Ranked] = best_first,
) -> Ranked:
    by = penalties[penalty]
    return order([(words, divide(score, by(length(words), alpha))) for words, score in choose(hypotheses)])


def of_power(function: Callable) -> Callable[..., Ranked]:
    return lambda *arguments: defined(*arguments, penalties=PENALTIES | {"power": function})


def of_gnmt(function: Callable) -> Callable[..., Ranked]:
    return lambda *arguments: defined(*arguments, penalties=PENALTIES | {"gnmt": function})


def without_eos(*arguments) -> Ranked:
    return defined(*arguments, length=lambda words: len(words) - ended((words, 0.0)))


def one_less(*arguments) -> Ranked:
    return defined(*arguments, length=lambda words: len(words) - 1)


def one_more(*arguments) -> Ranked:
    """The word before the first counted."""
    return defined(*arguments, length=lambda words: len(words) + 1)


def multiplied(*arguments) -> Ranked:
    return defined(*arguments, divide=lambda score, by: score * by)


def smallest_first(*arguments) -> Ranked:
    return defined(*arguments, order=lambda each: sorted(each, key=lambda h: h[1]))


alpha_ignored = of_power(lambda length, alpha: length)
alpha_as_factor = of_power(lambda length, alpha: length * alpha)
exchanged = partial(defined, penalties={"power": PENALTIES["gnmt"], "gnmt": PENALTIES["power"]})
never_alpha = partial(
    defined, penalties={name: lambda length, alpha, by=by: by(length, 1) for name, by in PENALTIES.items()}
)
no_five = of_gnmt(lambda length, alpha: (length / 6) ** alpha)
six_outside = of_gnmt(lambda length, alpha: (5 + length) ** alpha / 6)
five_outside = of_gnmt(lambda length, alpha: 5 + (length / 6) ** alpha)
not_over_six = of_gnmt(lambda length, alpha: (5 + length) ** alpha)
power_for_both = of_gnmt(lambda length, alpha: length**alpha)


def old_order(*arguments) -> Ranked:
    return defined(*arguments, order=lambda each: each)


def order_of_sums(hypotheses: Ranked, penalty: str, alpha: float) -> Ranked:
    return defined(best_first(hypotheses), penalty, alpha, order=lambda each: each)


def sums_returned(hypotheses: Ranked, penalty: str, alpha: float) -> Ranked:
    scores = dict(hypotheses)
    return [(words, scores[words]) for words, _ in defined(hypotheses, penalty, alpha)]


def all_together(*arguments) -> Ranked:
    return defined(*arguments, choose=lambda each: each)


def finished_only(*arguments) -> Ranked:
    return defined(*arguments, choose=lambda each: list(filter(ended, each)))


def among_unfinished(penalty: str | None = None, alpha: float | None = None) -> Callable[..., Ranked]:
    """This penalty or this α where nothing is finished, whatever is asked for."""

    def ranked(hypotheses: Ranked, asked: str, asked_alpha: float) -> Ranked:
        if any(map(ended, hypotheses)):
            return defined(hypotheses, asked, asked_alpha)
        return defined(hypotheses, penalty or asked, asked_alpha if alpha is None else alpha)

    return ranked


def last_tie_of_unfinished(hypotheses: Ranked, *arguments) -> Ranked:
    """Of equals the last one, where nothing is finished."""
    return defined(hypotheses if any(map(ended, hypotheses)) else hypotheses[::-1], *arguments)


def alpha_at_most_one(hypotheses: Ranked, penalty: str, alpha: float) -> Ranked:
    return defined(hypotheses, penalty, min(alpha, 1.0))


unfinished_by_power, unfinished_by_gnmt = among_unfinished("power"), among_unfinished("gnmt")
unfinished_without_alpha = among_unfinished(alpha=1.0)


def unfinished_last(hypotheses: Ranked, penalty: str, alpha: float) -> Ranked:
    ranked = defined(hypotheses, penalty, alpha, choose=lambda each: each)
    return sorted(ranked, key=lambda hypothesis: not ended(hypothesis))


def last_tie(*arguments) -> Ranked:
    return defined(*arguments, order=lambda each: best_first(each[::-1]))


def tuples_sorted(*arguments) -> Ranked:
    return defined(*arguments, order=lambda each: sorted(each, key=lambda h: (h[1], h[0]), reverse=True))


def emptied(hypotheses: Ranked, penalty: str, alpha: float) -> Ranked:
    found = defined(hypotheses, penalty, alpha)
    hypotheses.sort(key=lambda hypothesis: hypothesis[1])
    return found


def best_put_first(hypotheses: Ranked, penalty: str, alpha: float) -> Ranked:
    """The list of the caller sorted."""
    found = defined(hypotheses, penalty, alpha)
    hypotheses.sort(key=lambda each: each[1] / PENALTIES[penalty](len(each[0]), alpha), reverse=True)
    return found


def removed(hypotheses: Ranked, penalty: str, alpha: float) -> Ranked:
    """What is unfinished taken out of the list of the caller."""
    found = defined(hypotheses, penalty, alpha)
    hypotheses[:] = eligible(hypotheses)
    return found
