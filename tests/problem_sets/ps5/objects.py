"""Problem set 5 solved with small classes."""

import math
from dataclasses import dataclass

EOS = 0


@dataclass
class Hypothesis:
    """Words and their log-probability."""

    words: tuple
    score: float


def pair(hypothesis):
    return hypothesis.words, hypothesis.score


def is_finished(hypothesis):
    return hypothesis.words[-1:] == (EOS,)


def followed(hypothesis, model):
    return [
        Hypothesis(hypothesis.words + (word,), hypothesis.score + log_p)
        for word, log_p in enumerate(model[hypothesis.words])
        if not math.isinf(log_p)
    ]


def normalised(hypothesis, alpha, length):
    return hypothesis.score / length**alpha


def greedy(model, max_length):
    current = Hypothesis((), 0.0)
    while not is_finished(current) and len(current.words) < max_length:
        log_probs = model[current.words]
        word = log_probs.index(max(log_probs))
        current = Hypothesis((*current.words, word), current.score + log_probs[word])
    return pair(current)


def beam_step(model, live, k):
    following = [each for words, score in live for each in followed(Hypothesis(words, score), model)]
    following.sort(key=lambda each: each.score, reverse=True)
    going = [pair(each) for each in following if not is_finished(each)]
    return going[:k], [pair(each) for each in following[:k] if is_finished(each)]


class Penalty:
    """How outputs of different length are compared."""

    def __init__(self, name, alpha):
        self.name, self.alpha = name, alpha

    def divisor(self, length):
        return math.pow(length if self.name == "power" else (length + 5) / 6, self.alpha)


def rank(hypotheses, penalty, alpha):
    by = Penalty(penalty, alpha)
    every = [Hypothesis(words, score) for words, score in hypotheses]
    done = [each for each in every if is_finished(each)]
    divided = [(each.words, each.score / by.divisor(len(each.words))) for each in done or every]
    return sorted(divided, key=lambda each: -each[1])


class Search:
    """A beam search as it goes on."""

    def __init__(self, model, k):
        self.model, self.k, self.live, self.outputs = model, k, [((), 0.0)], []

    def step(self):
        self.live, done = beam_step(self.model, self.live, self.k)
        self.outputs.extend(done)


def beam_search(model, k, max_length, enough):
    search, steps = Search(model, k), 0
    while steps < max_length and len(search.outputs) < enough and search.live:
        search.step()
        steps += 1
    return sorted(search.outputs or search.live, key=lambda each: -each[1])


def contenders(finished, live, n, max_length, alpha):
    reached = sorted(normalised(Hypothesis(*each), alpha, len(each[0])) for each in finished)
    reached.reverse()
    open_ = len(reached) < n
    return [each for each in live if open_ or normalised(Hypothesis(*each), alpha, max_length) > reached[n - 1]]


class Ensemble:
    """Several tables with a weight each."""

    def __init__(self, models, weights):
        self.members = [(model, math.log(weight)) for model, weight in zip(models, weights, strict=True)]

    def log_p(self, words, word):
        terms = [model[words][word] + log_weight for model, log_weight in self.members]
        top = max(terms)
        return top if math.isinf(top) else top + math.log(math.fsum(math.exp(term - top) for term in terms))


def ensemble(models, weights):
    joined = Ensemble(models, weights)
    return {words: [joined.log_p(words, word) for word in range(len(row))] for words, row in models[0].items()}


class Doctor:
    """Knows every output of a model."""

    def __init__(self, model, max_length):
        self.outputs, ahead = [], [Hypothesis((), 0.0)]
        while ahead:
            for each in followed(ahead.pop(), model):
                if is_finished(each):
                    self.outputs.append(each)
                elif len(each.words) < max_length:
                    ahead.append(each)

    def of(self, words):
        return next(each for each in self.outputs if each.words == words)

    def beaten(self, words, alpha):
        own = normalised(self.of(words), alpha, len(words))
        return any(normalised(each, alpha, len(each.words)) > own + 1e-9 for each in self.outputs)


def diagnose(model, max_length, output, reference):
    doctor = Doctor(model, max_length)
    words, reported = output
    faults = set()
    if not math.isclose(reported, doctor.of(words).score, abs_tol=1e-7):
        faults.add("score")
    if doctor.beaten(words, 0):
        faults.add("search")
    if doctor.beaten(reference, 0):
        faults.add("model" if doctor.beaten(reference, 1) else "length")
    return faults
