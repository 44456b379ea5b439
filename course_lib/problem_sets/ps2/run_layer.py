"""ps2.run_layer: a unit read along a padded batch, the same for a sentence alone and in any company."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor, tanh
from torch.nn.functional import softsign

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import Numbers, case, sentences, sizes, tensor, time_and_lengths
from course_lib.grading.cases.probes import dtypes_and_values, values_probe
from course_lib.grading.cases.unfit import SINGLE
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps2.units import FORBIDDEN, UNWRITTEN, Weights, network, one_sentence, read, weights

BOTH = "outputs final"


def reference(x: Tensor, lengths: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    """Outputs h_t (batch, time, hidden), 0 at padding, and the state after each last token (batch, hidden)."""
    outputs, (h,) = read(network([[weights]]), x, lengths)
    return outputs, h[0]


def run_layer(x, lengths, weights):
    """What the exercises after this one may use: its source is lent to them, so it stands alone."""
    import torch

    h = x.new_zeros(len(x), len(weights["b_h"]))
    outputs = []
    for t in range(x.shape[1]):
        real = (t < lengths).unsqueeze(1)
        u = torch.where(real, x[:, t], 0) @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"]
        h = torch.where(real, u / (1 + u.abs()), h)
        outputs.append(torch.where(real, h, 0))
    return torch.stack(outputs, dim=1), h


# Mistakes

NAN = (
    "Your values are right, but the gradient is NaN where padding is: torch.where gives padding the gradient 0, and on "
    "the way back through the product 0 · NaN = NaN. Set x at padding to 0 before you compute with it."
)


def unit(φ):
    return lambda x, h, weights: φ(x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])


total, softsign_unit = unit(lambda u: u), unit(softsign)


def defined(
    x,
    lengths,
    weights,
    carry=lambda h: h,
    reads=lambda t, lengths: t < lengths,
    step=softsign_unit,
    start=lambda x, hidden: x.new_zeros(len(x), hidden),
    clean=lambda x, real: torch.where(real, x, 0),
    gives=lambda outputs, final: (outputs, final),
):
    h, outputs = start(x, len(weights["b_h"])), []
    for t in range(x.shape[1]):
        real = reads(t, lengths).unsqueeze(1)
        h = torch.where(real, step(clean(x[:, t], real), carry(h), weights), h)
        outputs.append(torch.where(real, h, 0))
    return gives(torch.stack(outputs, 1), h)


def full(x):
    """Lengths as if nothing were padding."""
    return torch.full((len(x),), x.shape[1])


def last(outputs, lengths):
    """The output at each sentence's last token."""
    return outputs[torch.arange(len(outputs)), lengths - 1]


wrong = versions(defined)
state_that_starts_in_float32 = wrong("dtype", start=lambda x, hidden: torch.zeros(len(x), hidden))(
    "You were given float64, and a tensor that you made is float32, as torch.zeros(…) is: they do not go together. "
    "x.new_zeros(…) takes its dtype from x."
)
outputs_in_float32 = wrong("dtype", gives=lambda outputs, final: (outputs.float(), final))(SINGLE)
state_that_starts_in_float64 = wrong("dtype", start=lambda x, hidden: torch.zeros(len(x), hidden).double())(
    "Your state is float64 whatever x is. x.new_zeros(…), or dtype=x.dtype, takes the dtype from x."
)
tanh_for_the_softsign = wrong("one", step=unit(tanh))(
    "Your unit is the lecture's, with tanh. Here φ is the softsign, u / (1 + |u|)."
)
no_absolute_value = wrong("one", step=lambda *given: total(*given) / (1 + total(*given)))(
    "You divide by 1 + u. The softsign divides by 1 + |u|: mind the sign."
)


@mistake("carry")
def only_the_first_step(x, lengths, weights):
    """You return after the first token: does your `return` stand within the loop?"""
    outputs, _ = defined(x[:, :1], lengths, weights)
    return outputs, outputs[:, 0]


state_not_carried = wrong("carry", carry=torch.zeros_like)(
    "None of your steps depends on the state before it: h @ W_hh is missing, or the new state is not handed on to the "
    "next step."
)


@mistake("padding")
def outputs_at_padding_kept(x, lengths, weights):
    """Your outputs at padding are what the unit makes of it. Nothing was read there: they are 0."""
    outputs, _ = defined(x, full(x), weights)
    return outputs, last(outputs, lengths)


@mistake("padding")
def padding_taken_out_by_a_product(x, lengths, weights):
    """You multiply by 0 what you do not want. Padding may be anything, and 0 · NaN is NaN: torch.where picks."""
    outputs, h = [], x.new_zeros(len(x), len(weights["b_h"]))
    for t in range(x.shape[1]):
        real = (t < lengths).unsqueeze(1).to(x)
        h = real * softsign_unit(x[:, t], h, weights) + (1 - real) * h
        outputs.append(h * real)
    return torch.stack(outputs, 1), h


@mistake("final")
def state_updated_at_padding(x, lengths, weights):
    """Your final state is that of the last column, where a shorter sentence has padding. Keep the state it had after
    its last real token."""
    return defined(x, lengths, weights)[0], defined(x, full(x), weights)[1]


@mistake("padding")
def padding_read_like_tokens(x, lengths, weights):
    """You read padding like tokens. Behind the last token the state stays as it was, and the output is 0."""
    return defined(x, full(x), weights)


