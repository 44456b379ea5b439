"""From a decoder's state to the next word."""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F


class Readout(nn.Module):
    """A state s → logits over the words: z = U t + b, with t = s, or t = tanh(W s) where a `width` of t is given.

    s (…, state), W (width, state), U (vocabulary, width), b (vocabulary). `tied_to` an embedding, U is its matrix
    (Press and Wolf 2017; Straka 2021): t is then as wide as the embedding, and the matrix is drawn again, with standard
    deviation 1/√width, so that the first logits are small. Raises ValueError where t and the embedding differ in width.
    """

    def __init__(
        self, state_size: int, vocabulary_size: int, width: int | None = None, tied_to: nn.Embedding | None = None
    ):
        super().__init__()
        self.W = None if width is None else nn.Linear(state_size, width, bias=False)
        self.width = state_size if width is None else width
        if tied_to is None:
            self.U = nn.Parameter(nn.init.xavier_uniform_(torch.empty(vocabulary_size, self.width)))
        elif tied_to.embedding_dim != self.width:
            raise ValueError(
                f"width must be {tied_to.embedding_dim}, as the embedding, to tie the output to it, got {self.width}"
            )
        else:
            self.U = tied_to.weight
            nn.init.normal_(self.U, std=self.width**-0.5)
        self.b = nn.Parameter(torch.zeros(vocabulary_size))

    def narrow(self, s: Float[Tensor, "*batch state"]) -> Float[Tensor, "*batch width"]:
        """t = tanh(W s), or s itself."""
        return s if self.W is None else self.W(s).tanh()

    def forward(self, t: Float[Tensor, "*batch width"]) -> Float[Tensor, "*batch vocabulary"]:
        """z = U t + b"""
        return F.linear(t, self.U, self.b)
