"""The recurrent units of problem set 2 with weights that are given as data, and what may not do the students' work."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor
from torch.nn.functional import softsign

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.task import Case
from course_lib.recurrent import Cell, mask_from_lengths
from course_lib.recurrent.cell import State, Watch, unwatched
from course_lib.recurrent.network import Network
from course_lib.recurrent.rnn import RNNCell

Weights = dict[str, Tensor]  # named as in the lecture: W_xh (input, hidden), W_hh (hidden, hidden), b_h, …


class SoftsignCell(RNNCell):
    """h_t = φ(W_xh^⊤ x_t + W_hh^⊤ h_{t−1} + b_h) with the softsign φ(u) = u / (1 + |u|): torch has no such unit."""

    def forward(self, x: Tensor, state: State, watch: Watch = unwatched) -> State:
        (h,) = state
        return (watch("h", softsign(x @ self.W_xh + h @ self.W_hh + self.b_h)),)

    def step(self, projected: Tensor, state: State, W_hh: Tensor) -> State:
        (h,) = state
        return (softsign(torch.addmm(projected, h, W_hh)),)

    def kernel(self) -> None:
        return None


class SoftsignRNN(Network):
    """A network of `SoftsignCell`s."""

    cell_type = SoftsignCell


def load(cell: Cell, weights: Weights) -> Cell:
    """`cell` with `weights` in place of its parameters, in their dtype; gradients flow back to them."""
    for name, parameter in list(cell.named_parameters()):
        delattr(cell, name)
        setattr(cell, name, torch.zeros_like(parameter, dtype=weights["W_xh"].dtype))
    for name, value in weights.items():
        getattr(cell, name).copy_(value)
    return cell


def unit(kind: type[Cell], weights: Weights) -> Cell:
    """A cell of that kind, as wide as `weights`."""
    return load(kind(*weights["W_xh"].shape), weights)


def network(layers: list[list[Weights]], residual: bool = False) -> SoftsignRNN:
    """A network of softsign units; `layers[l]` holds the weights of layer l, those of each direction."""
    bidirectional = len(layers[0]) == 2
    made = SoftsignRNN(*layers[0][0]["W_xh"].shape, len(layers), bidirectional=bidirectional, residual=residual)
    for directions, given in zip(made.layers, layers, strict=True):
        for layer, weights in zip(directions, given, strict=True):
            load(layer.cell, weights)
    return made


def read(network: Network, x: Tensor, lengths: Tensor) -> tuple[Tensor, State]:
    """What `network` gives for the sentences of x; padding is set to 0 first: no gradient is NaN."""
    mask = mask_from_lengths(lengths, x.shape[1])
    return network(torch.where(mask.unsqueeze(2), x, 0), mask)


KINDS = ("LSTM", "GRU", "RNN")
KERNELS = [f"{kind}{cell}" for kind in ("lstm", "gru", "rnn_tanh") for cell in ("", "_cell")]
FORBIDDEN = (
    *(f"torch.nn.{kind}{cell}.forward" for kind in KINDS for cell in ("", "Cell")),
    *(f"torch.{kernel}" for kernel in KERNELS),
    *(f"torch._VF.{kernel}" for kernel in KERNELS),
    *(f"course_lib.recurrent.{kind.lower()}.{kind}Cell.{does}" for kind in KINDS for does in ("forward", "step")),
    "course_lib.recurrent.layer.Layer.forward",
    "course_lib.recurrent.network.Network.forward",
    "course_lib.recurrent.kernel.run_kernel",
    "course_lib.recurrent.layer.run_kernel",
)


def names(gates: str) -> list[tuple[str, str, str]]:
    """The lecture's names of the weights of `gates` ("fio") and of the candidate: ("W_fx", "W_fh", "b_f"), …"""
    return [*((f"W_{g}x", f"W_{g}h", f"b_{g}") for g in gates), ("W_xh", "W_hh", "b_h")]


def weights(rng: Random, size: int, hidden: int, gates: str = "", recurrent: bool = True, bias: bool = True) -> Weights:
    """Weights of a unit with those gates; what is switched off is 0."""
    drawn = {}
    for W_x, W_h, b in names(gates):
        drawn[W_x] = tensor(rng, size, hidden, spread=0.7)
        drawn[W_h] = tensor(rng, hidden, hidden, spread=0.7 * recurrent)
        drawn[b] = tensor(rng, hidden, spread=float(bias))
    return drawn


def one_sentence(
    batch: Callable, length: tuple[int, int], pads: tuple[int, int] = (0, 0), nan: bool = False, anything: bool = False
) -> Callable:
    """Cases of `batch` with one sentence, its length and its padding between the bounds given.

    `nan`: every second padding is no number. `anything`: padding is finite, infinite and NaN, or NaN alone, in turn; a
    large number in place of ∞ would be too large for the weights.
    """

    def drawn(rng: Random, size: int) -> Case:
        n = rng.randint(*length)
        made = batch(rng, n + rng.randint(*pads), [n])
        if size % 3 if anything else nan and size % 2:
            made.arguments[0][:, n:] = torch.nan
        if anything and size % 3 == 1:
            made.arguments[0][:, n:, 1:] = torch.inf
        return made

    def fitting(rng: Random, size: int) -> Case:
        return until(lambda: (drawn(rng, size),), too_large)[0] if size % 3 == 1 else drawn(rng, size)

    return fitting if anything else drawn


def too_large(case: Case) -> bool:
    """Whether every layer's first product overflows where nan_to_num makes numbers of the padding."""
    x, _, *layers = case.arguments
    return all(bool((x.nan_to_num() @ each["W_xh"]).isinf().any()) for each in layers)


COLUMNS = "Your product is that for columns, W^⊤x. Here each row of x is a state: x @ W, with the same W."
SIGMOID = "Your candidate goes through σ like a gate. It is content, not a gate: tanh lets it be negative, too."
UNWRITTEN = "All that you return is 0: this is not written yet."
NO_GRADIENT = (
    "No gradient reaches the `{name}` that you are given: is there a detach or .data, or is it copied by numbers?"
)
OVERWRITTEN = (
    "You write the new state into the `{name}` that you are given. It belongs to the caller: make a new tensor."
)
