"""The gated recurrent unit, as the lectures write it and as torch computes it."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import sigmoid, tanh

from course_lib.recurrent.cell import Cell, State, Watch, blocks, unwatched


class GRUCell(Cell):
    """The gated recurrent unit, in two forms. `reset="before"` is the lecture's (Thadani; Chung et al. 2014):

        r_t = σ(W_rx^⊤ x_t + W_rh^⊤ h_{t−1} + b_r)             reset gate
        z_t = σ(W_zx^⊤ x_t + W_zh^⊤ h_{t−1} + b_z)             update gate
        h̃_t = tanh(W_xh^⊤ x_t + W_hh^⊤ (r_t ⊙ h_{t−1}) + b_h)  candidate: the reset comes before the product
        h_t = (1 − z_t) ⊙ h_{t−1} + z_t ⊙ h̃_t                  z weighs the candidate

    `reset="after"` is torch's and cuDNN's, which can compute all recurrent products at once:

        h̃_t = tanh(W_xh^⊤ x_t + b_h + r_t ⊙ (W_hh^⊤ h_{t−1} + b_hh))  the reset comes after the product
        h_t = z_t ⊙ h_{t−1} + (1 − z_t) ⊙ h̃_t                         z weighs the old state: its sign flips

    Cho et al. (2014) stand between them: the reset before the product, z on the old state. So do TensorFlow's
    GRUBlockCell and, by default (linear_before_reset=0), the GRU of ONNX; torch has no kernel for a reset before the
    product. torch keeps two biases a gate, one beside each product, though only their sum counts; but within r ⊙ (…)
    the second does not simply add, so "after" has one bias more, b_hh.

    x (batch, input), h (batch, hidden), W_rx, W_zx, W_xh (input, hidden), W_rh, W_zh, W_hh (hidden, hidden). Stacked in
    torch's order r, z, h̃. bias=False gives the lecture's cells. Raises ValueError for another `reset`.
    """

    gates, states = 3, 1
    watched = ("r", "z", "candidate", "h")
    W_rx, W_zx, W_xh = blocks("W_x", 3)
    W_rh, W_zh, W_hh = blocks("W_h", 3)
    b_r, b_z, b_h = blocks("b", 3)

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, reset: str = "before"):
        if reset not in ("before", "after"):
            raise ValueError(f'reset must be "before" or "after", got {reset!r}')
        super().__init__(input_size, hidden_size, bias)
        self.reset = reset
        self.b_hh = nn.Parameter(torch.zeros(hidden_size)) if bias and reset == "after" else None

    def reset_parameters(self) -> None:
        super().reset_parameters()
        if getattr(self, "b_hh", None) is not None:  # not yet there when the cell is made
            nn.init.zeros_(self.b_hh)

    def forward(self, x: Float[Tensor, "batch input"], state: State, watch: Watch = unwatched) -> State:
        """One time step, as on the slide."""
        (h,) = state
        r = watch("r", sigmoid(x @ self.W_rx + h @ self.W_rh + self.b_r))
        z = watch("z", sigmoid(x @ self.W_zx + h @ self.W_zh + self.b_z))
        if self.reset == "before":
            candidate = watch("candidate", tanh(x @ self.W_xh + (r * h) @ self.W_hh + self.b_h))
            h = watch("h", (1 - z) * h + z * candidate)
        else:
            b_hh = 0.0 if self.b_hh is None else self.b_hh
            candidate = watch("candidate", tanh(x @ self.W_xh + self.b_h + r * (h @ self.W_hh + b_hh)))
            h = watch("h", z * h + (1 - z) * candidate)
        return (h,)

    def recurrent_weights(self) -> tuple[Tensor, ...]:
        return self.W_h.t().split([2 * self.hidden_size, self.hidden_size], dim=1)

    def step(
        self,
        projected: Float[Tensor, "batch gates_hidden"],
        state: State,
        W_rzh: Float[Tensor, "hidden 2*hidden"],
        W_hh: Float[Tensor, "hidden hidden"],
    ) -> State:
        (h,) = state
        x_rz, x_h = projected.split([2 * self.hidden_size, self.hidden_size], dim=-1)
        r, z = sigmoid(torch.addmm(x_rz, h, W_rzh)).chunk(2, dim=-1)
        if self.reset == "before":
            candidate = tanh(torch.addmm(x_h, r * h, W_hh))
            return ((1 - z) * h + z * candidate,)
        product = h @ W_hh if self.b_hh is None else torch.addmm(self.b_hh, h, W_hh)
        candidate = tanh(x_h + r * product)
        return (z * h + (1 - z) * candidate,)

    def kernel(self) -> Callable[..., tuple[Tensor, ...]] | None:
        return torch.gru if self.reset == "after" else None

    def kernel_weights(self) -> list[Tensor]:
        """torch's second bias: nothing for r and z, b_hh for the candidate."""
        if self.b_hh is None:
            return super().kernel_weights()
        return [self.W_x, self.W_h, self.b, torch.cat([self.b_hh.new_zeros(2 * self.hidden_size), self.b_hh])]
