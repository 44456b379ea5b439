"""Lengths of sentence pairs that show one mistake in planning batches, and no other."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import isolating, until
from course_lib.grading.cases.probes import called
from course_lib.grading.compare import kind
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps7 import wrong_plan_batches as wrong
from course_lib.problem_sets.ps7.wrong_plan_batches import Length

ORDER = (wrong.not_sorted, wrong.longest_first, wrong.by_source, wrong.by_target, wrong.by_sum, wrong.by_shorter_side)
TIES = (wrong.only_the_longer_side, wrong.source_before_target, wrong.last_of_equals)
BUDGET = (
    *(wrong.padding_not_counted, wrong.sentences_counted, wrong.without_the_new_one, wrong.one_too_many),
    *(wrong.full_is_too_full, wrong.last_one_lost),
)
SIDES = (wrong.source_alone, wrong.target_alone, wrong.both_sides_added)
LONG = (
    *(wrong.too_long_alone, wrong.as_long_is_too_long, wrong.too_long_by_the_sum, wrong.too_long_on_both_sides),
    *(wrong.stops_at_the_first_too_long, wrong.counted_after_leaving_out),
)
PADDING = (
    *(wrong.padding_of_the_source, wrong.padding_of_the_target, wrong.square, wrong.words_counted),
    *(wrong.all_places_counted, wrong.all_tokens_subtracted, wrong.places_of_all_pairs),
)
MISTAKES = (*ORDER, *TIES, *BUDGET, *SIDES, *LONG, *PADDING)
NAMES = ["batches", "padding"]


def planned(function: Callable, case: Case) -> list[list[int]]:
    """The batches, also where they come alone, or behind the padding: that is for the criterion of the padding."""
    found = function(*case.arguments)
    if are_batches(found):
        return list(found)
    first, second = called(lambda: found, (), NAMES).values()
    batches = second if type(first) is int else first
    if not isinstance(batches, (list, tuple)) or not all(isinstance(each, (list, tuple)) for each in batches):
        raise StudentError(f"the batches are {kind(batches)}, not a list of lists")
    for each in (each for batch in batches for each in batch):
        if type(each) is not int:
            raise StudentError(f"a batch holds {kind(each)}, not the number of a pair")
    return list(batches)


def are_batches(found: Any) -> bool:
    """Whether these are batches, and nothing beside."""
    lists = isinstance(found, (list, tuple)) and all(isinstance(each, (list, tuple)) for each in found)
    return lists and all(type(number) is int for each in found for number in each)


def in_order(function: Callable, case: Case) -> Parts:
    """The probe that looks at the order of the pairs, whatever batches they are in."""
    return Parts({"the order of the pairs": [number for batch in planned(function, case) for number in batch]})


def batches(function: Callable, case: Case) -> Parts:
    """The probe that looks at the batches, whatever their order and that of their pairs."""
    return Parts({"the batches, in any order,": sorted(map(sorted, planned(function, case)))})


def padding(function: Callable, case: Case) -> Parts:
    """The probe that looks at the padding."""
    found = function(*case.arguments)
    if are_batches(found):
        raise StudentError("it returned the batches alone, without `padding`")
    values = called(lambda: found, (), NAMES)
    if type(values["batches"]) is int:
        raise StudentError("it returned a number first, not the batches and then `padding`")
    return Parts({"padding": values["padding"]})


def case(lengths: list[Length], max_tokens: int) -> Case:
    return Case((lengths, max_tokens), f"{len(lengths)} pairs, at most {max_tokens} tokens a side")


shows = partial(isolating(wrong.defined, MISTAKES, case), apart=False, probe=batches)


def pairs(rng: Random, count: int, most: int) -> list[Length]:
    return [(rng.randint(1, most), rng.randint(1, most)) for _ in range(count)]


def several_batches(lengths: list[Length], max_tokens: int) -> bool:
    return len(wrong.defined(lengths, max_tokens)[0]) > 1


def alike(rng: Random, count: int) -> list[Length]:
    """Pairs whose sides are equally long, no two of one length."""
    return [(n, n) for n in rng.sample(range(1, count + 3), count)]


@partial(shows, probe=in_order)(*ORDER, free=(*TIES, wrong.last_one_lost), when=several_batches)
def draw_order(rng: Random, size: int) -> tuple:
    """No two have a longer side of the same length; they are in several batches."""
    longer = rng.sample(range(2, 9), 4)
    lengths = [rng.sample((n, rng.randint(1, n - 1)), 2) for n in longer]
    return [tuple(each) for each in lengths], rng.randint(12, 16)


@partial(shows, probe=in_order)(*TIES, free=(*ORDER, wrong.last_one_lost))
def draw_ties(rng: Random, size: int) -> tuple:
    """Longer sides of the same length, and some pairs that are the same; all fit into one batch."""
    lengths = pairs(rng, 4, 3)
    return rng.sample([*lengths, lengths[0], lengths[1]], 6), 100


def draw_budget(mistake: Callable) -> Callable[[Random, int], Case]:
    """Pairs whose sides are equally long."""

    @shows(mistake, free=(*ORDER, *BUDGET, *LONG, wrong.both_sides_added))
    def drawn(rng: Random, size: int) -> tuple:
        return alike(rng, 5 + size % 2), rng.randint(12, 20)

    return drawn


def draw_sides(mistake: Callable) -> Callable[[Random, int], Case]:
    """Sides of different lengths; which side of a batch is longer differs."""

    @shows(mistake, free=(*ORDER, *BUDGET, *SIDES, *LONG), when=different)
    def drawn(rng: Random, size: int) -> tuple:
        return pairs(rng, 6, 7), rng.randint(12, 20)

    return drawn


def different(lengths: list[Length], max_tokens: int) -> bool:
    """Whether each pair has a longer side of its own length: no ties."""
    return len({max(pair) for pair in lengths}) == len(lengths)


def draw_long(mistake: Callable) -> Callable[[Random, int], Case]:
    """One pair or two of which a side is too long, anywhere in the list, and one that just fits."""

    @shows(mistake, free=(*ORDER, *BUDGET, *SIDES, *LONG, *TIES), when=different)
    def drawn(rng: Random, size: int) -> tuple:
        most = rng.randint(6, 8)
        long = [tuple(rng.sample((most + 1, rng.randint(1, 3)), 2)), (most + 2, most + 3)][: 1 + size % 2]
        full = (most, rng.randint(2, 4))[:: 1 if size // len(LONG) % 2 else -1]
        return rng.sample([*pairs(rng, 3, 4), *long, full], 4 + len(long)), most

    return drawn


@partial(shows, probe=padding)(*PADDING, free=[mistake for mistake in MISTAKES if mistake not in LONG])
def draw_padding(rng: Random, size: int) -> tuple:
    """The last pair is left out."""
    most = rng.randint(10, 16)
    return [*pairs(rng, 4 + size % 3, 5), (most + rng.randint(1, 3), most + rng.randint(1, 3))], most


def draw_changes(rng: Random, size: int) -> Case:
    """Pairs that are not sorted, make several batches, and one or two of which are too long."""

    def drawn() -> tuple:
        return pairs(rng, 7, 9), rng.randint(6, 8)

    def fits(lengths: list[Length], max_tokens: int) -> bool:
        long = sum(max(pair) > max_tokens for pair in lengths)
        unsorted = lengths not in (sorted(lengths), sorted(lengths, key=max))
        return 1 <= long <= 2 and unsorted and several_batches(lengths, max_tokens)

    return case(*until(drawn, fits))
