"""ps8.brevity_penalty: what short outputs lose, over a whole corpus (Papineni et al. 2002)."""

from functools import partial
from math import exp
from random import Random
from statistics import mean

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.metrics import bleu
from course_lib.problem_sets.ps8.tokens import FORBIDDEN


def reference(lengths: list[int], reference_lengths: list[list[int]]) -> float:
    """1 if c ≥ r, else exp(1 − r/c): c sums the hypotheses' lengths, r the closest ones of their references."""
    closest = [bleu.closest_length(c, each) for c, each in zip(lengths, reference_lengths, strict=True)]
    return float(bleu.brevity_penalty(sum(lengths), sum(closest)))


# Mistakes


def closest(length, others):
    return min(others, key=lambda r: (abs(r - length), r))


def penalty(c, r, short=lambda c, r: exp(1 - r / c)):
    return 1.0 if c >= r else short(c, r) if c else 0.0


def of_sums(lengths, chosen, penalty):
    return penalty(sum(lengths), sum(chosen))


def defined(lengths, reference_lengths, choose=closest, penalty=penalty, over=of_sums):
    chosen = [choose(length, others) for length, others in zip(lengths, reference_lengths, strict=True)]
    return over(lengths, chosen, penalty)


wrong = versions(defined)
the_ratio_itself = wrong("short", penalty=partial(penalty, short=lambda c, r: c / r))(
    "You return c / r. The penalty is exp(1 − r/c)."
)
the_ratio_turned_round = wrong("short", penalty=partial(penalty, short=lambda c, r: exp(1 - c / r)))(
    "You take c/r in the exponent: then the penalty is above 1. It is r/c."
)
the_difference_in_place_of_the_ratio = wrong("short", penalty=partial(penalty, short=lambda c, r: exp(c - r)))(
    "You take exp(c − r). The exponent is 1 − r/c: what counts is by which share an output is too short."
)
the_exponent_as_c_over_r = wrong("short", penalty=partial(penalty, short=lambda c, r: exp(c / r - 1)))(
    "Your exponent is c/r − 1. It is 1 − r/c: outputs of half the length get exp(−1), not exp(−1/2)."
)
a_bonus_for_long_outputs = wrong("long", penalty=lambda c, r: exp(1 - r / c) if c else 0.0)(
    "You use the formula where c > r, too, and give more than 1. Long outputs get 1."
)
long_outputs_punished = wrong("long", penalty=lambda c, r: penalty(min(c, r), max(c, r)))(
    "You punish outputs that are too long. Precision does that already: they get 1."
)
the_cases_exchanged = wrong("short", penalty=lambda c, r: 1.0 if c <= r else exp(1 - r / c))(
    "You return 1 where the output is too short. The penalty is for these; where c ≥ r it is 1."
)
the_shortest_reference = wrong("closest", choose=lambda _, others: min(others))(
    "You take the shortest reference, or look only at shorter ones. Take the one whose length is closest to that of "
    "the hypothesis."
)
the_longest_reference = wrong("closest", choose=lambda _, others: max(others))(
    "You take the longest reference. Take the one whose length is closest to that of the hypothesis."
)
the_first_reference = wrong("closest", choose=lambda _, others: others[0])(
    "You take the first reference. Take the one whose length is closest to that of the hypothesis."
)
the_mean_length = wrong("closest", choose=lambda _, others: mean(others))(
    "You take the mean of the references' lengths. Take the length that is closest to that of the hypothesis."
)
the_closest_to_their_mean = wrong(
    "closest", choose=lambda _, others: min(others, key=lambda r: (abs(r - mean(others)), r))
)(
    "You take the reference whose length is closest to the mean of the references' lengths. Take the one that is "
    "closest to the hypothesis."
)
the_closest_from_above = wrong(
    "closest", choose=lambda length, others: min((r for r in others if r >= length), default=max(others))
)("You look for the closest among the longer references only. A shorter one may be closer.")
the_closest_from_below = partial(
    defined, choose=lambda length, others: max((r for r in others if r <= length), default=min(others))
)
the_first_of_equally_close_ones = wrong(
    "ties", choose=lambda length, others: min(others, key=lambda r: abs(r - length))
)("Of two references that are equally close you take the one that comes first. Take the shorter.")
the_longer_of_equally_close_ones = wrong(
    "ties", choose=lambda length, others: min(others, key=lambda r: (abs(r - length), -r))
)("Of two references that are equally close you take the longer one. Take the shorter.")
the_last_of_equally_close_ones = partial(
    defined, choose=lambda length, others: min(others[::-1], key=lambda r: abs(r - length))
)


