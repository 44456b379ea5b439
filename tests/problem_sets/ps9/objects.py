"""Problem set 9 with classes."""

import torch


class Recurrent:
    """A layer of the decoder above its bottom layer."""

    def __init__(self, weights, h, number):
        self.weights, self.h, self.residual = weights, h, number >= 3

    def step(self, s, c):
        x = torch.hstack((s, c))
        self.h = torch.tanh(torch.addmm(self.weights["b_h"], x, self.weights["W_xh"]) + self.h @ self.weights["W_hh"])
        return s + self.h if self.residual else self.h


def residual_stack(s, c, first, layers):
    tower = [Recurrent(weights, h, number) for number, (weights, h) in enumerate(zip(layers, first, strict=True), 2)]
    words = []
    for word, context in zip(s.unbind(1), c.unbind(1), strict=True):
        for layer in tower:
            word = layer.step(word, context)
        words.append(word)
    return torch.stack(words, dim=1), torch.stack([layer.h for layer in tower])


def self_attention(x, mask, weights, heads):
    Q, K, V = ((x @ weights[name]).unflatten(2, (heads, -1)).transpose(1, 2) for name in ("W_Q", "W_K", "W_V"))
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~mask.unsqueeze(1), -torch.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(2) @ weights["W_O"]


class Norm:
    def __init__(self, gamma, beta):
        self.gamma, self.beta = gamma, beta

    def __call__(self, x):
        centred = x - x.mean(dim=-1, keepdim=True)
        return centred / (centred.pow(2).mean(dim=-1, keepdim=True) + 1e-5).sqrt() * self.gamma + self.beta


class Branch:
    """A sublayer that reads what is normed, and is added to what is not."""

    def __init__(self, norm, sublayer):
        self.norm, self.sublayer = norm, sublayer

    def __call__(self, x):
        return self.sublayer(self.norm(x)) + x


class EncoderLayer:
    def __init__(self, weights, mask, heads):
        self.weights, self.mask, self.heads = weights, mask, heads
        norms = [Norm(weights[f"gamma_{number}"], weights[f"beta_{number}"]) for number in (1, 2)]
        self.branches = [Branch(*each) for each in zip(norms, (self.attend, self.feed_forward), strict=True)]

    def attend(self, x):
        return self_attention(x, self.mask, self.weights, self.heads)

    def feed_forward(self, x):
        hidden = torch.relu(x.matmul(self.weights["W_1"]).add(self.weights["b_1"]))
        return hidden.matmul(self.weights["W_2"]).add(self.weights["b_2"])

    def __call__(self, x):
        for branch in self.branches:
            x = branch(x)
        return x


def pre_norm(x, mask, layers, final, heads):
    for weights in layers:
        x = EncoderLayer(weights, mask, heads)(x)
    return x, Norm(**final)(x)


class Tower:
    """All that was made so far; the next layer reads a combination of it."""

    def __init__(self, embedding, W):
        self.made, self.rows = [embedding], iter(W)

    def read(self):
        row = next(self.rows)
        return torch.tensordot(row[: len(self.made)], torch.stack(self.made), dims=1)

    def grow(self, layer):
        x = self.read()
        y = torch.tanh(x.matmul(layer["U"]).add(layer["b"])).add(x)
        self.made.append(Norm(layer["gamma"], layer["beta"])(y))


def layer_combination(embedding, layers, W):
    tower = Tower(embedding, W)
    for layer in layers:
        tower.grow(layer)
    return tower.read()


class Gate:
    def __init__(self, W_g, k):
        self.W_g, self.k = W_g, k

    def __call__(self, x, noise):
        H = torch.matmul(x, self.W_g).add(noise)
        order = H.argsort(descending=True).argsort()
        return H.masked_fill(order >= self.k, -torch.inf).softmax(dim=-1)


class Balance:
    def __init__(self, gates, real):
        self.importance = (gates * real.unsqueeze(-1)).sum(dim=(0, 1))

    def loss(self):
        mean = self.importance.mean()
        return self.importance.div(mean).sub(1).pow(2).mean()


def top_k_gating(x, W_g, noise, real, k):
    gates = Gate(W_g, k)(x, noise)
    return gates, Balance(gates, real).loss()


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
