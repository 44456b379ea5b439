"""The attention heatmap: which source words a translator looks at for each word that it writes, and what follows if
the reader makes it look elsewhere."""

from collections.abc import Iterable, Mapping, Sequence

import traitlets

from course_lib.transformer import Transformer
from course_lib.transformer.head_translator import HeadTranslator
from course_lib.widgets.attention_views import (
    LEVELS,
    NEXT,
    GoldPair,
    Trace,
    Translator,
    differences,
    rate,
    reading,
    units,
    written,
)
from course_lib.widgets.base import TraceWidget, front_end, one_line

MOST_SENTENCES, MOST_WORDS, MOST_TRANSLATORS = 30, 60, 4
FORMS = ("grid", "lines", "movie")


class AttentionHeatmap(TraceWidget):
    """Attention of one or several translators, side by side, on given sentences and on the reader's own.

    `AttentionHeatmap({"dot": load("attention")}, gold_pair(example, "en", "de", {"IBM Model 1": links}))`: `sentences`
    is a text, a `GoldPair`, or several of these. Where a translation has the words of the gold one, the gold links are
    drawn over the weights, with the AER of the hard alignment; `reference` shows how each model writes the gold words.
    Of a Transformer it shows the mean of the last layer's heads; `HeadTranslator(translator, layer, head)` shows one.

    `views` holds the sentences, `at` is the one shown. Its `models` have for each translator the `free` reading, that
    of the `reference`, and, where the reader has `forced` steps, the one `held`, its forced `rows` and `differences`.
    `level` is "words" or "pieces", `form` "grid", "lines" or "movie", which has written the words up to `step`. Raises
    ValueError for no or too many sentences, words or translators, for another level or form, for a sentence that a
    translator refuses, and for gold words that it cuts otherwise.
    """

    _esm, _css = front_end("attention_heatmap", root="lm-heatmap")
    title = "Attention heatmap"
    height = 760

    views = traitlets.List().tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    level = traitlets.Unicode("words").tag(sync=True)
    hard = traitlets.Bool(False).tag(sync=True)
    reference = traitlets.Bool(False).tag(sync=True)
    form = traitlets.Unicode("grid").tag(sync=True)
    step = traitlets.Int(1, min=0).tag(sync=True)

    def __init__(
        self,
        translators: Mapping[str, Translator],
        sentences: str | GoldPair | Iterable[str | GoldPair],
        *,
        level: str = "words",
        hard: bool = False,
        reference: bool = False,
        form: str = "grid",
    ):
        given = [sentences] if isinstance(sentences, str | GoldPair) else list(sentences)
        if not 1 <= len(translators) <= MOST_TRANSLATORS:
            raise ValueError(f"translators must be 1 to {MOST_TRANSLATORS} by name, got {len(translators)}")
        if not 1 <= len(given) <= MOST_SENTENCES:
            raise ValueError(f"sentences must be 1 to {MOST_SENTENCES}, got {len(given)}")
        _check("level", level, LEVELS)
        _check("form", form, FORMS)
        self.given = given
        self.translators = {
            name: HeadTranslator(one) if isinstance(getattr(one, "model", None), Transformer) else one
            for name, one in translators.items()
        }
        views = [self._view(sentence) for sentence in given]
        super().__init__(views=views, text=views[0]["text"], level=level, hard=hard, reference=reference, form=form)

    @traitlets.validate("at")
    def _check_at(self, proposal: dict) -> int:
        if not 0 <= proposal["value"] < len(self.views):
            raise ValueError(f"at must be from 0 to {len(self.views) - 1}, got {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("at")
    def _follow(self, _change: dict) -> None:
        self.text = self.views[self.at]["text"]

    def read(self, text: str) -> None:
        """Translate a sentence and show it, after those given. Raises ValueError and changes nothing if refused."""
        view = self._view(text)
        with self.hold_sync():
            self.views, self.at = [*self.views[: len(self.given)], view], len(self.given)
            self.text, self.step = view["text"], 1

    def force(self, model: str, row: int, column: int, level: str = "words") -> None:
        """Let `model`, where it writes word (or piece) `row` of what is shown, look at source word `column` alone.

        The weight is shared equally by the pieces of the source word, at all steps of the word that is then written;
        what was forced before stays forced. Raises ValueError for a place that is not there, and without attention.
        """
        _check("level", level, LEVELS)
        trace = self._trace(model, self._entry(model)["forced"])
        if trace.attention is None:
            raise ValueError(f"{model!r} has no attention that could be forced")
        (source, source_of), (target, target_of) = units(trace, level)
        for name, value, words in (("row", row, target), ("column", column, source)):
            if not 0 <= value < len(words):
                raise ValueError(f"{name} must lie in 0..{len(words) - 1}, got {value}")
        steps = [target_of.index(row)]
        moved = {"target": target[row], "source": source[column], "steps": steps}
        moved["pieces"] = [j for j, unit in enumerate(source_of) if unit == column]
        forced = [*self._entry(model)["forced"], moved]
        while self._goes_on(model, forced, level):
            steps.append(steps[-1] + 1)
        self._hold(model, forced)

    def _goes_on(self, model: str, forced: Sequence[Mapping], level: str) -> bool:
        """Does the word (or piece) that is forced last have another step after those forced?"""
        of, steps = units(self._trace(model, forced), level)[1][1], forced[-1]["steps"]
        return steps[-1] + 1 < len(of) and of[steps[-1] + 1] == of[steps[0]]

    def undo(self, model: str) -> None:
        """Take back what `force` did last to `model`."""
        self._hold(model, self._entry(model)["forced"][:-1])

    def answer(
        self,
        *,
        read: str | None = None,
        force: dict | None = None,
        undo: str | None = None,
        shown: str | None = None,
    ) -> None:
        """`read`, `force` or `undo`; raises ValueError where the sentence `shown` to the reader is not that of `at`."""
        if shown not in (None, self.views[self.at]["text"]):
            raise ValueError(f"that was asked of another sentence, “{shown}”")
        if read is not None:
            self.read(read)
        if force is not None:
            self.force(**force)
        if undo is not None:
            self.undo(undo)

    def _view(self, sentence: str | GoldPair) -> dict:
        """A sentence as all translators read it: freely and, where there is a gold translation, made to write that."""
        gold = sentence if isinstance(sentence, GoldPair) else None
        text = " ".join(gold.source) if gold else one_line(sentence)
        if len(text.split()) > MOST_WORDS:
            raise ValueError(f"a sentence may have {MOST_WORDS} words, got {len(text.split())}")
        models = []
        for name, translator in self.translators.items():
            entry = {"name": name, "free": reading(translator.trace(text), gold), "reference": None}
            if gold:
                entry["reference"] = reading(_reference(name, translator, gold), gold)
            models.append({**entry, "forced": [], "held": None, "rows": None, "differences": None})
        return {"text": text, "models": models, "gold": gold and _plain(gold)}

    @property
    def _gold(self) -> GoldPair | None:
        """The gold translation of the sentence shown."""
        sentence = self.given[self.at] if self.at < len(self.given) else None
        return sentence if isinstance(sentence, GoldPair) else None

    def _entry(self, model: str) -> dict:
        if model not in self.translators:
            raise ValueError(f"model must be one of {', '.join(self.translators)}, got {model!r}")
        return next(entry for entry in self.views[self.at]["models"] if entry["name"] == model)

    def _trace(self, model: str, forced: Sequence[Mapping]) -> Trace:
        text, weights = self.views[self.at]["text"], {}
        for one in forced:
            pieces = len(self._entry(model)["free"]["levels"]["pieces"]["source"])
            row = [float(j in one["pieces"]) / len(one["pieces"]) for j in range(pieces)]
            weights |= dict.fromkeys(one["steps"], row)
        return self.translators[model].trace(text, force=weights)

    def _hold(self, model: str, forced: list[dict]) -> None:
        """Translate the sentence shown again, with these steps forced."""
        held = {"forced": forced, "held": None, "rows": None, "differences": None}
        if forced:
            trace = self._trace(model, forced)
            steps = {t for one in forced for t in one["steps"] if t < len(trace.target)}
            held["held"] = reading(trace, self._gold)
            held["rows"] = {level: sorted({units(trace, level)[1][1][t] for t in steps}) for level in LEVELS}
            free = self._entry(model)["free"]["translation"]
            held["differences"] = differences(free, held["held"]["translation"])
        views = list(self.views)
        entries = views[self.at]["models"]
        models = [entry | held if entry["name"] == model else entry for entry in entries]
        views[self.at] = views[self.at] | {"models": models}
        self.views = views


def _reference(name: str, translator: Translator, gold: GoldPair) -> Trace:
    """How a translator writes the gold translation: teacher forcing."""
    trace = translator.align(" ".join(gold.source), gold.target, NEXT)
    sides = {"source": (gold.source, trace.source_words), "target": (gold.target, trace.target_words)}
    for side, (wanted, words) in sides.items():
        if written(words) != list(wanted):
            raise ValueError(f"the gold {side} words are {list(wanted)}, but {name!r} has {written(words)}")
    return trace


def _plain(gold: GoldPair) -> dict:
    possible = gold.sure if gold.possible is None else gold.possible
    return {
        "sure": sorted([j, i] for j, i in gold.sure),
        "possible": sorted([j, i] for j, i in possible - gold.sure),
        "others": [{"name": name, **rate(links, gold)} for name, links in gold.others.items()],
    }


def _check(name: str, value: str, known: Sequence[str]) -> None:
    if value not in known:
        raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
