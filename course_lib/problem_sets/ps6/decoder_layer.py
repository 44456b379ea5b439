"""ps6.decoder_layer: words before it, then the source, then a network (Vaswani et al. 2017, section 3.1)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.grading.cases.numbers import tensor
from course_lib.grading.declare import changing, criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6 import layers, lent
from course_lib.problem_sets.ps6.encoder_layer import SILENT, around, called_as_there, network, norm, without_residual
from course_lib.problem_sets.ps6.layers import Few, case, without
from course_lib.problem_sets.ps6.multi_head import defined as attend
from course_lib.transformer import DecoderLayer


class Layer(DecoderLayer):
    """The library's layer, with the source's states in place of their keys and values."""

    def forward(self, x: Tensor, h: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        y, _, α = super().forward(x, self.cross_attention.keys_values(h, h), mask)
        return y, α


def reference(x: Tensor, h: Tensor, real: Tensor, weights: dict, heads: int) -> tuple[Tensor, Tensor]:
    """The vectors y (batch, m, d_model), and every head's weights on the source (batch, heads, m, n).

    a = LayerNorm(x + MultiHead(x, x, x)) of the words up to each, b = LayerNorm(a + MultiHead(a, h, h)),
    y = LayerNorm(b + FFN(b))
    """
    layer = Layer(layers.config(weights["self"], heads, d_ff=len(weights["b_1"])))
    given = called_as_there(weights, ("self", "cross", "feed_forward"))
    for name in ("self", "cross"):
        given |= layers.linear(weights[name], f"{name}_attention.")
    return functional_call(layer, given, (x, h, real[:, None, None]))


# Mistakes


def causal(x, ahead=0):
    """Word i looks at the words j ≤ i, or at so many more."""
    return torch.ones(len(x), x.shape[1], x.shape[1], dtype=torch.bool).tril(ahead)


def of_real(real, x):
    return real.unsqueeze(1).expand(-1, x.shape[1], -1)


def defined(
    x,
    h,
    real,
    weights,
    heads,
    own=causal,
    of_source=of_real,
    roles=lambda a, h, x: (a, h, h),
    names=("self", "cross"),
    around=(around,) * 3,
    gives=lambda y, α: (y, α),
):
    norms = [(norm, weights[f"gamma_{number}"], weights[f"beta_{number}"]) for number in (1, 2, 3)]
    a = around[0](x, attend(x, x, x, own(x), weights[names[0]], heads)[0], *norms[0])
    read, α = attend(*roles(a, h, x), of_source(real, x), weights[names[1]], heads)
    b = around[1](a, read, *norms[1])
    return gives(around[2](b, network(b, weights), *norms[2]), α)


wrong = versions(defined)
no_causal_mask = wrong("causal", own=lambda x: causal(x, ahead=x.shape[1]))(
    "Your words look at words after them. In training these are what is to be predicted."
)
one_word_ahead = wrong("causal", own=lambda x: causal(x, ahead=1))(
    "Your words look one word ahead: in training this is the one that is to be predicted."
)
weights_before_vectors = wrong("causal", gives=lambda y, α: (α, y))(
    "You return the weights first. The vectors come first, then the weights."
)
no_residual_connection_around_self_attention = wrong("causal", around=(without_residual, around, around))(
    "Around your self-attention there is no residual connection. Add x to what it gives."
)
no_residual_connection_around_the_network = wrong("causal", around=(around, around, without_residual))(
    "Around your network there is no residual connection. Add b to what it gives."
)


@mistake("causal")
def pre_norm(x, h, real, weights, heads):
    """You norm what a sublayer reads: pre-norm. This layer is post-norm: LayerNorm(x + f(x))."""
    reads = [lambda y, i=i: norm(y, weights[f"gamma_{i}"], weights[f"beta_{i}"]) for i in (1, 2, 3)]
    own = reads[0](x)
    a = x + attend(own, own, own, causal(x), weights["self"], heads)[0]
    found, α = attend(reads[1](a), h, h, of_real(real, x), weights["cross"], heads)
    b = a + found
    return b + network(reads[2](b), weights), α


no_residual_connection_around_attention_to_the_source = wrong("causal", around=(around, without_residual, around))(
    "Around your attention to the source there is no residual connection. Add a to what it gives."
)
the_weights_of_self_for_both_attentions = wrong("source", names=("self", "self"))(
    'Both your attentions have the weights of "self".'
)
values_of_the_target = wrong("source", roles=lambda a, h, x: (a, h, a))(
    "You add up values of the target. What is looked at is the source: keys and values are made of h."
)
SOURCE_FIRST = "Your layer looks at the source first. It looks at its own words first, then at the source."


@mistake("order", SOURCE_FIRST)
def the_source_before_own_words(x, h, real, weights, heads, used=(1, 2, 3)):
    norms = [(norm, weights[f"gamma_{number}"], weights[f"beta_{number}"]) for number in used]
    read, α = attend(x, h, h, of_real(real, x), weights["cross"], heads)
    a = around(x, read, *norms[1])
    b = around(a, attend(a, a, a, causal(x), weights["self"], heads)[0], *norms[0])
    return around(b, network(b, weights), *norms[2]), α


@mistake("source", SOURCE_FIRST)
def the_source_first_with_the_first_norm(*given):
    return the_source_before_own_words(*given, used=(2, 1, 3))


x_asks_the_source = wrong("order", roles=lambda a, h, x: (x, h, h))(
    "Your query for the source is x. The query is a, what self-attention made of x."
)


def all_real(real, x):
    return of_real(torch.ones_like(real), x)


padding_of_the_source_looked_at = wrong("padding", of_source=all_real)("Your words look at padding of the source.")
padding_of_the_source_at_the_end_only = wrong(
    "padding", of_source=lambda real, x: of_real(torch.arange(real.shape[1]) < real.sum(1, keepdim=True), x)
)("You count the real words of the source and take as many from the left. Padding may stand anywhere: real says where.")


@mistake("weights")
def weights_on_padding(*given):
    """Your vectors are made without padding of the source, but the weights that you return are not: at padding they are
    0."""
    return defined(*given)[0], defined(*given, of_source=all_real)[1]


weights_averaged_over_the_heads = wrong("weights", gives=lambda y, α: (y, α.mean(1)))(
    "You return the mean of the heads' weights. Those of every head are wanted: (batch, heads, m, n)."
)


@mistake("weights")
def weights_on_the_target(x, h, real, weights, heads):
    """You return the weights of self-attention. Those on the source are wanted."""
    return defined(x, h, real, weights, heads)[0], attend(x, x, x, causal(x), weights["self"], heads)[1]


@mistake("gradient")
def h_cut_off_from_the_gradient(x, h, *others):
    """No gradient reaches h, and so the encoder learns nothing: is there a detach?"""
    return defined(x, h.detach(), *others)


@changing("gradient", defined)
def x_changed(x, h, real, weights, heads):
    """You change x, which belongs to the caller: += writes into it, as does a method whose name ends in _. x = x + …
    makes a new tensor."""
    with torch.no_grad():
        x += attend(x, x, x, causal(x), weights["self"], heads)[0]


# Cases


def draw(
    silent: tuple[str, ...] = (),
    network: bool = True,
    batch: tuple[int, int] = (1, 1),
    padded: bool = False,
    alike: bool = False,
    long: bool = False,
) -> Callable[[Random, int], Case]:
    """So many sentences, with more than two heads in every other case; W_O of the `silent` attentions is 0, and without
    `network` what FFN gives.

    `alike`: source and target are equally long, so that what is exchanged by mistake shows in the numbers. `long`: the
    target has four words or more, so that a last word may look farther back than any neighbour.
    """

    def drawn(rng: Random, size: int) -> Case:
        heads, d_k, sentences = rng.randint(3, 4) if size % 2 else 2, 3, rng.randint(*batch)
        n, m = (rng.randint(3, 4),) * 2 if alike else rng.sample(range(2, 5), 2)
        m = 4 + size % 2 if long else m
        d_model = heads * d_k
        x, h = tensor(rng, sentences, m, d_model), tensor(rng, sentences, n, d_model)
        real = layers.padded(rng, sentences, n) if padded else torch.ones(sentences, n, dtype=torch.bool)
        given = layers.network(rng, d_model, d_model, norms=3)
        for name in ("self", "cross"):
            projected = layers.projections(rng, d_model, d_model, d_model)
            given[name] = without(projected, "W_O") if name in silent else projected
        zero = [f"W_O of {name}" for name in silent] + [*SILENT] * (not network)
        words = f"x {tuple(x.shape)}, h {tuple(h.shape)}, {heads} heads" + f", {' and '.join(zero)} all 0" * bool(zero)
        words += f", words of padding in the source: {int((~real).sum())}" * padded
        return case(words, 6 * d_model, x, h, real, given if network else without(given, *SILENT), heads)

    return drawn


TASK = task(
    __name__,
    "A decoder layer",
    returns="vectors weights",
    kind=Few,
    criteria=(
        criterion("causal", 1, draw(silent=("cross",), network=False, long=True), "vectors")(
            "The other sublayers give 0: each word looks at itself and the words before it."
        ),
        criterion("source", 1, draw(silent=("self",), network=False, alike=True), "vectors")(
            "Self-attention and the network give 0: each word looks at the source."
        ),
        criterion("order", 1, draw(), "vectors")("Everything: one sublayer after the other."),
        criterion("padding", 0.5, draw(batch=(2, 3), padded=True), "vectors")(
            "Several sentences: nobody looks at padding of the source."
        ),
        criterion("weights", 0.5, draw(batch=(2, 3), padded=True, alike=True), "weights")(
            "Every head's weights on the source, of several sentences with padding."
        ),
        gradient(draw(batch=(2, 2), padded=True), weights_from=3, visible=1, graded=1)(
            "It is fit for training: the gradient of what your function computes is right for x, h and every weight; a "
            "call changes no argument."
        ),
        dtype(draw(), inexact="vectors")(
            "Vectors and weights have the dtype of x, float64 or float32, and its precision."
        ),
    ),
    lent=(lent.attention, lent.masks, lent.multi_head, lent.layer_norm, lent.feed_forward),
    forbidden=(*layers.ATTENTION, *layers.LAYERS),
)
