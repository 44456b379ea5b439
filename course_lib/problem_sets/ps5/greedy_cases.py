"""Cases of greedy search: which mistakes each kind of case shows, and how it is drawn."""

from collections.abc import Callable
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import isolating
from course_lib.grading.cases.probes import called
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps5 import wrong_greedy as wrong
from course_lib.problem_sets.ps5.tables import (
    Model,
    close_row,
    early,
    even_row,
    is_finished,
    never,
    part,
    ranked_clearly,
    size_of,
    table,
)

CHOICE = (wrong.last_word_only, wrong.first_row_only, wrong.least_probable, wrong.first_words_only)
END = (wrong.without_eos, wrong.never_ending)
LENGTH = (wrong.one_more, wrong.one_less, wrong.closed)
TIE = (wrong.last_tie, wrong.eos_last_of_equals)
SCORE = (wrong.eos_unscored, wrong.probability, wrong.mean, wrong.product, wrong.last_score)

NAMES = "words score"
words_seen, score_seen = part(NAMES, "words"), part(NAMES, "score")


def without_eos(function: Callable, case: Case) -> Parts:
    """The probe that looks at the words, whether EOS stands behind them or not."""
    words = called(function, case.arguments, NAMES.split())["words"]
    if not isinstance(words, (list, tuple)):
        raise StudentError(f"words is {kind(words)}, not a tuple of whole numbers")
    return Parts({"words, without EOS,": words[:-1] if is_finished(tuple(words)) else words})


def case(model: Model, max_length: int) -> Case:
    return Case((model, max_length), f"{size_of(model)}, at most {max_length} long")


shows = isolating(wrong.defined, (*CHOICE, *END, *LENGTH, wrong.eos_not_counted, *TIE, *SCORE), case)


def ends(model: Model, max_length: int) -> bool:
    """Whether greedy search ends in EOS, and not at its last step."""
    return ranked_clearly(model) and len(wrong.defined(model, max_length)[0]) < max_length


@shows(*CHOICE, free=(*END, *LENGTH), apart=False, probe=without_eos, when=ends)
def draw_words(rng: Random, size: int) -> tuple:
    return table(rng, 3 + size % 2, 4, early), 4


@shows(wrong.rounded, free=(*CHOICE, *END, *LENGTH), probe=without_eos, when=ends)
def draw_close(rng: Random, size: int) -> tuple:
    """Two words are nearly equally probable."""
    return table(rng, 3, 4, early), 4


@shows(
    *(wrong.to_three_digits, wrong.near_the_best),
    free=(*CHOICE, *END, *LENGTH),
    apart=False,
    probe=without_eos,
    when=ends,
)
def draw_nearly_equal(rng: Random, size: int) -> tuple:
    """Two words differ by the least that they may."""
    eos = (0.2, 0.5, 5.0, 1.0)
    return table(rng, 3, 4, lambda beginning: eos[len(beginning)], draw=close_row), 4


@shows(*END, free=CHOICE, probe=words_seen, when=ends)
def draw_end(rng: Random, size: int) -> tuple:
    return table(rng, 2, 5, early), 4


@shows(wrong.one_less, free=(*CHOICE, *END), probe=words_seen, when=lambda model, _: ranked_clearly(model))
def draw_just_in_time(rng: Random, size: int) -> tuple:
    """EOS is the last word that there may be."""
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, lambda beginning: 30.0 if len(beginning) == most - 1 else 0.001), most


@shows(*LENGTH, free=(*CHOICE, *END), probe=words_seen, when=lambda model, _: ranked_clearly(model))
def draw_unfinished(rng: Random, size: int) -> tuple:
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), most


@shows(
    *(*LENGTH, wrong.two_at_least),
    free=(*CHOICE, *END),
    apart=False,
    probe=words_seen,
    when=lambda model, _: ranked_clearly(model),
)
def draw_one_word(rng: Random, size: int) -> tuple:
    """There may be one word only."""
    return table(rng, 2, 2, never), 1


@shows(
    *(wrong.one_more, wrong.closed, wrong.eos_not_counted),
    free=(*CHOICE, *END, *LENGTH),
    apart=False,
    probe=words_seen,
)
def draw_just_too_late(rng: Random, size: int) -> tuple:
    """EOS is the most probable word behind `max_length` others; the table knows this beginning."""
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, lambda beginning: 30.0 if len(beginning) == most else 0.001), most


@shows(wrong.last_tie, free=(*CHOICE, *END), probe=words_seen)
def draw_ties(rng: Random, size: int) -> tuple:
    """Words that are not EOS."""
    return table(rng, 2, 4, draw=even_row), 3


@shows(wrong.eos_last_of_equals, free=(*CHOICE, *END, *TIE), probe=words_seen)
def draw_ties_with_eos(rng: Random, size: int) -> tuple:
    return table(rng, 2, 4, draw=even_row), 3


@shows(*SCORE, free=(*CHOICE, *END), probe=score_seen, when=ends)
def draw_score(rng: Random, size: int) -> tuple:
    return table(rng, 2, 5, early), 4


@shows(
    wrong.unfinished_impossible,
    free=(*CHOICE, *END, *LENGTH, *SCORE),
    probe=score_seen,
    when=lambda model, _: ranked_clearly(model),
)
def draw_score_of_unfinished(rng: Random, size: int) -> tuple:
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), most
