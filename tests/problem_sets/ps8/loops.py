"""Problem set 8 as most students write it: loops and lists."""

import math


def modified_precision(numbers):  # unwritten: solve modified_precision with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def brevity_penalty(numbers):  # unwritten: solve brevity_penalty with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


def corpus_bleu(numbers):  # unwritten: solve corpus_bleu with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums


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


def diagnose(numbers):  # unwritten: solve diagnose with loops and lists.
    total, sums = 0, []
    for number in numbers:
        total += number
        sums.append(total)
    return sums
