"""Problem set 9 with expressions and the standard library, without assignments."""

import re
from itertools import product

import torch


def residual_stack(numbers):  # unwritten: solve residual_stack without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def pre_norm_layer(numbers):  # unwritten: solve pre_norm_layer without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def layer_combination(numbers):  # unwritten: solve layer_combination without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def top_k_gating(numbers):  # unwritten: solve top_k_gating without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def score_function(log_p, lengths, rewards, baseline):
    return (
        sum(
            log_p[i, j, : lengths[i, j]].sum() * ((others.mean() if baseline == "others" else 0) - R)
            for i, j in product(*map(range, rewards.shape))
            for others, R in [(torch.cat([rewards[i, :j], rewards[i, j + 1 :]]).detach(), rewards[i, j].detach())]
        )
        / rewards.numel()
    )


def minimum_risk(samples, log_p, costs, alpha):
    first = {}
    for i, y in enumerate(samples):
        first.setdefault(tuple(y), i)
    S = list(first.values())
    log_Q = alpha * log_p[S] - torch.logsumexp(alpha * log_p[S], 0)
    return log_Q.exp(), log_Q.exp() @ torch.tensor([costs[i] for i in S], dtype=log_p.dtype)


def pos_unk(source, output, weights, dictionary):
    ends = dict(enumerate(source))
    asked = {"<unk>": lambda j, _: int(weights[j].argmax()), "unkpos_null": lambda j, _: None}
    distance = re.compile(r"unkpos_(-?\d+)")
    place = {
        j: asked.get(said, lambda j, said: j - int(distance.fullmatch(said)[1]))(j, said)
        for j, said in enumerate(output)
        if said in asked or distance.fullmatch(said)
    }
    word = {j: ends.get(i, "<unk>") for j, i in place.items()}
    return [dictionary.get(word[j], word[j]) if j in word else said for j, said in enumerate(output)]


def diagnose(trace):
    gap = {
        "residual": lambda t: t["states"].diff(dim=0) - t["made"],
        "norm": lambda t: torch.nn.functional.layer_norm(t["states"], t["states"].shape[1:])[:-1] - t["read"],
        "gate": lambda t: (
            t["scores"].masked_fill(t["scores"].argsort(1).argsort(1) < t["scores"].shape[1] - t["k"], -1e9).softmax(1)
            - t["gates"]
        ),
        "sign": lambda t: torch.stack([(t["pushes"] * (t["rewards"] - t["rewards"].mean(1, True))).sum() < 0]).float(),
        "baseline": lambda t: (
            t["pushes"].abs() - (t["rewards"] - t["rewards"].mean(1, True)).abs() / (1 - 1 / t["rewards"].shape[1])
        ),
        "alpha": lambda t: (t["log_p"] * t["alpha"]).exp() / (t["log_p"] * t["alpha"]).exp().sum() - t["Q"],
    }
    return {fault for fault, difference in gap.items() if difference(trace).abs().max() > 0.01}
