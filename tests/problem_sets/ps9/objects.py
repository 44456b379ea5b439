"""Problem set 9 with classes."""


class ResidualStack:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def residual_stack(numbers):  # unwritten: solve residual_stack with a class.
    made = ResidualStack()
    for number in numbers:
        made.add(number)
    return made.sums


class PreNormLayer:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def pre_norm_layer(numbers):  # unwritten: solve pre_norm_layer with a class.
    made = PreNormLayer()
    for number in numbers:
        made.add(number)
    return made.sums


class LayerCombination:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def layer_combination(numbers):  # unwritten: solve layer_combination with a class.
    made = LayerCombination()
    for number in numbers:
        made.add(number)
    return made.sums


class TopKGating:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def top_k_gating(numbers):  # unwritten: solve top_k_gating with a class.
    made = TopKGating()
    for number in numbers:
        made.add(number)
    return made.sums


class Sample:
    """One output: its log p and its reward."""

    def __init__(self, log_p, length, reward):
        self.log_p = log_p[:length].sum()
        self.reward = reward.detach()

    def pushed(self, b):
        return (self.reward - b) * self.log_p


class Drawn(list):
    """The samples of a sentence."""

    def baseline(self, own, kind):
        others = [each.reward for each in self if each is not own]
        return sum(others) / len(others) if kind == "others" else 0

    def total(self, kind):
        return sum(each.pushed(self.baseline(each, kind)) for each in self)


def score_function(log_p, lengths, rewards, baseline):
    batch = [Drawn(map(Sample, *rows)) for rows in zip(log_p, lengths, rewards, strict=True)]
    return -sum(each.total(baseline) for each in batch) / sum(map(len, batch))


class MinimumRisk:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def minimum_risk(numbers):  # unwritten: solve minimum_risk with a class.
    made = MinimumRisk()
    for number in numbers:
        made.add(number)
    return made.sums


class PosUnk:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def pos_unk(numbers):  # unwritten: solve pos_unk with a class.
    made = PosUnk()
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
