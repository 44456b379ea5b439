"""The risk over a few candidates: its definition, its gradient, and what α does."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from course_lib.systems.minimum_risk import candidates, renormalised, risk, risk_gradient


def drawn(seed, n=3, k=5):
    generator = torch.Generator().manual_seed(seed)
    log_probs = -10 * torch.rand(n, k, dtype=torch.float64, generator=generator)
    costs = torch.rand(n, k, dtype=torch.float64, generator=generator)
    mask = torch.rand(n, k, generator=generator) < 0.7
    mask[:, 0] = True
    return log_probs, costs, mask


@given(st.integers(0, 10_000), st.floats(0.005, 3))
def test_the_closed_gradient_is_autograds_and_sums_to_0(seed, alpha):
    log_probs, costs, mask = drawn(seed)
    free = log_probs.clone().requires_grad_()
    risk(free, costs, mask, alpha).sum().backward()
    found = risk_gradient(log_probs, costs, mask, alpha)
    torch.testing.assert_close(free.grad, found)
    torch.testing.assert_close(found.sum(1), torch.zeros(3, dtype=torch.float64))
    assert not found[~mask].any()


@given(st.integers(0, 10_000), st.floats(0.005, 2))
def test_q_is_p_to_the_alpha_over_the_sum_of_the_set(seed, alpha):
    log_probs, _, mask = drawn(seed)
    weights = log_probs.exp() ** alpha * mask
    torch.testing.assert_close(renormalised(log_probs, mask, alpha), weights / weights.sum(1, keepdim=True))


@given(st.integers(0, 10_000), st.integers(1, 4))
def test_what_pads_a_set_counts_for_nothing(seed, more):
    log_probs, costs, mask = drawn(seed)
    pad = torch.full((3, more), 7.0, dtype=torch.float64)
    wider = risk(
        torch.cat([log_probs, pad], 1), torch.cat([costs, pad * torch.nan], 1), torch.cat([mask, pad < 0], 1), 0.5
    )
    torch.testing.assert_close(wider, risk(log_probs, costs, mask, 0.5))


def test_a_small_alpha_makes_all_candidates_equal_and_a_large_one_leaves_the_best():
    log_probs, costs, _ = drawn(1)
    mask = torch.ones_like(costs, dtype=torch.bool)
    torch.testing.assert_close(risk(log_probs, costs, mask, 1e-9), costs.mean(1))
    best = costs.gather(1, log_probs.argmax(1, keepdim=True))[:, 0]
    torch.testing.assert_close(risk(log_probs, costs, mask, 1e4), best)


def test_over_all_outputs_with_alpha_1_it_is_the_expected_cost():
    p = torch.tensor([[0.5, 0.3, 0.2]], dtype=torch.float64)
    costs = torch.tensor([[0.0, 0.5, 1.0]], dtype=torch.float64)
    assert float(risk(p.log(), costs, p > 0, 1.0)) == pytest.approx(0.35)


def test_a_constant_cost_teaches_nothing():
    log_probs, costs, mask = drawn(2)
    assert float(risk_gradient(log_probs, torch.ones_like(costs), mask, 1.0).abs().max()) < 1e-12


def test_a_set_holds_each_candidate_once_and_the_reference_only_where_asked():
    samples = [(4, 5), (6,), (4, 5), ()]
    assert candidates(samples) == [(4, 5), (6,), ()]
    assert candidates(samples, reference=[6]) == [(6,), (4, 5), ()]
    assert candidates([], reference=(7, 8)) == [(7, 8)]


def test_what_is_wrong_is_named():
    log_probs, costs, mask = drawn(3)
    with pytest.raises(ValueError, match="alpha must be above 0, got 0"):
        risk(log_probs, costs, mask, 0.0)
    with pytest.raises(ValueError, match="mask must be True for at least one candidate of each sentence"):
        risk(log_probs, costs, mask & (costs > 2), 1.0)
