"""ps6.encoder_layer: self-attention and a network, each within a residual connection (Vaswani et al. 2017, 3.1)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps6 import layers, lent
from course_lib.problem_sets.ps6 import wrong_encoder_layer as wrong
from course_lib.problem_sets.ps6 import wrong_layers as parts
from course_lib.problem_sets.ps6.layers import Few, Weights, case, everything, of_one_case, some, without
from course_lib.transformer import EncoderLayer

VALUES = "vectors"


def reference(x: Tensor, mask: Tensor, weights: Weights, heads: int) -> Tensor:
    """a = LayerNorm(x + MultiHead(x, x, x)), y = LayerNorm(a + FFN(a)): x and y (batch, time, d_model)."""
    layer = EncoderLayer(layers.config(weights, heads, d_ff=len(weights["b_1"])))
    attention = {name: weights[name] for name in ("W_Q", "W_K", "W_V", "W_O")}
    given = layers.linear(attention, "self_attention.") | network(weights, ("self", "feed_forward"))
    return functional_call(layer, given, (x, mask.unsqueeze(1)))


def network(weights: Weights, sublayers: tuple[str, ...]) -> Weights:
    """The weights of FFN and of the norms around these sublayers, under the names that the library gives them."""
    given = {}
    for number in (1, 2):
        given[f"feed_forward.W_{number}.weight"] = weights[f"W_{number}"].T
        given[f"feed_forward.W_{number}.bias"] = weights[f"b_{number}"]
    for number, sublayer in enumerate(sublayers, 1):
        for name in ("gamma", "beta"):
            given[f"around_{sublayer}.norm.{name}"] = weights[f"{name}_{number}"]
    return given


# Cases

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


value = seeing(VALUES, VALUES)
SILENT = ("W_2", "b_2")  # of a network that adds nothing
NORM_FIRST = "The norm stands behind the sum: LayerNorm(x + f(x))."

TASK = Task(
    name="ps6.encoder_layer",
    title="An encoder layer",
    reference=reference,
    trains=True,
    lent=(lent.attention, lent.multi_head),
    criteria=(
        Few(
            "norm",
            1,
            "Both sublayers give 0: what is left are the two layer norms.",
            draw(zero=("W_O", *SILENT), batch=(2, 2)),
            probe=value,
        ),
        Few(
            "small",
            0.5,
            "The same for numbers so small that ε counts, in float64.",
            draw(zero=("W_O", *SILENT), spread=0.004, double=True),
            probe=value,
        ),
        Few(
            "attention",
            1,
            "The network gives 0: what self-attention gives is added to x, and normed.",
            draw(zero=SILENT),
            probe=value,
        ),
        Few(
            "network",
            1,
            "Attention gives 0: the network reads what is normed already, and its result is added to that.",
            draw(zero=("W_O",)),
            probe=value,
        ),
        Few(
            "mask",
            0.5,
            "Everything, for several sentences, with a mask in which each word has a row of its own.",
            draw(batch=(2, 3), masked=True),
            probe=value,
        ),
        *of_one_case(
            *fit_for_training(
                "x mask weights heads",
                VALUES,
                wrong.defined,
                gradient=(
                    "It is fit for training: the gradient of what your function computes is right for x and every "
                    "weight; a call changes no argument.",
                    draw(batch=(2, 2), masked=True),
                ),
                dtype=(
                    "The vectors have the dtype of x, float64 or float32, and its precision.",
                    draw(spread=0.004),  # another ε is far off, and not taken for a loss of precision
                ),
                kind=Few,
                looks=partial(precisely, defined=wrong.defined),
            )
        ),
    ),
    misconceptions=(
        Misconception(
            "pre-norm",
            wrong.pre_norm,
            "norm",
            f"You norm what a sublayer reads: pre-norm. This layer is post-norm. {NORM_FIRST}",
        ),
        Misconception(
            "norm of the sublayer alone",
            wrong.with_both(parts.norm_within),
            "norm",
            f"You norm what the sublayer gives, then add x. {NORM_FIRST}",
        ),
        Misconception(
            "no residual connections",
            wrong.with_both(parts.without_residual),
            "norm",
            "You norm what each sublayer gives, without what it read. Add that first: LayerNorm(x + f(x)).",
        ),
        Misconception(
            "no residual connection around attention",
            wrong.no_residual_around_attention,
            "norm",
            "You norm what self-attention gives without x. Add x first: LayerNorm(x + f(x)).",
        ),
        Misconception(
            "no residual connection around the network",
            wrong.no_residual_around_network,
            "norm",
            "You norm what the network gives without a. Add a first: LayerNorm(a + f(a)).",
        ),
        Misconception(
            "the first norm's weights twice",
            wrong.first_norm_twice,
            "norm",
            "Both your norms have gamma_1 and beta_1. The second has its own.",
        ),
        Misconception(
            "norm over the words",
            wrong.with_norm(parts.over_the_words),
            "norm",
            "Your mean and variance run over the words. Each word's own d_model numbers are normed: the last axis.",
        ),
        Misconception(
            "variance divided by d − 1",
            wrong.with_norm(parts.unbiased),
            "norm",
            "Your variance is divided by d_model − 1, as torch's var and std do unless told otherwise. It is the mean "
            "of the squares: correction=0.",
        ),
        Misconception(
            "torch's std, plus ε",
            wrong.with_norm(parts.unbiased_outside),
            "norm",
            "You divide by torch's std, plus ε. It divides the squares by d_model − 1 unless told otherwise, and ε is "
            "added to the variance, within the root: √(σ² + ε).",
        ),
        *(
            Misconception(
                f"{letter} left out",
                wrong.with_norm(without),
                "norm",
                f"Your norm leaves out {letter}: each number is multiplied by its γ, then its β is added.",
            )
            for letter, without in (("γ", parts.without_gamma), ("β", parts.without_beta))
        ),
        Misconception(
            "ε outside the root",
            wrong.with_norm(parts.outside_the_root),
            "small",
            "You add ε to the root. It is added to the variance, within the root: √(σ² + ε).",
        ),
        Misconception(
            "no ε",
            wrong.with_norm(parts.without_epsilon),
            "small",
            "You add no ε to the variance, or one far too small: √(σ² + ε), with ε = 10⁻⁵.",
        ),
        Misconception(
            "one head",
            wrong.one_head,
            "attention",
            "Your attention has one head. How many there are, heads says.",
        ),
        Misconception(
            "no ReLU",
            wrong.with_network(parts.without_relu),
            "network",
            "Your network has no max(0, …): without it, two matrices are no more than one.",
        ),
        Misconception(
            "ReLU behind W_2",
            wrong.with_network(parts.relu_last),
            "network",
            "Your max(0, …) comes last. It stands between the two matrices: max(0, a W_1 + b_1) W_2 + b_2.",
        ),
        *(
            Misconception(f"{name} left out", wrong.without_bias(name), "network", f"Your network leaves out {name}.")
            for name in ("b_1", "b_2")
        ),
        Misconception(
            "the network reads x",
            wrong.network_reads_input,
            "network",
            "Your network reads x. It reads what comes out of the first sublayer, a.",
        ),
        Misconception("no mask", wrong.unmasked, "mask", "Your attention does not use the mask."),
        Misconception(
            "the first word's mask",
            wrong.first_words_mask,
            "mask",
            "All your words have the first one's row of the mask. Each has its own.",
        ),
        Misconception(
            "x changed",
            wrong.added_in_place,
            "gradient",
            "You change x, which belongs to the caller: += writes into it, as does a method whose name "
            "ends in _. x = x + … makes a new tensor.",
        ),
        Misconception(
            "mean and variance cut off from the gradient",
            wrong.statistics_cut,
            "gradient",
            "No gradient passes through your mean and variance: is there a detach, or no_grad?",
        ),
        *unfit.mistakes(wrong.defined, weights_from=2),
        *layers.imprecise(wrong.defined),
    ),
    forbidden=(*layers.ATTENTION, *layers.LAYERS, *layers.NORMS),
)
