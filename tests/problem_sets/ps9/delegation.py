"""Ways to have torch's layers and norms do the work of problem set 9."""

from tests.grading.attacks.delegates import REFUSED, Way

STACK = """
import torch
{way}
def residual_stack(s, c, first, layers):
    last = []
    for depth, given in enumerate(layers):
        w = [given["W_xh"].T.contiguous(), given["W_hh"].T.contiguous(), given["b_h"], torch.zeros_like(given["b_h"])]
        h, end = rnn(torch.cat([s, c], 2), first[depth : depth + 1], w)
        s = s + h if depth else h
        last.append(end[0])
    return s, torch.stack(last)
"""
KERNELS = {  # how `rnn` reads a layer
    "kernel": "def rnn(x, h, w): return torch.rnn_tanh(x, h, w, True, 1, 0.0, False, False, True)",
    "module": (
        "def rnn(x, h, w):\n"
        "    made = torch.nn.RNN(x.shape[2], h.shape[2], batch_first=True, dtype=x.dtype)\n"
        "    names = ('weight_ih_l0', 'weight_hh_l0', 'bias_ih_l0', 'bias_hh_l0')\n"
        "    return torch.func.functional_call(made, dict(zip(names, w)), (x, h))"
    ),
}
NORM = "torch.nn.functional.layer_norm(x, x.shape[-1:], gamma, beta)"
PRE_NORM = f"""
import torch
def norm(x, gamma, beta): return {NORM}
def pre_norm(x, mask, layers, final, heads):
    return x, norm(x, **final)
"""
LAYER = """
import torch
def pre_norm(x, mask, layers, final, heads):
    layer = torch.nn.TransformerEncoderLayer(x.shape[2], heads, 5, 0.0, batch_first=True, norm_first=True)
    y = layer.to(x.dtype)(x)
    return y, y
"""
COMBINATION = f"""
import torch
def norm(x, gamma, beta): return {NORM}
def layer_combination(embedding, layers, W):
    y = [embedding]
    for row, given in zip(W, layers):
        x = sum(w * each for w, each in zip(row, y))
        y.append(norm(x + torch.tanh(x @ given["U"] + given["b"]), given["gamma"], given["beta"]))
    return sum(w * each for w, each in zip(W[-1], y))
"""
HERE = {
    **{("residual_stack", name): STACK.format(way=way) for name, way in KERNELS.items()},
    ("pre_norm", "layer_norm"): PRE_NORM,
    ("pre_norm", "nn.TransformerEncoderLayer"): LAYER,
    ("layer_combination", "layer_norm"): COMBINATION,
}
DELEGATES = {
    "torch": Way(
        "torch's recurrent kernel, its layer norm",
        REFUSED,
        {
            "residual_stack": HERE["residual_stack", "kernel"],
            "pre_norm": PRE_NORM,
            "layer_combination": COMBINATION,
        },
    ),
}
