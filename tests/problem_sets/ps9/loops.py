"""Problem set 9 as most students write it: loops and lists."""

import math

import torch


def residual_stack(numbers):  # unwritten: solve residual_stack with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def pre_norm_layer(numbers):  # unwritten: solve pre_norm_layer with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def layer_combination(numbers):  # unwritten: solve layer_combination with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def top_k_gating(numbers):  # unwritten: solve top_k_gating with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def score_function(log_p, lengths, rewards, baseline):
    R = rewards.detach()
    total = 0.0
    for i in range(len(R)):
        m = len(R[i])
        for j in range(m):
            b = 0.0
            if baseline == "others":
                for k in range(m):
                    if k != j:
                        b = b + R[i, k] / (m - 1)
            log_py = 0.0
            for t in range(lengths[i, j]):
                log_py = log_py + log_p[i, j, t]
            total = total - (R[i, j] - b) * log_py
    return total / R.numel()


def minimum_risk(samples, log_p, costs, alpha):
    kept, logs, own_costs = [], [], []
    for i in range(len(samples)):
        if samples[i] not in kept:
            kept.append(samples[i])
            logs.append(alpha * log_p[i])
            own_costs.append(costs[i])
    largest = logs[0]
    for number in logs:
        if number > largest:
            largest = number
    odds = [torch.exp(number - largest) for number in logs]
    below = 0.0
    for each in odds:
        below = below + each
    Q = [each / below for each in odds]
    risk = 0.0
    for i in range(len(Q)):
        risk = risk + Q[i] * own_costs[i]
    return torch.stack(Q), risk


def pos_unk(source, output, weights, dictionary):
    words = list(output)
    for j in range(len(words)):
        if words[j] == "<unk>":
            i = 0
            for k in range(len(source) + 1):
                if weights[j][k] > weights[j][i]:
                    i = k
        elif words[j][:7] == "unkpos_":
            i = len(source)
            if words[j][7:] != "null":
                i = j - int(words[j][7:])
        else:
            continue
        if i < 0 or i >= len(source):
            words[j] = "<unk>"
        elif source[i] in dictionary:
            words[j] = dictionary[source[i]]
        else:
            words[j] = source[i]
    return words


def far(one, other):
    return abs(one - other) > 0.01


def diagnose(trace):
    faults = set()
    for i in range(len(trace["made"])):
        x, above, read, made = trace["states"][i], trace["states"][i + 1], trace["read"][i], trace["made"][i]
        mean = sum(x) / len(x)
        variance = sum((number - mean) ** 2 for number in x) / len(x)
        for n in range(len(x)):
            if far(above[n], x[n] + made[n]):
                faults.add("residual")
            if far(read[n], (x[n] - mean) / math.sqrt(variance)):
                faults.add("norm")
    for scores, gates in zip(trace["scores"], trace["gates"], strict=True):
        order = sorted(scores, reverse=True)
        below = sum(math.exp(s) for s in order[: trace["k"]])
        for s, g in zip(scores, gates, strict=True):
            right = math.exp(s) / below if s >= order[trace["k"] - 1] else 0.0
            if far(g, right):
                faults.add("gate")
    up, down = True, True
    for rewards, pushes in zip(trace["rewards"].tolist(), trace["pushes"], strict=True):
        best, worst = rewards.index(max(rewards)), rewards.index(min(rewards))
        if pushes[best] < pushes[worst]:
            faults.add("sign")
        for j in range(len(rewards)):
            others = rewards[:j] + rewards[j + 1 :]
            right = rewards[j] - sum(others) / len(others)
            up = up and not far(pushes[j], right)
            down = down and not far(pushes[j], -right)
    if not up and not down:
        faults.add("baseline")
    powers = [math.exp(trace["alpha"] * number) for number in trace["log_p"]]
    for q, power in zip(trace["Q"], powers, strict=True):
        if far(q, power / sum(powers)):
            faults.add("alpha")
    return faults
