"""One step of a decoder with attention, in four steps: score, weights, context, join (lecture 05)."""

from collections.abc import Sequence
from typing import Literal

import torch

from course_lib.attention import context, masked_softmax
from course_lib.diagrams.diagram import Diagram, Node, Step, dot, layer, op, state, step
from course_lib.diagrams.sentence import Columns
from course_lib.diagrams.values import Rows
from course_lib.translator import Translator

ASKING = 4.95  # row on which the state comes to the words


def attention_step(
    source: Sequence[str], candidates: Sequence[str] = (), *, join: Literal["luong", "bahdanau"] = "luong"
) -> Diagram:
    """A decoder's state looks at the states of the source words; `candidates` are words that it may write then.

    `join` says which state asks and where the context enters: "luong" (Luong et al. 2015; Zhao) or "bahdanau"
    (Bahdanau et al. 2015; Straka 2021; Thadani). Raises ValueError for fewer than two source words.
    """
    at = Columns(source, pitch=1.25)
    right = round(at.width + 0.8, 2)
    asks = {"luong": "s_i", "bahdanau": "s_{i−1}"}[join]
    wide = max(1.2, 0.1 + 0.75 * len(candidates))
    shown = {"size": (wide, 1), "units": tuple(candidates), "signed": False}
    return Diagram(
        f"Attention, one step of the decoder ({join.capitalize()} et al.)",
        (round(right + wide + 1.0, 2), 7.1),
        step(
            f"e_{{ij}} = score({asks}, h_j)",
            "The score says how well a source state fits the state of the decoder.",
            ("e_{ij} = score(h_i, h_j)", "Then the scores would not depend on what was written."),
            (f"e_{{ij}} = score({asks}, h_n)", "h_n is one state only; each word needs a score of its own."),
        ),
        *at.words(6.6),
        *at.row(state, "h", "h_#", 5.65, "encoder state", shape="hidden"),
        state("s", asks, right, ASKING, "state of the decoder", shape="hidden"),
        *(dot(f"d{j}", at.column(j) - 0.3, ASKING) for j in at.times),
        *at.row(layer, "e", "e_{i#}", 4.2, "score"),
        at.wires("w# -- h# -- e#; d# -- e#"),
        "s -- " + " -- ".join(f"d{j}" for j in reversed(at.times)),
        step(
            "α_i = softmax(e_i)",
            "The scores become weights: none is below 0, and their sum is 1.",
            ("α_{ij} = e_{ij} / Σ_k e_{ik}", "Scores may be negative, and their sum may be 0."),
        ),
        *at.row(state, "a", "α_{i#}", 3.15, "weight", signed=False),
        at.wires("e# -- a#"),
        step(
            "c_i = Σ_j α_{ij} h_j",
            "The context: the mean of all source states, each with its weight.",
            ("c_i = Σ_j e_{ij} h_j", "These are the scores; a long sentence would give a long vector."),
            ("c_i = Σ_j α_{ij}", "That is 1, whatever the words are."),
        ),
        *(op(f"m{j}", "×", at.column(j), 1.85, f"weighted state of {source[j - 1]}") for j in at.times),
        state("c", "c_i", at.width / 2, 0.75, "context", shape="hidden", size=(round(at.width - 0.2, 2), 1)),
        at.wires("a# -- m# -- c"),
        *(f"h{j} -|-@{at.column(j) + 0.57:.2f} m{j}" for j in at.times),
        *_join(join, right),
        layer("p", "p_i", right + 0.75 + wide / 2, 0.75, "probabilities of the next word", **shown),
        "joined -- p",
    )


def _join(join: str, right: float) -> list[Step | Node | str]:
    """The fourth step: the context enters, and the decoder goes on."""
    if join == "luong":
        return [
            step(
                "s̃_i = tanh(W [s_i; c_i]),  p_i = softmax(U s̃_i + b)",
                "State and context side by side: from both comes the next word.",
            ),
            layer("joined", "s̃_i", right, 0.75, "state joined with the context", note="tanh", shape="width"),
            "c -- joined; s -- joined",
        ]
    return [
        step(
            "s_i = f(s_{i−1}, [E y_{i−1}; c_i]),  p_i = softmax(U s_i + b)",
            "The context is an input of the network, beside the word that was written last.",
        ),
        layer("read", "E y_{i−1}", right + 1.2, 2.3, "embedding of the word before", shape="input"),
        layer("joined", "s_i", right, 0.75, "next state", shape="hidden"),
        "c -- joined; s -- joined; read -| joined",
    ]


@torch.no_grad()
def attention_values(
    translator: Translator, text: str, *, units: int = 8, best: int = 1
) -> tuple[list[str], list[str], list[str], dict[str, Rows]]:
    """(source pieces, pieces written, candidates, values at each step) of the greedy translation of `text`.

    The values are those of `attention_step`; the candidates the `best` likeliest pieces of each step. For a decoder as
    Luong's. Raises ValueError as `Translator.trace` does, and for a model without attention.
    """
    traced = translator.trace(text, best=best)
    if traced.attention is None:
        raise ValueError("translator must have attention, and this one has none")
    numbers, decoder = translator.vocabulary.piece_to_id, translator.model.decoder
    candidates = list(dict.fromkeys(piece for step in traced.best for piece, _ in step))
    shown = [numbers[piece] for piece in candidates]
    source = torch.tensor([[numbers[piece] for piece in traced.source]])
    state = translator.model.start(translator.model.encode(source, torch.ones_like(source, dtype=torch.bool)))
    memory, n, m = state.memory, len(traced.source), len(traced.target)
    values: dict[str, Rows] = {f"h{j}": [memory.h[0, j - 1, :units].tolist()] * m for j in range(1, n + 1)}
    previous = translator.vocabulary.bos_id
    for piece in traced.target:
        result = translator.model.step(torch.tensor([previous]), state)
        state, previous = result.state, numbers[piece]
        s = state.layers[0][-1:].mT.reshape(1, 1, -1)
        e = decoder.score.compare(s, memory.keys)
        α = masked_softmax(e, memory.mask.unsqueeze(1))
        c = context(α, memory.h)
        joined = decoder.readout.narrow(torch.cat([s, c], dim=2))
        rows = {"s": s[0, 0, :units], "c": c[0, 0, :units], "joined": joined[0, 0, :units]}
        rows["p"] = result.log_probs[0, shown].exp()
        for j in range(1, n + 1):
            rows[f"e{j}"], rows[f"a{j}"], rows[f"a{j} -- m{j}"] = e[0, 0, j - 1 : j], *[α[0, 0, j - 1 : j]] * 2
        for name, row in rows.items():
            values.setdefault(name, []).append(row.tolist())
    plain = [[p.removesuffix("</w>") for p in some] for some in (traced.source, traced.target, candidates)]
    return *plain, values
