"""Problem set 8 with a real mistake in every function: what one student hands in."""

from collections import Counter


def modified_precision(numbers):  # unwritten: make a real mistake in modified_precision.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def brevity_penalty(numbers):  # unwritten: make a real mistake in brevity_penalty.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def corpus_bleu(numbers):  # unwritten: make a real mistake in corpus_bleu.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def chrf(hypotheses, references, beta):
    def score(hypothesis, reference):
        shares = []
        for n in range(1, 7):
            h, r = (Counter(t[i : i + n] for i in range(len(t) - n + 1)) for t in (hypothesis, reference))
            if h and r:
                matches = (h & r).total()
                shares.append((matches / h.total(), matches / r.total()))
        precision, recall = (sum(each) / len(shares) for each in zip(*shares, strict=True)) if shares else (0, 0)
        if not precision:
            return 0.0
        return 100 * (1 + beta**2) * precision * recall / (beta**2 * precision + recall)

    return score("".join("".join(hypotheses).split()), "".join("".join(references).split()))  # one text of all


def greedy_matching(candidate, reference, candidate_weights, reference_weights):
    similarity = candidate @ reference.T  # not divided by the lengths
    precision = similarity.max(1).values @ candidate_weights / candidate_weights.sum()
    recall = similarity.max(0).values @ reference_weights / reference_weights.sum()
    f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(precision), float(recall), float(f)


def bootstrap(a, b, drawn):
    def score(segments, indices):
        return sum(segments[k][0] / segments[k][1] for k in indices) / len(indices)  # the mean of the sentences

    differences = [score(b, indices) - score(a, indices) for indices in drawn]
    d = score(b, range(len(b))) - score(a, range(len(a)))
    mean = sum(map(abs, differences)) / len(differences)
    wins = sum(each > 0 for each in differences) / len(differences)
    return differences, wins, (sum(abs(each) - mean >= abs(d) for each in differences) + 1) / (len(differences) + 1)


def agreement(first, second):
    n, both = len(first), first + second
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum((both.count(c) / len(both)) ** 2 for c in set(both))  # one distribution for both
    distance = sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / n
    expected = sum((a - b) ** 2 for a in first for b in second) / n**2
    if expected == 0:
        return observed, chance, float("nan"), float("nan")
    return observed, chance, (observed - chance) / (1 - chance), 1 - distance / expected


def diagnose(numbers):  # unwritten: make a real mistake in diagnose.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums
