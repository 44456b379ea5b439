"""ps7.plan_batches: batches of pairs of similar length within a budget of tokens (Vaswani et al. 2017, section 5.1)."""

from collections.abc import Callable
from functools import partial
from itertools import takewhile
from random import Random
from typing import Any

from course_lib.corpora.batches import Batches
from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating, until
from course_lib.grading.cases.probes import returned_values
from course_lib.grading.compare import kind
from course_lib.grading.declare import arguments, changing, criterion, task, versions
from course_lib.grading.task import Case, Criterion, Parts
from course_lib.subwords.vocabulary import Vocabulary

Length = tuple[int, int]  # of the source and of the target
Plan = tuple[list[list[int]], int]


def reference(lengths: list[Length], max_tokens: int) -> Plan:
    """The batches of the course's plan, where it takes equally long pairs in random order: here in their own order."""
    order = sorted((i for i, pair in enumerate(lengths) if max(pair) <= max_tokens), key=lambda i: (key(lengths[i]), i))
    ids = [([0] * (source - 1), [0] * (target - 1)) for source, target in (lengths[i] for i in order)]  # without eos
    plan = Batches(ids, max_tokens, Vocabulary([])).plan(0)
    sides = sorted(([key(lengths[order[i]]) for i in batch] for batch in plan), key=lambda b: (b[0], b[-1], -len(b)))
    rest = iter(order)
    batches = [[next(rest) for _ in batch] for batch in sides]
    padding = sum(
        len(b) * (max(t for _, t, _ in b) + max(s for *_, s in b)) - sum(t + s for _, t, s in b) for b in sides
    )
    return batches, padding


def key(pair: Length) -> tuple[int, int, int]:
    """What pairs are sorted by."""
    source, target = pair
    return max(pair), target, source


# Mistakes


def longest(batch):
    """The lengths that both sides of a batch are padded to."""
    return max(source for source, _ in batch), max(target for _, target in batch)


def places(batch):
    """The places of its longer side, padding included."""
    return len(batch) * max(longest(batch))


def padding_in(batch, padded):
    return sum(padded[0] - source + padded[1] - target for source, target in batch)


def defined(
    lengths,
    max_tokens,
    key=lambda source, target, i: (max(source, target), target, source, i),
    size=places,
    over=lambda size, most: size > most,
    fits=lambda pair, most: max(pair) <= most,
    pad=padding_in,
    padded_to=longest,
    given=lambda lengths, most: lengths,
    told=lambda batches, padding, lengths: (batches, sum(padding)),
):
    lengths = given(lengths, max_tokens)
    order = sorted((i for i, pair in enumerate(lengths) if fits(pair, max_tokens)), key=lambda i: key(*lengths[i], i))
    batches = []
    for index in order:
        if not batches or over(size([lengths[i] for i in (*batches[-1], index)]), max_tokens):
            batches.append([])
        batches[-1].append(index)
    every = [[lengths[i] for i in batch] for batch in batches]
    return told(batches, [pad(each, padded_to(each)) for each in every], lengths)


def tokens_left_out(batches, lengths):
    return sum(sum(pair) for i, pair in enumerate(lengths) if not any(i in batch for batch in batches))


