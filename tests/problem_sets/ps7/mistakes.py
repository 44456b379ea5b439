"""Problem set 7 with a real mistake in every function: what one student of the sample class hands in."""

from math import log

import torch


def smoothed_loss(logits, target, lengths, epsilon):
    real = torch.arange(target.shape[1]) < lengths[:, None]
    log_p = logits[real].log_softmax(1)
    word = log_p.gather(1, target[real][:, None]).squeeze(1)
    return -((1 - epsilon) * word + epsilon * log_p.mean(1)).mean()  # a share for the right word, too


smoothed_loss.loses = "a share for the right word too", "word mean padding"


def learning_rate(step, warmup, d_model):
    return (d_model * max(step, warmup)) ** -0.5  # no rise


learning_rate.loses = "the same rate all through the warm up", "rise width"


def adam_step(weights, gradients, state, rate, betas, eps):
    moved, kept = dict(weights), dict(state)
    for name, g in gradients.items():
        w = weights[name]
        old = state.get(name, {"t": 0, "m": torch.zeros_like(w), "v": torch.zeros_like(w)})
        t = old["t"] + 1
        m = betas[0] * old["m"] - (1 - betas[0]) * g  # the slip of the lecture
        v = betas[1] * old["v"] + (1 - betas[1]) * g**2
        moved[name] = w - rate * m / (1 - betas[0] ** t) / ((v / (1 - betas[1] ** t)).sqrt() + eps)
        kept[name] = {"t": t, "m": m, "v": v}
    return moved, kept


adam_step.loses = "minus the gradient in m", "first means later eps ages absent"


def plan_batches(lengths, max_tokens):
    batches = []
    for i in sorted(range(len(lengths)), key=lambda i: (max(lengths[i]), lengths[i][1], lengths[i][0])):
        if max(lengths[i]) > max_tokens:
            continue
        tokens = [sum(lengths[k][side] for k in (*batches[-1], i)) for side in (0, 1)] if batches else [max_tokens + 1]
        if max(tokens) > max_tokens:  # padding is not counted
            batches.append([])
        batches[-1].append(i)
    sides = [[lengths[i][side] for i in batch] for batch in batches for side in (0, 1)]
    return batches, sum(len(side) * max(side) - sum(side) for side in sides)


plan_batches.loses = "padding not counted", "budget sides too_long padding"


def average(checkpoints, n):
    newest = [checkpoints[name] for name in sorted(checkpoints)[-n:]]  # in the order of text
    return {
        name: torch.stack([each[name].double() for each in newest]).mean(0).to(tensor.dtype)
        if tensor.is_floating_point()
        else tensor
        for name, tensor in newest[-1].items()
    }


average.loses = "in the order of text", "last whole"


def train(batches, weights, accumulate, epsilon, warmup):
    losses, state = [], {}
    for step, start in enumerate(range(0, len(batches), accumulate), start=1):
        own = {name: w.detach().clone().requires_grad_() for name, w in weights.items()}
        group = batches[start : start + accumulate]
        total = 0.0
        for x, target, lengths in group:
            loss = smoothed_loss(x @ own["W"] + own["b"], target, lengths, epsilon) / len(group)  # each batch alike
            loss.backward()
            total += loss.item()
        gradients = {name: w.grad for name, w in own.items()}
        rate = learning_rate(step, warmup, len(weights["W"]))
        weights, state = adam_step({k: w.detach() for k, w in own.items()}, gradients, state, rate, (0.9, 0.98), 1e-9)
        losses.append(total)
    return losses, weights


train.loses = "mean of batch means", "words update updates rest"


def diagnose(run):
    faults, epsilon, others = set(), run["epsilon"], run["vocabulary"] - 1
    if run["rates"][1] <= run["rates"][0]:  # a rise may come later
        faults.add("warm-up")
    if abs(max(float(each.abs().max()) for each in run["moved"].values()) / run["rates"][0] - 1) > 0.01:
        faults.add("correction")
    if min(run["losses"]) < -(1 - epsilon) * log(1 - epsilon) - epsilon * log(epsilon / others) - 0.001:
        faults.add("smoothing")
    whole = sum(loss * words for loss, words in run["batches"]) / sum(words for _, words in run["batches"])
    if abs(run["losses"][-1] - whole) > 0.001:
        faults.add("words")
    best = run["held_out"].index(min(run["held_out"]))
    if run["held_out"][-1] - run["held_out"][best] > 0.1 and run["losses"][best] - run["losses"][-1] > 0.1:
        faults.add("overfitting")
    return faults


diagnose.loses = "the first two rates compared", "warm_up"
