"""Ways to have torch do the work of exercises 1 and 3 of problem set 7, and the lecture's library that of the first."""

from tests.grading.attacks.delegates import HIDDEN, REFUSED, Way

LOSS = """
import torch
{way}
def smoothed_loss(logits, target, lengths, epsilon):
    real = torch.arange(target.shape[1]) < lengths[:, None]
    return loss(logits[real], target[real], epsilon * logits.shape[2] / (logits.shape[2] - 1))
"""
LOSSES = {  # how `loss` is the smoothed one, for the share that torch spreads over all words
    "function": "def loss(z, y, s): return torch.nn.functional.cross_entropy(z, y, label_smoothing=s)",
    "module": "def loss(z, y, s): return torch.nn.CrossEntropyLoss(label_smoothing=s)(z, y)",
    "saved": "saved = torch.nn.functional.cross_entropy\ndef loss(z, y, s): return saved(z, y, label_smoothing=s)",
    "distribution": (  # q for a target
        "def loss(z, y, s):\n    q = torch.nn.functional.one_hot(y, z.shape[1]) * (1 - s) + s / z.shape[1]\n"
        "    return torch._C._nn.cross_entropy_loss(z, q.to(z))"
    ),
    "divergence": (  # and the entropy of q
        "def loss(z, y, s):\n    q = torch.nn.functional.one_hot(y, z.shape[1]).to(z) * (1 - s) + s / z.shape[1]\n"
        "    rest = torch.nn.functional.kl_div(z.log_softmax(1), q, reduction='batchmean')\n"
        "    return rest + torch.special.entr(q).sum(1).mean()"
    ),
    "operator": "def loss(z, y, s): return torch.ops.aten.cross_entropy_loss.default(z, y, None, 1, -100, s)",
}
STEP = """
import torch
{way}
def adam_step(weights, gradients, state, rate, betas, eps):
    moved, kept = dict(weights), dict(state)
    for name, g in gradients.items():
        w = weights[name].clone()
        old = state.get(name, {{"t": 0, "m": torch.zeros_like(w), "v": torch.zeros_like(w)}})
        m, v, t = old["m"].clone(), old["v"].clone(), torch.tensor(float(old["t"]))
        step(w, g, m, v, t, rate, betas, eps)
        moved[name], kept[name] = w, {{"t": int(t), "m": m, "v": v}}
    return moved, kept
"""
FLAGS = "amsgrad=False, beta1=b[0], beta2=b[1], lr=rate, weight_decay=0.0, eps=eps, maximize=False"
STEPS = {  # how `step` moves w, and changes m, v and t in place
    "optimizer": (
        "def step(w, g, m, v, t, rate, b, eps):\n    w.requires_grad_().grad = g\n"
        "    own = torch.optim.Adam([w], rate, b, eps)\n"
        "    own.state[w] = {'step': t, 'exp_avg': m, 'exp_avg_sq': v}\n    own.step()\n    w.requires_grad_(False)"
    ),
    "functional": (
        "from torch.optim.adam import adam as saved\ndef step(w, g, m, v, t, rate, b, eps):\n"
        f"    saved([w], [g], [m], [v], [], [t], foreach=False, {FLAGS})"
    ),
    "one": (  # the loop inside of torch's Adam
        "from torch.optim.adam import _single_tensor_adam as saved\n"
        "def step(w, g, m, v, t, rate, b, eps):\n    saved([w], [g], [m], [v], [], [t], "
        f"None, None, has_complex=False, capturable=False, differentiable=False, decoupled_weight_decay=False, {FLAGS})"
    ),
    "fused": (
        "saved = torch._fused_adam_\ndef step(w, g, m, v, t, rate, b, eps):\n    t += 1\n"
        f"    saved([w], [g], [m], [v], [], [t], {FLAGS})"
    ),
}
LIBRARY = """
from course_lib.training.losses import cross_entropy
def smoothed_loss(logits, target, lengths, epsilon):
    n, real = logits.shape[2], torch.arange(target.shape[1]) < lengths[:, None]
    return cross_entropy(logits, target, real, smoothing=epsilon * n / (n - 1))
"""
HERE = {
    **{("smoothed_loss", name): LOSS.format(way=way) for name, way in LOSSES.items()},
    **{("adam_step", name): STEP.format(way=way) for name, way in STEPS.items()},
}
DELEGATES = {
    "library": Way("course_lib.training", HIDDEN, {"smoothed_loss": LIBRARY}),
    "torch": Way(
        "cross_entropy and Adam, saved before",
        REFUSED,
        {"smoothed_loss": HERE["smoothed_loss", "saved"], "adam_step": HERE["adam_step", "fused"]},
    ),
}
