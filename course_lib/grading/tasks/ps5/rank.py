"""ps5.rank: outputs of different length compared (the course's search/hypothesis.py; Wu et al. 2016, equation 14)."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps5 import wrong_rank as wrong
from course_lib.grading.tasks.ps5.tables import EOS, Hypothesis, Words, decided, exact, left
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


# Cases

ORDER = (wrong.old_order, wrong.smallest_first, wrong.order_of_sums)
OF_BOTH = (
    *(wrong.without_eos, wrong.one_less, wrong.one_more, wrong.multiplied, wrong.sums_returned),
    *(wrong.never_alpha, wrong.exchanged),
)
OF_POWER = (wrong.alpha_ignored, wrong.alpha_as_factor)
OF_GNMT = (wrong.no_five, wrong.six_outside, wrong.five_outside, wrong.not_over_six, wrong.power_for_both)
FINISHED = (wrong.all_together, wrong.unfinished_last)
TIES = (wrong.last_tie, wrong.tuples_sorted)
MISTAKES = (*ORDER, *OF_BOTH, *OF_POWER, *OF_GNMT, *FINISHED, wrong.finished_only, *TIES)


def case(hypotheses: list[Hypothesis], penalty: str, alpha: float) -> Case:
    lengths = ", ".join(str(len(words)) for words, _ in hypotheses)
    return Case(
        (hypotheses, penalty, alpha), f"{len(hypotheses)} outputs, their lengths {lengths}; {penalty}, α = {alpha}"
    )


def clear(hypotheses: list[Hypothesis], *arguments) -> bool:
    """Whether sums, and sums divided, decide which output is the better one."""
    divided = wrong.defined(hypotheses, *arguments, choose=lambda each: each)
    return decided(score for _, score in hypotheses) and decided(score for _, score in divided)


shows = partial(isolating(wrong.defined, MISTAKES, case), apart=False, when=clear)


def output(rng: Random, length: int, finished: bool = True, word: Callable | None = None) -> Hypothesis:
    """Random words and a score that suits their number."""
    words: Words = tuple(rng.randint(1, 9) for _ in range(length - finished)) + (EOS,) * finished
    return words, exact(-sum(rng.uniform(0.3, 1.2) for _ in range(length)))


def outputs(rng: Random, count: int, finished: Callable[[], bool] = lambda: True) -> list[Hypothesis]:
    return [output(rng, length, finished()) for length in rng.sample(range(2, 10), count)]


@shows(*ORDER, *OF_BOTH, *OF_POWER)
def draw_power(rng: Random, size: int) -> tuple:
    return outputs(rng, 3 + size % 2), "power", rng.choice((0.5, 0.6, 0.8))


@shows(*OF_GNMT, free=(*ORDER, *OF_BOTH))
def draw_gnmt(rng: Random, size: int) -> tuple:
    return outputs(rng, 3 + size % 2), "gnmt", rng.choice((0.6, 0.8, 1.2))


@shows(*FINISHED, free=(*ORDER, *OF_BOTH))
def draw_some(rng: Random, size: int) -> tuple:
    return outputs(rng, 4, lambda: rng.random() < 0.5), "power", 1.0


@shows(wrong.finished_only, free=(*ORDER, *OF_BOTH))
def draw_none(rng: Random, size: int) -> tuple:
    return outputs(rng, 3, lambda: False), "power", 1.0


@shows(*TIES, free=(*ORDER, *OF_BOTH))
def draw_ties(rng: Random, size: int) -> tuple:
    """Outputs of 2, 4 or 8 words, with sums in quarters: divided by the length, some are equal, and exactly so."""
    different: set[Words] = set()
    while len(different) < 4:
        different.add(output(rng, rng.choice((2, 4, 8)))[0])
    tied = [(words, -len(words) * rng.randint(2, 4) / 4) for words in rng.sample(sorted(different), 4)]
    return tied, "power", 1.0


@shows(free=(*ORDER, *OF_BOTH, *OF_GNMT))
def draw_plain(rng: Random, size: int) -> tuple:
    """α = 0: the sums themselves."""
    return outputs(rng, 3), "gnmt", 0.0


@shows(wrong.emptied, wrong.best_put_first, wrong.removed, free=MISTAKES, probe=left)
def draw_arguments(rng: Random, size: int) -> tuple:
    """Some finished, and in an order that no sorting leaves as it is."""
    return outputs(rng, 4, lambda: rng.random() < 0.6), "power", 1.0


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
            alternate(draw_some, draw_none),
        ),
        Few("ties", 0.5, "Of equals the one that came first.", draw_ties),
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
