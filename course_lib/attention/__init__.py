"""Attention (lecture 05): scores, weights, context. One query is s_i, the keys and values are the states h_1 … h_n.

e_ij = score(s_i, h_j), α_i = softmax(e_i), c_i = Σ_j α_ij h_j
"""

from course_lib.attention.scores import Additive, Dot, Multiplicative, ScaledDot, Score
from course_lib.attention.weights import context, masked_softmax

__all__ = ["Additive", "Dot", "Multiplicative", "ScaledDot", "Score", "context", "masked_softmax"]
