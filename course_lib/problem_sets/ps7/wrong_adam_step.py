"""A step of Adam as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.cases.numbers import converted

Weights = dict[str, Tensor]
State = dict[str, dict[str, Any]]  # of a weight: "t" int, "m" and "v" tensors
Updated = tuple[Weights, State]


def mean(old: Tensor, beta: float, new: Tensor) -> Tensor:
    """β · old + (1 − β) · new."""
    return beta * old + (1 - beta) * new


def corrected(each: Tensor, beta: float, t: int) -> Tensor:
    return each / (1 - beta**t)


def divide(m: Tensor, v: Tensor, eps: float) -> Tensor:
    """m̂ / (√v̂ + ϵ)."""
    return m / (v.sqrt() + eps)


def move(
    θ: Tensor,
    g: Tensor,
    now: dict[str, Any],
    rate: float,
    betas: tuple[float, float],
    eps: float,
    first: Callable = mean,
    second: Callable = lambda v, beta, g, m: mean(v, beta, g**2),
    correct_m: Callable = corrected,
    correct_v: Callable = corrected,
    use: Callable[[Tensor, Tensor], Tensor] = lambda m, g: m,
    by: Callable[[Tensor, Tensor, float], Tensor] = divide,
    count: Callable[[int], int] = lambda t: t,
    sign: int = -1,
    keep_corrected: bool = False,
) -> tuple[Tensor, dict[str, Any]]:
    """A weight after the step, and its state."""
    t = now["t"] + 1
    m = first(now["m"], betas[0], g)
    v = second(now["v"], betas[1], g, m)
    m_hat, v_hat = correct_m(use(m, g), betas[0], count(t)), correct_v(v, betas[1], count(t))
    kept = {"t": t, "m": m_hat, "v": v_hat} if keep_corrected else {"t": t, "m": m, "v": v}
    return θ + sign * rate * by(m_hat, v_hat, eps), kept


def start(θ: Tensor, g: Tensor) -> dict[str, Any]:
    """The state before the first step."""
    return {"t": 0, "m": torch.zeros_like(θ), "v": torch.zeros_like(θ)}


def defined(
    weights: Weights,
    gradients: Weights,
    state: State,
    rate: float,
    betas: tuple[float, float],
    eps: float,
    started: Callable[[Tensor, Tensor], dict[str, Any]] = start,
    **instead: Any,
) -> Updated:
    moved, kept = dict(weights), dict(state)
    for name, g in gradients.items():
        now = state.get(name) or started(weights[name], g)
        moved[name], kept[name] = move(weights[name], g, now, rate, betas, eps, **instead)
    return moved, kept


def left(each: Tensor, beta: float, t: int) -> Tensor:
    """Not corrected."""
    return each


upwards = partial(defined, sign=1)
sign_of_the_gradient = partial(defined, first=lambda m, beta, g: beta * m - (1 - beta) * g)
not_corrected = partial(defined, correct_m=left, correct_v=left)
m_not_corrected = partial(defined, correct_m=left)
v_not_corrected = partial(defined, correct_v=left)
one_step_behind = partial(defined, count=lambda t: t - 1)
one_step_ahead = partial(defined, count=lambda t: t + 1)
product_for_power = partial(
    defined,
    correct_m=lambda m, beta, t: m / (1 - beta * t),
    correct_v=lambda v, beta, t: v / (1 - beta * t),
)
always_the_first_step = partial(defined, count=lambda t: 1)
multiplied = partial(
    defined, correct_m=lambda m, beta, t: m * (1 - beta**t), correct_v=lambda v, beta, t: v * (1 - beta**t)
)
corrected_ones_kept = partial(defined, keep_corrected=True)
shares_exchanged = partial(
    defined,
    first=lambda m, beta, g: mean(m, 1 - beta, g),
    second=lambda v, beta, g, m: mean(v, 1 - beta, g**2),
)
left_out_in_m = partial(defined, first=lambda m, beta, g: beta * m + g)
left_out_in_v = partial(defined, second=lambda v, beta, g, m: beta * v + g**2)
left_out_in_both = partial(left_out_in_m, second=left_out_in_v.keywords["second"])
mean_squared = partial(defined, second=lambda v, beta, g, m: mean(v, beta, m**2))
not_squared = partial(defined, second=lambda v, beta, g, m: mean(v, beta, g.abs()))
no_root = partial(defined, by=lambda m, v, eps: m / (v + eps))
eps_inside_the_root = partial(defined, by=lambda m, v, eps: m / (v + eps).sqrt())
eps_left_out = partial(defined, by=lambda m, v, eps: m / v.sqrt())
larger_of_root_and_eps = partial(defined, by=lambda m, v, eps: m / v.sqrt().clamp(min=eps))
gradient_for_m = partial(defined, use=lambda m, g: g, correct_m=left)
begun_with_the_gradient = partial(defined, started=lambda θ, g: {"t": 0, "m": g, "v": g**2})


def eps_before_the_correction(
    weights: Weights, gradients: Weights, state: State, rate: float, betas: tuple[float, float], eps: float
) -> Updated:
    """rate · √(1 − β_2^t) / (1 − β_1^t) · m / (√v + ϵ)."""
    _, kept = defined(weights, gradients, state, rate, betas, eps)
    moved = dict(weights)
    for name in gradients:
        t, m, v = (kept[name][key] for key in "tmv")
        moved[name] = weights[name] - rate * corrected(m, betas[0], t) * (1 - betas[1] ** t) ** 0.5 / (v.sqrt() + eps)
    return moved, kept


def betas_exchanged(weights: Weights, gradients: Weights, state: State, rate: float, betas: tuple, eps: float):
    return defined(weights, gradients, state, rate, betas[::-1], eps)


def oldest_age_for_all(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    """The t of the oldest for each; a weight without a gradient keeps its own."""
    moved, kept = one_age_for_all(weights, gradients, state, *settings)
    return moved, kept | {name: now for name, now in state.items() if name not in gradients}


def one_age_for_all(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    """The steps of the run counted, not those of each weight."""
    oldest = max((now["t"] for now in state.values()), default=0)
    zero = {name: start(θ, θ) for name, θ in weights.items()}
    aged = {name: (state.get(name) or zero[name]) | {"t": oldest} for name in weights}
    moved, kept = defined(weights, gradients, aged, *settings)
    return moved, {name: now for name, now in kept.items() if name in gradients or name in state}


def absent_as_zero(weights: Weights, gradients: Weights, *rest) -> Updated:
    filled = {name: gradients.get(name, torch.zeros_like(θ)) for name, θ in weights.items()}
    return defined(weights, filled, *rest)


def zero_as_absent(weights: Weights, gradients: Weights, *rest) -> Updated:
    return defined(weights, {name: g for name, g in gradients.items() if g.any()}, *rest)


def first_zero_as_absent(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    """A gradient of 0 is left out where it is a weight's first."""
    return defined(weights, {k: g for k, g in gradients.items() if k in state or g.any()}, state, *settings)


