"""Problem set 3 solved with objects: sentences that pad themselves, readers and writers that keep their state."""

import torch
from torch import nn


class Padded:
    """Rows of ids that come out equally long."""

    def __init__(self, pad):
        self.pad, self.rows = pad, []

    def add(self, *ids):
        self.rows.append(ids)

    def tensor(self):
        made = torch.full((len(self.rows), max(map(len, self.rows))), self.pad)
        for place, row in zip(made, self.rows, strict=True):
            place[: len(row)] = torch.tensor(row)
        return made


def shift(pairs, pad, bos, eos, reverse):
    source, read, written = Padded(pad), Padded(pad), Padded(pad)
    for x, y in pairs:
        source.add(*(reversed(x) if reverse else x), eos)
        read.add(bos, *y)
        written.add(*y, eos)
    return source.tensor(), read.tensor(), written.tensor()


class Account:
    """Adds up the losses of real words."""

    def __init__(self):
        self.sums, self.words = [], 0

    def enter(self, logits, target):
        log_p = nn.functional.log_softmax(logits, dim=1)
        self.sums.append(-log_p[torch.arange(len(target)), target].sum())
        self.words += len(target)

    @property
    def balance(self):
        sums = torch.stack(self.sums)
        return sums, sums.sum() / self.words


def sequence_loss(logits, target, lengths):
    account = Account()
    for z, y, n in zip(logits, target, lengths.tolist(), strict=True):
        account.enter(z[:n], y[:n])
    return account.balance


class Unit:
    squash = nn.Softsign()

    def __init__(self, weights):
        self.W_x, self.W_h, self.b = weights["W_xh"], weights["W_hh"], weights["b_h"]

    def __call__(self, x, h):
        return self.squash(torch.cat([x, h], -1) @ torch.cat([self.W_x, self.W_h]) + self.b)


class Reader:
    """Reads a sentence, and remembers what it thought at each word."""

    def __init__(self, weights):
        self.E, self.unit = weights["E"], Unit(weights)
        self.state = torch.zeros_like(weights["b_h"])

    def read(self, words):
        return torch.stack([self.think(word) for word in words])

    def think(self, word):
        self.state = self.unit(self.E[word], self.state)
        return self.state


def encode(words, lengths, weights, reverse):
    rows, summaries = [], []
    for row, n in zip(words, lengths.tolist(), strict=True):
        reader = Reader(weights)
        states = reader.read(row[:n].flip(0)).flip(0) if reverse else reader.read(row[:n])
        rows.append(nn.functional.pad(states, (0, 0, 0, len(row) - n)))
        summaries.append(reader.state)
    return torch.stack(rows), torch.stack(summaries)


class Writer:
    """A decoder: its network and its readout, tied to its embeddings."""

    def __init__(self, weights):
        self.weights, self.unit = weights, Unit(weights)

    def step(self, previous, s, c):
        s = self.unit(torch.hstack([nn.functional.embedding(previous, self.weights["E"]), c]), s)
        return s, self.readout(s)

    def readout(self, s):
        t = torch.tanh(torch.matmul(s, self.weights["W_t"]))
        return torch.matmul(t, self.weights["E"].T) + self.weights["b"]


def decoder_step(previous, s, c, weights):
    return Writer(weights).step(previous, s, c)


class Translator:
    def __init__(self, weights, bos, eos):
        self.weights, self.bos, self.eos = weights, bos, eos

    def likelihoods(self, x, y):
        """log p of each word of y and of eos, given x."""
        words = torch.tensor([[*x, self.eos]])
        c = encode(words, torch.tensor([words.shape[1]]), self.weights["encoder"], False)[1]
        s, found = c, []
        for previous, word in zip([self.bos, *y], [*y, self.eos], strict=True):
            s, z = decoder_step(torch.tensor([previous]), s, c, self.weights["decoder"])
            found.append(z[0, word] - z[0].logsumexp(0))
        return torch.stack(found)


def forced_scores(pairs, weights, bos, eos):
    translator = Translator(weights, bos, eos)
    rows = [translator.likelihoods(x, y) for x, y in pairs]
    return nn.utils.rnn.pad_sequence(rows, batch_first=True), torch.stack([row.sum() for row in rows])


class Descent:
    """Parameters of one's own, and a step down the gradient of their loss."""

    def __init__(self, weights):
        self.names = [(part, name) for part in weights for name in weights[part]]
        self.values = [weights[part][name].detach().clone().requires_grad_() for part, name in self.names]

    def weights(self, values):
        made = {}
        for (part, name), value in zip(self.names, values, strict=True):
            made.setdefault(part, {})[name] = value
        return made

    def step(self, loss, rate, max_norm):
        value = loss(self.weights(self.values))
        gradients = torch.autograd.grad(value, self.values)
        norm = torch.stack([gradient.norm() for gradient in gradients]).norm()
        length = rate if norm <= max_norm else rate * max_norm / norm
        moved = [old.detach() - length * gradient for old, gradient in zip(self.values, gradients, strict=True)]
        return value, norm, self.weights(moved)


def training_step(pairs, weights, bos, eos, rate, max_norm):
    def loss(weights):
        _, scores = forced_scores(pairs, weights, bos, eos)
        return scores.sum() / -sum(len(y) + 1 for _, y in pairs)

    return Descent(weights).step(loss, rate, max_norm)


class Doctor:
    """Compares runs of one decoder, place by place."""

    def __init__(self, base, changed, other, report):
        self.base, self.changed, self.other, self.report = base, changed, other, report

    def moved(self, run):
        rows = zip(self.base["log_p"], run["log_p"], strict=True)
        return {i for i, (one, two) in enumerate(rows) if not torch.allclose(one, two, rtol=0, atol=1e-7)}

    def expected(self):
        account = Account()
        for log_p, y, n in zip(*(self.report[name] for name in ("log_p", "target", "lengths")), strict=True):
            account.enter(log_p[:n], y[:n])
        return account.balance[1]

    def faults(self):
        moved = self.moved(self.changed)
        at = next(i for i, y in enumerate(self.base["target"]) if self.changed["target"][i] != y)
        if at in moved:
            yield "shift"
        if not moved:
            yield "own words"
        if len(moved) == 1:
            yield "memory"
        if not self.moved(self.other):
            yield "source"
        if abs(self.expected() - self.report["loss"]) > 1e-7:
            yield "loss"


def diagnose(base, changed, other, report):
    return set(Doctor(base, changed, other, report).faults())
