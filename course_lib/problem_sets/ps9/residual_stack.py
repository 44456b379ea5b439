"""ps9.residual_stack: the layers above the bottom one of GNMT's decoder (Wu et al. 2016, section 3; lecture 10)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor, nn

from course_lib.grading.cases.numbers import Numbers, case, count, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights
from course_lib.recurrent import Layer
from course_lib.recurrent.rnn import RNNCell
from course_lib.systems import gnmt

BOTH = "outputs last"


def reference(s: Tensor, c: Tensor, first: Tensor, layers: list[Weights]) -> tuple[Tensor, Tensor]:
    """The top layer's outputs (batch, time, hidden), and each layer's last h (layers, batch, hidden), lowest first."""
    decoder = gnmt.GNMTDecoder(gnmt.GNMTConfig(1, 1, s.shape[2], layers=len(layers) + 1, fused=False)).eval()
    decoder.upper = nn.ModuleList(Layer(units.unit(RNNCell, each)) for each in layers)
    outputs, states = decoder.above(s, c, [(h,) for h in first])
    return outputs, torch.stack([h for (h,) in states])


# Mistakes


def unit(x, h, given, bias=True, φ=torch.tanh):
    return φ(x @ given["W_xh"] + h @ given["W_hh"] + bias * given["b_h"])


def beside(s, c):
    """[s; c]"""
    return torch.cat([s, c], dim=2)


def kept(s, h):
    return h


def read(s, c, h, given, depth, unit=unit, beside=beside, carried=kept):
    """A layer's outputs at every word, and the state after the last one."""
    outputs = []
    for t, x in enumerate(beside(s, c).unbind(1)):
        outputs.append(unit(x, h, given))
        h = carried(s[:, t], outputs[-1]) if depth else outputs[-1]
    return torch.stack(outputs, 1), h


def above(s, h, depth):
    """What goes up: from the second of these layers on, which is the decoder's third, the sum."""
    return s + h if depth else h


def alone(s, h, depth):
    return h


def defined(s, c, first, layers, read=read, join=above, starts=lambda first, depth, lasts: first[depth], gives=None):
    lasts = []
    for depth, given in enumerate(layers):
        h, last = read(s, c, starts(first, depth, lasts), given, depth)
        s = join(s, h, depth)
        lasts.append(last)
    return (gives or (lambda *both: both))(s, torch.stack(lasts))


def with_parts(**parts):
    return lambda *given: read(*given, **parts)


wrong = versions(defined)
residual_from_the_second_layer = wrong("second", join=lambda s, h, depth: s + h)(
    "You add the input of the decoder's second layer, the first that you are given. Residual connections begin at the "
    "third."
)
context_first = wrong("second", read=with_parts(beside=lambda s, c: beside(c, s)))(
    "Your layers read [c; s]. The rows of W_xh for s come first: [s; c]."
)
one_context_for_all_words = wrong("second", read=with_parts(beside=lambda s, c: beside(s, c[:, :1].expand_as(c))))(
    "All your words read the first one's context. Each word has its own."
)
b_h_left_out = wrong("second", read=with_parts(unit=lambda *given: unit(*given, bias=False)))(
    "Your layers leave out b_h."
)
no_tanh = wrong("second", read=with_parts(unit=lambda *given: unit(*given, φ=lambda u: u)))(
    "Your layers have no tanh: h = tanh([s; c] W_xh + h W_hh + b_h)."
)
no_residual_connections = wrong("residual", join=alone)(
    "You stack the layers plainly: from the decoder's third layer on, which is the second that you are given, add what "
    "the layer has read from below to its output."
)


residual_from_the_fourth_layer = wrong("residual", join=lambda s, h, depth: s + h if depth > 1 else h)(
    "Your residual connections begin at the decoder's fourth layer. layers[0] is the second one, so they should "
    "begin at layers[1]."
)


@mistake("residual")
def context_added(s, c, first, layers):
    """You add the context, c. What is added is what the layer reads from below, s: the first part of its input."""
    return defined(s, c, first, layers, join=lambda s, h, depth: h + c if depth else h)


