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
