"""A loss at every layer of the decoder and not at the top alone: deep supervision (Lee et al. 2015)."""

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.attention import padding
from course_lib.corpora.batches import Batch
from course_lib.training.losses import cross_entropy
from course_lib.transformer import Transformer


def layer_losses(model: Transformer, batch: Batch, smoothing: float = 0.0) -> Float[Tensor, " layers"]:
    """The mean cross-entropy of what the readout makes of each decoder layer, the bottom one first.

    The last one is the model's own loss. Who minimises their mean tells each layer directly what is wanted of it; it
    costs a readout for each layer in training, and nothing afterwards.
    """
    memory = model.encode(batch.source, batch.source_mask)
    mask = padding(memory.mask) if memory.padded else None
    x, losses = model.target_embedding(batch.target_in), []
    for layer, keys_values in zip(model.decoder.layers, memory.layers, strict=True):
        x, _, _ = layer(x, keys_values, mask)
        z = model.readout(model.decoder.norm(x))
        losses.append(cross_entropy(z, batch.target_out, batch.target_mask, smoothing=smoothing))
    return torch.stack(losses)
