"""ps2.bidirectional: a padded batch read both ways (Schuster and Paliwal 1997; Thadani, Zhao)."""

from collections.abc import Callable
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
from course_lib.problem_sets.ps2.layers import Read, last
from course_lib.problem_sets.ps2.run_layer import run_layer
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights, network, one_sentence, read, weights

VALUES = "outputs final"


def reference(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> Read:
    """Outputs [→h_t; ←h_t] (batch, time, 2 hidden), 0 at padding, and where each direction ends (batch, 2 hidden)."""
    both = network([[forward, backward]])
    outputs, states = read(both, x, lengths)
    return outputs, both.summary(states)


# Wrong versions


def turned(x: Tensor, lengths: Tensor) -> Tensor:
    """Each sentence back to front, its padding left where it is."""
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist(), strict=True)])


def unturned(x: Tensor, lengths: Tensor) -> Tensor:
    return x


def turned_row(x: Tensor, lengths: Tensor) -> Tensor:
    return x.flip(1)


def defined(
    x: Tensor,
    lengths: Tensor,
    forward: Weights,
    backward: Weights,
    turn: Callable = turned,
    back: Callable = turned,
    layer: Callable = layers.defined,
) -> Read:
    right, end = layer(x, lengths, forward)
    left, beginning = layer(turn(x, lengths), lengths, backward)
    return torch.cat([right, back(left, lengths)], 2), torch.cat([end, beginning], 1)


def from_padding(*arguments) -> Read:
    return defined(*arguments, turn=turned_row, back=turned_row)


def padding_in_the_product(*arguments) -> Read:
    return defined(*arguments, layer=layers.padding_in_the_product)


def not_turned_back(*arguments) -> Read:
    return defined(*arguments, back=unturned)


def never_turned(*arguments) -> Read:
    return defined(*arguments, turn=unturned, back=unturned)


