"""Problem set 4 solved with plain loops, number by number."""

import math

import torch


def multiplicative_score(s, h, U, V):
    sentences = []
    for b in range(len(s)):
        rows = []
        for i in range(s.shape[1]):
            row = []
            for j in range(h.shape[1]):
                row.append(torch.dot(U @ s[b, i], V @ h[b, j]))
            rows.append(torch.stack(row))
        sentences.append(torch.stack(rows))
    return torch.stack(sentences)


def additive_score(s, h, coverage, weights):
    sentences = []
    for b in range(len(s)):
        scores = []
        for j in range(h.shape[1]):
            sums = weights["W_1"] @ h[b, j] + weights["W_2"] @ s[b] + weights["w"] * coverage[b, j]
            scores.append(torch.dot(weights["v"], torch.tanh(sums)))
        sentences.append(torch.stack(scores))
    return torch.stack(sentences)


def masked_softmax(e, mask):
    weights = torch.zeros_like(e)
    for b in range(len(e)):
        real = [j for j in range(e.shape[2]) if mask[b, j]]
        if not real:
            continue
        for i in range(e.shape[1]):
            highest = e[b, i, real].max()
            total = 0
            for j in real:
                total = total + torch.exp(e[b, i, j] - highest)
            for j in real:
                weights[b, i, j] = torch.exp(e[b, i, j] - highest) / total
    return weights


def attentive_decoder(y, s, h, mask, weights):
    states = []
    attended = []
    for b in range(len(y)):
        real = h[b, mask[b]]
        state = s[b]
        coverage = torch.zeros(len(real), dtype=s.dtype)
        for i in range(y.shape[1]):
            e = additive_score(state[None], real[None], coverage[None], weights)
            α = masked_softmax(e[None], torch.ones(1, len(real), dtype=torch.bool))[0, 0]
            context = torch.zeros(h.shape[2], dtype=s.dtype)
            for j in range(len(real)):
                context = context + α[j] * real[j]
            state = torch.tanh(
                weights["W_y"] @ y[b, i] + weights["W_c"] @ context + weights["W_s"] @ state + weights["b"]
            )
            coverage = coverage + α
            states.append(state)
            row = torch.zeros(h.shape[1], dtype=s.dtype)
            row[mask[b]] = α
            attended.append(row)
    return torch.stack(states).view(len(y), y.shape[1], -1), torch.stack(attended).view(len(y), y.shape[1], -1)


def hard_alignment(weights, source, target):
    links = set()
    j = 0
    row = [0.0] * len(source)
    for piece, numbers in zip(target, weights.tolist(), strict=True):
        for place in range(len(source)):
            row[place] += numbers[place]
        if piece.endswith("</w>"):
            best, largest = None, row[-1]
            i = 0
            total = 0.0
            for place in range(len(source) - 1):
                total += row[place]
                if source[place].endswith("</w>"):
                    if total > largest:
                        best, largest = i, total
                    i += 1
                    total = 0.0
            if best is not None:
                links.add((best, j))
            j += 1
            row = [0.0] * len(source)
    return links


def alignment_error(sentences):
    above = 0
    below = 0
    for sentence in sentences:
        for link in hard_alignment(sentence["weights"], sentence["source"], sentence["target"]):
            below += 1
            if link in sentence["sure"]:
                above += 2
            elif link in sentence["possible"]:
                above += 1
        below += len(sentence["sure"])
    return 1 - above / below


def same(one, other):
    return math.isclose(one, other, abs_tol=1e-7)


def diagnose(weights, mask, h, context):
    weights, mask, h, context = weights.tolist(), mask.tolist(), h.tolist(), context.tolist()
    batch, steps, words, size = len(h), len(weights[0]), len(h[0]), len(h[0][0])
    faults = set()
    columns = True
    rows = True
    for b in range(batch):
        for j in range(words):
            column = [weights[b][i][j] for i in range(steps)]
            if mask[b][j] and not same(sum(column), 1):
                columns = False
            if not mask[b][j] and max(column) > 0:
                faults.add("unmasked")
        for i in range(steps):
            if not same(sum(weights[b][i]), 1):
                rows = False
    if columns:
        faults.add("axis")
    elif not rows:
        faults.add("late mask")
    for late in (0, 1):
        for other in (0, 1):
            right = True
            for b in range(batch):
                for i in range(steps):
                    for k in range(size):
                        c = 0.0
                        for j in range(words):
                            if i >= late:
                                c += weights[b][i - late][j] * h[b - other][j][k]
                        if not same(c, context[b][i][k]):
                            right = False
            if right and late:
                faults.add("step")
            if right and other:
                faults.add("sentence")
    return faults