final_state_from_the_last_column_of_the_outputs = wrong("final", gives=lambda outputs, _: (outputs, outputs[:, -1]))(
    "Your final state is 0 for a shorter sentence: it is the last column of the outputs, or padding has set the state "
    "to 0. Each sentence's state after its own last token is meant."
)
one_token_too_far = wrong("final", reads=lambda t, lengths: t <= lengths)(
    "You read one token behind the end. The tokens of a sentence of length n are 0 … n − 1."
)
one_token_too_few = wrong("one", reads=lambda t, lengths: t < lengths - 1)(
    "You leave out the last token. The tokens of a sentence of length n are 0 … n − 1."
)


@mistake("together")
def sentences_left_in_another_order(x, lengths, weights):
    """You sort the sentences by length and leave them so. Give them back in the order in which they came."""
    order = lengths.argsort(descending=True, stable=True)
    return defined(x[order], lengths[order], weights)


@mistake("together")
def sentences_sorted_twice(x, lengths, weights):
    """You sort the sentences by length, and bring the results back with the same order. The way back is its inverse:
    order.argsort()."""
    order = lengths.argsort(descending=True)
    return tuple(each[order] for each in defined(x[order], lengths[order], weights))


@mistake("together")
def sentences_share_a_state(x, lengths, weights):
    """A sentence of yours starts from the state in which the one before it ended. Each starts from zeros."""
    h, read = x.new_zeros(1, len(weights["b_h"])), []
    for row, length in zip(x, lengths, strict=True):
        outputs, h = defined(row[None], length[None], weights, start=lambda *_, h=h: h)
        read.append((outputs, h))
    return tuple(map(torch.cat, zip(*read, strict=True)))


gradient_cut_between_steps = wrong("gradient", carry=Tensor.detach)(
    "Your values are right, but no gradient passes from a step to the one before: is there a detach, an item() or a "
    "new tensor made of numbers on the way of the state?"
)


@mistake("gradient")
def gradient_cut_every_few_steps(x, lengths, weights):
    """Your gradient passes some steps and stops at others: here it reaches every token, however far back."""
    steps = iter(range(x.shape[1]))
    return defined(x, lengths, weights, carry=lambda h: h if next(steps) % 4 else h.detach())


@mistake("one", UNWRITTEN)
def nothing_but_zeros(x, lengths, weights):
    hidden = len(weights["b_h"])
    return x.new_zeros(*x.shape[:2], hidden), x.new_zeros(len(x), hidden)


def unclean(x, real):
    return x


@mistake("gradient")
def numbers_in_place_of_nan_and_inf(x, lengths, weights):
    """You make numbers of what is none at padding, as nan_to_num does: of inf the largest number there is, and the
    gradient of what is computed from it is nan. Set x at padding to 0, whatever stands there."""
    return defined(x.nan_to_num(), lengths, weights, clean=unclean)


@mistake("gradient")
def padding_of_x_set_to_0_in_place(x, lengths, weights):
    """You set the padding of x itself to 0. x belongs to the caller: make a new tensor, as torch.where(…) does."""
    for row, n in zip(x.data, lengths.tolist(), strict=True):
        row[n:] = 0
    return defined(x, lengths, weights)


padding_within_the_product = wrong("gradient", clean=unclean)(NAN)

# Cases


def batch(rng: Random, time: int, lengths: list[int]) -> Case:
    """Sentences of these lengths, with anything at all at the padding."""
    inputs, hidden = sizes(rng)
    x = tensor(rng, len(lengths), time, inputs)
    words, terms = sentences(lengths, time), (inputs + hidden + 1) * time
    return case(words, terms, x, torch.tensor(lengths), weights(rng, inputs, hidden))


draw = partial(one_sentence, batch)


def draw_batch(rng: Random, size: int) -> Case:
    """Sentences of three lengths. The order that sorts them, downwards and upwards in turn, is not its own inverse; the
    last token of the longest is all zeros, and is read all the same."""

    def circular(time: int, lengths: list[int]) -> bool:
        order = sorted(range(3), key=lengths.__getitem__, reverse=size % 2 == 0)
        return len({*lengths}) == 3 and [order[i] for i in order] != [0, 1, 2]

    made = batch(rng, *until(lambda: time_and_lengths(rng, 6), circular))
    x, lengths, _ = made.arguments
    longest = lengths.argmax()
    x[longest, lengths[longest] - 1] = 0
    return made


everything = values_probe(BOTH, BOTH)


def in_any_company(function: Callable, case: Case) -> Parts:
    """The batch, and each of its sentences alone without padding."""
    x, lengths, given = case.arguments
    alone = {
        f"sentence {b} alone": replace(case, arguments=(x[b : b + 1, :n], lengths[b : b + 1], given))
        for b, n in enumerate(lengths.tolist())
    }
    return Parts((name, everything(function, each)) for name, each in (alone | {"the batch": case}).items())


TASK = task(
    __name__,
    "A layer over a padded batch",
    returns=BOTH,
    kind=Numbers,
    criteria=(
        criterion("one", 1, draw((1, 1)), BOTH)("A sentence of one token."),
        criterion("carry", 1, draw((2, 7)), BOTH)("A longer sentence: each step starts from the state before it."),
        criterion("padding", 1, draw((1, 1), (1, 4), anything=True), "outputs")(
            "The outputs at padding are 0, whatever stands there: even nan or inf."
        ),
        criterion("final", 1, draw((1, 1), (1, 4)), "final")("The final state is that after the last real token."),
        criterion("together", 1.5, draw_batch, in_any_company)("A padded batch, and its sentences alone: the same."),
        gradient(draw((5, 7), (1, 3), anything=True), 1, weights_from=2, visible=3)(
            "Gradients flow from every output to every token up to and including it and to every weight, whatever "
            "stands at padding; a call changes no argument."
        ),
        dtype(draw((1, 3)), looks=dtypes_and_values)("The outputs have the dtype of x, float64 or float32."),
    ),
    forbidden=FORBIDDEN,
)
