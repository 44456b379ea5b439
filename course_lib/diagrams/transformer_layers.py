"""A layer of the Transformer's encoder and one of its decoder (lecture 07; Vaswani et al. 2017, section 3.1)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from course_lib.diagrams.diagram import Diagram, Node, Step, dot, layer, op, state, step

Norm = Literal["post", "pre"]
Parts = list[Step | Node | str]
HEIGHT = {"post": 3.4, "pre": 4.3}  # rows of a sublayer with one part
LOOKS = "Every word looks at every word, with several heads."
LOOKS_BACK = "Every word looks at itself and at the words before it, with several heads."
LOOKS_OVER = "Every word looks at the source: the queries are its own, keys and values come from the encoder."
NETWORK = "A network with one hidden layer, the same at every word: here no word sees another."


def encoder_layer(norm: Norm = "post", words: Sequence[str] = ()) -> Diagram:
    """Self-attention and the feed-forward network; with `words`, how much a word looks at each of them.

    `norm`: where layer norm stands, "post" or "pre" (see `transformer.Residual`). Raises ValueError for another.
    """
    stack = _Stack(norm, 2, words)
    return Diagram(
        f"An encoder layer of the Transformer, {norm}-norm",
        (stack.main + 1.6, stack.height),
        *stack.attention("self", "X", "Z", "A", LOOKS, "self-attention", words),
        *stack.feed_forward("A"),
    )


def decoder_layer(norm: Norm = "post", source: Sequence[str] = (), target: Sequence[str] = ()) -> Diagram:
    """Masked self-attention, attention to the source, the feed-forward network; with words, how much one looks at each.

    `norm` as in `encoder_layer`. Raises ValueError for another.
    """
    stack = _Stack(norm, 3, source, target)
    memory = state("h", "H", stack.main + 2.6, 0, "vectors of the source", shape="source time, model")
    return Diagram(
        f"A decoder layer of the Transformer, {norm}-norm",
        (stack.main + 3.3, stack.height),
        *stack.attention("self", "X", "Z", "A", LOOKS_BACK, "masked self-attention", target),
        *stack.attention("cross", "A", "C", "B", LOOKS_OVER, "attention to the source", source, memory),
        *stack.feed_forward("B"),
    )


class _Stack:
    """Draws sublayers from the bottom up: the next one reads the node `below`, which stands at `row`."""

    def __init__(self, norm: Norm, sublayers: int, *words: Sequence[str]):
        if norm not in HEIGHT:
            raise ValueError(f"norm must be 'post' or 'pre', got {norm!r}")
        self.norm, self.below = norm, ""
        self.main = round(1.1 + max(_width(some) for some in words), 2)
        self.height = round(HEIGHT[norm] * sublayers + 2.3, 2)
        self.row = self.height - 0.65

    def attention(
        self,
        id: str,
        x: str,
        y: str,
        out: str,
        sentence: str,
        name: str,
        words: Sequence[str],
        memory: Node | None = None,
    ) -> Parts:
        """MultiHead of `x` with itself or with the `memory`; with `words` its weights on them stand beside it."""
        row = self._first_row()
        part = layer(id, y, self.main, row, name, note="MultiHead", shape="time, model", size=(1.8, 1))
        beside: Parts = []
        if memory:
            beside += [replace(memory, at=(memory.at[0], row)), f"{memory.id} -- {id}"]
        if words:
            weights = {"size": (_width(words), 1), "units": tuple(words), "signed": False}
            at = 0.1 + _width(words) / 2
            beside += [state(f"{id}_weights", "α", at, row, f"weights of {name}", **weights), f"{id} -- {id}_weights"]
        formula = "MultiHead(#, H, H)" if memory else "MultiHead(#, #, #)"
        return self._sublayer(x, y, out, formula, sentence, [part], beside)

    def feed_forward(self, x: str) -> Parts:
        """The network, from `x` to Y."""
        row = self._first_row()
        parts = [
            layer("hidden", "W_1", self.main, row, "hidden layer", note="ReLU", shape="time, inner", size=(1.8, 1)),
            layer("network", "F", self.main, row - 1, "network", note="linear", shape="time, model", size=(1.8, 1)),
        ]
        return self._sublayer(x, "F", "Y", "max(0, # W_1 + b_1) W_2 + b_2", NETWORK, parts)

    def _first_row(self) -> float:
        return round(self.row - (1.6 if self.norm == "post" else 2.5), 2)

    def _sublayer(
        self, x: str, y: str, out: str, formula: str, sentence: str, parts: Sequence[Node], beside: Parts = ()
    ) -> Parts:
        """The parts between a fork and a sum, and layer norm after the sum ("post") or before the parts ("pre")."""
        id, main, last = parts[0].id, self.main, parts[-1]
        begin: Parts = (
            [] if self.below else [state("x", "X", main, self.row, "vectors of the words", shape="time, model")]
        )
        fork, add, after, norm = f"{id}_fork", f"{id}_add", f"{id}_out", f"{id}_norm"
        way = [self.below or "x", fork, *(part.id for part in parts)]
        top = round(last.at[1] - 0.9, 2)
        begin.append(dot(fork, main, self.row - 0.7))
        around = f"{fork} -|-@{main + 1.35:.2f} {add}"
        added = {"shape": "time, model", "size": (1.8, 1)}
        if self.norm == "pre":
            way.insert(2, norm)
            begin.append(layer(norm, f"{x}′", main, self.row - 1.5, f"{x}, normalised", note="LayerNorm", **added))
            first = step(f"{y} = {formula.replace('#', f'{x}′')},  {x}′ = LayerNorm({x})", sentence)
            wrong = (f"{out} = LayerNorm({x} + {y})", f"Then {x} would be normalised on its way: that is post-norm.")
            second = step(f"{out} = {x} + {y}", "What went around is added, as it was.", wrong)
            end = state(after, out, main, top - 0.9, f"sum {out}", **added)
        else:
            first = step(f"{y} = {formula.replace('#', x)}", sentence)
            wrong = (
                f"{out} = LayerNorm({y})",
                f"Then {x} itself would be lost, and its gradient would have no short way.",
            )
            second = step(
                f"{out} = LayerNorm({x} + {y})", "What went around is added, and the sum is normalised.", wrong
            )
            end = layer(after, out, main, top - 0.9, "sum, normalised", note="LayerNorm", **added)
        self.below, self.row = after, round(top - 0.9, 2)
        return [
            *(first, *begin, *parts, " -- ".join(way), *beside),
            *(second, op(add, "+", main, top, "sum"), end, f"{last.id} -- {add} -- {after}", around),
        ]


def _width(words: Sequence[str]) -> float:
    return 0.2 + 0.75 * len(words) if words else 0.0