def squashed(s, c, h, given, depth):
    added = torch.cat([torch.eye(s.shape[2]), torch.zeros(c.shape[2], s.shape[2])]).to(s)
    return read(s, c, h, given | {"W_xh": given["W_xh"] + added} if depth else given, depth)  # s W + s = s (W + 1)


added_within_tanh = wrong("residual", read=squashed, join=alone)(
    "You add the input within tanh, which squashes it. Add it to what comes out."
)


@mistake("residual")
def always_the_bottom_layers_states_added(s, c, first, layers):
    """From the decoder's third layer on you add the states s of the bottom layer. What a layer adds is what it has read
    itself, from the layer right below."""
    return defined(s, c, first, layers, join=lambda below, h, depth: s + h if depth else h)


@mistake("deep")
def always_the_second_layers_outputs_added(s, c, first, layers):
    """Every layer of yours adds the outputs of the decoder's second layer. What a layer adds is what it has read
    itself: the sum below it."""
    second, _ = read(s, c, first[0], layers[0], 0)
    return defined(s, c, first, layers, join=lambda below, h, depth: second + h if depth else h)


residual_in_the_third_layer_only = wrong("deep", join=lambda s, h, depth: s + h if depth == 1 else h)(
    "Only the decoder's third layer adds its input. All from the third on do."
)


@mistake("deep")
def residual_in_the_top_layer_only(s, c, first, layers):
    """Only your top layer adds its input. All from the decoder's third on do."""
    top = len(layers) - 1
    return defined(s, c, first, layers, join=lambda s, h, depth: s + h if depth == top and depth else h)


@mistake("deep")
def inputs_not_summed(s, c, first, layers):
    """Your layers read h of the layer below, without what was added there. What goes up is the sum."""
    lasts, h = [], None
    for depth, given in enumerate(layers):
        below = s if h is None else h
        h, last = read(below, c, first[depth], given, depth)
        lasts.append(last)
    return below + h if len(layers) > 1 else h, torch.stack(lasts)


FED_BACK = "Your next word starts from the sum with the input. The sum goes up; what a layer carries on is its own h."
sum_fed_back = wrong("state", read=with_parts(carried=torch.add))(FED_BACK)


def own_last(s, c, h, given, depth):
    outputs, _ = read(s, c, h, given, depth, carried=torch.add)
    return outputs, outputs[:, -1]


sum_fed_back_and_own_h_returned = wrong("state", read=own_last)(FED_BACK)
starts_at_0 = wrong("words", starts=lambda first, depth, lasts: torch.zeros_like(first[depth]))(
    "Your layers start from 0. They start from the states in first."
)
all_layers_start_alike = wrong("state", starts=lambda first, depth, lasts: first[0])(
    "All your layers start from first[0]. Each has its own."
)
starts_from_the_last_state_below = wrong("state", starts=lambda first, depth, lasts: lasts[-1] if depth else first[0])(
    "Your layers start from the last state of the layer below. Each has its own in first."
)
first_turned_round = wrong("state", starts=lambda first, depth, lasts: first[-1 - depth])(
    "You take the layers' first states from the top down. first begins with the lowest layer's, as layers does."
)


@mistake("words")
def every_word_from_the_first_state(s, c, first, layers):
    """Each of your words starts from the state in first. Only the first word does; the others start from h of the word
    before."""
    words = [defined(s[:, t : t + 1], c[:, t : t + 1], first, layers) for t in range(s.shape[1])]
    return torch.cat([outputs for outputs, _ in words], 1), words[-1][1]


@mistake("last")
def last_states_with_the_input_added(s, c, first, layers):
    """Your last states are outputs, with the input added. A last state is the layer's own h, from which it could read
    on."""
    outputs = [defined(s, c, first, layers[: depth + 1])[0] for depth in range(len(layers))]
    return outputs[-1], torch.stack(outputs)[:, :, -1]


last_states_top_first = wrong("last", gives=lambda outputs, lasts: (outputs, lasts.flip(0)))(
    "Your last states begin with the top layer's. The lowest layer's comes first."
)
the_top_layers_last_state_only = wrong("last", gives=lambda outputs, lasts: (outputs, lasts[-1]))(
    "You return the top layer's last state only. Every layer has one: stack them, the lowest first."
)
last_states_batch_first = wrong("last", gives=lambda outputs, lasts: (outputs, lasts.transpose(0, 1)))(
    "Your last states are (batch, layers, hidden). They are stacked as first is: (layers, batch, hidden)."
)


