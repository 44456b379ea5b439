"""Attention scores from weights that are given as data: right, and wrong in the ways that people get them wrong."""

from collections.abc import Callable

import torch
from torch import Tensor

from course_lib.problem_sets.ps4.states import Weights

# Multiplicative: e_ij = (U s_i)^⊤ (V h_j), s (batch, i, query size), h (batch, j, key size), e (batch, i, j)


def product(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return torch.einsum("biq,rq,rk,bjk->bij", s, U, V, h)


def plain(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return s @ h.mT


def exchanged(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return (s @ V.T) @ (h @ U.T).mT


def turned(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return (s @ U) @ (h @ V).mT


def queries_turned(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return (s @ U) @ (h @ V.T).mT


def keys_turned(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return (s @ U.T) @ (h @ V).mT


def only_queries(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return (s @ U.T) @ h.mT


def only_keys(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return s @ (h @ V.T).mT


def scaled(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return product(s, h, U, V) / len(U) ** 0.5


def normalised(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return product(s, h, U, V).softmax(-1)


def side_by_side(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return (s @ U.T * (h @ V.T)).sum(-1)


def keys_first(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return product(s, h, U, V).mT


def last_query(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return product(s[:, -1:], h, U, V).expand(-1, s.shape[1], -1)


def first_sentence(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return product(s, h[:1].expand_as(h), U, V)


def added_up(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    return torch.einsum("biq,rq,rk,cjk->bij", s, U, V, h)


# Additive: e_j = v^⊤ tanh(W_1 h_j + W_2 s + w·coverage_j), s (batch, query size), h (batch, j, key size), e (batch, j)


def add(h: Tensor, s: Tensor, covered: Tensor) -> Tensor:
    return h + s + covered


def additive(
    s: Tensor,
    h: Tensor,
    coverage: Tensor,
    weights: Weights,
    join: Callable[[Tensor, Tensor, Tensor], Tensor] = add,
    φ: Callable = torch.tanh,
    linear: Callable = lambda W, x: x @ W.T,
) -> Tensor:
    covered = coverage.unsqueeze(2) * weights["w"]
    return φ(join(linear(weights["W_1"], h), linear(weights["W_2"], s).unsqueeze(1), covered)) @ weights["v"]


def without_tanh(*arguments) -> Tensor:
    return additive(*arguments, φ=lambda x: x)


def tanh_of_the_score(*arguments) -> Tensor:
    return additive(*arguments, φ=lambda x: x).tanh()


def tanh_of_each(*arguments) -> Tensor:
    return additive(*arguments, join=lambda h, s, c: h.tanh() + s.tanh() + c.tanh(), φ=lambda x: x)


def matrices_exchanged(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    return additive(s, h, coverage, weights | {"W_1": weights["W_2"], "W_2": weights["W_1"]})


def matrices_turned(*arguments) -> Tensor:
    return additive(*arguments, linear=lambda W, x: x @ W)


def keys_turned_within(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    return additive(s, h, coverage, weights | {"W_1": weights["W_1"].T})


def query_turned_within(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    return additive(s, h, coverage, weights | {"W_2": weights["W_2"].T})


def without_query(*arguments) -> Tensor:
    return additive(*arguments, join=lambda h, s, c: h + c)


def multiplied(*arguments) -> Tensor:
    return additive(*arguments, join=lambda h, s, c: h * s + c)


def all_units(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    return additive(s, h, coverage, weights | {"v": torch.ones_like(weights["v"])})


def normalised_at_once(*arguments) -> Tensor:
    return additive(*arguments).softmax(-1)


def without_coverage(*arguments) -> Tensor:
    return additive(*arguments, join=lambda h, s, c: h + s)


def coverage_taken_away(*arguments) -> Tensor:
    return additive(*arguments, join=lambda h, s, c: h + s - c)


def coverage_after_tanh(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    return without_coverage(s, h, coverage, weights) + (weights["w"] @ weights["v"]) * coverage


def coverage_of_all_words(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    return additive(s, h, coverage.sum(1, keepdim=True).expand_as(coverage), weights)


def first_query(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    return additive(s[:1].expand_as(s), h, coverage, weights)
