"""Problem set 8 as most students write it: loops and lists."""

import math


def _grams(tokens, n):
    found = []
    for i in range(len(tokens) - n + 1):
        found.append(tuple(tokens[i : i + n]))
    return found


def modified_precision(hypothesis, references, n):
    limits = {}
    for each in references:
        counts = {}
        for gram in _grams(each, n):
            counts[gram] = counts.get(gram, 0) + 1
        for gram, count in counts.items():
            if gram not in limits or count > limits[gram]:
                limits[gram] = count
    matched = 0
    grams = _grams(hypothesis, n)
    for gram in grams:
        if gram in limits and limits[gram] > 0:
            matched += 1
            limits[gram] -= 1
    return matched, len(grams)


def brevity_penalty(lengths, reference_lengths):
    r = 0
    for length, others in zip(lengths, reference_lengths, strict=True):
        closest = others[0]
        for other in others:
            nearer = abs(closest - length) - abs(other - length)
            if nearer > 0 or nearer == 0 and other < closest:
                closest = other
        r += closest
    c = sum(lengths)
    if c == 0:
        return 0
    if c >= r:
        return 1
    return math.exp(1 - r / c)


def corpus_bleu(hypotheses, references, N):
    logarithms = 0.0
    for n in range(1, N + 1):
        matched, total = 0, 0
        for k in range(len(hypotheses)):
            m, t = modified_precision(hypotheses[k], references[k], n)
            matched += m
            total += t
        if matched == 0:
            return 0.0
        logarithms += math.log(matched / total)
    lengths, reference_lengths = [], []
    for k in range(len(hypotheses)):
        lengths.append(len(hypotheses[k]))
        reference_lengths.append([len(each) for each in references[k]])
    return 100 * brevity_penalty(lengths, reference_lengths) * math.exp(logarithms / N)


def chrf(hypotheses, references, beta):
    precision_sum, recall_sum, orders = 0.0, 0.0, 0
    for n in range(1, 7):
        hypothesis_total = reference_total = matches = 0
        for hypothesis, reference in zip(hypotheses, references, strict=True):
            left = {}
            letters = [c for c in reference if not c.isspace()]
            for i in range(len(letters) - n + 1):
                gram = tuple(letters[i : i + n])
                left[gram] = left.get(gram, 0) + 1
                reference_total += 1
            letters = [c for c in hypothesis if not c.isspace()]
            for i in range(len(letters) - n + 1):
                gram = tuple(letters[i : i + n])
                hypothesis_total += 1
                if left.get(gram, 0) > 0:
                    left[gram] -= 1
                    matches += 1
        if hypothesis_total > 0 and reference_total > 0:
            precision_sum += matches / hypothesis_total
            recall_sum += matches / reference_total
            orders += 1
    if precision_sum == 0:
        return 0
    precision, recall = precision_sum / orders, recall_sum / orders
    return 100 * (1 + beta**2) * precision * recall / (beta**2 * precision + recall)


def greedy_matching(candidate, reference, candidate_weights, reference_weights):
    def cosine(x, y):
        dot = xx = yy = 0.0
        for i in range(len(x)):
            dot += x[i] * y[i]
            xx += x[i] ** 2
            yy += y[i] ** 2
        return dot / math.sqrt(xx) / math.sqrt(yy)

    def side(pieces, weights, others):
        total = 0.0
        for piece, weight in zip(pieces, weights, strict=True):
            best = -2.0
            for other in others:
                best = max(best, cosine(piece, other))
            total += weight * best
        return total / sum(weights)

    ours, theirs = candidate.tolist(), reference.tolist()
    precision = side(ours, candidate_weights.tolist(), theirs)
    recall = side(theirs, reference_weights.tolist(), ours)
    if precision == 0 and recall == 0:
        return 0.0, 0.0, 0.0
    return precision, recall, 2 * precision * recall / (precision + recall)


def bootstrap(a, b, drawn):
    differences = []
    for indices in drawn:
        sums = [0, 0, 0, 0]
        for k in indices:
            sums[0] += a[k][0]
            sums[1] += a[k][1]
            sums[2] += b[k][0]
            sums[3] += b[k][1]
        differences.append(sums[2] / sums[3] - sums[0] / sums[1])
    sums = [0, 0, 0, 0]
    for k in range(len(a)):
        sums[0] += a[k][0]
        sums[1] += a[k][1]
        sums[2] += b[k][0]
        sums[3] += b[k][1]
    d = abs(sums[2] / sums[3] - sums[0] / sums[1])
    wins, mean = 0, 0.0
    for difference in differences:
        if difference > 0:
            wins += 1
        mean += abs(difference) / len(differences)
    extreme = 1
    for difference in differences:
        if abs(difference) - mean >= d:
            extreme += 1
    return differences, wins / len(differences), extreme / (len(differences) + 1)


def agreement(first, second):
    n = len(first)
    same = 0
    distance = 0
    for k in range(n):
        if first[k] == second[k]:
            same += 1
        distance += (first[k] - second[k]) ** 2
    chance = 0.0
    expected = 0.0
    for c in range(min(first + second), max(first + second) + 1):
        chance += first.count(c) / n * second.count(c) / n
        for e in range(min(first + second), max(first + second) + 1):
            expected += (c - e) ** 2 * first.count(c) / n * second.count(e) / n
    kappa = weighted = float("nan")
    if expected > 0:
        kappa = (same / n - chance) / (1 - chance)
        weighted = 1 - distance / n / expected
    return same / n, chance, kappa, weighted


def _lower(sentence):
    return [word.lower() for word in sentence]


def _matches(report, n, way, fold):
    """The matches of order n: clipped ("right"), clipped by the sum ("sum"), or not clipped ("none")."""
    matched = 0
    for hypothesis, texts in zip(report["hypotheses"], report["references"], strict=True):
        if fold:
            hypothesis, texts = _lower(hypothesis), [_lower(text) for text in texts]
        if way == "right":
            matched += modified_precision(hypothesis, texts, n)[0]
            continue
        grams = _grams(hypothesis, n)
        in_all = [gram for text in texts for gram in _grams(text, n)]
        for gram in set(grams):
            if way == "sum":
                matched += min(grams.count(gram), in_all.count(gram))
            elif gram in in_all:
                matched += grams.count(gram)
    return matched


def diagnose(report):
    faults = set()
    hypotheses, references = report["hypotheses"], report["references"]
    explained = []
    for way in ("right", "sum", "none"):
        for fold in (False, True):
            counts = []
            for n in (1, 2, 3, 4):
                counts.append(_matches(report, n, way, fold))
            if counts == report["matched"]:
                explained.append((way, fold))
    way, fold = explained[0]
    if way != "right":
        faults.add("clipping")
    if fold:
        faults.add("case")
    c, r = 0, 0
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        c += len(hypothesis)
        lengths = sorted(len(text) for text in texts)
        distances = [abs(length - len(hypothesis)) for length in lengths]
        r += lengths[distances.index(min(distances))]
    if report["total"][0] != c:
        faults.add("exchanged")
    elif report["r"] != r:
        faults.add("length")
    ratio = report["r"] / report["total"][0]
    penalty = 1.0 if ratio <= 1 else math.exp(1 - ratio)
    if abs(penalty - report["bp"]) > 0.001:
        faults.add("brevity")
    score = 100 * report["bp"]
    for matched, total in zip(report["matched"], report["total"], strict=True):
        score *= (matched / total) ** 0.25
    if abs(score - report["score"]) > 0.1:
        faults.add("score")
    return faults
