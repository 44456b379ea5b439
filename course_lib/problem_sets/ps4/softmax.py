"""Softmax over the real words of each sentence: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor


def highest(e: Tensor, real: Tensor) -> Tensor:
    """The largest score of each row among real words."""
    return e.masked_fill(~real, -torch.inf).amax(-1, keepdim=True)


def unshifted(e: Tensor, real: Tensor) -> Tensor:
    return torch.zeros_like(e[..., :1])


def defined(
    e: Tensor,
    mask: Tensor,
    real: Callable[[Tensor], Tensor] = lambda mask: mask.unsqueeze(1),
    shift: Callable[[Tensor, Tensor], Tensor] = highest,
    among: int | tuple[int, ...] = -1,
    nothing: float = 0.0,
    clean: Callable = lambda e, real: torch.where(real, e, 0),
) -> Tensor:
    """exp(e − m) / Σ exp(e − m) over `among`, m the row's `shift`; `nothing` where there is no real word."""
    kept = real(mask).expand_as(e)
    m = shift(e, kept)
    odds = torch.where(kept, (clean(e, kept) - torch.where(m.isinf(), 0, m)).exp(), 0)
    total = odds.sum(among, keepdim=True)
    return torch.where(total == 0, nothing, odds / torch.where(total == 0, 1, total))


def softmax(e: Tensor, axis: int = -1) -> Tensor:
    """Over one axis of e, with no mask."""
    odds = (e - e.amax(axis, keepdim=True)).exp()
    return odds / odds.sum(axis, keepdim=True)


def over_the_queries(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e.masked_fill(~mask.unsqueeze(1), -torch.inf), 1).masked_fill(~mask.unsqueeze(1), 0)


def infinite_over_the_queries(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e.masked_fill(~mask.unsqueeze(1), -torch.inf), 1)


def shifted_over_the_queries(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask, among=1)


def over_the_sentences(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e.masked_fill(~mask.unsqueeze(1), -torch.inf), 0)


def over_everything(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask, among=(1, 2), shift=lambda e, real: highest(e, real).amax(1, keepdim=True))


def unmasked(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e)


def masked_afterwards(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e).masked_fill(~mask.unsqueeze(1), 0)


def plain(e: Tensor, mask: Tensor, axis: int = -1) -> Tensor:
    """exp over its sum: no mask, and no shift."""
    return e.exp() / e.exp().sum(axis, keepdim=True)


def plain_over_the_queries(e: Tensor, mask: Tensor) -> Tensor:
    return plain(e, mask, axis=1)


def plain_infinite(e: Tensor, mask: Tensor, axis: int = -1) -> Tensor:
    return plain(e.masked_fill(~mask.unsqueeze(1), -torch.inf), mask, axis)


def plain_infinite_over_the_queries(e: Tensor, mask: Tensor) -> Tensor:
    return plain_infinite(e, mask, axis=1)


def plain_masked_afterwards(e: Tensor, mask: Tensor) -> Tensor:
    return plain(e, mask).masked_fill(~mask.unsqueeze(1), 0)


def plain_times_mask(e: Tensor, mask: Tensor) -> Tensor:
    return plain(e, mask) * mask.unsqueeze(1)


def zero_then_masked(e: Tensor, mask: Tensor) -> Tensor:
    return masked_afterwards(torch.where(mask.unsqueeze(1), e, 0), mask)


def zero_then_divided(e: Tensor, mask: Tensor) -> Tensor:
    kept = zero_then_masked(e, mask)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-30)


def guarded_times_mask(e: Tensor, mask: Tensor) -> Tensor:
    """Where the largest score is infinite, none is taken away."""
    top = e.amax(-1, keepdim=True)
    return plain_times_mask(e - top.masked_fill(top.isinf(), 0), mask)


def minus_a_thousand(e: Tensor, mask: Tensor) -> Tensor:
    return masked_afterwards(torch.where(mask.unsqueeze(1), e, -1e3), mask)


def plain_product(e: Tensor, mask: Tensor) -> Tensor:
    odds = e.exp() * mask.unsqueeze(1)
    return odds / odds.sum(-1, keepdim=True)


def times_mask(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e) * mask.unsqueeze(1)


def score_zero(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e.masked_fill(~mask.unsqueeze(1), 0))


def product_of_scores(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e * mask.unsqueeze(1))


def inverted(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, ~mask)


def from_the_left(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, torch.arange(e.shape[2]) < mask.sum(1, keepdim=True))


def first_sentence(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask[:1].expand_as(mask))


def unstable(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask, shift=unshifted)


def shifted_together(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask, shift=lambda e, real: e[real].max() if real.any() else unshifted(e, real))


def shifted_by_the_mean(e: Tensor, mask: Tensor) -> Tensor:
    def mean(e: Tensor, real: Tensor) -> Tensor:
        return torch.where(real, e, 0).sum(-1, keepdim=True) / real.sum(-1, keepdim=True).clamp(min=1)

    return defined(e, mask, shift=mean)


def shifted_by_the_smallest(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask, shift=lambda e, real: e.masked_fill(~real, torch.inf).amin(-1, keepdim=True))


def shifted_by_the_first(e: Tensor, mask: Tensor) -> Tensor:
    def first(e: Tensor, real: Tensor) -> Tensor:
        place = real.int().argmax(-1, keepdim=True)
        return torch.where(real.any(-1, keepdim=True), e.gather(-1, place), 0)

    return defined(e, mask, shift=first)


def shifted_with_padding(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask, shift=lambda e, real: e.amax(-1, keepdim=True))


def product_of_odds(e: Tensor, mask: Tensor) -> Tensor:
    odds = (e - highest(e, mask.unsqueeze(1)).clamp(min=-1e30)).exp() * mask.unsqueeze(1)
    total = odds.sum(-1, keepdim=True)
    return odds / total.masked_fill(total == 0, 1)


def minus_infinity(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e.masked_fill(~mask.unsqueeze(1), -torch.inf))


def minus_a_billion(e: Tensor, mask: Tensor) -> Tensor:
    return softmax(e.masked_fill(~mask.unsqueeze(1), -1e9))


def padding_in_the_exponent(e: Tensor, mask: Tensor) -> Tensor:
    return defined(e, mask, clean=lambda e, real: e)


def filled_in_place(e: Tensor, mask: Tensor) -> Tensor:
    with torch.no_grad():
        e.masked_fill_(~mask.unsqueeze(1), -torch.inf)
    return defined(e, mask)
