"""Adam as equations: torch's Adam step by step, by hand, and one goes on with the other's state."""

import copy

import pytest
import torch
from torch import nn

from course_lib.training.adam import Adam

SETTINGS = [{}, {"lr": 0.1, "betas": (0.9, 0.98), "eps": 1e-9}, {"lr": 0.05, "betas": (0.0, 0.5), "eps": 1.0}]


def two_layers():
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2)).double()


def steps(model, optimizer, numbers):
    """A step for each of the numbers: inputs are drawn by it."""
    for number in numbers:
        x = torch.randn(5, 3, generator=torch.Generator().manual_seed(number)).double()
        optimizer.zero_grad()
        (model(x).square().sum() * (number + 1)).backward()
        optimizer.step()


def same(one, other):
    for ours, theirs in zip(one.parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(ours, theirs)


@pytest.mark.parametrize("settings", SETTINGS)
def test_it_is_torchs_and_each_goes_on_with_the_others_state(settings):
    models = [two_layers() for _ in range(2)]
    ours, theirs = Adam(models[0].parameters(), **settings), torch.optim.Adam(models[1].parameters(), **settings)
    steps(models[0], ours, range(4))
    steps(models[1], theirs, range(4))
    same(*models)
    assert not torch.allclose(models[0][0].weight, two_layers()[0].weight)
    states = [copy.deepcopy(each.state_dict()["state"]) for each in (ours, theirs)]
    ours.load_state_dict({**ours.state_dict(), "state": states[1]})
    theirs.load_state_dict({**theirs.state_dict(), "state": states[0]})
    steps(models[0], ours, range(4, 7))
    steps(models[1], theirs, range(4, 7))
    same(*models)


def test_the_first_step_has_the_length_of_the_learning_rate_whatever_the_gradient():
    """m̂ = g and v̂ = g²: without the correction it would be (1 − β_1) / √(1 − β_2) of that."""
    for gradient in (1e-3, -7.0, 1e4):
        θ = nn.Parameter(torch.tensor([2.0], dtype=torch.float64))
        θ.grad = torch.full_like(θ, gradient)
        Adam([θ], lr=0.01, eps=0.0).step()
        assert θ.item() == pytest.approx(2.0 - 0.01 * (1 if gradient > 0 else -1), abs=1e-12)


def test_what_has_no_gradient_stays_and_a_closure_gives_its_loss():
    a, b = nn.Parameter(torch.ones(2)), nn.Parameter(torch.ones(2))
    optimizer = Adam([a, b], lr=0.1)

    def closure():
        loss = a.square().sum()
        loss.backward()
        return loss

    assert optimizer.step(closure).item() == 2 and optimizer.step() is None
    assert torch.equal(b, torch.ones(2)) and not optimizer.state[b] and (a < 1).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"lr": -1.0}, "lr and eps must be at least 0, got lr=-1.0"),
        ({"betas": (0.9, 1.0)}, r"betas must lie in \[0, 1\), got \(0.9, 1.0\)"),
    ],
)
def test_settings_outside_their_range_are_refused(settings, message):
    with pytest.raises(ValueError, match=message):
        Adam([nn.Parameter(torch.zeros(1))], **settings)
