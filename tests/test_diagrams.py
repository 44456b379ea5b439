"""Pictures of networks: nothing lies over anything else, all is said in words, equations are the modules'."""

import re
import textwrap
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from course_lib import diagrams
from course_lib.diagrams import GRU_CELL, LSTM_CELL, Diagram, still
from course_lib.diagrams import diagram as description
from course_lib.diagrams.diagram import state, step
from course_lib.diagrams.layout import COLUMN, ROW, caption, overlap, rectangle, route
from course_lib.diagrams.markup import as_html, as_svg, spoken
from course_lib.recurrent import GRU, LSTM
from course_lib.systems import pipeline
from course_lib.widgets import DiagramStepper

WORDS = ["the", "fisherman", "x_1^{2}", "a", "<b>&"]


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
    diagrams.dependence(WORDS),
    diagrams.encoder_decoder(WORDS, WORDS[:3]),
    diagrams.encoder_decoder(WORDS[:2], WORDS, teacher_forcing=True),
    diagrams.encoder_decoder(WORDS[:3], WORDS, at_each_step=True),
    diagrams.decoder_step(WORDS),
    diagrams.attention_step(WORDS, WORDS[:2]),
    diagrams.attention_step(WORDS, join="bahdanau"),
    diagrams.self_attention(WORDS),
    diagrams.multi_head(),
    diagrams.multi_head(3),
    diagrams.encoder_layer(),
    diagrams.encoder_layer("pre", WORDS),
    diagrams.decoder_layer("post", WORDS, WORDS[:3]),
    diagrams.decoder_layer("pre", WORDS[:2], WORDS),
    diagrams.transformer(WORDS, ["<s>", *WORDS[:2]], WORDS),
    diagrams.transformer(["a"], ["<s>"]),
    diagrams.gnmt(),
    diagrams.timetable(pipeline.encoder(5, 4), WORDS),
    diagrams.timetable(pipeline.decoder(5, 3, "top"), WORDS),
    diagrams.timetable(pipeline.decoder(5, 3, "bottom"), WORDS),
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


def test_a_word_depends_on_the_input_then_on_the_word_before_then_on_all():
    diagram = diagrams.dependence(["das", "Schaf", "dort", "schlief"])
    for number, before in ((1, []), (2, ["y3"]), (3, ["y1", "y2", "y3"])):
        into = [wire.source for wire in diagram.wires if wire.target == "y4" and wire.step <= number]
        assert sorted(into) == ["x", *before]
    with pytest.raises(ValueError, match="words must be a list of three to nine"):
        diagrams.dependence(["das", "Schaf"])


def read_by(diagram, step):
    """What feeds each embedding of the decoder: d1, d2, …"""
    return [diagram.sources(f"d{i}", step) for i in range(1, 4)]


def test_the_decoder_reads_its_own_words_or_the_true_ones():
    source, target = ["the", "dog", "</s>"], ["der", "Hund", "</s>"]
    free, forced = (diagrams.encoder_decoder(source, target, teacher_forcing=forced) for forced in (False, True))
    assert read_by(free, 5) == [["<s>"], [], []] and read_by(free, 6) == [["<s>"], ["der"], ["Hund"]]
    assert free.nodes["o1"].text == "der" and ("o1", "d2") in {(wire.source, wire.target) for wire in free.wires}
    assert read_by(forced, 3) == [["true word <s>"], ["true word der"], ["true word Hund"]]
    assert [forced.nodes[f"o{i}"].text for i in (1, 2, 3)] == target
    with_r = diagrams.encoder_decoder(source, target, at_each_step=True)
    for i in (1, 2, 3):
        assert "representation of the source" in with_r.sources(f"s{i}", 3)
        assert ("representation of the source" in free.sources(f"s{i}", 3)) == (i == 1)


def test_in_gnmt_the_bottom_layer_asks_and_all_layers_of_the_decoder_read_the_context():
    diagram = diagrams.gnmt()
    assert diagram.sources("a", 6) == ["last state", "state of the bottom layer before"]
    assert all("context" in diagram.sources(layer, 6) for layer in ("d1", "d2", "d3"))
    assert diagram.sources("sum", 6) == ["layers 3 to 8", "layer 2"]


