"""What happens inside a unit while it reads a sentence, as plain values; and what happens if a gate is held."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.recurrent.cell import Cell, Watch
from course_lib.recurrent.network import Network


@dataclass(frozen=True)
class Clamp:
    """Hold `gate` (f, i, o; r, z; also candidate, c, h) at `value`, in some `units` or in all (None), at every step."""

    gate: str
    value: float
    units: tuple[int, ...] | None = None


@dataclass(frozen=True)
class GateTrace:
    """Every gate and state of one layer over a sentence, each [token][unit], rounded to six decimals.

    They stand in the sentence's order, whatever the reading direction. `outputs` [token][output] are the network's.
    """

    unit: str
    layer: int
    reverse: bool
    tokens: list[str]
    clamps: list[Clamp]
    values: dict[str, list[list[float]]]
    outputs: list[list[float]]


@torch.no_grad()
def trace(
    network: Network,
    x: Float[Tensor, "time input"],
    tokens: Sequence[str],
    clamps: Sequence[Clamp] = (),
    layer: int = 0,
    reverse: bool = False,
) -> GateTrace:
    """Read one sentence by the equations and write down what one layer's unit computes.

    `clamps` hold gates of that layer, and everything after them changes, in this layer and in those above: the later of
    two clamps of one unit wins. Without dropout, whatever the network's mode. Raises ValueError for a layer, direction,
    gate or unit the network has not, a value that is not finite, and a number of tokens that is not x's.
    """
    cell = _cells(network, layer, reverse)[layer, reverse]
    _check(clamps, cell.watched, network.hidden_size)
    if len(tokens) != len(x):
        raise ValueError(f"tokens must be as many as x has time steps, {len(x)}, got {len(tokens)}")
    seen: dict[str, list[Tensor]] = {name: [] for name in cell.watched}
    hold = _held(clamps)

    def watch(name: str, value: Tensor) -> Tensor:
        value = hold(name, value)
        seen[name].append(value[0])
        return value

    training = network.training
    network.eval()
    try:
        outputs, _ = network(x.unsqueeze(0), watch={(layer, reverse): watch})
    finally:
        network.train(training)
    values = {name: _plain(steps[::-1] if reverse else steps) for name, steps in seen.items()}
    return GateTrace(
        type(cell).__name__, layer, reverse, list(tokens), list(clamps), values, _plain(outputs[0].unbind(0))
    )


@contextmanager
def holding(
    network: Network, clamps: Sequence[Clamp], layer: int | None = None, reverse: bool | None = None
) -> Iterator[None]:
    """Within `with holding(network, clamps):` the gates are held whenever the network is called, whoever calls it; a
    decoder that takes its steps by `Stepper` does not call it.

    They are held in one `layer` and direction, or in all (None), but not where the reader watches a layer itself.
    Raises ValueError as `trace` does.
    """
    cells = _cells(network, layer, reverse)
    _check(clamps, next(iter(cells.values())).watched, network.hidden_size)

    def watched(module: Network, inputs: tuple, options: dict) -> tuple[tuple, dict]:
        return inputs, options | {"watch": dict.fromkeys(cells, _held(clamps)) | (options.get("watch") or {})}

    hook = network.register_forward_pre_hook(watched, with_kwargs=True)
    try:
        yield
    finally:
        hook.remove()


def _cells(network: Network, layer: int | None, reverse: bool | None) -> dict[tuple[int, bool], Cell]:
    """The cells of a layer and direction, or of all (None), by both."""
    found = {
        (d, one.reverse): one.cell
        for d, both in enumerate(network.layers)
        for one in both
        if layer in (None, d) and reverse in (None, one.reverse)
    }
    if not found:
        raise ValueError(
            f"layer {layer}{' reverse' if reverse else ''}: the network has {len(network.layers)} layers in "
            f"{network.directions} direction(s)"
        )
    return found


def _held(clamps: Sequence[Clamp]) -> Watch:
    def hold(name: str, value: Tensor) -> Tensor:
        for clamp in clamps:
            if clamp.gate == name:
                value = value.clone()
                value[:, slice(None) if clamp.units is None else list(clamp.units)] = clamp.value
        return value

    return hold


def _check(clamps: Sequence[Clamp], names: Sequence[str], hidden_size: int) -> None:
    for clamp in clamps:
        if clamp.gate not in names:
            raise ValueError(f"clamp: the gate must be one of {', '.join(names)}, got {clamp.gate!r}")
        if not math.isfinite(clamp.value):
            raise ValueError(f"clamp: the value must be finite, got {clamp.value}")
        if not all(0 <= unit < hidden_size for unit in clamp.units or ()):
            raise ValueError(f"clamp: units must lie in 0..{hidden_size - 1}, got {clamp.units}")


def _plain(steps: Sequence[Tensor]) -> list[list[float]]:
    return [[round(v, 6) for v in step.tolist()] for step in steps]