def mean_of_penalties(lengths, chosen, penalty):
    return mean(map(penalty, lengths, chosen))


def weighted_mean(lengths, chosen, penalty):
    return sum(c * penalty(c, r) for c, r in zip(lengths, chosen, strict=True)) / (sum(lengths) or 1)


def product(lengths, chosen, penalty):
    found = 1.0
    for c, r in zip(lengths, chosen, strict=True):
        found *= penalty(c, r)
    return found


def only_what_is_missing(lengths, chosen, penalty):
    return penalty(sum(map(min, lengths, chosen)), sum(chosen))


the_mean_of_the_sentences_penalties = wrong("corpus", over=mean_of_penalties)(
    "You compute a penalty for each sentence, and the mean. Add up the lengths first: then a long output makes up for "
    "a short one."
)
a_mean_weighted_by_length = wrong("corpus", over=weighted_mean)(
    "You compute a penalty for each sentence, and a mean weighted by length. Add up the lengths first: then a long "
    "output makes up for a short one."
)
the_penalties_multiplied = wrong("corpus", over=product)(
    "You multiply the penalties of the sentences: each one more makes the product smaller. Add up the lengths first."
)
long_outputs_do_not_make_up = wrong("corpus", over=only_what_is_missing)(
    "You cut long hypotheses to the length of their references before you add up. c is the sum of their lengths as "
    "they are: a long output makes up for a short one."
)


@mistake("corpus")
def the_closest_to_the_mean_hypothesis(lengths, reference_lengths):
    """You look for the references that are closest to the mean length of all hypotheses. Each is compared with its own
    hypothesis."""
    return defined(lengths, reference_lengths, choose=lambda _, others: closest(mean(lengths), others))


@mistake("corpus")
def one_reference_length_for_all(lengths, reference_lengths):
    """You add up all first references, all second ones, …, and take the sum that is closest. Choose for each sentence:
    one may be closest to its first reference, another one to its second."""
    sums = [sum(each) for each in zip(*reference_lengths, strict=False)]
    return penalty(sum(lengths), closest(sum(lengths), sums))


@mistake("corpus")
def as_many_references_as_the_first_sentence_has(lengths, reference_lengths):
    """You look at as many references of each sentence as the first one has, or the one with the fewest. Sentences may
    have unequally many: all of each count."""
    return defined(lengths, [each[: len(reference_lengths[0])] for each in reference_lengths])


@mistake("empty")
def divided_by_an_empty_output(lengths, reference_lengths):
    """You divide by c also where it is 0: a ZeroDivisionError. An empty output of a corpus gets 0."""
    if not sum(lengths):
        return 1 / sum(lengths)
    return defined(lengths, reference_lengths)


@mistake("empty")
def nothing_lost_by_nothing(lengths, reference_lengths):
    """You return 1 where all hypotheses are empty. They are as short as can be: 0, which exp(1 − r/c) tends to."""
    return defined(lengths, reference_lengths) if sum(lengths) else 1.0


@mistake("empty")
def empty_hypotheses_left_out(lengths, reference_lengths):
    """You leave out sentences whose hypothesis is empty. Their references count for r: nothing is too short."""
    kept = [(c, each) for c, each in zip(lengths, reference_lengths, strict=True) if c]
    return defined(*map(list, zip(*kept, strict=True))) if kept else 0.0


