"""Pictures of networks: nothing lies over anything else, all is said in words, shapes and values are the modules'."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest
import torch

from course_lib import diagrams
from course_lib.diagrams import GRU_CELL, LSTM_CELL, Diagram, cell_values, state_values, still
from course_lib.diagrams.diagram import box, dot, layer, op, state, step, word
from course_lib.diagrams.layout import COLUMN, ROW, caption, overlap, rectangle, route
from course_lib.diagrams.markup import as_html, as_svg, spoken
from course_lib.recurrent import (
    GRU,
    LSTM,
    RNN,
    Clamp,
    RNNClassifier,
    RNNDecoder,
    RNNEncoder,
    RNNLanguageModel,
    trace,
)
from course_lib.widgets import DiagramStepper

WORDS = ["the", "fisherman", "x_1^{2}", "a", "<b>&"]


def attention_step(words):
    """What a later lecture adds, at its full length: a decoder's state looks at the words, the weights on the wires."""
    n = len(words)
    return Diagram(
        "Attention, one step",
        (1.5 * n + 2.1, 6.3),
        step("e_j = q^⊤ k_j", "The decoder’s state is compared with each word’s state."),
        *(word(f"w{j}", text, 1.5 * j - 0.7, 5.8) for j, text in enumerate(words, 1)),
        *(state(f"k{j}", f"k_{j}", 1.5 * j - 0.7, 4.8, f"key {j}", shape="hidden") for j in range(1, n + 1)),
        state("q", "q", 1.5 * n + 1.2, 3.2, "query", shape="hidden"),
        state("e", "e", 0.75 * n, 3.2, "scores", shape="source", size=(1.5 * n - 0.2, 1)),
        *(f"w{j} -- k{j} -- e" for j in range(1, n + 1)),
        "q -- e",
        step("a = softmax(e)", "The scores become weights."),
        state("a", "a", 0.75 * n, 2, "weights", size=(1.5 * n - 0.2, 1), units=tuple(words), signed=False),
        "e -- a",
        step("c = Σ_j a_j k_j", "The context is the weighted mean of the words’ states."),
        state("c", "c", 1.5 * n + 1.2, 2, "context", shape="hidden"),
        "a -- c",
    )


ENCODER_LAYER = Diagram(
    "An encoder layer of the Transformer",
    (5.7, 11),
    step("Q = X W_Q,  K = X W_K,  V = X W_V", "For every word a query, a key and a value."),
    box("attention", "self-attention", 2.6, 7.35, 4.3, 3.9),
    state("x", "X", 4, 10.4, "words", shape="time, model"),
    dot("fork", 4, 9.7),
    layer("Q", "W_Q", 1.2, 8.6, "queries"),
    layer("K", "W_K", 2.6, 8.6, "keys"),
    layer("V", "W_V", 4, 8.6, "values"),
    "x -- fork -- V; fork -| K; fork -| Q",
    step("A = softmax(Q K^⊤ / √d)", "How much every word looks at every other: each row sums to 1."),
    state("A", "A", 1.9, 7.1, "attention", note="softmax", size=(2.4, 1), signed=False),
    "Q -- A; K -- A",
    step("Z = A V W_O", "The values, averaged with these weights."),
    op("mix", "×", 4, 7.1, "weighted sum"),
    layer("out", "W_O", 4, 6, "output weights"),
    "V -- mix -- out; A -- mix",
    step("X′ = LayerNorm(X + Z)", "Add what went around, and normalise."),
    op("add1", "+", 4, 4.9, "sum"),
    layer("norm1", "X′", 4, 4.05, "sum, normalised", note="norm", size=(1.2, 1)),
    "out -- add1 -- norm1; fork -|-@5.25 add1",
    step("F = ReLU(X′ W_1) W_2", "A feed-forward network, the same at every word."),
    dot("fork2", 4, 3.42),
    layer("w1", "W_1", 2.2, 2.65, "first feed-forward layer", note="ReLU", size=(1.3, 1)),
    layer("w2", "W_2", 2.2, 1.65, "second feed-forward layer", size=(1.3, 1)),
    "norm1 -- fork2 -| w1 -- w2",
    step("Y = LayerNorm(X′ + F)", "Again: add, normalise."),
    op("add2", "+", 4, 1.65, "sum"),
    layer("norm2", "Y", 4, 0.6, "output", note="norm", size=(1.2, 1)),
    "w2 -- add2 -- norm2; fork2 -- add2",
)
ALL = [
    LSTM_CELL,
    GRU_CELL,
    diagrams.unrolled(WORDS),
    diagrams.bidirectional(WORDS),
    diagrams.deep(WORDS),
    diagrams.residual(WORDS),
    diagrams.classifier(WORDS, ["negative", "neutral", "positive"]),
    diagrams.encoder(WORDS),
    diagrams.language_model(WORDS),
    diagrams.decoder(WORDS),
    attention_step(WORDS),
    ENCODER_LAYER,
]
every = pytest.mark.parametrize("diagram", ALL, ids=lambda diagram: diagram.title)


