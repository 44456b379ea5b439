"""How a picture of a network is written down: in reading order, steps and the nodes and wires that each adds.

    Diagram(
        "A gate",
        (4.6, 3),
        step("f_t = σ(W_{fx}^⊤ x_t)", "The gate: how much stays."),
        state("x", "x_t", 0.6, 2.4, "input", shape="input"),
        layer("f", "f_t", 2.4, 1.6, "forget gate", note="σ", shape="hidden", signed=False),
        "x -| f",
        step("c_t = f_t ⊙ c_{t−1}", "It stays."),
        state("c0", "c_{t−1}", 0.6, 0.6, "memory before", shape="hidden"),
        op("keep", "⊙", 2.4, 0.6, "what is kept"),
        state("c", "c_t", 4, 0.6, "memory", shape="hidden"),
        "c0 -- keep -- c; f -- keep",
    )

Places are (column, row) on a grid, fractions allowed, row 0 on top. Text is markup (see markup.py), but a word's is
literal. Wires are written `a -- b` straight, `a -| b` along the row and then the column, `a |- b` the other way round,
`a -|-@5 b` around by way of column 5; several follow one another, or are parted by `;`. A wire may pass a node of a
later step, which then is set upon it.
"""

import re
from dataclasses import dataclass

from course_lib.diagrams.markup import ADDED, spoken

WAYS = re.compile(r"--|-\||\|-|-\|-@\d+(\.\d+)?")


@dataclass(frozen=True)
class Node:
    """A part of a picture; made by `state`, `layer`, `op`, `word`, `box` and `dot`."""

    kind: str
    id: str
    text: str
    at: tuple[float, float]  # column and row of its centre
    name: str = ""  # what it is called in words
    note: str = ""  # a smaller second text
    shape: str = ""  # of its tensor for one sentence of a batch, in names: "hidden", "time, 2 hidden"
    size: tuple[float, float] = (1, 1)  # in columns and rows
    signed: bool = True  # its values may lie below 0
    units: tuple[str, ...] = ()  # words below its values, one for each

    def called(self) -> str:
        """Its name, or its text, in words."""
        return self.name or (self.text if self.kind == "word" else spoken(self.text))


@dataclass(frozen=True)
class Step:
    """An equation and a sentence on it. What step 3 will add to the equation stands in it as <3:f_t ⊙ >.

    `wrong` are equations that one might expect instead, each with the reason why it is not so: with them the step can
    be asked for before it is shown.
    """

    equation: str
    sentence: str
    wrong: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Wire:
    """From node to node; `step` is the number of the step that adds it."""

    step: int
    source: str
    way: str
    target: str

    @property
    def id(self) -> str:
        """What its value is named by: "a -- b"."""
        return f"{self.source} -- {self.target}"


class Diagram:
    """`Diagram(title, size, *story)`: the size in columns and rows, the story of steps, nodes and wires.

    `nodes` {id: node}, `since` {id: the number of its step}, `wires`, `steps`. Raises ValueError for a story that does
    not begin with a step, an id that comes twice or is not a plain name, a wire that leads nowhere or is not written
    as one, and an equation that waits for a step that does not come.
    """

    def __init__(self, title: str, size: tuple[float, float], *story: Step | Node | str):
        self.title, self.size = title, size
        self.steps: list[Step] = []
        self.nodes: dict[str, Node] = {}
        self.since: dict[str, int] = {}
        self.wires: list[Wire] = []
        for part in story:
            if isinstance(part, Step):
                self.steps.append(part)
            elif not self.steps:
                raise ValueError(f"{title}: the story must begin with a step, got {part!r}")
            elif isinstance(part, Node):
                if part.id in self.nodes or not re.fullmatch(r"[\w.]+", part.id):
                    raise ValueError(f"{title}: each node needs a plain id of its own, got {part.id!r}")
                self.nodes[part.id], self.since[part.id] = part, len(self.steps)
            else:
                self.wires += [wire for line in part.split(";") for wire in self._wires(line)]
        if lost := {end for wire in self.wires for end in (wire.source, wire.target)} - set(self.nodes):
            raise ValueError(f"{title}: a wire names what is not there: {', '.join(sorted(lost))}")
        for number in range(1, len(self.steps) + 1):
            if self.complete(number) > len(self.steps):
                raise ValueError(
                    f"{title}: equation {number} waits for step {self.complete(number)}, which is not there"
                )

    def _wires(self, line: str) -> list[Wire]:
        words = line.split()
        if len(words) < 3 or len(words) % 2 == 0 or not all(WAYS.fullmatch(way) for way in words[1::2]):
            raise ValueError(f'{self.title}: a wire is written "a -- b", with --, -|, |- or -|-@column, got {line!r}')
        return [Wire(len(self.steps), *hop) for hop in zip(words[:-2:2], words[1::2], words[2::2], strict=True)]

    def complete(self, step: int) -> int:
        """The step at which nothing more is added to a step's equation."""
        return max(step, *(int(number) for number, _ in ADDED.findall(self.steps[step - 1].equation)), 0)

    def sources(self, id: str, step: int) -> list[str]:
        """The names of what feeds a node at a step, looking through dots and through what comes later."""
        names = []
        for wire in self.wires:
            if wire.target == id and wire.step <= step:
                node = self.nodes[wire.source]
                through = node.kind == "dot" or self.since[node.id] > step
                names += self.sources(node.id, step) if through else [node.called()]
        return list(dict.fromkeys(names))

    def in_words(self, step: int) -> dict[str, str]:
        """What a step adds, {id: "forget gate, from hidden state before and input"}; "now also from" to an old node."""
        said = {}
        for id, node in self.nodes.items():
            if node.kind in ("dot", "box"):
                continue
            sources = self.sources(id, step)
            if self.since[id] == step:
                said[id] = node.called() + (f", from {' and '.join(sources)}" if sources else "")
            elif any(wire.step == step > self.since[id] and wire.target == id for wire in self.wires):
                new = [name for name in sources if name not in self.sources(id, step - 1)]
                said[id] = f"{node.called()}, now also from {' and '.join(new)}"
        return said


def step(equation: str, sentence: str, *wrong: tuple[str, str]) -> Step:
    """The next step of a story."""
    return Step(equation, sentence, wrong)


def state(id: str, text: str, column: float, row: float, name: str = "", **more: object) -> Node:
    """A vector or a matrix."""
    return Node("state", id, text, (column, row), name, **more)


def layer(id: str, text: str, column: float, row: float, name: str = "", **more: object) -> Node:
    """What is computed with learned weights."""
    return Node("layer", id, text, (column, row), name, **more)


def op(id: str, text: str, column: float, row: float, name: str = "") -> Node:
    """An operation without weights."""
    return Node("op", id, text, (column, row), name)


def word(id: str, text: str, column: float, row: float, name: str = "") -> Node:
    """A word or token; its text is literal."""
    return Node("word", id, text, (column, row), name, size=(max(1, len(text) * 0.11 + 0.3), 1))


def box(id: str, text: str, column: float, row: float, columns: float, rows: float) -> Node:
    """A frame around other nodes, with a title."""
    return Node("box", id, text, (column, row), size=(columns, rows))


def dot(id: str, column: float, row: float) -> Node:
    """Where a wire forks, or two meet."""
    return Node("dot", id, "", (column, row))
