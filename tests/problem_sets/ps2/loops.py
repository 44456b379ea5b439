"""Problem set 2 solved with plain loops, sentence by sentence."""

import torch


def lstm_cell(x, h, c, weights):
    f = torch.sigmoid(x @ weights["W_fx"] + h @ weights["W_fh"] + weights["p_f"] * c + weights["b_f"])
    i = torch.sigmoid(x @ weights["W_ix"] + h @ weights["W_ih"] + weights["p_i"] * c + weights["b_i"])
    candidate = torch.tanh(x @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
    c = f * c + i * candidate
    o = torch.sigmoid(x @ weights["W_ox"] + h @ weights["W_oh"] + weights["p_o"] * c + weights["b_o"])
    h = o * torch.tanh(c)
    return f, i, o, candidate, c, h


def gru_cell(x, h, weights):
    r = torch.sigmoid(x @ weights["W_rx"] + h @ weights["W_rh"] + weights["b_r"])
    z = torch.sigmoid(x @ weights["W_zx"] + h @ weights["W_zh"] + weights["b_z"])
    candidate = torch.tanh(x @ weights["W_xh"] + (r * h) @ weights["W_hh"] + weights["b_h"])
    h = (1 - z) * h + z * candidate
    return r, z, candidate, h


def softsign(u):
    return u / (1 + abs(u))


def run_layer(x, lengths, weights):
    batch, time, _ = x.shape
    hidden = weights["W_hh"].shape[0]
    nothing = torch.zeros(hidden, dtype=x.dtype)
    rows = []
    finals = []
    for b in range(batch):
        h = nothing
        row = []
        for t in range(time):
            if t < lengths[b]:
                h = softsign(x[b, t] @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
                row.append(h)
            else:
                row.append(nothing)
        rows.append(torch.stack(row))
        finals.append(h)
    return torch.stack(rows), torch.stack(finals)


def bidirectional(x, lengths, forward, backward):
    batch, time, _ = x.shape
    hidden = forward["W_hh"].shape[0]
    outputs = torch.zeros(batch, time, 2 * hidden, dtype=x.dtype)
    final = torch.zeros(batch, 2 * hidden, dtype=x.dtype)
    for b in range(batch):
        n = int(lengths[b])
        for first, weights, order in ((0, forward, range(n)), (hidden, backward, range(n - 1, -1, -1))):
            h = torch.zeros(hidden, dtype=x.dtype)
            for t in order:
                h = softsign(x[b, t] @ weights["W_xh"] + h @ weights["W_hh"] + weights["b_h"])
                outputs[b, t, first : first + hidden] = h
            final[b, first : first + hidden] = h
    return outputs, final


def residual_stack(x, lengths, layers):
    finals = []
    for depth in range(len(layers)):
        outputs, final = run_layer(x, lengths, layers[depth])
        if depth > 0:
            outputs = outputs + x
        x = outputs
        finals.append(final)
    return x, torch.stack(finals)


def diagnose(alone, changed, batch):
    faults = set()
    rows, time, hidden = batch["outputs"].shape
    for b in range(rows):
        n = int(batch["lengths"][b])
        for k in range(hidden):
            if abs(batch["final"][b, k] - batch["outputs"][b, n - 1, k]) > 1e-9:
                faults.add("final")
            for t in range(n, time):
                if batch["outputs"][b, t, k] != 0:
                    faults.add("padding")
    n = alone["outputs"].shape[1]
    carried = False
    for t in range(n):
        for k in range(hidden):
            if abs(alone["outputs"][0, t, k] - batch["outputs"][1, t, k]) > 1e-9:
                faults.add("leak")
            if t > 0 and abs(alone["outputs"][0, t, k] - changed["outputs"][0, t, k]) > 1e-9:
                carried = True
    if not carried:
        faults.add("memory")
    return faults
