"""What can still win: wrong versions that looked right on every visible case once; each loses now, where it should."""

from course_lib.problem_sets.ps5 import contenders
from tests.grading.caught import each_row, is_caught


def scores(finished, alpha):
    return sorted((s / len(y) ** alpha for y, s in finished), reverse=True)


def sorted_in_place(finished, live, n, max_length, alpha):
    finished.sort(key=lambda h: h[1] / len(h[0]) ** alpha, reverse=True)
    return contenders.defined(finished, live, n, max_length, alpha)


def worst_removed(finished, live, n, max_length, alpha):
    while len(finished) > n:
        finished.remove(min(finished, key=lambda h: h[1] / len(h[0]) ** alpha))
    return contenders.defined(finished, live, n, max_length, alpha)


def reversed_in_place(finished, live, n, max_length, alpha):
    won = contenders.defined(finished, live, n, max_length, alpha)
    finished.reverse()
    return won


def distinct_scores(finished, live, n, max_length, alpha):
    if len(finished) < n:
        return live
    different = sorted(set(scores(finished, alpha)), reverse=True)
    return [(y, s) for y, s in live if s / max_length**alpha > different[min(n, len(different)) - 1]]


def full_ones_out(finished, live, n, max_length, alpha):
    won = contenders.defined(finished, live, n, max_length, alpha)
    return [(y, s) for y, s in won if len(y) < max_length]


def worst_of_few(finished, live, n, max_length, alpha):
    best = scores(finished, alpha)[:n]
    return [(y, s) for y, s in live if not best or s / max_length**alpha > best[-1]]


def best_of_few(finished, live, n, max_length, alpha):
    best = scores(finished, alpha)
    if len(best) >= n:
        return contenders.defined(finished, live, n, max_length, alpha)
    return [(y, s) for y, s in live if not best or s / max_length**alpha > best[0]]


def index_error(finished, live, n, max_length, alpha):
    reached = scores(finished, alpha)[n - 1]
    return [(y, s) for y, s in live if s / max_length**alpha > reached]


def more_than_n(finished, live, n, max_length, alpha):
    if len(finished) <= n:
        return live
    return contenders.defined(finished, live, n, max_length, alpha)


def contenders_alpha_at_most_1(finished, live, n, max_length, alpha):
    return contenders.defined(finished, live, n, max_length, min(alpha, 1))


def within_a_thousandth(finished, live, n, max_length, alpha):
    if len(finished) < n:
        return live
    reached = scores(finished, alpha)[n - 1]
    return [(y, s) for y, s in live if s / max_length**alpha > reached + 1e-3]


def n_best_by_log_p(finished, live, n, max_length, alpha):
    if len(finished) < n:
        return live
    best = sorted(finished, key=lambda h: h[1], reverse=True)[:n]
    return [(y, s) for y, s in live if s / max_length**alpha > scores(best, alpha)[-1]]


def one_word_for_eos(finished, live, n, max_length, alpha):
    if len(finished) < n:
        return live
    reached = scores(finished, alpha)[n - 1]
    return [(y, s) for y, s in live if s / max(max_length, len(y) + 1) ** alpha > reached]


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("contenders", contenders_alpha_at_most_1, "length", "alpha above 1 taken for 1"),
    ("contenders", within_a_thousandth, "plain", "a little better left out"),
    ("contenders", more_than_n, "nth", "more than n must be finished"),
    ("contenders", sorted_in_place, "arguments", "finished ones sorted in place"),
    ("contenders", worst_removed, "arguments", "finished ones removed in place"),
    ("contenders", reversed_in_place, "arguments", None),
    ("contenders", distinct_scores, "nth", "equal ones counted once"),
    ("contenders", full_ones_out, "length", "those of full length left out"),
    ("contenders", worst_of_few, "nth", "the last while fewer than n are finished"),
    ("contenders", best_of_few, "nth", "the best while fewer than n are finished"),
    ("contenders", n_best_by_log_p, "nth", None),
    ("contenders", one_word_for_eos, "length", None),
    ("contenders", index_error, "nth", "as if n were finished"),
)


@each_row("ps5", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
