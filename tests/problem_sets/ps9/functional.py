"""Problem set 9 with expressions: broadcasting, einsum, accumulate."""

import re
from functools import reduce
from itertools import accumulate, product

import torch


def residual_stack(s, c, first, layers):
    def climb(below, layer):
        h, weights = layer
        projected = torch.einsum("btx,xh->tbh", torch.cat([below[0], c], -1), weights["W_xh"]) + weights["b_h"]
        _, *states = accumulate(projected, lambda h, x: (x + h @ weights["W_hh"]).tanh(), initial=h)
        h = torch.stack(states, 1)
        return (h if below[1] is None else below[0] + h), states[-1]

    _, *stack = accumulate(zip(first, layers, strict=True), climb, initial=(s, None))
    return stack[-1][0], torch.stack([last for _, last in stack])


def self_attention(x, mask, weights, heads):
    Q, K, V = ((x @ weights[name]).unflatten(2, (heads, -1)).transpose(1, 2) for name in ("W_Q", "W_K", "W_V"))
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~mask.unsqueeze(1), -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ weights["W_O"]


def layer_norm(x, gamma, beta):
    variance, mean = torch.var_mean(x, -1, correction=0, keepdim=True)
    return torch.rsqrt(variance + 1e-5) * (x - mean) * gamma + beta


def pre_norm(x, mask, layers, final, heads):
    def climb(x, weights):
        a = x + self_attention(layer_norm(x, weights["gamma_1"], weights["beta_1"]), mask, weights, heads)
        read = layer_norm(a, weights["gamma_2"], weights["beta_2"])
        return a + torch.relu(read @ weights["W_1"] + weights["b_1"]) @ weights["W_2"] + weights["b_2"]

    sums = reduce(climb, layers, x)
    return sums, layer_norm(sums, **final)


def layer_combination(embedding, layers, W):
    def climb(y, given):
        x = torch.einsum("k,kbtd->btd", W[len(y) - 1, : len(y)], y)
        made = x + torch.tanh(torch.einsum("bti,ij->btj", x, given["U"]) + given["b"])
        return torch.cat([y, layer_norm(made, given["gamma"], given["beta"])[None]])

    return torch.einsum("k,kbtd->btd", W[len(layers)], reduce(climb, layers, embedding[None]))


def top_k_gating(x, W_g, noise, real, k):
    H = torch.einsum("btd,de->bte", x, W_g) + noise
    least = H.sort(-1, descending=True).values[..., k - 1 : k]
    gates = H.masked_fill(H.lt(least), -torch.inf).softmax(-1)
    variance, mean = torch.var_mean(torch.einsum("bte,bt->e", gates, real.to(gates)), correction=0)
    return gates, variance / mean**2


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
