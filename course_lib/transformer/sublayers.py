"""The parts of a layer beside attention: feed-forward network, layer norm, and the residual connection around each."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

from course_lib.transformer.config import Config


class FeedForward(nn.Module):
    """FFN(x) = max(0, x W_1 + b_1) W_2 + b_2, at each position alike (Vaswani et al. 2017, equation 2).

    W_1 (d_model → d_ff), W_2 (d_ff → d_model).
    """

    def __init__(self, d_model: int, d_ff: int):
        super().__init__()
        self.W_1, self.W_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        for linear in (self.W_1, self.W_2):
            nn.init.xavier_uniform_(linear.weight)
            nn.init.zeros_(linear.bias)

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """max(0, x W_1 + b_1) W_2 + b_2"""
        return self.W_2(self.W_1(x).relu())


class LayerNorm(nn.Module):
    """y = γ ⊙ (x − μ) / √(σ² + ε) + β,  μ = 1/d Σ_i x_i,  σ² = 1/d Σ_i (x_i − μ)², for each position (Ba et al. 2016).

    x (…, d), γ and β (d). `fused`: torch's kernel computes it, with the same result.
    """

    def __init__(self, d_model: int, eps: float = 1e-5, fused: bool = False):
        super().__init__()
        self.gamma, self.beta = nn.Parameter(torch.ones(d_model)), nn.Parameter(torch.zeros(d_model))
        self.eps, self.fused = eps, fused

    def forward(self, x: Float[Tensor, "*batch d_model"]) -> Float[Tensor, "*batch d_model"]:
        """γ ⊙ (x − μ) / √(σ² + ε) + β"""
        if self.fused:
            return F.layer_norm(x, self.gamma.shape, self.gamma, self.beta, self.eps)
        μ = x.mean(-1, keepdim=True)
        variance = (x - μ).square().mean(-1, keepdim=True)  # σ²
        return self.gamma * (x - μ) / (variance + self.eps).sqrt() + self.beta


class Residual(nn.Module):
    """The connection around a sublayer f, with `norm`

    "post":  LayerNorm(x + Dropout(f(x)))    (Vaswani et al. 2017, sections 3.1 and 5.4)
    "pre":   x + Dropout(f(LayerNorm(x)))    (Wang et al. 2019; Xiong et al. 2020)

    """

    def __init__(self, config: Config):
        super().__init__()
        self.norm, self.order = LayerNorm(config.d_model, fused=config.fused), config.norm
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self, x: Float[Tensor, "*batch d_model"], f: Callable[[Tensor], Tensor]
    ) -> Float[Tensor, "*batch d_model"]:
        """x and what the sublayer f has made of it."""
        if self.order == "pre":
            return x + self.dropout(f(self.norm(x)))
        return self.norm(x + self.dropout(f(x)))
