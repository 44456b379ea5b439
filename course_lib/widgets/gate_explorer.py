"""The gate explorer: a trained cell reads your sentence; hold a gate open or shut and see what follows."""

from collections.abc import Callable, Mapping, Sequence

import torch
import traitlets
from torch import Tensor

from course_lib.recurrent import Clamp, RNNLanguageModel, trace
from course_lib.widgets.base import TraceWidget, front_end
from course_lib.widgets.unit_features import following_units

MOST_TOKENS, MOST_UNITS = 64, 256
GATES = {"f": "forget gate", "i": "input gate", "o": "output gate", "r": "reset gate", "z": "update gate"}
NAMES = {**GATES, "candidate": "candidate", "c": "memory cell", "h": "hidden state"}


class GateExplorer(TraceWidget):
    """Every gate and state of one layer of a language model over a text.

    `GateExplorer(model, vocabulary, "The old fisherman", layer=0)`: `vocabulary` maps a token to its number, `split`
    cuts a text into tokens (by default its characters; `str.split` for a model of words). The units that follow spaces,
    word starts or quotes stand first, found by their h in `sample`, a longer text, with their correlation: `following`.

    `reading` is the free one; `held`, with the same fields, the one under `clamps`, each {gate, value, units} where
    `units` is None for all; `variants` the readings with one gate open or shut in all units, which are there without
    Python. `unit` is the chosen one, -1 for the mean of all; `gate` what is drawn for all units; `position` the chosen
    token. Values are in thousandths, [token][unit]. Raises ValueError for a text of fewer than 2 or more than 64
    tokens, for a token that the vocabulary has not, and for what `trace` refuses.
    """

    _esm, _css = front_end("gate_explorer", root="lm-gates")
    title = "Gate explorer"
    height = 760

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
        if not 0 <= layer < len(model.network.layers):
            raise ValueError(f"layer must lie in 0..{len(model.network.layers) - 1}, got {layer}")
        cell = model.network.layers[layer][0].cell
        if cell.hidden_size > MOST_UNITS:
            raise ValueError(f"a layer may have {MOST_UNITS} units, got {cell.hidden_size}")
        self.model, self.vocabulary, self.split, self.layer = model, vocabulary, split, layer
        self.words = {number: token for token, number in vocabulary.items()}
        super().__init__(
            kind=type(cell).__name__,
            reset=getattr(cell, "reset", ""),
            names={name: NAMES[name] for name in cell.watched},
            units=cell.hidden_size,
            gate="h",
        )
        if sample:
            self.following = self._following(list(split(sample)))
        self.read(text, clamps)

    def read(self, text: str, clamps: Sequence[Clamp] = ()) -> None:
        """Read a text, free and with gates held. Raises ValueError and changes nothing if it will not do."""
        tokens = list(self.split(text))
        if not 2 <= len(tokens) <= MOST_TOKENS:
            raise ValueError(f"a text must have from 2 to {MOST_TOKENS} tokens, got {len(tokens)}")
        held = self._reading(tokens, clamps) if clamps else None
        if text == self.text:
            with self.hold_sync():
                self.clamps, self.held = [as_plain(clamp) for clamp in clamps], held
            return
        gates = [name for name in self.names if name in GATES]
        reading = self._reading(tokens)
        variants = {f"{g}={v}": self._reading(tokens, [Clamp(g, float(v))]) for g in gates for v in (0, 1)}
        with self.hold_sync():
            self.text, self.tokens, self.position = text, tokens, 0
            self.reading, self.variants = reading, variants
            self.clamps, self.held = [as_plain(clamp) for clamp in clamps], held

    @torch.no_grad()
    def _reading(self, tokens: Sequence[str], clamps: Sequence[Clamp] = ()) -> dict:
        """`values` {name: [token][unit]}; `given` [token]: the probability of each token but the first, given those
        before it; `best` [token]: the three likeliest to follow, each [token, probability]; `bits`: the mean of
        −log₂ p. Probabilities and values in thousandths."""
        ids = self._ids(tokens)
        written = trace(self.model.network, self.model.embedding(ids), tokens, clamps, self.layer)
        outputs = torch.tensor(written.outputs, device=ids.device, dtype=self.model.output.weight.dtype)
        p = self.model.output(outputs).softmax(1)
        given = p[:-1].gather(1, ids[1:, None])[:, 0]
        top = p.topk(min(3, p.shape[1]), dim=1)
        return {
            "values": {name: thousandths(torch.tensor(steps)) for name, steps in written.values.items()},
            "given": [None, *thousandths(given)],
            "best": [
                [[self.words.get(i, "?"), v] for i, v in zip(*pair, strict=True)]
                for pair in zip(top.indices.tolist(), thousandths(top.values), strict=True)
            ],
            "bits": round(-given.log2().mean().item(), 3),
        }

    @torch.no_grad()
    def _following(self, tokens: Sequence[str]) -> list[dict]:
        written = trace(self.model.network, self.model.embedding(self._ids(tokens)), tokens, layer=self.layer)
        return following_units(torch.tensor(written.values["h"]), tokens)

    def _ids(self, tokens: Sequence[str]) -> Tensor:
        if unknown := [token for token in dict.fromkeys(tokens) if token not in self.vocabulary]:
            raise ValueError(f"the model has never read {', '.join(map(repr, unknown))}")
        return torch.tensor([self.vocabulary[token] for token in tokens], device=self.model.output.weight.device)

    def answer(self, *, text: str, clamps: list[dict]) -> None:
        """`read`, with each clamp as {gate, value, units}."""
        self.read(text, [as_clamp(clamp) for clamp in clamps])


def thousandths(values: Tensor) -> list:
    """Values as whole numbers of thousandths: 0.2504 -> 250."""
    return (values.double() * 1000).round().long().tolist()


def as_plain(clamp: Clamp) -> dict:
    """A clamp as the front end keeps it."""
    return {"gate": clamp.gate, "value": clamp.value, "units": None if clamp.units is None else list(clamp.units)}


def as_clamp(plain: Mapping) -> Clamp:
    """`as_plain` back again."""
    units = plain["units"]
    return Clamp(plain["gate"], float(plain["value"]), None if units is None else tuple(units))
