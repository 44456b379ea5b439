"""ps6.decoder_layer: words before it, then the source, then a network (Vaswani et al. 2017, section 3.1)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps6 import layers, lent
from course_lib.problem_sets.ps6 import wrong_decoder_layer as wrong
from course_lib.problem_sets.ps6.encoder_layer import SILENT, network
from course_lib.problem_sets.ps6.layers import Few, case, of_one_case, without
from course_lib.transformer import DecoderLayer

VALUES = "vectors weights"


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
    given = network(weights, ("self", "cross", "feed_forward"))
    for name in ("self", "cross"):
        given |= layers.linear(weights[name], f"{name}_attention.")
    return functional_call(layer, given, (x, h, real[:, None, None]))


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


vectors = seeing(VALUES, "vectors")
SOURCE_FIRST = "Your layer looks at the source first. It looks at its own words first, then at the source."

TASK = Task(
    name="ps6.decoder_layer",
    title="A decoder layer",
    reference=reference,
    trains=True,
    lent=(lent.attention, lent.multi_head, lent.layer_norm, lent.feed_forward),
    criteria=(
        Few(
            "causal",
            1,
            "The other sublayers give 0: each word looks at itself and the words before it.",
            draw(silent=("cross",), network=False, long=True),
            probe=vectors,
        ),
        Few(
            "source",
            1,
            "Self-attention and the network give 0: each word looks at the source.",
            draw(silent=("self",), network=False, alike=True),
            probe=vectors,
        ),
        Few("order", 1, "Everything: one sublayer after the other.", draw(), probe=vectors),
        Few(
            "padding",
            0.5,
            "Several sentences: nobody looks at padding of the source.",
            draw(batch=(2, 3), padded=True),
            probe=vectors,
        ),
        Few(
            "weights",
            0.5,
            "Every head's weights on the source, of several sentences with padding.",
            draw(batch=(2, 3), padded=True, alike=True),
            probe=seeing(VALUES, "weights"),
        ),
        *of_one_case(
            *fit_for_training(
                "x h real weights heads",
                VALUES,
                wrong.defined,
                gradient=(
                    "It is fit for training: the gradient of what your function computes is right for x, h and every "
                    "weight; a call changes no argument.",
                    draw(batch=(2, 2), padded=True),
                ),
                dtype=("Vectors and weights have the dtype of x, float64 or float32, and its precision.", draw()),
                kind=Few,
                looks=partial(precisely, defined=wrong.defined),
            )
        ),
    ),
    misconceptions=(
        Misconception(
            "no causal mask",
            wrong.not_causal,
            "causal",
            "Your words look at words after them. In training these are what is to be predicted.",
        ),
        Misconception(
            "one word ahead",
            wrong.one_ahead,
            "causal",
            "Your words look one word ahead: in training this is the one that is to be predicted.",
        ),
        Misconception(
            "weights before vectors",
            wrong.weights_first,
            "causal",
            "You return the weights first. The vectors come first, then the weights.",
        ),
        Misconception(
            "no residual connection around self-attention",
            wrong.no_residual_around_own,
            "causal",
            "Around your self-attention there is no residual connection: x is added to what it gives.",
        ),
        Misconception(
            "no residual connection around the network",
            wrong.no_residual_around_network,
            "causal",
            "Around your network there is no residual connection: b is added to what it gives.",
        ),
        Misconception(
            "pre-norm",
            wrong.pre_norm,
            "causal",
            "You norm what a sublayer reads: pre-norm. This layer is post-norm: LayerNorm(x + f(x)).",
        ),
        Misconception(
            "no residual connection around attention to the source",
            wrong.no_residual_around_source,
            "causal",
            "Around your attention to the source there is no residual connection: a is added to what it gives.",
        ),
        Misconception(
            "the weights of self for both attentions",
            wrong.self_weights_twice,
            "source",
            'Both your attentions have the weights of "self".',
        ),
        Misconception(
            "values of the target",
            wrong.own_values,
            "source",
            "You add up values of the target. What is looked at is the source: keys and values are made of h.",
        ),
        Misconception(
            "the source before the target's own words",
            wrong.source_first,
            "order",
            SOURCE_FIRST,
        ),
        Misconception(
            "the source first, with the first norm",
            wrong.source_first_with_its_norm,
            "source",
            SOURCE_FIRST,
        ),
        Misconception(
            "x asks the source",
            wrong.asks_before,
            "order",
            "x itself asks the source. What self-attention made of it asks: a.",
        ),
        Misconception(
            "padding of the source looked at", wrong.all_real, "padding", "Your words look at padding of the source."
        ),
        Misconception(
            "padding of the source at the end only",
            wrong.at_the_end,
            "padding",
            "You count the real words of the source and take as many from the left. Padding may stand anywhere: real "
            "says where.",
        ),
        Misconception(
            "weights on padding",
            wrong.weights_on_padding,
            "weights",
            "Your vectors are made without padding of the source, but the weights that you return are not: at padding "
            "they are 0.",
        ),
        Misconception(
            "weights averaged over the heads",
            wrong.mean_weights,
            "weights",
            "You return the mean of the heads' weights. Those of every head are wanted: (batch, heads, m, n).",
        ),
        Misconception(
            "weights on the target",
            wrong.own_weights,
            "weights",
            "You return the weights of self-attention. Those on the source are wanted.",
        ),
        Misconception(
            "h cut off from the gradient",
            wrong.source_cut,
            "gradient",
            "No gradient reaches h, and so the encoder learns nothing: is there a detach?",
        ),
        Misconception(
            "x changed",
            wrong.added_in_place,
            "gradient",
            "You change x, which belongs to the caller: += writes into it, as does a method whose name "
            "ends in _. x = x + … makes a new tensor.",
        ),
        *unfit.mistakes(wrong.defined, weights_from=3),
        *layers.imprecise(wrong.defined, "vectors"),
    ),
    forbidden=(*layers.ATTENTION, *layers.LAYERS),
)
