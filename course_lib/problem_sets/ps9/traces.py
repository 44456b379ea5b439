"""What a deep system writes down while it is trained, with the faults that are wanted."""

from collections.abc import Callable
from functools import partial
from math import inf
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import tensor

Trace = dict[str, Any]
FAULTS = ("residual", "norm", "gate", "sign", "baseline", "alpha")
ROUNDED, CLEAR = 0.001, 0.02  # what is right is off by less than the one, what is wrong by more than the other
DECIMALS = 4
EPSILON = 1e-5


# What is right


def layer_norm(x: Tensor) -> Tensor:
    """(x − mean) / √(variance + ε) along the last axis."""
    centred = x - x.mean(-1, keepdim=True)
    return centred / (centred.square().mean(-1, keepdim=True) + EPSILON).sqrt()


def gates(scores: Tensor, k: int) -> Tensor:
    """Softmax over the k largest scores of each word, 0 for the others."""
    kept = scores >= scores.topk(k).values[..., -1:]
    return scores.masked_fill(~kept, -inf).softmax(-1)


def others(R: Tensor) -> Tensor:
    """The mean reward of the other samples of the sentence."""
    return (R.sum(1, keepdim=True) - R) / (R.shape[1] - 1)


def sharpened(log_p: Tensor, alpha: float) -> Tensor:
    return (alpha * log_p).softmax(0)


# What can be wrong: of each fault its kinds


def of_all(s: Tensor, k: int) -> Tensor:
    """Softmax over all, of which k are kept."""
    return torch.where(gates(s, k) > 0, s.softmax(-1), 0)


def rolled(x: Tensor, i: int) -> Tensor:
    """So that x_{i+1} is the right sum with each number one place on: as long, and its numbers add up to as much."""
    return x[i] + x[i + 1] - x[i + 1].roll(1)


def little(x: Tensor, i: int) -> Tensor:
    """A little is missing in the largest number of x_{i+1}."""
    lost = torch.zeros_like(x[i])
    lost[x[i + 1].abs().argmax()] = 1.5 * CLEAR
    return x[i] - lost


def mixed(log_p: Tensor, alpha: float) -> Tensor:
    """The right numbers, of which the largest alone has its place."""
    Q = sharpened(log_p, alpha)
    rest = torch.arange(len(Q)) != Q.argmax()
    Q[rest] = Q[rest].roll(1)
    return Q


ADDED: dict[str, Callable[[Tensor, int], Tensor]] = {  # to what layer i makes, in place of x_i
    "nothing": lambda x, i: torch.zeros_like(x[i]),
    "norm": lambda x, i: layer_norm(x[i]),
    "half": lambda x, i: x[i] / 2,
    "twice": lambda x, i: 2 * x[i],
    "rolled": rolled,
    "little": little,
}
READ: dict[str, Callable[[Tensor, int], Tensor]] = {  # by layer i, in place of LN(x_i)
    "x": lambda x, i: x[i],
    "centred": lambda x, i: x[i] - x[i].mean(),
    "divided": lambda x, i: x[i] / x[i].std(correction=0),
    "unbiased": lambda x, i: (x[i] - x[i].mean()) / x[i].std(),
    "another": lambda x, i: layer_norm(x[i - 1 if i else 1]),
}
GATED: dict[str, Callable[[Tensor, int], Tensor]] = {
    "of all": of_all,
    "all": lambda s, k: s.softmax(-1),
    "fewer": lambda s, k: gates(s, k - 1),
    "more": lambda s, k: gates(s, k + 1),
    "equal": lambda s, k: (gates(s, k) > 0) / k,
    "smallest": lambda s, k: gates(-s, k),
    "moved": lambda s, k: gates(s, k).roll(1),
}
BASELINES: dict[str, Callable[[Tensor], Tensor]] = {
    "none": torch.zeros_like,
    "mean": lambda R: R.mean(1, keepdim=True).expand_as(R),
    "batch": lambda R: R.mean().expand_as(R),
    "best": lambda R: R.amax(1, keepdim=True).expand_as(R),
    "others of the batch": lambda R: (R.sum() - R) / (R.numel() - 1),
}
SHARPENED: dict[str, Callable[[Tensor, float], Tensor]] = {
    "1": lambda log_p, alpha: log_p.softmax(0),
    "inverse": lambda log_p, alpha: (log_p / alpha).softmax(0),
    "not divided": lambda log_p, alpha: (alpha * log_p).exp(),
    "after": lambda log_p, alpha: log_p.softmax(0) ** alpha,
    "mixed": mixed,
}
KINDS = {"residual": ADDED, "norm": READ, "gate": GATED, "baseline": BASELINES, "alpha": SHARPENED}


# Traces as they are drawn


