"""ps7.plan_batches: batches of pairs of similar length within a budget of tokens (Vaswani et al. 2017, section 5.1)."""

from collections.abc import Callable
from functools import partial
from random import Random

from course_lib.corpora.batches import Batches
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps5.tables import part
from course_lib.grading.tasks.ps7 import wrong_plan_batches as wrong
from course_lib.grading.tasks.ps7.wrong_plan_batches import Length, Plan
from course_lib.subwords.vocabulary import Vocabulary

VALUES = "batches padding"


def reference(lengths: list[Length], max_tokens: int) -> Plan:
    """The batches of the course's plan, where it takes equally long pairs in random order: here in their own order."""
    order = sorted((i for i, pair in enumerate(lengths) if max(pair) <= max_tokens), key=lambda i: (key(lengths[i]), i))
    ids = [([0] * (source - 1), [0] * (target - 1)) for source, target in (lengths[i] for i in order)]  # without eos
    plan = Batches(ids, max_tokens, Vocabulary([])).plan(0)
    sides = sorted(([key(lengths[order[i]]) for i in batch] for batch in plan), key=lambda b: (b[0], b[-1], -len(b)))
    batches, rest = [], iter(order)
    for batch in sides:
        batches.append([next(rest) for _ in batch])
    padding = sum(
        len(b) * (max(t for _, t, _ in b) + max(s for *_, s in b)) - sum(t + s for _, t, s in b) for b in sides
    )
    return batches, padding


def key(pair: Length) -> tuple[int, int, int]:
    """What pairs are sorted by."""
    source, target = pair
    return max(pair), target, source


# Cases

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
    wrong.all_places_counted,
)
MISTAKES = (*ORDER, *TIES, *BUDGET, *SIDES, *LONG, *PADDING)
seen_batches, seen_padding = (part(VALUES, wanted) for wanted in VALUES.split())


def case(lengths: list[Length], max_tokens: int) -> Case:
    return Case((lengths, max_tokens), f"{len(lengths)} pairs, at most {max_tokens} tokens a side")


shows = partial(isolating(wrong.defined, MISTAKES, case), apart=False, probe=seen_batches)


def pairs(rng: Random, count: int, most: int) -> list[Length]:
    return [(rng.randint(1, most), rng.randint(1, most)) for _ in range(count)]


def alike(rng: Random, count: int) -> list[Length]:
    """Pairs whose sides are equally long, no two of one length."""
    return [(n, n) for n in rng.sample(range(1, count + 3), count)]


@shows(*ORDER, free=(*TIES, wrong.last_one_lost))
def draw_order(rng: Random, size: int) -> tuple:
    """No two have a longer side of the same length; all fit into one batch."""
    longer = rng.sample(range(2, 9), 4)
    lengths = [rng.sample((n, rng.randint(1, n - 1)), 2) for n in longer]
    return [tuple(each) for each in lengths], 100


@shows(*TIES, free=(*ORDER, wrong.last_one_lost))
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
        return rng.sample([*pairs(rng, 3, 4), *long, (most, rng.randint(2, 4))], 4 + len(long)), most

    return drawn


@partial(shows, probe=seen_padding)(*PADDING, free=MISTAKES)
def draw_padding(rng: Random, size: int) -> tuple:
    return pairs(rng, 5 + size % 3, 6), rng.randint(10, 16)


Few = partial(Criterion, visible=4, graded=6, probe=seen_batches)

