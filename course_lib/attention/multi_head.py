"""Multi-head attention: several attentions side by side, each in a space of its own."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.attention.scaled_dot_product import ScaledDotProduct
from course_lib.attention.scores import check_sizes


class MultiHeadAttention(nn.Module):
    """MultiHead(Q, K, V) = [head_1; …; head_h] W^O,  head_i = Attention(Q W_i^Q, K W_i^K, V W_i^V)

    (Vaswani et al. 2017, section 3.2.2.) The W_i^Q of all heads lie side by side in `W_Q` (d_model → heads · d_k), so
    do the W_i^K in `W_K` and the W_i^V in `W_V` (→ heads · d_v); `W_O` (heads · d_v → d_model). By default d_k is
    d_model / heads and d_v is d_k; `bias`: each of the four adds one (the paper's do not); `fused`: see
    `ScaledDotProduct`. Raises ValueError for sizes below 1, and without d_k where d_model is no multiple of heads.
    """

    def __init__(
        self,
        d_model: int,
        heads: int,
        *,
        d_k: int | None = None,
        d_v: int | None = None,
        bias: bool = False,
        fused: bool = False,
    ):
        super().__init__()
        check_sizes(d_model=d_model, heads=heads)
        if d_k is None and d_model % heads:
            raise ValueError(f"d_model must be a multiple of heads ({heads}) where d_k is not given, got {d_model}")
        d_k = d_model // heads if d_k is None else d_k
        d_v = d_k if d_v is None else d_v
        check_sizes(d_k=d_k, d_v=d_v)
        self.heads, self.d_k, self.d_v = heads, d_k, d_v
        self.W_Q = nn.Linear(d_model, heads * d_k, bias=bias)
        self.W_K = nn.Linear(d_model, heads * d_k, bias=bias)
        self.W_V = nn.Linear(d_model, heads * d_v, bias=bias)
        self.W_O = nn.Linear(heads * d_v, d_model, bias=bias)
        self.attention = ScaledDotProduct(fused)
        for linear in (self.W_Q, self.W_K, self.W_V, self.W_O):
            nn.init.xavier_uniform_(linear.weight)
            if bias:
                nn.init.zeros_(linear.bias)

    def forward(
        self,
        query: Float[Tensor, "batch query d_model"],
        key: Float[Tensor, "batch key d_model"],
        value: Float[Tensor, "batch key d_model"],
        mask: Bool[Tensor, "#batch #heads #query key"] | Bool[Tensor, "query key"] | None = None,
    ) -> tuple[Float[Tensor, "batch query d_model"], Float[Tensor, "batch heads query key"] | None]:
        """The output and each head's weights (None where `fused`); self-attention is `forward(x, x, x, mask)`."""
        return self.attend(query, *self.keys_values(key, value), mask)

    def keys_values(
        self, key: Float[Tensor, "batch key d_model"], value: Float[Tensor, "batch key d_model"]
    ) -> tuple[Float[Tensor, "batch heads key d_k"], Float[Tensor, "batch heads key d_v"]]:
        """K W_i^K and V W_i^V of every head: what no query changes, and a decoder keeps."""
        return self._split(self.W_K(key)), self._split(self.W_V(value))

    def attend(
        self,
        query: Float[Tensor, "batch query d_model"],
        keys: Float[Tensor, "batch heads key d_k"],
        values: Float[Tensor, "batch heads key d_v"],
        mask: Bool[Tensor, "#batch #heads #query key"] | Bool[Tensor, "query key"] | None = None,
    ) -> tuple[Float[Tensor, "batch query d_model"], Float[Tensor, "batch heads query key"] | None]:
        """`forward`, with what `keys_values` has made."""
        heads, α = self.attention(self._split(self.W_Q(query)), keys, values, mask)  # (batch, heads, query, d_v)
        return self.W_O(heads.transpose(1, 2).flatten(2)), α  # side by side: (batch, query, heads · d_v)

    def _split(self, x: Float[Tensor, "batch time all"]) -> Float[Tensor, "batch heads time each"]:
        return x.view(*x.shape[:2], self.heads, -1).transpose(1, 2)


@contextmanager
def without_heads(attention: MultiHeadAttention, heads: Sequence[int]) -> Iterator[None]:
    """Within `with without_heads(attention, [2]):` head_2 (counted from 0) is 0, and so adds nothing to the output.

    As the output is Σ_i head_i W_i^O, with W_i^O the columns of `W_O` that read head_i, these are set to 0 (Michel et
    al. 2019). Raises ValueError for a head that it does not have.
    """
    if not all(0 <= head < attention.heads for head in heads):
        raise ValueError(f"heads must lie in 0..{attention.heads - 1}, got {list(heads)}")
    W_O = attention.W_O.weight
    before = W_O.detach().clone()
    try:
        with torch.no_grad():
            W_O.unflatten(1, (attention.heads, -1))[:, list(heads)] = 0
        yield
    finally:
        with torch.no_grad():
            W_O.copy_(before)
