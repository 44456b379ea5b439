"""ps2.bidirectional: a padded batch read both ways (Schuster and Paliwal 1997; Thadani, Zhao)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.numbers import Numbers, case, sentences, sizes, tensor, time_and_lengths
from course_lib.grading.cases.probes import dtypes_and_values, values_probe
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps2 import run_layer as layer
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights, network, one_sentence, read, weights

BOTH = "outputs final"


def reference(x: Tensor, lengths: Tensor, forward: Weights, backward: Weights) -> tuple[Tensor, Tensor]:
    """Outputs [→h_t; ←h_t] (batch, time, 2 hidden), 0 at padding, and where each direction ends (batch, 2 hidden)."""
    both = network([[forward, backward]])
    outputs, states = read(both, x, lengths)
    return outputs, both.summary(states)


# Mistakes


def turned(x, lengths):
    """Each sentence back to front, its padding left where it is."""
    return torch.stack([torch.cat([row[:n].flip(0), row[n:]]) for row, n in zip(x, lengths.tolist(), strict=True)])


def unturned(x, lengths):
    return x


def turned_row(x, lengths):
    return x.flip(1)


def defined(x, lengths, forward, backward, turn=turned, back=turned, reads=layer.defined, gives=lambda *both: both):
    right, end = reads(x, lengths, forward)
    left, beginning = reads(turn(x, lengths), lengths, backward)
    return gives(torch.cat([right, back(left, lengths)], 2), torch.cat([end, beginning], 1))


wrong = versions(defined)


@mistake("one")
def backward_before_forward(x, lengths, forward, backward):
    """You put the backward direction first: [←h; →h]. It is [→h; ←h], in the outputs and in the final state."""
    return tuple(each.roll(len(forward["b_h"]), -1) for each in defined(x, lengths, forward, backward))


@mistake("one")
def weights_of_the_two_directions_exchanged(x, lengths, forward, backward):
    """You read from the left with the backward weights, and from the right with the forward ones."""
    return defined(x, lengths, backward, forward)


@mistake("one")
def weights_of_one_direction_used_twice(x, lengths, forward, backward):
    """Both your directions use the forward weights. Each has its own."""
    return defined(x, lengths, forward, forward)


never_turned_round = wrong("backward", turn=unturned, back=unturned)(
    "Your second direction reads from the left as well: give it the sentence back to front."
)
outputs_not_turned_back = wrong("backward", back=unturned)(
    "You give the sentence back to front and leave the outputs so: ←h of the last token stands at the first."
)


@mistake("final")
def both_final_states_at_the_last_token(x, lengths, *directions):
    """At the last token ←h has seen that token only. It ends at the first."""
    outputs, _ = defined(x, lengths, *directions)
    return outputs, layer.last(outputs, lengths)


the_way_back_starts_at_the_padding = wrong("padding", turn=turned_row, back=turned_row)(
    "You turn the whole row: its padding comes first and is read as the sentence. Turn the n real tokens only."
)


@mistake("batch")
def final_state_of_the_last_column(x, lengths, forward, backward):
    """Your final →h is the output in the last column. A shorter sentence has padding there: →h ended before."""
    outputs, final = defined(x, lengths, forward, backward)
    hidden = len(forward["b_h"])
    return outputs, torch.cat([outputs[:, -1, :hidden], final[:, hidden:]], 1)


final_state_is_the_last_column_of_the_outputs = wrong("final", gives=lambda outputs, _: (outputs, outputs[:, -1]))(
    "Your final state is outputs[:, -1]. →h ends at the last real token, which may stand before that column; ←h ends "
    "at the first."
)


@mistake("gradient")
def backward_direction_cut_off_from_the_gradient(x, lengths, forward, backward):
    """No gradient comes through your backward direction: is there a detach, or a new tensor made of numbers?"""
    hidden, values = len(forward["b_h"]), defined(x, lengths, forward, backward)
    return tuple(torch.cat([each[..., :hidden], each[..., hidden:].detach()], -1) for each in values)


@mistake("gradient")
def x_turned_in_place(x, lengths, forward, backward):
    """You turn x itself, which belongs to the caller, who may train on it. Make a new tensor."""
    right, end = layer.defined(x, lengths, forward)
    for row, n in zip(x, lengths.tolist(), strict=True):
        row[:n] = row[:n].flip(0)
    left, beginning = layer.defined(x, lengths, backward)
    return torch.cat([right, turned(left, lengths)], 2), torch.cat([end, beginning], 1)


padding_within_the_product = wrong("gradient", reads=layer.padding_within_the_product)(layer.NAN)

# Cases


def batch(rng: Random, time: int, lengths: list[int]) -> Case:
    """Sentences of these lengths, with anything at all at the padding."""
    inputs, hidden = sizes(rng)
    x = tensor(rng, len(lengths), time, inputs)
    directions = [weights(rng, inputs, hidden) for _ in range(2)]
    return case(sentences(lengths, time), (inputs + hidden + 1) * time, x, torch.tensor(lengths), *directions)


draw = partial(one_sentence, batch)


def draw_batch(rng: Random, size: int) -> Case:
    return batch(rng, *time_and_lengths(rng, 6))


everything = values_probe(BOTH, BOTH)


def half(first: bool) -> Callable[[Callable, Case], dict]:
    """The probe that looks at the outputs of one direction."""

    def probe(function: Callable, case: Case) -> Parts:
        outputs = everything(function, case)["outputs"]
        hidden = len(case.arguments[2]["b_h"])
        if not isinstance(outputs, Tensor) or outputs.shape[-1:] != (2 * hidden,):
            return Parts({"→h" if first else "←h": outputs})
        return Parts({"→h": outputs[..., :hidden]} if first else {"←h": outputs[..., hidden:]})

    return probe


TASK = task(
    __name__,
    "Both directions over a padded batch",
    returns=BOTH,
    kind=Numbers,
    criteria=(
        criterion("one", 0.5, draw((1, 1)), BOTH)("A sentence of one token: →h and ←h beside each other."),
        criterion("forward", 0.5, draw((2, 5)), half(True))("The first half of the outputs reads from the left."),
        criterion("backward", 1, draw((2, 5)), half(False))(
            "The second half reads from the right: ←h_t has seen the tokens from t on."
        ),
        criterion("final", 1, draw((2, 5)), "final")(
            "The final state: →h at the last token and ←h at the first, each where its direction ends."
        ),
        criterion("padding", 1, draw((1, 1), (1, 4), anything=True), half(False))(
            "The way back starts at the last real token, not at padding, which may hold even nan or inf."
        ),
        criterion("batch", 1, draw_batch, BOTH)("Everything, for sentences of several lengths."),
        gradient(draw((2, 5), (1, 3), anything=True), weights_from=2)(
            "Gradients reach every token and the weights of both directions, whatever stands at padding; a call "
            "changes no argument."
        ),
        dtype(draw((1, 3)), looks=dtypes_and_values)("The outputs have the dtype of x, float64 or float32."),
    ),
    lent=(layer.run_layer,),
    forbidden=FORBIDDEN,
)
