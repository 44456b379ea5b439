"""Embedded words with their positions: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from math import sqrt

import torch
from torch import Tensor


def paper(column: int, d: int) -> float:
    """What a position is divided by in this column: sine and cosine have the same."""
    return 10000 ** ((column - column % 2) / d)


def places(
    first: int, length: int, d: int, dtype: torch.dtype, period: Callable[[int, int], float] = paper, phase: int = 0
) -> Tensor:
    """PE of so many positions: sines in the even columns, cosines in the odd ones; with `phase` 1 it is the reverse."""
    pos = torch.arange(first, first + length, dtype=dtype)
    angles = [pos / period(column, d) for column in range(d)]
    columns = [angle.cos() if (column + phase) % 2 else angle.sin() for column, angle in enumerate(angles)]
    return torch.stack(columns, 1)


def defined(
    words: Tensor,
    E: Tensor,
    start: int,
    scale: Callable[[int], float] = sqrt,
    where: Callable[..., Tensor] = places,
    begin: Callable[[int], int] = lambda start: start,
    join: Callable[[Tensor, Tensor], Tensor] = torch.add,
    look: Callable[[Tensor, Tensor], Tensor] = lambda E, words: E[words],
) -> Tensor:
    d = E.shape[1]
    return join(scale(d) * look(E, words), where(begin(start), words.shape[1], d, E.dtype))


def halves(first: int, length: int, d: int, dtype: torch.dtype) -> Tensor:
    """All sines, then all cosines."""
    right = places(first, length, d, dtype)
    return torch.cat([right[:, 0::2], right[:, 1::2]], 1)


def sines_then_cosines(*arguments) -> Tensor:
    return defined(*arguments, where=halves)


def cosines_first(*arguments) -> Tensor:
    return defined(*arguments, where=lambda *given: places(*given, phase=1))


def only_sines(*arguments) -> Tensor:
    def where(first: int, length: int, d: int, dtype: torch.dtype) -> Tensor:
        return torch.stack([places(first, length, d, dtype)[:, column - column % 2] for column in range(d)], 1)

    return defined(*arguments, where=where)


def by_periods(period: Callable[[int, int], float]) -> Callable[..., Tensor]:
    def where(*given) -> Tensor:
        return places(*given, period=period)

    return where


def own_period(*arguments) -> Tensor:
    return defined(*arguments, where=by_periods(lambda column, d: 10000 ** (column / d)))


def twice_the_column(*arguments) -> Tensor:
    return defined(*arguments, where=by_periods(lambda column, d: 10000 ** (2 * (column - column % 2) / d)))


def half_the_column(*arguments) -> Tensor:
    return defined(*arguments, where=by_periods(lambda column, d: 10000 ** (column // 2 / d)))


def base_1000(*arguments) -> Tensor:
    return defined(*arguments, where=by_periods(lambda column, d: 1000 ** ((column - column % 2) / d)))


def multiplied(*arguments) -> Tensor:
    return defined(*arguments, where=by_periods(lambda column, d: 1 / paper(column, d)))


def one_period(*arguments) -> Tensor:
    return defined(*arguments, where=by_periods(lambda column, d: 1.0))


def from_one(*arguments) -> Tensor:
    return defined(*arguments, begin=lambda start: start + 1)


def from_zero(*arguments) -> Tensor:
    return defined(*arguments, begin=lambda start: 0)


def even_width(first: int, length: int, d: int, dtype: torch.dtype) -> Tensor:
    """The periods of a vector that is one number wider, where the width is odd."""
    return places(first, length, d + d % 2, dtype)[:, :d]


def wider(*arguments) -> Tensor:
    return defined(*arguments, where=even_width)


def nothing_last(*arguments) -> Tensor:
    def where(first: int, length: int, d: int, dtype: torch.dtype) -> Tensor:
        right = places(first, length, d, dtype)
        right[:, d - d % 2 :] = 0
        return right

    return defined(*arguments, where=where)


def in_single_precision(*arguments) -> Tensor:
    def where(first: int, length: int, d: int, dtype: torch.dtype) -> Tensor:
        return places(first, length, d, torch.float32)

    return defined(*arguments, where=where)


def of_float32(words: Tensor, E: Tensor, start: int) -> Tensor:
    return defined(words, E.float(), start)


def unscaled(*arguments) -> Tensor:
    return defined(*arguments, scale=lambda d: 1.0)


def divided(*arguments) -> Tensor:
    return defined(*arguments, scale=lambda d: 1 / sqrt(d))


def by_the_width(*arguments) -> Tensor:
    return defined(*arguments, scale=lambda d: d)


def all_scaled(*arguments) -> Tensor:
    E = arguments[1]
    return defined(*arguments, scale=lambda d: 1.0, join=lambda x, places: sqrt(E.shape[1]) * (x + places))


def without_positions(*arguments) -> Tensor:
    return defined(*arguments, join=lambda x, places: x)


def times_positions(*arguments) -> Tensor:
    return defined(*arguments, join=torch.mul)


def at_the_end(*arguments) -> Tensor:
    return defined(*arguments, join=lambda x, places: torch.cat([x, places.expand_as(x)], -1))


def by_sentences(words: Tensor, E: Tensor, start: int) -> Tensor:
    """The number of the sentence in place of the number of the word."""
    return defined(words, E, start, join=lambda x, places: x + defined_places(words, E, start))


def defined_places(words: Tensor, E: Tensor, start: int) -> Tensor:
    return places(start, len(words), E.shape[1], E.dtype).unsqueeze(1)


def all_words_in_a_row(words: Tensor, E: Tensor, start: int) -> Tensor:
    """Positions that go on from sentence to sentence."""
    return defined(words.reshape(1, -1), E, start).view(*words.shape, -1)


def written_into_the_embeddings(words: Tensor, E: Tensor, start: int) -> Tensor:
    with torch.no_grad():
        E *= sqrt(E.shape[1])
    return defined(words, E, start, scale=lambda d: 1.0)
