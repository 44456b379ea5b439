"""The loss of a translation model under teacher forcing."""

import math

import torch
from jaxtyping import Bool, Float, Int64
from torch import Tensor
from torch.nn import functional as F

UNITS = {"nats": 1.0, "bits": math.log(2)}  # how many nats one is
IGNORED = -100  # no word of any vocabulary


def cross_entropy(
    logits: Float[Tensor, "batch time vocabulary"],
    target_out: Int64[Tensor, "batch time"],
    target_mask: Bool[Tensor, "batch time"],
    reduction: str = "mean",
    unit: str = "nats",
    smoothing: float = 0.0,
    fused: bool = False,
) -> Float[Tensor, ""]:
    """−Σ_i log p(y_i | x, y_1 … y_{i−1}) over all real words; padding (mask False) counts for nothing.

    p = softmax(z), in float32 at least. `reduction` "sum" is that sum, "mean" divides it by the number of real words of
    the batch, eos included; `unit` "nats" takes the natural logarithm, "bits" the one of base 2. (Bengio et al. 2003;
    Straka 2021, "Training".)

    With `smoothing` ε the target is no longer y_i alone, but q(v) = (1 − ε) [v = y_i] + ε / K over the K words of the
    vocabulary, and −Σ_v q(v) log p(v) = (1 − ε) · −log p(y_i) + ε · 1/K Σ_v −log p(v) takes the place of −log p(y_i)
    (Szegedy et al. 2016, section 7; Vaswani et al. 2017, section 5.4: ε = 0.1).

    `fused`: run on torch's kernel, same result; what stands at padding must then be finite, or its gradient is not.

    Raises ValueError for another reduction or unit, a smoothing outside [0, 1], and a mean over no word.
    """
    if reduction not in ("sum", "mean"):
        raise ValueError(f'reduction must be "sum" or "mean", got {reduction!r}')
    if unit not in UNITS:
        raise ValueError(f'unit must be "nats" or "bits", got {unit!r}')
    if not 0 <= smoothing <= 1:
        raise ValueError(f"smoothing must lie in [0, 1], got {smoothing}")
    if reduction == "mean" and not target_mask.any():
        raise ValueError("target_mask must be True somewhere for a mean, got no real word")
    z = logits.to(torch.promote_types(logits.dtype, torch.float32))
    if fused:
        y = target_out.masked_fill(~target_mask, IGNORED)
        options = {"ignore_index": IGNORED, "reduction": reduction, "label_smoothing": smoothing}
        return F.cross_entropy(z.flatten(0, 1), y.flatten(), **options) / UNITS[unit]
    log_p = z[target_mask].log_softmax(1)  # (words, vocabulary)
    loss = F.nll_loss(log_p, target_out[target_mask], reduction=reduction)  # −log p(y_i)
    if smoothing:
        spread = -log_p.mean(1)  # 1/K Σ_v −log p(v)
        loss = (1 - smoothing) * loss + smoothing * (spread.sum() if reduction == "sum" else spread.mean())
    return loss / UNITS[unit]
