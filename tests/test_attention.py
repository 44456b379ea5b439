"""Scores, weights and context: against loops over single words, against torch, gradients, masks, half precision."""

import math

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from course_lib.attention import Additive, Dot, Multiplicative, ScaledDot, context, masked_softmax

SCORES = {
    "dot": Dot,
    "scaled dot": ScaledDot,
    "multiplicative": lambda: Multiplicative(3, 3),
    "multiplicative, other widths": lambda: Multiplicative(3, 5),
    "additive": lambda: Additive(3, 5, 4),
    "additive, bias": lambda: Additive(3, 5, 4, bias=True),
}
every_score = pytest.mark.parametrize("name", SCORES)


def made(name, dtype=torch.float64):
    """A score, states s (2 sentences, 4 queries) and h (5 keys)."""
    torch.manual_seed(0)
    score = SCORES[name]().to(dtype)
    width = 5 if "other" in name or "additive" in name else 3
    return score, torch.randn(2, 4, 3, dtype=dtype), torch.randn(2, 5, width, dtype=dtype)


def one_score(score, s, h):
    """The formula for one s_i and one h_j, number by number."""
    if isinstance(score, Multiplicative):
        return sum(s[a] * score.W[a, b] * h[b] for a in range(len(s)) for b in range(len(h)))
    if isinstance(score, Additive):
        W_1, W_2, total = score.W_1.weight, score.W_2.weight, 0.0
        for k in range(len(score.v)):
            inner = sum(W_1[k, b] * h[b] for b in range(len(h))) + sum(W_2[k, a] * s[a] for a in range(len(s)))
            inner = inner + (0.0 if score.W_1.bias is None else score.W_1.bias[k])
            total = total + score.v[k] * torch.tanh(inner)
        return total
    product = sum(a * b for a, b in zip(s, h, strict=True))
    return product / len(s) ** 0.5 if isinstance(score, ScaledDot) else product


@every_score
def test_a_score_is_its_formula_for_each_pair_of_words(name):
    score, s, h = made(name)
    expected = torch.empty(2, 4, 5, dtype=torch.float64)
    with torch.no_grad():
        for b, i, j in torch.cartesian_prod(*map(torch.arange, expected.shape)).tolist():
            expected[b, i, j] = one_score(score, s[b, i], h[b, j])
        torch.testing.assert_close(score(s, h), expected)
        torch.testing.assert_close(score.compare(s, score.project(h)), expected)
        torch.testing.assert_close(score(s[0], h[0]), expected[0])  # without a batch


@every_score
def test_gradients_of_the_context_are_right(name):
    score, s, h = made(name)
    mask = torch.tensor([[True, True, False, True, False], [False] * 5])[:, None]
    s, h = s[:, :2].clone().requires_grad_(), h.clone().requires_grad_()
    parameters = dict(score.named_parameters())

    def attend(s, h, *values):
        e = torch.func.functional_call(score, dict(zip(parameters, values, strict=True)), (s, h))
        return context(masked_softmax(e, mask), h)

    assert torch.autograd.gradcheck(attend, (s, h, *parameters.values()))


def test_weights_and_context_are_sums_over_the_words_that_are_there():
    torch.manual_seed(0)
    e, h = torch.randn(2, 3, 4), torch.randn(2, 4, 5)
    mask = torch.tensor([[True, True, False, True], [False, False, True, False]])
    α = masked_softmax(e, mask[:, None])
    c = context(α, h)
    for b in range(2):
        there = mask[b].nonzero().flatten().tolist()
        for i in range(3):
            total = sum(math.exp(e[b, i, j]) for j in there)
            weights = [math.exp(e[b, i, j]) / total if j in there else 0.0 for j in range(4)]
            torch.testing.assert_close(α[b, i], torch.tensor(weights))
            torch.testing.assert_close(c[b, i], sum(w * h[b, j] for j, w in enumerate(weights)))
    torch.testing.assert_close(masked_softmax(e), masked_softmax(e, torch.ones(2, 1, 4, dtype=torch.bool)))


