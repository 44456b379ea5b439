"""A training with accumulated gradients as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.cases.numbers import converted
from course_lib.problem_sets.ps7 import adam_step as adam
from course_lib.problem_sets.ps7 import learning_rate as rates  # a name that nobody lends a function of
from course_lib.problem_sets.ps7 import smoothed_loss as smoothing

Batch = tuple[Tensor, Tensor, Tensor]  # x (batch, time, d), target (batch, time), lengths (batch)
Weights = dict[str, Tensor]  # W (d, vocabulary), b (vocabulary)
Trained = tuple[list[float], Weights]
BETAS, EPS = (0.9, 0.98), 1e-9


def loss_of(batch: Batch, weights: Weights, epsilon: float) -> Tensor:
    x, target, lengths = batch
    return smoothing.defined(x @ weights["W"] + weights["b"], target, lengths, epsilon)


def words_of(batch: Batch) -> int:
    return int(batch[2].sum())


def by_words(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
    """The mean over all words."""
    return sum(loss * count for loss, count in zip(losses, words, strict=True)) / sum(words)


def groups(batches: list[Batch], n: int) -> list[list[Batch]]:
    """The batches of each update: n, and at last those that are left."""
    return [batches[start : start + n] for start in range(0, len(batches), n)]


def gradients_of(loss: Tensor, weights: Weights) -> Weights:
    return dict(zip(weights, torch.autograd.grad(loss, [*weights.values()]), strict=True))


def rate_of(step: int, warmup: int, weights: Weights) -> float:
    return rates.defined(step, warmup, len(weights["W"]))


def defined(
    batches: list[Batch],
    weights: Weights,
    accumulate: int,
    epsilon: float,
    warmup: int,
    split: Callable = groups,
    loss: Callable[..., Tensor] = loss_of,
    join: Callable[..., Tensor] = by_words,
    told: Callable[..., Tensor] | None = None,
    rate: Callable[..., float] = rate_of,
    keep: Callable[[dict], dict] = lambda state: state,
    moves: Sequence[str] = ("W", "b"),
    carried: bool = False,
    eps: float = EPS,
    change: Callable[[Weights], Weights] = lambda gradients: gradients,
) -> Trained:
    """`told` is how the losses that are returned are joined, if otherwise than those that make the gradient.

    `carried`: gradients are added to those of the updates before.
    """
    losses, state = [], {}
    sums = {name: torch.zeros_like(w) for name, w in weights.items()}
    for step, group in enumerate(split(batches, accumulate), start=1):
        own = {name: w.detach().clone().requires_grad_() for name, w in weights.items()}
        each, words = [loss(batch, own, epsilon) for batch in group], [words_of(batch) for batch in group]
        total = join(each, words, accumulate)
        gradients = change(gradients_of(total, own))
        if carried:
            gradients = sums = {name: sums[name] + g for name, g in gradients.items()}
        weights, state = adam.defined(
            {name: w.detach() for name, w in own.items()},
            {name: gradients[name] for name in moves},
            keep(state),
            rate(step, warmup, weights),
            BETAS,
            eps,
        )
        losses.append((told(each, words, accumulate) if told else total).item())
    return losses, weights


def mean_of_means(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
    return sum(losses) / len(losses)


def sum_of_means(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
    return sum(losses)


def sum_over_words(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
    return by_words(losses, words, n) * sum(words)


def divided_by_n(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
    """The mean of the batches' means, of the last update, too, divided by `accumulate`."""
    return sum(losses) / n


