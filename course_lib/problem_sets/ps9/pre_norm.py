"""ps9.pre_norm: an encoder of layers whose norms stand in the branches, x + F(LN(x)) (Wang et al. 2019; lecture 10)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib import transformer
from course_lib.grading.cases.numbers import converted, count, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6 import layers as parts
from course_lib.problem_sets.ps6.encoder_layer import ROUGH, called_as_there, network
from course_lib.problem_sets.ps6.layers import Few, Weights, case, everything, some, without
from course_lib.problem_sets.ps6.norms import mistakes_of_norms, norm
from course_lib.problem_sets.ps9.lent import self_attention

NAMES = "sums vectors"
SILENT = ("W_2", "b_2")  # of a network that adds nothing
MATRICES = ("W_Q", "W_K", "W_V", "W_O")


def reference(x: Tensor, mask: Tensor, layers: list[Weights], final: Weights, heads: int) -> tuple[Tensor, Tensor]:
    """What comes out of the top layer, and its layer norm, which the decoder reads: both (batch, time, d_model)."""
    config = replace(parts.config(layers[0], heads, d_ff=len(layers[0]["b_1"])), norm="pre", layers=len(layers))
    y = x
    for each in layers:
        attention = {name: each[name] for name in MATRICES}
        given = parts.linear(attention, "self_attention.") | called_as_there(each, ("self", "feed_forward"))
        y = functional_call(transformer.EncoderLayer(config), given, (y, mask.unsqueeze(1)))
    top = transformer.LayerNorm(config.d_model)
    return y, functional_call(top, final, (y,))


# Mistakes


def pre(x, f, norm):
    return x + f(norm(x))


def post(x, f, norm):
    return norm(x + f(x))


def not_normed(x, f, norm):
    return x + f(x)


def normed_behind(x, f, norm):
    return x + norm(f(x))


def normed_on_the_path(x, f, norm):
    return norm(x) + f(norm(x))


def not_added(x, f, norm):
    return f(norm(x))


def ended(y, norm, final, layers):
    return norm(y, final["gamma"], final["beta"])


def defined(
    x,
    mask,
    layers,
    final,
    heads,
    norm=norm,
    first=pre,
    second=pre,
    network=network,
    used=(1, 2),
    seen=lambda mask: mask,
    end=ended,
):
    y = x
    for given in layers:
        norms = [partial(norm, gamma=given[f"gamma_{number}"], beta=given[f"beta_{number}"]) for number in used]
        y = first(y, lambda z, given=given: self_attention(z, seen(mask), given, heads), norms[0])
        y = second(y, lambda z, given=given: network(z, given), norms[1])
    return y, end(y, norm, final, layers)


wrong = versions(defined)
BRANCH = "The norm stands in the branch: x + F(LN(x))."
no_final_norm = wrong("final", end=lambda y, *_: y)(
    "What you return for the decoder is the plain sum. The final layer norm makes it out of that."
)


@mistake("final")
def final_norm_with_weights_of_the_top_layer(x, mask, layers, final, heads):
    """Your final norm has gamma_2 and beta_2 of the top layer. It has its own, in final."""
    own = {name: layers[-1][f"{name}_2"] for name in final}
    return defined(x, mask, layers, own, heads)


@mistake("layers")
def final_norm_before_the_last_network(x, mask, layers, final, heads):
    """Your final norm is that of a, from before the top layer's network. It is the norm of what the top layer gives."""
    _, vectors = defined(x, mask, [*layers[:-1], without(layers[-1], *SILENT)], final, heads)
    return defined(x, mask, layers, final, heads)[0], vectors


@mistake("layers")
def final_norm_of_the_embeddings(x, mask, layers, final, heads):
    """Your final norm is that of x, the embeddings. It is the norm of what the top layer gives."""
    return defined(x, mask, layers, final, heads)[0], ended(x, norm, final, layers)


@mistake("final")
def vectors_before_sums(*given):
    """You return the vectors first. The sums come first, then the vectors that the decoder reads."""
    return defined(*given)[::-1]


