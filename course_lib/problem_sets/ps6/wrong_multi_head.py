"""Multi-head attention from weights that are given as data: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from math import sqrt

import torch
from torch import Tensor

from course_lib.problem_sets.ps6.layers import Weights
from course_lib.problem_sets.ps6.wrong_attention import Looked
from course_lib.problem_sets.ps6.wrong_attention import defined as attend


def side_by_side(x: Tensor, heads: int) -> Tensor:
    return x.unflatten(2, (heads, -1)).transpose(1, 2)


def joined(contexts: Tensor) -> Tensor:
    return contexts.transpose(1, 2).flatten(2)


def defined(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor,
    weights: Weights,
    heads: int,
    linear: Callable[[Tensor, Tensor], Tensor] = lambda x, W: x @ W,
    split: Callable[[Tensor, int], Tensor] = side_by_side,
    scale: Callable[[Tensor, Tensor, Tensor], float] = lambda Q, K, V: sqrt(Q.shape[-1]),
    masked: Callable[[Tensor], Tensor] = lambda mask: mask.unsqueeze(1),
    join: Callable[[Tensor], Tensor] = joined,
) -> Looked:
    Q, K, V = (split(linear(x, weights[name]), heads) for x, name in ((query, "W_Q"), (key, "W_K"), (value, "W_V")))
    contexts, α = attend(Q, K, V, masked(mask), scale=scale)
    return linear(join(contexts), weights["W_O"]), α


def split_by_reshape(*arguments) -> Looked:
    return defined(*arguments, split=lambda x, heads: x.reshape(len(x), heads, x.shape[1], -1))


def every_nth_column(*arguments) -> Looked:
    return defined(*arguments, split=lambda x, heads: x.unflatten(2, (-1, heads)).permute(0, 3, 1, 2))


def joined_by_reshape(*arguments) -> Looked:
    return defined(*arguments, join=lambda c: c.reshape(len(c), c.shape[2], -1))


def joined_in_turn(*arguments) -> Looked:
    return defined(*arguments, join=lambda c: c.permute(0, 2, 3, 1).flatten(2))


def without_output(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, weights: Weights, heads: int) -> Looked:
    return defined(query, key, value, mask, weights, heads, linear=lambda x, W: x if W is weights["W_O"] else x @ W)


def turned(*arguments) -> Looked:
    return defined(*arguments, linear=lambda x, W: x @ W.T)


def exchanged(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, weights: Weights, heads: int) -> Looked:
    given = weights | {"W_Q": weights["W_K"], "W_K": weights["W_Q"]}
    return defined(query, key, value, mask, given, heads)


def by_the_model(query: Tensor, *others) -> Looked:
    return defined(query, *others, scale=lambda *_: sqrt(query.shape[2]))


def unscaled(*arguments) -> Looked:
    return defined(*arguments, scale=lambda *_: 1.0)


def one_head(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, weights: Weights, heads: int) -> Looked:
    outputs, α = defined(query, key, value, mask, weights, 1)
    return outputs, α.expand(-1, heads, -1, -1)


def mean_weights(*arguments) -> Looked:
    outputs, α = defined(*arguments)
    return outputs, α.mean(1)


def weights_first(*arguments) -> Looked:
    return defined(*arguments)[::-1]


def to_itself(query: Tensor, key: Tensor, value: Tensor, *others) -> Looked:
    return defined(query, query, query, *others)


def keys_of_query(query: Tensor, key: Tensor, *others) -> Looked:
    return defined(query, query, *others)


def roles_exchanged(query: Tensor, key: Tensor, *others) -> Looked:
    return defined(key, query, *others)


def values_of_keys(query: Tensor, key: Tensor, value: Tensor, *others) -> Looked:
    return defined(query, key, key, *others)


def unmasked(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, *others) -> Looked:
    return defined(query, key, value, torch.ones_like(mask), *others)


def inverted(*arguments) -> Looked:
    return defined(*arguments, masked=lambda mask: ~mask.unsqueeze(1))


def without_axis(*arguments) -> Looked:
    return defined(*arguments, masked=lambda mask: mask)


def first_mask(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, *others) -> Looked:
    return defined(query, key, value, mask[:1].expand_as(mask), *others)


def repeated_in_turn(query: Tensor, key: Tensor, value: Tensor, mask: Tensor, weights: Weights, heads: int) -> Looked:
    """For batch and heads in one axis, sentence by sentence, the masks are repeated all together."""
    return defined(
        query,
        key,
        value,
        mask,
        weights,
        heads,
        masked=lambda mask: mask.repeat(heads, 1, 1).unflatten(0, (len(mask), heads)),
    )
