"""The gate explorer's state, without a browser: what it shows is what the equations say of the reader's text."""

import base64
import gzip
import json
import re

import numpy as np
import pytest
import torch

from course_lib.recurrent import GRU, LSTM, RNN, Clamp, RNNEncoder, RNNLanguageModel, holding, trace
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import Vocabulary
from course_lib.subwords.word_level import Words
from course_lib.transformer import Config, Transformer
from course_lib.translator import Translator
from course_lib.widgets import EncoderExplorer, GateExplorer
from course_lib.widgets.gate_explorer import as_clamp, as_plain
from course_lib.widgets.unit_features import correlations, following_units, text_features

VOCABULARY = {token: number for number, token in enumerate("abcde \n")}
KINDS = {"LSTM": LSTM, "GRU": GRU, "RNN": RNN}
TEXT = "a bad bee"


def model(kind="LSTM", layers=1, **options) -> RNNLanguageModel:
    torch.manual_seed(0)
    return RNNLanguageModel(len(VOCABULARY), KINDS[kind](3, 5, layers, **options))


def written(lm, text=TEXT, clamps=(), layer=0):
    ids = torch.tensor([VOCABULARY[token] for token in text])
    return trace(lm.network, lm.embedding(ids).detach(), list(text), clamps, layer)


def values(reading):
    return {name: torch.tensor(steps) / 1000 for name, steps in reading["values"].items()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("layer", [0, 1])
def test_the_readings_are_the_traces(kind, layer):
    lm = model(kind, layers=2)
    explorer = GateExplorer(lm, VOCABULARY, TEXT, layer=layer)
    assert (explorer.kind, explorer.units, explorer.tokens) == (f"{kind}Cell", 5, list(TEXT))
    gates = {"LSTM": "fio", "GRU": "rz", "RNN": ""}[kind]
    assert set(explorer.variants) == {f"{gate}={value}" for gate in gates for value in (0, 1)}
    for key, reading in {"": explorer.reading, **explorer.variants}.items():
        clamps = [Clamp(key[0], float(key[2]))] if key else []
        expected = written(lm, clamps=clamps, layer=layer).values
        assert list(explorer.names) == list(expected)
        for name, shown in values(reading).items():
            torch.testing.assert_close(shown, torch.tensor(expected[name]), atol=6e-4, rtol=0)


def test_the_probabilities_are_the_models_own():
    lm = model()
    explorer = GateExplorer(lm, VOCABULARY, TEXT)
    ids = torch.tensor([[VOCABULARY[token] for token in TEXT]])
    logits, _ = lm(ids)
    p = logits[0].softmax(1)
    assert explorer.reading["given"][0] is None
    for t, given in enumerate(explorer.reading["given"][1:], start=1):
        assert given / 1000 == pytest.approx(p[t - 1, ids[0, t]].item(), abs=6e-4)
    loss = torch.nn.functional.cross_entropy(logits[0, :-1], ids[0, 1:])
    assert explorer.reading["bits"] == pytest.approx(loss.item() / torch.log(torch.tensor(2.0)).item(), abs=1e-3)
    for step, best in zip(p, explorer.reading["best"], strict=True):
        assert VOCABULARY[best[0][0]] == step.argmax() and len(best) == 3
        assert best[0][1] >= best[1][1] >= best[2][1]


def test_a_gate_held_in_one_unit_is_told_apart_from_the_free_reading():
    lm = model()
    clamps = [Clamp("f", 0.5, (2,)), Clamp("o", 1.0)]
    explorer = GateExplorer(lm, VOCABULARY, TEXT, clamps=clamps)
    held = values(explorer.held)
    assert held["f"][:, 2].tolist() == [0.5] * len(TEXT) and held["o"].eq(1).all()
    torch.testing.assert_close(held["c"], torch.tensor(written(lm, clamps=clamps).values["c"]), atol=6e-4, rtol=0)
    torch.testing.assert_close(values(explorer.reading)["c"], torch.tensor(written(lm).values["c"]), atol=6e-4, rtol=0)
    explorer.read(TEXT)
    assert explorer.held is None and explorer.clamps == []


def test_a_request_is_read_and_answered():
    explorer, sent = GateExplorer(model("GRU"), VOCABULARY, TEXT), []
    explorer.send, explorer.position = sent.append, 8
    asked = {"text": "bed", "clamps": [{"gate": "z", "value": 0, "units": None}]}
    explorer._handle_custom_msg({"ask": asked, "id": 3}, [])
    assert sent == [{"id": 3, "error": None}]
    assert (explorer.text, explorer.tokens, explorer.position) == ("bed", list("bed"), 0)
    assert not values(explorer.held)["h"].any() and values(explorer.reading)["h"].any()
    before = explorer.get_state()
    for text, clamps in (("bxd", []), ("b", []), ("bed", [{"gate": "f", "value": 0, "units": None}])):
        explorer._handle_custom_msg({"ask": {"text": text, "clamps": clamps}, "id": 4}, [])
        assert sent[-1]["id"] == 4 and sent[-1]["error"]
        assert explorer.get_state() == before


def test_words_and_a_network_on_the_kernel():
    words = {"the": 0, "cat": 1, "sleeps": 2}
    torch.manual_seed(0)
    lm = RNNLanguageModel(3, LSTM(3, 4, fused=True))
    explorer = GateExplorer(lm, words, "the cat sleeps", split=str.split)
    assert explorer.tokens == ["the", "cat", "sleeps"]
    assert {token for token, _ in explorer.reading["best"][0]} == set(words)


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("a", {}, "from 2 to 64 tokens, got 1"),
        ("a" * 65, {}, "from 2 to 64 tokens, got 65"),
        ("axay!", {}, "never read 'x', 'y', '!'"),
        (TEXT, {"layer": 1}, "layer must lie in 0..0, got 1"),
        (TEXT, {"clamps": [Clamp("z", 1.0)]}, "gate must be one of f, i, o"),
        (TEXT, {"clamps": [Clamp("f", 1.0, (5,))]}, "units must lie in 0..4"),
    ],
)
def test_what_will_not_do_is_refused(text, options, message):
    with pytest.raises(ValueError, match=message):
        GateExplorer(model(), VOCABULARY, text, **options)


