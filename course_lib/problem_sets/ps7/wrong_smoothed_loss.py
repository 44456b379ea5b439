"""The losses of ps7.smoothed_loss: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from course_lib.problem_sets.ps3.sequence_loss import log_softmax, real

Rows = Callable[[Tensor, Tensor, float], Tensor]  # log p (batch, time, vocabulary), target, ε → losses (batch, time)


def of_the_word(log_p: Tensor, target: Tensor) -> Tensor:
    """−log p of the right word at each place."""
    return -log_p.gather(2, target[..., None]).squeeze(2)


def mixed(own: Callable[[float, int], float], others: Callable[[float, int], float]) -> Rows:
    """−own · log p(y) − others · Σ log p(v) over the other words v, both weights made of ε and the number of words."""

    def rows(log_p: Tensor, target: Tensor, epsilon: float) -> Tensor:
        n = log_p.shape[2]
        q = torch.full_like(log_p, others(epsilon, n)).scatter(2, target[..., None], own(epsilon, n))
        return -(q * log_p).sum(2)

    return rows


rest = mixed(lambda e, n: 1 - e, lambda e, n: e / (n - 1))


def defined(
    logits: Tensor,
    target: Tensor,
    lengths: Tensor,
    epsilon: float,
    log_p: Callable = log_softmax,
    rows: Rows = rest,
    mask: Callable = real,
    clean: bool = True,
    mean: Callable = lambda losses, lengths: losses.sum() / lengths.sum(),
) -> Tensor:
    words = mask(target, lengths)
    z = torch.where(words[..., None], logits, 0) if clean else logits
    losses = torch.where(words, rows(log_p(z), target, epsilon), 0)
    return mean(losses, lengths)


def with_rows(own: Callable[[float, int], float], others: Callable[[float, int], float]) -> Callable[..., Tensor]:
    return partial(defined, rows=mixed(own, others))


evenly = with_rows(lambda e, n: 1 - e + e / n, lambda e, n: e / n)
own_share_twice = with_rows(lambda e, n: 1 - e, lambda e, n: e / n)
share_on_top = with_rows(lambda e, n: 1 - e + e / (n - 1), lambda e, n: e / (n - 1))
not_divided = with_rows(lambda e, n: 1 - e, lambda e, n: e)
nothing_taken = with_rows(lambda e, n: 1, lambda e, n: e / (n - 1))
exchanged = with_rows(lambda e, n: e, lambda e, n: (1 - e) / (n - 1))
others_left_out = with_rows(lambda e, n: 1 - e, lambda e, n: 0)
not_smoothed = with_rows(lambda e, n: 1, lambda e, n: 0)
sign_left_out = with_rows(lambda e, n: e - 1, lambda e, n: -e / (n - 1))


def probabilities_mixed(log_p: Tensor, target: Tensor, epsilon: float) -> Tensor:
    """−log Σ q(v) p(v) in place of −Σ q(v) log p(v)."""
    p, n = log_p.exp(), log_p.shape[2]
    word = p.gather(2, target[..., None]).squeeze(2)
    return -((1 - epsilon) * word + epsilon / (n - 1) * (p.sum(2) - word)).log()


def inside_the_logarithm(*arguments) -> Tensor:
    return defined(*arguments, rows=probabilities_mixed)


def over_the_time(*arguments) -> Tensor:
    return defined(*arguments, log_p=partial(torch.log_softmax, dim=1))


def everywhere(target: Tensor, lengths: Tensor) -> Tensor:
    return torch.ones_like(target, dtype=torch.bool)


def padding_counted(*arguments) -> Tensor:
    return defined(*arguments, mask=everywhere, mean=lambda losses, _: losses.mean())


def rest_at_padding(logits: Tensor, target: Tensor, lengths: Tensor, epsilon: float) -> Tensor:
    """Padding loses the word's part, and keeps that of the other words."""

    def rows(log_p: Tensor, target: Tensor, epsilon: float) -> Tensor:
        at_padding = torch.where(real(target, lengths), 0, (1 - epsilon) * of_the_word(log_p, target))
        return rest(log_p, target, epsilon) - at_padding

    return defined(logits, target, lengths, epsilon, rows=rows, mask=everywhere)


def padding_by_product(logits: Tensor, target: Tensor, lengths: Tensor, epsilon: float) -> Tensor:
    losses = rest(log_softmax(logits), target, epsilon) * real(target, lengths)
    return losses.sum() / lengths.sum()


def only_nan_taken_out(logits: Tensor, *rest) -> Tensor:
    return padding_by_product(logits.masked_fill(logits.isnan(), 0), *rest)


def padding_in_the_softmax(*arguments) -> Tensor:
    return defined(*arguments, clean=False)


def mean_over_places(*arguments) -> Tensor:
    return defined(*arguments, mean=lambda losses, lengths: losses.mean())


def mean_of_means(*arguments) -> Tensor:
    return defined(*arguments, mean=lambda losses, lengths: (losses.sum(1) / lengths).mean())


def sum_of_all(*arguments) -> Tensor:
    return defined(*arguments, mean=lambda losses, lengths: losses.sum())


def mean_of_sums(*arguments) -> Tensor:
    return defined(*arguments, mean=lambda losses, lengths: losses.sum(1).mean())


def quotient_of_exps(*arguments) -> Tensor:
    return defined(*arguments, log_p=lambda z: (z.exp() / z.exp().sum(2, keepdim=True)).log())


def underflowing(*arguments) -> Tensor:
    return defined(*arguments, log_p=lambda z: z.softmax(2).log())


def with_epsilon(*arguments) -> Tensor:
    return defined(*arguments, log_p=lambda z: (z.softmax(2) + 1e-12).log())


def below_the_largest_of_all(z: Tensor) -> Tensor:
    z = z - z.max()
    return z - z.exp().sum(2, keepdim=True).log()


def one_maximum(*arguments) -> Tensor:
    return defined(*arguments, log_p=below_the_largest_of_all)


def rows_of_rounded_q(log_p: Tensor, target: Tensor, epsilon: float) -> Tensor:
    n = log_p.shape[2]
    q = torch.full(log_p.shape, epsilon / (n - 1)).scatter(2, target[..., None], 1 - epsilon)
    return -(q * log_p).sum(2)


def q_in_float32(*arguments) -> Tensor:
    return defined(*arguments, rows=rows_of_rounded_q)


def in_float32(logits: Tensor, *rest) -> Tensor:
    return defined(logits.float(), *rest).to(logits.dtype)


def of_one_number(*arguments) -> Tensor:
    """A tensor of shape (1,)."""
    return defined(*arguments).reshape(1)


def as_float(*arguments) -> float:
    return defined(*arguments).item()
