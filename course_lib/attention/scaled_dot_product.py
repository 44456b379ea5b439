"""Scaled dot-product attention, as its equation and by torch's kernel."""

import math
from collections.abc import Iterator
from contextlib import contextmanager

from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention.weights import masked_softmax


class ScaledDotProduct(nn.Module):
    """Attention(Q, K, V) = softmax(Q K^⊤ / √d_k) V (Vaswani et al. 2017, equation 1).

    Q (…, query, d_k), K (…, key, d_k), V (…, key, d_v) → the contexts (…, query, d_v) and the weights (…, query, key),
    0 where `mask` is False. A query that may attend to nothing gets the context 0. It has no parameters.

    `fused`: run on torch's kernel, same contexts, and None for the weights, which it does not return. A plain
    attribute: set it any time.
    """

    def __init__(self, fused: bool = False):
        super().__init__()
        self.fused = fused

    def forward(
        self,
        Q: Float[Tensor, "*batch query d_k"],
        K: Float[Tensor, "*batch key d_k"],
        V: Float[Tensor, "*batch key d_v"],
        mask: Bool[Tensor, "*#batch #query key"] | None = None,
    ) -> tuple[Float[Tensor, "*batch query d_v"], Float[Tensor, "*batch query key"] | None]:
        """The contexts, and the weights that they were made with. Raises ValueError where Q and K differ in width."""
        if Q.shape[-1] != K.shape[-1]:
            raise ValueError(f"K must be {Q.shape[-1]} wide, as Q, got {K.shape[-1]}")
        if self.fused:
            return scaled_dot_product_attention(Q, K, V, mask), None
        e = Q / math.sqrt(Q.shape[-1]) @ K.mT  # Q K^⊤ / √d_k: Q has fewer numbers to divide
        α = masked_softmax(e, mask)
        return α @ V, α


@contextmanager
def by_equations(model: nn.Module) -> Iterator[None]:
    """Within `with by_equations(model):` all that has a `fused` form in the model runs as its equations stand."""
    fused = [module for module in model.modules() if getattr(module, "fused", False)]
    try:
        for module in fused:
            module.fused = False
        yield
    finally:
        for module in fused:
            module.fused = True
