"""Problem set 3 solved a whole batch at a time: masks, gather, scans, functional gradients."""

from itertools import accumulate

import torch
from torch import nn
from torch.nn.utils.rnn import pad_sequence


def _padded(rows, pad):
    return pad_sequence([torch.tensor(row) for row in rows], batch_first=True, padding_value=pad)


def _mask(lengths, time):
    return torch.arange(time) < lengths[:, None]


def shift(pairs, pad, bos, eos, reverse):
    xs, ys = zip(*pairs, strict=True)
    step = -1 if reverse else 1
    rows = [[*x[::step], eos] for x in xs], [[bos, *y] for y in ys], [[*y, eos] for y in ys]
    return tuple(_padded(each, pad) for each in rows)


def sequence_loss(logits, target, lengths):
    real = _mask(lengths, target.shape[1])
    z = logits.masked_fill(~real[..., None], 0)
    z = z - z.amax(2, keepdim=True)
    log_p = z.take_along_dim(target[..., None], 2).squeeze(2) - z.exp().sum(2).log()
    losses = -log_p.masked_fill(~real, 0)
    return losses.sum(1), losses[real].mean()


def encode(words, lengths, weights, reverse):
    time = torch.arange(words.shape[1])
    order = (lengths[:, None] - 1 - time) % words.shape[1] if reverse else time.expand_as(words)
    x = weights["E"][words.take_along_dim(order, 1)]
    projected = torch.einsum("btd,dk->tbk", x, weights["W_xh"]) + weights["b_h"]
    start = torch.zeros_like(projected[0])
    read = accumulate(projected, lambda h, p: nn.functional.softsign(p + h @ weights["W_hh"]), initial=start)
    states = torch.stack(list(read)[1:], dim=1)
    summary = states.take_along_dim((lengths - 1)[:, None, None], dim=1).squeeze(1)
    states = states.take_along_dim(order[..., None], 1)
    return states.masked_fill(~_mask(lengths, words.shape[1])[..., None], 0), summary


def decoder_step(previous, s, c, weights):
    E = weights["E"]
    from_word, from_summary = weights["W_xh"].split([E.shape[1], c.shape[1]])
    u = torch.addmm(weights["b_h"], s, weights["W_hh"]) + E[previous] @ from_word + c @ from_summary
    s = nn.functional.softsign(u)
    t = torch.einsum("bh,he->be", s, weights["W_t"]).tanh()
    return s, nn.functional.linear(t, E, weights["b"])


def forced_scores(pairs, weights, bos, eos):
    source, target_in, target_out = shift(pairs, eos, bos, eos, False)
    n, m = torch.tensor([[len(x) + 1, len(y) + 1] for x, y in pairs]).T
    _, c = encode(source, n, weights["encoder"], False)

    def step(before, previous):
        return decoder_step(previous, before[0], c, weights["decoder"])

    steps = accumulate(target_in.T, step, initial=(c, None))
    logits = torch.stack([z for _, z in steps if z is not None], dim=1)
    log_p = logits.log_softmax(2).take_along_dim(target_out[..., None], 2).squeeze(2)
    words = log_p.masked_fill(~_mask(m, log_p.shape[1]), 0)
    return words, words.sum(1)


def training_step(pairs, weights, bos, eos, rate, max_norm):
    own = {part: {name: w.clone().requires_grad_() for name, w in given.items()} for part, given in weights.items()}
    words, _ = forced_scores(pairs, own, bos, eos)
    loss = -words.sum() / words.count_nonzero()
    flat = [w for part in own.values() for w in part.values()]
    gradient = torch.cat([g.flatten() for g in torch.autograd.grad(loss, flat)])
    norm = gradient.norm()
    factor = (max_norm / norm).clamp(max=1)
    steps = iter((rate * factor * gradient).split([w.numel() for w in flat]))
    updated = {part: {name: w - next(steps).view_as(w) for name, w in given.items()} for part, given in own.items()}
    return loss, norm, updated


def diagnose(base, changed, other, report):
    moved, source = ((base["log_p"] - run["log_p"]).abs().amax(1) > 1e-8 for run in (changed, other))
    place = torch.tensor(base["target"]) != torch.tensor(changed["target"])
    real = _mask(report["lengths"], report["target"].shape[1])
    loss = -report["log_p"].take_along_dim(report["target"][..., None], 2).squeeze(2)[real].mean()
    evidence = {
        "shift": (moved & place).any(),
        "own words": moved.sum() == 0,
        "memory": moved.sum() == 1,
        "source": not source.any(),
        "loss": (loss - report["loss"]).abs() > 1e-8,
    }
    return {fault for fault, found in evidence.items() if found}
