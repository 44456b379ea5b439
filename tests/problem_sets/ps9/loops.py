"""Problem set 9 as most students write it: loops and lists."""

import math

import torch


def residual_stack(s, c, first, layers):
    batch, time, hidden = s.shape
    last = []
    for depth in range(len(layers)):
        W_s = layers[depth]["W_xh"][:hidden]
        W_c = layers[depth]["W_xh"][hidden:]
        h = first[depth]
        outputs = []
        for t in range(time):
            h = torch.tanh(s[:, t] @ W_s + c[:, t] @ W_c + h @ layers[depth]["W_hh"] + layers[depth]["b_h"])
            if depth > 0:
                outputs.append(h + s[:, t])
            else:
                outputs.append(h)
        s = torch.stack(outputs, dim=1)
        last.append(h)
    return s, torch.stack(last)


def self_attention(x, mask, weights, heads):
    Q, K, V = ((x @ weights[name]).unflatten(2, (heads, -1)).transpose(1, 2) for name in ("W_Q", "W_K", "W_V"))
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~mask.unsqueeze(1), -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ weights["W_O"]


def layer_norm(x, gamma, beta):
    rows = []
    for row in x.flatten(0, 1):
        centred = row - row.sum() / len(row)
        variance = (centred**2).sum() / len(row)
        rows.append(gamma * centred / torch.sqrt(variance + 1e-5) + beta)
    return torch.stack(rows).view(x.shape)


def pre_norm(x, mask, layers, final, heads):
    for i in range(len(layers)):
        weights = layers[i]
        normed = layer_norm(x, weights["gamma_1"], weights["beta_1"])
        a = x + self_attention(normed, mask, weights, heads)
        normed = layer_norm(a, weights["gamma_2"], weights["beta_2"])
        hidden = torch.clamp(normed @ weights["W_1"] + weights["b_1"], min=0)
        x = a + (hidden @ weights["W_2"] + weights["b_2"])
    return x, layer_norm(x, final["gamma"], final["beta"])


def layer_combination(embedding, layers, W):
    y = [embedding]
    for depth in range(len(layers) + 1):
        x = torch.zeros_like(embedding)
        for k in range(depth + 1):
            x = x + W[depth, k] * y[k]
        if depth < len(layers):
            made = x + torch.tanh(x @ layers[depth]["U"] + layers[depth]["b"])
            y.append(layer_norm(made, layers[depth]["gamma"], layers[depth]["beta"]))
    return x


def top_k_gating(x, W_g, noise, real, k):
    batch, time, experts = noise.shape
    gates = []
    counted = []
    for b in range(batch):
        for t in range(time):
            H = x[b, t] @ W_g + noise[b, t]
            order = sorted(range(experts), key=lambda e: -H[e])
            odds = []
            for e in range(experts):
                odds.append(torch.exp(H[e] - H.max()) if e in order[:k] else H[e] * 0)
            g = torch.stack(odds) / sum(odds)
            gates.append(g)
            if real[b, t]:
                counted.append(g)
    importance = sum(counted)
    mean = importance.sum() / experts
    squares = 0
    for e in range(experts):
        squares = squares + importance[e] ** 2 / experts
    return torch.stack(gates).view(batch, time, experts), (squares - mean**2) / mean**2


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
