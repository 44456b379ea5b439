"""Problem set 8 with a real mistake in every function: what one student hands in."""

import math
from collections import Counter


def modified_precision(hypothesis, references, n):
    def count(tokens):
        return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    ours, theirs = count(hypothesis), sum(map(count, references), Counter())  # all references together
    return sum((ours & theirs).values()), sum(ours.values())


def brevity_penalty(lengths, reference_lengths):
    c, r = sum(lengths), 0
    for length, others in zip(lengths, reference_lengths, strict=True):
        r += min(others, key=lambda other: abs(other - length))  # the first of equals
    return 1.0 if c >= r else math.exp(1 - r / c) if c else 0.0


def corpus_bleu(hypotheses, references, N):
    scores = []
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        product = brevity_penalty([len(hypothesis)], [[len(each) for each in texts]]) ** N
        for n in range(1, N + 1):
            matched, total = modified_precision(hypothesis, texts, n)
            product *= matched / total if total else 0.0
        scores.append(100 * product ** (1 / N))
    return sum(scores) / len(scores)  # of sentences


def chrf(numbers):  # unwritten: make a real mistake in chrf.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def greedy_matching(numbers):  # unwritten: make a real mistake in greedy_matching.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def bootstrap(numbers):  # unwritten: make a real mistake in bootstrap.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def agreement(numbers):  # unwritten: make a real mistake in agreement.
    total, sums = 0, []
    for number in numbers:
        total += abs(number)
        sums.append(total)
    return sums


def diagnose(report):
    h, texts, faults = report["hypotheses"], report["references"], set()

    def count(form):
        every = [[[[*map(form, each)] for each in (one, *others)] for one, others in zip(h, texts, strict=True)]]
        return [sum(modified_precision(one, others, n)[0] for one, *others in every[0]) for n in (1, 2, 3, 4)]

    if any(m > right for m, right in zip(report["matched"], count(str), strict=True)):  # lower-casing does that, too
        faults.add("clipping")
    if report["matched"] == count(str.lower):
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
