"""ps5.rank: outputs of different length compared (the course's search/hypothesis.py; Wu et al. 2016, equation 14)."""

from functools import partial

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.task import Criterion, Misconception, Task
from course_lib.problem_sets.ps5 import wrong_rank as wrong
from course_lib.problem_sets.ps5.rank_cases import (
    draw_arguments,
    draw_gnmt,
    draw_none,
    draw_plain,
    draw_power,
    draw_some,
    draw_ties,
)
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis
from course_lib.search import hypothesis


def reference(hypotheses: list[Hypothesis], penalty: str, alpha: float) -> list[Hypothesis]:
    """log p(y) / |y|^α ("power") or log p(y) / ((5 + |y|) / 6)^α ("gnmt") of what is finished, the best first."""
    normalise = {"power": hypothesis.power, "gnmt": hypothesis.gnmt}[penalty](alpha)
    found = [
        hypothesis.Hypothesis(words[: len(words) - done], log_p, normalise(log_p, len(words)), done)
        for words, log_p in hypotheses
        for done in [words[-1] == EOS]
    ]
    best = hypothesis.ranked([each for each in found if each.finished] or found)
    return [(each.words + (EOS,) * each.finished, each.score) for each in best]


Few = partial(Criterion, visible=4, graded=6)

TASK = Task(
    name="ps5.rank",
    title="Outputs of different length",
    reference=reference,
    criteria=(
        Few("power", 1, "The best first, by log p divided by |y|^α.", draw_power),
        Few(
            "gnmt",
            1.5,
            "The same by log p divided by ((5 + |y|) / 6)^α; α = 0 changes nothing.",
            alternate(draw_gnmt, draw_plain),
        ),
        Few(
            "finished",
            1.5,
            "Unfinished outputs are left out, unless all are unfinished.",
            alternate(
                draw_some,
                draw_none("gnmt", 0.6, wrong.unfinished_by_power, wrong.unfinished_without_alpha),
                draw_some,
                draw_none("power", 0.5, wrong.unfinished_by_gnmt, wrong.unfinished_without_alpha),
            ),
            graded=8,
        ),
        Few(
            "ties",
            0.5,
            "Of equals the one that came first.",
            alternate(draw_ties(True), draw_ties(False, wrong.last_tie_of_unfinished)),
        ),
        Few(
            "arguments",
            0.5,
            "The list is afterwards as it was.",
            draw_arguments,
            probe=leaving("hypotheses penalty alpha"),
        ),
    ),
    misconceptions=(
        Misconception(
            "not sorted",
            wrong.old_order,
            "power",
            "Your outputs stand in the order in which they came. The best one comes first.",
        ),
        Misconception(
            "the worst first",
            wrong.smallest_first,
            "power",
            "Your list begins with the smallest score. The largest, nearest to 0, is the best.",
        ),
        Misconception(
            "sorted by the sums",
            wrong.order_of_sums,
            "power",
            "You sort by log p and divide afterwards. Sort by what you divided.",
        ),
        Misconception(
            "EOS not counted",
            wrong.without_eos,
            "power",
            "You do not count EOS in |y|. It is a word of the output, and its log-probability is in the sum.",
        ),
        Misconception(
            "one word too few counted",
            wrong.one_less,
            "power",
            "Your |y| is smaller by one than the number of words. EOS is a word of the output, too.",
        ),
        Misconception(
            "one word too many counted",
            wrong.one_more,
            "power",
            "Your |y| is larger by one than the number of words.",
        ),
        Misconception(
            "multiplied",
            wrong.multiplied,
            "power",
            "You multiply by the penalty: long outputs, which are less probable already, lose twice. Divide by it.",
        ),
        Misconception(
            "sums returned",
            wrong.sums_returned,
            "power",
            "The order is right, but the scores that you return are not divided.",
        ),
        Misconception(
            "alpha ignored",
            wrong.never_alpha,
            "power",
            "You divide by |y|, or by (5 + |y|) / 6, whatever α is. Take it to the power of α first.",
        ),
        Misconception(
            'alpha ignored in "power"',
            wrong.alpha_ignored,
            "power",
            'For "power" you divide by |y| whatever α is. Divide by |y| to the power of α.',
        ),
        Misconception(
            "penalties exchanged",
            wrong.exchanged,
            "power",
            'You take the penalty "gnmt" for "power", and "power" for "gnmt".',
        ),
        Misconception(
            "alpha as a factor",
            wrong.alpha_as_factor,
            "power",
            "You divide by α |y|. α is an exponent.",
        ),
        Misconception(
            "alpha above 1 taken for 1",
            wrong.alpha_at_most_one,
            "power",
            "Where α is above 1 you take it for 1. It may be any number ≥ 0.",
        ),
        Misconception(
            "GNMT without the 5",
            wrong.no_five,
            "gnmt",
            'Your penalty "gnmt" lacks the 5, which makes it 1 for an output of one word.',
        ),
        Misconception(
            "6 outside of the power",
            wrong.six_outside,
            "gnmt",
            "You divide by 6 after taking the power. The whole fraction (5 + |y|) / 6 is taken to the power of α.",
        ),
        Misconception(
            "5 outside of the power",
            wrong.five_outside,
            "gnmt",
            "You add 5 after taking the power. The whole fraction (5 + |y|) / 6 is taken to the power of α.",
        ),
        Misconception(
            "GNMT without the 6",
            wrong.not_over_six,
            "gnmt",
            'Your penalty "gnmt" lacks the division by 6, which makes it 1 for an output of one word.',
        ),
        Misconception(
            "the power for both",
            wrong.power_for_both,
            "gnmt",
            'You divide by |y|^α for "gnmt", too.',
        ),
        Misconception(
            "unfinished outputs among the finished",
            wrong.all_together,
            "finished",
            "You rank unfinished outputs among the finished ones. Leave them out.",
        ),
        Misconception(
            "unfinished outputs behind the finished",
            wrong.unfinished_last,
            "finished",
            "You put unfinished outputs behind the finished ones. Where one output is finished, leave them out.",
        ),
        Misconception(
            "nothing where nothing is finished",
            wrong.finished_only,
            "finished",
            "You return nothing where no output is finished. A translation that breaks off is better than none.",
        ),
        Misconception(
            "unfinished outputs by the power",
            wrong.unfinished_by_power,
            "finished",
            'Where nothing is finished you divide by |y|^α for "gnmt", too. Rank unfinished outputs as finished ones.',
        ),
        Misconception(
            "alpha ignored where nothing is finished",
            wrong.unfinished_without_alpha,
            "finished",
            "Where nothing is finished you take α for 1. Rank unfinished outputs as finished ones.",
        ),
        Misconception(
            "the last of equal unfinished ones",
            wrong.last_tie_of_unfinished,
            "ties",
            "Of equal unfinished outputs you put the last one first. Keep the order in which they came.",
        ),
        Misconception(
            "the last of equals",
            wrong.last_tie,
            "ties",
            "Of equal scores you put the last one first. Keep the order in which they came.",
        ),
        Misconception(
            "tuples sorted backwards",
            wrong.tuples_sorted,
            "ties",
            "You sort pairs (score, words) in reverse: of equal scores the larger words win. Sort by the score alone, "
            "in a way that keeps the order of equals.",
        ),
        Misconception(
            "the list sorted in place",
            wrong.emptied,
            "arguments",
            "You sort the list that you are given. It belongs to the caller: make a new one, as sorted(…) does.",
        ),
        Misconception(
            "unfinished outputs removed in place",
            wrong.removed,
            "arguments",
            "You take the unfinished outputs out of the list that you are given. It belongs to the caller: make a new "
            "one of those that you want.",
        ),
    ),
    forbidden=(
        "course_lib.search.hypothesis.power",
        "course_lib.search.hypothesis.gnmt",
        "course_lib.search.hypothesis.ranked",
    ),
)
