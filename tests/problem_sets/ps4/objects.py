"""Problem set 4 solved with scores, memories and words that are objects."""

import torch
from torch import nn


class Projection:
    """W x for every row x."""

    def __init__(self, W):
        self.W = W

    def __call__(self, x):
        return nn.functional.linear(x, self.W)


def multiplicative_score(s, h, U, V):
    query, key = Projection(U), Projection(V)
    return torch.bmm(query(s), key(h).transpose(1, 2))


class Score:
    def __init__(self, weights, h):
        self.of_query, self.v, self.w = Projection(weights["W_2"]), weights["v"], weights["w"]
        self.keys = Projection(weights["W_1"])(h)

    def __call__(self, s, coverage):
        sums = self.keys + self.of_query(s)[:, None] + torch.mul(coverage[..., None], self.w)
        return torch.matmul(sums.tanh(), self.v)


def additive_score(s, h, coverage, weights):
    return Score(weights, h)(s, coverage)


class Softmax:
    """Over the real words of one sentence, whose number is not 0."""

    def __init__(self, real):
        self.real = real

    def __call__(self, row):
        e = row[self.real]
        odds = torch.exp(e - e.max().detach())
        return torch.zeros_like(row).masked_scatter(self.real, odds / odds.sum())


def masked_softmax(e, mask):
    sentences = []
    for rows, real in zip(e, mask, strict=True):
        spread = Softmax(real) if real.any() else torch.zeros_like
        sentences.append(torch.stack([spread(row) for row in rows]))
    return torch.stack(sentences)


class Memory:
    """The source: what was said, and how much of it was looked at."""

    def __init__(self, h, mask, weights):
        self.h, self.mask, self.weights = torch.where(mask[..., None], h, 0.0), mask, weights
        self.coverage = self.h.new_zeros(mask.shape)

    def look(self, s):
        e = additive_score(s, self.h, self.coverage, self.weights)
        α = masked_softmax(e.unsqueeze(1), self.mask)
        self.coverage = self.coverage + α.squeeze(1)
        return torch.bmm(α, self.h).squeeze(1), α


class Decoder:
    def __init__(self, s, weights):
        self.s, self.bias = s, weights["b"]
        self.of_word, self.of_context, self.of_state = (Projection(weights[name]) for name in ("W_y", "W_c", "W_s"))

    def read(self, word, context):
        self.s = torch.tanh(self.of_word(word) + self.of_context(context) + self.of_state(self.s) + self.bias)
        return self.s


def attentive_decoder(y, s, h, mask, weights):
    memory, decoder = Memory(h, mask, weights), Decoder(s, weights)
    states, looks = [], []
    for word in y.unbind(dim=1):
        context, α = memory.look(decoder.s)
        states.append(decoder.read(word, context))
        looks.append(α)
    return torch.stack(states, dim=1), torch.cat(looks, dim=1)


class Word:
    def __init__(self, number):
        self.number, self.pieces = number, []


def words_of(pieces):
    """The words of a sentence, each with the places of its pieces."""
    words = [Word(0)]
    for place, piece in enumerate(pieces[:-1]):
        words[-1].pieces.append(place)
        if piece.endswith("</w>"):
            words.append(Word(words[-1].number + 1))
    return words[:-1]


def hard_alignment(weights, source, target):
    links = set()
    for word in words_of(target):
        row = weights[word.pieces].mean(dim=0)
        parts = {candidate.number: row[candidate.pieces].sum() for candidate in words_of(source)}
        best = max(parts, key=parts.get)
        if parts[best] > row[-1]:
            links.add((best, word.number))
    return links


class Tally:
    """Counts of links over a corpus."""

    def __init__(self):
        self.predicted = self.sure = self.hits = self.allowed = 0

    def add(self, links, sure, possible):
        self.predicted += len(links)
        self.sure += len(sure)
        self.hits += len(links.intersection(sure))
        self.allowed += len(links.intersection(sure.union(possible)))

    def error(self):
        return (self.predicted + self.sure - self.hits - self.allowed) / (self.predicted + self.sure)


def alignment_error(sentences):
    tally = Tally()
    for each in sentences:
        links = hard_alignment(each["weights"], each["source"], each["target"])
        tally.add(links, each["sure"], each["possible"])
    return tally.error()


class Doctor:
    """Looks at one attention from all sides."""

    def __init__(self, weights, mask, h, context):
        self.weights, self.mask, self.h, self.context = weights, mask, h, context

    def same(self, one, other):
        return torch.allclose(one, torch.as_tensor(other, dtype=one.dtype).expand_as(one), rtol=1e-5, atol=1e-8)

    def explained(self, weights, h):
        return self.same(torch.bmm(weights, h), self.context)

    @property
    def before(self):
        none = torch.zeros_like(self.weights[:, :1])
        return torch.cat([none, self.weights[:, :-1]], dim=1)

    @property
    def others(self):
        return torch.cat([self.h[-1:], self.h[:-1]])

    def axis(self):
        columns = self.weights.sum(dim=1)
        return self.same(columns[self.mask], 1.0)

    def unmasked(self):
        return self.weights.transpose(1, 2)[~self.mask].count_nonzero() > 0

    def late_mask(self):
        return not self.axis() and not self.same(self.weights.sum(dim=2), 1.0)

    def step(self):
        return self.explained(self.before, self.h) or self.explained(self.before, self.others)

    def sentence(self):
        return self.explained(self.weights, self.others) or self.explained(self.before, self.others)


def diagnose(weights, mask, h, context):
    doctor = Doctor(weights, mask, h, context)
    tests = {"axis": doctor.axis, "unmasked": doctor.unmasked, "late mask": doctor.late_mask}
    tests |= {"step": doctor.step, "sentence": doctor.sentence}
    return {fault for fault, test in tests.items() if test()}
