"""Self-attention of one head, seen from one word, and the heads side by side (lecture 07; Vaswani et al. 2017)."""

from collections.abc import Sequence

from course_lib.diagrams.diagram import Diagram, Node, dot, layer, op, state, step
from course_lib.diagrams.sentence import Columns

ASKING = 4.95  # row on which the query comes to the keys


def self_attention(words: Sequence[str]) -> Diagram:
    """One head: word i asks, every word answers with its key and gives its value.

    The query in Zhao's words is the vector *from* which attention looks, the key the one *at* which it looks. Raises
    ValueError for fewer than two words.
    """
    at = Columns(words, pitch=2.15)
    root, right = round(at.width + 0.4, 2), round(at.width + 1.5, 2)
    return Diagram(
        "Self-attention, one head, from one word",
        (round(right + 0.7, 2), 8.35),
        step(
            "q_i = x_i W^Q,  k_j = x_j W^K,  v_j = x_j W^V",
            "The word that asks has a query; every word, also itself, has a key and a value.",
            ("q_i = x_i W,  k_j = x_j W,  v_j = x_j W", "Then a word would ask for what it is itself."),
        ),
        *at.words(7.9),
        *at.row(state, "x", "x_#", 6.85, "vector", shape="model", size=(2, 1)),
        *at.row(layer, "k", "k_#", 5.65, "key", by=-0.5, shape="key"),
        *at.row(layer, "v", "v_#", 5.65, "value", by=0.5, shape="value"),
        at.wires("w# -- x# -- k#; x# -- v#"),
        state("xi", "x_i", right, 6.85, "vector of the word that asks", shape="model"),
        layer("q", "q_i", right, ASKING, "query of the word that asks", shape="key"),
        "xi -- q",
        step("e_{ij} = <3:(>q_i<3: / √d_k)> · k_j", "The score: how well the key of word j fits the query of word i."),
        *(dot(f"d{j}", at.column(j) - 0.7, ASKING) for j in at.times),
        *at.row(state, "e", "e_{i#}", 4.2, "score", by=-0.5),
        at.wires("k# -- e#; d# -- e#"),
        "q -- root -- " + " -- ".join(f"d{j}" for j in reversed(at.times)),
        step(
            "q_i / √d_k",
            "The wider two vectors are, the larger is their product. The root of the width d_k takes that back.",
            ("q_i / d_k", "Then the scores of wide vectors would be nearly 0, and all weights nearly equal."),
        ),
        op("root", "÷√d_k", root, ASKING, "query divided by the root of its width"),
        step(
            "α_i = softmax(e_i)",
            "The scores become weights: none is below 0, and their sum is 1.",
            ("α_{ij} = e_{ij} / Σ_k e_{ik}", "Scores may be negative, and their sum may be 0."),
        ),
        *at.row(state, "a", "α_{i#}", 3.15, "weight", by=-0.5, signed=False),
        at.wires("e# -- a#"),
        step(
            "z_i = Σ_j α_{ij} v_j",
            "The new vector of word i: the mean of all values, each with its weight.",
            ("z_i = Σ_j α_{ij} k_j", "Keys say who is looked at; what is taken from there are the values."),
            ("z_i = Σ_j e_{ij} v_j", "These are the scores; a long sentence would give a long vector."),
        ),
        *(op(f"m{j}", "×", at.column(j) - 0.5, 1.85, f"weighted value of {words[j - 1]}") for j in at.times),
        state("z", "z_i", at.width / 2, 0.75, "new vector of the word", shape="value", size=(at.width - 0.2, 1)),
        at.wires("a# -- m# -- z; v# |- m#"),
    )


def multi_head(heads: int = 2) -> Diagram:
    """`heads` attentions side by side, each with projections of its own, and what joins them.

    Raises ValueError for fewer than 2 or more than 4 heads.
    """
    if not 2 <= heads <= 4:
        raise ValueError(f"heads must be from 2 to 4, got {heads}")
    wide = 3.1 * heads + 0.3
    middle = round(wide / 2, 2)
    joined = "; ".join(f"head_{i}" for i in range(1, heads + 1))
    return Diagram(
        f"Multi-head attention, {heads} heads",
        (wide, 7.6),
        step("Q_1 = X W^Q_1,  K_1 = X W^K_1,  V_1 = X W^V_1", "One head: queries, keys and values of all words."),
        state("x", "X", middle, 7.0, "vectors of the words", shape="time, model"),
        dot("fork", middle, 6.2),
        *_projections(1),
        "x -- fork; fork -| q1; fork -| k1; fork -| v1",
        step("head_1 = softmax(Q_1 K^⊤_1 / √d_k) V_1", "What this head brings to every word."),
        _head(1),
        "q1 -- head1; k1 -- head1; v1 -- head1",
        step(
            f"head_i = softmax(Q_i K^⊤_i / √d_k) V_i,  i = 1 … {heads}",
            "Other heads, with weights of their own, may look for something else.",
            ("head_i = softmax(Q_1 K^⊤_1 / √d_k) V_i", "Then all heads would look at the same words."),
        ),
        *(node for i in range(2, heads + 1) for node in (*_projections(i), _head(i))),
        *(f"fork -| {p}{i} -- head{i}" for i in range(2, heads + 1) for p in "qkv"),
        step(
            f"[{joined}]",
            "The heads side by side: together as wide as X, if each is X’s width divided by their number.",
            (" + ".join(f"head_{i}" for i in range(1, heads + 1)), "In a sum the heads could not be told apart."),
        ),
        state(
            "joined", f"[{joined}]", middle, 2.1, "heads side by side", shape="time, heads value", size=(wide - 0.5, 1)
        ),
        *(f"head{i} -- joined" for i in range(1, heads + 1)),
        step(f"Z = [{joined}] W^O", "A last matrix mixes what the heads have found."),
        layer("z", "Z", middle, 0.75, "new vectors of the words", note="linear", shape="time, model", size=(1.6, 1)),
        "joined -- z",
    )


def _column(head: int) -> float:
    return 3.1 * head - 1.4


def _projections(i: int) -> list[Node]:
    kinds = (("q", "Q", "queries", "key"), ("k", "K", "keys", "key"), ("v", "V", "values", "value"))
    return [
        layer(f"{id}{i}", f"{text}_{i}", _column(i) + by, 5.0, f"{name} of head {i}", shape=f"time, {shape}")
        for by, (id, text, name, shape) in zip((-1, 0, 1), kinds, strict=True)
    ]


def _head(i: int) -> Node:
    return state(
        f"head{i}", f"head_{i}", _column(i), 3.5, f"head {i}", note="softmax", shape="time, value", size=(2.9, 1)
    )
