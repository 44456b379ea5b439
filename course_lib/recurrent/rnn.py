"""The basic recurrent unit."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.recurrent.cell import Cell, State, Watch, blocks, unwatched


class RNNCell(Cell):
    """The basic recurrent unit (Thadani, "Notation: Basic recurrent unit"; Elman 1990):

        h_t = φ(W_xh^⊤ x_t + W_hh^⊤ h_{t−1} + b_h)

    x (batch, input), h (batch, hidden), W_xh (input, hidden), W_hh (hidden, hidden), b_h (hidden). φ is "tanh" or
    "sigmoid"; torch has a kernel for tanh. Raises ValueError for another `activation`.
    """

    gates, states = 1, 1
    watched = ("h",)
    (W_xh,), (W_hh,), (b_h,) = blocks("W_x", 1), blocks("W_h", 1), blocks("b", 1)

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, activation: str = "tanh"):
        if activation not in ("tanh", "sigmoid"):
            raise ValueError(f'activation must be "tanh" or "sigmoid", got {activation!r}')
        super().__init__(input_size, hidden_size, bias)
        self.activation = activation

    def forward(self, x: Float[Tensor, "batch input"], state: State, watch: Watch = unwatched) -> State:
        """One time step, as on the slide."""
        (h,) = state
        φ = getattr(torch, self.activation)
        h = watch("h", φ(x @ self.W_xh + h @ self.W_hh + self.b_h))
        return (h,)

    def step(
        self, projected: Float[Tensor, "batch gates_hidden"], state: State, W_hh: Float[Tensor, "hidden hidden"]
    ) -> State:
        (h,) = state
        return (getattr(torch, self.activation)(torch.addmm(projected, h, W_hh)),)

    def kernel(self) -> Callable[..., tuple[Tensor, ...]] | None:
        return torch.rnn_tanh if self.activation == "tanh" else None