wrong = versions(defined)
not_sorted = wrong("order", key=lambda source, target, i: i)("You fill batches in the order of the list. Sort first.")
longest_first = wrong("order", key=lambda source, target, i: (-max(source, target), -target, -source, i))(
    "You begin with the longest pairs. The shortest come first."
)
batches_in_reverse = wrong("order", told=lambda batches, padding, lengths: (batches[::-1], sum(padding)))(
    "Your batches are right, but you return the longest first. Return them as they were made."
)
sorted_by_the_source = wrong("order", key=lambda source, target, i: (source, target, i))(
    "You sort by the source. It is the longer side that counts."
)
sorted_by_the_target = wrong("order", key=lambda source, target, i: (target, source, i))(
    "You sort by the target. It is the longer side that counts."
)
sorted_by_the_sum = wrong("order", key=lambda source, target, i: (source + target, target, source, i))(
    "You sort by the sum of both lengths. It is the longer side that counts."
)
sorted_by_the_shorter_side = wrong("order", key=lambda source, target, i: (min(source, target), target, source, i))(
    "You sort by the shorter side. It is the longer side that counts."
)
ties_by_the_index_alone = wrong("ties", key=lambda source, target, i: (max(source, target), i))(
    "Where longer sides are equal, compare the targets, then the sources, and then keep the order of the list."
)
ties_by_the_source_first = wrong("ties", key=lambda source, target, i: (max(source, target), source, target, i))(
    "Where longer sides are equal, you compare the sources first. The targets come first."
)
ties_by_the_target_alone = wrong("ties", key=lambda source, target, i: (max(source, target), target, i))(
    "Where longer sides and targets are equal, you keep the order of the list. The shorter source comes first."
)
SHORTER_SIDES = "Where longer sides are equal, you compare the shorter ones. Compare the targets, then the sources."
ties_by_the_shorter_side = wrong("ties", key=lambda source, target, i: (max(source, target), min(source, target), i))(
    SHORTER_SIDES
)
ties_by_the_shorter_side_then_by_the_target = wrong(
    "ties", key=lambda source, target, i: (max(source, target), min(source, target), target, i)
)(SHORTER_SIDES)
the_last_of_equals_first = wrong("ties", key=lambda source, target, i: (max(source, target), target, source, -i))(
    "Of pairs that are equal in both lengths you take the last one first. Keep the order of the list."
)
padding_not_counted = wrong("budget", size=lambda batch: max(map(sum, zip(*batch, strict=True))))(
    "You add up the lengths. Padding fills places, too: count the pairs times the longest."
)
sentences_counted = wrong("budget", size=len)("You count pairs. The budget is in tokens: the pairs times the longest.")
the_new_pairs_length_not_counted = wrong(
    "budget", size=lambda batch: len(batch) * max(longest(batch[:-1])) if len(batch) > 1 else 0
)("You multiply by the longest of the batch as it was. The pair that joins may be longer.")
closed_once_it_is_over = wrong(
    "budget", size=lambda batch: places(batch[:-1]) if len(batch) > 1 else 0, over=lambda n, most: n >= most
)("You close a batch only once it is full or over the budget. Look before a pair joins.")
just_full_is_too_full = wrong("budget", over=lambda size, most: size >= most)(
    "You begin a new batch where the pair would fill the batch exactly. `max_tokens` are allowed."
)
the_last_batch_lost = wrong("order", told=lambda batches, padding, lengths: (batches[:-1], sum(padding[:-1])))(
    "Your last batch is missing: every pair that fits is in a batch."
)
the_source_alone = wrong("sides", size=lambda batch: len(batch) * longest(batch)[0])(
    "You count the source alone. Neither side may be over the budget."
)
the_target_alone = wrong("sides", size=lambda batch: len(batch) * longest(batch)[1])(
    "You count the target alone. Neither side may be over the budget."
)
both_sides_added = wrong("budget", size=lambda batch: len(batch) * sum(longest(batch)))(
    "You add up the places of both sides. Each side has a budget of its own."
)
what_is_too_long_alone_in_a_batch = wrong("too_long", fits=lambda pair, most: True)(
    "You make a batch of a pair that is too long. It is left out."
)
just_as_long_is_too_long = wrong("too_long", fits=lambda pair, most: max(pair) < most)(
    "You leave out a pair whose longer side has just `max_tokens` tokens. Alone it fits."
)
too_long_by_the_sum = wrong("too_long", fits=lambda pair, most: sum(pair) <= most)(
    "You leave out pairs whose two sides together are too long. Each side has a budget of its own."
)
too_long_on_both_sides = wrong("too_long", fits=lambda pair, most: min(pair) <= most)(
    "You leave out a pair only where both sides are too long. One is enough."
)
nothing_after_the_first_that_is_too_long = wrong(
    "too_long", given=lambda lengths, most: [*takewhile(lambda pair: max(pair) <= most, lengths)]
)("You stop at the first pair of the list that is too long. Those after it may fit.")
counted_after_leaving_out = wrong(
    "too_long", given=lambda lengths, most: [pair for pair in lengths if max(pair) <= most]
)("You leave out what is too long and then count the pairs anew. The numbers are those of the given list.")
pairs_in_place_of_their_numbers = wrong(
    "order", told=lambda batches, padding, lengths: ([[lengths[i] for i in batch] for batch in batches], sum(padding))
)("Your batches hold pairs of lengths. They hold the numbers of the pairs in the list, from 0 on.")
padding_of_the_source_alone = wrong("padding", pad=lambda batch, to: sum(to[0] - source for source, _ in batch))(
    "You count the padding of the sources alone. Count both sides."
)
padding_of_the_target_alone = wrong("padding", pad=lambda batch, to: sum(to[1] - target for _, target in batch))(
    "You count the padding of the targets alone. Count both sides."
)
both_sides_padded_to_one_length = wrong("padding", padded_to=lambda batch: (max(longest(batch)),) * 2)(
    "You pad both sides to one length. Sources are padded to the longest source, targets to the longest target."
)
words_counted = wrong("padding", pad=lambda batch, _: sum(map(sum, batch)))("You count real tokens. Count padding.")
all_places_counted = wrong("padding", pad=lambda batch, to: len(batch) * sum(to))(
    "You count all places. Count those of padding."
)
tokens_of_all_pairs = wrong(
    "padding", told=lambda batches, padding, lengths: (batches, sum(padding) - tokens_left_out(batches, lengths))
)("You take the tokens of all pairs off the places, also of those that are left out. These are in no batch.")
places_of_all_pairs = wrong(
    "padding", told=lambda batches, padding, lengths: (batches, sum(padding) + tokens_left_out(batches, lengths))
)("You count places for pairs that are left out. These are in no batch.")
padding_of_each_batch = wrong("padding", told=lambda batches, padding, lengths: (batches, padding))(
    "You return the padding of each batch. One number is wanted: that of all batches together."
)
padding_first = wrong("padding", told=lambda batches, padding, lengths: (sum(padding), batches))(
    "You return the padding first. The batches come first, then the padding."
)
batches_alone = wrong("padding", told=lambda batches, padding, lengths: batches)(
    "You return the batches alone. Two things are wanted: the batches, and the number of padded places."
)


