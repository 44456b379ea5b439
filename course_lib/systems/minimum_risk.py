"""Minimum risk training: the expected cost over a few candidates, differentiated as it stands (Shen et al. 2016).

Q(y) = p(y | x)^α / Σ_{y' ∈ S} p(y' | x)^α,   R = Σ_{y ∈ S} Q(y) Δ(y)

S is a set of distinct candidates for the source x, Δ(y) the cost of one, such as 1 − BLEU. The gradient is
∂R / ∂ log p(y) = α Q(y) (Δ(y) − R): the risk R is its own baseline, and what goes up is paid for by the rest of S.
"""

from collections.abc import Iterable, Sequence

import torch
from jaxtyping import Bool, Float
from torch import Tensor


def candidates(samples: Iterable[Sequence[int]], reference: Sequence[int] | None = None) -> list[tuple[int, ...]]:
    """The set S: each different sample once, in the order of their first appearance, after the `reference` if given.

    Shen et al. put the reference into S; a model that gives it almost no probability then learns from little else.
    """
    first = [] if reference is None else [tuple(reference)]
    return list(dict.fromkeys([*first, *(tuple(sample) for sample in samples)]))


def renormalised(
    log_probs: Float[Tensor, "batch candidates"], mask: Bool[Tensor, "batch candidates"], alpha: float
) -> Float[Tensor, "batch candidates"]:
    """Q(y) ∝ p(y | x)^α over the candidates whose mask is True; 0 elsewhere.

    α → 0 makes all candidates equal, α = 1 keeps their proportions. Raises ValueError for α ≤ 0 and for a sentence
    without a candidate.
    """
    if not alpha > 0:
        raise ValueError(f"alpha must be above 0, got {alpha}")
    if not mask.any(1).all():
        raise ValueError("mask must be True for at least one candidate of each sentence, got a sentence with none")
    return (alpha * log_probs).masked_fill(~mask, -torch.inf).softmax(1)


def risk(
    log_probs: Float[Tensor, "batch candidates"],
    costs: Float[Tensor, "batch candidates"],
    mask: Bool[Tensor, "batch candidates"],
    alpha: float,
) -> Float[Tensor, " batch"]:
    """R = Σ_y Q(y) Δ(y) of each sentence. `log_probs` are sums over words, not divided by the length."""
    return (renormalised(log_probs, mask, alpha) * costs.masked_fill(~mask, 0.0)).sum(1)


def risk_gradient(
    log_probs: Float[Tensor, "batch candidates"],
    costs: Float[Tensor, "batch candidates"],
    mask: Bool[Tensor, "batch candidates"],
    alpha: float,
) -> Float[Tensor, "batch candidates"]:
    """∂R / ∂ log p(y) = α Q(y) (Δ(y) − R), what `risk` gives by `backward`. Its sum over S is 0."""
    Q = renormalised(log_probs, mask, alpha)
    return alpha * Q * (costs.masked_fill(~mask, 0.0) - risk(log_probs, costs, mask, alpha)[:, None])
