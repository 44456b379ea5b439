"""REINFORCE's estimate beside the exact gradient of a model whose outputs can all be listed."""

from itertools import product

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from course_lib.systems.reinforce import BASELINES, advantages, reinforce_loss
from course_lib.systems.rewards import smoothed_bleu
from course_lib.systems.table_model import (
    OutputTable,
    compare_baselines,
    estimates,
    exact_gradient,
    expected_reward,
)


@pytest.fixture(scope="module")
def model():
    return OutputTable(["a", "b", "c"], 3, seed=1)


@pytest.fixture(scope="module")
def rewards(model):
    return model.rewards(smoothed_bleu, ("a", "b", "c"))


def test_the_table_lists_every_output_once_and_is_a_distribution(model):
    assert len(model.outputs) == len(set(model.outputs)) == 1 + 3 + 9 + 27
    assert model().exp().sum().item() == pytest.approx(1)


def test_a_probability_is_the_product_of_the_steps():
    model = OutputTable(["a", "b"], 2, seed=3)
    p = model.logits.softmax(1)
    found = dict(zip(model.outputs, model().exp().tolist(), strict=True))
    begin, after_a = p[model.rows[()]], p[model.rows[("a",)]]
    assert found[()] == pytest.approx(float(begin[2]))
    assert found["a",] == pytest.approx(float(begin[0] * after_a[2]))
    assert found["a", "b"] == pytest.approx(float(begin[0] * after_a[1]))  # then the end is certain


def test_the_score_function_is_the_derivative_of_log_p(model):
    jacobian = torch.autograd.functional.jacobian(
        lambda logits: torch.func.functional_call(model, {"logits": logits}, ()), model.logits.detach()
    )
    torch.testing.assert_close(model.scores(), jacobian.flatten(1))
    assert float((model().exp() @ model.scores()).abs().max()) < 1e-12  # E[∇ log p] = 0: why b may be any number


def test_the_exact_gradient_is_the_slope_of_the_expected_reward(model, rewards):
    g, step = exact_gradient(model, rewards), 1e-5
    for place in (0, 5, 17):
        moved = [model.logits.detach().flatten().clone() for _ in range(2)]
        moved[0][place] += step
        moved[1][place] -= step
        up, down = (
            torch.func.functional_call(model, {"logits": each.view_as(model.logits)}, ()).exp() @ rewards
            for each in moved
        )
        assert float(g[place]) == pytest.approx(float(up - down) / (2 * step), abs=1e-8)


def expectation(model, rewards, baseline, m):
    """The exact mean of the estimate: over all m-tuples of outputs."""
    p, scores, total = model().exp().detach(), model.scores(), 0
    greedy = rewards[model.greedy()][None]
    for drawn in product(range(len(p)), repeat=m):
        drawn = torch.tensor(drawn)
        weights = advantages(rewards[drawn][None], baseline, constant=0.3, greedy=greedy)[0]
        total = total + p[drawn].prod() * (weights @ scores[drawn]) / m
    return total


@pytest.mark.parametrize("baseline", BASELINES)
@pytest.mark.parametrize("m", [2, 3])
def test_every_baseline_but_one_leaves_the_mean_as_it_is_and_that_one_shrinks_it(baseline, m):
    model = OutputTable(["a", "b"], 2, seed=4)
    rewards = model.rewards(smoothed_bleu, ("a", "b"))
    factor = 1 - 1 / m if baseline == "mean" else 1
    torch.testing.assert_close(expectation(model, rewards, baseline, m), factor * exact_gradient(model, rewards))


@pytest.mark.parametrize("baseline", BASELINES)
def test_samples_agree_with_the_exact_gradient_within_their_own_error(model, rewards, baseline):
    made = estimates(model, rewards, baseline, samples=5, trials=20_000, seed=7)
    expected = exact_gradient(model, rewards) * (0.8 if baseline == "mean" else 1)
    error = (made.var(0) / len(made)).sqrt()
    seen = error > 0
    assert seen.sum() > 20
    assert float(((made.mean(0) - expected)[seen] / error[seen]).abs().max()) < 5