TASK = Task(
    name="ps7.plan_batches",
    title="Batches by length",
    reference=reference,
    criteria=(
        Few("order", 1, "Short pairs first, by the length of the longer side.", draw_order),
        Few("ties", 0.5, "Of equal ones by the target, then by the source, then as they came.", draw_ties),
        Few(
            "budget",
            1,
            "Each batch as full as it may be, padding counted.",
            alternate(*map(draw_budget, BUDGET)),
            visible=6,
            graded=12,
        ),
        Few("sides", 1, "Neither side over the budget.", alternate(*map(draw_sides, SIDES)), visible=6, graded=9),
        Few(
            "too_long",
            0.5,
            "Pairs that fit into no batch are left out.",
            alternate(*map(draw_long, LONG)),
            visible=12,
            graded=12,
        ),
        Few("padding", 0.5, "The number of padded places.", draw_padding, probe=seen_padding),
        Few("arguments", 0.5, "The list is afterwards as it was.", draw_order, probe=leaving("lengths max_tokens")),
    ),
    misconceptions=(
        Misconception(
            "not sorted", wrong.not_sorted, "order", "You fill batches in the order of the list. Sort first."
        ),
        Misconception(
            "longest first", wrong.longest_first, "order", "You begin with the longest pairs. The shortest come first."
        ),
        Misconception(
            "sorted by the source",
            wrong.by_source,
            "order",
            "You sort by the source. It is the longer side that counts.",
        ),
        Misconception(
            "sorted by the target",
            wrong.by_target,
            "order",
            "You sort by the target. It is the longer side that counts.",
        ),
        Misconception(
            "sorted by the sum",
            wrong.by_sum,
            "order",
            "You sort by the sum of both lengths. It is the longer side that counts.",
        ),
        Misconception(
            "sorted by the shorter side",
            wrong.by_shorter_side,
            "order",
            "You sort by the shorter side. It is the longer side that counts.",
        ),
        Misconception(
            "ties by the index alone",
            wrong.only_the_longer_side,
            "ties",
            "Where longer sides are equal, compare the targets, then the sources, and then keep the order of the list.",
        ),
        Misconception(
            "ties by the source first",
            wrong.source_before_target,
            "ties",
            "Where longer sides are equal, you compare the sources first. The targets come first.",
        ),
        Misconception(
            "the last of equals first",
            wrong.last_of_equals,
            "ties",
            "Of pairs that are equal in both lengths you take the last one first. Keep the order of the list.",
        ),
        Misconception(
            "padding not counted",
            wrong.padding_not_counted,
            "budget",
            "You add up the lengths. Padding fills places, too: count the pairs times the longest.",
        ),
        Misconception(
            "sentences counted",
            wrong.sentences_counted,
            "budget",
            "You count pairs. The budget is in tokens: the pairs times the longest.",
        ),
        Misconception(
            "the new pair's length not counted",
            wrong.without_the_new_one,
            "budget",
            "You multiply by the longest of the batch as it was. The pair that joins may be longer.",
        ),
        Misconception(
            "closed once it is over",
            wrong.one_too_many,
            "budget",
            "You close a batch only once it is full or over the budget. Look before a pair joins.",
        ),
        Misconception(
            "just full is too full",
            wrong.full_is_too_full,
            "budget",
            "You begin a new batch where the pair would fill the batch exactly. `max_tokens` are allowed.",
        ),
        Misconception(
            "the last batch lost",
            wrong.last_one_lost,
            "order",
            "Your last batch is missing: every pair that fits is in a batch.",
        ),
        Misconception(
            "the source alone",
            wrong.source_alone,
            "sides",
            "You count the source alone. Neither side may be over the budget.",
        ),
        Misconception(
            "the target alone",
            wrong.target_alone,
            "sides",
            "You count the target alone. Neither side may be over the budget.",
        ),
        Misconception(
            "both sides added",
            wrong.both_sides_added,
            "budget",
            "You add up the places of both sides. Each side has a budget of its own.",
        ),
        Misconception(
            "what is too long alone in a batch",
            wrong.too_long_alone,
            "too_long",
            "You make a batch of a pair that is too long. It is left out.",
        ),
        Misconception(
            "just as long is too long",
            wrong.as_long_is_too_long,
            "too_long",
            "You leave out a pair whose longer side has just `max_tokens` tokens. Alone it fits.",
        ),
        Misconception(
            "too long by the sum",
            wrong.too_long_by_the_sum,
            "too_long",
            "You leave out pairs whose two sides together are too long. Each side has a budget of its own.",
        ),
        Misconception(
            "too long on both sides",
            wrong.too_long_on_both_sides,
            "too_long",
            "You leave out a pair only where both sides are too long. One is enough.",
        ),
        Misconception(
            "nothing after the first that is too long",
            wrong.stops_at_the_first_too_long,
            "too_long",
            "You stop at the first pair of the list that is too long. Those after it may fit.",
        ),
        Misconception(
            "counted after leaving out",
            wrong.counted_after_leaving_out,
            "too_long",
            "You leave out what is too long and then count the pairs anew. The numbers are those of the given list.",
        ),
        Misconception(
            "pairs in place of their numbers",
            wrong.pairs_in_place_of_indices,
            "order",
            "Your batches hold pairs of lengths. They hold the numbers of the pairs in the list, from 0 on.",
        ),
        Misconception(
            "padding of the source alone",
            wrong.padding_of_the_source,
            "padding",
            "You count the padding of the sources alone. Count both sides.",
        ),
        Misconception(
            "padding of the target alone",
            wrong.padding_of_the_target,
            "padding",
            "You count the padding of the targets alone. Count both sides.",
        ),
        Misconception(
            "both sides padded to one length",
            wrong.square,
            "padding",
            "You pad both sides to one length. Sources are padded to the longest source, targets to the longest"
            " target.",
        ),
        Misconception("words counted", wrong.words_counted, "padding", "You count real tokens. Count padding."),
        Misconception(
            "all places counted", wrong.all_places_counted, "padding", "You count all places. Count those of padding."
        ),
        Misconception(
            "the list sorted in place",
            wrong.sorted_in_place,
            "arguments",
            "You sort the list that you are given. It belongs to the caller: make a new one, as sorted(…) does.",
        ),
    ),
    forbidden=("course_lib.corpora.batches.Batches.__init__",),
)
