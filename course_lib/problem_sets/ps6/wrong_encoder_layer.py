"""An encoder layer from weights that are given as data: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.problem_sets.ps6 import wrong_layers as parts
from course_lib.problem_sets.ps6.layers import Weights
from course_lib.problem_sets.ps6.multi_head import defined as attend


def defined(
    x: Tensor,
    mask: Tensor,
    weights: Weights,
    heads: int,
    norm: parts.Norm = parts.norm,
    first: Callable[..., Tensor] = parts.around,
    second: Callable[..., Tensor] = parts.around,
    network: Callable[[Tensor, Weights], Tensor] = parts.network,
    reads: Callable[[Tensor, Tensor], Tensor] = lambda a, x: a,
    adds: Callable[[Tensor, Tensor], Tensor] = lambda a, x: a,
    used: tuple[int, int] = (1, 2),
) -> Tensor:
    norms = [(norm, weights[f"gamma_{number}"], weights[f"beta_{number}"]) for number in used]
    a = first(x, attend(x, x, x, mask, weights, heads)[0], *norms[0])
    return second(adds(a, x), network(reads(a, x), weights), *norms[1])


def with_norm(norm: parts.Norm) -> Callable[..., Tensor]:
    """An encoder layer with another norm."""
    return lambda *arguments: defined(*arguments, norm=norm)


def with_network(network: Callable[[Tensor, Weights], Tensor]) -> Callable[..., Tensor]:
    """An encoder layer with another feed-forward network."""
    return lambda *arguments: defined(*arguments, network=network)


def without_bias(name: str) -> Callable[..., Tensor]:
    """An encoder layer whose network does without b_1, or b_2."""
    return with_network(lambda x, weights: parts.network(x, weights | {name: torch.zeros_like(weights[name])}))


def with_both(connection: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """An encoder layer with another connection around both sublayers."""
    return lambda *arguments: defined(*arguments, first=connection, second=connection)


def pre_norm(x: Tensor, mask: Tensor, weights: Weights, heads: int) -> Tensor:
    read = parts.norm(x, weights["gamma_1"], weights["beta_1"])
    a = x + attend(read, read, read, mask, weights, heads)[0]
    return a + parts.network(parts.norm(a, weights["gamma_2"], weights["beta_2"]), weights)


def no_residual_around_attention(*arguments) -> Tensor:
    return defined(*arguments, first=parts.without_residual)


def no_residual_around_network(*arguments) -> Tensor:
    return defined(*arguments, second=parts.without_residual)


def first_norm_twice(*arguments) -> Tensor:
    return defined(*arguments, used=(1, 1))


def network_reads_input(*arguments) -> Tensor:
    return defined(*arguments, reads=lambda a, x: x)


def one_head(x: Tensor, mask: Tensor, weights: Weights, heads: int) -> Tensor:
    return defined(x, mask, weights, 1)


def unmasked(x: Tensor, mask: Tensor, weights: Weights, heads: int) -> Tensor:
    return defined(x, torch.ones_like(mask), weights, heads)


def first_words_mask(x: Tensor, mask: Tensor, *others) -> Tensor:
    return defined(x, mask[:, :1].expand_as(mask), *others)


def added_in_place(x: Tensor, mask: Tensor, weights: Weights, heads: int) -> Tensor:
    y = defined(x, mask, weights, heads)
    with torch.no_grad():
        x += attend(x, x, x, mask, weights, heads)[0]
    return y


def statistics_cut(*arguments) -> Tensor:
    def norm(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
        deviation = (x.var(-1, keepdim=True, correction=0) + parts.ε).sqrt()
        return gamma * (x - x.mean(-1, keepdim=True).detach()) / deviation.detach() + beta

    return defined(*arguments, norm=norm)
