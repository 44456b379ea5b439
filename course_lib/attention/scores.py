"""The scores of attention: how well a state s_i of the decoder and a state h_j of the encoder match."""

import math

import torch
from jaxtyping import Float
from torch import Tensor, nn


class Score(nn.Module):
    """e_ij = score(s_i, h_j): s (…, query, query size), h (…, key, key size) → e (…, query, key).

    `project` is the part of it that no query changes: a decoder calls it once for a sentence, and `compare` at each
    step. Without parameters of its own, h itself.
    """

    def project(self, h: Float[Tensor, "*batch key key_size"]) -> Float[Tensor, "*batch key projected"]:
        """What `compare` needs of the states h."""
        return h

    def compare(
        self, s: Float[Tensor, "*batch query query_size"], keys: Float[Tensor, "*batch key projected"]
    ) -> Float[Tensor, "*batch query key"]:
        """The scores of each s_i with each h_j, whose projections are `keys`."""
        raise NotImplementedError

    def forward(
        self, s: Float[Tensor, "*batch query query_size"], h: Float[Tensor, "*batch key key_size"]
    ) -> Float[Tensor, "*batch query key"]:
        """The scores of each s_i with each h_j."""
        return self.compare(s, self.project(h))


class Dot(Score):
    """e_ij = s_i^⊤ h_j (Luong et al. 2015, section 3.1; Zhao, "Attention Score Functions").

    It has no parameters. Raises ValueError where s_i and h_j are not equally wide.
    """

    def compare(
        self, s: Float[Tensor, "*batch query query_size"], keys: Float[Tensor, "*batch key projected"]
    ) -> Float[Tensor, "*batch query key"]:
        """s h^⊤"""
        if s.shape[-1] != keys.shape[-1]:
            raise ValueError(f"h must be {s.shape[-1]} wide for a dot product, as s, got {keys.shape[-1]}")
        return s @ keys.mT


class ScaledDot(Dot):
    """e_ij = s_i^⊤ h_j / √d, d the width of both (Vaswani et al. 2017, section 3.2.1).

    If the components of s and h are independent with mean 0 and variance 1, s^⊤ h has variance d, and e has 1.
    """

    def compare(
        self, s: Float[Tensor, "*batch query query_size"], keys: Float[Tensor, "*batch key projected"]
    ) -> Float[Tensor, "*batch query key"]:
        """(s / √d) h^⊤: fewer numbers to divide than in the product."""
        return super().compare(s / math.sqrt(s.shape[-1]), keys)


class Multiplicative(Score):
    """e_ij = s_i^⊤ W h_j (Luong et al. 2015, "general"), W (query size, key size)."""

    def __init__(self, query_size: int, key_size: int):
        super().__init__()
        check_sizes(query_size=query_size, key_size=key_size)
        self.W = nn.Parameter(nn.init.xavier_uniform_(torch.empty(query_size, key_size)))

    def project(self, h: Float[Tensor, "*batch key key_size"]) -> Float[Tensor, "*batch key projected"]:
        """W h_j"""
        return h @ self.W.t()

    def compare(
        self, s: Float[Tensor, "*batch query query_size"], keys: Float[Tensor, "*batch key projected"]
    ) -> Float[Tensor, "*batch query key"]:
        """s_i^⊤ (W h_j)"""
        return s @ keys.mT


class Additive(Score):
    """e_ij = v^⊤ tanh(W_1 h_j + W_2 s_i [+ b]) (Bahdanau et al. 2015, appendix A.1.2; Zhao).

    W_1 (hidden, key size), W_2 (hidden, query size), v (hidden); b (hidden) only with `bias`, as Straka 2021 writes it.
    """

    def __init__(self, query_size: int, key_size: int, hidden_size: int, bias: bool = False):
        super().__init__()
        check_sizes(query_size=query_size, key_size=key_size, hidden_size=hidden_size)
        self.W_1 = nn.Linear(key_size, hidden_size, bias=bias)  # b stands here, where it is added once a sentence
        self.W_2 = nn.Linear(query_size, hidden_size, bias=False)
        self.v = nn.Parameter(torch.empty(hidden_size).uniform_(-1, 1) / math.sqrt(hidden_size))

    def project(self, h: Float[Tensor, "*batch key key_size"]) -> Float[Tensor, "*batch key projected"]:
        """W_1 h_j [+ b]"""
        return self.W_1(h)

    def compare(
        self, s: Float[Tensor, "*batch query query_size"], keys: Float[Tensor, "*batch key projected"]
    ) -> Float[Tensor, "*batch query key"]:
        """v^⊤ tanh(W_1 h_j + W_2 s_i)"""
        sums = keys.unsqueeze(-3) + self.W_2(s).unsqueeze(-2)  # (…, query, key, hidden)
        return sums.tanh() @ self.v


def check_sizes(**sizes: int) -> None:
    """Raises ValueError naming the first size below 1."""
    for name, size in sizes.items():
        if size < 1:
            raise ValueError(f"{name} must be at least 1, got {size}")
