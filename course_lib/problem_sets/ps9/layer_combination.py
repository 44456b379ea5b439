"""ps9.layer_combination: every layer reads a learnt combination of all below it (Wang et al. 2019; lecture 10)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor, nn
from torch.func import functional_call

from course_lib.grading.cases.numbers import Numbers, converted, count, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6.encoder_layer import ROUGH
from course_lib.problem_sets.ps6.layers import NORMS, Weights, case
from course_lib.problem_sets.ps6.norms import mistakes_of_norms, norm
from course_lib.problem_sets.ps9 import lent
from course_lib.systems import dlcl
from course_lib.transformer import Config


class Small(nn.Module):
    """x + tanh(x U + b), with weights that are given, in place of a Transformer's layer."""

    def __init__(self, weights: Weights):
        super().__init__()
        self.given = weights

    def forward(self, x: Tensor, mask: None = None) -> Tensor:
        """The layer's output, as wide as x."""
        return layer(x, self.given)


def reference(embedding: Tensor, layers: list[Weights], W: Tensor) -> Tensor:
    """x_{L+1} (batch, time, d_model), the combination of the embedding and of what all L layers make."""
    config = Config(1, embedding.shape[2], 1, heads=1, layers=len(layers), norm="pre", fused=False)
    encoder = dlcl.DLCLEncoder(config)
    encoder.layers, encoder.norm = nn.ModuleList(map(Small, layers)), nn.Identity()
    given = {f"norms.{k}.{name}": each[name] for k, each in enumerate(layers) for name in ("gamma", "beta")}
    return functional_call(encoder, given | {"weights": W}, (embedding,))


# Mistakes


def layer(x, given, φ=torch.tanh, bias=True, reads=lambda U: U):
    return x + φ(x @ reads(given["U"]) + bias * given["b"])


def combine(row, y):
    """Σ_k W_k y_k"""
    return sum(w * each for w, each in zip(row, y, strict=True))


def normed(y, layers, k, norm=norm):
    """LN_k(y_k), for k from 1 on."""
    return norm(y, layers[k - 1]["gamma"], layers[k - 1]["beta"])


def defined(
    embedding,
    layers,
    W,
    row=lambda W, depth: W[depth, : depth + 1],
    start=lambda y, layers: y,
    layer=layer,
    normed=normed,
    first=lambda x, y: x,
    combine=combine,
    end=lambda x, y, layers: x,
):
    y = [start(embedding, layers)]
    for depth, given in enumerate(layers):
        x = combine(row(W, depth), y)
        y.append(normed(layer(x if depth else first(x, y[0]), given), layers, depth + 1))
    return end(combine(row(W, len(layers)), y), y, layers)


def plain(y, layers):
    return norm(y, torch.ones_like(y[0, 0]), torch.zeros_like(y[0, 0]))


wrong = versions(defined)
NORMED = "You norm the embedding. y_0 is combined as it is."
embedding_normed = wrong("embedding", start=lambda y, layers: normed(y, layers, 1))(
    f"{NORMED} gamma and beta of the first layer belong to what it makes."
)
embedding_normed_without_γ_and_β = wrong("embedding", start=plain)(NORMED)
softmax_of_a_row = wrong("embedding", row=lambda W, depth: W[depth, : depth + 1].softmax(0))(
    "Your weights are the softmax of a row of W. They are the numbers of W themselves, which may be negative."
)
row_divided_by_its_sum = wrong("embedding", row=lambda W, depth: W[depth, : depth + 1] / W[depth, : depth + 1].sum())(
    "You divide a row of W by its sum. The weights are the numbers of W themselves: nothing makes them add to 1."
)
plain_means = wrong("embedding", row=lambda W, depth: torch.ones_like(W[depth, : depth + 1]) / (depth + 1))(
    "You take the mean of all that is below. That is the start of the training: the weights are those in W."
)
absolute_weights = wrong("embedding", row=lambda W, depth: W[depth, : depth + 1].abs())(
    "Your weights are never negative. They are the numbers of W as they are."
)
columns_of_W = wrong("embedding", row=lambda W, depth: W.T[depth, : depth + 1])(
    "Your weights stand in a column of W. Those of what layer l + 1 reads are row l: W[l]."
)
NORM_LAST = "The norm belongs to each y_k by itself, before it is weighed and summed."
no_norms = wrong("norm", normed=lambda y, *_: y)("You combine what the layers make without a layer norm.")


@mistake("norm", f"You norm the sum: this is the combination for post-norm. {NORM_LAST}")
def norm_of_the_sum(embedding, layers, W):
    y = [embedding]
    for depth in range(len(layers) + 1):
        x = combine(W[depth, : depth + 1], y)
        x = normed(x, layers, depth) if depth else x
        y.append(layer(x, layers[depth]) if depth < len(layers) else x)
    return y[-1]