def test_good_baselines_lower_the_variance_and_the_quality_says_so(model, rewards):
    found = {each.baseline: each for each in compare_baselines(model, rewards, samples=5, trials=5000)}
    assert found["constant"].variance < found["others"].variance < 0.6 * found["none"].variance
    assert found["mean"].variance == pytest.approx(found["others"].variance * 0.8**2, rel=1e-6)
    assert found["mean"].length == pytest.approx(0.8, abs=0.05)
    assert all(each.bias < 3 * each.chance for name, each in found.items() if name != "mean")
    assert found["mean"].bias == pytest.approx(0.2, abs=0.05) and found["mean"].bias > 5 * found["mean"].chance


def test_a_constant_reward_has_no_gradient_and_its_estimate_without_baseline_is_noise(model):
    same = torch.ones(len(model.outputs), dtype=torch.float64)
    assert float(exact_gradient(model, same).abs().max()) < 1e-12
    assert float(estimates(model, same, "others", 5, 100).abs().max()) < 1e-12
    assert float(estimates(model, same, "none", 5, 100).abs().max()) > 0.1


@given(st.integers(0, 1000), st.integers(2, 6))
@settings(deadline=None)
def test_the_loss_has_the_gradient_of_the_estimate(seed, m):
    model = OutputTable(["a", "b"], 2, seed=seed)
    generator = torch.Generator().manual_seed(seed)
    rewards = torch.rand(len(model.outputs), dtype=torch.float64, generator=generator)
    drawn = torch.randint(len(rewards), (1, m), generator=generator)
    weights = advantages(rewards[drawn], "others")
    reinforce_loss(model()[drawn], weights).backward()
    torch.testing.assert_close(model.logits.grad.flatten(), -(weights[0] @ model.scores()[drawn[0]]) / m)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=6))
def test_the_mean_of_all_is_the_mean_of_the_others_shrunk(rewards):
    R = torch.tensor([rewards], dtype=torch.float64)
    torch.testing.assert_close(advantages(R, "mean"), (1 - 1 / len(rewards)) * advantages(R, "others"))


def test_greedy_takes_the_likeliest_word_at_every_step():
    model = OutputTable(["a", "b"], 2)
    with torch.no_grad():
        model.logits.zero_()
        model.logits[model.rows[()], 1] = 3
        model.logits[model.rows[("b",)], 2] = 3
    assert model.outputs[model.greedy()] == ("b",)
    with torch.no_grad():
        model.logits[model.rows[("b",)], 0] = 4
    assert model.outputs[model.greedy()] == ("b", "a")


def test_what_is_wrong_is_named():
    R = torch.rand(2, 3)
    with pytest.raises(ValueError, match="baseline must be one of none, .*, got 'best'"):
        advantages(R, "best")
    with pytest.raises(ValueError, match="baseline 'others' needs at least 2 samples of a sentence, got 1"):
        advantages(R[:, :1], "others")
    with pytest.raises(ValueError, match="baseline 'greedy' needs the argument greedy, got None"):
        advantages(R, "greedy")
    with pytest.raises(ValueError, match="max_length must be at least 1, got 0"):
        OutputTable(["a"], 0)
    with pytest.raises(ValueError, match="words must be 1 or more, with at most 10000 outputs, got 30 words"):
        OutputTable([str(k) for k in range(30)], 3)


def test_training_by_the_estimate_raises_the_expected_reward(rewards):
    model = OutputTable(["a", "b", "c"], 3, seed=1)
    before = float(expected_reward(model, rewards))
    for step in range(60):
        with torch.no_grad():
            model.logits += 0.5 * estimates(model, rewards, "others", 5, 1, seed=step)[0].view_as(model.logits)
    assert float(expected_reward(model, rewards)) > before + 0.1
