"""Which live hypotheses can still win, as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

from course_lib.problem_sets.ps5.tables import Hypothesis

Several = list[Hypothesis]


def divided(score: float, length: int, alpha: float) -> float:
    return score / length**alpha


def defined(
    finished: Several,
    live: Several,
    n: int,
    max_length: int,
    alpha: float,
    longest: Callable[[int, int], int] = lambda length, most: most,
    of_finished: Callable = divided,
    of_live: Callable = divided,
    sort: Callable = sorted,
    nth: Callable[[list[float], int], float | None] = lambda scores, n: scores[-n] if len(scores) >= n else None,
    wins: Callable[[float, float], bool] = float.__gt__,
) -> Several:
    reached = nth(sort([of_finished(score, len(words), alpha) for words, score in finished]), n)
    return [
        (words, score)
        for words, score in live
        if reached is None or wins(of_live(score, longest(len(words), max_length), alpha), reached)
    ]


def losers(*arguments) -> Several:
    return defined(*arguments, wins=float.__lt__)


def all_or_none(finished: Several, live: Several, *arguments) -> Several:
    return live if defined(finished, live, *arguments) else []


def only_the_first(*arguments) -> Several:
    return defined(*arguments)[:1]


def own_length(*arguments) -> Several:
    return defined(*arguments, longest=lambda length, most: length)


def one_word_more(*arguments) -> Several:
    return defined(*arguments, longest=lambda length, most: length + 1)


def live_undivided(*arguments) -> Several:
    return defined(*arguments, of_live=lambda score, length, alpha: score)


def finished_undivided(*arguments) -> Several:
    return defined(*arguments, of_finished=lambda score, length, alpha: score)


def nothing_divided(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> Several:
    return defined(finished, live, n, max_length, 0.0)


def alpha_at_most_one(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> Several:
    return defined(finished, live, n, max_length, min(alpha, 1.0))


def best_finished(finished: Several, live: Several, n: int, *arguments) -> Several:
    return defined(finished, live, min(n, 1), *arguments)


def worst_finished(finished: Several, live: Several, n: int, *arguments) -> Several:
    return defined(finished, live, n, *arguments, nth=lambda scores, n: scores[0] if scores else None)


def worst_of_enough(finished: Several, live: Several, n: int, *arguments) -> Several:
    return defined(finished, live, n, *arguments, nth=lambda scores, n: scores[0] if len(scores) >= n else None)


def more_than_n(*arguments) -> Several:
    """Everything can win until more than n are finished."""
    return defined(*arguments, nth=lambda scores, n: scores[-n] if len(scores) > n else None)


def one_behind(*arguments) -> Several:
    return defined(*arguments, nth=lambda scores, n: scores[-n - 1] if len(scores) > n else None)


def nothing_open(*arguments) -> Several:
    """Nothing can win while fewer than n are finished."""
    return defined(*arguments, nth=lambda scores, n: scores[-n] if len(scores) >= n else 0.0)


def in_given_order(*arguments) -> Several:
    return defined(
        *arguments, sort=lambda scores: scores, nth=lambda scores, n: scores[n - 1] if len(scores) >= n else None
    )


def equals_win(*arguments) -> Several:
    return defined(*arguments, wins=float.__ge__)


def never_empty(finished: Several, live: Several, *arguments) -> Several:
    return defined(finished, live, *arguments) or live[:1]


def beyond_the_end(*arguments) -> Several:
    return defined(*arguments, longest=lambda length, most: most + 1)


def eos_not_counted(*arguments) -> Several:
    return defined(*arguments, of_finished=lambda score, length, alpha: divided(score, length - 1, alpha))


def nth_by_log_p(finished: Several, live: Several, n: int, *arguments) -> Several:
    """The n-th best by log p, and only then divided."""
    nth = sorted(finished, key=lambda each: -each[1])[n - 1 : n]
    return defined(nth, live, min(n, 1), *arguments)


def distinct_only(*arguments) -> Several:
    """The n-th best among distinct scores."""
    return defined(*arguments, sort=lambda scores: sorted(set(scores)))


def full_left_out(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> Several:
    """Those that have `max_length` words left out."""
    return [each for each in defined(finished, live, n, max_length, alpha) if len(each[0]) < max_length]


def last_of_too_few(*arguments) -> Several:
    """The worst for the n-th while fewer than n are finished."""
    return defined(*arguments, nth=lambda scores, n: scores[-min(n, len(scores))] if scores else None)


def number_not_looked_at(*arguments) -> Several:
    """The n-th of the finished, as if there always were n."""
    return defined(*arguments, nth=lambda scores, n: scores[::-1][n - 1])


def by_divided(alpha: float) -> Callable[[Hypothesis], float]:
    return lambda each: divided(each[1], len(each[0]), alpha)


def finished_sorted(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> Several:
    """The finished ones put in order in place."""
    finished.sort(key=by_divided(alpha), reverse=True)
    return defined(finished, live, n, max_length, alpha)


def finished_reversed(finished: Several, *arguments) -> Several:
    finished.reverse()
    return defined(finished, *arguments)


def losers_removed(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> Several:
    """All but the n best of the finished taken out of their list."""
    best = sorted(finished, key=by_divided(alpha), reverse=True)[:n]
    finished[:] = [each for each in finished if each in best]
    return defined(finished, live, n, max_length, alpha)


def emptied(finished: Several, live: Several, *arguments) -> Several:
    live[:] = defined(finished, live, *arguments)
    return list(live)