@changing("arguments", defined)
def references_sorted_in_place(lengths, reference_lengths):
    """You sort the lists of reference lengths that you are given. They belong to the caller: sorted(…) makes new
    ones."""
    for each in reference_lengths:
        each.sort()


# Cases


def case(lengths: list[int], reference_lengths: list[list[int]]) -> Case:
    several = max(map(len, reference_lengths))
    count, of_each = len(lengths), f"up to {several} references each" if several > 1 else "1 reference each"
    return Case((lengths, reference_lengths), f"{count} sentence{'s' * (count != 1)}, {of_each}")


SHORT = (
    *(the_ratio_itself, the_ratio_turned_round, the_difference_in_place_of_the_ratio, the_exponent_as_c_over_r),
    the_cases_exchanged,
)
LONG = a_bonus_for_long_outputs, long_outputs_punished
CLOSEST = (
    *(the_shortest_reference, the_longest_reference, the_first_reference, the_mean_length, the_closest_from_above),
    *(the_closest_from_below, the_closest_to_their_mean),
)
TIES = the_first_of_equally_close_ones, the_longer_of_equally_close_ones, the_last_of_equally_close_ones
CORPUS = (
    *(the_mean_of_the_sentences_penalties, a_mean_weighted_by_length, the_penalties_multiplied),
    long_outputs_do_not_make_up,
)
OF_ALL = (
    *(one_reference_length_for_all, the_closest_to_the_mean_hypothesis),
    as_many_references_as_the_first_sentence_has,
)
CHOICE = *CLOSEST, *TIES, *OF_ALL
EMPTY = nothing_lost_by_nothing, empty_hypotheses_left_out
shows = partial(isolating(defined, (*SHORT, *LONG, *CHOICE, *CORPUS, *EMPTY), case), apart=False)


@shows(*SHORT)
def draw_short(rng: Random, size: int) -> tuple:
    """One sentence that is too short by some words, one reference."""
    c = rng.randint(3, 12)
    return [c], [[c + rng.randint(1, 5)]]


@shows(*LONG, the_cases_exchanged, free=SHORT)
def draw_long(rng: Random, size: int) -> tuple:
    """One that is too long."""
    r = rng.randint(3, 12)
    return [r + rng.randint(1, 5)], [[r]]


@shows(free=(*SHORT, *LONG))
def draw_equal(rng: Random, size: int) -> tuple:
    """One that is as long as its reference; the first has one word."""
    c = rng.randint(2, 12) if size > 2 else 1
    return [c], [[c]]


FORMULA = *SHORT, *LONG


