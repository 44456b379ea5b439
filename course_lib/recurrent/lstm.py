"""Long short-term memory."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import sigmoid, tanh

from course_lib.recurrent.cell import Cell, State, Watch, blocks, unwatched


class LSTMCell(Cell):
    """Long short-term memory (Hochreiter and Schmidhuber 1997; forget gate: Gers et al. 1999; as Thadani writes it):

        f_t = σ(W_fx^⊤ x_t + W_fh^⊤ h_{t−1} + b_f)      forget gate: how much of the memory stays
        i_t = σ(W_ix^⊤ x_t + W_ih^⊤ h_{t−1} + b_i)      input gate: how much of the candidate is added
        o_t = σ(W_ox^⊤ x_t + W_oh^⊤ h_{t−1} + b_o)      output gate: how much of the memory enters h
        c̃_t = tanh(W_xh^⊤ x_t + W_hh^⊤ h_{t−1} + b_h)   candidate
        c_t = f_t ⊙ c_{t−1} + i_t ⊙ c̃_t                 memory cell: only linear on its way through time
        h_t = o_t ⊙ tanh(c_t)                           hidden state

    x (batch, input), h and c (batch, hidden), each W_·x and W_xh (input, hidden), the others (hidden, hidden). The
    lecture's cells have no biases: bias=False. Stacked in torch's order i, f, c̃, o. (W_ih here leads from the hidden
    state to the input gate; torch's weight_ih, from input to hidden, is all of our W_x.)

    The forget gate's bias starts at 1, so that a new network remembers (Gers et al. 1999; Jozefowicz, Zaremba and
    Sutskever 2015, who found it to close the gap to the GRU).
    """

    gates, states = 4, 2
    watched = ("f", "i", "o", "candidate", "c", "h")
    W_ix, W_fx, W_xh, W_ox = blocks("W_x", 4)
    W_ih, W_fh, W_hh, W_oh = blocks("W_h", 4)
    b_i, b_f, b_h, b_o = blocks("b", 4)

    def reset_parameters(self) -> None:
        super().reset_parameters()
        if self.b is not None:
            nn.init.ones_(self.b.chunk(4)[1])

    def forward(self, x: Float[Tensor, "batch input"], state: State, watch: Watch = unwatched) -> State:
        """One time step, as on the slide."""
        h, c = state
        f = watch("f", sigmoid(x @ self.W_fx + h @ self.W_fh + self.b_f))
        i = watch("i", sigmoid(x @ self.W_ix + h @ self.W_ih + self.b_i))
        o = watch("o", sigmoid(x @ self.W_ox + h @ self.W_oh + self.b_o))
        candidate = watch("candidate", tanh(x @ self.W_xh + h @ self.W_hh + self.b_h))
        c = watch("c", f * c + i * candidate)
        h = watch("h", o * tanh(c))
        return h, c

    def step(
        self,
        projected: Float[Tensor, "batch gates_hidden"],
        state: State,
        W_h: Float[Tensor, "hidden gates_hidden"],
    ) -> State:
        h, c = state
        i, f, candidate, o = torch.addmm(projected, h, W_h).chunk(4, dim=-1)
        c = sigmoid(f) * c + sigmoid(i) * tanh(candidate)
        return sigmoid(o) * tanh(c), c

    def kernel(self) -> Callable[..., tuple[Tensor, ...]]:
        return torch.lstm
