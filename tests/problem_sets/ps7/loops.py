"""Problem set 7 solved with plain loops."""

from math import log


def smoothed_loss(logits, target, lengths, epsilon):
    losses = []
    for z, y, length in zip(logits, target, lengths.tolist(), strict=True):
        for t in range(length):
            log_p = z[t] - z[t].logsumexp(0)
            loss = -(1 - epsilon) * log_p[y[t]]
            for v in range(len(log_p)):
                if v != y[t]:
                    loss = loss - epsilon / (len(log_p) - 1) * log_p[v]
            losses.append(loss)
    return sum(losses) / len(losses)


def learning_rate(step, warmup, d_model):
    peak = 1 / (d_model * warmup) ** 0.5
    if step < warmup:
        return peak * step / warmup
    return peak * (warmup / step) ** 0.5


def adam_step(weights, gradients, state, rate, betas, eps):
    moved, kept = {}, {}
    for name, w in weights.items():
        if name not in gradients:
            moved[name] = w
            if name in state:
                kept[name] = state[name]
            continue
        g, t, m, v = gradients[name], 0, 0, 0
        if name in state:
            t, m, v = state[name]["t"], state[name]["m"], state[name]["v"]
        t = t + 1
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g * g
        m_hat = m / (1 - betas[0] ** t)
        v_hat = v / (1 - betas[1] ** t)
        moved[name] = w - rate * m_hat / (v_hat**0.5 + eps)
        kept[name] = {"t": t, "m": m, "v": v}
    return moved, kept


def plan_batches(lengths, max_tokens):
    order = []
    for i, (source, target) in enumerate(lengths):
        if source <= max_tokens and target <= max_tokens:
            order.append((max(source, target), target, source, i))
    order.sort()
    batches, batch = [], []
    for longer, _, _, i in order:
        if (len(batch) + 1) * longer > max_tokens:
            batches.append(batch)
            batch = []
        batch.append(i)
    if batch:
        batches.append(batch)
    padding = 0
    for batch in batches:
        longest = [max(lengths[i][side] for i in batch) for side in (0, 1)]
        for i in batch:
            padding += longest[0] - lengths[i][0]
            padding += longest[1] - lengths[i][1]
    return batches, padding


def average(checkpoints, n):
    steps = sorted(int(name.split("_")[1]) for name in checkpoints)[-n:]
    newest = checkpoints[f"step_{steps[-1]}"]
    mean = {}
    for name, tensor in newest.items():
        if tensor.is_floating_point():
            total = 0.0
            for step in steps:
                total = total + checkpoints[f"step_{step}"][name].double()
            mean[name] = (total / len(steps)).to(tensor.dtype)
        else:
            mean[name] = tensor
    return mean


def train(batches, weights, accumulate, epsilon, warmup):
    losses, state, step, start = [], {}, 0, 0
    while start < len(batches):
        step += 1
        own = {name: w.detach().clone().requires_grad_() for name, w in weights.items()}
        total, words = 0.0, 0
        for x, target, lengths in batches[start : start + accumulate]:
            n = int(lengths.sum())
            loss = smoothed_loss(x @ own["W"] + own["b"], target, lengths, epsilon) * n
            loss.backward()  # adds to the gradients of the batches before
            total, words = total + loss.item(), words + n
        gradients = {name: w.grad / words for name, w in own.items()}
        rate = learning_rate(step, warmup, len(weights["W"]))
        weights, state = adam_step(
            {name: w.detach() for name, w in own.items()}, gradients, state, rate, (0.9, 0.98), 1e-9
        )
        losses.append(total / words)
        start += accumulate
    return losses, weights


def diagnose(run):
    faults = {"warm-up"}
    for rate in run["rates"]:
        if rate > run["rates"][0]:
            faults.discard("warm-up")
    for each in run["moved"].values():
        for number in each.flatten().tolist():
            if number != 0 and abs(abs(number) - run["rates"][0]) > 0.01 * run["rates"][0]:
                faults.add("correction")
    epsilon, others = run["epsilon"], run["vocabulary"] - 1
    floor = -(1 - epsilon) * log(1 - epsilon) - epsilon * log(epsilon / others)
    for loss in run["losses"]:
        if loss < floor - 0.001:
            faults.add("smoothing")
    total, words = 0.0, 0
    for loss, n in run["batches"]:
        total, words = total + loss * n, words + n
    if abs(total / words - run["losses"][-1]) > 0.001:
        faults.add("words")
    best = 0
    for k, loss in enumerate(run["held_out"]):
        if loss < run["held_out"][best]:
            best = k
    if run["held_out"][-1] > run["held_out"][best] + 0.1 and run["losses"][-1] < run["losses"][best] - 0.1:
        faults.add("overfitting")
    return faults
