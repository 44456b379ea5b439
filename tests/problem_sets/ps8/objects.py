"""Problem set 8 with classes."""

import math
import statistics
from collections import Counter, defaultdict
from fractions import Fraction

import torch


class Grams(Counter):
    """How often each n-gram stands in a text."""

    def __init__(self, tokens, n):
        super().__init__(" ".join(tokens[i : i + n]) for i in range(len(tokens) - n + 1))

    def clipped_by(self, others):
        most = Counter()
        for each in others:
            most |= each
        return self & most


def modified_precision(hypothesis, references, n):
    ours = Grams(hypothesis, n)
    matched = ours.clipped_by([Grams(each, n) for each in references])
    return [sum(matched.values()), sum(ours.values())]


class Lengths:
    def __init__(self):
        self.c = self.r = 0

    def add(self, length, others):
        self.c += length
        self.r += min((abs(other - length), other) for other in others)[1]

    @property
    def penalty(self):
        if self.c == 0:
            return 0.0
        return min(1.0, math.exp(1 - self.r / self.c))


def brevity_penalty(lengths, reference_lengths):
    corpus = Lengths()
    for length, others in zip(lengths, reference_lengths, strict=True):
        corpus.add(length, others)
    return corpus.penalty


class Bleu:
    def __init__(self, N):
        self.N = N
        self.matched, self.total = Counter(), Counter()
        self.lengths = Lengths()

    def add(self, hypothesis, references):
        self.lengths.add(len(hypothesis), [len(each) for each in references])
        for n in range(1, self.N + 1):
            matched, total = modified_precision(hypothesis, references, n)
            self.matched[n] += matched
            self.total[n] += total

    @property
    def score(self):
        product = 1
        for n in range(1, self.N + 1):
            product *= Fraction(self.matched[n], self.total[n] or 1)
        return 100 * self.lengths.penalty * float(product) ** (1 / self.N)


def corpus_bleu(hypotheses, references, N):
    corpus = Bleu(N)
    for hypothesis, texts in zip(hypotheses, references, strict=True):
        corpus.add(hypothesis, texts)
    return corpus.score


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


class Script:
    """A script that computes BLEU, of which we have what it printed."""

    def __init__(self, report):
        vars(self).update(report)
        self.pairs = list(zip(self.hypotheses, self.references, strict=True))

    def counts(self, fold, join):
        """The matches of four orders; `join` makes one Counter of those of the references."""
        sums = [0, 0, 0, 0]
        for hypothesis, texts in self.pairs:
            words = [[word.lower() if fold else word for word in text] for text in (hypothesis, *texts)]
            for n in range(4):
                ours, *theirs = (Grams(each, n + 1) for each in words)
                most = join(theirs)
                sums[n] += sum(min(ours[gram], most[gram]) for gram in ours)
        return sums

    @staticmethod
    def most(counters):
        joined = Counter()
        for each in counters:
            joined |= each
        return joined

    @staticmethod
    def together(counters):
        return sum(counters, Counter())

    @staticmethod
    def unlimited(counters):
        return Counter({gram: 1000 for each in counters for gram in each})

    def faults(self):
        right = [self.counts(fold, self.most) for fold in (False, True)]
        loose = [[self.counts(fold, join) for join in (self.together, self.unlimited)] for fold in (False, True)]
        if self.matched not in right:
            yield "clipping"
        if self.matched == right[1] or self.matched in loose[1] and self.matched != right[0]:
            yield "case"
        true = Lengths()
        for hypothesis, texts in self.pairs:
            true.add(len(hypothesis), [len(each) for each in texts])
        if self.total[0] != true.c:
            yield "exchanged"
        elif self.r != true.r:
            yield "length"
        printed = Lengths()
        printed.add(self.total[0], [self.r])
        if abs(printed.penalty - self.bp) > 0.01:
            yield "brevity"
        product = math.prod(Fraction(m, t) for m, t in zip(self.matched, self.total, strict=True))
        if not math.isclose(self.score, 100 * self.bp * float(product) ** 0.25, abs_tol=0.2):
            yield "score"


def diagnose(report):
    return set(Script(report).faults())
