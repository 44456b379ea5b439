"""An intervention: attention in one step set to chosen weights, to see what depends on them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral

import torch
from jaxtyping import Float
from torch import Tensor

Forced = Mapping[int, int | Integral | Sequence[float]]  # target step → source position, or a weight for each of them


def forced_weights(chosen: int | Integral | Sequence[float], n: int) -> Float[Tensor, " source_time"]:
    """One row of weights over n source positions: all on one of them, or those given. Raises ValueError for others."""
    if isinstance(chosen, Integral) and not isinstance(chosen, bool):
        if not 0 <= chosen < n:
            raise ValueError(f"force must name a source position in 0..{n - 1}, got {chosen}")
        chosen = [float(j == chosen) for j in range(n)]
    weights = torch.tensor(chosen, dtype=torch.float32)
    if weights.shape != (n,) or not (weights >= 0).all() or abs(weights.sum() - 1) > 1e-3:
        raise ValueError(f"force must give {n} weights, none below 0 and with the sum 1, got {chosen}")
    return weights


def with_weights(state, weights: Float[Tensor, "1 source_time"] | None):
    """The state with these weights in place of the score's, for the next step."""
    memory = getattr(state, "memory", None)
    if hasattr(memory, "weights"):
        return replace(state, memory=replace(memory, weights=weights))
    if weights is not None:
        raise ValueError(
            "force needs a model with attention; of a Transformer, HeadTranslator forces one head or a layer's"
        )
    return state
