"""Problem set 2 with a real mistake in every function: what one student of the sample class hands in."""

import torch


def lstm_cell(x, h, c, weights):
    f = torch.sigmoid(x @ weights["W_fx"] + h @ weights["W_fh"] + weights["p_f"] * c + weights["b_f"])
    i = torch.sigmoid(x @ weights["W_ix"] + h @ weights["W_ih"] + weights["p_i"] * c + weights["b_i"])
    candidate = torch.tanh(x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
    c = f * c + i * candidate
    o = torch.sigmoid(x @ weights["W_ox"] + h @ weights["W_oh"] + weights["p_o"] * c + weights["b_o"])
    return f, i, o, candidate, c, o * c  # the memory shown as it is


lstm_cell.loses = "tanh missing on the output", "hidden together dtype"


def gru_cell(x, h, weights):
    r = torch.sigmoid(x @ weights["W_rx"] + h @ weights["W_rh"] + weights["b_r"])
    z = torch.sigmoid(x @ weights["W_zx"] + h @ weights["W_zh"] + weights["b_z"])
    candidate = torch.tanh(x @ weights["W_xh"] + r * (h @ weights["W_hh"]) + weights["b_h"])  # as torch does
    return r, z, candidate, (1 - z) * h + z * candidate


gru_cell.loses = "reset after the product", "order together dtype"


def softsign(u):
    return u / (1 + u.abs())


def run_layer(x, lengths, weights):
    h = torch.zeros(x.shape[0], weights["W_hh"].shape[0], dtype=x.dtype)
    outputs = []
    for t in range(x.shape[1]):
        h = softsign(x[:, t] @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
        outputs.append(torch.where((t < lengths)[:, None], h, 0))
    return torch.stack(outputs, dim=1), h  # the state of the last column


run_layer.loses = "state updated at padding", "final together"


def read(x, lengths, weights):
    x = torch.where((torch.arange(x.shape[1]) < lengths[:, None])[..., None], x, 0.0)
    h = torch.zeros(x.shape[0], weights["W_hh"].shape[0], dtype=x.dtype)
    outputs = []
    for t in range(x.shape[1]):
        real = (t < lengths)[:, None]
        h = torch.where(real, softsign(x[:, t] @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"]), h)
        outputs.append(torch.where(real, h, 0))
    return torch.stack(outputs, dim=1), h


def bidirectional(x, lengths, forward, backward):
    right, end = read(x, lengths, forward)
    left, beginning = read(x.flip(1), lengths, backward)  # the padding comes first
    return torch.cat([right, left.flip(1)], dim=2), torch.cat([end, beginning], dim=1)


bidirectional.loses = "the way back starts at the padding", "padding batch"


def residual_stack(x, lengths, layers):
    finals = []
    for weights in layers:
        y, final = read(x, lengths, weights)
        x = x + y if x.shape == y.shape else y  # added wherever it fits
        finals.append(final)
    return x, torch.stack(finals)


residual_stack.loses = "added around the first layer", "bottom"


def diagnose(alone, changed, batch):
    n = alone["outputs"].shape[1]
    for b, length in enumerate(batch["lengths"].tolist()):
        if batch["outputs"][b, length:].any():
            return {"padding"}  # and whatever else there is
        if not torch.allclose(batch["outputs"][b, length - 1], batch["final"][b]):
            return {"final"}
    if torch.allclose(alone["outputs"][:, 1:], changed["outputs"][:, 1:]):
        return {"memory"}
    return set() if torch.allclose(alone["outputs"][0], batch["outputs"][1, :n]) else {"leak"}


diagnose.loses = "one fault only", "several"
