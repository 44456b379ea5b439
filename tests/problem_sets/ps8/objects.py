"""Problem set 8 with classes."""

import math
from collections import Counter
from fractions import Fraction


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


class Chrf:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def chrf(numbers):  # unwritten: solve chrf with a class.
    made = Chrf()
    for number in numbers:
        made.add(number)
    return made.sums


class GreedyMatching:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def greedy_matching(numbers):  # unwritten: solve greedy_matching with a class.
    made = GreedyMatching()
    for number in numbers:
        made.add(number)
    return made.sums


class Bootstrap:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def bootstrap(numbers):  # unwritten: solve bootstrap with a class.
    made = Bootstrap()
    for number in numbers:
        made.add(number)
    return made.sums


class Agreement:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def agreement(numbers):  # unwritten: solve agreement with a class.
    made = Agreement()
    for number in numbers:
        made.add(number)
    return made.sums


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
