"""Problem set 8 with a real mistake in every function: what one student hands in."""

import math
from collections import Counter


def modified_precision(hypothesis, references, n):
    def count(tokens):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    ours, theirs = count(hypothesis), sum(map(count, references), Counter())  # all references together
    return sum((ours & theirs).values()), sum(ours.values())


modified_precision.loses = "counts of all references added", "references"


def brevity_penalty(lengths, reference_lengths):
    c, r = sum(lengths), 0
    for length, others in zip(lengths, reference_lengths, strict=True):
        r += min(others, key=lambda other: abs(other - length))  # the first of equals
    return 1.0 if c >= r else math.exp(1 - r / c) if c else 0.0


brevity_penalty.loses = "the first of equally close ones", "ties"


def corpus_bleu(hypotheses, references, N):
    scores = []
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        product = brevity_penalty([len(hypothesis)], [[len(each) for each in texts]]) ** N
        for n in range(1, N + 1):
            matched, total = modified_precision(hypothesis, texts, n)
            product *= matched / total if total else 0.0
        scores.append(100 * product ** (1 / N))
    return sum(scores) / len(scores)  # of sentences


corpus_bleu.loses = "the mean of the sentences scores", "corpus references zero"


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


chrf.loses = "sentences joined", "corpus"


def greedy_matching(candidate, reference, candidate_weights, reference_weights):
    similarity = candidate @ reference.T  # not divided by the lengths
    precision = similarity.max(1).values @ candidate_weights / candidate_weights.sum()
    recall = similarity.max(0).values @ reference_weights / reference_weights.sum()
    f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return float(precision), float(recall), float(f)


greedy_matching.loses = "dot products", "cosine"


def bootstrap(a, b, drawn):
    def score(segments, indices):
        return sum(segments[k][0] / segments[k][1] for k in indices) / len(indices)  # the mean of the sentences

    differences = [score(b, indices) - score(a, indices) for indices in drawn]
    d = score(b, range(len(b))) - score(a, range(len(a)))
    mean = sum(map(abs, differences)) / len(differences)
    wins = sum(each > 0 for each in differences) / len(differences)
    return differences, wins, (sum(abs(each) - mean >= abs(d) for each in differences) + 1) / (len(differences) + 1)


bootstrap.loses = "mean of ratios", "sums"


def agreement(first, second):
    n, both = len(first), first + second
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    chance = sum((both.count(c) / len(both)) ** 2 for c in set(both))  # one distribution for both
    distance = sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / n
    expected = sum((a - b) ** 2 for a in first for b in second) / n**2
    if expected == 0:
        return observed, chance, float("nan"), float("nan")
    return observed, chance, (observed - chance) / (1 - chance), 1 - distance / expected


agreement.loses = "one distribution for both", "chance"


def diagnose(report):
    h, texts, faults = report["hypotheses"], report["references"], set()

    def count(limit, form):
        sums = [0, 0, 0, 0]
        for one, others in zip(h, texts, strict=True):
            for n in range(4):
                ours, *theirs = (
                    Counter(tuple(form(word) for word in each[i : i + n + 1]) for i in range(len(each) - n))
                    for each in (one, *others)
                )
                sums[n] += sum(min(times, limit([each[gram] for each in theirs])) for gram, times in ours.items())
        return sums

    ways = [(limit, form) for limit in (max, sum, lambda counts: 999 * any(counts)) for form in (str, str.lower)]
    limit, form = next(way for way in ways if count(*way) == report["matched"])
    if limit is not max:
        faults.add("clipping")
    if form is str.lower:
        faults.add("case")
    c = sum(map(len, h))
    r = sum(min(map(len, others), key=lambda r: (abs(r - len(one)), r)) for one, others in zip(h, texts, strict=True))
    if report["total"][0] != c:
        faults.add("exchanged")
    elif report["r"] != r:
        faults.add("length")
    if abs(report["bp"] - brevity_penalty([c], [[r]])) > 0.01:  # not the lengths that are printed
        faults.add("brevity")
    p = math.prod(m / t for m, t in zip(report["matched"], report["total"], strict=True)) ** 0.25
    if abs(report["score"] - 100 * report["bp"] * p) > 0.5:
        faults.add("score")
    return faults


diagnose.loses = "the right penalty wanted", "brevity several"