def segments(diagram):
    for wire in diagram.wires:
        for a, b in pairwise(route(diagram, wire)):
            yield wire, (*map(min, a, b), *map(max, a, b))


@every
def test_no_wire_runs_under_a_strange_node(diagram):
    for wire, line in segments(diagram):
        assert line[0] == line[2] or line[1] == line[3], f"{wire} is neither level nor upright"
        for node in diagram.nodes.values():
            own = node.kind in ("box", "dot") or node.id in (wire.source, wire.target)
            assert own or not overlap(line, rectangle(node, valued=node.kind in ("state", "layer"))), (wire, node.id)


@every
def test_nodes_and_captions_keep_apart_and_inside(diagram):
    nodes = [node for node in diagram.nodes.values() if node.kind not in ("box", "dot")]
    width, height = diagram.size[0] * COLUMN, diagram.size[1] * ROW
    taken = []
    for node in nodes:
        left, top, right, bottom = rectangle(node, valued=node.kind in ("state", "layer"))
        assert left >= 0 and top >= 0 and right <= width and bottom <= height, node.id
        room = (left - 2, top - 2, right + 2, bottom + 2)
        assert not [other for other, there in taken if overlap(room, there)], node.id
        taken.append((node.id, room))
    for node in nodes:
        room = caption(diagram, node, f"({node.shape})", valued=True)
        assert not room or not [other for other, there in taken if other != node.id and overlap(room, there)], node.id


@every
def test_wires_do_not_touch_side_by_side(diagram):
    """Two upright wires in one place would look like one; level ones share a way only as branches of one source."""
    lines = [(wire, line) for wire, line in segments(diagram) if line[0] == line[2]]
    for k, (wire, a) in enumerate(lines):
        for other, b in lines[:k]:
            together = abs(a[0] - b[0]) < 8 and a[1] < b[3] and b[1] < a[3]
            assert not together or {wire.source, wire.target} & {other.source, other.target}, (wire, other)


@every
def test_every_step_says_all_that_it_adds(diagram):
    described = ElementTree.fromstring(still(diagram)).find("{*}desc").text
    for number in range(1, len(diagram.steps) + 1):
        added = diagram.in_words(number)
        assert added, f"step {number} adds nothing"
        assert all(words in described for words in added.values())
        assert diagram.steps[number - 1].sentence.endswith(".")
    for id, node in diagram.nodes.items():
        assert node.kind in ("dot", "box") or node.called() in described, id
    for wire in diagram.wires:
        if diagram.nodes[wire.target].kind != "dot":
            at = max(wire.step, diagram.since[wire.target])
            assert " from " in diagram.in_words(at)[wire.target], wire


