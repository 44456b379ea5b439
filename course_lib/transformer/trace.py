"""What every attention of a Transformer does while it reads a sentence pair: queries, keys, values, weights."""

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor, nn

from course_lib.attention import ScaledDotProduct
from course_lib.attention.scaled_dot_product import by_equations
from course_lib.transformer.model import Transformer


@dataclass(frozen=True)
class Heads:
    """One attention of the model: of all its heads the projected queries, keys and values, the weights, the contexts.

    `mask` is True where a query may attend to a key; None: everywhere.
    """

    queries: Float[Tensor, "batch heads query d_k"]
    keys: Float[Tensor, "batch heads key d_k"]
    values: Float[Tensor, "batch heads key d_v"]
    mask: Bool[Tensor, "*#batch #query key"] | None
    weights: Float[Tensor, "batch heads query key"]
    contexts: Float[Tensor, "batch heads query d_v"]


@dataclass(frozen=True)
class AttentionTrace:
    """All attentions of a Transformer, a layer each: the encoder's, the decoder's own, the decoder's on the source."""

    encoder: list[Heads]
    decoder: list[Heads]
    cross: list[Heads]


def trace(
    model: Transformer,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    target_in: Int64[Tensor, "batch target_time"],
) -> AttentionTrace:
    """Read sentence pairs by the equations and keep what each head computes. Without dropout, whatever the mode."""
    attentions = [module for module in model.modules() if isinstance(module, ScaledDotProduct)]
    seen = {
        attention: Heads(*inputs, α, contexts)
        for attention, (inputs, (contexts, α)) in watch(model, attentions, source, source_mask, target_in).items()
    }
    decoder = model.decoder.layers
    return AttentionTrace(
        [seen[layer.self_attention.attention] for layer in model.encoder.layers],
        [seen[layer.self_attention.attention] for layer in decoder],
        [seen[layer.cross_attention.attention] for layer in decoder],
    )


@torch.no_grad()
def watch(
    model: Transformer, modules: Iterable[nn.Module], *batch: Tensor
) -> dict[nn.Module, tuple[tuple[Tensor | None, ...], object]]:
    """Read a batch as `trace` does; of each of the `modules` of the model (its inputs, its output)."""
    seen: dict[nn.Module, tuple] = {}

    def keep(module, inputs, output):
        seen[module] = inputs, output

    hooks = [module.register_forward_hook(keep) for module in modules]
    training = model.training
    model.eval()
    try:
        with by_equations(model):
            model(*batch)
    finally:
        model.train(training)
        for hook in hooks:
            hook.remove()
    return seen
