"""Problem set 8 with expressions and the standard library, without assignments."""

import re
from collections import Counter

import numpy as np
import torch


def modified_precision(numbers):  # unwritten: solve modified_precision without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def brevity_penalty(numbers):  # unwritten: solve brevity_penalty without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def corpus_bleu(numbers):  # unwritten: solve corpus_bleu without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]


def chrf(hypotheses, references, beta):
    def grams(text, n):
        return Counter(map("".join, zip(*(list(re.sub(r"\s", "", text))[i:] for i in range(n)), strict=False)))

    def counts(n):
        return np.sum(
            [
                [h.total(), r.total(), (h & r).total()]
                for h, r in ((grams(h, n), grams(r, n)) for h, r in zip(hypotheses, references, strict=True))
            ],
            axis=0,
        )

    shares = [(m / h, m / r) for h, r, m in map(counts, range(1, 7)) if h * r > 0]
    precision, recall = np.mean(shares or [(0, 0)], axis=0)
    return float(100 * (1 + beta**2) * precision * recall / ((beta**2 * precision + recall) or 1))


def greedy_matching(candidate, reference, candidate_weights, reference_weights):
    cosines = torch.cosine_similarity(candidate[:, None], reference[None], dim=-1)
    precision = torch.dot(cosines.amax(1), candidate_weights / candidate_weights.sum())
    recall = torch.dot(cosines.amax(0), reference_weights / reference_weights.sum())
    return precision, recall, torch.nan_to_num(2 * precision * recall / (precision + recall), nan=0.0)


def bootstrap(a, b, drawn):
    def scores(segments, indices):
        return np.divide(*np.array(segments)[indices].sum(-2).T)

    indices = np.array(drawn)
    differences = scores(b, indices) - scores(a, indices)
    sizes, d = np.abs(differences), abs(scores(b, np.arange(len(a))) - scores(a, np.arange(len(a))))
    p = (np.count_nonzero(sizes - sizes.mean() >= d) + 1) / (len(drawn) + 1)
    return differences.tolist(), float(np.mean(differences > 0)), p


def agreement(first, second):
    x, y = np.array(first), np.array(second)
    observed, chance = np.mean(x == y), np.mean(x[:, None] == y)
    expected = np.mean((x[:, None] - y) ** 2)
    if expected == 0:
        return float(observed), float(chance), np.nan, np.nan
    kappa = (observed - chance) / (1 - chance)
    return tuple(map(float, (observed, chance, kappa, 1 - np.mean((x - y) ** 2) / expected)))


def diagnose(numbers):  # unwritten: solve diagnose without assignments.
    return [sum(numbers[: i + 1]) for i in range(len(numbers))]
