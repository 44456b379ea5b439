"""Attention (lectures 05 and 07): scores, weights, context; masks; scaled dot-product and multi-head attention.

e_ij = score(s_i, h_j), α_i = softmax(e_i), c_i = Σ_j α_ij h_j: one query is s_i, keys and values are h_1 … h_n.

scores.py              e (Dot, Multiplicative, Additive); weights.py: α and c; masks.py: which keys a query may see
scaled_dot_product.py  as its equation, and by torch's kernel; multi_head.py: several side by side
"""

from course_lib.attention.masks import causal, causal_and_padding, padding
from course_lib.attention.multi_head import MultiHeadAttention
from course_lib.attention.scaled_dot_product import ScaledDotProduct
from course_lib.attention.scores import Additive, Dot, Multiplicative, ScaledDot, Score
from course_lib.attention.weights import context, masked_softmax

__all__ = [
    "Additive",
    "Dot",
    "MultiHeadAttention",
    "Multiplicative",
    "ScaledDot",
    "ScaledDotProduct",
    "Score",
    "causal",
    "causal_and_padding",
    "context",
    "masked_softmax",
    "padding",
]
