"""Problem set 9 as most students write it: loops and lists."""

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


def score_function(numbers):  # unwritten: solve score_function with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def minimum_risk(numbers):  # unwritten: solve minimum_risk with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def pos_unk(numbers):  # unwritten: solve pos_unk with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def diagnose(numbers):  # unwritten: solve diagnose with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums
