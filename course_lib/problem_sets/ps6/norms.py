"""Layer norm, and the mistakes of whoever writes one, for each task in which it is written."""

from collections.abc import Callable
from dataclasses import replace

import torch

from course_lib.grading.declare import mistake, mistakes_of, versions
from course_lib.grading.task import Misconception

ε = 1e-5


def within(variance):
    return (variance + ε).sqrt()


def outside(variance):
    return variance.sqrt() + ε


def norm(x, gamma, beta, axis=-1, deviation=within, correction=0):
    """γ (x − μ) / √(σ² + ε) + β"""
    variance = x.var(axis, keepdim=True, correction=correction)
    return gamma * (x - x.mean(axis, keepdim=True)) / deviation(variance) + beta


# Mistakes

wrong = versions(norm)
norm_over_the_words = wrong("norm", axis=1)(
    "Your mean and variance run over the words. Each word's own d_model numbers are normed: the last axis."
)
variance_divided_by_d_minus_1 = wrong("norm", correction=1)(
    "Your variance is divided by d_model − 1, as torch's var and std do unless told otherwise. It is the mean of the "
    "squares: correction=0."
)
std_of_torch_plus_ε = wrong("norm", deviation=outside, correction=1)(
    "You divide by torch's std, plus ε. It divides the squares by d_model − 1 unless told otherwise, and ε is added to "
    "the variance, within the root: √(σ² + ε)."
)
ε_outside_the_root = wrong("small", deviation=outside)(
    "You add ε to the root. It is added to the variance, within the root: √(σ² + ε)."
)
no_ε = wrong("small", deviation=torch.sqrt)(
    "You add no ε to the variance, or one far too small: √(σ² + ε), with ε = 10⁻⁵."
)


@mistake("norm")
def γ_left_out(x, gamma, beta):
    """Your norm leaves out γ: each number is multiplied by its γ, then its β is added."""
    return norm(x, torch.ones_like(gamma), beta)


@mistake("norm")
def β_left_out(x, gamma, beta):
    """Your norm leaves out β: each number is multiplied by its γ, then its β is added."""
    return norm(x, gamma, torch.zeros_like(beta))


@mistake("gradient")
def mean_and_variance_cut_off_from_the_gradient(x, gamma, beta):
    """No gradient passes through your mean and variance: is there a detach, or no_grad?"""
    deviation = within(x.var(-1, keepdim=True, correction=0))
    return gamma * (x - x.mean(-1, keepdim=True).detach()) / deviation.detach() + beta


def mistakes_of_norms(exchanged: Callable[[Callable], Callable], **criteria: str) -> tuple[Misconception, ...]:
    """The mistakes above in a task: `exchanged(norm)` is its function with that norm in place of the right one.

    `criteria` are the names of the task's, where they are others: `norm`, and `small` for what is wrong with ε alone.
    """
    return tuple(
        replace(each, function=exchanged(each.function), caught_by=criteria.get(each.caught_by, each.caught_by))
        for each in mistakes_of(globals())
    )
