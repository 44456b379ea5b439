"""The scores of ps3.forced_scores: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

from course_lib.problem_sets.ps3 import decoder_step, encode, shift
from course_lib.problem_sets.ps3.models import Model, Pairs

Scores = tuple[Tensor, Tensor]  # words (batch, time), scores (batch)


def defined(
    pairs: Pairs,
    weights: Model,
    bos: int,
    eos: int,
    batch: Callable = shift.defined,
    lengths: Callable = lambda side: len(side) + 1,
    summary: Callable = encode.defined,
    start: Callable = lambda c: c,
    fed: Callable = lambda c, t: c,
    carry: Callable = lambda s, c: s,
    reads: Callable = lambda true, z: true,
    log_p: Callable = lambda z: z.log_softmax(1),
    score: Callable = lambda words, m: words.sum(1),
) -> Scores:
    source, target_in, target_out = batch(pairs, eos, bos, eos, False)
    n, m = (torch.tensor([lengths(side) for side in sides]) for sides in zip(*pairs, strict=True))
    c = summary(source, n, weights["encoder"], False)[1]
    s, z, words = start(c), None, []
    for t in range(target_out.shape[1]):
        previous = target_in[:, t] if z is None else reads(target_in[:, t], z)
        s, z = decoder_step.defined(previous, carry(s, start(c)), fed(c, t), weights["decoder"])
        p = log_p(z).gather(1, target_out[:, t, None]).squeeze(1)
        words.append(torch.where(t < m, p, 0))
    words = torch.stack(words, 1)
    return words, score(words, m)


def with_negative_sign(*arguments) -> Scores:
    return tuple(-each for each in defined(*arguments))


def with_batch(batch: Callable) -> Callable:
    """The scores of another batch."""
    return partial(defined, batch=batch)


def end_not_read(pairs: Pairs, *rest) -> Scores:
    """The source without its eos."""

    def summary(words: Tensor, lengths: Tensor, *others) -> tuple[Tensor, Tensor]:
        return encode.defined(words, lengths - 1, *others)

    return defined(pairs, *rest, summary=summary)


def end_not_counted(*arguments) -> Scores:
    words, _ = defined(*arguments)
    real = torch.arange(words.shape[1]) < torch.tensor([[len(y)] for _, y in arguments[0]])
    words = torch.where(real, words, 0)
    return words, words.sum(1)


def padding_counted(pairs: Pairs, weights: Model, bos: int, eos: int) -> Scores:
    sources = torch.tensor([len(x) + 1 for x, _ in pairs])

    def summary(words: Tensor, lengths: Tensor, *others) -> tuple[Tensor, Tensor]:
        return encode.defined(words, sources, *others)

    return defined(pairs, weights, bos, eos, lengths=lambda side: 99, summary=summary)


def source_padding_read(*arguments) -> Scores:
    def summary(words: Tensor, lengths: Tensor, *others) -> tuple[Tensor, Tensor]:
        return encode.defined(words, torch.full_like(lengths, words.shape[1]), *others)

    return defined(*arguments, summary=summary)


def source_read_from_the_end(*arguments) -> Scores:
    def summary(words: Tensor, lengths: Tensor, weights: Model, _) -> tuple[Tensor, Tensor]:
        return encode.defined(words, lengths, weights, True)

    return defined(*arguments, summary=summary)


def summary_never_read(*arguments) -> Scores:
    return defined(*arguments, fed=lambda c, t: torch.zeros_like(c))


def own_words(*arguments) -> Scores:
    return defined(*arguments, reads=lambda true, z: z.argmax(1))


def from_zeros(*arguments) -> Scores:
    return defined(*arguments, start=torch.zeros_like)


def summary_at_first_only(*arguments) -> Scores:
    return defined(*arguments, fed=lambda c, t: c if t == 0 else torch.zeros_like(c))


def state_not_carried(*arguments) -> Scores:
    return defined(*arguments, carry=lambda s, first: first)


def mean_of_words(*arguments) -> Scores:
    return defined(*arguments, score=lambda words, m: words.sum(1) / m)


def product_of_words(*arguments) -> Scores:
    return defined(*arguments, score=lambda words, m: words.sum(1).exp())


def summary_cut(*arguments) -> Scores:
    def summary(*given) -> list[Tensor]:
        return [each.detach() for each in encode.defined(*given)]

    return defined(*arguments, summary=summary)


def steps_cut(*arguments) -> Scores:
    return defined(*arguments, carry=lambda s, first: s.detach())