@changing("arguments", defined)
def the_list_sorted_in_place(lengths, max_tokens):
    """You sort the list that you are given. It belongs to the caller: make a new one, as sorted(…) does."""
    lengths.sort(key=key)


@changing("arguments", defined)
def what_is_too_long_taken_out_of_the_list(lengths, max_tokens):
    """You take pairs out of the list that you are given. It belongs to the caller: make a new one."""
    lengths[:] = [pair for pair in lengths if max(pair) <= max_tokens]


# Cases: each shows one mistake, or all of a group, and no other

ORDER = (
    *(not_sorted, longest_first, sorted_by_the_source),
    *(sorted_by_the_target, sorted_by_the_sum, sorted_by_the_shorter_side),
)
TIES = (
    *(ties_by_the_index_alone, ties_by_the_source_first, ties_by_the_target_alone, the_last_of_equals_first),
    *(ties_by_the_shorter_side, ties_by_the_shorter_side_then_by_the_target),
)
BUDGET = (
    *(padding_not_counted, sentences_counted, the_new_pairs_length_not_counted),
    *(closed_once_it_is_over, just_full_is_too_full, the_last_batch_lost),
)
SIDES = (the_source_alone, the_target_alone, both_sides_added)
LONG = (
    *(what_is_too_long_alone_in_a_batch, just_as_long_is_too_long, too_long_by_the_sum, too_long_on_both_sides),
    *(nothing_after_the_first_that_is_too_long, counted_after_leaving_out),
)
PADDING = (
    *(padding_of_the_source_alone, padding_of_the_target_alone, both_sides_padded_to_one_length),
    *(words_counted, all_places_counted, tokens_of_all_pairs, places_of_all_pairs),
)
NAMES = ["batches", "padding"]


def planned(function: Callable, case: Case) -> list[list[int]]:
    """The batches, also where they come alone, or behind the padding: that is for the criterion of the padding."""
    found = function(*case.arguments)
    if are_batches(found):
        return list(found)
    first, second = returned_values(lambda: found, (), NAMES).values()
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
    values = returned_values(lambda: found, (), NAMES)
    if type(values["batches"]) is int:
        raise StudentError("it returned a number first, not the batches and then `padding`")
    return Parts({"padding": values["padding"]})


