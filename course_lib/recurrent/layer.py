"""A recurrent unit read along a padded batch, in one direction."""

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from course_lib.recurrent.cell import Cell, State, Watch
from course_lib.recurrent.kernel import run_kernel


class Layer(nn.Module):
    """A unit applied at every time step, left to right, or right to left with `reverse`:

        state_t = cell(x_t, state_{t−1}),  outputs_t = h_t

    At padding (mask False; True is a real token) the state stays what it was, and the output is 0: so a sentence gives
    the same alone and in any padded batch, in both directions, wherever its padding lies.
    """

    def __init__(self, cell: Cell, reverse: bool = False):
        super().__init__()
        self.cell, self.reverse = cell, reverse

    def forward(
        self,
        x: Float[Tensor, "batch time input"],
        mask: Bool[Tensor, "batch time"] | None = None,
        state: State | None = None,
        fused: bool = False,
        watch: Watch | None = None,
    ) -> tuple[Float[Tensor, "batch time hidden"], State]:
        """The hidden state at every token, and the state after the last one read; `state` before the first: zeros.

        `fused` runs torch's kernel, which needs padding to stand at the ends; `watch` runs the slide's equations and
        sees each value of them, at every step. Otherwise all inputs are projected in one product ahead of the loop, and
        cut by `unbind`: x[:, t] inside the loop would cost a full-size gradient each. Raises ValueError for no time
        steps, and where `fused` cannot be had.
        """
        if x.shape[1] == 0:
            raise ValueError(f"x must have at least one time step, got shape {tuple(x.shape)}")
        state = self.cell.initial_state(len(x)) if state is None else state
        if fused and watch is None:
            return run_kernel(self.cell, x, mask, state, self.reverse)
        if watch is None:
            inputs, step, weights = self.cell.project(x).unbind(1), self.cell.step, self.cell.recurrent_weights()
        else:
            inputs, step, weights = x.unbind(1), self.cell, (watch,)
        times = range(len(inputs))
        hidden = [state[0]] * len(inputs)
        for t in reversed(times) if self.reverse else times:
            new = step(inputs[t], state, *weights)
            state = new if mask is None else _where(mask[:, t, None], new, state)
            hidden[t] = state[0]
        outputs = torch.stack(hidden, dim=1)
        return outputs if mask is None else outputs * mask.unsqueeze(2), state


def _where(real: Bool[Tensor, "batch 1"], new: State, old: State) -> State:
    return tuple(torch.where(real, *pair) for pair in zip(new, old, strict=True))
