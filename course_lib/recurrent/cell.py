"""What the three units share: stacked weights under the slides' names, and their initialisation."""

from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional as F

State = tuple[Float[Tensor, "batch hidden"], ...]  # (h,), or (h, c) for the LSTM: the hidden state comes first
Watch = Callable[[str, Tensor], Tensor]  # gets a named value, returns the one to compute with


def unwatched(name: str, value: Tensor) -> Tensor:
    """The `Watch` that returns the value unchanged."""
    return value


def blocks(parameter: str, count: int) -> list[property]:
    """Names for the gates of a stacked parameter: views in the slides' orientation, W (input, hidden), b (hidden).

    A view, not a copy: gradients reach the stacked parameter, and writing into a view under `torch.no_grad()` changes
    the unit. Without biases a bias reads as 0.
    """

    def block(gate: int) -> property:
        def view(unit: "Cell") -> Tensor | float:
            stacked = getattr(unit, parameter)
            return 0.0 if stacked is None else stacked.unflatten(0, (count, -1))[gate].t()

        return property(view)

    return [block(gate) for gate in range(count)]


class Cell(nn.Module):
    """One recurrent unit. `forward` computes it as on the slides, `step` computes the same in an order made for speed.

    Parameters, stacked gate under gate in torch's order, each matrix transposed, as nn.LSTM and nn.GRU have them:
    W_x (gates·hidden, input), W_h (gates·hidden, hidden), b (gates·hidden); b is None with bias=False, the slides'.

    Initialisation: for every gate, W_x Glorot uniform (Glorot and Bengio 2010) and W_h orthogonal (Saxe et al. 2014),
    so that the recurrent product keeps the length of what it carries; biases 0, but 1 for the LSTM's forget gate.

    Raises ValueError for sizes below 1.
    """

    gates: int  # how many matrices are stacked
    states: int  # 1: h; 2: h and c
    watched: tuple[str, ...]  # the values a `Watch` sees, in the order of the equations

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True):
        super().__init__()
        for name, size in (("input_size", input_size), ("hidden_size", hidden_size)):
            if size < 1:
                raise ValueError(f"{name} must be at least 1, got {size}")
        self.input_size, self.hidden_size = input_size, hidden_size
        self.W_x = nn.Parameter(torch.empty(self.gates * hidden_size, input_size))
        self.W_h = nn.Parameter(torch.empty(self.gates * hidden_size, hidden_size))
        self.b = nn.Parameter(torch.empty(self.gates * hidden_size)) if bias else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new weights, as described in the class."""
        for W_x, W_h in zip(self.W_x.chunk(self.gates), self.W_h.chunk(self.gates), strict=True):
            nn.init.xavier_uniform_(W_x)
            nn.init.orthogonal_(W_h)
        if self.b is not None:
            nn.init.zeros_(self.b)

    def initial_state(self, batch: int) -> State:
        """All zeros."""
        return tuple(self.W_h.new_zeros(batch, self.hidden_size) for _ in range(self.states))

    def project(self, x: Float[Tensor, "*batch input"]) -> Float[Tensor, "*batch gates_hidden"]:
        """W_x^⊤ x + b for every gate: it needs no earlier state, so one product serves all time steps."""
        return F.linear(x, self.W_x, self.b)

    def recurrent_weights(self) -> tuple[Tensor, ...]:
        """What `step` takes after the state; made once: a view at every step would cost a full gradient each."""
        return (self.W_h.t(),)

    def step(self, projected: Float[Tensor, "batch gates_hidden"], state: State, *weights: Tensor) -> State:
        """One time step from the projected input, in as few products as possible; equals `forward`."""
        raise NotImplementedError

    def kernel(self) -> Callable[..., tuple[Tensor, ...]] | None:
        """The function of torch that computes this unit over time in one call, or None where there is none."""
        return None

    def kernel_weights(self) -> list[Tensor]:
        """The parameters as torch's kernels take them: two biases that are added, of which ours is the first."""
        return [self.W_x, self.W_h] if self.b is None else [self.W_x, self.W_h, self.b, torch.zeros_like(self.b)]