def test_too_many_units_are_refused():
    with pytest.raises(ValueError, match="256 units, got 257"):
        GateExplorer(RNNLanguageModel(7, RNN(1, 257)), VOCABULARY, TEXT)


@pytest.mark.parametrize("clamp", [Clamp("f", 0.5, (1, 3)), Clamp("z", 1.0)])
def test_a_clamp_survives_the_front_end(clamp):
    assert as_clamp(json.loads(json.dumps(as_plain(clamp)))) == clamp


def test_the_page_is_whole():
    explorer = GateExplorer(model(), VOCABULARY, "a\nbad </b>".replace("</b>", "bee"), clamps=[Clamp("i", 0.0)])
    page = explorer.page()
    state = json.loads(gzip.decompress(base64.b64decode(re.search(r'atob\("(.*?)"\)', page).group(1))))
    assert state["live"] is False and state["held"] == explorer.held and len(state["variants"]) == 6
    assert not re.search(r"(src|href)=|url\(|https?://(?!www\.w3\.org/2000/svg)", page)


def test_features_are_what_a_reader_sees():
    features = text_features('a "b c"\n"d')
    marks = {name: "".join(".x"[here] for here in feature) for name, feature in features.items()}
    assert marks == {"spaces": ".x..x..x..", "word starts": "x.x..x..x.", "quotes": "..xxxx..xx"}


def test_correlations_are_numpys():
    values = torch.randn(50, 4, dtype=torch.float64, generator=torch.Generator().manual_seed(0))
    values[:, 3] = 2.0
    feature = [t % 3 == 0 for t in range(50)]
    expected = [np.corrcoef(values[:, unit], feature)[0, 1] for unit in range(3)]
    assert correlations(values, feature).tolist() == pytest.approx([*expected, 0.0])
    assert correlations(values, [False] * 50).tolist() == [0.0] * 4


