"""Cases of beam search: which mistakes each kind of case shows, and how it is drawn."""

from collections.abc import Callable
from functools import partial
from math import inf
from random import Random

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import isolating, plainly
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps5 import wrong_beam_search as wrong
from course_lib.problem_sets.ps5.tables import (
    Model,
    Words,
    beginnings,
    clear,
    early,
    is_finished,
    never,
    size_of,
    table,
)

STEPS = (wrong.greedily, wrong.copies, wrong.best_alone)
ASIDE = (wrong.shrinking, wrong.places_empty, wrong.last_finished)
COUNT = (wrong.at_the_first, wrong.one_too_many, wrong.to_the_end)
OTHER_COUNT = (wrong.enough_at_once, wrong.k_for_enough)
LENGTH = (wrong.one_more, wrong.one_less)
ORDER = (wrong.in_order_of_finishing, wrong.by_mean)
MISTAKES = (
    *(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT, wrong.cut_to_enough, *LENGTH, *ORDER),
    *(wrong.with_unfinished, wrong.finished_only),
)


def outputs_of(function: Callable, case: Case) -> list:
    """What it returns; raises StudentError if these are no pairs of words and a score."""
    found = function(*case.arguments)
    if not isinstance(found, (list, tuple)) or not all(isinstance(e, (list, tuple)) and len(e) == 2 for e in found):
        raise StudentError(f"it returned {kind(found)}, not a list of pairs (words, score)")
    for words, _ in found:
        if not isinstance(words, (list, tuple)) or not all(type(word) is int for word in words):
            raise StudentError(f"the words of an output are {kind(words)}, not a tuple of whole numbers")
    return [(tuple(words), score) for words, score in found]


def in_any_order(function: Callable, case: Case, which: str = "", wanted: Callable = lambda words: True) -> Parts:
    """The probe that does not look at the order: which outputs there are, how many, and their scores."""
    found = [(words, score) for words, score in outputs_of(function, case) if wanted(words)]
    return Parts(
        {
            f"the set of the {which}outputs' words": {words for words, _ in found},
            f"the number of {which}outputs": len(found),
            f"the dict of the {which}outputs' scores": dict(found),
        }
    )


finished = partial(in_any_order, which="finished ", wanted=is_finished)  # the probe that looks at these alone


def case(model: Model, k: int, max_length: int, enough: int) -> Case:
    words = f"{size_of(model)}, k = {k}, at most {max_length} long, enough = {enough}"
    return Case((model, k, max_length, enough), words)


isolated = isolating(wrong.defined, MISTAKES, case)
shows = partial(
    isolated, apart=False, when=lambda model, k, max_length, enough: clear(model, max_length), probe=in_any_order
)


def closing(rng: Random, words: int, length: int, eos: Callable[[Words], float]) -> Model:
    """A model whose outputs have at most `length` words: EOS is certain then. It knows one beginning more."""
    model = table(rng, words, length - 1, eos)
    certain = [0.0] + [-inf] * words
    return model | {each: certain for each in beginnings(words, length + 1) if len(each) >= length - 1}


@shows(*STEPS)
def draw_steps(rng: Random, size: int) -> tuple:
    """All outputs end in the same step, and then nothing goes on."""
    return closing(rng, 3, 3, lambda _: 0.0), 2 + size % 2, 4 + size % 3, 10


@shows(*ASIDE, free=(*STEPS, *COUNT, *OTHER_COUNT))
def draw_aside(rng: Random, size: int) -> tuple:
    return closing(rng, 2 + size % 2, 4 - size % 2, early), 2, 5, 10


def draw_enough(*wanted: Callable) -> Callable[[Random, int], Case]:
    @shows(*wanted, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT, wrong.cut_to_enough, wrong.with_unfinished))
    def draw(rng: Random, size: int) -> tuple:
        return closing(rng, 2, 4, early), 2 + size % 2, 5, 1 + rng.randint(0, 2)

    return draw


@shows(
    *(wrong.at_the_first, wrong.first_for_one, wrong.best_alone),
    free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT, wrong.cut_to_enough, wrong.with_unfinished),
)
def draw_one_live(rng: Random, size: int) -> tuple:
    """k = 1, and more than one output is enough."""
    return closing(rng, 2, 4, early), 1, 5, 2


@shows(*LENGTH, wrong.two_at_least, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT), probe=finished)
def draw_one_word(rng: Random, size: int) -> tuple:
    """There may be one word only."""
    return table(rng, 2, 3, lambda _: 1.5), 2, 1, 10


@shows(*LENGTH, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT), probe=finished)
def draw_length(rng: Random, size: int) -> tuple:
    return table(rng, 2, 5, early), 2, rng.randint(2, 3), 10


@shows(wrong.finished_only, free=(*STEPS, *LENGTH))
def draw_none(rng: Random, size: int) -> tuple:
    """Nothing is finished in time."""
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), 2, most, rng.randint(1, 3)


@shows(wrong.with_unfinished, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT, *LENGTH))
def draw_some(rng: Random, size: int) -> tuple:
    return table(rng, 2, 4, early), 2, rng.randint(2, 3), 10


@shows(*ORDER, free=(*STEPS, *ASIDE, *COUNT, *OTHER_COUNT), probe=plainly)
def draw_order(rng: Random, size: int) -> tuple:
    return closing(rng, 2, 4, early), 2 + size // 2 % 2, 5, 10


@shows(wrong.unfinished_worst_first, free=(*STEPS, *LENGTH, wrong.finished_only), probe=plainly)
def draw_order_of_unfinished(rng: Random, size: int) -> tuple:
    most = rng.randint(2, 3)
    return table(rng, 2, most + 1, never), 2, most, rng.randint(1, 3)
