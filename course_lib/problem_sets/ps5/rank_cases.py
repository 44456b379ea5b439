"""Cases of the ranking: which mistakes each kind of case shows, and how it is drawn."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.grading.cases.isolate import Draw, isolating
from course_lib.grading.task import Case
from course_lib.problem_sets.ps5 import wrong_rank as wrong
from course_lib.problem_sets.ps5.tables import EOS, Hypothesis, Words, decided, exact, left

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


def tied_alike(hypotheses: list[Hypothesis], *arguments) -> bool:
    """Whether equals have equal sums and lengths, so that they are equal however one divides, and all others differ."""
    divided = wrong.defined(hypotheses, *arguments, choose=lambda each: each)
    kinds = {(score, len(words)) for words, score in hypotheses}
    return len({score for _, score in divided}) == len(kinds) and decided({score for _, score in divided})


shows = partial(isolating(wrong.defined, MISTAKES, case), apart=False, when=clear)


def output(rng: Random, length: int, finished: bool = True, word: Callable | None = None) -> Hypothesis:
    """Random words and a score that suits their number."""
    words: Words = tuple(rng.randint(1, 9) for _ in range(length - finished)) + (EOS,) * finished
    return words, exact(-sum(rng.uniform(0.3, 1.2) for _ in range(length)))


def outputs(rng: Random, count: int, finished: Callable[[], bool] = lambda: True) -> list[Hypothesis]:
    return [output(rng, length, finished()) for length in rng.sample(range(2, 10), count)]


@shows(*ORDER, *OF_BOTH, *OF_POWER)
def draw_power(rng: Random, size: int) -> tuple:
    return outputs(rng, 3 + size % 2), "power", (0.5, 1.2, 0.6, 0.8)[size % 4]


@shows(*OF_GNMT, free=(*ORDER, *OF_BOTH))
def draw_gnmt(rng: Random, size: int) -> tuple:
    return outputs(rng, 3 + size % 2), "gnmt", (1.2, 0.6, 0.8)[size // 2 % 3]


@shows(*FINISHED, free=(*ORDER, *OF_BOTH))
def draw_some(rng: Random, size: int) -> tuple:
    return outputs(rng, 4, lambda: rng.random() < 0.5), "power", 1.0


def draw_none(penalty: str, alpha: float, *wanted: Callable) -> Draw:
    """Nothing is finished."""

    @shows(wrong.finished_only, *wanted, free=(*ORDER, *OF_BOTH, *OF_POWER, *OF_GNMT))
    def draw(rng: Random, size: int) -> tuple:
        return outputs(rng, 3, lambda: False), penalty, alpha

    return draw


def draw_ties(finished: bool, *wanted: Callable) -> Draw:
    """Two pairs of outputs that have the same length and the same sum."""

    @shows(*TIES, *wanted, free=(*ORDER, *OF_BOTH, *OF_POWER, *OF_GNMT, wrong.finished_only), when=tied_alike)
    def draw(rng: Random, size: int) -> tuple:
        different: dict[Words, float] = {}
        for length in rng.sample(range(2, 10), 2):
            words, score = output(rng, length, finished)
            twin = next(
                each for each in iter(lambda length=length: output(rng, length, finished)[0], None) if each != words
            )
            different |= {words: score, twin: score}
        return rng.sample(sorted(different.items()), 4), *(("power", 1.0), ("gnmt", 0.6))[size // 2 % 2]

    return draw


@shows(free=(*ORDER, *OF_BOTH, *OF_GNMT))
def draw_plain(rng: Random, size: int) -> tuple:
    """α = 0: the sums themselves."""
    return outputs(rng, 3), "gnmt", 0.0


@shows(wrong.emptied, wrong.best_put_first, wrong.removed, free=MISTAKES, probe=left)
def draw_arguments(rng: Random, size: int) -> tuple:
    """Some finished, and in an order that no sorting leaves as it is."""
    return outputs(rng, 4, lambda: rng.random() < 0.6), "power", 1.0
