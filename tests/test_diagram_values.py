"""Values and shapes in a picture are those that the modules compute."""

import math
from xml.etree import ElementTree

import pytest
import torch

from course_lib import diagrams
from course_lib.attention import Dot
from course_lib.diagrams import GRU_CELL, LSTM_CELL, cell_values, state_values, still
from course_lib.diagrams.layout import rectangle
from course_lib.diagrams.values import scales_in_words
from course_lib.recurrent import (
    GRU,
    LSTM,
    RNN,
    Clamp,
    RNNClassifier,
    RNNEncoder,
    RNNLanguageModel,
    trace,
)
from course_lib.seq2seq.attentive import LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import Characters, Vocabulary
from course_lib.translator import Translator
from course_lib.widgets import DiagramStepper
from tests.test_diagrams import ALL, WORDS


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
    assert DiagramStepper(diagrams.unrolled(WORDS), values=values).values["h4"][0] == pytest.approx(
        values["h4"], abs=1e-3
    )


def test_a_still_says_its_values_and_no_more_than_it_shows():
    values = {"candidate": [0.5, -0.25], "f": [1.0, 0.0], "c": [3.0, 0.0]}
    said = [ElementTree.fromstring(still(LSTM_CELL, values, at)).find("{*}desc").text for at in (1, 3, 4)]
    assert said[0].split("; ")[-1] == "candidate, from hidden state before and input: 0.5, −0.2"
    assert "forget gate" not in said[0] and "and input: 1.0, 0.0" in said[1]
    assert "3.0" not in said[1], "the equation of the memory cell is not complete yet"
    assert "memory cell, from sum: 3.0, 0.0" in said[2]


def test_scales_are_told_by_name_unless_they_are_many():
    few, many = {"c": 6.3, "f": 1.0}, dict.fromkeys("fioch", 6.3)
    assert scales_in_words(LSTM_CELL, few) == "bars run to ±1; memory cell: to ±6.3"
    assert scales_in_words(LSTM_CELL, many) == "bars run to ±1; where values are larger: to ±6.3"


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
    """The attention step, with its weights on the wires to the weighted states, and in the nodes."""
    words = ["the", "old", "man"]
    weights = [[0.125, 0.25, 0.625], [0.5, 0.25, 0.25]]
    values = {f"a{j}{wire}": [[row[j - 1]] for row in weights] for j in (1, 2, 3) for wire in ("", f" -- m{j}")}
    stepper = DiagramStepper(diagrams.attention_step(words), ["he", "sleeps"], values, step=3, position=0)
    svg = ElementTree.fromstring(stepper.svg)
    numbers = [text.text for text in svg.iter() if text.get("class") == "lm-carried"]
    widths = [float(wire.get("style")[4:]) for wire in svg.iter() if "lm-weighted" in wire.get("class", "").split()]
    assert numbers == ["0.12", "0.25", "0.62"] and sorted(set(widths)) == weights[0]
    assert [drawn_values(svg, f"a{j}").item() for j in (1, 2, 3)] == weights[0]


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


def toy_translator(attentive=False):
    """Not trained; its weights are large, so that its choices differ from step to step."""
    torch.manual_seed(0)
    tokenizer = Characters.learn(["ab ba cab"])
    vocabulary = Vocabulary(tokenizer.vocabulary)
    n, network = len(vocabulary), LSTM(4, 6)
    decoder = LuongDecoder(n, network, Dot(), 6) if attentive else RNNDecoder(n, network)
    model = EncoderDecoder(RNNEncoder(n, LSTM(4, 6)), decoder)
    with torch.no_grad():
        for weights in model.parameters():
            weights.mul_(3)
    return Translator(model, tokenizer, vocabulary)


def test_decoding_shows_what_the_model_computes():
    translator = toy_translator()
    traced = translator.trace("ab ba", best=3)
    read, candidates, values = diagrams.decoding_values(translator, "ab ba", units=5, best=3)
    assert len(read) == len(traced.target) and read[0] == "<s>"
    for t, step in enumerate(traced.best):
        shown = dict(zip(candidates, values["p"][t], strict=True))
        for piece, log_p in step:
            assert shown[piece.removesuffix("</w>")] == pytest.approx(math.exp(log_p), abs=1e-5)
        assert candidates[values["written"][t].index(1.0)] == traced.target[t].removesuffix("</w>")
        assert t == 0 or values["before"][t] == values["now"][t - 1]
        assert {len(values[name][t]) for name in ("before", "now")} == {5} and len(values["read"][t]) == 4
    shown = DiagramStepper(diagrams.decoder_step(candidates), read, values, step=3)
    assert shown.names["p"] == candidates and shown.tokens == read


def test_attention_shows_what_the_model_computes():
    translator = toy_translator(attentive=True)
    traced = translator.trace("ab ba", best=3)
    source, written, candidates, values = diagrams.attention_values(translator, "ab ba", units=4, best=3)
    assert [len(words) for words in (source, written)] == [len(traced.source), len(traced.target)]
    for t, row in enumerate(traced.attention):
        assert [values[f"a{j}"][t][0] for j in range(1, len(row) + 1)] == pytest.approx(row, abs=1e-6)
        e = torch.tensor([values[f"e{j}"][t][0] for j in range(1, len(row) + 1)])
        assert e.softmax(0).tolist() == pytest.approx(row, abs=1e-5)
        c = sum(torch.tensor(values[f"h{j}"][t]) * α for j, α in enumerate(row, start=1))
        assert values["c"][t] == pytest.approx(c.tolist(), abs=1e-5)
        shown = dict(zip(candidates, values["p"][t], strict=True))
        for piece, log_p in traced.best[t]:
            assert shown[piece.removesuffix("</w>")] == pytest.approx(math.exp(log_p), abs=1e-5)
    stepper = DiagramStepper(diagrams.attention_step(source, candidates), written, values, step=4)
    assert stepper.tokens == written and stepper.names["p"] == candidates
    with pytest.raises(ValueError, match="translator must have attention"):
        diagrams.attention_values(toy_translator(), "ab ba")


def test_a_wires_number_stands_between_its_nodes():
    words = ["the", "old", "man"]
    values = {name: [0.5] for j in (1, 2, 3) for name in (f"a{j}", f"a{j} -- m{j}")}
    diagram = diagrams.self_attention(words)
    svg = ElementTree.fromstring(still(diagram, values))
    for number in (text for text in svg.iter() if text.get("class") == "lm-carried"):
        source, target = (diagram.nodes[id] for id in number.get("data-wire").split(" -- "))
        upper, lower = rectangle(target)[3], rectangle(source, valued=True)[1]
        assert upper < float(number.get("y")) - 9 and float(number.get("y")) < lower
