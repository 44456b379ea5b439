"""Problem set 2 solved with units that are objects, and readers that keep their state."""

import torch
from torch import nn


class Sum:
    """W_x^⊤ x + W_h^⊤ h + b, of one gate."""

    def __init__(self, weights, W_x, W_h, b):
        self.W_x, self.W_h, self.b = weights[W_x], weights[W_h], weights[b]

    def __call__(self, x, h):
        return nn.functional.linear(x, self.W_x.T, self.b) + nn.functional.linear(h, self.W_h.T)


class Gate(Sum):
    def __init__(self, weights, name):
        super().__init__(weights, f"W_{name}x", f"W_{name}h", f"b_{name}")

    def __call__(self, x, h):
        return self.opened(super().__call__(x, h))

    def opened(self, total):
        return 1 / (1 + torch.exp(-total))


class Watching(Gate):
    """A gate with a peephole."""

    def __init__(self, weights, name):
        super().__init__(weights, name)
        self.peephole = weights[f"p_{name}"]

    def __call__(self, x, h, c):
        return self.opened(Sum.__call__(self, x, h) + self.peephole * c)


class Candidate(Sum):
    squash = nn.Tanh()

    def __init__(self, weights):
        super().__init__(weights, "W_xh", "W_hh", "b_h")

    def __call__(self, x, h):
        return self.squash(super().__call__(x, h))


class Unit(Candidate):
    squash = nn.Softsign()


class Memory:
    """An LSTM's memory cell and what is shown of it."""

    def __init__(self, weights):
        self.forget, self.input, self.output = (Watching(weights, name) for name in "fio")
        self.candidate = Candidate(weights)

    def step(self, x, h, c):
        kept, written = self.forget(x, h, c), self.input(x, h, c)
        new = self.candidate(x, h)
        c = torch.stack([kept * c, written * new]).sum(0)
        shown = self.output(x, h, c)
        return kept, written, shown, new, c, shown * torch.tanh(c)


def lstm_cell(x, h, c, weights):
    return Memory(weights).step(x, h, c)


def gru_cell(x, h, weights):
    reset, update = Gate(weights, "r"), Gate(weights, "z")
    r, z = reset(x, h), update(x, h)
    new = Candidate(weights)(x, r * h)
    return r, z, new, h + z * (new - h)


class Reader:
    """Reads a list of words, and remembers what it thought at each."""

    def __init__(self, weights):
        self.unit = Unit(weights)
        self.thoughts = [torch.zeros_like(weights["b_h"])]

    def read(self, words):
        for word in words:
            self.thoughts.append(self.unit(word, self.thoughts[-1]))
        return self

    @property
    def outputs(self):
        return torch.stack(self.thoughts[1:])

    @property
    def final(self):
        return self.thoughts[-1]


def padded(rows, time):
    """Sentences of several lengths as one tensor, zeros behind them."""
    batch = nn.utils.rnn.pad_sequence(rows, batch_first=True)
    return nn.functional.pad(batch, (0, 0, 0, time - batch.shape[1]))


def words_of(x, lengths):
    return [list(row[:n]) for row, n in zip(x, lengths.tolist(), strict=True)]


def run_layer(x, lengths, weights):
    readers = [Reader(weights).read(words) for words in words_of(x, lengths)]
    return padded([reader.outputs for reader in readers], x.shape[1]), torch.stack([reader.final for reader in readers])


def bidirectional(x, lengths, forward, backward):
    rows, finals = [], []
    for words in words_of(x, lengths):
        right, left = Reader(forward).read(words), Reader(backward).read(reversed(words))
        rows.append(torch.hstack([right.outputs, left.outputs.flip(0)]))
        finals.append(torch.hstack([right.final, left.final]))
    return padded(rows, x.shape[1]), torch.stack(finals)


class Tower:
    def __init__(self, layers):
        self.layers, self.finals = layers, []

    def climb(self, x, lengths):
        for floor, weights in enumerate(self.layers):
            outputs, final = run_layer(x, lengths, weights)
            self.finals.append(final)
            x = outputs if floor == 0 else torch.add(x, outputs)
        return x


def residual_stack(x, lengths, layers):
    tower = Tower(layers)
    return tower.climb(x, lengths), torch.stack(tower.finals)


class Doctor:
    """Compares runs of one layer, each sentence cut to its real words."""

    def __init__(self, *runs):
        self.alone, self.changed, self.batch = ([self.cut(run, b) for b in range(len(run["x"]))] for run in runs)

    def cut(self, run, b):
        n = run["lengths"][b].item()
        return {"real": run["outputs"][b][:n], "rest": run["outputs"][b][n:], "final": run["final"][b]}

    def same(self, one, other):
        return torch.allclose(one, other, rtol=1e-6, atol=1e-8)

    def padding(self):
        return any(row["rest"].count_nonzero() for row in self.batch)

    def final(self):
        return not all(self.same(row["real"][-1], row["final"]) for row in self.batch)

    def memory(self):
        return self.same(self.alone[0]["real"][1:], self.changed[0]["real"][1:])

    def leak(self):
        return not self.same(self.alone[0]["real"], self.batch[1]["real"])


def diagnose(alone, changed, batch):
    doctor = Doctor(alone, changed, batch)
    return {fault for fault in ("padding", "final", "memory", "leak") if getattr(doctor, fault)()}