def test_units_that_follow_a_feature_are_found_and_named_once():
    text = 'he said "a bad bee" and "a bed" to me ' * 4
    features = text_features(text)
    noise = torch.randn(len(text), 40, generator=torch.Generator().manual_seed(0))
    planted = {7: ("quotes", 3.0), 11: ("spaces", -2.0), 30: ("word starts", 1.0)}
    for unit, (name, size) in planted.items():
        noise[:, unit] = size * torch.tensor(features[name], dtype=torch.float32)
    found = following_units(noise, text)
    assert {one["unit"]: (one["feature"], one["r"]) for one in found if abs(one["r"]) > 0.99} == {
        unit: (name, 1.0 if size > 0 else -1.0) for unit, (name, size) in planted.items()
    }
    assert len({one["unit"] for one in found}) == len(found)


def test_the_sample_is_read_by_the_same_network():
    lm = model()
    with torch.no_grad():
        for parameter in lm.parameters():
            parameter.mul_(4)
    sample = "a bad bee dead " * 5
    explorer = GateExplorer(lm, VOCABULARY, TEXT, sample=sample)
    states = torch.tensor(written(lm, sample).values["h"])
    assert explorer.following == following_units(states, sample) != []
    assert GateExplorer(lm, VOCABULARY, TEXT).following == []
    with pytest.raises(ValueError, match="never read 'x'"):
        GateExplorer(lm, VOCABULARY, TEXT, sample="a x")


WORDS = Words(["the", "a", "cat", "dog", "sleeps", "sees"])


def translator(kind="LSTM") -> Translator:
    torch.manual_seed(0)
    vocabulary = Vocabulary(WORDS.vocabulary)
    if kind == "Transformer":
        return Translator(Transformer(Config(len(vocabulary), d_model=8, heads=2, d_ff=8, layers=1)), WORDS, vocabulary)
    network = KINDS[kind](4, 5, 2, bidirectional=True)
    encoder, decoder = RNNEncoder(len(vocabulary), network), RNNDecoder(len(vocabulary), KINDS[kind](4, 10))
    with torch.no_grad():
        for parameter in [*encoder.parameters(), *decoder.parameters()]:
            parameter.mul_(4)
    return Translator(EncoderDecoder(encoder, decoder), WORDS, vocabulary)


@pytest.mark.parametrize("everywhere", [False, True])
@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("layer", [0, 1])
def test_of_an_encoder_each_reading_has_its_trace_and_the_translation_made_with_it(layer, reverse, everywhere):
    made = translator()
    explorer = EncoderExplorer(made, "the cat sees a dog", layer=layer, reverse=reverse, everywhere=everywhere)
    assert explorer.tokens == ["the", "cat", "sees", "a", "dog", "</s>"]
    assert explorer.where.startswith(f"Layer {layer + 1} of 2, from {'right to' if reverse else 'left to'}")
    assert ("in all layers and directions" in explorer.where) == everywhere and explorer.reverse == reverse
    place = (None, None) if everywhere else (layer, reverse)
    assert set(explorer.variants) == {f"{gate}={value}" for gate in "fio" for value in (0, 1)}
    encoder = made.model.encoder
    x = encoder.embedding(made.read(["the cat sees a dog"])[0][0])
    said = set()
    for key, reading in {"": explorer.reading, **explorer.variants}.items():
        clamps = [Clamp(key[0], float(key[2]))] if key else []
        with holding(encoder.network, clamps, *place):
            expected = trace(encoder.network, x, explorer.tokens, clamps, layer, reverse).values
        for name, shown in values(reading).items():
            torch.testing.assert_close(shown, torch.tensor(expected[name]), atol=6e-4, rtol=0)
        with holding(encoder.network, clamps, *place):
            assert reading["translation"] == made.translate(["the cat sees a dog"])[0]
        said.add(reading["translation"])
    assert len(said) > 1 and not {"given", "best", "bits"} & reading.keys()


def test_a_translator_that_reads_with_no_cell_is_refused():
    with pytest.raises(ValueError, match="must have a recurrent encoder, got a Transformer"):
        EncoderExplorer(translator("Transformer"), "the cat sleeps")
    with pytest.raises(ValueError, match=r"layer must lie in 0\.\.1, got 2"):
        EncoderExplorer(translator(), "the cat sleeps", layer=2)
    with pytest.raises(ValueError, match="word"):
        EncoderExplorer(translator(), " ")
