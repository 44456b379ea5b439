"""Ways to have torch's softmax do the work of exercise 3 of problem set 4, and the lecture's library that of the others."""

from tests.grading.attacks.delegates import HIDDEN, REFUSED, Way

WEIGHTS = """
import torch
{way}
def masked_softmax(e, mask):
    real = mask.unsqueeze(1)
    e = e.masked_fill(~real, torch.finfo(e.dtype).min)
    return soft(e).masked_fill(~real, 0)
"""
WAYS = {  # how `soft` makes weights of scores
    "method": ("Tensor.softmax", "def soft(e): return e.softmax(-1)"),
    "module": ("torch.nn.Softmax", "soft = torch.nn.Softmax(-1)"),
    "saved": ("torch.softmax, saved before", "saved = torch.softmax\ndef soft(e): return saved(e, -1)"),
    "operator": ("torch.ops.aten", "def soft(e): return torch.ops.aten._softmax.default(e, -1, False)"),
    "safe": ("the softmax inside torch's attention", "def soft(e): return torch.ops.aten._safe_softmax(e, -1)"),
    "logarithm": ("torch.log_softmax", "def soft(e): return e.log_softmax(-1).exp()"),
    "distribution": (
        "torch.distributions",
        "def soft(e): return torch.distributions.Categorical(logits=e).probs",
    ),
    "script": (
        "TorchScript",
        "unit = torch.jit.CompilationUnit('def soft(e: Tensor):\\n    return torch.softmax(e, -1)\\n')\nsoft = unit.soft",
    ),
    "attention": (
        "torch's attention with unit vectors for keys and values",
        "def soft(e):\n    one = torch.eye(e.shape[-1], dtype=e.dtype).expand(len(e), -1, -1)\n"
        "    return torch.nn.functional.scaled_dot_product_attention(e, one, one, scale=1.0)",
    ),
}
LIBRARY = """
from course_lib.attention import Multiplicative
from torch.func import functional_call
def multiplicative_score(s, h, U, V):
    return functional_call(Multiplicative(U.shape[1], V.shape[1]), {"W": U.T @ V}, (s, h))
"""
HERE = {("masked_softmax", name): WEIGHTS.format(way=way) for name, (_, way) in WAYS.items()}
DELEGATES = {
    "library": Way("course_lib.attention", HIDDEN, {"multiplicative_score": LIBRARY}),
    "softmax": Way("torch.softmax, saved before", REFUSED, {"masked_softmax": HERE["masked_softmax", "saved"]}),
}
