"""Positions, feed-forward network, layer norm, residuals and layers: by hand and against torch's."""

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn

from course_lib.attention import causal, padding
from course_lib.attention.scaled_dot_product import by_equations
from course_lib.transformer import (
    Config,
    Decoder,
    DecoderLayer,
    Encoder,
    EncoderLayer,
    FeedForward,
    LayerNorm,
    Learned,
    Residual,
    Sinusoidal,
    sinusoidal,
)
from tests.from_torch import copy_decoder_layer, copy_encoder_layer, copy_norm, drawn_anew

SMALL = {"vocabulary_size": 9, "d_model": 6, "d_ff": 10, "heads": 2, "layers": 2, "dropout": 0.0, "bias": True}
WORDS = torch.arange(5) < torch.tensor([5, 3])[:, None]
both_norms = pytest.mark.parametrize("norm", ["post", "pre"])
both_forms = pytest.mark.parametrize("fused", [False, True])


def test_positions_are_the_papers_sines_and_cosines():
    table = sinusoidal(20, 512, torch.float64)
    for pos, i in [(0, 0), (1, 0), (7, 3), (19, 255), (11, 100)]:
        angle = pos / 10000 ** (2 * i / 512)
        assert table[pos, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-12)
        assert table[pos, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-12)
    odd = sinusoidal(3, 5)
    assert odd.shape == (3, 5) and odd[2, 4].item() == pytest.approx(math.sin(2 / 10000 ** (4 / 5)))


@given(st.integers(0, 60), st.integers(0, 30), st.integers(1, 12))
def test_a_shift_turns_every_pair_of_components_by_an_angle_of_its_own(pos, shift, pairs):
    """PE(pos + k) is a linear function of PE(pos) (Vaswani et al. 2017, section 3.5), and all PE are equally long."""
    table = sinusoidal(pos + shift + 1, 2 * pairs, torch.float64)
    before, after = table[pos].view(-1, 2), table[pos + shift].view(-1, 2)
    angles = shift / 10000 ** (torch.arange(pairs, dtype=torch.float64) / pairs)
    cos, sin = angles.cos(), angles.sin()
    turned = torch.stack([before[:, 0] * cos + before[:, 1] * sin, before[:, 1] * cos - before[:, 0] * sin], 1)
    torch.testing.assert_close(after, turned)
    torch.testing.assert_close(table.square().sum(1), torch.full((len(table),), float(pairs), dtype=torch.float64))


def test_sinusoidal_positions_grow_and_learned_ones_end():
    places = Sinusoidal(6, length=4)
    assert torch.equal(places(3, 2), sinusoidal(5, 6)[3:]) and torch.equal(places(0, 4), sinusoidal(4, 6))
    assert torch.equal(places(1000, 1), sinusoidal(1001, 6)[1000:]) and not places.state_dict()
    learned = Learned(6, 4)
    assert torch.equal(learned(1, 3), learned.weight[1:])
    with pytest.raises(ValueError, match="there are learned positions for 4 words, got 5"):
        learned(4, 1)


