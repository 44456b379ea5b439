"""Masks: True where a query may attend to a key. They broadcast to scores (batch, heads, query, key)."""

import torch
from jaxtyping import Bool
from torch import Tensor


def padding(mask: Bool[Tensor, "batch key"]) -> Bool[Tensor, "batch 1 1 key"]:
    """Every query may attend to the real words, those where `mask` is True, and to no padding."""
    return mask[:, None, None, :]


def causal(
    queries: int, keys: int | None = None, device: torch.device | str | None = None
) -> Bool[Tensor, "query key"]:
    """Query i may attend to the keys j ≤ i: to itself and what came before (Vaswani et al. 2017, section 3.2.3).

    With more `keys` than `queries`, the queries are the last of them. causal(2, 3) -> [[True, True, False], [True] * 3]
    Raises ValueError for fewer keys than queries.
    """
    keys = queries if keys is None else keys
    if keys < queries:
        raise ValueError(f"keys must be at least as many as queries, {queries}, got {keys}")
    return torch.ones(queries, keys, dtype=torch.bool, device=device).tril(keys - queries)


def causal_and_padding(mask: Bool[Tensor, "batch time"]) -> Bool[Tensor, "batch 1 time time"]:
    """Both: word i of a sentence may attend to its real words j ≤ i."""
    return padding(mask) & causal(mask.shape[1], device=mask.device)