@shows(the_longest_reference, the_first_reference, the_closest_from_above, free=(*FORMULA, the_mean_length))
def draw_closest_below(rng: Random, size: int) -> tuple:
    """One whose closest reference is shorter."""
    c = rng.randint(8, 14)
    others = rng.sample([c - rng.randint(1, 2), c - rng.randint(5, 6)], 2)
    return [c], [[c + rng.randint(3, 4 + size // 3), *others]]


@shows(the_shortest_reference, the_first_reference, the_mean_length, the_closest_from_below, free=(*FORMULA, *CLOSEST))
def draw_closest_above(rng: Random, size: int) -> tuple:
    """One whose closest reference is longer."""
    c = rng.randint(8, 14)
    return [c], [rng.sample([c - rng.randint(3, 6), c + rng.randint(1, 2), c + rng.randint(4, 7)], 3)]


@shows(
    the_longest_reference, the_first_reference, the_mean_length, the_closest_to_their_mean, free=(*FORMULA, *CLOSEST)
)
def draw_closer_by_one(rng: Random, size: int) -> tuple:
    """One whose references are all longer, and one of them closer than the next one by a word."""
    c, by = rng.randint(6, 14), rng.randint(1, 4)
    return [c], [rng.sample([c + by + 1, c + by, c + by + rng.randint(4, 6)], 3)]


MADE_UP = *FORMULA, *CLOSEST, *CORPUS


def tied(rng: Random, first_is_shorter: bool) -> tuple:
    """Two references that are equally close."""
    c, by = rng.randint(6, 12), rng.randint(1, 4)
    return [c], [[c - by, c + by] if first_is_shorter else [c + by, c - by]]


@shows(*TIES[:2], free=(*FORMULA, *CLOSEST))
def draw_ties(rng: Random, size: int) -> tuple:
    return tied(rng, False)


@shows(*TIES[1:], free=(*FORMULA, *CLOSEST))
def draw_ties_in_order(rng: Random, size: int) -> tuple:
    return tied(rng, True)


@shows(*CORPUS, free=FORMULA)
def draw_corpus(rng: Random, size: int) -> tuple:
    """Some too short, some too long, together too short; one reference each."""
    lengths = [rng.randint(3, 14) for _ in range(3 + size // 3)]
    return lengths, [[max(1, c + rng.randint(-4, 7))] for c in lengths]


@shows(*CORPUS[:3], free=(*FORMULA, long_outputs_do_not_make_up))
def draw_made_up(rng: Random, size: int) -> tuple:
    """Some too short, some too long, together long enough."""
    lengths = [rng.randint(3, 14) for _ in range(2 + size // 3)]
    return lengths, [[max(1, c + rng.randint(-7, 4))] for c in lengths]


@shows(*OF_ALL, free=(*MADE_UP, *CHOICE))
def draw_each_its_own(rng: Random, size: int) -> tuple:
    """Each sentence is closest to another reference; the second one to its third, which no other sentence has."""
    lengths = [rng.randint(5, 14) for _ in range(2 + size // 3)]
    others = [rng.sample([c + rng.randint(0, 1), c + rng.randint(4, 8)], 2) for c in lengths]
    others[1] = [max(others[1]), max(others[1]) + 1, min(others[1])]
    return lengths, others


@shows(nothing_lost_by_nothing, free=MADE_UP)
def draw_nothing(rng: Random, size: int) -> tuple:
    """Every hypothesis is empty."""
    count = 1 + size // 6
    return [0] * count, [[rng.randint(1, 9)] for _ in range(count)]


@shows(empty_hypotheses_left_out, free=(*MADE_UP, nothing_lost_by_nothing))
def draw_one_empty(rng: Random, size: int) -> tuple:
    """One of several hypotheses is empty; together they are too short."""
    lengths = [rng.randint(3, 9) for _ in range(2 + size // 6)]
    at = rng.randrange(len(lengths) + 1)
    return [*lengths[:at], 0, *lengths[at:]], [
        [max(1, c + rng.randint(-1, 2))] for c in [*lengths[:at], 4, *lengths[at:]]
    ]


def draw_left(rng: Random, size: int) -> Case:
    """References that are not in order."""
    lengths = [rng.randint(3, 9) for _ in range(2)]
    return case(lengths, [[c + 3, c + 1, c + 2] for c in lengths])


TASK = task(
    __name__,
    "Brevity penalty",
    criteria=(
        criterion("short", 0.5, draw_short)("A hypothesis that is shorter than its reference gets exp(1 − r/c)."),
        criterion("long", 0.5, alternate(draw_long, draw_short, draw_equal))(
            "One that is as long as its reference, or longer, gets 1."
        ),
        criterion("closest", 0.5, alternate(draw_closest_below, draw_closest_above, draw_closer_by_one), visible=6)(
            "Of several references the one counts whose length is closest."
        ),
        criterion("ties", 0.5, alternate(draw_ties, draw_ties_in_order, draw_closest_above), visible=5)(
            "Of two that are equally close the shorter one counts."
        ),
        criterion("corpus", 1, alternate(draw_corpus, draw_made_up, draw_each_its_own), visible=6)(
            "Lengths are added up over all sentences before the penalty is computed, once."
        ),
        criterion("empty", 0.5, alternate(draw_nothing, draw_one_empty), visible=4)(
            "Empty hypotheses count: the penalty is 0 where all are empty."
        ),
        arguments(0.5, draw_left)("Both lists are afterwards as they were, and those in them."),
    ),
    forbidden=FORBIDDEN,
)
