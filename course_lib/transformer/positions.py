"""Positions: attention itself does not know the order of words, so each word's place is added to its embedding."""

import torch
from jaxtyping import Float
from torch import Tensor, nn


def sinusoidal(
    length: int, d_model: int, dtype: torch.dtype = torch.float32, device: torch.device | str | None = None
) -> Float[Tensor, "length d_model"]:
    """PE(pos, 2i) = sin(pos / 10000^(2i / d_model)),  PE(pos, 2i + 1) = cos(pos / 10000^(2i / d_model))

    pos = 0, 1, …; with an odd d_model the last sine has no cosine (Vaswani et al. 2017, section 3.5).
    """
    pos = torch.arange(length, dtype=torch.float64, device=device)[:, None]
    even = torch.arange(0, d_model, 2, dtype=torch.float64, device=device)  # 2i
    angles = pos / 10000 ** (even / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=2).flatten(1)[:, :d_model].to(dtype)


class Sinusoidal(nn.Module):
    """The rows of `sinusoidal`: no parameters, any length. The table grows when a longer sentence comes."""

    def __init__(self, d_model: int, length: int = 64):
        super().__init__()
        self.register_buffer("table", sinusoidal(length, d_model), persistent=False)

    def forward(self, start: int, length: int) -> Float[Tensor, "length d_model"]:
        """The vectors of the positions start, start + 1, … start + length − 1."""
        end, (size, d_model) = start + length, self.table.shape
        if end > size:
            self.table = sinusoidal(2 * end, d_model, self.table.dtype, self.table.device)
        return self.table[start:end]


class Learned(nn.Module):
    """A vector for each of `max_length` positions, learned as words are (Gehring et al. 2017).

    `weight` (max_length, d_model), drawn with standard deviation 1/√d_model.
    """

    def __init__(self, d_model: int, max_length: int):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(max_length, d_model) * d_model**-0.5)

    def forward(self, start: int, length: int) -> Float[Tensor, "length d_model"]:
        """The vectors of `length` positions from `start` on. Raises ValueError beyond max_length."""
        if start + length > len(self.weight):
            raise ValueError(f"there are learned positions for {len(self.weight)} words, got {start + length}")
        return self.weight[start : start + length]
