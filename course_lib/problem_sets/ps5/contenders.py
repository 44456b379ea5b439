"""ps5.contenders: the bound that proves when a search may stop (the course's search/beam.py; Huang et al. 2017)."""

from functools import partial

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps5 import wrong_contenders as wrong
from course_lib.problem_sets.ps5.bounds import (
    draw_apart,
    draw_arguments,
    draw_behind,
    draw_equal,
    draw_equal_finished,
    draw_exactly_n,
    draw_full,
    draw_length,
    draw_lengths,
    draw_none,
    draw_nth,
    draw_nth_divided,
    draw_plain,
    draw_too_few,
)
from course_lib.problem_sets.ps5.tables import Hypothesis
from course_lib.search import hypothesis


def reference(
    finished: list[Hypothesis], live: list[Hypothesis], n: int, max_length: int, alpha: float
) -> list[Hypothesis]:
    """Those with log p / T^α > the n-th best log p / |y|^α of the finished: log p only falls, and T suits it best."""
    normalise = hypothesis.power(alpha)
    best = sorted((normalise(log_p, len(words)) for words, log_p in finished), reverse=True)[:n]
    return [(words, log_p) for words, log_p in live if len(best) < n or normalise(log_p, max_length) > best[-1]]


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
                draw_full,
                draw_apart(wrong.alpha_at_most_one, alphas=(1.2,)),
            ),
            visible=6,
            graded=12,
        ),
        Few(
            "nth",
            1,
            "n above 1: the n-th best counts; while fewer are finished, everything can win.",
            alternate(draw_nth, draw_too_few, draw_behind, draw_nth_divided, draw_equal_finished, draw_exactly_n),
            visible=12,
            graded=12,
        ),
        Few("equal", 0.5, "What can be equal at best comes behind.", draw_equal),
        Few(
            "arguments",
            0.5,
            "The lists are afterwards as they were.",
            draw_arguments,
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
            "You divide nothing, or both sides by the same number, so the sums decide, whatever α is. Divide a live "
            "one by `max_length`^α, and each finished one by its own |y|^α.",
        ),
        Misconception(
            "alpha above 1 taken for 1",
            wrong.alpha_at_most_one,
            "length",
            "Where α is above 1 you take it for 1. It may be any number ≥ 0.",
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
            "more than n must be finished",
            wrong.more_than_n,
            "nth",
            "Where exactly n are finished you let everything win. The n-th best is there then, and decides.",
        ),
        Misconception(
            "nothing can win before n are finished",
            wrong.nothing_open,
            "nth",
            "While fewer than n are finished you return nothing. Then any output comes among the n best.",
        ),
        Misconception(
            "the last while fewer than n are finished",
            wrong.last_of_too_few,
            "nth",
            "While fewer than n are finished you compare with the worst of them. Any output comes among the n best "
            "then: every live one can win.",
        ),
        Misconception(
            "as if n were finished",
            wrong.number_not_looked_at,
            "nth",
            "You take the n-th best of the finished where fewer than n are finished: there is none. Any output comes "
            "among the n best then, so every live one can win.",
        ),
        Misconception(
            "equal ones counted once",
            wrong.distinct_only,
            "nth",
            "You count finished ones with the same score once. Each is an output: of −1, −1 and −2 the second best is "
            "−1.",
        ),
        Misconception(
            "those of `max_length` words left out",
            wrong.full_left_out,
            "length",
            "You leave out live hypotheses that have `max_length` words. They are judged as the others are: by log p "
            "divided by `max_length` to the power of α.",
        ),
        Misconception(
            "equals win",
            wrong.equals_win,
            "equal",
            "You keep a hypothesis that can be equal at best. What finished before comes first: leave it out.",
        ),
        Misconception(
            "finished ones sorted in place",
            wrong.finished_sorted,
            "arguments",
            "You sort the list `finished`, which belongs to the caller. Sort a copy, as sorted(…) does.",
        ),
        Misconception(
            "finished ones removed in place",
            wrong.losers_removed,
            "arguments",
            "You take all but the n best out of the list `finished`, which belongs to the caller. Make a new list.",
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