def test_a_timetable_says_at_each_tick_who_works_and_how_long_devices_were_idle():
    made = pipeline.encoder(3, 3)
    diagram = diagrams.timetable(made, WORDS[:3])
    assert [one.equation for one in diagram.steps][2:4] == ["tick 3: 2 devices at work", "tick 4: 1 device at work"]
    assert diagram.steps[3].sentence == "3 devices idle. Ticks spent idle so far, added over all devices: 9."
    assert diagram.steps[-1].sentence.endswith(f": {sum(made.idle)}.")
    assert len(diagram.steps) == made.ticks == 7
    assert (diagram.since["h2.1"], diagram.nodes["h2.1"].text) == (4, "4")
    assert diagram.sources("h2.2", 7) == [
        "layer 2 at the, tick 4", "layer 1 at fisherman, tick 2", "layer 1 from right to left at fisherman, tick 2",
    ]  # fmt: skip
    for asking, waits in (("top", True), ("bottom", False)):
        wires = {
            (wire.source, wire.target) for wire in diagrams.timetable(pipeline.decoder(3, 3, asking), WORDS[:3]).wires
        }
        assert (("h3.1", "h1.2") in wires) == waits
    with pytest.raises(ValueError, match="words must be a list of 3, as in the timetable, got 'one'"):
        diagrams.timetable(made, "one")
    with pytest.raises(ValueError, match="the bottom one, got .1, 2."):
        diagrams.timetable(pipeline.encoder(3, 2, "all"), WORDS[:3])


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
        for wrong, _ in one.wrong:
            assert " = " not in wrong or f"{plain(wrong)}  " not in stated, wrong


@every
def test_of_the_choices_one_is_right_and_the_others_have_a_reason(diagram):
    for one, shown in zip(diagram.steps, DiagramStepper(diagram).steps, strict=True):
        assert len(shown["choices"]) == (len(one.wrong) + 1 if one.wrong else 0)
        assert [choice["equation"] for choice in shown["choices"] if not choice["why"]] == [shown["equation"]][
            : len(one.wrong)
        ]
        assert len({choice["spoken"] for choice in shown["choices"]}) == len(shown["choices"])


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


@every
def test_drawn_wires_are_level_or_upright(diagram):
    """Also where a wire begins at the border of a word, and not in the middle of its node."""
    straight = re.compile(r"[ML](-?[\d.]+) (-?[\d.]+)")
    for d in re.findall(r'class="lm-wire[^>]* d="([^"Q]+)"', still(diagram)):
        for part in re.findall(r"M[^M]+", d):
            for (x1, y1), (x2, y2) in pairwise(straight.findall(part)):
                assert abs(float(x1) - float(x2)) < 1.5 or abs(float(y1) - float(y2)) < 1.5, d


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


def test_the_example_of_the_description():
    example = textwrap.dedent(re.search(r"\n\n( {4}Diagram\(.*?\n {4}\)\n)", description.__doc__, re.DOTALL)[1])
    gate = eval(example, vars(description))
    assert len(gate.steps) == 2 and gate.in_words(2)["keep"] == "what is kept, from memory before and forget gate"


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


def test_places_must_be_there():
    with pytest.raises(ValueError, match="step must be from 1 to 6, got 7"):
        still(LSTM_CELL, step=7)
    with pytest.raises(ValueError, match="step must be from 0 to 6, got -1"):
        DiagramStepper(LSTM_CELL, step=-1)
    with pytest.raises(ValueError, match="position must be from 0 to 0, got 1"):
        DiagramStepper(LSTM_CELL, ["a"], position=1)
    with pytest.raises(ValueError, match="words must be a list of at least two, got 'one'"):
        diagrams.unrolled("one")
    with pytest.raises(ValueError, match="words must be a list of at least three, got ..the., .end.."):
        diagrams.language_model(["the", "end"])
