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
    smoothing: float = 0.0,
) -> Float[Tensor, ""]:
    """−Σ_i log p(y_i | x, y_1 … y_{i−1}) over all real words; padding (mask False) counts for nothing.

    p = softmax(z), in float32 at least. `reduction` "sum" is that sum, "mean" divides it by the number of real words of
    the batch, eos included; `unit` "nats" takes the natural logarithm, "bits" the one of base 2. (Bengio et al. 2003;
    Straka 2021, "Training".)

    With `smoothing` ε the target is no longer y_i alone, but q(v) = (1 − ε) [v = y_i] + ε / K over the K words of the
    vocabulary, and −Σ_v q(v) log p(v) = (1 − ε) · −log p(y_i) + ε · 1/K Σ_v −log p(v) takes the place of −log p(y_i)
    (Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4: ε = 0.1).

    Raises ValueError for another reduction or unit, a smoothing outside [0, 1], and a mean over no word.
    """
    if reduction not in ("sum", "mean"):
        raise ValueError(f'reduction must be "sum" or "mean", got {reduction!r}')
    if unit not in UNITS:
        raise ValueError(f'unit must be "nats" or "bits", got {unit!r}')
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing must lie in [0, 1], got {smoothing}")
    z, y = logits[target_mask], target_out[target_mask]  # (words, vocabulary), (words)
    if reduction == "mean" and not len(y):
        raise ValueError("target_mask must be True somewhere for a mean, got no real word")
    z = z.to(torch.promote_types(z.dtype, torch.float32))
    loss = F.cross_entropy(z, y, reduction=reduction)
    if smoothing:
        spread = z.logsumexp(1) - z.mean(1)  # 1/K Σ_v −log p(v), for log p(v) = z_v − log Σ_w exp z_w
        loss = (1 - smoothing) * loss + smoothing * (spread.sum() if reduction == "sum" else spread.mean())
    return loss / UNITS[unit]
