"""ps5.contenders: the bound that proves when a search may stop (the course's search/beam.py; Huang et al. 2017)."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps5 import wrong_contenders as wrong
from course_lib.grading.tasks.ps5.tables import EOS, Hypothesis, Words, decided, exact
from course_lib.search import hypothesis


def reference(
    finished: list[Hypothesis], live: list[Hypothesis], n: int, max_length: int, alpha: float
) -> list[Hypothesis]:
    """Those with log p / T^α > the n-th best log p / |y|^α of the finished: log p only falls, and T suits it best."""
    normalise = hypothesis.power(alpha)
    best = sorted((normalise(log_p, len(words)) for words, log_p in finished), reverse=True)[:n]
    return [(words, log_p) for words, log_p in live if len(best) < n or normalise(log_p, max_length) > best[-1]]


# Cases

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


def draw_apart(*wanted: Callable) -> Callable[[Random, int], Case]:
    """Cases that tell these mistakes, all of lengths, apart."""

    @shows(*wanted, free=(*CHOICE, *LENGTH, wrong.one_behind), apart=True)
    def draw(rng: Random, size: int) -> tuple:
        return arguments(rng, 1, 4, 1, rng.choice((0.5, 0.8, 1.0)))

    return draw


@shows(*NTH, free=CHOICE)
def draw_nth(rng: Random, size: int) -> tuple:
    return arguments(rng, 4, 4, 2 + size // 2 % 2, 0.0)


@shows(wrong.worst_finished, wrong.one_behind, free=(*CHOICE, *NTH), apart=True)
def draw_behind(rng: Random, size: int) -> tuple:
    """The place behind the n-th is not the last one."""
    return arguments(rng, 4, 4, 2, 0.0)


@shows(wrong.nth_by_log_p, free=(*CHOICE, *LENGTH, *NTH))
def draw_nth_divided(rng: Random, size: int) -> tuple:
    return arguments(rng, 4, 4, 2, 1.0)


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


Few = partial(Criterion, visible=4, graded=6)

TASK = Task(
    name="ps5.contenders",
    title="Which hypotheses can still win?",
    reference=reference,
    criteria=(
        Few(
            "plain",
            0.5,
            "α = 0 and n = 1: what is better by now than the best that is finished.",
            alternate(draw_plain, draw_none),
        ),
        Few(
            "length",
            1.5,
            "α > 0: what may become better by the end, though it is not by now.",
            alternate(
                draw_length,
                draw_lengths,
                draw_apart(wrong.beyond_the_end),
                draw_apart(wrong.finished_undivided, wrong.eos_not_counted),
            ),
            graded=8,
        ),
        Few(
            "nth",
            1,
            "n above 1: the n-th best counts; while fewer are finished, everything can win.",
            alternate(draw_nth, draw_too_few, draw_behind, draw_nth_divided),
            visible=8,
            graded=8,
        ),
        Few("equal", 0.5, "What can be equal at best comes behind.", draw_equal),
        Few(
            "arguments",
            0.5,
            "The lists are afterwards as they were.",
            draw_plain,
            probe=leaving("finished live n max_length alpha"),
        ),
    ),
    misconceptions=(
        Misconception(
            "those that cannot win",
            wrong.losers,
            "plain",
            "You return the hypotheses that cannot win. Return those that can.",
        ),
        Misconception(
            "all of them if one",
            wrong.all_or_none,
            "plain",
            "You return all live hypotheses if one can win. Judge each one by itself.",
        ),
        Misconception(
            "only the first that can win",
            wrong.only_the_first,
            "plain",
            "You return the first hypothesis that can win. Return all of them.",
        ),
        Misconception(
            "finished ones not sorted",
            wrong.in_given_order,
            "nth",
            "You take the finished ones in the order in which they finished. The n-th best is meant, not the n-th.",
        ),
        Misconception(
            "the length so far",
            wrong.own_length,
            "length",
            "You divide a live score by the length so far. It can get longer, and a longer one is divided by more: "
            "which length suits a negative score best?",
        ),
        Misconception(
            "one word more",
            wrong.one_word_more,
            "length",
            "You divide a live score by the length after one word more. It can go on to `max_length`.",
        ),
        Misconception(
            "live scores undivided",
            wrong.live_undivided,
            "length",
            "You compare sums of live hypotheses with divided scores of finished ones. Divide both.",
        ),
        Misconception(
            "finished scores undivided",
            wrong.finished_undivided,
            "length",
            "You compare divided scores of live hypotheses with sums of finished ones. Divide both.",
        ),
        Misconception(
            "nothing divided",
            wrong.nothing_divided,
            "length",
            "You compare sums, whatever α is. Both sides are divided: each finished one by its own |y|^α.",
        ),
        Misconception(
            "the best finished for every n",
            wrong.best_finished,
            "nth",
            "You compare with the best finished one, whatever n is. To come among the n best, it is enough to be "
            "better than the n-th.",
        ),
        Misconception(
            "the worst finished",
            wrong.worst_finished,
            "nth",
            "You compare with the worst finished one. The n-th best decides; the worst is that one only if exactly n "
            "are finished.",
        ),
        Misconception(
            "the worst finished, once there are n",
            wrong.worst_of_enough,
            "nth",
            "Once n are finished, you compare with the worst of them all. If more than n are finished, the n-th best "
            "is better than that.",
        ),
        Misconception(
            "the place behind the n-th",
            wrong.one_behind,
            "nth",
            "You compare with the finished one behind the n-th. Python counts from 0: the n-th best stands at n − 1.",
        ),
        Misconception(
            "nothing can win before n are finished",
            wrong.nothing_open,
            "nth",
            "While fewer than n are finished you return nothing. Then any output comes among the n best.",
        ),
        Misconception(
            "equals win",
            wrong.equals_win,
            "equal",
            "You keep a hypothesis that can be equal at best. What finished before comes first: leave it out.",
        ),
        Misconception(
            "live hypotheses changed",
            wrong.emptied,
            "arguments",
            "You change the list `live`, which belongs to the caller. Make a new one.",
        ),
    ),
    forbidden=("course_lib.search.hypothesis.power",),
)
