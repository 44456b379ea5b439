"""The batch of ps3.shift: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

Pairs = list[tuple[list[int], list[int]]]
Batch = tuple[Tensor, Tensor, Tensor]  # (batch, source_time), (batch, target_time), (batch, target_time)


def padded(rows: list[list[int]], pad: int) -> Tensor:
    longest = max(map(len, rows))
    return torch.tensor([row + [pad] * (longest - len(row)) for row in rows])


def defined(
    pairs: Pairs,
    pad: int,
    bos: int,
    eos: int,
    reverse: bool,
    source: Callable = lambda x, eos: [*x, eos],
    turned: Callable = lambda x, eos: [*x[::-1], eos],
    read: Callable = lambda y, bos, eos: [bos, *y],
    written: Callable = lambda y, bos, eos: [*y, eos],
    fill: Callable = padded,
) -> Batch:
    xs = [(turned if reverse else source)(x, eos) for x, _ in pairs]
    return (
        fill(xs, pad),
        fill([read(y, bos, eos) for _, y in pairs], pad),
        fill([written(y, bos, eos) for _, y in pairs], pad),
    )


def one_column_too_wide(pairs: Pairs, pad: int, *rest) -> Batch:
    return tuple(nn.functional.pad(each, (0, 1), value=pad) for each in defined(pairs, pad, *rest))


def in_int32(*arguments) -> Batch:
    return tuple(each.int() for each in defined(*arguments))


def as_floats(*arguments) -> Batch:
    return tuple(each.float() for each in defined(*arguments))


def not_shifted(*arguments) -> Batch:
    return defined(*arguments, read=lambda y, bos, eos: [*y, eos])


def swapped(*arguments) -> Batch:
    source, target_in, target_out = defined(*arguments)
    return source, target_out, target_in


def input_with_the_end(*arguments) -> Batch:
    return defined(*arguments, read=lambda y, bos, eos: [bos, *y, eos])


def output_with_the_start(*arguments) -> Batch:
    return defined(*arguments, written=lambda y, bos, eos: [bos, *y, eos])


def output_without_the_end(*arguments) -> Batch:
    return defined(*arguments, written=lambda y, bos, eos: y)


def source_without_the_end(*arguments) -> Batch:
    return defined(*arguments, source=lambda x, eos: x, turned=lambda x, eos: x[::-1])


def cut_from_the_batch(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    whole = padded([[bos, *y, eos] for _, y in pairs], pad)
    return defined(pairs, pad, bos, eos, reverse)[0], whole[:, :-1], whole[:, 1:]


def end_behind_the_padding(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    source, target_in, _ = defined(pairs, pad, bos, eos, reverse)
    y = padded([y for _, y in pairs], pad)
    return source, target_in, torch.cat([y, torch.full((len(y), 1), eos)], 1)


def padded_with_zeros(pairs: Pairs, pad: int, *rest) -> Batch:
    return defined(pairs, 0, *rest)


def padded_with_the_end(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    return defined(pairs, eos, bos, eos, reverse)


def padded_in_front(*arguments) -> Batch:
    def in_front(rows: list[list[int]], pad: int) -> Tensor:
        return padded([row[::-1] for row in rows], pad).flip(1)

    return defined(*arguments, fill=in_front)


def both_as_wide(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    longest = 1 + max(len(side) for pair in pairs for side in pair)
    return defined(
        pairs, pad, bos, eos, reverse, fill=lambda rows, pad: padded([*rows, [pad] * longest], pad)[: len(rows)]
    )


def never_reversed(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    return defined(pairs, pad, bos, eos, False)


def always_reversed(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    return defined(pairs, pad, bos, eos, True)


def end_reversed(*arguments) -> Batch:
    return defined(*arguments, turned=lambda x, eos: [eos, *x[::-1]])


def whole_row_reversed(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    source, *targets = defined(pairs, pad, bos, eos, False)
    return source.flip(1) if reverse else source, *targets


def target_reversed(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    return defined([(x, y[::-1] if reverse else y) for x, y in pairs], pad, bos, eos, reverse)


def reversed_in_place(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    for x, _ in pairs:
        if reverse:
            x.reverse()
    return defined(pairs, pad, bos, eos, False)


def end_appended(pairs: Pairs, pad: int, bos: int, eos: int, reverse: bool) -> Batch:
    batch = defined(pairs, pad, bos, eos, reverse)
    for _, y in pairs:
        y.append(eos)
    return batch