def same_weights(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> Read:
    return defined(x, lengths, forward, forward)


def both_at_the_end(x: Tensor, lengths: Tensor, *directions: Weights) -> Read:
    outputs, _ = defined(x, lengths, *directions)
    return outputs, last(outputs, lengths)


def last_column(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> Read:
    outputs, final = defined(x, lengths, forward, backward)
    hidden = len(forward["b_h"])
    return outputs, torch.cat([outputs[:, -1, :hidden], final[:, hidden:]], 1)


def last_outputs(*arguments) -> Read:
    outputs, _ = defined(*arguments)
    return outputs, outputs[:, -1]


def left_before_right(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> Read:
    return tuple(each.roll(len(forward["b_h"]), -1) for each in defined(x, lengths, forward, backward))


def weights_exchanged(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> Read:
    return defined(x, lengths, backward, forward)


def backward_cut(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> Read:
    hidden = len(forward["b_h"])
    return tuple(
        torch.cat([each[..., :hidden], each[..., hidden:].detach()], -1)
        for each in defined(x, lengths, forward, backward)
    )


def turned_in_place(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> Read:
    right, end = layers.defined(x, lengths, forward)
    for row, n in zip(x, lengths.tolist(), strict=True):
        row[:n] = row[:n].flip(0)
    left, beginning = layers.defined(x, lengths, backward)
    return torch.cat([right, turned(left, lengths)], 2), torch.cat([end, beginning], 1)


# Cases


def batch(rng: Random, time: int, lengths: list[int]) -> Case:
    """Sentences of these lengths, with anything at all at the padding."""
    inputs, hidden = sizes(rng)
    x = tensor(rng, len(lengths), time, inputs)
    directions = [weights(rng, inputs, hidden) for _ in range(2)]
    return case(sentences(lengths, time), (inputs + hidden + 1) * time, x, torch.tensor(lengths), *directions)


draw = partial(one_sentence, batch)


def draw_batch(rng: Random, size: int) -> Case:
    return batch(rng, *padded(rng, 6))


everything = seeing(VALUES, VALUES)


def half(first: bool) -> Callable[[Callable, Case], dict]:
    """The probe that looks at the outputs of one direction."""

    def probe(function: Callable, case: Case) -> Parts:
        outputs = everything(function, case)["outputs"]
        hidden = len(case.arguments[2]["b_h"])
        if not isinstance(outputs, Tensor) or outputs.shape[-1:] != (2 * hidden,):
            return Parts({"→h" if first else "←h": outputs})
        return Parts({"→h": outputs[..., :hidden]} if first else {"←h": outputs[..., hidden:]})

    return probe


TASK = Task(
    name="ps2.bidirectional",
    title="Both directions over a padded batch",
    reference=reference,
    trains=True,
    lent=(run_layer,),
    criteria=(
        Numbers("one", 0.5, "A sentence of one token: →h and ←h beside each other.", draw((1, 1)), probe=everything),
        Numbers("forward", 0.5, "The first half of the outputs reads from the left.", draw((2, 5)), probe=half(True)),
        Numbers(
            "backward",
            1,
            "The second half reads from the right: ←h_t has seen the tokens from t on.",
            draw((2, 5)),
            probe=half(False),
        ),
        Numbers(
            "final",
            1,
            "The final state: →h at the last token and ←h at the first, each where its direction ends.",
            draw((2, 5)),
            probe=seeing(VALUES, "final"),
        ),
        Numbers(
            "padding",
            1,
            "The way back starts at the last real token, not at padding, which may hold even nan or inf.",
            draw((1, 1), (1, 4), anything=True),
            probe=half(False),
        ),
        Numbers("batch", 1, "Everything, for sentences of several lengths.", draw_batch, probe=everything),
        *fit_for_training(
            "x lengths forward backward",
            VALUES,
            defined,
            gradient=(
                "Gradients reach every token and the weights of both directions, whatever stands at padding; a call "
                "changes no argument.",
                draw((2, 5), (1, 3), anything=True),
            ),
            looks=dtypes_and_values,
            dtype=("The outputs have the dtype of x, float64 or float32.", draw((1, 3))),
        ),
    ),
    misconceptions=(
        Misconception(
            "backward before forward",
            left_before_right,
            "one",
            "You put the backward direction first: [←h; →h]. It is [→h; ←h], in the outputs and in the final state.",
        ),
        Misconception(
            "weights of the two directions exchanged",
            weights_exchanged,
            "one",
            "You read from the left with the backward weights, and from the right with the forward ones.",
        ),
        Misconception(
            "one direction's weights used twice",
            same_weights,
            "one",
            "Both your directions use the forward weights. Each has its own.",
        ),
        Misconception(
            "never turned round",
            never_turned,
            "backward",
            "Your second direction reads from the left as well: give it the sentence back to front.",
        ),
        Misconception(
            "outputs not turned back",
            not_turned_back,
            "backward",
            "You give the sentence back to front and leave the outputs so: ←h of the last token stands at the first.",
        ),
        Misconception(
            "both final states at the last token",
            both_at_the_end,
            "final",
            "At the last token ←h has seen that token only. It ends at the first.",
        ),
        Misconception(
            "the way back starts at the padding",
            from_padding,
            "padding",
            "You turn the whole row: its padding comes first and is read as the sentence. Turn the n real tokens only.",
        ),
        Misconception(
            "final state of the last column",
            last_column,
            "batch",
            "Your final →h is the output in the last column. A shorter sentence has padding there: →h ended before.",
        ),
        Misconception(
            "final state is the last column of the outputs",
            last_outputs,
            "final",
            "Your final state is outputs[:, -1]. →h ends at the last real token, which may stand before that column; "
            "←h ends at the first.",
        ),
        Misconception(
            "backward direction cut off from the gradient",
            backward_cut,
            "gradient",
            "No gradient comes through your backward direction: is there a detach, or a new tensor made of numbers?",
        ),
        Misconception(
            "x turned in place",
            turned_in_place,
            "gradient",
            "You turn x itself, which belongs to the caller, who may train on it. Make a new tensor.",
        ),
        Misconception("padding within the product", padding_in_the_product, "gradient", layers.NAN),
        *unfit.mistakes(defined, weights_from=2),
    ),
    forbidden=FORBIDDEN,
)
