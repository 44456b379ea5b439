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


def minimum_risk(samples, log_p, costs, alpha):
    S = {tuple(y): i for i, y in reversed(list(enumerate(samples)))}
    where = sorted(S.values())
    Q = log_p[where].softmax(0) ** alpha
    return Q, (Q * log_p.new_tensor([costs[i] for i in where])).sum()


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


def diagnose(trace):
    def differ(one, other):
        return bool(((one - other).abs() > 0.005).any())

    x, R, pushes = trace["states"], trace["rewards"], trace["pushes"]
    right = R - (R.sum(1, keepdim=True) - R) / (R.shape[1] - 1)
    found = set()
    if differ(x[1:], x[:-1] + trace["made"]):
        found.add("residual")
    if differ(trace["read"], (x - x.mean(1, keepdim=True))[:-1] / x.std(1, keepdim=True)[:-1]):
        found.add("norm")
    if differ(trace["gates"].sum(1), torch.ones(1)):
        found.add("gate")
    if (pushes < 0).any():
        found.add("sign")
    if differ(pushes, right):
        found.add("baseline")
    if differ(trace["Q"], (trace["alpha"] * trace["log_p"]).softmax(0)):
        found.add("alpha")
    return found