@both_forms
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_layer_norm_is_torchs(fused, dtype):
    torch.manual_seed(0)
    theirs, ours = drawn_anew(nn.LayerNorm(6)).to(dtype), LayerNorm(6, fused=fused).to(dtype)
    copy_norm(ours, theirs)
    x = torch.cat([torch.randn(4, 6) * 5 + 3, torch.full((1, 6), 2.0), torch.randn(1, 6) * 1e-4]).to(dtype)
    x.requires_grad_()
    y, expected = ours(x), theirs(x)
    torch.testing.assert_close(y, expected)
    for one, other in zip(*(torch.autograd.grad(z.square().sum(), x) for z in (y, expected)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-3)


def test_the_feed_forward_network_is_its_formula_at_each_position():
    torch.manual_seed(0)
    module, x = drawn_anew(FeedForward(3, 4)).requires_grad_(False), torch.randn(2, 5, 3)
    y = module(x)
    for b, t in torch.cartesian_prod(torch.arange(2), torch.arange(5)).tolist():
        inner = [
            max(0.0, float(row @ x[b, t] + bias)) for row, bias in zip(module.W_1.weight, module.W_1.bias, strict=True)
        ]
        torch.testing.assert_close(y[b, t], module.W_2.weight @ torch.tensor(inner) + module.W_2.bias)


@both_norms
def test_a_residual_is_its_formula_and_drops_out_what_the_sublayer_adds(norm):
    torch.manual_seed(0)
    residual, x, y = Residual(Config(**SMALL | {"norm": norm, "dropout": 0.5})), torch.randn(4, 6), torch.randn(4, 6)
    drawn_anew(residual)
    residual.eval()
    read, added = (residual.norm(x), x + y) if norm == "pre" else (x, residual.norm(x + y))
    seen = []
    assert torch.equal(residual(x, lambda given: (seen.append(given), y)[1]), added) and torch.equal(seen[0], read)
    residual.train()
    if norm == "pre":
        dropped = residual(torch.zeros(4, 6), torch.ones_like)
        assert set(dropped.unique().tolist()) == {0.0, 2.0}


@both_norms
@both_forms
def test_an_encoder_is_torchs_with_its_weights(norm, fused):
    torch.manual_seed(0)
    options = {"dim_feedforward": 10, "dropout": 0.0, "norm_first": norm == "pre", "batch_first": True}
    theirs = [drawn_anew(nn.TransformerEncoderLayer(6, 2, **options)).double() for _ in range(2)]
    last = drawn_anew(nn.LayerNorm(6)).double()
    ours = Encoder(Config(**SMALL, norm=norm, fused=fused)).double()
    for layer, peer in zip(ours.layers, theirs, strict=True):
        copy_encoder_layer(layer, peer)
    x = torch.randn(2, 5, 6, dtype=torch.float64)
    expected = x
    for peer in theirs:
        expected = peer(expected, src_key_padding_mask=~WORDS)
    if norm == "pre":
        copy_norm(ours.norm, last)
        expected = last(expected)
    torch.testing.assert_close(ours(x, padding(WORDS))[WORDS], expected[WORDS])


@both_norms
@both_forms
def test_a_decoder_layer_is_torchs_with_its_weights(norm, fused):
    torch.manual_seed(0)
    options = {"dim_feedforward": 10, "dropout": 0.0, "norm_first": norm == "pre", "batch_first": True}
    theirs = drawn_anew(nn.TransformerDecoderLayer(6, 2, **options)).double()
    ours = DecoderLayer(Config(**SMALL, norm=norm, fused=fused)).double()
    copy_decoder_layer(ours, theirs)
    x, h = torch.randn(2, 4, 6, dtype=torch.float64), torch.randn(2, 5, 6, dtype=torch.float64)
    expected = theirs(x, h, tgt_mask=~causal(4), memory_key_padding_mask=~WORDS)
    y, _, α = ours(x, ours.cross_attention.keys_values(h, h), padding(WORDS))
    torch.testing.assert_close(y, expected)
    assert (α is None) == fused


@both_norms
@both_forms
@settings(max_examples=5)
@given(st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(1, 3), st.booleans())
def test_the_cache_is_equal_to_no_cache_and_rows_share_their_sentences_memory(norm, fused, pieces, k, inference):
    """Words in pieces of any lengths; k rows for each of two sentences, once with one memory for all k."""
    torch.manual_seed(0)
    decoder = drawn_anew(Decoder(Config(**SMALL, norm=norm, fused=fused))).double()
    h, x = torch.randn(2, 5, 6, dtype=torch.float64), torch.randn(2 * k, sum(pieces), 6, dtype=torch.float64)
    memory, each = decoder.remember(h), decoder.remember(h.repeat_interleave(k, 0))
    expected, presents, α = decoder(x, each, padding(WORDS.repeat_interleave(k, 0)))
    together, past, weights = [], None, []
    for part in x.split(pieces, dim=1):
        with torch.inference_mode(inference):
            y, past, w = decoder(part, memory, padding(WORDS), past)
        together.append(y)
        weights.append(w)
    torch.testing.assert_close(torch.cat(together, 1), expected)
    torch.testing.assert_close(*([cache.keys_values for cache in caches] for caches in (past, presents)))
    if not fused:
        torch.testing.assert_close(torch.cat(weights, 2), α)


@both_norms
@settings(max_examples=6)
@given(st.integers(1, 5), st.integers(0, 3))
def test_a_sentence_alone_gives_what_it_gives_beside_others_and_padding_counts_for_nothing(norm, real, more):
    torch.manual_seed(0)
    encoder = drawn_anew(Encoder(Config(**SMALL, norm=norm))).double()
    x, words = (
        torch.randn(3, 5 + more, 6, dtype=torch.float64),
        torch.arange(5 + more) < torch.tensor([[5], [real], [1]]),
    )
    expected = encoder(x, padding(words))
    torch.testing.assert_close(encoder(x[1:2, :real]), expected[1:2, :real])
    changed = x.where(words[..., None], 1e4)
    torch.testing.assert_close(encoder(changed, padding(words))[words], expected[words])


@both_norms
def test_a_sentence_of_nothing_but_padding_gives_numbers_and_gradients_that_are_numbers(norm):
    for fused in (False, True):
        torch.manual_seed(0)
        encoder, x = Encoder(Config(**SMALL, norm=norm, fused=fused)), torch.randn(2, 5, 6, requires_grad=True)
        y = encoder(x, padding(WORDS & torch.tensor([[True], [False]])))
        y.square().sum().backward()
        assert y.isfinite().all() and x.grad.isfinite().all()


@both_norms
def test_gradients_are_right(norm):
    torch.manual_seed(0)
    config = Config(**SMALL | {"d_model": 4, "d_ff": 3, "layers": 1, "norm": norm, "fused": False})
    for layer in (EncoderLayer(config).double(), DecoderLayer(config).double()):
        drawn_anew(layer)
        x, h = torch.randn(1, 3, 4, dtype=torch.float64), torch.randn(1, 2, 4, dtype=torch.float64)
        memory = (h.view(1, 2, 2, 2), h.view(1, 2, 2, 2) + 1)
        parameters = dict(layer.named_parameters())
        extra = (memory,) if isinstance(layer, DecoderLayer) else ()

        def run(x, *values, layer=layer, names=tuple(parameters), extra=extra):
            y = torch.func.functional_call(layer, dict(zip(names, values, strict=True)), (x, *extra))
            return y[0] if extra else y

        assert torch.autograd.gradcheck(run, (x.requires_grad_(), *parameters.values()), fast_mode=True)


def test_equations_within_a_block_and_kernels_outside():
    layer = DecoderLayer(Config(**SMALL))
    fused = [module for module in layer.modules() if hasattr(module, "fused")]
    assert len(fused) == 5 and all(module.fused for module in fused)
    with pytest.raises(KeyError), by_equations(layer):
        assert not any(module.fused for module in fused)
        raise KeyError
    assert all(module.fused for module in fused)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"layers": 0}, "layers must be at least 1, got 0"),
        ({"d_model": 0}, "d_model must be at least 1, got 0"),
        ({"heads": -1}, "heads must be at least 1, got -1"),
        ({"d_v": 0}, "d_v must be at least 1, got 0"),
        ({"decoder_layers": 0}, "decoder_layers must be at least 1, got 0"),
        ({"norm": "none"}, "norm must be one of post, pre, got 'none'"),
        ({"positions": "rotary"}, "positions must be one of sinusoidal, learned, none, got 'rotary'"),
        ({"dropout": 1.0}, r"dropout must lie in \[0, 1\), got 1.0"),
    ],
)
def test_what_cannot_be_built_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        Config(**SMALL | options)
