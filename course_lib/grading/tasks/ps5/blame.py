"""Cases of the diagnosis: which mistakes each kind of case shows, and how it is drawn."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.isolate import isolating
from course_lib.grading.task import Case
from course_lib.grading.tasks.ps5 import wrong_beam_search as beam_search
from course_lib.grading.tasks.ps5 import wrong_diagnose as wrong
from course_lib.grading.tasks.ps5.tables import (
    EOS,
    Hypothesis,
    Model,
    Words,
    beginnings,
    clear,
    count,
    decided,
    early,
    is_finished,
    log_p,
    log_probs,
    outputs,
    size_of,
    table,
)

NOT_THE_BEST = (wrong.reference_missed, wrong.compared_with_output)
MEANS = (wrong.mean_of_output, wrong.shorter_output)
MISTAKES = (
    *(*NOT_THE_BEST, *MEANS, wrong.other_than_reference, wrong.report_believed, wrong.searched_by_mean),
    *(wrong.length_and_model, wrong.different_is_wrong, wrong.length_not_looked_at, wrong.eos_not_counted),
    *(wrong.score_not_looked_at, wrong.to_the_bit, wrong.right_output_no_fault, wrong.unfinished_counted),
    wrong.only_the_first,
)


def case(model: Model, max_length: int, output: Hypothesis, reference: Words) -> Case:
    lengths = f"an output of {count(len(output[0]), 'word')}, a reference of {len(reference)}"
    return Case((model, max_length, output, reference), f"{size_of(model)}, at most {max_length} long, {lengths}")


def drawn(rng: Random, faults: set[str], rounding: float, off_by: tuple[float, float]) -> tuple:
    """A model, an output and a reference with these faults, a right score off by `rounding`, a wrong one `off_by`."""
    while True:
        most = rng.randint(3, 4)
        model = table(rng, 2, most, early)
        scores = dict(outputs(model, most))
        if not clear(model, most) or not decided(wrong.means(scores).values()):
            continue
        for _ in range(12):
            words, reference = (rng.choice(list(scores)) for _ in range(2))
            if not faults & {"search"}:
                words = max(scores, key=scores.__getitem__)
            off = rng.choice((-1, 1)) * rng.uniform(*off_by) if "score" in faults else rounding
            output = words, scores[words] + off
            if wrong.defined(model, most, output, reference) == faults:
                return model, most, output, reference


def missed_by_beams(rng: Random) -> tuple:
    """The best output begins so improbably that no small beam keeps it; output and reference are what a beam finds.

    It begins with a poor word, behind which the next one and EOS are nearly certain. All else is nearly even.
    """
    while True:
        poor, sure = rng.randint(1, 3), rng.randint(1, 3)
        certain = {(poor,): sure, (poor, sure): EOS}
        model = {}
        for words in beginnings(3, 3):
            odds = [0.02 if len(words) < 2 else 1.0, *(rng.uniform(0.8, 1.2) for _ in range(3))]
            odds[certain.get(words, poor)] *= 40 if words in certain else 0.18 if not words else 1
            model[words] = log_probs(odds)
        (best, _), *_ = beam_search.defined(model, 5, 3, len(model))
        if clear(model, 3) and is_finished(best):
            return model, 3, (best, log_p(model, best)), best


def better_beyond(rng: Random) -> tuple:
    """A table that knows one word more than there may be, and so better outputs; the best that may be is found."""
    while True:
        most = rng.randint(2, 3)
        model = table(rng, 2, most + 1, lambda beginning, most=most: 30.0 if len(beginning) == most else 0.1)
        if clear(model, most + 1) and decided(wrong.means(dict(outputs(model, most + 1))).values()):
            words, score = max(outputs(model, most), key=lambda output: output[1])
            return model, most, (words, score), words


def draw(
    *faults: str,
    shows: tuple[Callable, ...] = (),
    hides: tuple[Callable, ...] = (),
    rounding: float = 0.0,
    off_by: tuple[float, float] = (0.2, 1.0),
) -> Callable[[Random, int], Case]:
    """The cases with these faults that show some mistakes and not others; the rest as they come."""
    free = [mistake for mistake in MISTAKES if mistake not in hides]
    decorate = isolating(wrong.defined, MISTAKES, case)(*shows, free=free, apart=False)
    return decorate(lambda rng, size: drawn(rng, set(faults), rounding, off_by))


def draw_missed_by_beams(rng: Random, size: int) -> Case:
    decorate = isolating(wrong.defined, MISTAKES, case)(*wrong.beams, free=MISTAKES, apart=False)
    return decorate(lambda rng, size: missed_by_beams(rng))(rng, size)


def draw_better_beyond(rng: Random, size: int) -> Case:
    decorate = isolating(wrong.defined, MISTAKES, case)(wrong.longer_ones_too, free=MISTAKES)
    return decorate(lambda rng, size: better_beyond(rng))(rng, size)
