"""ps5.contenders: the bound that proves when a search may stop (the course's search/beam.py; Huang et al. 2017)."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion
from course_lib.problem_sets.ps5 import lent
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Words, decided, exact, left
from course_lib.search import hypothesis

Several = list[Hypothesis]


def reference(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> Several:
    """Those with log p / T^α > the n-th best log p / |y|^α of the finished: log p only falls, and T suits it best."""
    normalise = hypothesis.power(alpha)
    best = sorted((normalise(log_p, len(words)) for words, log_p in finished), reverse=True)[:n]
    return [(words, log_p) for words, log_p in live if len(best) < n or normalise(log_p, max_length) > best[-1]]


# Mistakes


def divided(score, length, alpha):
    return score / length**alpha


def defined(
    finished,
    live,
    n,
    max_length,
    alpha,
    longest=lambda length, most: most,
    of_finished=divided,
    of_live=divided,
    sort=sorted,
    nth=lambda scores, n: scores[-n] if len(scores) >= n else None,
    wins=float.__gt__,
    exponent=lambda alpha: alpha,
    returned=lambda won, live, most: won,
):
    alpha = exponent(alpha)
    reached = nth(sort([of_finished(score, len(words), alpha) for words, score in finished]), n)
    won = [
        (words, score)
        for words, score in live
        if reached is None or wins(of_live(score, longest(len(words), max_length), alpha), reached)
    ]
    return returned(won, live, max_length)


wrong = versions(defined)
those_that_cannot_win = wrong("plain", wins=float.__lt__)(
    "You return the hypotheses that cannot win. Return those that can."
)
all_of_them_if_one = wrong("plain", returned=lambda won, live, most: live if won else [])(
    "You return all live hypotheses if one can win. Judge each one by itself."
)
only_the_first_that_can_win = wrong("plain", returned=lambda won, live, most: won[:1])(
    "You return the first hypothesis that can win. Return all of them."
)
never_empty = partial(defined, returned=lambda won, live, most: won or live[:1])
finished_ones_not_sorted = wrong(
    "nth", sort=lambda scores: scores, nth=lambda scores, n: scores[n - 1] if len(scores) >= n else None
)("You take the finished ones in the order in which they finished. The n-th best is meant, not the n-th.")
the_length_so_far = wrong("length", longest=lambda length, most: length)(
    "You divide a live score by the length so far. It can get longer, and a longer one is divided by more: which "
    "length suits a negative score best?"
)
one_word_more = wrong("length", longest=lambda length, most: length + 1)(
    "You divide a live score by the length after one word more. It can go on to `max_length`."
)
beyond_the_end = partial(defined, longest=lambda length, most: most + 1)
full_and_eos = partial(defined, longest=lambda length, most: max(most, length + 1))
live_scores_undivided = wrong("length", of_live=lambda score, length, alpha: score)(
    "You compare sums of live hypotheses with divided scores of finished ones. Divide both."
)
finished_scores_undivided = wrong("length", of_finished=lambda score, length, alpha: score)(
    "You compare divided scores of live hypotheses with sums of finished ones. Divide both."
)
eos_not_counted = partial(defined, of_finished=lambda score, length, alpha: divided(score, length - 1, alpha))
nothing_divided = wrong("length", exponent=lambda alpha: 0.0)(
    "You divide nothing, or both sides by the same number, so the sums decide, whatever α is. Divide a live one by "
    "`max_length`^α, and each finished one by its own |y|^α."
)
alpha_above_1_taken_for_1 = wrong("length", exponent=lambda alpha: min(alpha, 1.0))(
    "Where α is above 1 you take it for 1. It may be any number ≥ 0."
)
the_best_finished_for_every_n = wrong("nth", nth=lambda scores, n: scores[-1] if scores else None)(
    "You compare with the best finished one, whatever n is. To come among the n best, it is enough to be better than "
    "the n-th."
)
the_worst_finished = wrong("nth", nth=lambda scores, n: scores[0] if scores else None)(
    "You compare with the worst finished one. The n-th best decides; the worst is that one only if exactly n are "
    "finished."
)
the_worst_finished_once_there_are_n = wrong("nth", nth=lambda scores, n: scores[0] if len(scores) >= n else None)(
    "Once n are finished, you compare with the worst of them all. If more than n are finished, the n-th best is better "
    "than that."
)
the_place_behind_the_nth = wrong("nth", nth=lambda scores, n: scores[-n - 1] if len(scores) > n else None)(
    "You compare with the finished one behind the n-th. Python counts from 0: the n-th best stands at n − 1."
)
more_than_n_must_be_finished = wrong("nth", nth=lambda scores, n: scores[-n] if len(scores) > n else None)(
    "Where exactly n are finished you let everything win. The n-th best is there then, and decides."
)
nothing_can_win_before_n_are_finished = wrong("nth", nth=lambda scores, n: scores[-n] if len(scores) >= n else 0.0)(
    "While fewer than n are finished you return nothing. Then any output comes among the n best."
)
the_last_while_fewer_than_n_are_finished = wrong(
    "nth", nth=lambda scores, n: scores[-min(n, len(scores))] if scores else None
)(
    "While fewer than n are finished you compare with the worst of them. Any output comes among the n best then: every "
    "live one can win."
)
the_best_while_fewer_than_n_are_finished = wrong(
    "nth", nth=lambda scores, n: scores[-n if len(scores) >= n else -1] if scores else None
)(
    "While fewer than n are finished you compare with the best of them. Any output comes among the n best then: every "
    "live one can win."
)
as_if_n_were_finished = wrong("nth", nth=lambda scores, n: scores[::-1][n - 1])(
    "You take the n-th best of the finished where fewer than n are finished: there is none. Any output comes among the "
    "n best then, so every live one can win."
)
equal_ones_counted_once = wrong("nth", sort=lambda scores: sorted(set(scores)))(
    "You count finished ones with the same score once. Each is an output: of −1, −1 and −2 the second best is −1."
)


def nth_by_log_p(finished, live, n, *others):
    """The n-th best by log p, and only then divided."""
    return defined(sorted(finished, key=lambda each: -each[1])[n - 1 : n], live, 1, *others)


def worst_of_n_by_log_p(finished, live, n, *others):
    """The n best by log p, and of these the worst once divided."""
    return defined(sorted(finished, key=lambda each: -each[1])[:n], live, n, *others)


those_of_full_length_left_out = wrong(
    "length", returned=lambda won, live, most: [each for each in won if len(each[0]) < most]
)(
    "You leave out live hypotheses that have `max_length` words. They are judged as the others are: by log p divided "
    "by `max_length` to the power of α."
)
a_little_better_left_out = wrong("plain", wins=lambda bound, reached: bound > reached + 1e-3)(
    "You leave out hypotheses that can be better by a little only, less than 1/1000. Compare the numbers as they are."
)
equals_win = wrong("equal", wins=float.__ge__)(
    "You keep a hypothesis that can be equal at best. What finished before comes first: leave it out."
)


def best_first(finished, alpha):
    return sorted(finished, key=lambda each: divided(each[1], len(each[0]), alpha), reverse=True)


@mistake("arguments")
def finished_ones_sorted_in_place(finished, live, n, max_length, alpha):
    """You sort the list `finished`, which belongs to the caller. Sort a copy, as sorted(…) does."""
    finished[:] = best_first(finished, alpha)
    return defined(finished, live, n, max_length, alpha)


def finished_reversed(finished, *others):
    finished.reverse()
    return defined(finished, *others)


@mistake("arguments")
def finished_ones_removed_in_place(finished, live, n, max_length, alpha):
    """You take all but the n best out of the list `finished`, which belongs to the caller. Make a new list."""
    best = best_first(finished, alpha)[:n]
    finished[:] = [each for each in finished if each in best]
    return defined(finished, live, n, max_length, alpha)


@mistake("arguments")
def live_hypotheses_changed(finished, live, *others):
    """You change the list `live`, which belongs to the caller. Make a new one."""
    live[:] = defined(finished, live, *others)
    return list(live)


# Cases

CHOICE = those_that_cannot_win, all_of_them_if_one, only_the_first_that_can_win
LENGTH = the_length_so_far, one_word_more, live_scores_undivided, finished_scores_undivided, nothing_divided
NTH = (
    *(the_best_finished_for_every_n, the_worst_finished, the_worst_finished_once_there_are_n),
    *(the_place_behind_the_nth, finished_ones_not_sorted),
)
OF_FEW = (
    *(nothing_can_win_before_n_are_finished, the_best_while_fewer_than_n_are_finished),
    the_last_while_fewer_than_n_are_finished,
)
ALL = (*CHOICE, *LENGTH, *NTH, nothing_can_win_before_n_are_finished, equals_win)


def case(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> Case:
    words = f"{len(finished)} finished, {len(live)} live, n = {n}, at most {max_length} words, α = {alpha}"
    return Case((finished, live, n, max_length, alpha), words)


def clear(finished: Several, live: Several, n: int, max_length: int, alpha: float) -> bool:
    """Whether all that may be compared lies apart, or is equal and exactly so."""
    bounds = [divided(score, max_length, alpha) for _, score in live]
    return decided([*bounds, *(divided(score, len(words), alpha) for words, score in finished)])


def words(rng: Random, length: int, last: Words = ()) -> Words:
    return tuple(rng.randint(1, 9) for _ in range(length - len(last))) + last


def search(rng: Random, finished: int, live: int, n: int, alpha: float) -> tuple:
    """A search as it may stand: what has finished so far, in that order, and what is live, the best first."""
    t, more = rng.randint(3, 5), rng.randint(2, 5)
    scores = [exact(-rng.uniform(1.5, 6)) for _ in range(finished + live)]
    outputs, going = set[Words](), set[Words]()
    while len(outputs) < finished:
        outputs.add(words(rng, rng.randint(2, t), (EOS,)))
    while len(going) < live:
        going.add(words(rng, t))
    done = list(zip(rng.sample(sorted(outputs), finished), scores[:finished], strict=True))
    falling = sorted(scores[finished:], reverse=True)
    return done, list(zip(rng.sample(sorted(going), live), falling, strict=True)), n, t + more, alpha


def one_finished(*alphas: float) -> Callable[[Random, int], tuple]:
    return lambda rng, size: search(rng, 1, 4, 1, rng.choice(alphas))


above_0 = one_finished(0.5, 0.8, 1.0)


def several_finished(rng: Random, size: int) -> tuple:
    return search(rng, 4, 4, 2 + size % 2, 0.0)


def just_n_finished(rng: Random, size: int) -> tuple:
    n = 2 + size % 2
    return search(rng, n, 4, n, 0.0)


def one_or_none_finished(rng: Random, size: int) -> tuple:
    return search(rng, 1 - size % 2, 3, 2 + size % 2, 0.0)


def full(rng: Random, size: int) -> tuple:
    """The live ones have as many words as there may be."""
    finished, live, n, _, alpha = above_0(rng, size)
    return finished, live, n, len(live[0][0]), alpha


def equal_finished(rng: Random, size: int) -> tuple:
    """Two of the finished are equal, and distinct ones are enough; scores in quarters, undivided."""
    done, going, *others = search(rng, 4, 3, 2, 0.0)
    scores = rng.sample(range(4, 12), 3)
    finished = [(y, -score / 4) for (y, _), score in zip(done, rng.sample([*scores, min(scores)], 4), strict=True)]
    live = [(y, -rng.randint(4, 12) / 4 - 0.125) for y, _ in going]
    return finished, sorted(live, key=lambda each: -each[1]), *others


def equal(rng: Random, size: int) -> tuple:
    """Scores in quarters, undivided."""
    done, going, *others = search(rng, 2, 3, 1, 0.0)
    finished, live = ([(y, -rng.randint(4, 12) / 4) for y, _ in each] for each in (done, going))
    return finished, sorted(live, key=lambda each: -each[1]), *others


def a_little_better(rng: Random, size: int) -> tuple:
    """One of the live ones is better by 2⁻¹² than the best finished one, undivided."""
    finished, live, *others = search(rng, 2, 3, 1, 0.0)
    words, _ = rng.choice(live)
    close = [(y, max(score for _, score in finished) + 2**-12) if y == words else (y, score) for y, score in live]
    return finished, sorted(close, key=lambda each: -each[1]), *others


shows = partial(isolating(defined, ALL, case), apart=False, when=clear)
apart_in_length = partial(shows, free=(*CHOICE, *LENGTH, the_place_behind_the_nth), apart=True)
draw_plain = shows(*CHOICE, free=(the_place_behind_the_nth,))(lambda rng, size: search(rng, 1, 4, 1, 0.0))
draw_none = shows(those_that_cannot_win, never_empty, free=(*CHOICE, the_place_behind_the_nth))(
    lambda rng, size: search(rng, 1, 3, 1, 0.0)
)
draw_little = shows(a_little_better_left_out, free=(*CHOICE, *NTH))(a_little_better)
draw_length = alternate(
    shows(*LENGTH, free=(*CHOICE, the_place_behind_the_nth))(above_0),
    shows(the_length_so_far, one_word_more, nothing_divided, free=(*CHOICE, *LENGTH, *NTH), apart=True)(above_0),
    apart_in_length(beyond_the_end)(above_0),
    apart_in_length(finished_scores_undivided, eos_not_counted)(above_0),
    apart_in_length(those_of_full_length_left_out, full_and_eos, apart=False)(full),
    apart_in_length(alpha_above_1_taken_for_1)(one_finished(1.2)),
)
draw_nth = alternate(
    shows(*NTH, free=CHOICE)(several_finished),
    shows(nothing_can_win_before_n_are_finished, free=(*CHOICE, *NTH))(one_or_none_finished),
    shows(the_worst_finished, the_place_behind_the_nth, free=(*CHOICE, *NTH), apart=True)(
        lambda rng, size: search(rng, 4, 4, 2, 0.0)
    ),
    shows(nth_by_log_p, worst_of_n_by_log_p, free=(*CHOICE, *LENGTH, *NTH))(
        lambda rng, size: search(rng, 4, 4, 2, 1.0)
    ),
    shows(equal_ones_counted_once, free=(*CHOICE, *NTH, equals_win))(equal_finished),
    shows(more_than_n_must_be_finished, the_best_finished_for_every_n, free=(*CHOICE, *NTH), apart=True)(
        just_n_finished
    ),
    shows(*OF_FEW, free=(*CHOICE, *NTH), apart=True)(lambda rng, size: search(rng, 2, 4, 3, 0.0)),
)
draw_arguments = shows(
    *(finished_ones_sorted_in_place, finished_reversed, finished_ones_removed_in_place, live_hypotheses_changed),
    free=ALL,
    probe=left,
)(lambda rng, size: search(rng, 4, 3, 2, 1.0))
TASK = task(
    __name__,
    "Which hypotheses can still win?",
    kind=partial(Criterion, visible=4, graded=6),
    criteria=(
        criterion("plain", 0.5, alternate(draw_plain, draw_none, draw_little))(
            "α = 0 and n = 1: what is better by now than the best that is finished."
        ),
        criterion("length", 1.5, draw_length, visible=6, graded=12)(
            "α > 0: what may become better by the end, though it is not by now."
        ),
        criterion("nth", 1, draw_nth, visible=14, graded=14)(
            "n above 1: the n-th best counts; while fewer are finished, everything can win."
        ),
        criterion("equal", 0.5, shows(equals_win, free=CHOICE)(equal))("What can be equal at best comes behind."),
        arguments(0.5, draw_arguments)("The lists are afterwards as they were."),
    ),
    lent=(lent.rank,),
    forbidden=("course_lib.search.hypothesis.power",),
)
