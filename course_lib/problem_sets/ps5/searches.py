"""Searches that are diagnosed: a model, its largest length, the output that was found, and a reference."""

from collections.abc import Callable
from random import Random

from course_lib.problem_sets.ps5 import beam_search
from course_lib.problem_sets.ps5.tables import (
    EOS,
    Hypothesis,
    Model,
    Words,
    beginnings,
    clear,
    decided,
    early,
    is_finished,
    log_p,
    log_probs,
    outputs,
    table,
)

Search = tuple[Model, int, Hypothesis, Words]
Diagnosis = Callable[[Model, int, Hypothesis, Words], set[str]]


def means(scores: dict[Words, float]) -> dict[Words, float]:
    """log p for each word."""
    return {words: score / len(words) for words, score in scores.items()}


def with_faults(
    rng: Random,
    faults: set[str],
    diagnosis: Diagnosis,
    rounding: float = 0.0,
    off_by: tuple[float, float] = (0.2, 1.0),
) -> Search:
    """A search with these faults by this diagnosis; a right score is off by `rounding`, a wrong one `off_by`."""
    while True:
        most = rng.randint(3, 4)
        model = table(rng, 2, most, early)
        scores = dict(outputs(model, most))
        if not clear(model, most) or not decided(means(scores).values()):
            continue
        for _ in range(12):
            words, reference = (rng.choice(list(scores)) for _ in range(2))
            if "search" not in faults:
                words = max(scores, key=scores.__getitem__)
            off = rng.choice((-1, 1)) * rng.uniform(*off_by) if "score" in faults else rounding
            output = words, scores[words] + off
            if diagnosis(model, most, output, reference) == faults:
                return model, most, output, reference


def with_equals(rng: Random, faults: set[str], diagnosis: Diagnosis, asked: str, apart: float = 0.0) -> Search:
    """A search with these faults, in which two outputs have one length and one log p, by construction, or almost one.

    The output is one of them where 'search' is asked for, else the reference is. One is worse by `apart`, if that is
    given; then the other is the best of all.
    """
    while True:
        model = table(rng, 2, 3, early)
        beginning = (rng.randint(1, 2),)
        odds = [rng.uniform(0.02, 0.5), 1.0, 1.0]
        model[beginning], model[*beginning, 2] = log_probs(odds), [*model[*beginning, 1]]
        model[beginning][2] -= apart
        scores = dict(outputs(model, 3))
        if not all(decided(set(each.values())) for each in (scores, means(scores))):
            continue
        words, reference = (rng.choice(list(scores)) for _ in range(2))
        one = (*beginning, rng.randint(1, 2), EOS)
        words, reference = (one, reference) if asked == "search" else (words, one)
        if apart and max(scores.values()) - scores[one] > apart:
            continue
        if diagnosis(model, 3, (words, scores[words]), reference) == faults:
            return model, 3, (words, scores[words]), reference


def missed_by_beams(rng: Random, size: int) -> Search:
    """The best output begins so improbably that no small beam keeps it; output and reference are what a beam finds.

    It begins with a poor word, behind which the next one and EOS are nearly certain; one of the two is word 3, which
    the model of the notebook has not. All else is nearly even.
    """
    while True:
        poor, sure = rng.sample([rng.randint(1, 3), 3], 2)
        certain = {(poor,): sure, (poor, sure): EOS}
        model = {}
        for words in beginnings(3, 3):
            odds = [0.02 if len(words) < 2 else 1.0, *(rng.uniform(0.8, 1.2) for _ in range(3))]
            odds[certain.get(words, poor)] *= 40 if words in certain else 0.18 if not words else 1
            model[words] = log_probs(odds)
        (best, _), *_ = beam_search.defined(model, 5, 3, len(model))
        if clear(model, 3) and is_finished(best):
            return model, 3, (best, log_p(model, best)), best


def better_beyond(rng: Random, size: int) -> Search:
    """A table that knows one word more than there may be, and so better outputs; the best that may be is found."""
    while True:
        most = rng.randint(2, 3)
        model = table(rng, 2, most + 1, lambda beginning, most=most: 30.0 if len(beginning) == most else 0.1)
        if clear(model, most + 1) and decided(means(dict(outputs(model, most + 1))).values()):
            words, score = max(outputs(model, most), key=lambda output: output[1])
            return model, most, (words, score), words