mean_not_subtracted = wrong(
    "final", norm=lambda x, gamma, beta: gamma * x / (x.square().mean(-1, keepdim=True) + 1e-5).sqrt() + beta
)("You do not subtract the mean: LN(z) = γ (z − μ) / √(σ² + ε) + β.")
post_norm = wrong("attention", first=post, second=post)(f"Your layers are post-norm: LN(x + F(x)). {BRANCH}")
no_norms_in_the_layers = wrong("attention", first=not_normed, second=not_normed)(
    f"Your sublayers read x as it is, x + F(x). {BRANCH}"
)
attention_reads_x_as_it_is = wrong("attention", first=not_normed)(f"Your self-attention reads x as it is. {BRANCH}")
what_sublayers_give_is_normed = wrong("attention", first=normed_behind, second=normed_behind)(
    f"You norm what a sublayer gives: x + LN(F(x)). {BRANCH}"
)
norms_on_the_path = wrong("attention", first=normed_on_the_path, second=normed_on_the_path)(
    "You add what a sublayer makes to LN(x). Added to x itself, the path from the top to the bottom is a plain sum."
)
no_residual_connections = wrong("attention", first=not_added, second=not_added)(
    f"You return what each sublayer makes, without x. {BRANCH}"
)
no_residual_connection_around_attention = wrong("attention", first=not_added)(
    f"You do not add x to what self-attention makes. {BRANCH}"
)
norm_on_the_path_around_attention = wrong("attention", first=normed_on_the_path)(
    "You add what self-attention makes to LN(x). It is added to x itself."
)
no_residual_connection_around_the_network = wrong("network", second=not_added)(
    "You do not add a to what the network makes: a + FFN(LN(a))."
)
norm_on_the_path_around_the_network = wrong("network", second=normed_on_the_path)(
    "You add what the network makes to LN(a). It is added to a itself."
)
the_network_reads_a_as_it_is = wrong("network", second=not_normed)("Your network reads a as it is: a + FFN(LN(a)).")
post_norm_around_the_network = wrong("network", second=post)(
    "Around your network the norm stands behind the sum. It stands in both branches: a + FFN(LN(a))."
)
weights_of_the_first_norm_twice = wrong("network", used=(1, 1))(
    "Both norms of your layers have gamma_1 and beta_1. The second has its own."
)
no_ReLU = wrong("network", network=partial(network, relu=lambda x: x))(
    "Your network has no max(0, …): without it, two matrices are no more than one."
)
b_1_left_out = wrong("network", network=lambda x, given: network(x, without(given, "b_1")))(
    "Your network leaves out b_1."
)
b_2_left_out = wrong("network", network=lambda x, given: network(x, without(given, "b_2")))(
    "Your network leaves out b_2."
)


@mistake("attention")
def one_head(x, mask, layers, final, heads):
    """Your attention has one head. How many there are, heads says."""
    return defined(x, mask, layers, final, 1)


@mistake("both")
def network_reads_the_input_of_attention(x, mask, layers, final, heads):
    """Your network reads LN(x). It reads what comes out of the first sublayer, a: LN(a)."""
    for given in layers:
        (y, _), (z, _) = (
            defined(x, mask, [without(given, *silent)], final, heads) for silent in (("W_2", "b_2"), ("W_O",))
        )
        x = y + z - x
    return x, ended(x, norm, final, layers)


@mistake("both")
def network_added_to_the_input_of_attention(x, mask, layers, final, heads):
    """You add what the network makes to x. It is added to a, which holds what attention made: a + FFN(LN(a))."""
    for given in layers:
        a, _ = defined(x, mask, [without(given, "W_2", "b_2")], final, heads)
        y, _ = defined(x, mask, [given], final, heads)
        x = x + y - a
    return x, ended(x, norm, final, layers)


@mistake("both")
def network_before_attention(x, mask, layers, final, heads):
    """Your network comes first. Self-attention is the first sublayer, with gamma_1 and beta_1."""
    for given in layers:
        for silent in (("W_O",), ("W_2", "b_2")):
            x, _ = defined(x, mask, [without(given, *silent)], final, heads)
    return x, ended(x, norm, final, layers)


no_mask = wrong("both", seen=torch.ones_like)("Your attention does not use the mask.")
mask_of_the_first_word = wrong("both", seen=lambda mask: mask[:, :1].expand_as(mask))(
    "All your words have the first one's row of the mask. Each has its own."
)


@mistake("layers")
def final_norm_behind_every_layer(x, mask, layers, final, heads):
    """Your final norm stands behind every layer. It stands once, behind the top one: what goes up is the plain sum."""
    vectors = x
    for given in layers:
        sums, vectors = defined(vectors, mask, [given], final, heads)
    return sums, vectors


@mistake("layers")
def weights_of_the_first_layer_in_all(x, mask, layers, final, heads):
    """All your layers have the weights of layers[0]. Each has its own."""
    return defined(x, mask, [layers[0]] * len(layers), final, heads)


