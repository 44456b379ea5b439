"""Cases of the diagnosis: which mistakes each kind of case shows, and how it is drawn."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.faults import about
from course_lib.grading.cases.isolate import isolating
from course_lib.grading.task import Case
from course_lib.problem_sets.ps5 import beam_search
from course_lib.problem_sets.ps5 import wrong_diagnose as wrong
from course_lib.problem_sets.ps5.tables import (
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


def case(model: Model, max_length: int, output: Hypothesis, reference: Words) -> Case:
    lengths = f"an output of {count(len(output[0]), 'word')}, a reference of {len(reference)}"
    return Case((model, max_length, output, reference), f"{size_of(model)}, at most {max_length} long, {lengths}")


def drawn(rng: Random, faults: set[str], rounding: float = 0.0, off_by: tuple[float, float] = (0.2, 1.0)) -> tuple:
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


def equals(rng: Random, asked: str, faults: set[str]) -> tuple:
    """Two outputs have one length and one log p, by construction.

    The output is one of them where 'search' is asked for, else the reference is.
    """
    while True:
        model = table(rng, 2, 3, early)
        beginning = (rng.randint(1, 2),)
        odds = [rng.uniform(0.02, 0.5), 1.0, 1.0]
        model[beginning], model[*beginning, 2] = log_probs(odds), [*model[*beginning, 1]]
        scores = dict(outputs(model, 3))
        if not all(decided(set(each.values())) for each in (scores, wrong.means(scores))):
            continue
        words, reference = (rng.choice(list(scores)) for _ in range(2))
        one = (*beginning, rng.randint(1, 2), EOS)
        words, reference = (one, reference) if asked == "search" else (words, one)
        if wrong.defined(model, 3, (words, scores[words]), reference) == faults:
            return model, 3, (words, scores[words]), reference


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
    asked: str,
    *faults: str,
    shows: tuple[Callable, ...] = (),
    rounding: float = 0.0,
    off_by: tuple[float, float] = (0.2, 1.0),
) -> Callable[[Random, int], Case]:
    """Cases with these faults that show some mistakes in the answer to whether the fault `asked` is there."""
    decorate = isolating(wrong.defined, (), case)(*shows, apart=False, probe=about(asked))
    return decorate(lambda rng, size: drawn(rng, set(faults), rounding, off_by))


def draw_equals(asked: str, *faults: str) -> tuple[Callable[[Random, int], Case], ...]:
    """Cases in which another output is as good: one that comes before the one that is asked about, and one after it."""
    shows = isolating(wrong.defined, (), case)
    return tuple(
        shows(mistake, probe=about(asked))(lambda rng, size: equals(rng, asked, set(faults)))
        for mistake in (wrong.first_best, wrong.last_best)
    )


def draw_several(*faults: str) -> Callable[[Random, int], Case]:
    return lambda rng, size: case(*drawn(rng, set(faults)))


@isolating(wrong.defined, (), case)(*wrong.beams, apart=False, probe=about("search"))
def draw_missed_by_beams(rng: Random, size: int) -> tuple:
    return missed_by_beams(rng)


@isolating(wrong.defined, (), case)(wrong.longer_ones_too, probe=about("search"))
def draw_better_beyond(rng: Random, size: int) -> tuple:
    return better_beyond(rng)