@mistake("gradient")
def layers_taken_from_the_list_of_the_caller(s, c, first, layers):
    """You take the layers out of the list that you were given: the caller has none left. Go through it."""
    return defined(s, c, first, [layers.pop(0) for _ in range(len(layers))])


@mistake("gradient")
def last_states_written_over_the_first(s, c, first, layers):
    """You write the states into first, which belongs to the caller. Collect them in a list of your own."""
    outputs, last = defined(s, c, first.clone(), layers)
    with torch.no_grad():
        first.copy_(last)
    return outputs, last


@mistake("gradient")
def s_changed(s, c, first, layers):
    """You change s, which belongs to the caller: += writes into it, as does s[…] = …. s = s + h makes a new tensor."""
    result = defined(s.clone(), c, first, layers)
    with torch.no_grad():
        s += result[0]
    return result


# Cases


def draw(
    *depths: int, carries: bool = False, plain: bool = False, alone: bool = False
) -> Callable[[Random, int], Case]:
    """So many layers above the bottom one, these numbers in turn.

    Unless it `carries`, W_hh is 0: a word knows nothing of those before it.
    `plain`: s and b_h are 0, which hides what is wrong with the second layer. `alone`: every other batch has one
    sentence.
    """

    def drawn(rng: Random, size: int) -> Case:
        time, depth = rng.randint(3, 5), depths[size % len(depths)]
        batch, hidden = rng.sample([d for d in range(2, 7) if d != time], 2)
        batch = 1 if alone and size % 2 else batch
        shapes = {"W_xh": (2 * hidden, hidden), "W_hh": (hidden, hidden), "b_h": (hidden,)}
        zero = {"W_hh": not carries, "b_h": plain}
        layers = [
            {name: tensor(rng, *shape, spread=0.7 * (not zero.get(name))) for name, shape in shapes.items()}
            for _ in range(depth)
        ]
        s, c = tensor(rng, batch, time, hidden, spread=float(not plain)), tensor(rng, batch, time, hidden)
        first = tensor(rng, depth, batch, hidden)
        words = f"{count(depth, 'layer')} above the bottom one, s and c {tuple(s.shape)}"
        nothing = ["s"] * plain + [name for name in zero if zero[name]]
        words += f", {' and '.join(nothing)} all 0" if nothing else ""
        return case(words, (3 * hidden + 1) * time * depth, s, c, first, layers)

    return drawn


TASK = task(
    __name__,
    "Google's stack",
    returns=BOTH,
    kind=Numbers,
    criteria=(
        criterion("second", 1, draw(1, alone=True), "outputs")(
            "The decoder's second layer alone: it reads [s; c], and nothing is added to its output."
        ),
        criterion("residual", 1, draw(2), "outputs")(
            "The third layer: what it reads from below is added to its output, the context is not."
        ),
        criterion("deep", 0.5, draw(3, 4, plain=True), "outputs")(
            "Higher layers: each reads the sum below it, and adds it."
        ),
        criterion("words", 0.5, draw(1, carries=True, plain=True), "outputs")(
            "Word by word: a layer starts from its first state, and carries on its h."
        ),
        criterion("state", 0.5, draw(2, carries=True, plain=True), "outputs")(
            "Two layers, word by word: each has a first state of its own, and the sum is not carried on."
        ),
        criterion("last", 0.5, draw(2, 1, plain=True), "last")(
            "Each layer's own h at the last word, the lowest first."
        ),
        gradient(draw(3, carries=True), weights_from=2)(
            "It is fit for training: the gradient of what your function computes is right for s, c, first and every "
            "weight; a call changes no argument, nor the list."
        ),
        dtype(draw(2, carries=True), inexact="outputs")(
            "Outputs and last states have the dtype of s, float64 or float32, and its precision."
        ),
    ),
    forbidden=("course_lib.systems.gnmt.GNMTDecoder.above", *FORBIDDEN),
)
