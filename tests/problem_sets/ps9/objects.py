"""Problem set 9 with classes."""

import torch


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


class Candidate:
    """A different output: its log p and what it costs."""

    def __init__(self, log_p, cost):
        self.log_p = log_p
        self.cost = cost


class Candidates:
    """The set S."""

    def __init__(self, samples, log_p, costs):
        self.found = {}
        for words, own, cost in zip(samples, log_p, costs, strict=True):
            if (key := " ".join(words)) not in self.found:
                self.found[key] = Candidate(own, cost)

    def sharpened(self, alpha):
        return torch.softmax(torch.stack([each.log_p for each in self.found.values()]) * alpha, dim=0)

    def risk(self, Q):
        return sum(q * each.cost for q, each in zip(Q, self.found.values(), strict=True))


def minimum_risk(samples, log_p, costs, alpha):
    S = Candidates(samples, log_p, costs)
    return S.sharpened(alpha), S.risk(S.sharpened(alpha))


class Source:
    """The words that can be put back."""

    def __init__(self, words, dictionary):
        self.words = words
        self.dictionary = dictionary

    def __getitem__(self, i):
        if not 0 <= i < len(self.words):
            return "<unk>"
        word = self.words[i]
        return self.dictionary.get(word, word)


class Unknown:
    """An unknown word of the output: `place` is where its source word stands."""

    def __init__(self, j, said, row):
        self.said = said
        if said == "<unk>":
            self.place = row.tolist().index(max(row.tolist()))
        elif said == "unkpos_null":
            self.place = -1
        else:
            self.place = j - int(said.split("_")[1])


def pos_unk(source, output, weights, dictionary):
    words, found = Source(source, dictionary), []
    for j, (said, row) in enumerate(zip(output, weights, strict=True)):
        unknown = said == "<unk>" or said.startswith("unkpos_")
        found.append(words[Unknown(j, said, row).place] if unknown else said)
    return found


class Colleague:
    """A system, with a question for each fault."""

    def __init__(self, trace):
        self.trace = trace

    def same(self, name, right):
        return torch.allclose(self.trace[name], right, rtol=0, atol=0.005)

    def residual(self):
        return not self.same("made", self.trace["states"][1:] - self.trace["states"][:-1])

    def norm(self):
        rows = [(x - x.mean()) / torch.sqrt(x.var(correction=0) + 1e-5) for x in self.trace["states"]]
        return not self.same("read", torch.stack(rows[:-1]))

    def gate(self):
        right = torch.zeros_like(self.trace["gates"])
        for word, scores in enumerate(self.trace["scores"]):
            values, experts = scores.topk(self.trace["k"])
            right[word, experts] = torch.softmax(values, dim=0)
        return not self.same("gates", right)

    def advantages(self):
        R, rows = self.trace["rewards"], []
        for own in R:
            rows.append([own[j] - torch.cat([own[:j], own[j + 1 :]]).mean() for j in range(len(own))])
        return torch.tensor(rows, dtype=R.dtype)

    def sign(self):
        return bool((self.advantages() * self.trace["pushes"]).sum() < 0)

    def baseline(self):
        right = self.advantages()
        return not self.same("pushes", right) and not self.same("pushes", -right)

    def alpha(self):
        return not self.same("Q", torch.softmax(self.trace["log_p"] * self.trace["alpha"], dim=0))


def diagnose(trace):
    colleague = Colleague(trace)
    return {name for name in ("residual", "norm", "gate", "sign", "baseline", "alpha") if getattr(colleague, name)()}
