"""Problem set 9 with expressions and the standard library, without assignments."""

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


def minimum_risk(numbers):  # unwritten: solve minimum_risk without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def pos_unk(numbers):  # unwritten: solve pos_unk without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def diagnose(numbers):  # unwritten: solve diagnose without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]