def of_the_last(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
    return losses[-1]


def of_the_first(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
    return losses[0]


def no_longer_than_1(gradients: Weights) -> Weights:
    """All gradients together clipped to norm 1."""
    norm = torch.stack([g.norm() for g in gradients.values()]).norm()
    return {name: g / norm.clamp(min=1) for name, g in gradients.items()}


def by_sentences(batches: list[Batch], *rest: Any) -> Trained:
    """Batches weighed by their sentences."""
    sentences = iter([len(batch[2]) for batch in batches])

    def join(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
        return by_words(losses, [next(sentences) for _ in losses], n)

    return defined(batches, *rest, join=join)


def by_places(batches: list[Batch], *rest: Any) -> Trained:
    """Batches weighed by their places, padding included."""
    places = iter([batch[1].numel() for batch in batches])

    def join(losses: Sequence[Tensor], words: Sequence[int], n: int) -> Tensor:
        return by_words(losses, [next(places) for _ in losses], n)

    return defined(batches, *rest, join=join)


unweighted = partial(defined, join=mean_of_means)
summed = partial(defined, join=sum_of_means)
summed_over_words = partial(defined, join=sum_over_words)
divided_by_accumulate = partial(defined, join=divided_by_n)
last_batch_alone = partial(defined, join=of_the_last)
first_batch_alone = partial(defined, join=of_the_first)
gradient_not_divided = partial(defined, join=sum_over_words, told=by_words)
gradients_added = partial(defined, join=sum_of_means, told=by_words)
told_unweighted = partial(defined, told=mean_of_means)
told_of_the_last = partial(defined, told=of_the_last)
each_batch_an_update = partial(defined, split=lambda batches, n: [[batch] for batch in batches])
rest_dropped = partial(defined, split=lambda batches, n: [each for each in groups(batches, n) if len(each) == n])
clipped = partial(defined, change=no_longer_than_1)
each_clipped = partial(defined, change=lambda gradients: {n: g / g.norm().clamp(min=1) for n, g in gradients.items()})
plain = partial(defined, loss=lambda batch, weights, epsilon: loss_of(batch, weights, 0.0))
without_b = partial(defined, moves=("W",))
eps_of_torch = partial(defined, eps=1e-8)
state_forgotten = partial(defined, keep=lambda state: {})
gradients_carried = partial(defined, carried=True)
steps_from_0 = partial(defined, rate=lambda step, warmup, weights: rate_of(step - 1, warmup, weights))
always_the_peak = partial(defined, rate=lambda step, warmup, weights: rate_of(warmup, warmup, weights))
always_the_first_rate = partial(defined, rate=lambda step, warmup, weights: rate_of(1, warmup, weights))
words_for_width = partial(
    defined, rate=lambda step, warmup, weights: rates.defined(step, warmup, weights["W"].shape[1])
)


def batches_counted(batches: list[Batch], weights: Weights, accumulate: int, epsilon: float, warmup: int) -> Trained:
    """The rate after so many batches, not updates."""

    def rate(step: int, warmup: int, weights: Weights) -> float:
        return rate_of(min(step * accumulate, len(batches)), warmup, weights)

    return defined(batches, weights, accumulate, epsilon, warmup, rate=rate)


def told_after_the_update(
    batches: list[Batch], weights: Weights, accumulate: int, epsilon: float, warmup: int
) -> Trained:
    """The losses computed with the weights after each update."""
    losses, trained = [], weights
    for i, group in enumerate(groups(batches, accumulate), start=1):
        _, trained = defined(batches[: i * accumulate], weights, accumulate, epsilon, warmup)
        each = [loss_of(batch, trained, epsilon) for batch in group]
        losses.append(by_words(each, [words_of(batch) for batch in group], accumulate).item())
    return losses, trained


def in_float32(batches: list[Batch], weights: Weights, *rest: Any) -> Trained:
    single = ([converted(batch, torch.float32) for batch in batches], converted(weights, torch.float32))
    return converted(defined(*single, *rest), torch.float64)


def asked_for_gradients(batches: list[Batch], weights: Weights, *rest: Any) -> Trained:
    found = defined(batches, weights, *rest)
    for each in weights.values():
        each.requires_grad_()
    return found


def in_place(batches: list[Batch], weights: Weights, *rest: Any) -> Trained:
    losses, trained = defined(batches, weights, *rest)
    with torch.no_grad():
        for name, each in weights.items():
            each.copy_(trained[name])
    return losses, trained
