"""BertViz's data: the model's own weights, queries and keys, in the shape that BertViz itself makes of weights."""

import base64
import gzip
import json
import re

import bertviz
import pytest
import torch

from course_lib.attention import Dot
from course_lib.attention.scaled_dot_product import by_equations
from course_lib.maintain import vendor
from course_lib.recurrent import LSTM, RNNEncoder
from course_lib.seq2seq.attentive import LuongDecoder
from course_lib.seq2seq.encoder_decoder import EncoderDecoder
from course_lib.subwords import BPE, Vocabulary
from course_lib.transformer import Config, Transformer
from course_lib.translator import Translator
from course_lib.widgets import bertviz as ours
from course_lib.widgets.bertviz import attentions, head_view, model_view, neuron_view

TEXT = ["the old cat sees the small house", "a cat sleeps </script>", "die alte Katze sieht das Haus"]
SENTENCE, TRANSLATION = "the old cat sees the house </script>", "die Katze sieht das Haus"
VIEWS = {"head": head_view, "model": model_view, "neuron": neuron_view}


def transformer(**options) -> Translator:
    """A small Transformer with random weights, large enough that its attentions differ."""
    tokenizer = BPE.learn(TEXT, 40)
    vocabulary = Vocabulary(tokenizer.vocabulary)
    sizes = {"d_model": 16, "d_ff": 16, "heads": 4, "layers": 3, "decoder_layers": 2}
    with torch.random.fork_rng():
        torch.manual_seed(0)
        model = Transformer(Config(len(vocabulary), **sizes | options))
        for parameter in model.parameters():
            if parameter.dim() > 1:
                torch.nn.init.normal_(parameter, std=0.4)
    return Translator(model, tokenizer, vocabulary, limit=lambda length: 6)


def recurrent() -> Translator:
    tokenizer = BPE.learn(TEXT, 40)
    vocabulary = Vocabulary(tokenizer.vocabulary)
    size = len(vocabulary)
    decoder = LuongDecoder(size, LSTM(6, 8), Dot(), 8)
    return Translator(EncoderDecoder(RNNEncoder(size, LSTM(6, 8)), decoder), tokenizer, vocabulary)


def drawn(widget) -> dict:
    """What the page of a view holds."""
    return json.loads(gzip.decompress(base64.b64decode(re.search(r'atob\("(.*?)"\)', widget.page()).group(1))))


def close(numbers, expected, atol=0.6e-4):
    torch.testing.assert_close(torch.tensor(numbers), torch.as_tensor(expected), rtol=0, atol=atol)


@pytest.mark.parametrize("translation", [None, TRANSLATION])
def test_a_row_of_cross_is_the_attention_with_which_a_piece_is_written(translation):
    one = transformer()
    found = attentions(one, SENTENCE, translation)["cross"]
    with by_equations(one.model):  # word by word, with kept keys and values: the mean of the last layer's heads
        words = translation and translation.split()
        pair = one.align(SENTENCE, words) if translation else one.trace(SENTENCE)
    assert (found.left_text, found.right_text) == (pair.target, pair.source)
    assert translation is None or one.tokenizer.decode(pair.target[:-1]) == TRANSLATION
    close(torch.tensor(found.attn[-1]).mean(0).tolist(), pair.attention)


def test_the_first_layers_are_multi_head_attention_of_the_embedded_pieces():
    one = transformer()
    found = attentions(one, SENTENCE, TRANSLATION)
    model = one.model
    assert found["decoder"].left_text == ["<s>", *found["cross"].left_text[:-1]] == found["decoder"].right_text
    read = [one.vocabulary.piece_to_id[piece] for piece in found["decoder"].left_text]
    for attention, embedded, layer, mask in (
        ("encoder", model.source_embedding(one.read([SENTENCE])[0]), model.encoder.layers[0], None),
        (
            "decoder",
            model.target_embedding(torch.tensor([read])),
            model.decoder.layers[0],
            torch.ones(len(read), len(read), dtype=torch.bool).tril(),
        ),
    ):
        with torch.no_grad(), by_equations(model):
            weights = layer.self_attention(embedded, embedded, embedded, mask)[1]
        close(found[attention].attn[0], weights[0])


def test_queries_and_keys_make_the_weights():
    found = attentions(transformer(d_k=5), SENTENCE)
    assert [len(one.attn) for one in found.values()] == [3, 2, 2]
    for name, one in found.items():
        for q, k, weights in zip(one.queries, one.keys, one.attn, strict=True):
            scores = torch.tensor(q) @ torch.tensor(k).mT / 5**0.5
            if name == "decoder":
                scores = scores.masked_fill(torch.ones_like(scores).triu(1) > 0, -torch.inf)
            close(weights, scores.softmax(-1), atol=2e-3)


