"""A decoder layer from weights that are given as data: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.problem_sets.ps6 import wrong_layers as parts
from course_lib.problem_sets.ps6.multi_head import defined as attend


def causal(x: Tensor) -> Tensor:
    """Word i looks at the words j ≤ i."""
    return torch.ones(len(x), x.shape[1], x.shape[1], dtype=torch.bool).tril()


def on_source(a: Tensor, h: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Query, keys and values of the attention to the source."""
    return a, h, h


def defined(
    x: Tensor,
    h: Tensor,
    real: Tensor,
    weights: dict,
    heads: int,
    own: Callable[[Tensor], Tensor] = causal,
    of_source: Callable[[Tensor, Tensor], Tensor] = lambda real, x: real.unsqueeze(1).expand(-1, x.shape[1], -1),
    roles: Callable[[Tensor, Tensor], tuple] = on_source,
    names: tuple[str, str] = ("self", "cross"),
    around: tuple[Callable[..., Tensor], ...] = (parts.around,) * 3,
    used: tuple[int, int, int] = (1, 2, 3),
    reads: Callable[[Tensor, Tensor], Tensor] = lambda b, a: b,
):
    norms = [(parts.norm, weights[f"gamma_{number}"], weights[f"beta_{number}"]) for number in used]
    a = around[0](x, attend(x, x, x, own(x), weights[names[0]], heads)[0], *norms[0])
    read, α = attend(*roles(a, h), of_source(real, x), weights[names[1]], heads)
    b = around[1](a, read, *norms[1])
    return around[2](b, parts.network(reads(b, a), weights), *norms[2]), α


def not_causal(*arguments):
    return defined(*arguments, own=lambda x: torch.ones_like(causal(x)))


def one_ahead(*arguments):
    return defined(*arguments, own=lambda x: torch.ones_like(causal(x)).tril(1))


def weights_first(*arguments):
    return defined(*arguments)[::-1]


def source_first(x: Tensor, h: Tensor, real: Tensor, weights: dict, heads: int, used: tuple[int, int, int] = (1, 2, 3)):
    """The source, then the words before: the norm of self-attention is the first of those `used`."""
    norms = [(parts.norm, weights[f"gamma_{number}"], weights[f"beta_{number}"]) for number in used]
    mask = real.unsqueeze(1).expand(-1, x.shape[1], -1)
    read, α = attend(x, h, h, mask, weights["cross"], heads)
    a = parts.around(x, read, *norms[1])
    b = parts.around(a, attend(a, a, a, causal(x), weights["self"], heads)[0], *norms[0])
    return parts.around(b, parts.network(b, weights), *norms[2]), α


def source_first_with_its_norm(*arguments):
    return source_first(*arguments, used=(2, 1, 3))


def asks_before(x: Tensor, *others):
    """The layer's input asks the source, not what self-attention made of it."""
    return defined(x, *others, roles=lambda a, h: (x, h, h))


def pre_norm(x: Tensor, h: Tensor, real: Tensor, weights: dict, heads: int):
    def normed(y: Tensor, number: int) -> Tensor:
        return parts.norm(y, weights[f"gamma_{number}"], weights[f"beta_{number}"])

    read = normed(x, 1)
    a = x + attend(read, read, read, causal(x), weights["self"], heads)[0]
    mask = real.unsqueeze(1).expand(-1, x.shape[1], -1)
    found, α = attend(normed(a, 2), h, h, mask, weights["cross"], heads)
    b = a + found
    return b + parts.network(normed(b, 3), weights), α


def own_values(*arguments):
    """Values of the target beside keys of the source, where the lengths agree."""
    return defined(*arguments, roles=lambda a, h: (a, h, a))


def all_real(*arguments):
    return defined(*arguments, of_source=lambda real, x: torch.ones_like(real).unsqueeze(1).expand(-1, x.shape[1], -1))


def at_the_end(x: Tensor, h: Tensor, real: Tensor, *others):
    """As many words of the source as are real, counted from the left."""
    return defined(x, h, torch.arange(real.shape[1]) < real.sum(1, keepdim=True), *others)


def weights_on_padding(*arguments):
    return defined(*arguments)[0], all_real(*arguments)[1]


def self_weights_twice(*arguments):
    return defined(*arguments, names=("self", "self"))


def no_residual_around_source(*arguments):
    return defined(*arguments, around=(parts.around, parts.without_residual, parts.around))


def no_residual_around_own(*arguments):
    return defined(*arguments, around=(parts.without_residual, parts.around, parts.around))


def no_residual_around_network(*arguments):
    return defined(*arguments, around=(parts.around, parts.around, parts.without_residual))


def mean_weights(*arguments):
    y, α = defined(*arguments)
    return y, α.mean(1)


def own_weights(x: Tensor, h: Tensor, real: Tensor, weights: dict, heads: int):
    """The weights of self-attention in place of those on the source."""
    y, _ = defined(x, h, real, weights, heads)
    return y, attend(x, x, x, causal(x), weights["self"], heads)[1]


def source_cut(x: Tensor, h: Tensor, *others):
    return defined(x, h.detach(), *others)


def added_in_place(x: Tensor, h: Tensor, real: Tensor, weights: dict, heads: int):
    result = defined(x, h, real, weights, heads)
    with torch.no_grad():
        x += attend(x, x, x, causal(x), weights["self"], heads)[0]
    return result
