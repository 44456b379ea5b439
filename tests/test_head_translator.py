"""One head of a Transformer as the attention of its translator: its own weights, and others in their place."""

import pytest
import torch

from course_lib.transformer.head_translator import HeadTranslator
from course_lib.transformer.state import TransformerMemory
from course_lib.widgets import AttentionHeatmap
from course_lib.widgets.bertviz import attentions
from tests.test_bertviz import SENTENCE, TRANSLATION, recurrent, transformer


@pytest.mark.parametrize(("layer", "head"), [(0, 3), (1, 0), (-1, None)])
def test_a_trace_holds_the_heads_weights_and_nothing_else_changes(layer, head):
    one = transformer()
    seen = HeadTranslator(one, layer, head).align(SENTENCE, TRANSLATION.split())
    heads = torch.tensor(attentions(one, SENTENCE, TRANSLATION)["cross"].attn[layer])  # read in one pass
    expected = heads.mean(0) if head is None else heads[head]
    torch.testing.assert_close(torch.tensor(seen.attention), expected, rtol=0, atol=0.6e-4)
    plain = one.align(SENTENCE, TRANSLATION.split())
    assert (plain.attention, seen.target, seen.source) == (None, plain.target, plain.source)
    assert seen.log_probs == pytest.approx(plain.log_probs, abs=1e-4)
    assert HeadTranslator(one, layer, head).trace(SENTENCE).text == one.trace(SENTENCE).text
    attention = one.model.decoder.layers[layer].cross_attention.attention
    assert attention.fused and not attention._forward_hooks


def test_all_heads_forced_on_one_piece_read_as_if_the_source_had_no_other():
    one = transformer(decoder_layers=1)
    model, j = one.model, 4
    found = HeadTranslator(one).trace(SENTENCE, force=dict.fromkeys(range(6), j))
    with torch.no_grad():
        memory = model.encode(*one.read([SENTENCE]))
        layers = tuple((K[:, :, j : j + 1], V[:, :, j : j + 1]) for K, V in memory.layers)
        state = model.start(TransformerMemory(layers, memory.mask[:, :1], False))
        previous, log_probs = model.bos_id, []
        while len(log_probs) < len(found.target):
            step = model.step(torch.tensor([previous]), state)
            state, previous = step.state, int(step.log_probs.argmax())
            log_probs.append(float(step.log_probs.max()))
    assert found.log_probs == pytest.approx(log_probs, abs=1e-4)
    assert found.attention == [[float(i == j) for i in range(len(found.source))]] * len(found.target)


def test_one_head_forced_leaves_the_steps_before():
    one = HeadTranslator(transformer(), 0, 1)
    free = one.trace(SENTENCE)
    row = [0.5, 0.5] + [0.0] * (len(free.source) - 2)
    forced = one.trace(SENTENCE, force={2: row})
    assert forced.attention[:3] == [*free.attention[:2], row] and forced.log_probs[:2] == free.log_probs[:2]
    assert forced.log_probs[2] != pytest.approx(free.log_probs[2], abs=1e-3)
    again = one.trace(SENTENCE, force={2: free.attention[2]})
    assert again.log_probs == pytest.approx(free.log_probs, abs=1e-5)


def test_the_heatmap_shows_a_transformer_and_forces_it():
    one = transformer()
    widget = AttentionHeatmap({"mean": one, "head": HeadTranslator(one, 0, 1)}, SENTENCE)
    mean, head = (model["free"]["levels"]["pieces"]["weights"] for model in widget.views[0]["models"])
    cross = torch.tensor(attentions(one, SENTENCE)["cross"].attn)
    torch.testing.assert_close(torch.tensor(mean) / 1000, cross[-1].mean(0), rtol=0, atol=0.6e-3)
    torch.testing.assert_close(torch.tensor(head) / 1000, cross[0, 1], rtol=0, atol=0.6e-3)
    widget.force("head", 0, 2, "pieces")
    held = widget.views[0]["models"][1]["held"]["levels"]["pieces"]["weights"]
    assert held[0] == [1000 * (j == 2) for j in range(len(held[0]))]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layer": 2}, r"layer must lie in 0\.\.1 or be -1, got 2"),
        ({"layer": -2}, "or be -1, got -2"),
        ({"head": 4}, r"head must lie in 0\.\.3 or be None, got 4"),
    ],
)
def test_what_is_not_there_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        HeadTranslator(transformer(), **options)


def test_a_model_without_heads_is_named():
    with pytest.raises(TypeError, match="must hold a Transformer, .* got EncoderDecoder"):
        HeadTranslator(recurrent())
    with pytest.raises(ValueError, match=r"in 0\.\.\d+, got 99"):
        HeadTranslator(transformer()).trace(SENTENCE, force={0: 99})
