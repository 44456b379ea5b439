"""Problem set 2 solved with stacked weights, einsum, masks and scans: a whole batch at a time."""

from itertools import accumulate

import torch
from torch import nn


def _all(weights, pattern, gates):
    """The weights of several gates beside each other: one product serves them all."""
    return torch.cat([weights[pattern.format(gate)] for gate in gates], dim=-1)


def lstm_cell(x, h, c, weights):
    from_x = torch.einsum("bd,dk->bk", x, _all(weights, "W_{}x", "fio"))
    from_h = torch.einsum("bd,dk->bk", h, _all(weights, "W_{}h", "fio"))
    to_f, to_i, to_o = (from_x + from_h + _all(weights, "b_{}", "fio")).chunk(3, dim=1)
    f, i = torch.addcmul(to_f, weights["p_f"], c).sigmoid(), torch.addcmul(to_i, weights["p_i"], c).sigmoid()
    new = torch.addmm(weights["b_h"], torch.cat([x, h], 1), torch.cat([weights["W_xh"], weights["W_hh"]])).tanh()
    c = torch.addcmul(f * c, i, new)
    o = torch.addcmul(to_o, weights["p_o"], c).sigmoid()
    return [f, i, o, new, c, c.tanh() * o]


def gru_cell(x, h, weights):
    product = torch.cat([x, h], 1) @ torch.cat([_all(weights, "W_{}x", "rz"), _all(weights, "W_{}h", "rz")])
    r, z = (product + _all(weights, "b_{}", "rz")).sigmoid().chunk(2, dim=1)
    new = torch.einsum("bj,bj,jk->bk", r, h, weights["W_hh"])
    new = torch.tanh(weights["b_h"] + new + torch.einsum("bd,dk->bk", x, weights["W_xh"]))
    return r, z, new, torch.lerp(h, new, z)


def _mask(x, lengths):
    return (torch.arange(x.shape[1]).expand(len(x), -1) < lengths[:, None])[..., None]


def run_layer(x, lengths, weights):
    projected = torch.einsum("btd,dk->tbk", x.masked_fill(~_mask(x, lengths), 0), weights["W_xh"]) + weights["b_h"]
    start = torch.zeros_like(projected[0])
    states = accumulate(projected, lambda h, p: nn.functional.softsign(p + h @ weights["W_hh"]), initial=start)
    states = torch.stack(list(states)[1:], dim=1)
    final = states.take_along_dim((lengths - 1)[:, None, None], dim=1).squeeze(1)
    return states.masked_fill(~_mask(x, lengths), 0), final


def bidirectional(x, lengths, forward, backward):
    time = torch.arange(x.shape[1])
    order = (lengths[:, None] - 1 - time) % x.shape[1]  # n − 1 … 0, then the padding
    rightward, end = run_layer(x, lengths, forward)
    leftward, beginning = run_layer(x.take_along_dim(order[..., None], 1), lengths, backward)
    leftward = leftward.take_along_dim(order[..., None], 1) * _mask(x, lengths)
    return torch.cat([rightward, leftward], -1), torch.cat([end, beginning], -1)


def residual_stack(x, lengths, layers):
    bottom, *above = layers
    y, final = run_layer(x, lengths, bottom)
    if not above:
        return y, final[None]

    def climb(below, weights):
        outputs, final = run_layer(below[0], lengths, weights)
        return below[0] + outputs, final

    outputs, finals = zip(*accumulate(above, climb, initial=(y, final)), strict=True)
    return outputs[-1], torch.stack(finals)


def diagnose(alone, changed, batch):
    n = alone["outputs"].shape[1]
    outputs, real = batch["outputs"], _mask(batch["outputs"], batch["lengths"])
    at_the_end = outputs.take_along_dim((batch["lengths"] - 1)[:, None, None], dim=1).squeeze(1)
    evidence = {
        "padding": not torch.equal(outputs * real, outputs),
        "final": (at_the_end - batch["final"]).abs().max() > 1e-8,
        "memory": (alone["outputs"] - changed["outputs"])[:, 1:].abs().max() < 1e-8,
        "leak": (alone["outputs"][0] - outputs[1, :n]).abs().max() > 1e-8,
    }
    return {fault for fault, found in evidence.items() if found}
