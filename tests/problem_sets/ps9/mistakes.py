"""Problem set 9 with a real mistake in every function: what one student hands in."""

import torch


def residual_stack(numbers):  # unwritten: make a real mistake in residual_stack.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def pre_norm_layer(numbers):  # unwritten: make a real mistake in pre_norm_layer.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def layer_combination(numbers):  # unwritten: make a real mistake in layer_combination.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def top_k_gating(numbers):  # unwritten: make a real mistake in top_k_gating.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def score_function(log_p, lengths, rewards, baseline):
    mask = torch.arange(log_p.shape[2]) < lengths.unsqueeze(-1)
    b = rewards.mean(1, keepdim=True) if baseline == "others" else 0
    return -((rewards - b).detach() * (log_p * mask).sum(2)).mean()


def minimum_risk(numbers):  # unwritten: make a real mistake in minimum_risk.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def pos_unk(numbers):  # unwritten: make a real mistake in pos_unk.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def diagnose(numbers):  # unwritten: make a real mistake in diagnose.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums
