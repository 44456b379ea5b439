"""BertViz (Vig 2019) on the course's own Transformer: its head view, model view and neuron view of a sentence pair.

>>> head_view(translator, "The animal didn't cross the street because it was too tired.", layer=2, heads=[1])

The drawing is BertViz's; the data are those of `course_lib.transformer.trace`. It stands in a frame that needs neither
a kernel nor a network, in JupyterLab, in what nbconvert makes of a notebook, and in the file that `save` writes.
"""

import warnings
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from torch import Tensor

from course_lib.subwords.bpe import MARKERS
from course_lib.subwords.vocabulary import BOS, EOS, PAD
from course_lib.subwords.words import UNK
from course_lib.transformer.reading import reading
from course_lib.transformer.trace import Heads, trace
from course_lib.translator import Translator
from course_lib.widgets.base import front_end
from course_lib.widgets.page import Page

DECIMALS = 4  # of every number that is drawn
END = MARKERS["attached"]
LIBRARIES = Path(__file__).parent / "vendored" / "d3_jquery.js"  # makes `libraries`
OPACITY = "d / activeHeads()"
REQUIRE = "const require = { config() {} }, requirejs = (_names, start) => start(libraries.$, libraries);"
SIGNS = (PAD, UNK, BOS, EOS)
WARN_ABOVE = 10_000_000  # characters of a page: a notebook that holds it opens slowly
NAMES = {
    "encoder": "encoder: source on source",
    "decoder": "decoder: what was read on what was read",
    "cross": "cross: what is written on source",
}


@dataclass(frozen=True)
class Attention:
    """One attention of the model as BertViz takes it, with the pieces that stand for queries (left) and keys (right).

    `attn[layer][head][query][key]` are the weights, `queries[layer][head][query]` and `keys[layer][head][key]` vectors
    of width d_k.
    """

    attn: list
    queries: list
    keys: list
    left_text: list[str]
    right_text: list[str]


def attentions(translator: Translator, sentence: str, translation: str | None = None) -> dict[str, Attention]:
    """The three attentions, "encoder", "decoder" and "cross", while the model reads a sentence and its translation.

    By default that is its own greedy translation. The decoder reads `<s>` and the pieces up to the last but one; at
    each it writes the next, and that one stands at the left of "cross". Raises TypeError for a model without heads,
    ValueError as `Translator.trace` does.
    """
    pair = reading(translator, sentence, translation)
    found = trace(translator.model, *pair.batch)
    return {
        "encoder": _attention(found.encoder, pair.source, pair.source),
        "decoder": _attention(found.decoder, pair.read, pair.read),
        "cross": _attention(found.cross, pair.written, pair.source),
    }


def _attention(layers: Sequence[Heads], left: list[str], right: list[str]) -> Attention:
    drawn = {"attn": "weights", "queries": "queries", "keys": "keys"}
    numbers = {name: [_numbers(getattr(heads, of)[0]) for heads in layers] for name, of in drawn.items()}
    return Attention(**numbers, left_text=left, right_text=right)


def _numbers(values: Tensor) -> list:
    """Nested lists, each number with few decimals, so that a page stays small."""
    if values.dim() > 1:
        return [_numbers(row) for row in values]
    return [round(value, DECIMALS) for value in values.tolist()]


