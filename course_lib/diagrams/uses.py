"""One recurrent network, four uses (lecture 03; Thadani, "RNN classifier", "encoder", "language model", "decoder")."""

from collections.abc import Sequence

from course_lib.diagrams.diagram import Diagram, Node, Step, layer, state, step, word
from course_lib.diagrams.sentence import Columns

STATE = "h_t = tanh(W_{xh}^⊤ x_t + W_{hh}^⊤ h_{t−1})"


def classifier(words: Sequence[str], labels: Sequence[str]) -> Diagram:
    """Words to one label, read off the last state."""
    at, n = Columns(words), len(words)
    wide = max(1.2, 0.1 + 0.62 * len(labels), sum(len(label) + 2 for label in labels) * 0.08)
    last = max(at.column(n), wide / 2 + 0.1)
    return Diagram(
        "A classifier",
        (max(at.width, last + wide / 2 + 0.1), 7.3),
        *_read(at, "w", 2.4),
        step("r = h_n", "The last state has read all words: it represents the sentence."),
        state("r", "r", at.column(n), 3.1, "representation", shape="hidden"),
        f"h{n} -- r",
        step("z = W_{hy}^⊤ r + b_y", "A score for each label."),
        layer("z", "z", at.column(n), 1.95, "scores", shape="labels"),
        "r -- z",
        step("p(label | words) = softmax(z)", "The scores as probabilities."),
        state("p", "p", last, 0.75, "probabilities", shape="labels", size=(wide, 1), signed=False, units=tuple(labels)),
        "z -- p",
    )


def encoder(words: Sequence[str]) -> Diagram:
    """Words to a state for each word, and to one vector for all."""
    at, n = Columns(words, after=1), len(words)
    return Diagram(
        "An encoder",
        (at.width, 4.05),
        *_read(at, "w", -0.9),
        step(
            "r = h_n",
            "The last state represents the sentence; every state represents its word after the words before it.",
        ),
        state("r", "r", at.column(n + 1), 1, "representation", shape="hidden"),
        f"h{n} -- r",
    )


def language_model(words: Sequence[str]) -> Diagram:
    """Words to the probabilities of the word that follows, at each. Raises ValueError for fewer than three words."""
    if len(words) < 3:
        raise ValueError(f"words must be a list of at least three, got {words!r}")
    at = Columns(words[:-1])
    return Diagram(
        "A language model",
        (at.width, 7.75),
        *_read(at, "y", 2.8),
        step("z_t = W_{hy}^⊤ h_t + b_y", "A score for every word of the vocabulary."),
        *at.row(layer, "z", "z_#", 3.35, "scores", shape="vocabulary"),
        at.wires("h# -- z#"),
        step("p(y_{t+1} | y_1 … y_t) = softmax(z_t)", "The probability of each word to be the next."),
        *at.row(state, "p", "p_#", 2.05, "probabilities", shape="vocabulary"),
        at.wires("z# -- p#"),
        step("loss = −Σ_t log p(y_{t+1} | y_1 … y_t)", "Training makes the true next word probable."),
        *(word(f"next{t}", words[t], at.column(t), 0.6, f"next word {words[t]}") for t in at.times),
        at.wires("p# -- next#"),
    )


def decoder(words: Sequence[str], start: str = "<s>") -> Diagram:
    """A context to words: a language model that starts from the context and reads what it has written."""
    at = Columns(words, before=1)
    read = [start, *words]
    fed = (f"next{t} -|-@{at.column(t) + at.pitch / 2:.2f} x{t + 1}" for t in at.times[:-1])
    return Diagram(
        "A decoder",
        (at.width, 7.6),
        step("s_1 = c", "The state begins as the context, for example an encoder’s representation."),
        state("c", "c", at.column(0), 4.4, "context", shape="hidden"),
        step("s_{t+1} = tanh(W_{xh}^⊤ x_t + W_{hh}^⊤ s_t)", f"The first input stands for the start, {start}."),
        word("w1", start, at.column(1), 7.05),
        *(layer(f"x{t}", f"x_{t}", at.column(t), 5.9, f"input {read[t - 1]}", shape="input") for t in at.times),
        *(layer(f"s{t}", f"s_{t + 1}", at.column(t), 4.4, f"state {t + 1}", shape="hidden") for t in at.times),
        *("w1 -- x1", at.wires("x# -- s#"), "c -- s1", at.chain("s")),
        step("z_t = W_{hy}^⊤ s_{t+1} + b_y", "A score for every word of the vocabulary."),
        *(layer(f"z{t}", f"z_{t}", at.column(t), 3.1, f"scores {t}", shape="vocabulary") for t in at.times),
        at.wires("s# -- z#"),
        step("p(y_t | y_1 … y_{t−1}, c) = softmax(z_t)", "The probability of each word, given the context."),
        *(state(f"p{t}", f"p_{t}", at.column(t), 1.9, f"probabilities {t}", shape="vocabulary") for t in at.times),
        at.wires("z# -- p#"),
        step("x_{t+1} = E[y_t]", "A word is chosen, written, and read as the next input, until the end is chosen."),
        *(word(f"next{t}", words[t - 1], at.column(t), 0.6) for t in at.times),
        *(at.wires("p# -- next#"), *fed),
    )


def _read(at: Columns, name: str, down: float) -> list[Step | Node | str]:
    """The two steps that all who read begin with."""
    return [
        step(f"x_t = E[{name}_t]", "A learned vector for each word: its embedding."),
        *(*at.words(4.4 + down), *at.row(layer, "x", "x_#", 3.3 + down, "embedding", shape="input")),
        at.wires("w# -- x#"),
        step(STATE, "The network reads them one after another."),
        *at.row(layer, "h", "h_#", 1.9 + down, "state", shape="hidden"),
        *(at.wires("x# -- h#"), at.chain("h")),
    ]
