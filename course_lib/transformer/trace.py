"""What every attention of a Transformer does while it reads a sentence pair: queries, keys, weights."""

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor

from course_lib.attention import ScaledDotProduct
from course_lib.attention.scaled_dot_product import by_equations
from course_lib.transformer.model import Transformer


@dataclass(frozen=True)
class Heads:
    """One attention of the model: of all its heads the projected queries and keys, and the weights."""

    queries: Float[Tensor, "batch heads query d_k"]
    keys: Float[Tensor, "batch heads key d_k"]
    weights: Float[Tensor, "batch heads query key"]


@dataclass(frozen=True)
class AttentionTrace:
    """All attentions of a Transformer, a layer each: the encoder's, the decoder's own, the decoder's on the source."""

    encoder: list[Heads]
    decoder: list[Heads]
    cross: list[Heads]


@torch.no_grad()
def trace(
    model: Transformer,
    source: Int64[Tensor, "batch source_time"],
    source_mask: Bool[Tensor, "batch source_time"],
    target_in: Int64[Tensor, "batch target_time"],
) -> AttentionTrace:
    """Read sentence pairs by the equations and keep what each head computes. Without dropout, whatever the mode."""
    seen: dict[ScaledDotProduct, Heads] = {}

    def keep(module, inputs, outputs):
        seen[module] = Heads(inputs[0], inputs[1], outputs[1])

    attentions = [module for module in model.modules() if isinstance(module, ScaledDotProduct)]
    hooks = [module.register_forward_hook(keep) for module in attentions]
    training = model.training
    model.eval()
    try:
        with by_equations(model):
            model(source, source_mask, target_in)
    finally:
        model.train(training)
        for hook in hooks:
            hook.remove()
    decoder = model.decoder.layers
    return AttentionTrace(
        [seen[layer.self_attention.attention] for layer in model.encoder.layers],
        [seen[layer.self_attention.attention] for layer in decoder],
        [seen[layer.cross_attention.attention] for layer in decoder],
    )
