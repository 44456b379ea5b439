"""Batches by length as defined, and wrong in the ways that people get them wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any

Length = tuple[int, int]  # of the source and of the target
Plan = tuple[list[list[int]], int]


def by_longer_side(lengths: list[Length], index: int) -> Any:
    source, target = lengths[index]
    return max(source, target), target, source, index


def places(batch: list[Length]) -> int:
    """The places of its longer side, padding included."""
    return len(batch) * max(max(each) for each in batch)


def padding_in(batch: list[Length], padded: tuple[int, int]) -> int:
    """The padding of one batch, whose sides are padded to these lengths."""
    return sum(padded[0] - source + padded[1] - target for source, target in batch)


def longest(batch: list[Length]) -> tuple[int, int]:
    return max(source for source, _ in batch), max(target for _, target in batch)


def defined(
    lengths: list[Length],
    max_tokens: int,
    key: Callable[[list[Length], int], Any] = by_longer_side,
    size: Callable[[list[Length]], int] = places,
    over: Callable[[int, int], bool] = lambda size, most: size > most,
    fits: Callable[[Length, int], bool] = lambda pair, most: max(pair) <= most,
    pad: Callable[[list[Length], tuple[int, int]], int] = padding_in,
    padded_to: Callable[[list[Length]], tuple[int, int]] = longest,
) -> Plan:
    order = sorted((i for i, pair in enumerate(lengths) if fits(pair, max_tokens)), key=lambda i: key(lengths, i))
    batches: list[list[int]] = []
    for index in order:
        if not batches or over(size([lengths[i] for i in (*batches[-1], index)]), max_tokens):
            batches.append([])
        batches[-1].append(index)
    every = [[lengths[i] for i in batch] for batch in batches]
    return batches, sum(pad(each, padded_to(each)) for each in every)


def with_key(key: Callable[[int, int, int], Any]) -> Callable[..., Plan]:
    return partial(defined, key=lambda lengths, i: key(*lengths[i], i))


not_sorted = with_key(lambda source, target, i: i)
by_source = with_key(lambda source, target, i: (source, target, i))
by_target = with_key(lambda source, target, i: (target, source, i))
by_sum = with_key(lambda source, target, i: (source + target, target, source, i))
by_shorter_side = with_key(lambda source, target, i: (min(source, target), target, source, i))
longest_first = with_key(lambda source, target, i: (-max(source, target), -target, -source, i))
only_the_longer_side = with_key(lambda source, target, i: (max(source, target), i))
source_before_target = with_key(lambda source, target, i: (max(source, target), source, target, i))
last_of_equals = with_key(lambda source, target, i: (max(source, target), target, source, -i))

padding_not_counted = partial(defined, size=lambda batch: max(map(sum, zip(*batch, strict=True))))
sentences_counted = partial(defined, size=len)
source_alone = partial(defined, size=lambda batch: len(batch) * longest(batch)[0])
target_alone = partial(defined, size=lambda batch: len(batch) * longest(batch)[1])
both_sides_added = partial(defined, size=lambda batch: len(batch) * sum(longest(batch)))
without_the_new_one = partial(
    defined, size=lambda batch: len(batch) * max(map(max, batch[:-1])) if len(batch) > 1 else 0
)
one_too_many = partial(
    defined, size=lambda batch: places(batch[:-1]) if len(batch) > 1 else 0, over=lambda n, most: n >= most
)
full_is_too_full = partial(defined, over=lambda size, most: size >= most)
too_long_alone = partial(defined, fits=lambda pair, most: True)
as_long_is_too_long = partial(defined, fits=lambda pair, most: max(pair) < most)
too_long_by_the_sum = partial(defined, fits=lambda pair, most: sum(pair) <= most)
too_long_on_both_sides = partial(defined, fits=lambda pair, most: min(pair) <= most)

padding_of_the_source = partial(defined, pad=lambda batch, to: sum(to[0] - source for source, _ in batch))
padding_of_the_target = partial(defined, pad=lambda batch, to: sum(to[1] - target for _, target in batch))
square = partial(defined, padded_to=lambda batch: (max(longest(batch)),) * 2)
words_counted = partial(defined, pad=lambda batch, _: sum(map(sum, batch)))
all_places_counted = partial(defined, pad=lambda batch, to: len(batch) * sum(to))


def last_one_lost(*arguments) -> Plan:
    batches, _ = defined(*arguments)
    return batches[:-1], padding_of(batches[:-1], arguments[0])


def padding_of(batches: list[list[int]], lengths: list[Length]) -> int:
    every = [[lengths[i] for i in batch] for batch in batches]
    return sum(padding_in(each, longest(each)) for each in every)


def all_tokens_subtracted(lengths: list[Length], max_tokens: int) -> Plan:
    """Padding as all places without the tokens of all pairs, of those that are left out, too."""
    batches, padding = defined(lengths, max_tokens)
    return batches, padding - sum(sum(pair) for pair in lengths if max(pair) > max_tokens)


def places_of_all_pairs(lengths: list[Length], max_tokens: int) -> Plan:
    """What is left out counted among the places, and not among the tokens."""
    batches, padding = defined(lengths, max_tokens)
    return batches, padding + sum(sum(pair) for pair in lengths if max(pair) > max_tokens)


def padding_first(lengths: list[Length], max_tokens: int) -> Any:
    return defined(lengths, max_tokens)[::-1]


def batches_alone(lengths: list[Length], max_tokens: int) -> Any:
    return defined(lengths, max_tokens)[0]


def padding_of_each(lengths: list[Length], max_tokens: int) -> Any:
    batches, _ = defined(lengths, max_tokens)
    return batches, [padding_of([batch], lengths) for batch in batches]


def batches_reversed(lengths: list[Length], max_tokens: int) -> Plan:
    batches, padding = defined(lengths, max_tokens)
    return batches[::-1], padding


def stops_at_the_first_too_long(lengths: list[Length], max_tokens: int) -> Plan:
    """Where a pair is too long, what comes after it in the list is lost."""
    end = next((i for i, pair in enumerate(lengths) if max(pair) > max_tokens), len(lengths))
    return defined(lengths[:end], max_tokens)


def pairs_in_place_of_indices(lengths: list[Length], max_tokens: int) -> Any:
    batches, padding = defined(lengths, max_tokens)
    return [[lengths[i] for i in batch] for batch in batches], padding


def counted_after_leaving_out(lengths: list[Length], max_tokens: int) -> Plan:
    """Numbers in the list that is left once the pairs that are too long are out."""
    return defined([pair for pair in lengths if max(pair) <= max_tokens], max_tokens)


def sorted_in_place(lengths: list[Length], max_tokens: int) -> Plan:
    found = defined(lengths, max_tokens)
    lengths.sort(key=lambda pair: (max(pair), pair[1], pair[0]))
    return found


def too_long_removed(lengths: list[Length], max_tokens: int) -> Plan:
    found = defined(lengths, max_tokens)
    lengths[:] = [pair for pair in lengths if max(pair) <= max_tokens]
    return found