def zeros_stay(weights: Weights, gradients: Weights, *rest) -> Updated:
    moved, kept = defined(weights, gradients, *rest)
    return moved | {name: torch.where(g == 0, weights[name], moved[name]) for name, g in gradients.items()}, kept


def in_float32(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    single = defined(*(converted(each, torch.float32) for each in (weights, gradients, state)), *settings)
    return converted(single, next(iter(weights.values())).dtype)


def absent_left_out(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    moved, kept = defined(weights, gradients, state, *settings)
    return {name: moved[name] for name in gradients}, {name: kept[name] for name in gradients}


def absent_ages(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    """A weight without a gradient stays, and its t is counted all the same."""
    moved, kept = defined(weights, gradients, state, *settings)
    return moved, {name: now | {"t": now["t"] + (name not in gradients)} for name, now in kept.items()}


def means_in_place(weights: Weights, gradients: Weights, state: State, rate: float, betas: tuple, eps: float):
    found = defined(weights, gradients, state, rate, betas, eps)
    for name in state.keys() & gradients.keys():
        state[name]["m"].copy_(found[1][name]["m"])
        state[name]["v"].copy_(found[1][name]["v"])
    return found


def weights_in_place(weights: Weights, gradients: Weights, *rest) -> Updated:
    found = defined(weights, gradients, *rest)
    for name in gradients:
        weights[name].copy_(found[0][name])
    return found[0], found[1]


def start_put_in(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    """A state of zeros put into the dict that was given, for each weight that begins."""
    found = defined(weights, gradients, state, *settings)
    state.update({name: start(weights[name], g) for name, g in gradients.items() if name not in state})
    return found


def gradients_filled(weights: Weights, gradients: Weights, *rest) -> Updated:
    """Every weight gets an entry in the dict of gradients that was given."""
    found = defined(weights, gradients, *rest)
    gradients.update({name: torch.zeros_like(θ) for name, θ in weights.items() if name not in gradients})
    return found


def state_put_in(weights: Weights, gradients: Weights, state: State, *settings) -> Updated:
    """The new state put into the dict that was given."""
    moved, kept = defined(weights, gradients, state, *settings)
    state.update(kept)
    return moved, state
