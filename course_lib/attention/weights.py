"""From scores to weights, and from weights to the context."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def masked_softmax(
    e: Float[Tensor, "*batch query key"], mask: Bool[Tensor, "*#batch #query key"] | None = None
) -> Float[Tensor, "*batch query key"]:
    """α_ij = exp(e_ij) / Σ_k exp(e_ik), over the keys where `mask` is True; 0 at the others, whatever their scores.

    A query whose keys are all masked gets weights 0, and its scores gradient 0, as with torch's
    scaled_dot_product_attention. (Bahdanau et al. 2015, equation 6; the mask is ours.)
    """
    if mask is None:
        return e.softmax(-1)
    lowest = torch.finfo(e.dtype).min  # −∞ would make 0/0 where all keys are masked
    return e.masked_fill(~mask, lowest).softmax(-1).masked_fill(~mask, 0)


def context(
    α: Float[Tensor, "*batch query key"], h: Float[Tensor, "*batch key size"]
) -> Float[Tensor, "*batch query size"]:
    """c_i = Σ_j α_ij h_j (Bahdanau et al. 2015, equation 5). Also where α_ij is 0, h_j must be finite."""
    return α @ h