norm_of_what_the_layer_reads = wrong(
    "norm",
    normed=lambda y, *_: y,
    layer=lambda x, given: layer(norm(x, given["gamma"], given["beta"]), given),
)("You norm what a layer reads. Here the norm belongs to what it makes, y_k.")
weighed_before_the_norm = wrong(
    "norm",
    normed=lambda y, layers, k: (y, layers, k),
    combine=lambda row, y: sum(
        w * e if torch.is_tensor(e) else normed(w * e[0], *e[1:]) for w, e in zip(row, y, strict=True)
    ),
)(f"You norm W_k y_k, and the weight is lost. {NORM_LAST}")
layers_without_x = wrong("norm", layer=lambda x, given: layer(x, given) - x)(
    "Your layers make tanh(x U + b). x is added: y = x + tanh(x U + b)."
)
b_left_out = wrong("norm", layer=partial(layer, bias=False))("Your layers leave out b.")
U_turned = wrong("norm", layer=partial(layer, reads=lambda U: U.T))("Your layers read U turned round: x @ U.")
first_layer_reads_the_embedding = wrong("first", first=lambda x, y: y)(
    "Your first layer reads y_0. It reads a combination, too: x_1 = W[0, 0] · y_0."
)


@mistake("rows")
def weights_for_the_output_only(embedding, layers, W):
    """Your layers stand one above the other as ever, and only the output is a combination. Every layer reads one."""
    x, y = W[0, 0] * embedding, [embedding]
    for k, given in enumerate(layers, 1):
        x = layer(x, given)
        y.append(normed(x, layers, k))
    return combine(W[len(layers)], y)


@mistake("rows")
def output_of_the_last_layer(embedding, layers, W):
    """You return the norm of what the top layer makes. The output is one more combination, with the last row of W."""
    return defined(embedding, layers, W, end=lambda x, y, layers: y[-1])


last_row_in_all_layers = wrong("rows", row=lambda W, depth: W[-1, : depth + 1])(
    "Every layer of yours has the last row of W. Row l is for what layer l + 1 reads."
)
row_from_the_end = wrong("rows", row=lambda W, depth: W[depth, : depth + 1].flip(0))(
    "You take a row from its end. W[l, 0] is the weight of y_0, the embedding."
)
first_norm_for_all = wrong("rows", normed=lambda y, layers, k: normed(y, layers, 1))(
    "All your norms have gamma and beta of layers[0]. Each layer has its own."
)
norms_top_first = wrong("rows", normed=lambda y, layers, k: normed(y, layers, 1 - k))(
    "Your norms are those of the layers from the top down. y_k has gamma and beta of layer k, layers[k − 1]."
)


@mistake("rows")
def norm_of_the_layer_that_reads(embedding, layers, W):
    """You norm every y_k with gamma and beta of the layer that reads it. y_k has those of layer k, which made it."""
    y = [embedding]
    for depth in range(len(layers) + 1):
        above = min(depth, len(layers) - 1)
        x = combine(W[depth, : depth + 1], [y[0], *(normed(each, layers, above + 1) for each in y[1:])])
        y.append(layer(x, layers[above]))
    return x


@mistake("rows")
def normed_again_by_each_layer(embedding, layers, W):
    """You write the normed y_k back into your list, and the next layer norms it again. Each y_k is normed once."""
    y = [embedding]
    for depth in range(len(layers) + 1):
        y = [each if k == 0 else normed(each, layers, k) for k, each in enumerate(y)]
        x = combine(W[depth, : depth + 1], y)
        if depth < len(layers):
            y.append(layer(x, layers[depth]))
    return x


@mistake("rows")
def what_layers_read_combined(embedding, layers, W):
    """You combine what the layers read, x. What is combined is what they make, y."""
    y = [embedding]
    for depth, given in enumerate(layers):
        x = combine(W[depth, : depth + 1], y)
        top = normed(layer(x, given), layers, depth + 1)
        y.append(top if depth == len(layers) - 1 else normed(x, layers, depth + 1))
    return combine(W[len(layers)], y)


@mistake("rows")
def combinations_combined(embedding, layers, W):
    """You go on from the combination that the layer has read: x_{l+1} = W[l, l − 1] x_l + W[l, l] LN(y_l). Every row of
    W weighs all y anew, beginning with y_0."""
    x = W[0, 0] * embedding
    for k, given in enumerate(layers, 1):
        below = x if k > 1 else embedding
        x = W[k, k - 1] * below + W[k, k] * normed(layer(x, given), layers, k)
    return x


embedding_for_the_first_two_only = wrong(
    "rows", combine=lambda row, y: combine(row, y) if len(y) < 3 else combine(row[1:], y[1:])
)("From some layer on you leave out the embedding. Every row of W begins with its weight.")
the_two_layers_below_only = wrong(
    "deep", combine=lambda row, y: combine(row[[0, *range(1, len(y))[-2:]]], [y[0], *y[1:][-2:]])
)("You combine the embedding and the two layers below only. Every layer reads all of them.")


