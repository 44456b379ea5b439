"""The attention stepper's state, without a browser: every number is what the equations of the library give."""

import base64
import gzip
import json
import math
import re

import pytest
import torch
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention.scaled_dot_product import by_equations
from course_lib.widgets import AttentionStepper
from course_lib.widgets.attention_heads import THINKING_MACHINES, Attention, attentions, plain
from tests.test_diagram_values import toy_translator
from tests.toy_transformer import toy_transformer

TEXT = "ab ba"


def test_zhaos_example():
    """112 and 96, divided by 8: 14 and 12; the weights .88 and .12."""
    stepper = AttentionStepper(THINKING_MACHINES)
    (shown,), head = stepper.attentions, stepper.attentions[0]["heads"][0]
    assert shown["asking"] == shown["asked"] == ["Thinking", "Machines"] and shown["width"] == 64
    assert head["products"][0] == [112, 96] and head["scaled"][0] == [14, 12]
    assert [round(weight, 2) for weight in head["weights"][0]] == [0.88, 0.12]
    assert head["exps"][0] == [1, round(math.exp(-2), 3)]
    z = [0.8808 * a + 0.1192 * b for a, b in zip(*head["v"], strict=True)]
    assert head["z"][0] == pytest.approx(z, abs=1e-3)


def test_all_heads_of_all_layers_are_the_models():
    translator = toy_transformer()
    found = attentions(translator, TEXT, max_length=6)
    assert [one.name for one in found] == [
        f"{kind}, layer {n}" for kind in ("Encoder", "Decoder", "Decoder on the source") for n in (1, 2)
    ]
    with by_equations(translator.model):
        traced = translator.trace(TEXT, max_length=6)
    source, read = ([piece.removesuffix("</w>") for piece in pieces] for pieces in (traced.source, traced.target[:-1]))
    assert (found[0].asking, found[0].asked) == (source, source)
    assert (found[5].asking, found[5].asked) == (["<s>", *read], source)
    for one in found:
        shown = plain(one)
        expected = scaled_dot_product_attention(one.Q, one.K, one.V, one.mask)
        for n, head in enumerate(shown["heads"]):
            numbers = {
                name: torch.tensor(rows, dtype=torch.float64) for name, rows in head.items() if name != "largest"
            }
            torch.testing.assert_close(numbers["z"], expected[n].double(), atol=6e-4, rtol=1e-4)
            torch.testing.assert_close(numbers["products"], (one.Q[n] @ one.K[n].mT).double(), atol=6e-4, rtol=1e-4)
            torch.testing.assert_close(numbers["scaled"], numbers["products"] / 2, atol=6e-4, rtol=0)  # d_k is 4
            shares = numbers["exps"] / numbers["exps"].sum(1, keepdim=True)
            torch.testing.assert_close(shares, numbers["weights"], atol=2e-3, rtol=0)
    heads = [head["weights"] for head in plain(found[5])["heads"]]
    for row, expected in zip(torch.tensor(heads).mean(0).tolist(), traced.attention, strict=True):
        assert row == pytest.approx(expected, abs=1e-3), "a step's attention is the mean of the last layer's heads"


def test_the_largest_component_is_traced_to_the_words_vectors():
    translator = toy_transformer()
    (x, W), shown = attentions(translator, TEXT, 5)[5].made_of["k"], plain(attentions(translator, TEXT, 5)[5])
    torch.testing.assert_close(
        x, translator.model.encoder(translator.model.source_embedding(translator.read([TEXT])[0]))[0]
    )
    for n, head in enumerate(shown["heads"]):
        for word, (k, one) in enumerate(zip(head["k"], head["largest"]["k"], strict=True)):
            c, products = one["component"], x[word] * W[n, :, one["component"]]
            assert abs(k[c]) == max(map(abs, k)) and products.sum().item() == pytest.approx(k[c], abs=1e-3)
            best = sorted(products.tolist(), key=abs, reverse=True)[:4]
            assert [a * b for a, b in one["terms"]] == pytest.approx(best, abs=2e-2)
    assert shown["inputs"] == 8 and plain(THINKING_MACHINES)["heads"][0]["largest"] == {}


