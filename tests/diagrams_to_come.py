"""Descriptions as later lectures will write them: what the room must be able to hold."""

from course_lib.diagrams import Diagram
from course_lib.diagrams.diagram import box, dot, layer, op, state, step

ENCODER_LAYER = Diagram(
    "An encoder layer of the Transformer",
    (5.7, 11),
    step("Q = X W_Q,  K = X W_K,  V = X W_V", "For every word a query, a key and a value."),
    box("attention", "self-attention", 2.6, 7.35, 4.3, 3.9),
    state("x", "X", 4, 10.4, "words", shape="time, model"),
    dot("fork", 4, 9.7),
    layer("Q", "W_Q", 1.2, 8.6, "queries"),
    layer("K", "W_K", 2.6, 8.6, "keys"),
    layer("V", "W_V", 4, 8.6, "values"),
    "x -- fork -- V; fork -| K; fork -| Q",
    step("A = softmax(Q K^⊤ / √d)", "How much every word looks at every other: each row sums to 1."),
    state("A", "A", 1.9, 7.1, "attention", note="softmax", size=(2.4, 1), signed=False),
    "Q -- A; K -- A",
    step("Z = A V W_O", "The values, averaged with these weights."),
    op("mix", "×", 4, 7.1, "weighted sum"),
    layer("out", "W_O", 4, 6, "output weights"),
    "V -- mix -- out; A -- mix",
    step("X′ = LayerNorm(X + Z)", "Add what went around, and normalise."),
    op("add1", "+", 4, 4.9, "sum"),
    layer("norm1", "X′", 4, 4.05, "sum, normalised", note="norm", size=(1.2, 1)),
    "out -- add1 -- norm1; fork -|-@5.25 add1",
    step("F = ReLU(X′ W_1) W_2", "A feed-forward network, the same at every word."),
    dot("fork2", 4, 3.42),
    layer("w1", "W_1", 2.2, 2.65, "first feed-forward layer", note="ReLU", size=(1.3, 1)),
    layer("w2", "W_2", 2.2, 1.65, "second feed-forward layer", size=(1.3, 1)),
    "norm1 -- fork2 -| w1 -- w2",
    step("Y = LayerNorm(X′ + F)", "Again: add, normalise."),
    op("add2", "+", 4, 1.65, "sum"),
    layer("norm2", "Y", 4, 0.6, "output", note="norm", size=(1.2, 1)),
    "w2 -- add2 -- norm2; fork2 -- add2",
)
