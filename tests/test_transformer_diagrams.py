"""The Transformer's pictures carry what its modules compute: the values satisfy the equations beside them."""

import inspect
import math

import pytest
import torch
from torch.nn.functional import layer_norm

from course_lib import diagrams
from course_lib.diagrams import still
from course_lib.widgets import DiagramStepper
from tests.test_diagram_values import toy_translator
from tests.toy_transformer import toy_transformer

TEXT, ALL = "ab ba", 99  # more units than there are


def tensors(values):
    return {name: torch.tensor(rows) for name, rows in values.items()}


@pytest.mark.parametrize(("layer", "head"), [(0, 0), (1, 1)])
def test_self_attention_of_one_head(layer, head):
    translator = toy_transformer()
    words, values = diagrams.self_attention_values(translator, TEXT, layer=layer, head=head, units=ALL)
    seen, n, attention = tensors(values), len(words), translator.model.encoder.layers[layer].self_attention
    chosen = slice(4 * head, 4 * head + 4)
    for name, weight, of in (("q", attention.W_Q, "xi"), ("k2", attention.W_K, "x2"), ("v2", attention.W_V, "x2")):
        torch.testing.assert_close(seen[name], seen[of] @ weight.weight[chosen].mT.detach())
    e = torch.cat([(seen["q"] * seen[f"k{j}"]).sum(1, keepdim=True) / math.sqrt(4) for j in range(1, n + 1)], dim=1)
    torch.testing.assert_close(torch.cat([seen[f"e{j}"] for j in range(1, n + 1)], dim=1), e)
    α = torch.cat([seen[f"a{j}"] for j in range(1, n + 1)], dim=1)
    torch.testing.assert_close(α, e.softmax(1))
    torch.testing.assert_close(seen["z"], sum(α[:, j - 1 : j] * seen[f"v{j}"] for j in range(1, n + 1)))
    stepper = DiagramStepper(diagrams.self_attention(words), words, values, step=5, position=1)
    assert stepper.tokens == words and stepper.values["a1 -- m1"][1] == pytest.approx(values["a1"][1], abs=1e-3)


def test_heads_side_by_side():
    translator = toy_transformer()
    words, values = diagrams.multi_head_values(translator, TEXT, layer=1, units=ALL)
    seen, attention = tensors(values), translator.model.encoder.layers[1].self_attention
    for i in (1, 2):
        torch.testing.assert_close(
            seen[f"head{i}"], (seen[f"q{i}"] @ seen[f"k{i}"].mT / math.sqrt(4)).softmax(1) @ seen[f"v{i}"]
        )
        _, one = diagrams.self_attention_values(translator, TEXT, layer=1, head=i - 1, units=ALL)
        torch.testing.assert_close(seen[f"head{i}"], torch.tensor(one["z"]))
    torch.testing.assert_close(seen["joined"], torch.cat([seen["head1"], seen["head2"]], dim=1))
    torch.testing.assert_close(seen["z"], seen["joined"] @ attention.W_O.weight.mT.detach())
    assert len(DiagramStepper(diagrams.multi_head(), words, values).tokens) == len(words)


def check_sublayers(layer, seen, norm, sublayers):
    """Each sum with what went around it, by torch's layer norm; the whole is what the layer gives."""
    x = seen["x"]
    for id, y, around in sublayers:
        γ, β = around.norm.gamma.detach(), around.norm.beta.detach()
        normalise = lambda rows, γ=γ, β=β: layer_norm(rows, γ.shape, γ, β)  # noqa: E731
        if norm == "pre":
            torch.testing.assert_close(seen[f"{id}_norm"], normalise(x))
            torch.testing.assert_close(seen[f"{id}_out"], x + seen[y])
        else:
            torch.testing.assert_close(seen[f"{id}_out"], normalise(x + seen[y]))
        x = seen[f"{id}_out"]
    read = seen["hidden_norm"] if norm == "pre" else seen["x_of_network"]
    torch.testing.assert_close(seen["network"], layer.feed_forward(read).detach())
    torch.testing.assert_close(seen["hidden"], layer.feed_forward.W_1(read).relu().detach())


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_an_encoder_layer(norm):
    translator = toy_transformer(norm=norm)
    words, values = diagrams.encoder_layer_values(translator, TEXT, layer=1, head=1, units=ALL)
    seen, layer = tensors(values), translator.model.encoder.layers[1]
    seen["x_of_network"] = seen["self_out"]
    check_sublayers(
        layer, seen, norm, [("self", "self", layer.around_self), ("hidden", "network", layer.around_feed_forward)]
    )
    with torch.no_grad():
        torch.testing.assert_close(seen["hidden_out"], layer(seen["x"][None])[0])
    _, head = diagrams.self_attention_values(translator, TEXT, layer=1, head=1)
    assert [row[0] for row in head["a1"]] == pytest.approx([row[0] for row in values["self_weights"]])
    stepper = DiagramStepper(diagrams.encoder_layer(norm, words), words, values, step=4)
    assert stepper.names["self_weights"] == words