def test_a_mask_hides_what_comes_later_and_only_there():
    encoder, decoder = (plain(one) for one in attentions(toy_transformer(), TEXT, max_length=5)[1:3])
    assert encoder["allowed"] is None
    assert decoder["allowed"] == [[j <= i for j in range(5)] for i in range(5)]
    for head in decoder["heads"]:
        for i, (weights, exps) in enumerate(zip(head["weights"], head["exps"], strict=True)):
            assert not any(weights[i + 1 :]) and not any(exps[i + 1 :]) and max(exps) == 1


def test_a_sentence_is_read_or_refused():
    stepper, sent = AttentionStepper(toy_transformer(), TEXT, at=5, word=3, head=1), []
    stepper.send, stepper.predictions = sent.append, {"5:1:3": 0}
    stepper._handle_custom_msg({"ask": {"text": "  cab ab "}, "id": 1}, [])
    assert sent == [{"id": 1, "error": None}] and stepper.text == "cab ab" and stepper.predictions == {}
    assert [one["asked"][:3] for one in (stepper.attentions[0], stepper.attentions[5])] == [["c", "a", "b"]] * 2
    before = stepper.get_state()
    for text, message in (("xyz", "characters"), ("", "at least one word"), ("ab " * 13, "24 pieces, got 38")):
        stepper._handle_custom_msg({"ask": {"text": text}, "id": 2}, [])
        assert message in sent[-1]["error"] and stepper.get_state() == before


def test_the_end_of_the_sentence_is_none_of_its_24_pieces():
    words = "ab " * 7
    stepper = AttentionStepper(toy_transformer(), f"{words}cab")
    assert len(stepper.attentions[0]["asked"]) == 25
    with pytest.raises(ValueError, match="24 pieces, got 25"):
        stepper.read(f"{words}cabb")


def test_a_prediction_is_right_where_the_weight_is_largest():
    stepper = AttentionStepper(THINKING_MACHINES, predict=True)
    assert stepper.score == (0, 0)
    stepper.predictions = {"0:0:0": 0, "0:0:1": 0}
    assert stepper.score == (1, 2)


def test_several_attentions_without_a_model():
    torch.manual_seed(0)
    other = Attention("Three heads", ["a"], ["b", "c"], *(torch.randn(3, n, 2) for n in (1, 2, 2)))
    stepper = AttentionStepper([THINKING_MACHINES, other], at=1, head=2, step=6)
    assert [one["name"] for one in stepper.attentions] == ["One head", "Three heads"] and not stepper.reads


def test_the_page_is_whole():
    page = AttentionStepper(toy_transformer(), TEXT).page()
    state = json.loads(gzip.decompress(base64.b64decode(re.search(r'atob\("(.*?)"\)', page).group(1))))
    assert state["live"] is False and len(state["attentions"]) == 6
    assert not re.search(r"(src|href)=|url\(|https?://(?!www\.w3\.org/)", page)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"at": 1}, "at must be from 0 to 0, got 1"),
        ({"head": 1}, "head must be from 0 to 0, got 1"),
        ({"word": 2}, "word must be from 0 to 1, got 2"),
        ({"step": 7}, "step must be from 0 to 6, got 7"),
    ],
)
def test_what_is_not_there_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        AttentionStepper(THINKING_MACHINES, **options)


def test_what_will_not_do_is_refused():
    with pytest.raises(TypeError, match="must hold a Transformer, .* got EncoderDecoder"):
        AttentionStepper(toy_translator(), TEXT)
    with pytest.raises(ValueError, match=r"K must have the shape \(1 heads, 3 words, width\), got \(1, 2, 2\)"):
        Attention("wrong", ["a"], ["b", "c", "d"], torch.ones(1, 1, 2), torch.ones(1, 2, 2), torch.ones(1, 2, 2))
