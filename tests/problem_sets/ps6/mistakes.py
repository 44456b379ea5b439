"""Problem set 6 with a real mistake in every function: what one student of the sample class hands in."""

import torch


def attention(Q, K, V, mask):
    weights = (Q @ K.mT).masked_fill(~mask, -1e9).softmax(-1)  # not scaled
    return weights @ V, weights


attention.loses = "not scaled", "scale"


def masks(source, target, pad):
    real, written = (source != pad).unsqueeze(1), (target != pad).unsqueeze(1)
    n, m = source.shape[1], target.shape[1]
    before = torch.ones(m, m, dtype=torch.bool).tril(-1)  # not itself
    return real.expand(-1, n, -1), written & before, real.expand(-1, m, -1)


masks.loses = "without itself", "causal both"


def split(x, heads):
    return x.reshape(len(x), heads, x.shape[1], -1)  # mixes words


def multi_head(query, key, value, mask, weights, heads):
    Q, K, V = (split(x @ weights[name], heads) for x, name in ((query, "W_Q"), (key, "W_K"), (value, "W_V")))
    α = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~mask.unsqueeze(1), -1e9).softmax(-1)
    return (α @ V).transpose(1, 2).flatten(2) @ weights["W_O"], α


multi_head.loses = "split by reshape alone", "split join cross mask"


def embed(words, E, start):
    d = E.shape[1]
    pos = torch.arange(words.shape[1], dtype=E.dtype).unsqueeze(1)  # wherever the first word stands
    angles = pos / 10000 ** (torch.arange(0, d, 2, dtype=E.dtype) / d)
    places = torch.stack([angles.sin(), angles.cos()], 2).flatten(1)[:, :d]
    return E[words] * d**0.5 + places


embed.loses = "start ignored", "start batch"


def normed(x, weights, number):
    deviation = (x.var(-1, keepdim=True) + 1e-5).sqrt()  # divided by d − 1
    return weights[f"gamma_{number}"] * (x - x.mean(-1, keepdim=True)) / deviation + weights[f"beta_{number}"]


def looked(query, key, mask, weights, heads):
    Q, K, V = (
        (x @ weights[name]).unflatten(2, (heads, -1)).transpose(1, 2)
        for x, name in ((query, "W_Q"), (key, "W_K"), (key, "W_V"))
    )
    α = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~mask.unsqueeze(1), -1e9).softmax(-1)
    return (α @ V).transpose(1, 2).flatten(2) @ weights["W_O"], α


def network(x, weights):
    return torch.relu(x @ weights["W_1"] + weights["b_1"]) @ weights["W_2"] + weights["b_2"]


def encoder_layer(x, mask, weights, heads):
    a = normed(x + looked(x, x, mask, weights, heads)[0], weights, 1)
    return normed(a + network(a, weights), weights, 2)


encoder_layer.loses = "variance divided by d minus 1", "norm small attention network mask gradient"


def right_norm(x, weights, number):
    deviation = (x.var(-1, keepdim=True, correction=0) + 1e-5).sqrt()
    return weights[f"gamma_{number}"] * (x - x.mean(-1, keepdim=True)) / deviation + weights[f"beta_{number}"]


def decoder_layer(x, h, real, weights, heads):
    every = torch.ones(len(x), x.shape[1], x.shape[1], dtype=torch.bool)  # not causal
    a = right_norm(x + looked(x, x, every, weights["self"], heads)[0], weights, 1)
    found, α = looked(a, h, real.unsqueeze(1), weights["cross"], heads)
    b = right_norm(a + found, weights, 2)
    return right_norm(b + network(b, weights), weights, 3), α


decoder_layer.loses = "no causal mask", "causal order padding weights"


def diagnose(runs):
    outputs, cut = runs["outputs"], runs["target cut"]
    Q, K = runs["queries"], runs["keys"]
    α = (Q @ K.mT / Q.shape[-1] ** 0.5).softmax(-1)
    faults = {
        "source order": torch.allclose(runs["source in another order"], outputs),
        "target order": torch.allclose(runs["target words 0 and 1 exchanged"], outputs),  # rows 0 and 1, too
        "causal": not torch.allclose(cut, outputs[: len(cut)]),
        "padding": not torch.allclose(runs["source padded"], outputs),
        "scale": not torch.allclose(α, runs["weights"]),
    }
    return {fault for fault, found in faults.items() if found}


diagnose.loses = "target order never named", "target several"
