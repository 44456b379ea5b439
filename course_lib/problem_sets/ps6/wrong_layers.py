"""The parts of a layer beside attention: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.problem_sets.ps6.layers import Weights

Norm = Callable[[Tensor, Tensor, Tensor], Tensor]  # x, gamma, beta
ε = 1e-5


def norm(
    x: Tensor,
    gamma: Tensor,
    beta: Tensor,
    axis: int | tuple[int, ...] = -1,
    deviation: Callable[[Tensor], Tensor] = lambda variance: (variance + ε).sqrt(),
    unbiased: bool = False,
) -> Tensor:
    """γ (x − μ) / √(σ² + ε) + β"""
    variance = x.var(axis, keepdim=True, correction=int(unbiased))
    return gamma * (x - x.mean(axis, keepdim=True)) / deviation(variance) + beta


def over_the_words(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(x, gamma, beta, axis=1)


def unbiased(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(x, gamma, beta, unbiased=True)


def outside_the_root(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(x, gamma, beta, deviation=lambda variance: variance.sqrt() + ε)


def unbiased_outside(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(x, gamma, beta, deviation=lambda variance: variance.sqrt() + ε, unbiased=True)


def without_gamma(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(x, torch.ones_like(gamma), beta)


def without_beta(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(x, gamma, torch.zeros_like(beta))


def without_epsilon(x: Tensor, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(x, gamma, beta, deviation=lambda variance: variance.sqrt())


def network(x: Tensor, weights: Weights) -> Tensor:
    """max(0, x W_1 + b_1) W_2 + b_2"""
    return (x @ weights["W_1"] + weights["b_1"]).relu() @ weights["W_2"] + weights["b_2"]


def without_relu(x: Tensor, weights: Weights) -> Tensor:
    return (x @ weights["W_1"] + weights["b_1"]) @ weights["W_2"] + weights["b_2"]


def relu_last(x: Tensor, weights: Weights) -> Tensor:
    return without_relu(x, weights).relu()


def around(x: Tensor, y: Tensor, norm: Norm, gamma: Tensor, beta: Tensor) -> Tensor:
    """Post-norm: LayerNorm(x + f(x))."""
    return norm(x + y, gamma, beta)


def without_residual(x: Tensor, y: Tensor, norm: Norm, gamma: Tensor, beta: Tensor) -> Tensor:
    return norm(y, gamma, beta)


def norm_within(x: Tensor, y: Tensor, norm: Norm, gamma: Tensor, beta: Tensor) -> Tensor:
    return x + norm(y, gamma, beta)
