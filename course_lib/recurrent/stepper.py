"""A network one time step at a time, for decoders whose next input depends on their last state."""

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn import functional as F

from course_lib.recurrent.cell import State
from course_lib.recurrent.network import Network, States


class Stepper:
    """A network of one direction over inputs x_t = [known_t; new_t], of which new_t is known only at step t.

        W_x^⊤ x_t + b = (W_known^⊤ known_t + b) + W_new^⊤ new_t

    The bracket is one product for all time steps, ahead of the loop; the views of the weights are made once. Equal to
    `network` called at each step with one x_t. It computes the equations, also where the network is `fused`.
    """

    def __init__(self, network: Network, known: Float[Tensor, "batch time known"]):
        self.network = network
        self.cells = [layer.cell for (layer,) in network.layers]
        bottom = self.cells[0]
        W_known, W_new = bottom.W_x.split([known.shape[2], network.input_size - known.shape[2]], dim=1)
        self.projected = F.linear(known, W_known, bottom.b).unbind(1)
        self.W_new = W_new.t()
        self.weights = [cell.recurrent_weights() for cell in self.cells]

    def step(
        self, t: int, new: Float[Tensor, "batch new"], state: list[State]
    ) -> tuple[Float[Tensor, "batch output"], list[State]]:
        """The top layer's output at time t, and the state of each layer after it."""
        after: list[State] = []
        x = new
        for depth, (cell, weights, before) in enumerate(zip(self.cells, self.weights, state, strict=True)):
            if depth:
                projected = cell.project(F.dropout(x, self.network.dropout, self.network.training))
            else:
                projected = torch.addmm(self.projected[t], new, self.W_new)
            after.append(cell.step(projected, before, *weights))
            x = x + after[-1][0] if self.network.residual and depth else after[-1][0]
        return x, after


def by_layer(states: States) -> list[State]:
    """The states of a network, (layers, batch, hidden) each, as a list of one `State` a layer."""
    return list(zip(*(s.unbind(0) for s in states), strict=True))
