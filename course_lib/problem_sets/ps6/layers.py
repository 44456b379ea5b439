"""Inputs and weights of a Transformer's layers for problem set 6, and what may not do the students' work."""

from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case as plain_case
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.task import Case, Criterion
from course_lib.transformer import Config

Weights = dict[str, Tensor]
Few = partial(Criterion, visible=2, graded=2)  # two say enough of numbers that are all random

ATTENTION = (  # attention as a whole, the lecture's and torch's, with the operators that torch's is made of
    "course_lib.attention.scaled_dot_product.ScaledDotProduct.forward",
    *(f"course_lib.attention.{module}{name}" for module in ("", "weights.") for name in ("masked_softmax", "context")),
    *(f"course_lib.attention.multi_head.MultiHeadAttention.{name}" for name in ("forward", "attend")),
    *(f"torch.nn.{name}" for name in ("functional.scaled_dot_product_attention", "MultiheadAttention.forward")),
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.attention.flex_attention.flex_attention",
    "torch._higher_order_ops.flex_attention.math_attention",
    "torch._scaled_dot_product_flash_attention_for_cpu",
    "torch._scaled_dot_product_attention_math",
    "torch._native_multi_head_attention",
)
LAYERS = (  # whole layers
    *(f"course_lib.transformer.{name}Layer.forward" for name in ("encoder.Encoder", "decoder.Decoder")),
    *(f"torch.nn.Transformer{name}Layer.forward" for name in ("Encoder", "Decoder")),
    "torch._transformer_encoder_layer_fwd",
)
NORMS = (  # layer norm, and the norms that are it for tensors of another shape
    "course_lib.transformer.sublayers.LayerNorm.forward",
    *(f"torch.nn.functional.{name}_norm" for name in ("layer", "group", "batch", "instance")),
    *(f"torch.native_{name}_norm" for name in ("layer", "group", "batch")),
    *(f"torch.{name}" for name in ("_native_batch_norm_legit", "instance_norm", "rms_norm")),
)


def config(weights: Weights, heads: int, d_ff: int = 1) -> Config:
    """What a layer with these weights of attention is made of: equations, no dropout."""
    d_model, width = weights["W_Q"].shape
    sizes = {"d_k": width // heads, "d_v": weights["W_V"].shape[1] // heads}
    return Config(1, d_model=d_model, d_ff=d_ff, heads=heads, layers=1, dropout=0.0, fused=False, **sizes)


def linear(weights: Weights, prefix: str = "") -> Weights:
    """Weights of projections x W under the names that torch gives to those of its Linear, whose matrices are turned."""
    return {f"{prefix}{name}.weight": W.T for name, W in weights.items()}


def case(words: str, terms: int, *arguments: object) -> Case:
    """A case whose sums have up to `terms` terms, of numbers that a layer norm keeps small."""
    made = plain_case(words, terms, *arguments)
    return replace(made, scale=max(1.0, made.scale))


def projections(rng: Random, d_model: int, queries: int, values: int) -> Weights:
    """W_Q, W_K (d_model, `queries`), W_V (d_model, `values`) and W_O back: the weights of all heads side by side."""
    shapes = {"W_Q": queries, "W_K": queries, "W_V": values}
    given = {name: tensor(rng, d_model, width, spread=0.8) for name, width in shapes.items()}
    return given | {"W_O": tensor(rng, values, d_model, spread=0.8)}


def network(rng: Random, d_model: int, d_ff: int, norms: int) -> Weights:
    """The weights of a feed-forward network and of so many layer norms."""
    shapes = {"W_1": (d_model, d_ff), "b_1": (d_ff,), "W_2": (d_ff, d_model), "b_2": (d_model,)}
    given = {name: tensor(rng, *shape, spread=0.8) for name, shape in shapes.items()}
    for number in range(1, norms + 1):
        given[f"gamma_{number}"] = 1 + tensor(rng, d_model, spread=0.4)
        given[f"beta_{number}"] = tensor(rng, d_model, spread=0.5)
    return given


def without(weights: Weights, *names: str) -> Weights:
    """The weights, those with these names all 0."""
    return weights | {name: torch.zeros_like(weights[name]) for name in names}


def everything(batch: int, queries: int, keys: int) -> Tensor:
    """The mask (batch, query, key) of queries that may look at every key."""
    return torch.ones(batch, queries, keys, dtype=torch.bool)


def some(rng: Random, batch: int, queries: int, keys: int) -> Tensor:
    """A mask: every query may look at two keys or more, but not at all, and every key is looked at by a query."""

    def attempt() -> tuple[Tensor]:
        mask = torch.zeros(batch, queries, keys, dtype=torch.bool)
        for row in mask.flatten(0, 1):
            row[rng.sample(range(keys), rng.randint(2, keys - 1))] = True
        return (mask,)

    return until(attempt, lambda mask: bool(mask.any(1).all()))[0]


def real(lengths: list[int], time: int) -> Tensor:
    """True for the first words of each sentence, as many as its length says."""
    return torch.arange(time) < torch.tensor(lengths)[:, None]


def padded(rng: Random, batch: int, time: int) -> Tensor:
    """True where a word (batch, time) is real: padding stands anywhere, somewhere before a real word.

    One sentence is full.
    """

    def attempt() -> tuple[Tensor]:
        lengths = rng.sample([time, *(rng.randint(1, time - 1) for _ in range(batch - 1))], batch)
        rows = real(lengths, time).tolist()
        return (torch.tensor([rng.sample(row, time) for row in rows]),)

    return until(attempt, lambda mask: bool((mask[:, 1:] & ~mask[:, :-1]).any()))[0]
