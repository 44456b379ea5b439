"""ps2.run_layer: a unit read along a padded batch, the same for a sentence alone and in any company."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import Numbers, case, padded, sentences, sizes, tensor
from course_lib.grading.cases.probes import dtypes_and_values, seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.problem_sets.ps2 import layers
from course_lib.problem_sets.ps2.layers import Read, defined
from course_lib.problem_sets.ps2.units import FORBIDDEN, UNWRITTEN, Weights, network, one_sentence, read, weights

VALUES = "outputs final"


def reference(x: Tensor, lengths: Tensor, weights: Weights) -> Read:
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


# Cases


def batch(rng: Random, time: int, lengths: list[int]) -> Case:
    """Sentences of these lengths, with anything at all at the padding."""
    inputs, hidden = sizes(rng)
    x = tensor(rng, len(lengths), time, inputs)
    words, terms = sentences(lengths, time), (inputs + hidden + 1) * time
    return case(words, terms, x, torch.tensor(lengths), weights(rng, inputs, hidden))


draw = partial(one_sentence, batch)


def draw_batch(rng: Random, size: int) -> Case:
    return batch(rng, *padded(rng, 6))


everything = seeing(VALUES, VALUES)


def in_any_company(function: Callable, case: Case) -> Parts:
    """The batch, and each of its sentences alone without padding."""
    x, lengths, given = case.arguments
    alone = {
        f"sentence {b} alone": replace(case, arguments=(x[b : b + 1, :n], lengths[b : b + 1], given))
        for b, n in enumerate(lengths.tolist())
    }
    return Parts((name, everything(function, each)) for name, each in (alone | {"the batch": case}).items())


TASK = Task(
    name="ps2.run_layer",
    title="A layer over a padded batch",
    reference=reference,
    trains=True,
    criteria=(
        Numbers("one", 1, "A sentence of one token.", draw((1, 1)), probe=everything),
        Numbers(
            "carry", 1, "A longer sentence: each step starts from the state before it.", draw((2, 7)), probe=everything
        ),
        Numbers(
            "padding",
            1,
            "The outputs at padding are 0, whatever stands there: even nan or inf.",
            draw((1, 1), (1, 4), anything=True),
            probe=seeing(VALUES, "outputs"),
        ),
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
        *fit_for_training(
            "x lengths weights",
            VALUES,
            defined,
            gradient=(
                "Gradients flow from every output to every token up to and including it and to every weight, whatever "
                "stands at padding; a call changes no argument.",
                draw((5, 7), (1, 3), anything=True),
            ),
            looks=dtypes_and_values,
            dtype=("The outputs have the dtype of x, float64 or float32.", draw((1, 3))),
            points=1,
        ),
    ),
    misconceptions=(
        Misconception(
            "state that starts in float32",
            layers.starts_in_single_precision,
            "dtype",
            "You were given float64, and a tensor that you made is float32, as torch.zeros(…) is: they do not go "
            "together. x.new_zeros(…) takes its dtype from x.",
        ),
        Misconception("outputs in float32", layers.outputs_in_single_precision, "dtype", unfit.SINGLE),
        Misconception(
            "state that starts in float64",
            layers.starts_in_both_dtypes,
            "dtype",
            "Your state is float64 whatever x is. x.new_zeros(…), or dtype=x.dtype, takes the dtype from x.",
        ),
        Misconception(
            "tanh for the softsign",
            layers.always_tanh,
            "one",
            "Your unit is the lecture's, with tanh. Here φ is the softsign, u / (1 + |u|).",
        ),
        Misconception(
            "no absolute value",
            layers.unsigned,
            "one",
            "You divide by 1 + u. The softsign divides by 1 + |u|: mind the sign.",
        ),
        Misconception(
            "only the first step",
            layers.first_step_only,
            "carry",
            "You return after the first token: does your `return` stand within the loop?",
        ),
        Misconception(
            "state not carried",
            layers.not_carried,
            "carry",
            "None of your steps depends on the state before it: h @ W_hh is missing, or the new state is not handed "
            "on to the next step.",
        ),
        Misconception(
            "outputs at padding kept",
            layers.unmasked_outputs,
            "padding",
            "Your outputs at padding are what the unit makes of it. Nothing was read there: they are 0.",
        ),
        Misconception(
            "padding taken out by a product",
            layers.padded_by_product,
            "padding",
            "You multiply by 0 what you do not want. Padding may be anything, and 0 · NaN is NaN: torch.where picks.",
        ),
        Misconception(
            "state updated at padding",
            layers.last_column,
            "final",
            "Your final state is that of the last column, where a shorter sentence has padding. Keep the state it had "
            "after its last real token.",
        ),
        Misconception(
            "padding read like tokens",
            layers.padding_read,
            "padding",
            "You read padding like tokens. Behind the last token the state stays as it was, and the output is 0.",
        ),
        Misconception(
            "final state from the last column of the outputs",
            layers.last_outputs,
            "final",
            "Your final state is the last column of the outputs, which is 0 for a shorter sentence. Take the output at "
            "each sentence's own last token.",
        ),
        Misconception(
            "one token too far",
            layers.one_too_far,
            "final",
            "You read one token behind the end. The tokens of a sentence of length n are 0 … n − 1.",
        ),
        Misconception(
            "one token too few",
            layers.one_too_few,
            "one",
            "You leave out the last token. The tokens of a sentence of length n are 0 … n − 1.",
        ),
        Misconception(
            "sentences left in another order",
            layers.longest_first,
            "together",
            "You sort the sentences by length and leave them so. Give them back in the order in which they came.",
        ),
        Misconception(
            "sentences share a state",
            layers.shared,
            "together",
            "A sentence of yours starts from the state in which the one before it ended. Each starts from zeros.",
        ),
        Misconception(
            "gradient cut between steps",
            layers.detached,
            "gradient",
            "Your values are right, but no gradient passes from a step to the one before: is there a detach, an item() "
            "or a new tensor made of numbers on the way of the state?",
        ),
        Misconception(
            "gradient cut every few steps",
            layers.truncated,
            "gradient",
            "Your gradient passes some steps and stops at others: here it reaches every token, however far back.",
        ),
        Misconception("nothing but zeros", layers.zeros, "one", UNWRITTEN),
        Misconception(
            "numbers in place of nan and inf",
            layers.numbers_for_padding,
            "gradient",
            "You make numbers of what is none at padding, as nan_to_num does: of inf the largest number there is, and "
            "the gradient of what is computed from it is nan. Set x at padding to 0, whatever stands there.",
        ),
        Misconception(
            "padding of x set to 0 in place",
            layers.cleared_in_place,
            "gradient",
            "You set the padding of x itself to 0. x belongs to the caller: make a new tensor, as torch.where(…) does.",
        ),
        Misconception("padding within the product", layers.padding_in_the_product, "gradient", layers.NAN),
        *unfit.mistakes(defined, weights_from=2),
    ),
    forbidden=FORBIDDEN,
)