class BertViz(Page):
    """One of BertViz's views, "head", "model" or "neuron", of the `attentions` of a sentence pair.

    `attention` names the one that is shown first, `layer`, `heads` and `head` what is chosen in it, from 0 (the drawing
    counts them from 1); `frame`, `page` and `save` are those of every widget. Warns where the page is large. Raises
    ValueError for an attention, a layer or a head that is not there.
    """

    _esm, _css = front_end("bertviz", root="lm-bertviz")  # to the module is added what draws: see `_draw_view`

    def __init__(
        self,
        view: str,
        found: dict[str, Attention],
        *,
        attention: str = "encoder",
        layer: int = 0,
        heads: Sequence[int] | None = None,
        head: int = 0,
    ):
        if attention not in found:
            raise ValueError(f"attention must be one of {', '.join(found)}, got {attention!r}")
        weights = found[attention].attn
        _check("layer", [layer], len(weights))
        _check("heads", heads or (), len(weights[0]))
        _check("head", [head], len(weights[0]))
        self.title = f"BertViz, {view} view"
        self.view, self.found = view, found
        self.chosen = {"first": list(found).index(attention), "layer": layer, "head": head}
        self.chosen["heads"] = None if heads is None else list(heads)
        self._esm += _draw_view(view)
        self._page = super().page()  # nothing of it changes
        size = len(self._page)
        if size > WARN_ABOVE:
            message = (
                f"this view is a page of {size / 1e6:.0f} MB, which makes the notebook slow: try a shorter sentence"
            )
            warnings.warn(message, stacklevel=3)

    def page(self) -> str:
        """A whole HTML page, which fetches nothing."""
        return self._page

    def state(self) -> dict:
        """What the front end draws."""
        drawn = []
        for name, attention in self.found.items():
            data = asdict(attention) | {side: _names(getattr(attention, side)) for side in ("left_text", "right_text")}
            if self.view != "neuron":
                del data["queries"], data["keys"]
            drawn.append({"name": NAMES[name], "bidirectional": name != "decoder", **data})
        return {"title": self.title, "view": self.view, "attentions": drawn, **self.chosen}

    def _repr_html_(self) -> str:
        return self.frame()


def _names(pieces: list[str]) -> list[str]:
    """Pieces as they are read: without `</w>`; where the end of a word is marked so, with "…" where a word goes on."""
    if not any(piece.endswith(END) for piece in pieces):
        return pieces
    shorter = [piece.removesuffix(END) for piece in pieces]
    return [s if s != piece or s in SIGNS else f"{s}…" for s, piece in zip(shorter, pieces, strict=True)]


def _check(name: str, values: Sequence[int], count: int) -> None:
    for value in values:
        if not 0 <= value < count:
            raise ValueError(f"{name} must lie in 0..{count - 1}, got {value}")


def _draw_view(view: str) -> str:
    """BertViz's own code as a function of our module, and before it d3 and jQuery, which the code requires.

    The head view divides the opacity of a line, its weight, by the number of heads shown; the lines of four heads are
    then too faint to be seen. Here it is the weight, as in the model view.
    """
    import bertviz

    code = (Path(bertviz.__file__).parent / f"{view}_view.js").read_text(encoding="utf-8")
    code = code.replace(OPACITY, "d").replace("PYTHON_PARAMS", "window.bertviz_params")
    return f"\n{LIBRARIES.read_text(encoding='utf-8')}\nfunction drawView() {{\n{REQUIRE}\n{code}\n}}\n"


def head_view(
    translator: Translator,
    sentence: str,
    translation: str | None = None,
    *,
    attention: str = "encoder",
    layer: int = 0,
    heads: Sequence[int] | None = None,
) -> BertViz:
    """One layer: a line for each weight, a colour for each head; by default all heads are shown.

    Point at a piece to see its weights alone; a click on a head's square hides the head, two show it alone.
    `attention` is "encoder", "decoder" or "cross"; raises as `attentions` and `BertViz` do.
    """
    found = attentions(translator, sentence, translation)
    return BertViz("head", found, attention=attention, layer=layer, heads=heads)


def model_view(
    translator: Translator, sentence: str, translation: str | None = None, *, attention: str = "encoder"
) -> BertViz:
    """All layers and heads side by side; a click on one enlarges it. Raises as `attentions` and `BertViz` do."""
    return BertViz("model", attentions(translator, sentence, translation), attention=attention)


def neuron_view(
    translator: Translator,
    sentence: str,
    translation: str | None = None,
    *,
    attention: str = "encoder",
    layer: int = 0,
    head: int = 0,
) -> BertViz:
    """One head: where its weights come from, q and k of each piece, q ⊙ k, q · k / √d_k, softmax.

    Point at a piece on the left and click its plus sign. Raises as `attentions` and `BertViz` do.
    """
    found = attentions(translator, sentence, translation)
    return BertViz("neuron", found, attention=attention, layer=layer, head=head)