@every
def test_equations_are_complete_at_the_last_step(diagram):
    last = len(diagram.steps)
    for number, one in enumerate(diagram.steps, start=1):
        whole = re.sub(r"<\d+:(.*?)>", r"\1", one.equation)
        assert spoken(one.equation, last) == spoken(whole) and "<" not in whole
        growth = [spoken(one.equation, at) for at in range(number, last + 1)]
        changes = [at for at in range(number + 1, last + 1) if growth[at - number] != growth[at - number - 1]]
        assert changes == sorted({int(at) for at in re.findall(r"<(\d+):", one.equation)})


def plain(equation):
    """Without braces, and without the biases, which the lecture's cells have not."""
    return re.sub(r" \+ b_\w+|[{}]", "", re.sub(r"<\d+:(.*?)>", r"\1", equation))


@pytest.mark.parametrize(("diagram", "cell"), [(LSTM_CELL, LSTM.cell_type), (GRU_CELL, GRU.cell_type)])
def test_the_cells_equations_are_the_modules(diagram, cell):
    stated = plain(cell.__doc__)
    for one in diagram.steps:
        assert plain(one.equation) in stated, one.equation


@every
def test_a_still_is_whole(diagram):
    for at in (None, 1, len(diagram.steps)):
        svg = ElementTree.fromstring(still(diagram, step=at))
        assert svg.get("role") == "img" and svg.get("aria-label") == diagram.title
        assert not re.search(r"(src|href)=|url\(|@import", still(diagram, step=at))
    groups = {g.get("data-node"): g for g in svg.iter() if g.get("data-node")}
    assert set(groups) == set(diagram.nodes)
    for id, node in diagram.nodes.items():
        if node.kind == "word":
            assert "".join(groups[id].find("{*}text").itertext()) == node.text


def test_a_still_shows_itself_in_a_notebook():
    picture = still(LSTM_CELL)
    assert picture._repr_html_() == str(picture) and picture.startswith("<svg ")


def test_what_colour_says_is_said_without_it():
    """Kinds differ in shape, what is new in line width, values below zero in place and filling."""
    svg = ElementTree.fromstring(still(LSTM_CELL, {"candidate": [0.5, -0.5]}))
    rects = {g.get("data-node"): g.find("{*}rect") for g in svg.iter() if g.get("data-node")}
    corners = {kind: float(rects[id].get("rx")) for kind, id in (("layer", "f"), ("state", "x"), ("op", "keep"))}
    assert corners["layer"] < 8 < corners["op"] < corners["state"]
    assert rects["keep"].get("width") == rects["keep"].get("height") != rects["x"].get("width")
    css = svg.find("{*}style").text
    widths = {name: float(w) for name, w in re.findall(r"\.lm-drawing (.*?) \{[^}]*stroke-width: ([\d.]+);", css)}
    usual, new = ":is(.lm-state, .lm-layer, .lm-op) > rect", ".lm-now > :is(.lm-state, .lm-layer, .lm-op) > rect"
    assert widths[new] > widths[usual] and widths[".lm-now > .lm-wire:not(.lm-weighted)"] > widths[".lm-wire"]
    assert re.search(r"\.lm-below \{ fill: var\(--d-paper\)", css)


def drawn_values(svg, node, largest=1.0):
    """The values that a drawing's bars stand for."""
    group = next(g for g in svg.iter() if g.get("data-node") == node)
    bars = [rect for rect in group.iter() if "lm-bar" in rect.get("class", "").split()]
    signs = [-1 if "lm-below" in bar.get("class") else 1 for bar in bars]
    heights = [float(bar.get("style").removeprefix("--v:")) for bar in bars]
    return torch.tensor([sign * height * largest for sign, height in zip(signs, heights, strict=True)])


def traced(kind, reverse=False, clamps=(), words=5):
    torch.manual_seed(3)
    network = kind(3, 6, bidirectional=reverse)
    return trace(network, 2 * torch.randn(words, 3), ["w"] * words, clamps, reverse=reverse)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(("kind", "diagram"), [(LSTM, LSTM_CELL), (GRU, GRU_CELL)])
