"""Scaled dot-product attention: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from math import sqrt

import torch
from torch import Tensor

Looked = tuple[Tensor, Tensor]  # contexts (…, query, d_v), weights (…, query, key)


def hidden(scores: Tensor, mask: Tensor) -> Tensor:
    return scores.masked_fill(~mask, -torch.inf)


def defined(
    Q: Tensor,
    K: Tensor,
    V: Tensor,
    mask: Tensor,
    scale: Callable[[Tensor, Tensor, Tensor], float] = lambda Q, K, V: sqrt(Q.shape[-1]),
    hide: Callable[[Tensor, Tensor], Tensor] = hidden,
    axis: int = -1,
    after: Callable[[Tensor, Tensor], Tensor] = lambda α, mask: α,
    look: Callable[[Tensor, Tensor], Tensor] = lambda α, V: α @ V,
) -> Looked:
    α = after(hide(Q @ K.mT / scale(Q, K, V), mask).softmax(axis), mask)
    return look(α, V), α


def with_one_maximum(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    """The largest score of the whole batch taken off all scores before exp."""
    e = hidden(Q @ K.mT / sqrt(Q.shape[-1]), mask)
    odds = (e - e.max()).exp()
    α = odds / odds.sum(-1, keepdim=True)
    return α @ V, α


def unscaled(*arguments) -> Looked:
    return defined(*arguments, scale=lambda *_: 1.0)


def by_the_width(*arguments) -> Looked:
    return defined(*arguments, scale=lambda Q, K, V: Q.shape[-1])


def by_the_values(*arguments) -> Looked:
    return defined(*arguments, scale=lambda Q, K, V: sqrt(V.shape[-1]))


def by_the_keys(*arguments) -> Looked:
    return defined(*arguments, scale=lambda Q, K, V: sqrt(K.shape[-2]))


def scaled_weights(*arguments) -> Looked:
    Q = arguments[0]
    return defined(*arguments, scale=lambda *_: 1.0, after=lambda α, mask: α / sqrt(Q.shape[-1]))


def over_the_queries(*arguments) -> Looked:
    return defined(*arguments, axis=-2)


def over_the_queries_without_nan(*arguments) -> Looked:
    return defined(*arguments, axis=-2, hide=lambda e, mask: e.masked_fill(~mask, -1e9))


def unmasked(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e)


def inverted(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e.masked_fill(mask, -1e9))


def inverted_with_infinity(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: hidden(e, ~mask))


def filled_in(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e.masked_fill(~mask, -20.0))


def lowered(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e - 20.0 * ~mask)


def filled_in_far_below(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e.masked_fill(~mask, -1e4))


def lowered_far(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e - 5e4 * ~mask)


def clamped(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: hidden(e.clamp(-5000, 5000), mask))


def masked_afterwards(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e, after=lambda α, mask: α * mask)


def divided_again(α: Tensor, mask: Tensor) -> Tensor:
    return α * mask / (α * mask).sum(-1, keepdim=True)


def masked_and_divided(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e, after=divided_again)


def exponentials(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    """A softmax that does not subtract the largest score."""
    α = divided_again((Q @ K.mT / sqrt(Q.shape[-1])).exp(), mask)
    return α @ V, α


def score_zero(*arguments) -> Looked:
    return defined(*arguments, hide=lambda e, mask: e * mask)


def first_querys_mask(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    return defined(Q, K, V, mask[..., :1, :])


def scaled_contexts(Q: Tensor, *others) -> Looked:
    contexts, α = defined(Q, *others)
    return contexts / sqrt(Q.shape[-1]), α


def plain_average(*arguments) -> Looked:
    return defined(*arguments, look=lambda α, V: V.mean(-2, keepdim=True).expand(*α.shape[:-1], -1))


def best_key(*arguments) -> Looked:
    def look(α: Tensor, V: Tensor) -> Tensor:
        return V.gather(-2, α.argmax(-1, keepdim=True).expand(*α.shape[:-1], V.shape[-1]))

    return defined(*arguments, look=look)


def keys_for_values(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    return defined(Q, K, K, mask)


def scores_for_weights(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    return defined(Q, K, V, mask)[0], Q @ K.mT / sqrt(Q.shape[-1])


def weights_first(*arguments) -> Looked:
    return defined(*arguments)[::-1]


def axis_1(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    return defined(Q, K, V, mask, axis=1)


def axis_from_the_front(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    return defined(Q, K, V, mask, axis=2)


def width_from_the_front(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    return defined(Q, K, V, mask, scale=lambda Q, K, V: sqrt(Q.shape[2]))


def turned_from_the_front(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    """Its transpose(1, 2) exchanges heads and keys."""
    α = hidden(Q @ K.transpose(1, 2) / sqrt(Q.shape[-1]), mask).softmax(-1)
    return α @ V, α


def scaled_in_place(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> Looked:
    with torch.no_grad():
        Q /= sqrt(Q.shape[-1])
    return defined(Q, K, V, mask, scale=lambda *_: 1.0)


def weights_cut(*arguments) -> Looked:
    return defined(*arguments, look=lambda α, V: α.detach() @ V)