def test_head_and_model_view_get_what_bertviz_makes_of_the_weights():
    one = transformer(decoder_layers=3)
    found = attentions(one, SENTENCE, TRANSLATION)
    given = {f"{name}_attention": [torch.tensor([layer]) for layer in a.attn] for name, a in found.items()}
    tokens = {"encoder_tokens": found["encoder"].left_text, "decoder_tokens": found["decoder"].left_text}
    for view, theirs in (("head", bertviz.head_view), ("model", bertviz.model_view)):
        html = theirs(**given, **tokens, prettify_tokens=False, html_action="return").data
        params = json.loads(re.search(r"const params = (\{.*?\});? *// HACK", html).group(1))
        shown = drawn(VIEWS[view](one, SENTENCE, TRANSLATION))["attentions"]
        for expected, made in zip(params["attention"], shown, strict=True):
            assert made["name"].startswith(expected["name"].lower())
            close(made["attn"], expected["attn"])
            assert bare(made["right_text"]) == bare(expected["right_text"])
            if not made["name"].startswith("cross"):  # there the piece that is written, not the one read before it
                assert bare(made["left_text"]) == bare(expected["left_text"])


def bare(pieces):
    return [piece.removesuffix("</w>").removesuffix("…") for piece in pieces]


def test_pieces_are_drawn_as_they_are_read():
    assert ours._names(["<s>", "the</w>", "un", "der</w>", "<unk>", "</s>"]) == [
        "<s>",
        "the",
        "un…",
        "der",
        "<unk>",
        "</s>",
    ]
    assert ours._names(["t", "h", "e"]) == ["t", "h", "e"]  # nothing marks the end of a word


def test_a_page_holds_all_it_draws_and_fetches_nothing():
    widget = neuron_view(transformer(), SENTENCE, attention="cross", layer=1, head=3)
    page = widget.page()
    assert {key: drawn(widget)[key] for key in ("first", "layer", "head")} == {"first": 2, "layer": 1, "head": 3}
    assert page.count("</script>") == 1 and not re.search(r"(src|href)=|url\(|https?://", page)
    assert widget._repr_html_() == widget.frame() and 'title="BertViz, neuron view"' in widget.frame()
    assert len(page) < 150_000


def test_each_vendored_package_has_its_licence_beside_it():
    licences = (vendor.VENDORED / "d3_jquery.LICENSE.txt").read_text(encoding="utf-8")
    headings = [f"{package} {version}\n\nCopyright" for package, version in vendor.PACKAGES.items()]
    assert [package for package in headings if package not in licences] == [headings[-1]]  # esbuild only makes the file
    assert vendor.BANNER in (vendor.VENDORED / "d3_jquery.js").read_text(encoding="utf-8")


def test_a_large_page_warns(monkeypatch):
    monkeypatch.setattr(ours, "WARN_ABOVE", 50_000)
    with pytest.warns(UserWarning, match="this view is a page of 0 MB"):
        head_view(transformer(), SENTENCE)


@pytest.mark.parametrize("view", VIEWS.values())
def test_a_model_without_heads_is_named(view):
    with pytest.raises(TypeError, match="translator must hold a Transformer, .*, got EncoderDecoder"):
        view(recurrent(), SENTENCE)


@pytest.mark.parametrize(
    ("view", "options", "message"),
    [
        (model_view, {"attention": "source"}, "attention must be one of encoder, decoder, cross, got 'source'"),
        (head_view, {"layer": 3}, r"layer must lie in 0\.\.2, got 3"),
        (head_view, {"layer": 2, "attention": "cross"}, r"layer must lie in 0\.\.1, got 2"),
        (head_view, {"heads": [0, 4]}, r"heads must lie in 0\.\.3, got 4"),
        (neuron_view, {"head": -1}, r"head must lie in 0\.\.3, got -1"),
    ],
)
def test_what_is_not_there_is_refused(view, options, message):
    with pytest.raises(ValueError, match=message):
        view(transformer(), SENTENCE, **options)


def test_a_piece_that_the_vocabulary_does_not_have_is_unknown():
    assert "<unk>" in attentions(transformer(), SENTENCE, "die Я")["cross"].left_text


def test_a_sentence_that_the_translator_refuses_is_refused():
    with pytest.raises(ValueError, match="at least one word"):
        head_view(transformer(), " ")
