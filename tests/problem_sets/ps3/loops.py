"""Problem set 3 solved with plain loops, sentence by sentence."""

import torch


def unit(x, h, weights):
    u = x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"]
    return u / (1 + u.abs())


def shift(pairs, pad, bos, eos, reverse):
    source = []
    target_in = []
    target_out = []
    for x, y in pairs:
        words = list(x)
        if reverse:
            words.reverse()
        source.append(words + [eos])
        target_in.append([bos] + list(y))
        target_out.append(list(y) + [eos])
    for rows in (source, target_in, target_out):
        longest = 0
        for row in rows:
            if len(row) > longest:
                longest = len(row)
        for row in rows:
            while len(row) < longest:
                row.append(pad)
    return torch.tensor(source), torch.tensor(target_in), torch.tensor(target_out)


def sequence_loss(logits, target, lengths):
    sums = []
    for b in range(len(logits)):
        total = 0
        for i in range(int(lengths[b])):
            z = logits[b, i]
            total = total + torch.logsumexp(z, dim=0) - z[target[b, i]]
        sums.append(total)
    sums = torch.stack(sums)
    return sums, sums.sum() / lengths.sum()


def encode(words, lengths, weights, reverse):
    E = weights["E"]
    batch, time = words.shape
    nothing = torch.zeros(len(weights["b_h"]), dtype=E.dtype)
    rows = []
    summaries = []
    for b in range(batch):
        n = int(lengths[b])
        row = [nothing] * time
        h = nothing
        for j in range(n - 1, -1, -1) if reverse else range(n):
            h = unit(E[words[b, j]], h, weights)
            row[j] = h
        rows.append(torch.stack(row))
        summaries.append(h)
    return torch.stack(rows), torch.stack(summaries)


def decoder_step(previous, s, c, weights):
    states = []
    logits = []
    for b in range(len(previous)):
        x = torch.cat([weights["E"][previous[b]], c[b]])
        state = unit(x, s[b], weights)
        t = torch.tanh(state @ weights["W_t"])
        states.append(state)
        logits.append(weights["E"] @ t + weights["b"])
    return torch.stack(states), torch.stack(logits)


def forced_scores(pairs, weights, bos, eos):
    longest = max(len(y) for _, y in pairs) + 1
    zero = torch.zeros((), dtype=weights["decoder"]["E"].dtype)
    rows = []
    scores = []
    for x, y in pairs:
        words = torch.tensor([[*x, eos]])
        _, c = encode(words, torch.tensor([len(x) + 1]), weights["encoder"], False)
        s = c
        previous = bos
        row = []
        for word in [*y, eos]:
            s, z = decoder_step(torch.tensor([previous]), s, c, weights["decoder"])
            row.append(torch.log_softmax(z[0], dim=0)[word])
            previous = word
        scores.append(sum(row))
        rows.append(torch.stack(row + [zero] * (longest - len(row))))
    return torch.stack(rows), torch.stack(scores)


def training_step(pairs, weights, bos, eos, rate, max_norm):
    mine = {}
    for part in weights:
        mine[part] = {}
        for name in weights[part]:
            mine[part][name] = weights[part][name].clone().requires_grad_()
    _, scores = forced_scores(pairs, mine, bos, eos)
    loss = -scores.sum() / sum(len(y) + 1 for _, y in pairs)
    loss.backward()
    squares = 0.0
    for part in mine:
        for name in mine[part]:
            squares += (mine[part][name].grad ** 2).sum().item()
    norm = squares**0.5
    factor = 1.0
    if norm > max_norm:
        factor = max_norm / norm
    updated = {}
    for part in mine:
        updated[part] = {}
        for name in mine[part]:
            gradient = factor * mine[part][name].grad
            updated[part][name] = weights[part][name] - rate * gradient
    return loss.item(), norm, updated


def differ(one, other):
    return any(abs(p - q) > 1e-9 for p, q in zip(one.tolist(), other.tolist(), strict=True))


def diagnose(base, changed, other, report):
    faults = set()
    moved = []
    for i in range(len(base["target"])):
        if differ(base["log_p"][i], changed["log_p"][i]):
            moved.append(i)
            if base["target"][i] != changed["target"][i]:
                faults.add("shift")
    if len(moved) == 0:
        faults.add("own words")
    if len(moved) == 1:
        faults.add("memory")
    if not differ(base["log_p"].flatten(), other["log_p"].flatten()):
        faults.add("source")
    total = 0.0
    words = 0
    for b in range(len(report["lengths"])):
        for i in range(int(report["lengths"][b])):
            total -= report["log_p"][b, i, report["target"][b, i]].item()
            words += 1
    if abs(report["loss"] - total / words) > 1e-9:
        faults.add("loss")
    return faults
