"""Deep recurrent networks: layers over layers, one or both directions, with or without residual connections."""

from collections.abc import Mapping

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn
from torch.nn.functional import dropout

from course_lib.recurrent.cell import Cell, Watch
from course_lib.recurrent.gru import GRUCell
from course_lib.recurrent.layer import Layer
from course_lib.recurrent.lstm import LSTMCell
from course_lib.recurrent.rnn import RNNCell

States = tuple[Float[Tensor, "layers batch hidden"], ...]  # (h,), or (h, c) for the LSTM


class Network(nn.Module):
    """`num_layers` layers of one unit; use RNN, LSTM or GRU.

        x¹ = layer₁(x⁰),  xˡ = layerₗ(drop(xˡ⁻¹)) [+ xˡ⁻¹ with `residual`],  outputs = x^{num_layers}

    - `bidirectional`: each layer reads both ways, xˡ = [→h; ←h] (Schuster and Paliwal 1997): outputs twice as wide.
    - `reverse`: its one direction is right to left, so that it ends with the first token (a reversed source: Sutskever
      et al. 2014).
    - `residual`: a layer's input is added to its output (He et al. 2015; in recurrent stacks Wu et al. 2016; Thadani,
      "Scaling up: Residual connections"); not at the bottom layer, whose input is as wide as it happens to be.
    - `dropout`: probability at which a value between two layers is dropped in training (Zaremba et al. 2014); the
      residual path and the path through time stay whole.
    - `fused`: run on torch's kernel (cuDNN on CUDA), same parameters, same result. A plain attribute: set it any time.
    - Further options go to the unit: activation= (RNN), reset= (GRU).

    Raises ValueError for num_layers below 1, dropout outside [0, 1], `reverse` in a bidirectional network, and `fused`
    where no kernel computes the unit.
    """

    cell_type: type[Cell]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        *,
        bias: bool = True,
        bidirectional: bool = False,
        reverse: bool = False,
        residual: bool = False,
        dropout: float = 0.0,
        fused: bool = False,
        **unit: str,
    ):
        super().__init__()
        if num_layers < 1:
            raise ValueError(f"num_layers must be at least 1, got {num_layers}")
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout must lie in [0, 1], got {dropout}")
        if reverse and bidirectional:
            raise ValueError("reverse must be False in a bidirectional network, which reads both ways, got True")
        self.input_size, self.hidden_size = input_size, hidden_size
        self.residual, self.dropout, self.fused = residual, dropout, fused
        self.directions = 2 if bidirectional else 1
        self.reads_ahead = bidirectional or reverse  # an output depends on tokens to its right
        self.output_size = hidden_size * self.directions
        self.layers = nn.ModuleList()
        for below in [input_size] + [self.output_size] * (num_layers - 1):
            cells = [self.cell_type(below, hidden_size, bias, **unit) for _ in range(self.directions)]
            self.layers.append(nn.ModuleList(Layer(cell, reverse or bool(i)) for i, cell in enumerate(cells)))
        if fused and cells[0].kernel() is None:
            raise ValueError(f"fused: no kernel computes {self.cell_type.__name__} with {unit}, only its equations do")

    def forward(
        self,
        x: Float[Tensor, "batch time input"],
        mask: Bool[Tensor, "batch time"] | None = None,
        state: States | None = None,
        watch: Mapping[tuple[int, bool], Watch] | None = None,
    ) -> tuple[Float[Tensor, "batch time output"], States]:
        """The top layer's output at every token (0 at padding), and the last states of all layers.

        `mask`: True is a real token. The states are ordered as torch's: layer by layer, in each forward, then backward;
        `state`, in the same order, holds those before the first token (default: zeros). `watch[layer, reverse]` sees
        the values in one layer's equations. Raises ValueError for a state of the wrong number of layers.
        """
        layers = [layer for directions in self.layers for layer in directions]
        if state is not None and len(state[0]) != len(layers):
            raise ValueError(f"state must hold {len(layers)} layers and directions, got {len(state[0])}")
        mask = None if mask is None or bool(mask.all()) else mask
        initial = [None] * len(layers) if state is None else list(zip(*(s.unbind(0) for s in state), strict=True))
        last = []
        for depth, directions in enumerate(self.layers):
            below = dropout(x, self.dropout, self.training) if depth else x
            outputs = []
            for layer in directions:
                see = (watch or {}).get((depth, layer.reverse))
                y, final = layer(below, mask, initial[len(last)], self.fused, see)
                outputs.append(y)
                last.append(final)
            y = torch.cat(outputs, dim=2)
            x = x + y if self.residual and depth else y
        return x, tuple(torch.stack(s) for s in zip(*last, strict=True))

    def summary(self, state: States) -> Float[Tensor, "batch output"]:
        """The top layer's last hidden state; of both directions beside each other: a sentence as one vector."""
        return torch.cat(state[0][-self.directions :].unbind(0), dim=1)


class RNN(Network):
    """A network of basic recurrent units, `RNNCell`."""

    cell_type = RNNCell


class LSTM(Network):
    """A network of `LSTMCell`s."""

    cell_type = LSTMCell


class GRU(Network):
    """A network of `GRUCell`s: the lecture's by default, torch's with reset="after"."""

    cell_type = GRUCell
