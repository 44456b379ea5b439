"""Problem set 9 with a real mistake in every function: what one student hands in."""

import torch


def residual_stack(s, c, first, layers):
    last = []
    for h, weights in zip(first, layers, strict=True):
        outputs = []
        for x in torch.cat([s, c], 2).unbind(1):
            h = torch.tanh(x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
            outputs.append(h)
        s = s + torch.stack(outputs, 1)  # in the second layer, too
        last.append(h)
    return s, torch.stack(last)


residual_stack.loses = "residual from the second layer", "second residual"


def self_attention(x, mask, weights, heads):
    Q, K, V = ((x @ weights[name]).unflatten(2, (heads, -1)).transpose(1, 2) for name in ("W_Q", "W_K", "W_V"))
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~mask.unsqueeze(1), -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ weights["W_O"]


def layer_norm(x, gamma, beta):
    mean, variance = x.mean(-1, keepdim=True), x.var(-1, keepdim=True, correction=0)
    return gamma * (x - mean) / torch.sqrt(variance + 1e-5) + beta


def pre_norm(x, mask, layers, final, heads):
    for weights in layers:
        x = layer_norm(x, weights["gamma_1"], weights["beta_1"])  # and the sum starts from it
        x = x + self_attention(x, mask, weights, heads)
        x = layer_norm(x, weights["gamma_2"], weights["beta_2"])
        x = x + (x @ weights["W_1"] + weights["b_1"]).relu() @ weights["W_2"] + weights["b_2"]
    return x, layer_norm(x, final["gamma"], final["beta"])


pre_norm.loses = "norms on the path", "final attention network both layers gradient"


def layer_combination(embedding, layers, W):
    y = [embedding]
    for row, layer in zip(W, layers, strict=False):
        normed = [layer_norm(each, layer["gamma"], layer["beta"]) for each in y[1:]]  # with this layer's norm
        x = sum(w * each for w, each in zip(row, [embedding, *normed], strict=False))
        y.append(x + torch.tanh(x @ layer["U"] + layer["b"]))
    normed = [layer_norm(each, layers[-1]["gamma"], layers[-1]["beta"]) for each in y[1:]]
    return sum(w * each for w, each in zip(W[-1], [embedding, *normed], strict=True))


layer_combination.loses = "norm of the layer that reads", "rows deep"


def top_k_gating(x, W_g, noise, real, k):
    gates = torch.softmax(x @ W_g + noise, dim=-1)
    least = gates.topk(k, dim=-1).values[..., -1:]
    gates = gates * (gates >= least)  # and no longer divided by their sum
    importance = gates[real].sum(0)
    return gates, importance.var(correction=0) / importance.mean() ** 2


top_k_gating.loses = "softmax before the choice", "gates noise k far"


def score_function(log_p, lengths, rewards, baseline):
    mask = torch.arange(log_p.shape[2]) < lengths.unsqueeze(-1)
    b = rewards.mean(1, keepdim=True) if baseline == "others" else 0
    return -((rewards - b).detach() * (log_p * mask).sum(2)).mean()


score_function.loses = "the mean of all", "others sentences padding"


def minimum_risk(samples, log_p, costs, alpha):
    S = {tuple(y): i for i, y in reversed(list(enumerate(samples)))}
    where = sorted(S.values())
    Q = log_p[where].softmax(0) ** alpha
    return Q, (Q * log_p.new_tensor([costs[i] for i in where])).sum()


minimum_risk.loses = "power after the softmax", "alpha risk"


def pos_unk(source, output, weights, dictionary):
    words = []
    for j, said in enumerate(output):
        if said == "<unk>" or said.startswith("unkpos_") and said != "unkpos_null":
            i = weights[j].argmax() if said == "<unk>" else j - int(said[7:])
            word = source[i] if i < len(source) else "<unk>"
            words.append(dictionary.get(word, word))
        else:
            words.append("<unk>" if said == "unkpos_null" else said)
    return words


pos_unk.loses = "counted from the end", "outside"


def diagnose(trace):
    def differ(one, other):
        return bool(((one - other).abs() > 0.005).any())

    x, R, pushes = trace["states"], trace["rewards"], trace["pushes"]
    right = R - (R.sum(1, keepdim=True) - R) / (R.shape[1] - 1)
    normed = (x - x.mean(1, keepdim=True)) / (x.var(1, correction=0, keepdim=True) + 1e-5).sqrt()
    largest = trace["scores"].topk(trace["k"], 1)
    found = set()
    if differ(x[1:], x[:-1] + trace["made"]):
        found.add("residual")
    if differ(trace["read"], normed[:-1]):
        found.add("norm")
    if differ(trace["gates"], torch.zeros_like(trace["gates"]).scatter(1, largest.indices, largest.values.softmax(1))):
        found.add("gate")
    if (pushes < 0).any():
        found.add("sign")
    if differ(pushes, right) and differ(pushes, -right):
        found.add("baseline")
    if differ(trace["Q"], (trace["alpha"] * trace["log_p"]).softmax(0)):
        found.add("alpha")
    return found


diagnose.loses = "any push below 0", "sign several"