@pytest.mark.parametrize("norm", ["post", "pre"])
def test_a_decoder_layer(norm):
    translator = toy_transformer(norm=norm)
    source, read, values = diagrams.decoder_layer_values(translator, TEXT, layer=1, units=ALL)
    seen, layer = tensors(values), translator.model.decoder.layers[1]
    seen["x_of_network"] = seen["cross_out"]
    sublayers = [("self", "self", layer.around_self), ("cross", "cross", layer.around_cross)]
    check_sublayers(layer, seen, norm, [*sublayers, ("hidden", "network", layer.around_feed_forward)])
    own = seen["self_weights"]
    assert len(read) > 2 and torch.equal(own, own.tril()), "no word looks at a later one"
    for name, words in (("self_weights", read), ("cross_weights", source)):
        assert seen[name].shape == (len(read), len(words))
        torch.testing.assert_close(seen[name].sum(1), torch.ones(len(read)))
    stepper = DiagramStepper(diagrams.decoder_layer(norm, source, read), read, values, step=6)
    assert set(stepper.values) == set(values) and stepper.names["cross_weights"] == source


def test_the_whole_shows_the_probabilities_of_each_step():
    translator = toy_transformer()
    traced = translator.trace(TEXT, best=2)
    read, candidates, values = diagrams.transformer_values(translator, TEXT, best=2)
    assert read.read == ["<s>", *read.written[:-1]] and len(values["p"]) == len(traced.target)
    for row, best in zip(values["p"], traced.best, strict=True):
        shown = dict(zip(candidates, row, strict=True))
        for piece, log_p in best:
            assert shown[piece.removesuffix("</w>")] == pytest.approx(math.exp(log_p), abs=1e-5)
    whole = diagrams.transformer(read.source, read.read, candidates)
    assert DiagramStepper(whole, read.read, values, step=5).names["p"] == candidates
    assert "probabilities of the next word" in still(whole, {"p": values["p"][0]})


def test_each_word_takes_the_ways_that_norm_says():
    post, pre = (diagrams.encoder_layer(norm) for norm in ("post", "pre"))
    assert post.sources("self", 1) == ["vectors of the words"] and pre.sources("self", 1) == ["X, normalised"]
    assert post.nodes["hidden_out"].kind == "layer" and pre.nodes["hidden_out"].kind == "state"
    decoder = diagrams.decoder_layer()
    assert decoder.sources("cross", 3) == ["sum, normalised", "vectors of the source"]


def test_what_is_not_there_is_refused():
    translator = toy_transformer()
    with pytest.raises(ValueError, match="layer must be from 0 to 1, got 2"):
        diagrams.self_attention_values(translator, TEXT, layer=2)
    with pytest.raises(ValueError, match="head must be from 0 to 1, got 2"):
        diagrams.multi_head_values(translator, TEXT, heads=3)
    with pytest.raises(TypeError, match="must hold a Transformer, .* got EncoderDecoder"):
        diagrams.encoder_layer_values(toy_translator(), TEXT)
    with pytest.raises(ValueError, match="norm must be 'post' or 'pre', got 'both'"):
        diagrams.decoder_layer("both")
    with pytest.raises(ValueError, match="heads must be from 2 to 4, got 1"):
        diagrams.multi_head(1)
    with pytest.raises(ValueError, match="source and read must hold words"):
        diagrams.transformer([], ["<s>"])


PICTURES = ("self_attention", "multi_head", "encoder_layer", "decoder_layer", "transformer")


@pytest.mark.parametrize("name", PICTURES)
def test_a_description_is_short(name):
    assert len(inspect.getsource(getattr(diagrams, name)).splitlines()) <= 60
