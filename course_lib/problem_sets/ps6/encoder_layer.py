"""ps6.encoder_layer: self-attention and a network, each within a residual connection (Vaswani et al. 2017, 3.1)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.declare import changing, criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6 import layers, lent
from course_lib.problem_sets.ps6.layers import Few, Weights, case, everything, some, without
from course_lib.problem_sets.ps6.multi_head import defined as attend
from course_lib.problem_sets.ps6.norms import mistakes_of_norms, norm
from course_lib.transformer import EncoderLayer


def reference(x: Tensor, mask: Tensor, weights: Weights, heads: int) -> Tensor:
    """a = LayerNorm(x + MultiHead(x, x, x)), y = LayerNorm(a + FFN(a)): x and y (batch, time, d_model)."""
    layer = EncoderLayer(layers.config(weights, heads, d_ff=len(weights["b_1"])))
    attention = {name: weights[name] for name in ("W_Q", "W_K", "W_V", "W_O")}
    given = layers.linear(attention, "self_attention.") | called_as_there(weights, ("self", "feed_forward"))
    return functional_call(layer, given, (x, mask.unsqueeze(1)))


def called_as_there(weights: Weights, sublayers: tuple[str, ...]) -> Weights:
    """The weights of FFN and of the norms around these sublayers, under the names that the library gives them."""
    given = {}
    for number in (1, 2):
        given[f"feed_forward.W_{number}.weight"] = weights[f"W_{number}"].T
        given[f"feed_forward.W_{number}.bias"] = weights[f"b_{number}"]
    for number, sublayer in enumerate(sublayers, 1):
        for name in ("gamma", "beta"):
            given[f"around_{sublayer}.norm.{name}"] = weights[f"{name}_{number}"]
    return given


# Mistakes


def network(x, weights, relu=torch.relu, last=lambda y: y):
    """max(0, x W_1 + b_1) W_2 + b_2"""
    return last(relu(x @ weights["W_1"] + weights["b_1"]) @ weights["W_2"] + weights["b_2"])


def linear(x):
    return x


def around(x, y, norm, gamma, beta):
    """Post-norm: LayerNorm(x + f(x))."""
    return norm(x + y, gamma, beta)


def without_residual(x, y, norm, gamma, beta):
    return norm(y, gamma, beta)


def defined(
    x,
    mask,
    weights,
    heads,
    norm=norm,
    first=around,
    second=around,
    network=network,
    reads=lambda a, x: a,
    used=(1, 2),
    shown=lambda mask: mask,
):
    norms = [(norm, weights[f"gamma_{number}"], weights[f"beta_{number}"]) for number in used]
    a = first(x, attend(x, x, x, shown(mask), weights, heads)[0], *norms[0])
    return second(a, network(reads(a, x), weights), *norms[1])


wrong = versions(defined)
NORM_FIRST = "The norm stands behind the sum: LayerNorm(x + f(x))."


@mistake("norm", f"You norm what a sublayer reads: pre-norm. This layer is post-norm. {NORM_FIRST}")
def pre_norm(x, mask, weights, heads):
    read = norm(x, weights["gamma_1"], weights["beta_1"])
    a = x + attend(read, read, read, mask, weights, heads)[0]
    return a + network(norm(a, weights["gamma_2"], weights["beta_2"]), weights)


def norm_within(x, y, norm, gamma, beta):
    return x + norm(y, gamma, beta)


norm_of_the_sublayer_alone = wrong("norm", first=norm_within, second=norm_within)(
    f"You norm what the sublayer gives, then add x. {NORM_FIRST}"
)
no_residual_connections = wrong("norm", first=without_residual, second=without_residual)(
    "You norm what each sublayer gives, without what it read. Add that first: LayerNorm(x + f(x))."
)
no_residual_connection_around_attention = wrong("norm", first=without_residual)(
    "You norm what self-attention gives without x. Add x first: LayerNorm(x + f(x))."
)
no_residual_connection_around_the_network = wrong("norm", second=without_residual)(
    "You norm what the network gives without a. Add a first: LayerNorm(a + f(a))."
)
weights_of_the_first_norm_twice = wrong("norm", used=(1, 1))(
    "Both your norms have gamma_1 and beta_1. The second has its own."
)


@mistake("attention")
def one_head(x, mask, weights, heads):
    """Your attention has one head. How many there are, heads says."""
    return defined(x, mask, weights, 1)


no_ReLU = wrong("network", network=partial(network, relu=linear))(
    "Your network has no max(0, …): without it, two matrices are no more than one."
)
ReLU_behind_W_2 = wrong("network", network=partial(network, relu=linear, last=torch.relu))(
    "Your max(0, …) comes last. It stands between the two matrices: max(0, a W_1 + b_1) W_2 + b_2."
)
b_1_left_out = wrong("network", network=lambda x, weights: network(x, without(weights, "b_1")))(
    "Your network leaves out b_1."
)
b_2_left_out = wrong("network", network=lambda x, weights: network(x, without(weights, "b_2")))(
    "Your network leaves out b_2."
)
the_network_reads_x = wrong("network", reads=lambda a, x: x)(
    "Your network reads x. It reads what comes out of the first sublayer, a."
)
no_mask = wrong("mask", shown=torch.ones_like)("Your attention does not use the mask.")
mask_of_the_first_word = wrong("mask", shown=lambda mask: mask[:, :1].expand_as(mask))(
    "All your words have the first one's row of the mask. Each has its own."
)


@changing("gradient", defined)
def x_changed(x, mask, weights, heads):
    """You change x, which belongs to the caller: += writes into it, as does a method whose name ends in _. x = x + …
    makes a new tensor."""
    with torch.no_grad():
        x += attend(x, x, x, mask, weights, heads)[0]


# Cases

SILENT = ("W_2", "b_2")  # of a network that adds nothing
ROUGH = 1e5  # for numbers so small that ε counts: what is computed in float32 is right, and float64 for "dtype" to ask


def draw(
    zero: tuple[str, ...] = (),
    batch: tuple[int, int] = (1, 1),
    masked: bool = False,
    spread: float = 1.0,
    double: bool = False,
) -> Callable[[Random, int], Case]:
    """So many sentences, with more than two heads in every other case; these weights are 0; x is about as large as
    `spread`; `double`: float64."""

    def drawn(rng: Random, size: int) -> Case:
        heads, d_k, sentences, time = rng.randint(3, 4) if size % 2 else 2, 3, rng.randint(*batch), rng.randint(3, 5)
        d_model = d_ff = heads * d_k
        x = tensor(rng, sentences, time, d_model, spread=spread)
        mask = everything(sentences, time, time)
        if masked:
            mask = some(rng, sentences, time, time)
            mask[0, :, rng.randrange(time)] = False  # a key that no word of this sentence may look at
        given = layers.projections(rng, d_model, d_model, d_model) | layers.network(rng, d_model, d_ff, norms=2)
        words = f"x {tuple(x.shape)}, {heads} heads" + (f", {' and '.join(zero)} all 0" if zero else "")
        words += ", a mask whose rows differ" if masked else ""
        made = case(words, 4 * d_model, x, mask, without(given, *zero), heads)
        return replace(made, arguments=converted(made.arguments, torch.float64), scale=ROUGH) if double else made

    return drawn


TASK = task(
    __name__,
    "An encoder layer",
    returns="vectors",
    kind=Few,
    criteria=(
        criterion("norm", 1, draw(zero=("W_O", *SILENT), batch=(2, 2)), "vectors")(
            "Both sublayers give 0: what is left are the two layer norms."
        ),
        criterion("small", 0.5, draw(zero=("W_O", *SILENT), spread=0.004, double=True), "vectors")(
            "The same for numbers so small that ε counts, in float64."
        ),
        criterion("attention", 1, draw(zero=SILENT), "vectors")(
            "The network gives 0: what self-attention gives is added to x, and normed."
        ),
        criterion("network", 1, draw(zero=("W_O",)), "vectors")(
            "Attention gives 0: the network reads what is normed already, and its result is added to that."
        ),
        criterion("mask", 0.5, draw(batch=(2, 3), masked=True), "vectors")(
            "Everything, for several sentences, with a mask in which each word has a row of its own."
        ),
        gradient(draw(batch=(2, 2), masked=True), weights_from=2, visible=1, graded=1)(
            "It is fit for training: the gradient of what your function computes is right for x and every weight; a "
            "call changes no argument."
        ),
        dtype(draw(spread=0.004), inexact="")(  # another ε is far off, and not taken for a loss of precision
            "The vectors have the dtype of x, float64 or float32, and its precision."
        ),
    ),
    mistakes=mistakes_of_norms(lambda norm: partial(defined, norm=norm)),
    lent=(lent.attention, lent.multi_head),
    forbidden=(*layers.ATTENTION, *layers.LAYERS, *layers.NORMS),
)
