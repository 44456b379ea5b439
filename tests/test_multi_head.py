"""Masks, scaled dot-product and multi-head attention: against torch's, by hand, gradients, both forms the same."""

import math

import jaxtyping
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention import MultiHeadAttention, ScaledDotProduct, causal, causal_and_padding, padding
from course_lib.attention.multi_head import without_heads
from course_lib.attention.scaled_dot_product import by_equations
from tests.from_torch import copy_attention

LENGTHS = torch.tensor([5, 3, 0])  # the last sentence is nothing but padding
WORDS = torch.arange(5) < LENGTHS[:, None]
MASKS = {
    "none": None,
    "padding": padding(WORDS),
    "causal": causal(5),
    "both": causal_and_padding(WORDS),
}
every_mask = pytest.mark.parametrize("name", MASKS)


def attention(dtype=torch.float64, heads=2, **options):
    torch.manual_seed(0)
    return MultiHeadAttention(6, heads, **options).to(dtype), torch.randn(3, 5, 6, dtype=dtype)


@given(st.integers(0, 5), st.integers(0, 5), st.lists(st.integers(0, 5), min_size=1, max_size=4))
def test_a_mask_is_true_where_a_query_may_attend(queries, more, lengths):
    last = causal(queries, queries + more)
    assert last.tolist() == [[j <= i + more for j in range(queries + more)] for i in range(queries)]
    words = torch.arange(5) < torch.tensor(lengths)[:, None]
    assert padding(words)[:, 0, 0].sum(1).tolist() == lengths
    both = causal_and_padding(words)
    assert both.shape == (len(lengths), 1, 5, 5)
    assert both[:, 0].tolist() == [[[j <= i and j < n for j in range(5)] for i in range(5)] for n in lengths]


def test_a_causal_mask_needs_a_key_for_each_query():
    with pytest.raises(ValueError, match="keys must be at least as many as queries, 3, got 2"):
        causal(3, 2)


def test_the_slides_example():
    """Scores 112 and 96, divided by √64, give the weights .88 and .12 (Zhao, self-attention: query, key, value)."""
    Q = torch.full((1, 64), 2.0)
    K = torch.stack([torch.full((64,), 112 / 128), torch.full((64,), 96 / 128)])
    _, α = ScaledDotProduct()(Q, K, torch.eye(2))
    assert (Q @ K.mT / 8).tolist() == [[14.0, 12.0]] and [round(weight, 2) for weight in α[0].tolist()] == [0.88, 0.12]


@every_mask
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_equation_is_torchs_scaled_dot_product_attention(name, dtype):
    """Contexts and gradients, also where a query may attend to nothing."""
    torch.manual_seed(0)
    inputs = [torch.randn(3, 2, 5, size, dtype=dtype).requires_grad_() for size in (4, 4, 6)]
    c, α = ScaledDotProduct()(*inputs, MASKS[name])
    expected = scaled_dot_product_attention(*inputs, MASKS[name])
    torch.testing.assert_close(c, expected)
    weight = torch.randn_like(c)
    for ours, theirs in zip(*(torch.autograd.grad(y, inputs, weight) for y in (c, expected)), strict=True):
        torch.testing.assert_close(ours, theirs)
        assert ours.isfinite().all()
    if name in ("padding", "both"):
        assert not c[2].any() and not α[2].any() and not α[1, ..., 3:].any()


@every_mask
@pytest.mark.parametrize("bias", [False, True])
def test_multi_head_attention_is_torchs_with_its_weights(name, bias):
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(6, 2, bias=bias, batch_first=True).double()
    if bias:
        nn.init.normal_(theirs.in_proj_bias)
        nn.init.normal_(theirs.out_proj.bias)
    ours, x = attention(bias=bias)
    copy_attention(ours, theirs)
    mask = None if MASKS[name] is None else MASKS[name].expand(3, 2, 5, 5).clone()
    if mask is not None:
        mask[2] = True  # theirs gives nan where a query may attend to nothing
    query, key, value = x, torch.randn_like(x), torch.randn_like(x)
    not_allowed = None if mask is None else ~mask.flatten(0, 1)
    expected, weights = theirs(query, key, value, attn_mask=not_allowed, average_attn_weights=False)
    y, α = ours(query, key, value, mask)
    torch.testing.assert_close((y, α), (expected, weights))


@every_mask
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_fused_form_has_the_same_outputs_and_gradients(name, dtype):
    module, x = attention(dtype, d_v=4, bias=True, fused=True)
    x.requires_grad_()
    wanted = [x, *module.parameters()]
    fused, none = module(x, x, x, MASKS[name])
    fused_gradients = torch.autograd.grad(fused.square().sum(), wanted)
    with by_equations(module):
        y, α = module(x, x, x, MASKS[name])
    assert none is None and α.shape == (3, 2, 5, 5) and module.attention.fused
    torch.testing.assert_close(fused, y)
    gradients = torch.autograd.grad(y.square().sum(), wanted)
    torch.testing.assert_close(fused_gradients, gradients, rtol=1e-4, atol=1e-5)


