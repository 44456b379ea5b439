"""The gate explorer: a trained cell reads your sentence; hold a gate open or shut and see what follows."""

from collections.abc import Callable, Mapping, Sequence

import torch
import traitlets

from course_lib.recurrent import Clamp, RNNLanguageModel
from course_lib.translator import Translator
from course_lib.widgets.base import TraceWidget, front_end
from course_lib.widgets.gate_readers import EncoderReader, LanguageModelReader, thousandths
from course_lib.widgets.unit_features import following_units

MOST_TOKENS, MOST_UNITS = 64, 256
GATES = {"f": "forget gate", "i": "input gate", "o": "output gate", "r": "reset gate", "z": "update gate"}
NAMES = {**GATES, "candidate": "candidate", "c": "memory cell", "h": "hidden state"}


class GateView(TraceWidget):
    """Every gate and state of one layer over a text, free and held; what reads the text is `reader`.

    `reading` is the free one; `held`, with the same fields, the one under `clamps`, each {gate, value, units} where
    `units` is None for all; `variants` the readings with one gate open or shut in all units, which are there without
    Python. `unit` is the chosen one, -1 for the mean of all; `gate` what is drawn for all units; `position` the chosen
    token. Values are in thousandths, [token][unit]. Raises ValueError for a text of fewer than 2 or more than 64
    tokens, and for what `trace` refuses.
    """

    _esm, _css = front_end("gate_explorer", root="lm-gates")
    height = 760

    where = traitlets.Unicode().tag(sync=True)  # of an encoder: which layer this is, and where gates are held
    reverse = traitlets.Bool(False).tag(sync=True)  # whether it reads from right to left
    kind = traitlets.Unicode().tag(sync=True)  # LSTMCell, GRUCell, RNNCell
    reset = traitlets.Unicode().tag(sync=True)  # the GRU's form
    names = traitlets.Dict().tag(sync=True)  # what is traced, in the order of the equations, and how it is called
    units = traitlets.Int().tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    tokens = traitlets.List(traitlets.Unicode()).tag(sync=True)
    reading = traitlets.Dict().tag(sync=True)
    held = traitlets.Dict(None, allow_none=True).tag(sync=True)
    variants = traitlets.Dict().tag(sync=True)
    clamps = traitlets.List().tag(sync=True)
    following = traitlets.List().tag(sync=True)  # units that follow a feature of the text: {unit, feature, r}
    unit = traitlets.Int(-1).tag(sync=True)
    gate = traitlets.Unicode().tag(sync=True)
    position = traitlets.Int(0).tag(sync=True)

    def __init__(
        self, reader: LanguageModelReader | EncoderReader, text: str, clamps: Sequence[Clamp], sample: str = ""
    ):
        layers = reader.network.layers
        if not 0 <= reader.layer < len(layers):
            raise ValueError(f"layer must lie in 0..{len(layers) - 1}, got {reader.layer}")
        cell = layers[reader.layer][0].cell
        if cell.hidden_size > MOST_UNITS:
            raise ValueError(f"a layer may have {MOST_UNITS} units, got {cell.hidden_size}")
        self.reader = reader
        super().__init__(
            where=reader.said,
            reverse=reader.reverse,
            kind=type(cell).__name__,
            reset=getattr(cell, "reset", ""),
            names={name: NAMES[name] for name in cell.watched},
            units=cell.hidden_size,
            gate="h",
        )
        if sample:
            tokens = reader.cut(sample)
            self.following = following_units(torch.tensor(reader.trace(tokens, ()).values["h"]), tokens)
        self.read(text, clamps)

    def read(self, text: str, clamps: Sequence[Clamp] = ()) -> None:
        """Read a text, free and with gates held. Raises ValueError and changes nothing if it will not do."""
        tokens = self.reader.cut(text)
        if not 2 <= len(tokens) <= MOST_TOKENS:
            raise ValueError(f"a text must have from 2 to {MOST_TOKENS} tokens, got {len(tokens)}")
        held = self._reading(text, tokens, clamps) if clamps else None
        if text == self.text:
            with self.hold_sync():
                self.clamps, self.held = [as_plain(clamp) for clamp in clamps], held
            return
        gates = [name for name in self.names if name in GATES]
        reading = self._reading(text, tokens)
        variants = {f"{g}={v}": self._reading(text, tokens, [Clamp(g, float(v))]) for g in gates for v in (0, 1)}
        with self.hold_sync():
            self.text, self.tokens, self.position = text, tokens, 0
            self.reading, self.variants = reading, variants
            self.clamps, self.held = [as_plain(clamp) for clamp in clamps], held

    def _reading(self, text: str, tokens: Sequence[str], clamps: Sequence[Clamp] = ()) -> dict:
        """`values` {name: [token][unit]}, in thousandths, and what the model says (`reader.told`)."""
        written = self.reader.trace(tokens, clamps)
        values = {name: thousandths(torch.tensor(steps)) for name, steps in written.values.items()}
        return {"values": values, **self.reader.told(text, tokens, written)}

    def answer(self, *, text: str, clamps: list[dict]) -> None:
        """`read`, with each clamp as {gate, value, units}."""
        self.read(text, [as_clamp(clamp) for clamp in clamps])


class GateExplorer(GateView):
    """The gates of a language model.

    `GateExplorer(model, vocabulary, "The old fisherman", layer=0)`: `vocabulary` maps a token to its number, `split`
    cuts a text into tokens (by default its characters; `str.split` for a model of words). The units that follow spaces,
    word starts or quotes stand first, found by their h in `sample`, a longer text, with their correlation: `following`.
    Raises ValueError as every view of gates does, and for a token that the vocabulary has not.
    """

    title = "Gate explorer"

    def __init__(
        self,
        model: RNNLanguageModel,
        vocabulary: Mapping[str, int],
        text: str,
        *,
        split: Callable[[str], Sequence[str]] = list,
        layer: int = 0,
        clamps: Sequence[Clamp] = (),
        sample: str = "",
    ):
        super().__init__(LanguageModelReader(model, vocabulary, split, layer), text, clamps, sample)


class EncoderExplorer(GateView):
    """The gates of a translator's recurrent encoder, and the translation that comes of them.

    `EncoderExplorer(translator, "A man is riding a bicycle.", layer=1, reverse=True)`: `reverse` is the direction from
    right to left. A reading has the greedy `translation` that is made while the gates are held, in this layer and
    direction alone or `everywhere` in the encoder. Raises ValueError as every view of gates does, and for a
    translator without a recurrent encoder.
    """

    title = "Encoder explorer"

    def __init__(
        self,
        translator: Translator,
        text: str,
        *,
        layer: int = 0,
        reverse: bool = False,
        everywhere: bool = False,
        clamps: Sequence[Clamp] = (),
    ):
        super().__init__(EncoderReader(translator, layer, reverse, everywhere), text, clamps)


def as_plain(clamp: Clamp) -> dict:
    """A clamp as the front end keeps it."""
    return {"gate": clamp.gate, "value": clamp.value, "units": None if clamp.units is None else list(clamp.units)}


def as_clamp(plain: Mapping) -> Clamp:
    """`as_plain` back again."""
    units = plain["units"]
    return Clamp(plain["gate"], float(plain["value"]), None if units is None else tuple(units))