def test_values_in_the_picture_are_the_traces_and_satisfy_its_equations(kind, diagram, reverse):
    seen = traced(kind, reverse, [Clamp("candidate", 0.7, (2,))])
    values = cell_values(seen)
    assert set(values) == set(seen.values) | ({"h0", "c0"} if kind is LSTM else {"h0"})
    for t in range(5):
        svg = ElementTree.fromstring(still(diagram, {name: rows[t] for name, rows in values.items()}))
        wide = max(1.0, *(abs(v) for name in values for v in values[name][t]))
        largest = {name: wide if max(map(abs, values[name][t])) > 1 else 1.0 for name in values}
        shown = {name: drawn_values(svg, name, largest[name]) for name in values}
        for name, rows in seen.values.items():
            assert torch.allclose(shown[name], torch.tensor(rows[t]), atol=0.002)
        if kind is LSTM:
            c = shown["f"] * shown["c0"] + shown["i"] * shown["candidate"]
            assert torch.allclose(shown["c"], c, atol=0.01)
            assert torch.allclose(shown["h"], shown["o"] * shown["c"].tanh(), atol=0.01)
        else:
            h = (1 - shown["z"]) * shown["h0"] + shown["z"] * shown["candidate"]
            assert torch.allclose(shown["h"], h, atol=0.01)


def test_states_of_a_sentence():
    seen = traced(RNN, words=len(WORDS))
    values = state_values(seen, units=[0, 3])
    assert values == {f"h{t}": [row[0], row[3]] for t, row in enumerate(seen.values["h"], start=1)}
    svg = ElementTree.fromstring(still(diagrams.unrolled(WORDS), values))
    assert torch.allclose(drawn_values(svg, "h4"), torch.tensor(values["h4"]), atol=0.001)


SIZES = {"input": 3, "hidden": 5, "labels": 2, "vocabulary": 11}


def stated(diagram, id):
    """The shape a picture gives a node, in numbers."""
    shape = diagram.nodes[id].shape
    return tuple(
        int(factor[0]) * SIZES[factor[-1]] if len(factor := dimension.split()) > 1 else SIZES[dimension]
        for dimension in shape.split(", ")
    )


@pytest.mark.parametrize(("kind", "diagram"), [(LSTM, LSTM_CELL), (GRU, GRU_CELL)])
def test_the_cells_shapes_are_the_modules(kind, diagram):
    cell, seen = kind.cell_type(SIZES["input"], SIZES["hidden"]), {}
    x = torch.randn(1, cell.input_size)
    seen["x"], seen["h0"] = x[0], cell.initial_state(1)[0][0]

    def watch(name, value):
        seen[name] = value[0]
        return value

    cell(x, cell.initial_state(1), watch)
    for name, value in seen.items():
        assert stated(diagram, name) == tuple(value.shape), name


def test_the_uses_shapes_are_the_modules():
    network = RNN(SIZES["input"], SIZES["hidden"])
    tokens = torch.randint(SIZES["vocabulary"], (1, len(WORDS)))
    states, r = RNNEncoder(SIZES["vocabulary"], network)(tokens)
    classifier = RNNClassifier(SIZES["vocabulary"], SIZES["labels"], network)
    model = RNNLanguageModel(SIZES["vocabulary"], network)
    decoder = RNNDecoder(SIZES["vocabulary"], network)
    both = RNN(SIZES["input"], SIZES["hidden"], bidirectional=True)
    two = RNN(SIZES["input"], SIZES["hidden"], 2, residual=True)
    x = torch.randn(1, 5, SIZES["input"])
    titled = {diagram.title: diagram for diagram in ALL}
    for title, id, value in [
        ("An encoder", "x1", model.embedding(tokens)[0, 0]),
        ("An encoder", "h1", states[0, 0]),
        ("An encoder", "r", r[0]),
        ("A classifier", "z", classifier(tokens)[0]),
        ("A classifier", "p", classifier(tokens).softmax(1)[0]),
        ("A language model", "z1", model(tokens)[0][0, 0]),
        ("A language model", "p1", model(tokens)[0].softmax(2)[0, 0]),
        ("A decoder", "c", r[0]),
        ("A decoder", "z1", decoder(r, tokens)[0, 0]),
        ("A bidirectional network", "h1", both(x)[0][0, 0]),
        ("A bidirectional network", "x1", x[0, 0]),
        ("A deep network with a residual connection", "y1", two(x)[0][0, 0]),
    ]:
        assert stated(titled[title], id) == tuple(value.shape), (title, id)