@mistake("gradient")
def W_taken_as_numbers(embedding, layers, W):
    """No gradient reaches W: float(…), item(), tolist() or detach makes constants of its numbers. They are learnt."""
    return defined(embedding, layers, W.detach())


@mistake("gradient")
def layers_taken_from_the_list_of_the_caller(embedding, layers, W):
    """You take the layers out of the list that you were given: the caller has none left. Go through it."""
    return defined(embedding, [layers.pop(0) for _ in range(len(layers))], W)


@mistake("gradient")
def embedding_changed(embedding, layers, W):
    """You change the embedding, which belongs to the caller: *= and += write into it. x = w * embedding makes a new
    tensor."""
    result = defined(embedding.clone(), layers, W)
    with torch.no_grad():
        embedding *= W[0, 0]
    return result


# Cases


def some(rng: Random, sign: int) -> float:
    """A weight of that sign, or of any for 0, which is neither near 0 nor near 1."""
    return (sign or rng.choice((-1, 1))) * rng.choice((rng.uniform(0.3, 0.7), rng.uniform(1.3, 1.8)))


def draw(
    *depths: int, rows: tuple[tuple[float | None, ...], ...] = (), first: float | None = 1.0, small: bool = False
) -> Callable[[Random, int], Case]:
    """So many layers, these numbers in turn; `rows` of W, None for any number; if not given, all but the `first`.

    `small`: in every other case the embedding is so small that ε counts, b is 0, and all is float64.
    """

    def drawn(rng: Random, size: int) -> Case:
        depth = depths[size % len(depths)]
        d_model, sign = rng.randint(5, 6), -1 if size % 2 else 1
        tiny = small and size % 2
        batch, time = rng.sample([n for n in range(2, 7) if n not in (d_model, depth, depth + 1)], 2)
        given = rows or [[first], *([None] * (n + 2) for n in range(depth))]
        W = torch.tensor(
            [
                [some(rng, sign * (len(row) == 2)) if w is None else w for w in row] + [0.0] * (depth + 1 - len(row))
                for row in given
            ]
        )
        layers = [
            {
                "U": tensor(rng, d_model, d_model, spread=0.7),
                "b": tensor(rng, d_model, spread=float(not tiny)),
                "gamma": 1 + tensor(rng, d_model, spread=0.4),
                "beta": tensor(rng, d_model, spread=0.5),
            }
            for _ in range(depth)
        ]
        embedding = tensor(rng, batch, time, d_model, spread=0.004 if tiny else 1.0)
        words = f"{count(depth, 'layer')}, the embedding {tuple(embedding.shape)}"
        words += {
            (): ", W[0, 0] = 1" * (first is not None),
            EMBEDDING: ", W[1, 1] = 0",
            NORM: ", W[0, 0] = 1 and W[1, 0] = 0",
        }.get(rows, ", W[1, 0] = 0")
        words += ", small numbers, b all 0" if tiny else ""
        made = case(words, 8 * d_model * depth, embedding, layers, W)
        return replace(made, arguments=converted(made.arguments, torch.float64), scale=ROUGH) if tiny else made

    return drawn


EMBEDDING, NORM, FIRST = ((None,), (None, 0.0)), ((1.0,), (0.0, None)), ((None,), (0.0, None))
TRAINED = (*FIRST, (None,) * 3, (None,) * 4)  # three layers, and a weight of 0, which has a gradient, too
TASK = task(
    __name__,
    "Reading all layers below",
    returns="combination",
    kind=Numbers,
    criteria=(
        criterion("embedding", 1, draw(1, rows=EMBEDDING), "combination")(
            "One layer, with the weight 0: what is left is the embedding as it is, times its weight."
        ),
        criterion("norm", 1, draw(1, rows=NORM, small=True), "combination")(
            "One layer, which reads the embedding: what it makes is normed, then weighed. Where it is small, ε counts."
        ),
        criterion("first", 0.5, draw(1, rows=FIRST), "combination")(
            "The first layer, too, reads a combination: the embedding times a weight."
        ),
        criterion("rows", 1, draw(2), "combination")(
            "Two layers: each row of W weighs all that is below, each normed once."
        ),
        criterion("deep", 0.5, draw(3, 4), "combination")("Three layers and more: none below is left out."),
        gradient(draw(3, rows=TRAINED), weights_from=1)(
            "It is fit for training: the gradient of what your function computes is right for the embedding, every "
            "weight of the layers and W; a call changes no argument, nor the list."
        ),
        dtype(draw(2, first=None), inexact="")(
            "The result has the dtype of the embedding, float64 or float32, and its precision."
        ),
    ),
    mistakes=mistakes_of_norms(lambda norm: partial(defined, normed=partial(normed, norm=norm)), small="norm"),
    lent=(lent.layer_norm,),
    forbidden=("course_lib.systems.dlcl.DLCLEncoder.forward", "course_lib.systems.dlcl.DLCLEncoder.combine", *NORMS),
)