def trace_with(rng: Random, faults: set[str], how: dict[str, str], everywhere: bool = False) -> Trace:
    """A trace with these faults, of the kind that `how` names, or any; in one layer, for one word, or `everywhere`.

    All are clear: what is right is so within ROUNDED, what is wrong is off by more than CLEAR.
    """
    return until(lambda: (drawn(rng, faults, how, everywhere),), partial(clear, faults))[0]


def drawn(rng: Random, faults: set[str], how: dict[str, str], everywhere: bool) -> Trace:
    def kind(fault: str) -> Callable:
        return KINDS[fault][how.get(fault) or rng.choice([*KINDS[fault]])]

    def places(count: int) -> list[int]:
        return [*range(count)] if everywhere else [rng.randrange(count)]

    layers, d = rng.randint(3, 5), rng.choice((5, 6))
    x = 1.5 * tensor(rng, layers + 1, d).double()
    if sign := rng.choice((0, 0, 1, -1)):
        x = sign * x.abs()
    without = places(layers)
    if rng.random() < 0.3:
        x[without, 0] = 0.0  # the first number cannot tell that nothing was added
    read, added = layer_norm(x[:-1]), x[:-1].clone()
    if "norm" in faults:
        reads = kind("norm")
        for i in places(layers):
            read[i] = reads(x, i)
    if "residual" in faults:
        adds = kind("residual")
        for i in without:
            added[i] = adds(x, i)
    words, experts = rng.randint(3, 4), rng.randint(5, 6)
    k = rng.choice((2, 3))
    scores = 1.5 * tensor(rng, words, experts).double()
    gated = gates(scores, k)
    if "gate" in faults:
        opens = kind("gate")
        for word in places(words):
            gated[word] = opens(scores[word], k)
    R, pushes = pushed(rng, faults, kind)
    log_p = torch.tensor([-rng.uniform(1, 9) for _ in range(rng.randint(4, 5))], dtype=torch.float64)
    alpha = rng.choice((0.1, 0.3, 0.5, 2.0))
    Q = (kind("alpha") if "alpha" in faults else sharpened)(log_p, alpha)
    tensors = {"states": x, "read": read, "made": x[1:] - added, "scores": scores, "gates": gated}
    tensors |= {"rewards": R, "pushes": pushes, "log_p": log_p, "Q": Q}
    return {name: value.round(decimals=DECIMALS) for name, value in tensors.items()} | {"k": k, "alpha": alpha}


def pushed(rng: Random, faults: set[str], kind: Callable) -> tuple[Tensor, Tensor]:
    """Rewards (sentence, sample), and R − b.

    Perhaps all samples of one sentence, not of all, have the same reward; or the first two samples of each sentence.
    """
    sentences, samples = rng.sample(range(2, 6), 2)
    samples = max(samples, 3)
    levels = [rng.uniform(0.1, 0.6) for _ in range(sentences)]
    R = torch.tensor([[level + rng.uniform(0, 0.4) for _ in range(samples)] for level in levels], dtype=torch.float64)
    if (ties := rng.random()) < 0.4:
        alike = rng.choice((0, sentences - 1))
        R[alike] = R[alike, 0]
    elif ties < 0.6:
        R[:, 1] = R[:, 0]
    b = (kind("baseline") if "baseline" in faults else others)(R)
    return R, (b - R if "sign" in faults else R - b)


# What a trace tells


def off(one: Tensor, other: Tensor, within: float = 0.005) -> bool:
    return bool(((one - other).abs() > within).any())


def residual(trace: Trace, off: Callable = off) -> bool:
    return off(trace["states"][1:], trace["states"][:-1] + trace["made"])


def norm(trace: Trace, off: Callable = off) -> bool:
    return off(trace["read"], layer_norm(trace["states"][:-1]))


def gate(trace: Trace, off: Callable = off) -> bool:
    return off(trace["gates"], gates(trace["scores"], trace["k"]))


def sign(trace: Trace, off: Callable = off) -> bool:
    """Better samples are pushed less."""
    R = trace["rewards"]
    return bool((trace["pushes"] * (R - R.mean(1, keepdim=True))).sum() < 0)


def baseline(trace: Trace, off: Callable = off) -> bool:
    right = trace["rewards"] - others(trace["rewards"])
    return off(trace["pushes"], right) and off(trace["pushes"], -right)


def alpha(trace: Trace, off: Callable = off) -> bool:
    return off(trace["Q"], sharpened(trace["log_p"], trace["alpha"]))


TESTS = {"residual": residual, "norm": norm, "gate": gate, "sign": sign, "baseline": baseline, "alpha": alpha}


def clear(faults: set[str], trace: Trace) -> bool:
    """Whether any bound between ROUNDED and CLEAR finds just these faults."""
    R = trace["rewards"]
    if abs(float((trace["pushes"] * (R - R.mean(1, keepdim=True))).sum())) < CLEAR:
        return False
    return all(
        {fault for fault, test in TESTS.items() if test(trace, partial(off, within=within))} == faults
        for within in (ROUNDED, CLEAR)
    )
