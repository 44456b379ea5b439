"""Problem set 8 with classes."""


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
