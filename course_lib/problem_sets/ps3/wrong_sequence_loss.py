"""The losses of ps3.sequence_loss: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable
from functools import partial
from math import log

import torch
from torch import Tensor

Losses = tuple[Tensor, Tensor]  # sums (batch), per_word ()


def real(target: Tensor, lengths: Tensor) -> Tensor:
    """Where a word is real (batch, time)."""
    return torch.arange(target.shape[1]) < lengths[:, None]


def log_softmax(z: Tensor) -> Tensor:
    return z.log_softmax(2)


def defined(
    logits: Tensor,
    target: Tensor,
    lengths: Tensor,
    log_p: Callable = log_softmax,
    mask: Callable = real,
    clean: bool = True,
    total: Callable = lambda losses, lengths: losses.sum(1),
    mean: Callable = lambda losses, lengths: losses.sum() / lengths.sum(),
) -> Losses:
    words = mask(target, lengths)
    z = torch.where(words[..., None], logits, 0) if clean else logits
    losses = -log_p(z).gather(2, target[..., None]).squeeze(2)
    losses = torch.where(words, losses, 0)
    return total(losses, lengths), mean(losses, lengths)


def log_losses(logits: Tensor, target: Tensor, *_) -> Tensor:
    """−log p at every place, padding included."""
    return -log_softmax(logits).gather(2, target[..., None]).squeeze(2)


def sign_left_out(*arguments) -> Losses:
    return tuple(-each for each in defined(*arguments))


def in_bits(*arguments) -> Losses:
    return tuple(each / log(2) for each in defined(*arguments))


def logits_for_log_p(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: z)


def no_logarithm(*arguments) -> Losses:
    return defined(*arguments, log_p=partial(torch.softmax, dim=2))


def over_the_time(*arguments) -> Losses:
    return defined(*arguments, log_p=partial(torch.log_softmax, dim=1))


def shifted_again(logits: Tensor, target: Tensor, lengths: Tensor) -> Losses:
    return defined(logits[:, :-1], target[:, 1:], lengths - 1)


def shifted_and_divided_by_all(logits: Tensor, target: Tensor, lengths: Tensor) -> Losses:
    sums, _ = shifted_again(logits, target, lengths)
    return sums, sums.sum() / lengths.sum()


def shifted_together(*arguments) -> Losses:
    def log_p(z: Tensor) -> Tensor:
        z = z - z.max().detach()
        return z - z.exp().sum(2, keepdim=True).log()

    return defined(*arguments, log_p=log_p)


def overflowing(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: z - z.exp().sum(2, keepdim=True).log())


def quotient_of_exps(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: (z.exp() / z.exp().sum(2, keepdim=True)).log())


def underflowing(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: z.softmax(2).log())


def with_epsilon(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: (z.softmax(2) + 1e-12).log())


def padding_counted(*arguments) -> Losses:
    return defined(*arguments, mask=lambda target, lengths: torch.ones_like(target, dtype=torch.bool))


def no_mask(*arguments) -> Losses:
    return padding_counted(*arguments)[0], log_losses(*arguments).mean()


def padding_by_product(logits: Tensor, target: Tensor, lengths: Tensor) -> Losses:
    losses = log_losses(logits, target) * real(target, lengths)
    return losses.sum(1), losses.sum() / lengths.sum()


def nan_replaced(logits: Tensor, target: Tensor, lengths: Tensor) -> Losses:
    return padding_by_product(logits.nan_to_num(), target, lengths)


def padding_in_the_softmax(*arguments) -> Losses:
    return defined(*arguments, clean=False)


def last_word_left_out(*arguments) -> Losses:
    return defined(*arguments, mask=lambda target, lengths: real(target, lengths - 1))


def mean_of_each(*arguments) -> Losses:
    return defined(*arguments, total=lambda losses, lengths: losses.sum(1) / lengths)


def mean_over_places(*arguments) -> Losses:
    return defined(*arguments, mean=lambda losses, lengths: losses.mean())


def mean_of_means(*arguments) -> Losses:
    return defined(*arguments, mean=lambda losses, lengths: (losses.sum(1) / lengths).mean())


def counted_by_the_loss(*arguments) -> Losses:
    return defined(*arguments, mean=lambda losses, lengths: losses.sum() / (losses != 0).sum())


def mean_of_sums(*arguments) -> Losses:
    return defined(*arguments, mean=lambda losses, lengths: losses.sum(1).mean())
