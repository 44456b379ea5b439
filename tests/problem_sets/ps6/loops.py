"""Problem set 6 as most students write it: loops over sentences, heads and words."""

import math

import torch


def attention(Q, K, V, mask):
    if Q.dim() > 3:  # heads: one after the other
        mask = mask.expand(*Q.shape[:3], K.shape[2])
        pairs = [attention(Q[b], K[b], V[b], mask[b]) for b in range(len(Q))]
        return torch.stack([contexts for contexts, _ in pairs]), torch.stack([weights for _, weights in pairs])
    contexts, attended = [], []
    for b in range(len(Q)):
        for i in range(Q.shape[1]):
            scores = []
            for j in range(K.shape[1]):
                scores.append(torch.dot(Q[b, i], K[b, j]) / math.sqrt(len(Q[b, i])))
            scores = torch.where(mask[b, i], torch.stack(scores), -math.inf)
            odds = torch.exp(scores - scores.max())
            weights = odds / odds.sum()
            context = torch.zeros_like(V[b, 0])
            for j in range(K.shape[1]):
                context = context + weights[j] * V[b, j]
            contexts.append(context)
            attended.append(weights)
    shape = (*Q.shape[:2], -1)
    return torch.stack(contexts).view(shape), torch.stack(attended).view(shape)


def masks(source, target, pad):
    batch, n, m = len(source), source.shape[1], target.shape[1]
    encoder = torch.zeros(batch, n, n, dtype=torch.bool)
    decoder = torch.zeros(batch, m, m, dtype=torch.bool)
    cross = torch.zeros(batch, m, n, dtype=torch.bool)
    for b in range(batch):
        for j in range(n):
            if source[b, j] != pad:
                encoder[b, :, j] = True
                cross[b, :, j] = True
        for i in range(m):
            for j in range(i + 1):
                if target[b, j] != pad:
                    decoder[b, i, j] = True
    return encoder, decoder, cross


def multi_head(query, key, value, mask, weights, heads):
    d_k = weights["W_Q"].shape[1] // heads
    d_v = weights["W_V"].shape[1] // heads
    contexts = []
    attended = []
    for head in range(heads):
        of_keys = slice(head * d_k, (head + 1) * d_k)
        of_values = slice(head * d_v, (head + 1) * d_v)
        Q = query @ weights["W_Q"][:, of_keys]
        K = key @ weights["W_K"][:, of_keys]
        V = value @ weights["W_V"][:, of_values]
        context, α = attention(Q, K, V, mask)
        contexts.append(context)
        attended.append(α)
    return torch.cat(contexts, dim=2) @ weights["W_O"], torch.stack(attended, dim=1)


def embed(words, E, start):
    d_model = E.shape[1]
    sentences = []
    for sentence in words.tolist():
        vectors = []
        for t, word in enumerate(sentence):
            place = []
            for column in range(d_model):
                even = column - column % 2
                angle = (start + t) / 10000 ** (even / d_model)
                place.append(math.sin(angle) if column == even else math.cos(angle))
            vectors.append(math.sqrt(d_model) * E[word] + torch.tensor(place, dtype=E.dtype))
        sentences.append(torch.stack(vectors))
    return torch.stack(sentences)


def layer_norm(x, gamma, beta):
    rows = []
    for row in x.flatten(0, 1):
        mean = row.sum() / len(row)
        variance = ((row - mean) ** 2).sum() / len(row)
        rows.append(gamma * (row - mean) / torch.sqrt(variance + 1e-5) + beta)
    return torch.stack(rows).view(x.shape)


def feed_forward(x, weights):
    hidden = torch.clamp(x @ weights["W_1"] + weights["b_1"], min=0)
    return hidden @ weights["W_2"] + weights["b_2"]


def encoder_layer(x, mask, weights, heads):
    read, _ = multi_head(x, x, x, mask, weights, heads)
    a = layer_norm(x + read, weights["gamma_1"], weights["beta_1"])
    return layer_norm(a + feed_forward(a, weights), weights["gamma_2"], weights["beta_2"])


def decoder_layer(x, h, real, weights, heads):
    batch, m, n = len(x), x.shape[1], h.shape[1]
    causal = torch.zeros(batch, m, m, dtype=torch.bool)
    of_source = torch.zeros(batch, m, n, dtype=torch.bool)
    for b in range(batch):
        for i in range(m):
            causal[b, i, : i + 1] = True
            of_source[b, i] = real[b]
    own, _ = multi_head(x, x, x, causal, weights["self"], heads)
    a = layer_norm(x + own, weights["gamma_1"], weights["beta_1"])
    found, α = multi_head(a, h, h, of_source, weights["cross"], heads)
    b = layer_norm(a + found, weights["gamma_2"], weights["beta_2"])
    return layer_norm(b + feed_forward(b, weights), weights["gamma_3"], weights["beta_3"]), α


def same(rows, others):
    for row, other in zip(rows.tolist(), others.tolist(), strict=True):
        for one, two in zip(row, other, strict=True):
            if abs(one - two) > 1e-7:
                return False
    return True


def scaled(Q, K, weights):
    for head in range(len(Q)):
        for i in range(Q.shape[1]):
            odds = []
            for j in range(K.shape[1]):
                odds.append(math.exp(torch.dot(Q[head, i], K[head, j]).item() / math.sqrt(Q.shape[2])))
            for j in range(K.shape[1]):
                if abs(odds[j] / sum(odds) - weights[head, i, j].item()) > 1e-7:
                    return False
    return True


def diagnose(runs):
    outputs = runs["outputs"]
    faults = set()
    if same(runs["source in another order"], outputs):
        faults.add("source order")
    if same(runs["target words 0 and 1 exchanged"][2:], outputs[2:]):
        faults.add("target order")
    kept = len(runs["target cut"])
    if not same(runs["target cut"], outputs[:kept]):
        faults.add("causal")
    if not same(runs["source padded"], outputs):
        faults.add("padding")
    if not scaled(runs["queries"], runs["keys"], runs["weights"]):
        faults.add("scale")
    return faults