def test_the_heads_are_attentions_of_their_own():
    """The formula of the paper, head by head, query by query, with d_k and d_v of their own."""
    module, x = attention(d_k=4, d_v=3)
    h = torch.randn(3, 7, 6, dtype=torch.float64)
    y, α = module(x, h, h)
    for b in range(3):
        together = []
        for i in range(2):
            W_Q, W_K = (linear.weight[4 * i : 4 * i + 4] for linear in (module.W_Q, module.W_K))
            W_V = module.W_V.weight[3 * i : 3 * i + 3]
            rows = []
            for query in x[b]:
                e = torch.stack([(W_Q @ query).dot(W_K @ key) / math.sqrt(4) for key in h[b]])
                weights = e.exp() / e.exp().sum()
                rows.append(sum(weight * (W_V @ value) for weight, value in zip(weights, h[b], strict=True)))
            together.append(torch.stack(rows))
        torch.testing.assert_close(y[b], torch.cat(together, 1) @ module.W_O.weight.t())
    torch.testing.assert_close(α.sum(3), torch.ones(3, 2, 5, dtype=torch.float64))


def test_the_output_is_the_sum_of_what_each_head_adds_and_one_can_be_left_out():
    module, x = attention(heads=3)
    y, _ = module(x, x, x)
    alone = []
    for others in ([1, 2], [0, 2], [0, 1]):
        with without_heads(module, others):
            alone.append(module(x, x, x)[0])
    torch.testing.assert_close(sum(alone), y)
    with without_heads(module, [1]):
        torch.testing.assert_close(module(x, x, x)[0], alone[0] + alone[2])
    assert torch.equal(module(x, x, x)[0], y) and alone[1].any()
    with pytest.raises(ValueError, match=r"heads must lie in 0..2, got \[3\]"), without_heads(module, [3]):
        pass


def test_gradients_are_right():
    module, x = attention(bias=True, d_v=2)
    x = x[1:, :3].clone().requires_grad_()
    mask = causal_and_padding(WORDS[1:, :3])
    parameters = dict(module.named_parameters())

    def attend(x, *values):
        return torch.func.functional_call(module, dict(zip(parameters, values, strict=True)), (x, x, x, mask))[0]

    assert torch.autograd.gradcheck(attend, (x, *parameters.values()), fast_mode=True)


@pytest.mark.parametrize("fused", [False, True])
@settings(max_examples=15)
@given(st.permutations(range(5)), st.integers(1, 5))
def test_keys_have_no_order_and_padding_counts_for_nothing(fused, order, real):
    module, x = attention(fused=fused)
    mask = torch.arange(5) < real
    y, _ = module(x, x, x, padding(mask.expand(3, 5)))
    mixed, _ = module(x, x[:, order], x[:, order], padding(mask[order].expand(3, 5)))
    alone, _ = module(x[:1], x[:1, :real], x[:1, :real])
    torch.testing.assert_close((mixed, alone), (y, y[:1]))


@pytest.mark.parametrize("fused", [False, True])
def test_a_causal_query_does_not_see_what_follows(fused):
    module, x = attention(fused=fused)
    changed = torch.cat([x[:, :3], torch.randn(3, 2, 6, dtype=torch.float64)], dim=1)
    one, other = (module(each, each, each, causal(5))[0] for each in (x, changed))
    torch.testing.assert_close(one[:, :3], other[:, :3])
    assert not torch.allclose(one[:, 3:], other[:, 3:])


@pytest.mark.parametrize("fused", [False, True])
def test_half_precision_gives_what_single_precision_gives_to_its_own_precision(fused):
    module, x = attention(torch.float32, fused=fused)
    with torch.autocast("cpu", torch.bfloat16):
        y, _ = module(x, x, x, MASKS["both"])
    assert y.dtype == torch.bfloat16 and not y[2].any()
    torch.testing.assert_close(y.float(), module(x, x, x, MASKS["both"])[0], rtol=0.05, atol=0.05)


def test_sizes_that_do_not_fit_are_named():
    for make, message in [
        (lambda: MultiHeadAttention(6, 4), r"d_model must be a multiple of heads \(4\) where d_k is not given, got 6"),
        (lambda: MultiHeadAttention(6, 0), "heads must be at least 1, got 0"),
        (lambda: MultiHeadAttention(6, 4, d_k=0), "d_k must be at least 1, got 0"),
    ]:
        with pytest.raises(ValueError, match=message):
            make()


@pytest.mark.parametrize("fused", [True, False])
def test_keys_of_another_width_than_the_queries_are_named(fused, monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)  # it would speak first
    with pytest.raises(ValueError, match="K must be 3 wide, as Q, got 2"):
        ScaledDotProduct(fused)(torch.ones(1, 3), torch.ones(1, 2), torch.ones(1, 2))
