"""Problem set 8 with expressions and the standard library, without assignments."""

import re
from collections import Counter
from itertools import repeat
from math import exp, log, prod
from statistics import fmean

import numpy as np
import torch


def _grams(tokens, n):
    return list(zip(*(tokens[k:] for k in range(n)), strict=False))


def modified_precision(hypothesis, references, n):
    ours, theirs = _grams(hypothesis, n), [_grams(each, n) for each in references]
    return sum(min(ours.count(g), max(each.count(g) for each in theirs)) for g in set(ours)), len(ours)


def brevity_penalty(lengths, reference_lengths):
    pairs = zip(lengths, reference_lengths, strict=True)
    c, r = sum(lengths), sum(sorted(others, key=lambda r: (abs(r - c), r))[0] for c, others in pairs)
    return c and exp(min(0.0, 1 - r / c))


def corpus_bleu(hypotheses, references, N):
    every = [map(modified_precision, hypotheses, references, repeat(n)) for n in range(1, N + 1)]
    matched, total = zip(*(map(sum, zip(*each, strict=True)) for each in every), strict=True)
    BP = brevity_penalty([*map(len, hypotheses)], [[*map(len, each)] for each in references])
    return 100 * BP * exp(fmean(map(log, matched)) - fmean(map(log, total))) if all(matched) else 0.0


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


def _counts(report, fold, limit):
    form = [str, str.lower][fold]
    cut = lambda tokens, n: _grams([*map(form, tokens)], n)  # noqa: E731
    return [
        sum(
            min(cut(h, n).count(g), limit([cut(r, n).count(g) for r in texts]))
            for h, texts in zip(report["hypotheses"], report["references"], strict=True)
            for g in set(cut(h, n))
        )
        for n in (1, 2, 3, 4)
    ]


def _counting(report):
    """How it counted: lower-cased or not, clipped or not; right clipping and words as they are come first."""
    limits = max, sum, lambda counts: 10**9 * any(counts)
    return next(
        (fold, limit is not max)
        for limit in limits
        for fold in (False, True)
        if _counts(report, fold, limit) == report["matched"]
    )


def diagnose(report):
    h, c = report["hypotheses"], report["total"][0]
    r = sum(
        min(map(len, texts), key=lambda r: (abs(r - len(one)), r))
        for one, texts in zip(h, report["references"], strict=True)
    )
    case, clipping = _counting(report)
    exchanged = c != sum(map(len, h))
    p = [m / t for m, t in zip(report["matched"], report["total"], strict=True)]
    found = {
        "exchanged": exchanged,
        "clipping": clipping,
        "case": case,
        "length": not exchanged and r != report["r"],
        "brevity": abs(report["bp"] - brevity_penalty([c], [[report["r"]]])) > 0.015,
        "score": abs(report["score"] / 100 - report["bp"] * prod(p) ** 0.25) > 0.002,
    }
    return {fault for fault, there in found.items() if there}
