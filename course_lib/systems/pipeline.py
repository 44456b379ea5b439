"""Layers on devices of their own: which works at which tick on which word, and which must wait (Wu et al. 2016).

A layer's state at a word needs its state at the word before, and what the layer below made of the word. A tick is one
word of one layer on one device; a device does one thing at a time, and starts as soon as it can.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Column = tuple[int, bool]  # a layer, and whether it reads from right to left
Task = tuple[Column, int]  # a column, and a word


@dataclass(frozen=True)
class Work:
    """At this tick this device computes one word of a layer; layers, words, ticks and devices are counted from 0."""

    tick: int
    device: int
    layer: int
    reverse: bool
    word: int


@dataclass(frozen=True)
class Timetable:
    """Who did what: `work` in the order of ticks and devices; `columns` names what runs on which device; `needs` is
    what each task, a layer's direction at a word, had to wait for."""

    devices: int
    columns: tuple[str, ...]
    work: tuple[Work, ...]
    needs: Mapping[Task, tuple[Task, ...]]

    @property
    def ticks(self) -> int:
        """How long it took."""
        return 1 + max(each.tick for each in self.work)

    @property
    def idle(self) -> tuple[int, ...]:
        """Of each device, how many of all ticks it waited."""
        return tuple(self.ticks - sum(each.device == device for each in self.work) for device in range(self.devices))

    @property
    def busy(self) -> float:
        """The share of the devices' time in which they work."""
        return len(self.work) / (self.devices * self.ticks)

    def grid(self) -> list[list[Work | None]]:
        """[device][tick]: the work, or None where the device waits."""
        at = {(each.device, each.tick): each for each in self.work}
        return [[at.get((device, tick)) for tick in range(self.ticks)] for device in range(self.devices)]


def encoder(
    words: int,
    layers: int,
    bidirectional: Literal["none", "bottom", "all"] = "bottom",
    devices: int | None = None,
) -> Timetable:
    """The layers of an encoder over a sentence of n `words`; each direction of a layer has a device of its own.

    With L layers: n + L − 1 ticks with "none", 2n + L − 2 with "bottom" (L > 1), n·L with "all": a layer that reads
    both ways ends with what the layer above needs first. With fewer `devices` neighbours share one. Raises ValueError
    for numbers below 1, more devices than directions of layers, and another `bidirectional`.
    """
    choices = {"none": 0, "bottom": 1, "all": layers}
    if bidirectional not in choices:
        raise ValueError(f"bidirectional must be one of {', '.join(choices)}, got {bidirectional!r}")
    both = choices[bidirectional]
    columns = [(layer, reverse) for layer in range(layers) for reverse in ((False, True) if layer < both else (False,))]

    def needs(task: Task) -> list[Task]:
        (layer, reverse), word = task
        before = word + 1 if reverse else word - 1
        own = [((layer, reverse), before)] if 0 <= before < words else []
        return own + [(column, word) for column in columns if column[0] == layer - 1]

    return _timetable(columns, words, needs, devices)


def decoder(
    words: int,
    layers: int,
    attention: Literal["bottom", "top"] = "bottom",
    devices: int | None = None,
) -> Timetable:
    """The layers of a decoder over m true `words` (teacher forcing); every layer reads the context.

    With D layers: m + D − 1 ticks where the bottom layer asks for the context of the next word; m·D where the top layer
    does, because the bottom layer then waits for the top. When it translates, the bottom layer waits for the word that
    the top has written, whoever asks: m·D again. Raises ValueError as `encoder` does.
    """
    asking = {"bottom": 0, "top": layers - 1}
    if attention not in asking:
        raise ValueError(f"attention must be one of {', '.join(asking)}, got {attention!r}")

    def needs(task: Task) -> list[Task]:
        (layer, _), word = task
        below = [((layer - 1, False), word)] if layer else []
        before = [((layer, False), word - 1)] if word else []
        context = [((asking[attention], False), word - 1)] if word else []
        return below + before + [each for each in context if each not in before]

    return _timetable([(layer, False) for layer in range(layers)], words, needs, devices)


def _timetable(
    columns: Sequence[Column], words: int, needs: Callable[[Task], list[Task]], devices: int | None
) -> Timetable:
    devices = len(columns) if devices is None else devices
    for name, value in (("layers", len(columns)), ("words", words), ("devices", devices)):
        if value < 1:
            raise ValueError(f"{name} must be at least 1, got {value}")
    if devices > len(columns):
        raise ValueError(f"devices must be at most {len(columns)}, one for each direction of each layer, got {devices}")
    device_of = {column: number * devices // len(columns) for number, column in enumerate(columns)}
    waiting = [(column, word) for word in range(words) for column in columns]
    needed = {task: tuple(needs(task)) for task in waiting}
    done: dict[Task, int] = {}
    work = []
    tick = 0
    while waiting:
        started: dict[int, Task] = {}
        for task in waiting:  # of what is ready, a device takes the earliest word, and there the lowest layer
            if device_of[task[0]] not in started and all(done.get(need, tick) < tick for need in needed[task]):
                started[device_of[task[0]]] = task
        for device, task in sorted(started.items()):
            (layer, reverse), word = task
            done[task] = tick
            work.append(Work(tick, device, layer, reverse, word))
        waiting = [task for task in waiting if task not in done]
        tick += 1
    names = tuple(f"layer {layer + 1}" + (" ←" if reverse else "") for layer, reverse in columns)
    return Timetable(devices, names, tuple(work), needed)
