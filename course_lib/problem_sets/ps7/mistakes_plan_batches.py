"""The mistakes that people make in ps7.plan_batches, each with its hint."""

from course_lib.grading.task import Misconception
from course_lib.problem_sets.ps7 import wrong_plan_batches as wrong

MISTAKES = (
    Misconception("not sorted", wrong.not_sorted, "order", "You fill batches in the order of the list. Sort first."),
    Misconception(
        "longest first", wrong.longest_first, "order", "You begin with the longest pairs. The shortest come first."
    ),
    Misconception(
        "batches in reverse",
        wrong.batches_reversed,
        "order",
        "Your batches are right, but you return the longest first. Return them as they were made.",
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
        "You pad both sides to one length. Sources are padded to the longest source, targets to the longest target.",
    ),
    Misconception("words counted", wrong.words_counted, "padding", "You count real tokens. Count padding."),
    Misconception(
        "all places counted", wrong.all_places_counted, "padding", "You count all places. Count those of padding."
    ),
    Misconception(
        "tokens of all pairs",
        wrong.all_tokens_subtracted,
        "padding",
        "You take the tokens of all pairs off the places, also of those that are left out. These are in no batch.",
    ),
    Misconception(
        "places of all pairs",
        wrong.places_of_all_pairs,
        "padding",
        "You count places for pairs that are left out. These are in no batch.",
    ),
    Misconception(
        "padding of each batch",
        wrong.padding_of_each,
        "padding",
        "You return the padding of each batch. One number is wanted: that of all batches together.",
    ),
    Misconception(
        "padding first",
        wrong.padding_first,
        "padding",
        "You return the padding first. The batches come first, then the padding.",
    ),
    Misconception(
        "batches alone",
        wrong.batches_alone,
        "padding",
        "You return the batches alone. Two things are wanted: the batches, and the number of padded places.",
    ),
    Misconception(
        "the list sorted in place",
        wrong.sorted_in_place,
        "arguments",
        "You sort the list that you are given. It belongs to the caller: make a new one, as sorted(…) does.",
    ),
    Misconception(
        "what is too long taken out of the list",
        wrong.too_long_removed,
        "arguments",
        "You take pairs out of the list that you are given. It belongs to the caller: make a new one.",
    ),
)
