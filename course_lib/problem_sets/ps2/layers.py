"""A layer of softsign units along a padded batch: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

import torch
from torch import Tensor, tanh
from torch.nn.functional import softsign

from course_lib.problem_sets.ps2.units import Weights

Read = tuple[Tensor, Tensor]  # outputs (batch, time, hidden), final (batch, hidden)
NAN = (
    "Your values are right, but the gradient is NaN where padding is: torch.where gives padding the gradient 0, and on "
    "the way back through the product 0 · NaN = NaN. Set x at padding to 0 before you compute with it."
)


def total(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
    return x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"]


def softsign_unit(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
    return softsign(total(x, h, weights))


def defined(
    x: Tensor,
    lengths: Tensor,
    weights: Weights,
    carry: Callable = lambda h: h,
    reads: Callable = lambda t, lengths: t < lengths,
    step: Callable = softsign_unit,
    start: Tensor | None = None,
    clean: Callable = lambda x, real: torch.where(real, x, 0),
) -> Read:
    h, outputs = x.new_zeros(len(x), len(weights["b_h"])) if start is None else start, []
    for t in range(x.shape[1]):
        real = reads(t, lengths).unsqueeze(1)
        h = torch.where(real, step(clean(x[:, t], real), carry(h), weights), h)
        outputs.append(torch.where(real, h, 0))
    return torch.stack(outputs, 1), h


def full(x: Tensor) -> Tensor:
    """Lengths as if nothing were padding."""
    return torch.full((len(x),), x.shape[1])


def last(outputs: Tensor, lengths: Tensor) -> Tensor:
    """The output at each sentence's last token."""
    return outputs[torch.arange(len(outputs)), lengths - 1]


def unmasked_outputs(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    outputs, _ = defined(x, full(x), weights)
    return outputs, last(outputs, lengths)


def padding_in_the_product(*arguments) -> Read:
    return defined(*arguments, clean=lambda x, real: x)


def numbers_for_padding(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    """nan_to_num in place of a mask: ∞ becomes the largest number there is."""
    return padding_in_the_product(x.nan_to_num(), lengths, weights)


def cleared_in_place(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    """The padding of x itself set to 0."""
    for row, n in zip(x.data, lengths.tolist(), strict=True):
        row[n:] = 0
    return defined(x, lengths, weights)


def zeros(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    hidden = len(weights["b_h"])
    return x.new_zeros(*x.shape[:2], hidden), x.new_zeros(len(x), hidden)


def last_column(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    return defined(x, lengths, weights)[0], defined(x, full(x), weights)[1]


def padding_read(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    return defined(x, full(x), weights)


def last_outputs(*arguments) -> Read:
    outputs, _ = defined(*arguments)
    return outputs, outputs[:, -1]


def truncated(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    steps = iter(range(x.shape[1]))
    return defined(x, lengths, weights, carry=lambda h: h if next(steps) % 4 else h.detach())


def cleared_at_padding(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    """A state that is multiplied by the mask, and so is 0 behind a sentence."""
    outputs, final = defined(x, lengths, weights)
    return outputs, torch.where((lengths == x.shape[1]).unsqueeze(1), final, 0)


def one_too_far(*arguments) -> Read:
    return defined(*arguments, reads=lambda t, lengths: t <= lengths)


def one_too_few(*arguments) -> Read:
    return defined(*arguments, reads=lambda t, lengths: t < lengths - 1)


def always_tanh(*arguments) -> Read:
    return defined(*arguments, step=lambda x, h, given: tanh(total(x, h, given)))


def unsigned(*arguments) -> Read:
    return defined(*arguments, step=lambda x, h, given: total(x, h, given) / (1 + total(x, h, given)))


def first_step_only(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    outputs, _ = defined(x[:, :1], lengths, weights)
    return outputs, outputs[:, 0]


def padded_by_product(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    outputs, h = [], x.new_zeros(len(x), len(weights["b_h"]))
    for t in range(x.shape[1]):
        real = (t < lengths).unsqueeze(1).to(x)
        new = softsign_unit(x[:, t], h, weights)
        h = real * new + (1 - real) * h
        outputs.append(h * real)
    return torch.stack(outputs, 1), h


def longest_first(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    order = lengths.argsort(descending=True, stable=True)
    return defined(x[order], lengths[order], weights)


def not_carried(*arguments) -> Read:
    return defined(*arguments, carry=torch.zeros_like)


def detached(*arguments) -> Read:
    return defined(*arguments, carry=Tensor.detach)


def shared(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    h, read = None, []
    for row, length in zip(x, lengths, strict=True):
        outputs, h = defined(row[None], length[None], weights, start=h)
        read.append((outputs, h))
    return tuple(map(torch.cat, zip(*read, strict=True)))


def starts_in_single_precision(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    return defined(x, lengths, weights, start=torch.zeros(len(x), len(weights["b_h"])))


def outputs_in_single_precision(*arguments) -> Read:
    outputs, final = defined(*arguments)
    return outputs.float(), final


def starts_in_both_dtypes(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    return defined(x, lengths, weights, start=torch.zeros(len(x), len(weights["b_h"]), dtype=torch.float64))
