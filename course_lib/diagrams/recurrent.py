"""Recurrent networks over a sentence: the basic one, both ways, deep, residual (lecture 03; Thadani)."""

from collections.abc import Sequence

from course_lib.diagrams.diagram import Diagram, Node, Step, dot, layer, op, state, step
from course_lib.diagrams.sentence import Columns

FIRST = "h_1 = tanh(W_{xh}^⊤ x_1 + W_{hh}^⊤ h_0)"
EVERY = "h_t = tanh(W_{xh}^⊤ x_t + W_{hh}^⊤ h_{t−1})"


def unrolled(words: Sequence[str]) -> Diagram:
    """The basic recurrent network: one unit reads every word, and an output is read off every state."""
    at = Columns(words, before=1)
    inputs, embedded = at.words(5.85), at.row(layer, "x", "x_#", 4.75, "input", shape="input")
    states = at.row(layer, "h", "h_#", 3.3, "state", shape="hidden")
    return Diagram(
        "A recurrent network, unrolled over a sentence",
        (at.width, 6.3),
        step(FIRST, f"The unit reads “{words[0]}”. Before the first word the state is all zeros."),
        *(inputs[0], embedded[0], state("h0", "h_0", at.column(0), 3.3, "state before", shape="hidden"), states[0]),
        "w1 -- x1 -- h1; h0 -- h1",
        step(EVERY, "The same unit, with the same weights, reads every word and hands its state on."),
        *(*inputs[1:], *embedded[1:], *states[1:]),
        *(at.wires("w# -- x# -- h#", first=2), at.chain("h")),
        step("z_t = W_{hy}^⊤ h_t", "An output layer, again the same at every word, may read off each state."),
        *at.row(layer, "z", "z_#", 1.9, "scores", shape="output"),
        at.wires("h# -- z#"),
        step("y_t = φ_y(z_t)", "The output at each word."),
        *at.row(state, "y", "y_#", 0.65, "output", shape="output"),
        at.wires("z# -- y#"),
    )


def bidirectional(words: Sequence[str]) -> Diagram:
    """Two networks over one sentence, one in each direction; a word's state is both beside each other."""
    at = Columns(words, pitch=2.3)
    return Diagram(
        "A bidirectional network",
        (at.width, 6.5),
        step("h^→_t = tanh(W^→_{xh}^⊤ x_t + W^→_{hh}^⊤ h^→_{t−1})", "One network reads from left to right."),
        *(*at.words(6.05), *at.row(layer, "x", "x_#", 4.95, "input", shape="input", size=(2, 1))),
        *at.row(layer, "f", "h^→_#", 3.6, "forward state", by=-0.52, shape="hidden"),
        *(at.wires("w# -- x# -- f#"), at.chain("f")),
        step(
            "h^←_t = tanh(W^←_{xh}^⊤ x_t + W^←_{hh}^⊤ h^←_{t+1})", "Another one, with its own weights, the other way."
        ),
        *at.row(layer, "b", "h^←_#", 2.25, "backward state", by=0.52, shape="hidden"),
        *(at.wires("x# -- b#"), at.chain("b", backward=True)),
        step("h_t = [h^→_t; h^←_t]", "The state of a word is both: the whole sentence, seen from that word."),
        *at.row(state, "h", "h_#", 0.9, "state", shape="2 hidden", size=(2, 1)),
        at.wires("f# -- h#; b# -- h#"),
    )


def deep(words: Sequence[str]) -> Diagram:
    """Two layers: the states of the first are the inputs of the second."""
    at = Columns(words)
    return Diagram("A deep network", (at.width, 5.2), *_two_layers(at, 0))


def residual(words: Sequence[str]) -> Diagram:
    """Two layers, with a connection around the second."""
    at = Columns(words)
    return Diagram(
        "A deep network with a residual connection",
        (at.width, 7.5),
        *_two_layers(at, 2.3),
        step(
            "x^2_t = h^2_t + h^1_t",
            "The input of a layer is added to its output: the layer models the difference.",
            (
                "x^2_t = h^2_t ⊙ h^1_t",
                "Then the gradient would again pass only through the layer’s values, and could vanish.",
            ),
            ("x^2_t = [h^2_t; h^1_t]", "Then the vectors would grow wider with every layer."),
        ),
        *(dot(f"fork{t}", at.column(t), 3.95) for t in at.times),
        *at.row(op, "sum", "+", 1.85, "sum"),
        *at.row(state, "y", "x^2_#", 0.65, "output", shape="hidden"),
        at.wires("b# -- sum# -- y#"),
        *(f"fork{t} -|-@{at.column(t) + 0.63:.2f} sum{t}" for t in at.times),
    )


def _two_layers(at: Columns, down: float) -> list[Step | Node | str]:
    return [
        step("h^1_t = tanh(W^1_{xh}^⊤ x_t + W^1_{hh}^⊤ h^1_{t−1})", "The first layer reads the words."),
        *(*at.words(4.75 + down), *at.row(layer, "x", "x_#", 3.65 + down, "input", shape="input")),
        *at.row(layer, "a", "h^1_#", 2.3 + down, "first layer", shape="hidden"),
        *(at.wires("w# -- x# -- a#"), at.chain("a")),
        step("h^2_t = tanh(W^2_{xh}^⊤ h^1_t + W^2_{hh}^⊤ h^2_{t−1})", "A second layer reads the states of the first."),
        *at.row(layer, "b", "h^2_#", 0.8 + down, "second layer", shape="hidden"),
        *(at.wires("a# -- b#"), at.chain("b")),
    ]
