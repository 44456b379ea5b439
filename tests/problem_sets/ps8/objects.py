"""Problem set 8 with classes."""

import statistics
from collections import defaultdict

import torch


class ModifiedPrecision:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def modified_precision(numbers):  # unwritten: solve modified_precision with a class.
    made = ModifiedPrecision()
    for number in numbers:
        made.add(number)
    return made.sums


class BrevityPenalty:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def brevity_penalty(numbers):  # unwritten: solve brevity_penalty with a class.
    made = BrevityPenalty()
    for number in numbers:
        made.add(number)
    return made.sums


class CorpusBleu:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def corpus_bleu(numbers):  # unwritten: solve corpus_bleu with a class.
    made = CorpusBleu()
    for number in numbers:
        made.add(number)
    return made.sums


class Orders:
    """How many n-grams there are, and how many match."""

    def __init__(self):
        self.of = {n: [0, 0, 0] for n in range(1, 7)}

    def add(self, hypothesis, reference):
        for n, counts in self.of.items():
            one, other = (self.ngrams("".join(text.split()), n) for text in (hypothesis, reference))
            counts[0] += sum(one.values())
            counts[1] += sum(other.values())
            counts[2] += sum(min(count, other[gram]) for gram, count in one.items())

    @staticmethod
    def ngrams(text, n):
        found = defaultdict(int)
        for end in range(n, len(text) + 1):
            found[text[end - n : end]] += 1
        return found

    def mean(self, side):
        shares = [counts[2] / counts[side] for counts in self.of.values() if counts[0] and counts[1]]
        return statistics.fmean(shares) if shares else 0.0

    def score(self, beta):
        precision, recall = self.mean(0), self.mean(1)
        if not precision:
            return 0.0
        return 100 * (1 + beta**2) / (beta**2 / recall + 1 / precision)


def chrf(hypotheses, references, beta):
    orders = Orders()
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        orders.add(hypothesis, reference)
    return orders.score(beta)


class Side:
    def __init__(self, vectors, weights):
        self.directions = torch.nn.functional.normalize(vectors, dim=1)
        self.weights = weights

    def covered_by(self, other):
        best = torch.stack([torch.max(other.directions @ each) for each in self.directions])
        return torch.sum(best * self.weights) / torch.sum(self.weights)


def greedy_matching(candidate, reference, candidate_weights, reference_weights):
    ours, theirs = Side(candidate, candidate_weights), Side(reference, reference_weights)
    precision, recall = ours.covered_by(theirs), theirs.covered_by(ours)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both != 0 else torch.tensor(0.0)


class System:
    def __init__(self, segments):
        self.segments = segments

    def score(self, indices=None):
        chosen = self.segments if indices is None else [self.segments[k] for k in indices]
        matches, ngrams = (sum(column) for column in zip(*chosen, strict=True))
        return matches / ngrams


class Bootstrap:
    def __init__(self, a, b, drawn):
        self.difference = b.score() - a.score()
        self.differences = [b.score(indices) - a.score(indices) for indices in drawn]

    @property
    def wins(self):
        return statistics.mean(float(d > 0) for d in self.differences)

    @property
    def p(self):
        sizes = list(map(abs, self.differences))
        centred = [size - statistics.fmean(sizes) for size in sizes]
        return (1 + len([each for each in centred if each >= abs(self.difference)])) / (1 + len(sizes))


def bootstrap(a, b, drawn):
    test = Bootstrap(System(a), System(b), drawn)
    return test.differences, test.wins, test.p


class Raters:
    def __init__(self, first, second):
        self.labels = sorted({*first, *second})
        place = {label: k for k, label in enumerate(self.labels)}
        self.table = [[0] * len(place) for _ in place]
        for a, b in zip(first, second, strict=True):
            self.table[place[a]][place[b]] += 1
        self.n = len(first)
        self.rows = [sum(row) for row in self.table]
        self.columns = [sum(column) for column in zip(*self.table, strict=True)]

    def seen(self, distance):
        cells = (
            (a, b, n)
            for a, row in zip(self.labels, self.table, strict=True)
            for b, n in zip(self.labels, row, strict=True)
        )
        return sum(distance(a, b) * n for a, b, n in cells) / self.n

    def expected(self, distance):
        rows, columns = (list(zip(self.labels, each, strict=True)) for each in (self.rows, self.columns))
        return sum(distance(a, b) * m * n for a, m in rows for b, n in columns) / self.n**2

    def kappa(self, distance):
        if len(self.labels) == 1:
            return float("nan")
        return 1 - self.seen(distance) / self.expected(distance)


def agreement(first, second):
    raters = Raters(first, second)
    agrees, unequal = (lambda a, b: a == b), (lambda a, b: a != b)
    return (
        raters.seen(agrees),
        raters.expected(agrees),
        raters.kappa(unequal),
        raters.kappa(lambda a, b: (a - b) ** 2),
    )


class Diagnose:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def diagnose(numbers):  # unwritten: solve diagnose with a class.
    made = Diagnose()
    for number in numbers:
        made.add(number)
    return made.sums