@pytest.mark.parametrize("garbage", [1e30, -1e30, math.inf, -math.inf, math.nan])
def test_what_is_scored_at_padding_does_not_matter(garbage):
    e, mask = torch.tensor([[0.5, garbage, -2.0]]), torch.tensor([[True, False, True]])
    e.requires_grad_()
    α = masked_softmax(e, mask)
    torch.testing.assert_close(α[0, [0, 2]], torch.tensor([0.5, -2.0]).softmax(0))
    (gradient,) = torch.autograd.grad(α[0, 0], e)
    assert α[0, 1] == 0 and gradient[0, 1] == 0 and gradient.isfinite().all() and gradient[0, 0] > 0


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.float16])
def test_a_query_with_nothing_to_attend_to_gets_zeros_and_a_zero_gradient(dtype):
    e = torch.randn(1, 2, 3).to(dtype).requires_grad_()
    mask = torch.tensor([[[True, False, True], [False, False, False]]])
    α = masked_softmax(e, mask)
    α.square().sum().backward()
    assert α.dtype == dtype and not α[0, 1].any() and not e.grad[0, 1].any()
    assert α[0, 0, 0] > 0 and e.grad[0, 0].any() and e.grad.isfinite().all()


@pytest.mark.parametrize("shape", [(2, 4, 5), (2, 3, 4, 5)])
def test_scaled_dot_is_torchs_scaled_dot_product_attention(shape):
    """Also where a query may attend to nothing, and with heads."""
    torch.manual_seed(0)
    *batch, queries, keys = shape
    Q, K, V = torch.randn(*batch, queries, 6), torch.randn(*batch, keys, 6), torch.randn(*batch, keys, 7)
    mask = torch.rand(shape) < 0.6
    mask[..., 0, :] = False
    ours = context(masked_softmax(ScaledDot()(Q, K), mask), V)
    torch.testing.assert_close(ours, scaled_dot_product_attention(Q, K, V, mask))


def test_multiplicative_is_one_head_of_torchs_multihead_attention():
    """Its scores (W_q s)^⊤ (W_k h) / √d are s^⊤ W h with W = W_q^⊤ W_k / √d."""
    torch.manual_seed(0)
    theirs = nn.MultiheadAttention(6, 1, bias=False, batch_first=True)
    W_q, W_k, W_v = theirs.in_proj_weight.detach().chunk(3)
    ours = Multiplicative(6, 6)
    ours.W.data = W_q.t() @ W_k / math.sqrt(6)
    s, h, mask = torch.randn(2, 4, 6), torch.randn(2, 5, 6), torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    expected, weights = theirs(s, h, h, key_padding_mask=~mask)
    α = masked_softmax(ours(s, h), mask[:, None])
    torch.testing.assert_close(α, weights)
    torch.testing.assert_close(context(α, h) @ W_v.t() @ theirs.out_proj.weight.t(), expected)


@every_score
def test_attention_is_the_same_in_any_order_of_the_words_and_in_any_batch(name):
    score, s, h = made(name)
    mask = torch.tensor([[True] * 3 + [False] * 2, [True] * 5])
    c = context(masked_softmax(score(s, h), mask[:, None]), h)
    order = torch.tensor([4, 2, 0, 3, 1])
    mixed = context(masked_softmax(score(s, h[:, order]), mask[:, None, order]), h[:, order])
    torch.testing.assert_close(mixed, c)
    torch.testing.assert_close(context(masked_softmax(score(s[:1], h[:1, :3])), h[:1, :3]), c[:1])


@every_score
def test_half_precision_gives_what_single_precision_gives_to_its_own_precision(name):
    score, s, h = made(name, torch.float32)
    mask = torch.tensor([True] * 3 + [False] * 2).expand(2, 1, 5)

    def attend():
        α = masked_softmax(score(s, h), mask)
        return α, context(α, h)

    with torch.autocast("cpu", torch.bfloat16):
        α, c = attend()
    assert c.dtype == torch.bfloat16 and not α[..., 3:].any()
    torch.testing.assert_close((α.float(), c.float()), attend(), rtol=0.05, atol=0.05)


def test_widths_that_do_not_fit_are_named():
    with pytest.raises(ValueError, match="h must be 3 wide for a dot product, as s, got 5"):
        Dot()(torch.zeros(1, 3), torch.zeros(2, 5))
    with pytest.raises(ValueError, match="key_size must be at least 1, got 0"):
        Multiplicative(2, 0)
    with pytest.raises(ValueError, match="hidden_size must be at least 1, got -1"):
        Additive(2, 2, -1)