def test_weights_lie_on_wires():
    """The attention step, with its weights on the wires from the keys and under the words."""
    words = ["the", "old", "man"]
    weights = [[0.125, 0.25, 0.625], [0.5, 0.25, 0.25]]
    values = {f"k{j} -- e": [[row[j - 1]] for row in weights] for j in (1, 2, 3)} | {"a": weights}
    stepper = DiagramStepper(attention_step(words), ["he", "sleeps"], values, step=3, position=0)
    svg = ElementTree.fromstring(stepper.svg)
    numbers = [text.text for text in svg.iter() if text.get("class") == "lm-carried"]
    widths = [float(wire.get("style")[4:]) for wire in svg.iter() if "lm-weighted" in wire.get("class", "").split()]
    assert numbers == ["0.12", "0.25", "0.62"] and sorted(set(widths)) == weights[0]
    assert drawn_values(svg, "a").tolist() == weights[0]
    assert [text.text for text in svg.iter() if text.get("class") == "lm-unit"] == words


def test_markup():
    for text in ("h_{t−1}", "W^2_{xh}^⊤ h^1_t", "h^→_t = tanh(c̃_t)", "a < b"):
        bare = re.sub(r"[_^{}]", "", text)
        for made in (as_html(text), as_svg(text)):
            assert "".join(ElementTree.fromstring(f"<p>{made}</p>").itertext()) == bare
    assert spoken("c_t = <2:f_t ⊙ >c_{t−1}", 1) == "c t = c t−1"
    assert spoken("c_t = <2:f_t ⊙ >c_{t−1}", 2) == "c t = f t times c t−1"


X = state("x", "x_t", 0, 0)


@pytest.mark.parametrize(
    ("story", "message"),
    [
        ([X], "must begin with a step"),
        ([step("x", "."), X, X], "id of its own, got 'x'"),
        ([step("x", "."), state("a b", "a", 0, 0)], "plain id"),
        ([step("x", "."), X, "x -- y"], "not there: y"),
        ([step("x", "."), X, "x > x"], 'written "a -- b"'),
        ([step("x", "."), X, "x -- x --"], "got 'x -- x --'"),
        ([step("x<2: + y>", "."), X], "waits for step 2"),
    ],
)
def test_a_wrong_description_is_refused(story, message):
    with pytest.raises(ValueError, match=message):
        Diagram("title", (1, 1), *story)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"nowhere": [[0.0]]}, "no node and no wire 'nowhere'"),
        ({"f": [[0.0], [1.0]]}, "each of the 1 tokens, got 2"),
        ({"keep": [[0.0]]}, "'keep' is of kind op"),
        ({"f": [[]]}, "some in each row"),
    ],
)
def test_values_must_fit(values, message):
    with pytest.raises(ValueError, match=message):
        DiagramStepper(LSTM_CELL, ["a"], values)


def test_places_must_be_there():
    with pytest.raises(ValueError, match="step must be from 1 to 6, got 7"):
        still(LSTM_CELL, step=7)
    with pytest.raises(ValueError, match="step must be from 0 to 6, got -1"):
        DiagramStepper(LSTM_CELL, step=-1)
    with pytest.raises(ValueError, match="position must be from 0 to 0, got 1"):
        DiagramStepper(LSTM_CELL, ["a"], position=1)
    with pytest.raises(ValueError, match="words must be a list of at least two, got 'one'"):
        diagrams.unrolled("one")
