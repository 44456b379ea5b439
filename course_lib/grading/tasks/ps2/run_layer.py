"""ps2.run_layer: a unit read along a padded batch, the same for a sentence alone and in any company."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import torch
from torch import Tensor, tanh

from course_lib.grading.cases.numbers import Numbers, case, padded, sentences, sizes, tensor
from course_lib.grading.cases.probes import called, seeing
from course_lib.grading.cases.training import training
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.grading.tasks.ps2.units import FORBIDDEN, Weights, network, weights
from course_lib.recurrent import mask_from_lengths

VALUES = "outputs final"
Read = tuple[Tensor, Tensor]


def reference(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    """Outputs h_t (batch, time, hidden), 0 at padding, and the state after each last token (batch, hidden)."""
    outputs, (h,) = network([[weights]])(x, mask_from_lengths(lengths, x.shape[1]))
    return outputs, h[0]


# Wrong versions


def tanh_unit(x: Tensor, h: Tensor, weights: Weights) -> Tensor:
    return tanh(x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])


def defined(
    x: Tensor,
    lengths: Tensor,
    weights: Weights,
    carry: Callable = lambda h: h,
    reads: Callable = lambda t, lengths: t < lengths,
    step: Callable = tanh_unit,
    start: Tensor | None = None,
) -> Read:
    h, outputs = x.new_zeros(len(x), len(weights["b_h"])) if start is None else start, []
    for t in range(x.shape[1]):
        real = reads(t, lengths).unsqueeze(1)
        h = torch.where(real, step(x[:, t], carry(h), weights), h)
        outputs.append(h * real)
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


def last_column(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
    return defined(x, lengths, weights)[0], defined(x, full(x), weights)[1]


def one_too_far(*arguments) -> Read:
    return defined(*arguments, reads=lambda t, lengths: t <= lengths)


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


def single_precision(*arguments) -> Read:
    outputs, final = defined(*arguments)
    return outputs.float(), final


def double_precision(*arguments) -> Read:
    outputs, final = defined(*arguments)
    return outputs.double(), final


# Cases


def draw(length: tuple[int, int], pads: tuple[int, int] = (0, 0)) -> Callable[[Random, int], Case]:
    """One sentence, its length and its padding between the bounds given."""

    def drawn(rng: Random, size: int) -> Case:
        n = rng.randint(*length)
        return batch(rng, n + rng.randint(*pads), [n])

    return drawn


def batch(rng: Random, time: int, lengths: list[int]) -> Case:
    """Sentences of these lengths, with anything at all at the padding."""
    inputs, hidden = sizes(rng)
    x = tensor(rng, len(lengths), time, inputs)
    words, terms = sentences(lengths, time), (inputs + hidden + 1) * time
    return case(words, terms, x, torch.tensor(lengths), weights(rng, inputs, hidden))


def draw_batch(rng: Random, size: int) -> Case:
    time, lengths = padded(rng, 6)
    return batch(rng, time, rng.sample(lengths, 3))


def draw_single_precision(rng: Random, size: int) -> Case:
    drawn = draw((1, 1))(rng, size)
    x, lengths, given = drawn.arguments
    return replace(drawn, arguments=(x.float(), lengths, {name: value.float() for name, value in given.items()}))


def draw_gradient(rng: Random, size: int) -> Case:
    drawn = draw((2, 5))(rng, size)
    x, _, given = drawn.arguments
    hidden = len(given["b_h"])
    cotangents = [tensor(rng, 1, x.shape[1], hidden), tensor(rng, 1, hidden)]
    return replace(drawn, extra=cotangents)


def in_any_company(function: Callable, case: Case) -> Parts:
    """The batch, and each of its sentences alone without padding."""
    x, lengths, given = case.arguments
    alone = {
        f"sentence {b} alone": called(function, (x[b : b + 1, :n], lengths[b : b + 1], given), VALUES.split())
        for b, n in enumerate(lengths.tolist())
    }
    return Parts(alone | {"the batch": called(function, case.arguments, VALUES.split())})


everything = seeing(VALUES, VALUES)

TASK = Task(
    name="ps2.run_layer",
    title="A layer over a padded batch",
    reference=reference,
    criteria=(
        Numbers("one", 1, "A sentence of one token.", draw((1, 1)), probe=everything),
        Numbers(
            "carry", 1, "A longer sentence: each step starts from the state before it.", draw((2, 5)), probe=everything
        ),
        Numbers("padding", 1, "The outputs at padding are 0.", draw((1, 1), (1, 4)), probe=seeing(VALUES, "outputs")),
        Numbers(
            "final",
            1,
            "The final state is that after the last real token.",
            draw((1, 1), (1, 4)),
            probe=seeing(VALUES, "final"),
        ),
        Numbers(
            "together", 1.5, "A padded batch, and its sentences alone: the same.", draw_batch, probe=in_any_company
        ),
        Numbers(
            "gradient",
            1,
            "The gradient flows back from every output to every token before it.",
            draw_gradient,
            probe=training("x lengths weights"),
        ),
        Numbers(
            "dtype", 0.5, "The outputs have the dtype of x, here float32.", draw_single_precision, probe=everything
        ),
    ),
    misconceptions=(
        Misconception(
            "outputs made in single precision",
            single_precision,
            "one",
            "x is float64 and your outputs are float32, as torch.zeros(…) is. x.new_zeros(…) takes its dtype from x.",
        ),
        Misconception(
            "outputs made in double precision",
            double_precision,
            "dtype",
            "Your outputs are float64 whatever x is. x.new_zeros(…), or dtype=x.dtype, takes the dtype from x.",
        ),
        Misconception(
            "state not carried",
            not_carried,
            "carry",
            "Every one of your steps starts from zeros: hand the new state on to the next step.",
        ),
        Misconception(
            "outputs at padding kept",
            unmasked_outputs,
            "padding",
            "Your outputs at padding are what the unit makes of it. Nothing was read there: they are 0.",
        ),
        Misconception(
            "state updated at padding",
            last_column,
            "final",
            "Your final state is that of the last column, where a shorter sentence has padding. Keep the state it had "
            "after its last real token.",
        ),
        Misconception(
            "one token too far",
            one_too_far,
            "final",
            "You read one token behind the end. The tokens of a sentence of length n are 0 … n − 1.",
        ),
        Misconception(
            "sentences share a state",
            shared,
            "together",
            "A sentence of yours starts from the state in which the one before it ended. Each starts from zeros.",
        ),
        Misconception(
            "gradient cut between steps",
            detached,
            "gradient",
            "Your values are right, but no gradient passes from a step to the one before: is there a detach, an item() "
            "or a new tensor made of numbers on the way of the state?",
        ),
    ),
    forbidden=FORBIDDEN,
)
