"""Ways to have torch's attention, norms and layers do the work of problem set 6, and the lecture's library."""

from tests.grading.attacks.delegates import HIDDEN, REFUSED, Way

ATTENTION = """
import torch
{way}
def attention(Q, K, V, mask):
    one = torch.eye(K.shape[-2], dtype=K.dtype).expand(*K.shape[:-1], K.shape[-2])
    return look(Q, K, V, mask), look(Q, K, one, mask)
"""
LOOKS = {  # how `look` makes contexts
    "function": "look = torch.nn.functional.scaled_dot_product_attention",
    "operator": "def look(*given): return torch.ops.aten.scaled_dot_product_attention(*given)",
    "part": "def look(*given): return torch._scaled_dot_product_attention_math(*given)[0]",
}
MULTI_HEAD = """
import torch
def multi_head(query, key, value, mask, weights, heads):
    layer = torch.nn.MultiheadAttention(weights["W_Q"].shape[1], heads, bias=False, batch_first=True, dtype=query.dtype)
    given = {"in_proj_weight": torch.cat([weights[name].T for name in ("W_Q", "W_K", "W_V")])}
    given["out_proj.weight"] = weights["W_O"].T
    return torch.func.functional_call(
        layer, given, (query, key, value), {"attn_mask": ~mask[0], "average_attn_weights": False}
    )
"""
LAYER = """
import torch
{way}
def encoder_layer(x, mask, weights, heads):
    a = norm(x, weights["gamma_1"], weights["beta_1"])
    return norm(a, weights["gamma_2"], weights["beta_2"])
"""
NORMS = {  # how `norm` makes a layer norm
    "layer_norm": "def norm(x, *weights): return torch.nn.functional.layer_norm(x, x.shape[-1:], *weights)",
    "saved": "saved = torch.layer_norm\ndef norm(x, *weights): return saved(x, x.shape[-1:], *weights)",
    "group_norm": (
        "def norm(x, *weights): return torch.nn.functional.group_norm(x.flatten(0, 1), 1, *weights).view(x.shape)"
    ),
    "batch_norm": (
        "def norm(x, gamma, beta):\n"
        "    centred = torch.batch_norm(x.flatten(0, 1).T, None, None, None, None, True, 0.0, 1e-5, False).T\n"
        "    return gamma * centred.view(x.shape) + beta"
    ),
    "rms_norm": (
        "def norm(x, gamma, beta):\n"
        "    return torch.rms_norm(x - x.mean(-1, keepdim=True), x.shape[-1:], gamma, 1e-5) + beta"
    ),
}
WHOLE = """
import torch
def encoder_layer(x, mask, weights, heads):
    layer = torch.nn.TransformerEncoderLayer(x.shape[2], heads, len(weights["b_1"]), 0.0, batch_first=True)
    return layer.to(x.dtype)(x)
"""
DECODER = """
import torch
def decoder_layer(x, h, real, weights, heads):
    layer = torch.nn.TransformerDecoderLayer(x.shape[2], heads, len(weights["b_1"]), 0.0, batch_first=True)
    return layer.to(x.dtype)(x, h), torch.zeros(len(x), heads, x.shape[1], h.shape[1], dtype=x.dtype)
"""
MASKS = """
import torch
def masks(source, target, pad):
    real, written = ((words != pad).unsqueeze(1) for words in (source, target))
    n, m = source.shape[1], target.shape[1]
    so_far = torch.nn.Transformer.generate_square_subsequent_mask(m) == 0
    return real.expand(-1, n, -1), written & so_far, real.expand(-1, m, -1)
"""
LIBRARY = """
import torch
from course_lib.transformer import sinusoidal
def embed(words, E, start):
    return E.shape[1] ** 0.5 * E[words] + sinusoidal(start + words.shape[1], E.shape[1], E.dtype)[start:]
"""
HERE = {
    **{("attention", name): ATTENTION.format(way=way) for name, way in LOOKS.items()},
    **{("encoder_layer", name): LAYER.format(way=way) for name, way in NORMS.items()},
    ("encoder_layer", "nn.TransformerEncoderLayer"): WHOLE,
    ("decoder_layer", "nn.TransformerDecoderLayer"): DECODER,
    ("multi_head", "nn.MultiheadAttention"): MULTI_HEAD,
    ("masks", "nn.Transformer's mask"): MASKS,
}
DELEGATES = {
    "library": Way("course_lib.transformer", HIDDEN, {"embed": LIBRARY}),
    "torch": Way(
        "torch's attention, its multi-head attention and its layer norm, saved before",
        REFUSED,
        {
            "attention": HERE["attention", "function"],
            "multi_head": MULTI_HEAD,
            "encoder_layer": HERE["encoder_layer", "saved"],
        },
    ),
}