@mistake("layers")
def every_layer_reads_the_embeddings(x, mask, layers, final, heads):
    """Each of your layers reads x, the embeddings. Only the first one does: the others read what the layer below
    made."""
    return defined(x, mask, layers[-1:], final, heads)


@mistake("layers")
def top_layer_first(x, mask, layers, final, heads):
    """Your layers come in the wrong order: layers[0] reads x."""
    return defined(x, mask, layers[::-1], final, heads)


@mistake("gradient")
def x_changed(x, mask, layers, final, heads):
    """You change x, which belongs to the caller: += writes into it, as does a method whose name ends in _. x = x + …
    makes a new tensor."""
    result = defined(x.clone(), mask, layers, final, heads)
    with torch.no_grad():
        x += result[0]
    return result


@mistake("gradient")
def layers_taken_from_the_list_of_the_caller(x, mask, layers, final, heads):
    """You take the layers out of the list that you were given: the caller has none left. Go through it."""
    return defined(x, mask, [layers.pop(0) for _ in range(len(layers))], final, heads)


# Cases


def draw(
    *depths: int, zero: tuple[str, ...] = (), masked: bool = False, small: bool = False
) -> Callable[[Random, int], Case]:
    """So many layers, these numbers in turn; these weights are 0; `small`: so is x in every other case, in float64."""

    def drawn(rng: Random, size: int) -> Case:
        heads, d_k = (3, 2) if size % 2 else (2, 4)
        d_model, d_ff, batch, time = heads * d_k, 5, 2, rng.randint(3, 4)
        tiny = small and size % 2
        x, mask = tensor(rng, batch, time, d_model, spread=0.004 if tiny else 1.0), everything(batch, time, time)
        if masked:
            mask = some(rng, batch, time, time)
            mask[0, :, rng.randrange(time)] = False  # a key that no word of this sentence may look at
        layers = []
        for _ in range(depths[size % len(depths)]):
            made = parts.projections(rng, d_model, d_model, d_model) | parts.network(rng, d_model, d_ff, norms=2)
            layers.append(without(made, *zero))
        final = {"gamma": 1 + tensor(rng, d_model, spread=0.4), "beta": tensor(rng, d_model, spread=0.5)}
        words = f"{count(len(layers), 'layer')}, x {tuple(x.shape)}{' of small numbers' * bool(tiny)}"
        words += f", {heads} heads" + (f", {', '.join(zero)} all 0" if zero else "")
        words += ", a mask whose rows differ" if masked else ""
        made = case(words, 4 * d_model * len(layers), x, mask, layers, final, heads)
        return replace(made, arguments=converted(made.arguments, torch.float64), scale=ROUGH) if tiny else made

    return drawn


TASK = task(
    __name__,
    "A deep encoder with pre-norm",
    returns=NAMES,
    kind=Few,
    criteria=(
        criterion("final", 1, draw(2, zero=("W_O", *SILENT), small=True), "vectors")(
            "All sublayers give 0: what the decoder reads is the final norm of x. Where x is small, ε counts."
        ),
        criterion("attention", 1, draw(1, zero=SILENT), "sums")(
            "The network gives 0: self-attention reads what is normed, and is added to what is not."
        ),
        criterion("network", 1, draw(1, zero=("W_O",)), "sums")(
            "Attention gives 0: the network reads what the second norm makes, and is added to what is not normed."
        ),
        criterion("both", 0.5, draw(1, zero=("b_1", "b_2"), masked=True), "sums")(
            "Both sublayers, one after the other, with a mask."
        ),
        criterion("layers", 0.5, draw(2, 3, zero=("b_1", "b_2")), NAMES)(
            "Several layers, each with its own weights: a plain sum goes up, and the final norm is that of the top."
        ),
        gradient(draw(2, masked=True), weights_from=2, visible=1, graded=1)(
            "It is fit for training: the gradient of what your function computes is right for x and every weight; a "
            "call changes no argument, nor the list."
        ),
        dtype(draw(1), inexact="sums")("Sums and vectors have the dtype of x, float64 or float32, and its precision."),
    ),
    mistakes=mistakes_of_norms(lambda norm: partial(defined, norm=norm), norm="final", small="final"),
    lent=(self_attention,),
    forbidden=(*parts.LAYERS, *parts.NORMS, "course_lib.transformer.encoder.Encoder.forward"),
)
