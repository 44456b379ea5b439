"""Cases of the bound: which mistakes each kind of case shows, and how it is drawn."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.grading.cases.isolate import isolating
from course_lib.grading.task import Case
from course_lib.problem_sets.ps5 import wrong_contenders as wrong
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Words, decided, exact, left

CHOICE = (wrong.losers, wrong.all_or_none, wrong.only_the_first)
LENGTH = (
    *(wrong.own_length, wrong.one_word_more, wrong.live_undivided, wrong.finished_undivided),
    wrong.nothing_divided,
)
NTH = (
    *(wrong.best_finished, wrong.worst_finished, wrong.worst_of_enough, wrong.one_behind),
    wrong.in_given_order,
)
MISTAKES = (*CHOICE, *LENGTH, *NTH, wrong.nothing_open, wrong.equals_win)


def case(finished: list[Hypothesis], live: list[Hypothesis], n: int, max_length: int, alpha: float) -> Case:
    words = f"{len(finished)} finished, {len(live)} live, n = {n}, at most {max_length} words, α = {alpha}"
    return Case((finished, live, n, max_length, alpha), words)


def clear(finished: list[Hypothesis], live: list[Hypothesis], n: int, max_length: int, alpha: float) -> bool:
    """Whether all that may be compared lies apart, or is equal and exactly so."""
    bounds = [wrong.divided(score, max_length, alpha) for _, score in live]
    return decided([*bounds, *(wrong.divided(score, len(words), alpha) for words, score in finished)])


shows = partial(isolating(wrong.defined, MISTAKES, case), apart=False, when=clear)


def words(rng: Random, length: int, last: Words = ()) -> Words:
    return tuple(rng.randint(1, 9) for _ in range(length - len(last))) + last


def search(rng: Random, finished: int, live: int, alpha: float) -> tuple:
    """A search as it may stand: what has finished so far, in that order, and what is live, the best first."""
    t, more = rng.randint(3, 5), rng.randint(2, 5)
    scores = [exact(-rng.uniform(1.5, 6)) for _ in range(finished + live)]
    outputs, going = set[Words](), set[Words]()
    while len(outputs) < finished:
        outputs.add(words(rng, rng.randint(2, t), (EOS,)))
    while len(going) < live:
        going.add(words(rng, t))
    done = list(zip(rng.sample(sorted(outputs), finished), scores[:finished], strict=True))
    best_first = sorted(scores[finished:], reverse=True)
    return done, list(zip(rng.sample(sorted(going), live), best_first, strict=True)), t + more, alpha


def arguments(rng: Random, finished: int, live: int, n: int, alpha: float) -> tuple:
    done, going, most, alpha = search(rng, finished, live, alpha)
    return done, going, n, most, alpha


@shows(*CHOICE, free=(wrong.one_behind,))
def draw_plain(rng: Random, size: int) -> tuple:
    return arguments(rng, 1, 4, 1, 0.0)


@shows(wrong.losers, wrong.never_empty, free=(*CHOICE, wrong.one_behind))
def draw_none(rng: Random, size: int) -> tuple:
    """Nothing can win."""
    return arguments(rng, 1, 3, 1, 0.0)


@shows(*LENGTH, free=(*CHOICE, wrong.one_behind))
def draw_length(rng: Random, size: int) -> tuple:
    return arguments(rng, 1, 4, 1, rng.choice((0.5, 0.8, 1.0)))


@shows(wrong.own_length, wrong.one_word_more, wrong.nothing_divided, free=(*CHOICE, *LENGTH, *NTH), apart=True)
def draw_lengths(rng: Random, size: int) -> tuple:
    """Which length it is makes a difference."""
    return arguments(rng, 1, 4, 1, rng.choice((0.5, 0.8, 1.0)))


def draw_apart(*wanted: Callable, alphas: tuple[float, ...] = (0.5, 0.8, 1.0)) -> Callable[[Random, int], Case]:
    """Cases that tell these mistakes, all of lengths, apart."""

    @shows(*wanted, free=(*CHOICE, *LENGTH, wrong.one_behind), apart=True)
    def draw(rng: Random, size: int) -> tuple:
        return arguments(rng, 1, 4, 1, rng.choice(alphas))

    return draw


@shows(*NTH, free=CHOICE)
def draw_nth(rng: Random, size: int) -> tuple:
    return arguments(rng, 4, 4, 2 + size // 2 % 2, 0.0)


@shows(wrong.worst_finished, wrong.one_behind, free=(*CHOICE, *NTH), apart=True)
def draw_behind(rng: Random, size: int) -> tuple:
    """The place behind the n-th is not the last one."""
    return arguments(rng, 4, 4, 2, 0.0)


@shows(wrong.more_than_n, wrong.best_finished, free=(*CHOICE, *NTH), apart=True)
def draw_exactly_n(rng: Random, size: int) -> tuple:
    """Just n are finished."""
    n = 2 + size // 2 % 2
    return arguments(rng, n, 4, n, 0.0)


@shows(wrong.nth_by_log_p, free=(*CHOICE, *LENGTH, *NTH))
def draw_nth_divided(rng: Random, size: int) -> tuple:
    return arguments(rng, 4, 4, 2, 1.0)


@shows(wrong.distinct_only, free=(*CHOICE, *NTH, wrong.equals_win))
def draw_equal_finished(rng: Random, size: int) -> tuple:
    """Two of the finished are equal, and distinct ones are enough; scores in quarters, undivided."""
    done, going, n, most, alpha = arguments(rng, 4, 3, 2, 0.0)
    scores = rng.sample(range(4, 12), 3)
    finished = [(y, -score / 4) for (y, _), score in zip(done, rng.sample([*scores, min(scores)], 4), strict=True)]
    live = [(y, -rng.randint(4, 12) / 4 - 0.125) for y, _ in going]
    return finished, sorted(live, key=lambda each: -each[1]), n, most, alpha


@shows(wrong.full_left_out, free=(*CHOICE, *LENGTH, wrong.one_behind))
def draw_full(rng: Random, size: int) -> tuple:
    """The live ones have as many words as there may be."""
    done, going, _, alpha = search(rng, 1, 4, rng.choice((0.5, 0.8, 1.0)))
    return done, going, 1, len(going[0][0]), alpha


@shows(wrong.nothing_open, wrong.worst_finished, free=(*CHOICE, *NTH))
def draw_too_few(rng: Random, size: int) -> tuple:
    n = 2 + size // 2 % 2
    return arguments(rng, rng.randint(0, n - 1) if size % 3 == 2 else n - 1, 3, n, 0.0)


@shows(wrong.equals_win, free=CHOICE)
def draw_equal(rng: Random, size: int) -> tuple:
    """Scores in quarters, undivided."""
    done, going, n, most, alpha = arguments(rng, 2, 3, 1, 0.0)
    finished, live = ([(y, -rng.randint(4, 12) / 4) for y, _ in each] for each in (done, going))
    return finished, sorted(live, key=lambda each: -each[1]), n, most, alpha


@shows(wrong.finished_sorted, wrong.finished_reversed, wrong.losers_removed, wrong.emptied, free=MISTAKES, probe=left)
def draw_arguments(rng: Random, size: int) -> tuple:
    """More than n have finished, and in an order that no sorting leaves as it is."""
    return arguments(rng, 4, 3, 2, 1.0)
