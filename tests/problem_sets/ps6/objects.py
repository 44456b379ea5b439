"""Problem set 6 solved with masks, heads and sublayers that are objects."""

import torch
from torch import nn


class Attention:
    def __init__(self, mask):
        self.hidden = torch.logical_not(mask)

    def weigh(self, Q, K):
        scores = torch.matmul(Q, K.mT).div(K.size(-1) ** 0.5)
        return nn.functional.softmax(scores.masked_fill(self.hidden, float("-inf")), dim=-1)

    def __call__(self, Q, K, V):
        weights = self.weigh(Q, K)
        return torch.matmul(weights, V), weights


def attention(Q, K, V, mask):
    return Attention(mask)(Q, K, V)


class Words:
    """A padded batch of sentences."""

    def __init__(self, words, pad):
        self.real = words.ne(pad)
        self.size = words.size(1)

    def seen_by(self, queries):
        return self.real.unsqueeze(1).repeat(1, queries.size, 1)

    def read_so_far(self):
        times = torch.arange(self.size)
        return self.seen_by(self) & torch.ge(times.unsqueeze(1), times)


def masks(source, target, pad):
    source, target = Words(source, pad), Words(target, pad)
    return source.seen_by(source), target.read_so_far(), source.seen_by(target)


class Heads:
    def __init__(self, weights, heads):
        self.weights, self.heads = weights, heads

    def project(self, x, name):
        batch, time, _ = x.shape
        return nn.functional.linear(x, self.weights[name].t()).view(batch, time, self.heads, -1).permute(0, 2, 1, 3)

    def __call__(self, query, key, value, mask):
        contexts, weights = attention(
            self.project(query, "W_Q"), self.project(key, "W_K"), self.project(value, "W_V"), mask.unsqueeze(1)
        )
        side_by_side = torch.cat(contexts.unbind(dim=1), dim=-1)
        return torch.matmul(side_by_side, self.weights["W_O"]), weights


def multi_head(query, key, value, mask, weights, heads):
    return Heads(weights, heads)(query, key, value, mask)


class Positions:
    def __init__(self, width, dtype):
        self.width, self.dtype = width, dtype
        columns = torch.arange(width, dtype=dtype)
        self.odd = columns.remainder(2).bool()
        self.periods = torch.pow(10000, (columns - self.odd.to(dtype)) / width)

    def __call__(self, first, count):
        places = torch.arange(count, dtype=self.dtype).add(first).unsqueeze(1)
        angles = places / self.periods
        return torch.where(self.odd, angles.cos(), angles.sin())


def embed(words, E, start):
    return torch.mul(E[words], E.size(1) ** 0.5) + Positions(E.size(1), E.dtype)(start, words.size(1))


class Norm:
    def __init__(self, weights, number):
        self.gamma, self.beta = weights[f"gamma_{number}"], weights[f"beta_{number}"]

    def __call__(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        deviation = centred.pow(2).mean(dim=-1, keepdim=True).add(1e-5).sqrt()
        return torch.mul(centred / deviation, self.gamma) + self.beta


class Network:
    def __init__(self, weights):
        self.weights = weights

    def __call__(self, x):
        inner = torch.matmul(x, self.weights["W_1"]) + self.weights["b_1"]
        return torch.matmul(torch.relu(inner), self.weights["W_2"]) + self.weights["b_2"]


class Sublayer:
    """A function within a residual connection, then a norm."""

    def __init__(self, function, norm):
        self.function, self.norm = function, norm

    def __call__(self, x):
        return self.norm(x + self.function(x))


def encoder_layer(x, mask, weights, heads):
    look = Heads(weights, heads)
    sublayers = [Sublayer(lambda x: look(x, x, x, mask)[0], Norm(weights, 1))]
    sublayers.append(Sublayer(Network(weights), Norm(weights, 2)))
    for sublayer in sublayers:
        x = sublayer(x)
    return x


class Decoder:
    def __init__(self, weights, heads):
        self.own, self.cross = Heads(weights["self"], heads), Heads(weights["cross"], heads)
        self.network, self.weights = Network(weights), weights
        self.seen = None

    def read(self, h, real):
        def look(x):
            contexts, self.seen = self.cross(x, h, h, real.unsqueeze(1))
            return contexts

        return look

    def before(self, x):
        times = torch.arange(x.size(1))
        return self.own(x, x, x, torch.ge(times.unsqueeze(1), times).unsqueeze(0))[0]

    def __call__(self, x, h, real):
        functions = (self.before, self.read(h, real), self.network)
        for number, function in enumerate(functions, start=1):
            x = Sublayer(function, Norm(self.weights, number))(x)
        return x, self.seen


def decoder_layer(x, h, real, weights, heads):
    return Decoder(weights, heads)(x, h, real)


class Doctor:
    """Looks at one Transformer from all sides."""

    def __init__(self, runs):
        self.runs = runs

    def same(self, one, other):
        return torch.allclose(one, other, rtol=1e-5, atol=1e-8)

    def unchanged(self, run, rows=slice(None)):
        expected = self.runs["outputs"][rows]
        return self.same(self.runs[run][rows], expected)

    def source_order(self):
        return self.unchanged("source in another order")

    def target_order(self):
        return self.unchanged("target words 0 and 1 exchanged", slice(2, None))

    def causal(self):
        return not self.unchanged("target cut", slice(0, self.runs["target cut"].size(0)))

    def padding(self):
        return not self.unchanged("source padded")

    def scale(self):
        scores = torch.bmm(self.runs["queries"], self.runs["keys"].mT).mul(self.runs["keys"].size(-1) ** -0.5)
        return not self.same(scores.softmax(dim=-1), self.runs["weights"])


def diagnose(runs):
    doctor = Doctor(runs)
    tests = {"source order": doctor.source_order, "target order": doctor.target_order, "causal": doctor.causal}
    tests |= {"padding": doctor.padding, "scale": doctor.scale}
    return {fault for fault, test in tests.items() if test()}
