"""The masks of a Transformer's three attentions: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

Masks = tuple[Tensor, Tensor, Tensor]  # (batch, n, n), (batch, m, m), (batch, m, n)


def of_keys(words: Tensor, queries: Tensor, pad: int) -> Tensor:
    return (words != pad).unsqueeze(1).expand(-1, queries.shape[1], -1)


def up_to(queries: int) -> Tensor:
    return torch.ones(queries, queries, dtype=torch.bool).tril()


def defined(
    source: Tensor,
    target: Tensor,
    pad: int,
    padding: Callable[[Tensor, Tensor, int], Tensor] = of_keys,
    causal: Callable[[int], Tensor] = up_to,
    join: Callable[[Tensor, Tensor], Tensor] = torch.logical_and,
) -> Masks:
    own = join(padding(target, target, pad), causal(target.shape[1]))
    return padding(source, source, pad), own, padding(source, target, pad)


def turned_round(*arguments) -> Masks:
    encoder, decoder, cross = defined(*arguments)
    return ~encoder, ~decoder, ~cross


def of_queries(source: Tensor, target: Tensor, pad: int) -> Masks:
    """Rows of padding hidden, in place of its columns."""
    return defined(source, target, pad, padding=lambda words, queries, pad: of_keys(queries, words, pad).mT)


def of_both(source: Tensor, target: Tensor, pad: int) -> Masks:
    def padding(words: Tensor, queries: Tensor, pad: int) -> Tensor:
        return of_keys(words, queries, pad) & (queries != pad).unsqueeze(2)

    return defined(source, target, pad, padding=padding)


def without_padding(source: Tensor, target: Tensor, pad: int) -> Masks:
    return defined(source, target, pad, padding=lambda *given: torch.ones_like(of_keys(*given)))


def pad_is_zero(source: Tensor, target: Tensor, pad: int) -> Masks:
    return defined(source, target, 0)


def first_sentence(source: Tensor, target: Tensor, pad: int) -> Masks:
    return defined(source, target, pad, padding=lambda words, *others: of_keys(words[:1].expand_as(words), *others))


def at_the_end(source: Tensor, target: Tensor, pad: int) -> Masks:
    """As many words as are real, counted from the left."""

    def padding(words: Tensor, queries: Tensor, pad: int) -> Tensor:
        return of_keys((torch.arange(words.shape[1]) < (words != pad).sum(1, keepdim=True)).long(), queries, 0)

    return defined(source, target, pad, padding=padding)


def not_causal(*arguments) -> Masks:
    return defined(*arguments, causal=lambda m: torch.ones(m, m, dtype=torch.bool))


def without_itself(*arguments) -> Masks:
    return defined(*arguments, causal=lambda m: up_to(m).tril(-1))


def one_ahead(*arguments) -> Masks:
    return defined(*arguments, causal=lambda m: torch.ones(m, m, dtype=torch.bool).tril(1))


def later_ones(*arguments) -> Masks:
    return defined(*arguments, causal=lambda m: up_to(m).mT)


def either(*arguments) -> Masks:
    return defined(*arguments, join=torch.logical_or)


def causal_alone(*arguments) -> Masks:
    return defined(*arguments, join=lambda padding, causal: causal.expand_as(padding))


def padding_at_itself(*arguments) -> Masks:
    encoder, decoder, cross = defined(*arguments)
    return encoder, decoder | torch.eye(decoder.shape[1], dtype=torch.bool), cross


def targets_padding(source: Tensor, target: Tensor, pad: int) -> Masks:
    """For the attention to the source, the padding of the target's words hides the queries as well."""
    encoder, decoder, cross = defined(source, target, pad)
    return encoder, decoder, cross & (target != pad).unsqueeze(2)


def cross_turned(*arguments) -> Masks:
    encoder, decoder, cross = defined(*arguments)
    return encoder, decoder, cross.mT


def cross_causal(*arguments) -> Masks:
    encoder, decoder, cross = defined(*arguments)
    return encoder, decoder, cross.tril()


def everywhere_causal(*arguments) -> Masks:
    encoder, decoder, cross = defined(*arguments)
    return encoder.tril(), decoder, cross


def encoder_of_all(*arguments) -> Masks:
    encoder, decoder, cross = defined(*arguments)
    return torch.ones_like(encoder), decoder, cross


def cross_of_all(*arguments) -> Masks:
    encoder, decoder, cross = defined(*arguments)
    return encoder, decoder, torch.ones_like(cross)


def as_numbers(dtype: torch.dtype) -> Callable[..., Masks]:
    """Masks of this dtype."""
    return lambda *arguments: tuple(mask.to(dtype) for mask in defined(*arguments))
