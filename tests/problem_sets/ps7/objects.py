"""Problem set 7 solved with small classes."""

import math
from dataclasses import dataclass

import torch
from torch import nn


class Smoothed(nn.Module):
    """The loss as a cross-entropy with a target distribution."""

    def __init__(self, epsilon):
        super().__init__()
        self.epsilon = epsilon

    def target(self, y, log_p):
        right = nn.functional.one_hot(y, log_p.shape[-1]).to(log_p)
        return right * (1 - self.epsilon) + (1 - right) * self.epsilon / (right.shape[-1] - 1)

    def forward(self, logits, y):
        log_p = nn.functional.log_softmax(logits, dim=-1)
        return -(self.target(y, log_p) * log_p).sum(-1)


def smoothed_loss(logits, target, lengths, epsilon):
    rows = [(z[:n], y[:n]) for z, y, n in zip(logits, target, lengths, strict=True)]
    return Smoothed(epsilon)(torch.cat([z for z, _ in rows]), torch.cat([y for _, y in rows])).mean()


@dataclass
class Schedule:
    """The rate of a step."""

    warmup: int
    d_model: int

    def __call__(self, step):
        up = step / self.warmup**1.5
        down = 1 / math.sqrt(step)
        return min(up, down) / math.sqrt(self.d_model)


def learning_rate(step, warmup, d_model):
    return Schedule(warmup, d_model)(step)


@dataclass
class Mean:
    """A mean that begins at 0, and what makes up for that."""

    beta: float
    value: torch.Tensor

    def add(self, new):
        self.value = self.value.mul(self.beta).add(new, alpha=1 - self.beta)

    def corrected(self, t):
        return self.value / -math.expm1(t * math.log(self.beta))


def adam_step(weights, gradients, state, rate, betas, eps):
    weights, state = dict(weights), dict(state)
    for name, g in gradients.items():
        old = state.get(name) or {}
        t = old.get("t", 0) + 1
        m, v = (Mean(beta, old.get(key, torch.zeros_like(g))) for key, beta in zip("mv", betas, strict=True))
        m.add(g)
        v.add(g.pow(2))
        weights[name] = weights[name] - rate * (m.corrected(t) / (v.corrected(t).sqrt() + eps))
        state[name] = {"t": t, "m": m.value, "v": v.value}
    return weights, state


@dataclass
class Batch:
    """The numbers of pairs, and the lengths of both sides."""

    numbers: list
    sources: list
    targets: list

    def holding(self, number, source, target):
        return Batch([*self.numbers, number], [*self.sources, source], [*self.targets, target])

    def largest(self):
        return max(len(side) * max(side) for side in (self.sources, self.targets))

    def padding(self):
        return sum(max(side) - length for side in (self.sources, self.targets) for length in side)


def plan_batches(lengths, max_tokens):
    done = []
    for i in sorted(range(len(lengths)), key=lambda i: (max(lengths[i]), lengths[i][1], lengths[i][0])):
        alone = Batch([], [], []).holding(i, *lengths[i])
        if alone.largest() > max_tokens:
            continue
        wider = done[-1].holding(i, *lengths[i]) if done else alone
        if not done or wider.largest() > max_tokens:
            done.append(alone)
        else:
            done[-1] = wider
    return [each.numbers for each in done], sum(each.padding() for each in done)


@dataclass
class Checkpoint:
    """What a run held at a step."""

    step: int
    tensors: dict

    def __lt__(self, other):
        return self.step < other.step


def average(checkpoints, n):
    run = sorted(Checkpoint(int(name[5:]), tensors) for name, tensors in checkpoints.items())[-n:]
    mean = dict(run[-1].tensors)
    for name in [name for name, tensor in mean.items() if tensor.dtype.is_floating_point]:
        total = sum(each.tensors[name].double() for each in run)
        mean[name] = (total / len(run)).to(mean[name].dtype)
    return mean


class Run:
    """A model in training."""

    def __init__(self, weights, epsilon, warmup):
        self.weights, self.epsilon, self.warmup = weights, epsilon, warmup
        self.state, self.losses = {}, []

    def update(self, group):
        """All words of the group in one batch."""
        own = {name: w.clone().requires_grad_() for name, w in self.weights.items()}
        rows = [(x[i, :n], y[i, :n]) for x, y, lengths in group for i, n in enumerate(lengths.tolist())]
        x, y = torch.cat([x for x, _ in rows]), torch.cat([y for _, y in rows])
        logits = torch.addmm(own["b"], x, own["W"])
        loss = smoothed_loss(logits[None], y[None], torch.tensor([len(y)]), self.epsilon)
        gradients = dict(zip(own, torch.autograd.grad(loss, list(own.values())), strict=True))
        self.losses.append(loss.item())
        rate = learning_rate(len(self.losses), self.warmup, len(own["W"]))
        self.weights, self.state = adam_step(self.weights, gradients, self.state, rate, (0.9, 0.98), 1e-9)


def train(batches, weights, accumulate, epsilon, warmup):
    run, left = Run(weights, epsilon, warmup), list(batches)
    while left:
        group, left = left[:accumulate], left[accumulate:]
        run.update(group)
    return run.losses, run.weights


@dataclass
class Report:
    """What is written down about a training, and its faults."""

    rates: list
    moved: dict
    epsilon: float
    vocabulary: int
    losses: list
    held_out: list
    batches: list

    def lowest(self):
        others = self.vocabulary - 1
        q = [1 - self.epsilon, *[self.epsilon / others] * others]
        return -math.fsum(share * math.log(share) for share in q)

    def faults(self):
        if sorted(self.rates)[-1] == self.rates[0]:
            yield "warm-up"
        steps = {
            round(abs(number) / self.rates[0], 3) for each in self.moved.values() for number in each.view(-1).tolist()
        }
        if steps - {0.0, 1.0}:
            yield "correction"
        if any(self.lowest() - loss > 1e-5 for loss in self.losses):
            yield "smoothing"
        words = [loss for loss, n in self.batches for _ in range(n)]
        if not math.isclose(math.fsum(words) / len(words), self.losses[-1], rel_tol=1e-6):
            yield "words"
        held_out, loss = min(zip(self.held_out, self.losses, strict=True))
        if self.held_out[-1] > held_out + 0.1 and loss > self.losses[-1] + 0.1:
            yield "overfitting"


def diagnose(run):
    return set(Report(**run).faults())
