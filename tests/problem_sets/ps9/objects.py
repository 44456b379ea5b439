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


class ScoreFunction:
    def __init__(self):
        self.total, self.sums = 0, []

    def add(self, number):
        self.total += number
        self.sums.append(self.total)


def score_function(numbers):  # unwritten: solve score_function with a class.
    made = ScoreFunction()
    for number in numbers:
        made.add(number)
    return made.sums


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
