"""The loss of a translation model under teacher forcing."""

import math

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor
from torch.nn import functional as F

UNITS = {"nats": 1.0, "bits": math.log(2)}  # how many nats one is


def cross_entropy(
    logits: Float[Tensor, "batch time vocabulary"],
    target_out: Int64[Tensor, "batch time"],
    target_mask: Bool[Tensor, "batch time"],
    reduction: str = "mean",
    unit: str = "nats",
) -> Float[Tensor, ""]:
    """−Σ_i log p(y_i | x, y_1 … y_{i−1}) over all real words; padding (mask False) counts for nothing.

    p = softmax(z), in float32 at least. `reduction` "sum" is that sum, "mean" divides it by the number of real words of
    the batch, eos included; `unit` "nats" takes the natural logarithm, "bits" the one of base 2. (Bengio et al. 2003;
    Straka 2021, "Training".) Raises ValueError for another reduction or unit, and for a mean over no word.
    """
    if reduction not in ("sum", "mean"):
        raise ValueError(f'reduction must be "sum" or "mean", got {reduction!r}')
    if unit not in UNITS:
        raise ValueError(f'unit must be "nats" or "bits", got {unit!r}')
    z, y = logits[target_mask], target_out[target_mask]  # (words, vocabulary), (words)
    if reduction == "mean" and not len(y):
        raise ValueError("target_mask must be True somewhere for a mean, got no real word")
    z = z.to(torch.promote_types(z.dtype, torch.float32))
    return F.cross_entropy(z, y, reduction=reduction) / UNITS[unit]