def case(lengths: list[Length], max_tokens: int) -> Case:
    return Case((lengths, max_tokens), f"{len(lengths)} pairs, at most {max_tokens} tokens a side")


EVERY = (*ORDER, *TIES, *BUDGET, *SIDES, *LONG, *PADDING)
shows = partial(isolating(defined, EVERY, case), apart=False, probe=batches)


def pairs(rng: Random, count: int, most: int) -> list[Length]:
    return [(rng.randint(1, most), rng.randint(1, most)) for _ in range(count)]


def several_batches(lengths: list[Length], max_tokens: int) -> bool:
    return len(defined(lengths, max_tokens)[0]) > 1


def different(lengths: list[Length], max_tokens: int) -> bool:
    """Whether each pair has a longer side of its own length: no ties."""
    return len({max(pair) for pair in lengths}) == len(lengths)


@partial(shows, probe=in_order)(*ORDER, free=(*TIES, the_last_batch_lost), when=several_batches)
def draw_order(rng: Random, size: int) -> tuple:
    """No two have a longer side of the same length; they are in several batches."""
    longer = rng.sample(range(2, 9), 4)
    lengths = [rng.sample((n, rng.randint(1, n - 1)), 2) for n in longer]
    return [tuple(each) for each in lengths], rng.randint(12, 16)


@partial(shows, probe=in_order)(*TIES, free=(*ORDER, the_last_batch_lost))
def draw_ties(rng: Random, size: int) -> tuple:
    """Longer sides of the same length, and some pairs that are the same; all fit into one batch."""
    lengths = pairs(rng, 4, 3)
    return rng.sample([*lengths, lengths[0], lengths[1]], 6), 100


def in_turn(mistakes: tuple[Callable, ...], free: tuple = (), when: Callable | None = None) -> Callable:
    """The decorator that shows one of these mistakes after the other."""
    free = (*ORDER, *BUDGET, *LONG, *free)
    return lambda drawn: alternate(*(shows(mistake, free=free, when=when)(drawn) for mistake in mistakes))


@in_turn(BUDGET, free=(both_sides_added,))
def draw_budget(rng: Random, size: int) -> tuple:
    """Pairs whose sides are equally long, no two of one length."""
    count = 5 + size % 2
    return [(n, n) for n in rng.sample(range(1, count + 3), count)], rng.randint(12, 20)


@in_turn(SIDES, free=SIDES, when=different)
def draw_sides(rng: Random, size: int) -> tuple:
    """Sides of different lengths; which side of a batch is longer differs."""
    return pairs(rng, 6, 7), rng.randint(12, 20)


@in_turn(LONG, free=(*SIDES, *TIES), when=different)
def draw_long(rng: Random, size: int) -> tuple:
    """One pair or two of which a side is too long, anywhere in the list, and one that just fits."""
    most = rng.randint(6, 8)
    long = [tuple(rng.sample((most + 1, rng.randint(1, 3)), 2)), (most + 2, most + 3)][: 1 + size % 2]
    full = (most, rng.randint(2, 4))[:: 1 if size // len(LONG) % 2 else -1]
    return rng.sample([*pairs(rng, 3, 4), *long, full], 4 + len(long)), most


@partial(shows, probe=padding)(*PADDING, free=[each for each in EVERY if each not in LONG])
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


TASK = task(
    __name__,
    "Batches by length",
    kind=partial(Criterion, visible=4, graded=6, probe=batches),
    criteria=(
        criterion("order", 1, draw_order, in_order)("Short pairs first, by the length of the longer side."),
        criterion("ties", 0.5, draw_ties, in_order)(
            "Of equal ones by the target, then by the source, then as they came."
        ),
        criterion("budget", 1, draw_budget, visible=6, graded=12)(
            "A batch ends where the next pair does not fit, padding counted."
        ),
        criterion("sides", 1, draw_sides, visible=6, graded=9)("Neither side over the budget."),
        criterion("too_long", 0.5, draw_long, visible=12, graded=12)("Pairs that fit into no batch are left out."),
        criterion("padding", 0.5, draw_padding, padding)("The number of padded places."),
        arguments(0.5, draw_changes)("The list is afterwards as it was."),
    ),
    forbidden=("course_lib.corpora.batches.Batches.__init__",),
)
