"""The course's recurrent networks with weights that are given as data, and what may not do the students' work."""

from random import Random

import torch

from course_lib.grading.cases.numbers import tensor
from course_lib.recurrent import RNN, Cell

Weights = dict[str, torch.Tensor]  # named as on the slides: W_xh (input, hidden), W_hh (hidden, hidden), b_h, …


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


def network(layers: list[list[Weights]], residual: bool = False) -> RNN:
    """A network of tanh units; `layers[l]` holds the weights of layer l, those of each direction."""
    made = RNN(*layers[0][0]["W_xh"].shape, len(layers), bidirectional=len(layers[0]) == 2, residual=residual)
    for directions, given in zip(made.layers, layers, strict=True):
        for layer, weights in zip(directions, given, strict=True):
            load(layer.cell, weights)
    return made


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
    """The slides' names of the weights of `gates` ("fio") and of the candidate: ("W_fx", "W_fh", "b_f"), …"""
    return [*((f"W_{g}x", f"W_{g}h", f"b_{g}") for g in gates), ("W_xh", "W_hh", "b_h")]


def weights(rng: Random, size: int, hidden: int, gates: str = "", recurrent: bool = True, bias: bool = True) -> Weights:
    """Weights of a unit with those gates; what is switched off is 0."""
    drawn = {}
    for W_x, W_h, b in names(gates):
        drawn[W_x] = tensor(rng, size, hidden, spread=0.7)
        drawn[W_h] = tensor(rng, hidden, hidden, spread=0.7 * recurrent)
        drawn[b] = tensor(rng, hidden, spread=float(bias))
    return drawn
