"""A trained Transformer made wider, with the same outputs: a model of the size to be measured without its training."""

from dataclasses import replace

import torch
from torch import Tensor

from course_lib.transformer import Transformer, sinusoidal

NEVER = -30.0  # the logit of the words that are added


@torch.no_grad()
def widened(
    model: Transformer, times: int, times_ff: int, vocabulary_size: int | None = None, longest: int = 512
) -> Transformer:
    """Post-norm, tied, sinusoidal, `times` · d_model, `times_ff` · d_ff: every vector is the old one `times` over.

    Layer norm makes of [x; x] twice what it makes of x, and W (d_out × d_in) becomes [W … W; … ; W … W] / `times`
    (Net2WiderNet, Chen et al. 2016). The width of a head grows too: Q K^⊤ / √d_k would be √times as large, and so would
    the tied output: W_Q and the last layer norm are divided by that. Words that are added are never likely.
    """
    old, root = model.config, times**0.5
    sizes = {"d_model": times * old.d_model, "d_ff": times_ff * old.d_ff}
    vocabulary_size = old.vocabulary_size if vocabulary_size is None else vocabulary_size
    wide = Transformer(replace(old, vocabulary_size=vocabulary_size, bias=True, **sizes)).eval()
    weights = dict(model.named_parameters())
    last = f"decoder.layers.{len(model.decoder.layers) - 1}.around_feed_forward.norm"
    for name, parameter in wide.named_parameters():
        W = weights.get(name)
        if name == "readout.b":
            parameter.fill_(NEVER)[: len(W)] = W
        elif W is None:  # the biases of attention
            parameter.zero_()
        elif name.endswith("words.weight"):
            parameter.zero_()[: len(W)] = W.tile(1, times) / root
        elif ".W_" in name and name.endswith("weight"):
            split = {"W_O": (1, old.heads)}.get(name.split(".")[-2], (0, old.heads if "attention" in name else 1))
            parameter.copy_(_tiled(W, parameter.shape, *split) / (root if "W_Q" in name else 1))
        else:
            parameter.copy_(W.tile(len(parameter) // len(W)) / (root if name.startswith(last) else 1))
    for embedding in (wide.source_embedding, wide.target_embedding):
        embedding.positions.table = sinusoidal(longest, old.d_model).tile(1, times)
    return wide


def _tiled(W: Tensor, shape: torch.Size, axis: int, heads: int) -> Tensor:
    """W repeated to `shape`, divided by how often the inputs repeat; along `axis` each of the heads for itself."""
    times = [new // size for new, size in zip(shape, W.shape, strict=True)]
    parts = W.unflatten(axis, (heads, -1))
    repeats = [times[0], times[1]]
    repeats.insert(axis, 1)
    return parts.tile(*repeats).flatten(axis, axis + 1) / times[1]
