"""The loss of a translation model, plain and smoothed, against torch's and against what can be computed by hand."""

import math

import pytest
import torch
from torch.nn import functional as F

from course_lib.training.losses import cross_entropy

both = pytest.mark.parametrize("fused", [False, True], ids=["equations", "fused"])


@both
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
def test_the_loss_is_torchs_over_the_words_that_are_there(dtype, fused):
    torch.manual_seed(0)
    z, y = torch.randn(3, 4, 7, dtype=dtype).requires_grad_(), torch.randint(7, (3, 4))
    mask = torch.arange(4) < torch.tensor([4, 1, 2])[:, None]
    exact = z.to(torch.promote_types(dtype, torch.float32))
    ignoring = {"ignore_index": -1, "target": y.where(mask, -1).flatten(), "input": exact.flatten(0, 1)}
    total, mean = (F.cross_entropy(**ignoring, reduction=reduction) for reduction in ("sum", "mean"))
    torch.testing.assert_close(cross_entropy(z, y, mask, "sum", fused=fused), total)
    torch.testing.assert_close(cross_entropy(z, y, mask, fused=fused), mean)
    torch.testing.assert_close(cross_entropy(z, y, mask, unit="bits", fused=fused) * math.log(2), mean)
    (gradient,) = torch.autograd.grad(cross_entropy(z, y, mask, fused=fused), z)
    assert not gradient[~mask].any() and gradient[mask].any(1).all()


@both
def test_guessing_among_eight_words_costs_three_bits(fused):
    inputs = torch.zeros(1, 2, 8), torch.tensor([[3, 5]]), torch.tensor([[True, True]])
    assert cross_entropy(*inputs, unit="bits", fused=fused).item() == pytest.approx(3)
    assert cross_entropy(*inputs, "sum", "bits", fused=fused).item() == pytest.approx(6)


@both
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_what_stands_at_padding_does_not_matter_to_the_loss(smoothing, fused):
    z, y, mask = torch.randn(1, 3, 5), torch.tensor([[1, 2, 0]]), torch.tensor([[True, True, False]])
    expected = cross_entropy(z, y, mask, smoothing=smoothing, fused=fused)
    z[0, 2], y[0, 2] = math.nan, -100
    assert cross_entropy(z, y, mask, smoothing=smoothing, fused=fused) == expected


@both
def test_a_loss_that_makes_no_sense_is_refused(fused):
    z, y, none = torch.zeros(1, 1, 5), torch.zeros(1, 1, dtype=torch.long), torch.tensor([[False]])
    assert cross_entropy(z, y, none, "sum", fused=fused) == 0
    for arguments, message in [
        ((z, y, none), "target_mask must be True somewhere for a mean"),
        ((z, y, ~none, "none"), 'reduction must be "sum" or "mean", got \'none\''),
        ((z, y, ~none, "mean", "hartleys"), 'unit must be "nats" or "bits"'),
    ]:
        with pytest.raises(ValueError, match=message):
            cross_entropy(*arguments, fused=fused)


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("reduction", ["sum", "mean"])
@pytest.mark.parametrize(
    ("dtype", "lengths", "words"),
    [
        (torch.float64, [4, 1, 2], 7),
        (torch.float32, [4, 1, 2], 7),
        (torch.bfloat16, [4, 1, 2], 7),
        (torch.float64, [4, 4], 7),  # no padding
        (torch.float64, [4, 0, 2], 7),  # an empty sentence
        (torch.float64, [1, 0], 7),  # one word
        (torch.float64, [4, 1], 1),  # a vocabulary of one
    ],
)
def test_equations_and_kernel_are_equal_forward_and_backward(dtype, lengths, words, reduction, smoothing):
    torch.manual_seed(0)
    z, y = 5 * torch.randn(len(lengths), 4, words, dtype=dtype), torch.randint(words, (len(lengths), 4))
    z.requires_grad_()
    mask = torch.arange(4) < torch.tensor(lengths)[:, None]
    losses = [cross_entropy(z, y, mask, reduction, smoothing=smoothing, fused=fused) for fused in (False, True)]
    assert losses[0].dtype == losses[1].dtype == torch.promote_types(dtype, torch.float32)
    torch.testing.assert_close(*losses)
    gradients = [torch.autograd.grad(loss, z)[0] for loss in losses]
    torch.testing.assert_close(*gradients)
    assert not any(gradient[~mask].any() for gradient in gradients)


@both
@pytest.mark.parametrize("smoothing", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_a_smoothed_loss_is_torchs(reduction, smoothing, fused):
    torch.manual_seed(0)
    z, y = torch.randn(3, 4, 7, dtype=torch.float64).requires_grad_(), torch.randint(7, (3, 4))
    mask = torch.arange(4) < torch.tensor([4, 1, 2])[:, None]
    expected = F.cross_entropy(z[mask], y[mask], reduction=reduction, label_smoothing=smoothing)
    ours = cross_entropy(z, y, mask, reduction, smoothing=smoothing, fused=fused)
    torch.testing.assert_close(ours, expected)
    gradients = [torch.autograd.grad(loss, z)[0] for loss in (ours, expected)]
    torch.testing.assert_close(*gradients)
    assert not gradients[0][~mask].any()


@both
def test_fused_runs_torchs_kernel_and_the_equations_do_not(fused):
    z, y, mask = torch.zeros(1, 2, 5), torch.tensor([[1, 2]]), torch.tensor([[True, True]])
    with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as profile:
        cross_entropy(z, y, mask, smoothing=0.1, fused=fused)
    assert ("aten::cross_entropy_loss" in {event.key for event in profile.key_averages()}) == fused


def test_a_smoothed_loss_is_least_where_p_is_the_smoothed_target():
    """Then it is q's entropy: 0 cannot be reached, and to be surer of the word costs more."""
    q = torch.full((1, 1, 5), 0.1 / 5)
    q[..., 2] += 0.9
    y, mask = torch.tensor([[2]]), torch.tensor([[True]])
    least = cross_entropy(q.log(), y, mask, smoothing=0.1)
    torch.testing.assert_close(least, -(q * q.log()).sum())
    surer = q.log().clone()
    surer[..., 2] += 2
    assert cross_entropy(surer, y, mask, smoothing=0.1) > least > cross_entropy(surer, y, mask)
    with pytest.raises(ValueError, match=r"smoothing must lie in \[0, 1\], got -0.1"):
        cross_entropy(q, y, mask, smoothing=-0.1)
