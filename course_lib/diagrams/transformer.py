"""The whole Transformer, encoder and decoder (lecture 07; Vaswani et al. 2017, figure 1)."""

from collections.abc import Sequence

from course_lib.diagrams.diagram import Diagram, Node, Step, box, dot, layer, op, state, step, word

Parts = list[Node | Step | str]
BOTTOM = 11.6  # the row of the words
WIDTH = {"size": (1.9, 1)}
ENCODER = [("MultiHead", "self-attention of the source"), ("FFN", "network of the encoder")]
DECODER = [
    ("MultiHead", "masked self-attention of the target"),
    ("MultiHead", "attention to the source"),
    ("FFN", "network of the decoder"),
]


def transformer(source: Sequence[str], read: Sequence[str], candidates: Sequence[str] = ()) -> Diagram:
    """The encoder over the source, the decoder over the words `read` so far; `candidates` may be written next.

    With post-norm, as in the paper's figure. Raises ValueError for a side without words.
    """
    if not source or not read:
        raise ValueError(f"source and read must hold words, got {list(source)!r} and {list(read)!r}")
    texts = [word(id, " ".join(words), 0, BOTTOM) for id, words in (("source", source), ("target", read))]
    half = [max(2.2, text.size[0] / 2 + 0.1) for text in texts]
    left, right = round(half[0], 2), round(2 * half[0] + half[1], 2)
    shown = {"size": (max(1.9, 0.1 + 0.75 * len(candidates)), 1), "units": tuple(candidates), "signed": False}
    end = round(right + max(half[1], shown["size"][0] / 2 + 0.1), 2)
    return Diagram(
        "The Transformer",
        (end, BOTTOM + 0.5),
        step("X = √d_{model} E x + PE", "Words become vectors, and the place of each is added."),
        *_embedding("x", " ".join(source), left, -1.5, "source"),
        step("H = Encoder(X)", "N layers, in each: self-attention, then the feed-forward network."),
        box("encoder", "N encoder layers", left, 6.15, 3.7, 4.8),
        *_sublayers("enc", "x", left, -1.45, ENCODER),
        state("h", "H", left, 3.0, "vectors of the source", shape="source time, model", **WIDTH),
        "enc2_out -- h",
        step(
            "Y = √d_{model} E y + PE",
            "The decoder reads what was written before, from <s> on.",
            (
                "Y = √d_{model} E y",
                "Without places it could not tell “the dog sees the man” from “the man sees the dog”.",
            ),
        ),
        *_embedding("y", " ".join(read), right, 1.5, "words written"),
        step(
            "S = Decoder(Y, H)",
            "N layers, in each: self-attention to the words before, attention to the source, the network.",
            ("S = Decoder(Y)", "Then what is written would not depend on the source."),
        ),
        box("decoder", "N decoder layers", right, 5.08, 3.7, 6.95),
        *_sublayers("dec", "y", right, 1.45, DECODER),
        f"h -|-@{left + half[0]:.2f} dec2",
        step("p_i = softmax(U s_i + b)", "The probability of every word to be the next."),
        layer("p", "p_i", right, 0.8, "probabilities of the next word", **shown),
        "dec3_out -- p",
    )


def _embedding(id: str, text: str, main: float, by: float, name: str) -> Parts:
    """Words, their vectors, and their places `by` columns beside."""
    return [
        word(f"{id}_words", text, main, BOTTOM, name),
        layer(f"{id}_embedded", "√d_{model} E", main, BOTTOM - 0.95, f"embeddings of the {name}", **WIDTH),
        op(f"{id}_add", "+", main, BOTTOM - 1.8, f"sum for the {name}"),
        state(f"{id}_places", "PE", main + by, BOTTOM - 1.8, f"places of the {name}"),
        state(id, id.upper(), main, BOTTOM - 2.6, f"vectors of the {name}, with places", shape="time, model", **WIDTH),
        f"{id}_words -- {id}_embedded -- {id}_add -- {id}; {id}_places -- {id}_add",
    ]


def _sublayers(id: str, below: str, main: float, by: float, parts: Sequence[tuple[str, str]]) -> Parts:
    """Each part with the way around it, `by` columns beside, from the bottom up."""
    made: Parts = []
    for k, (text, name) in enumerate(parts, start=1):
        row, fork, out = BOTTOM - 1.75 - 2.15 * k, f"{id}{k}_fork", f"{id}{k}_out"
        made += [
            dot(fork, main, row + 0.65),
            layer(f"{id}{k}", text, main, row, name, **WIDTH),
            layer(out, "Add & Norm", main, row - 0.95, f"sum, normalised, after the {name}", **WIDTH),
            f"{below} -- {fork} -- {id}{k} -- {out}; {fork} -|-@{main + by:.2f} {out}",
        ]
        below = out
    return made
