"""The n-gram explorer: which n-grams of an output BLEU counts, where it finds them, and what each factor takes away."""

from collections.abc import Mapping, Sequence

import traitlets

from course_lib.metrics.bleu import SMOOTHINGS
from course_lib.widgets.base import TraceWidget, front_end, one_line
from course_lib.widgets.ngram_views import ngram_view, ter

MOST_OUTPUTS, MOST_REFERENCES, MOST_TOKENS = 30, 6, 60
ORDERS = range(1, 5)


class NgramExplorer(TraceWidget):
    """An output above its references, a row of n-grams for each order from 1 to 4, and BLEU as a sum of logs.

    `NgramExplorer("the the the cat", ["the cat sat on the mat"])`; `hypotheses` is an output, a list, or a dict with a
    name for each; `references` is a list of references that all outputs share, or a list of such lists, one for each
    output. The reader chooses one, edits it, and points at n-grams; Python computes every number (13a tokens).

    `views` has an `ngram_views.ngram_view` for each output, `at` is the one chosen. `text` is what stands in the field,
    `edited` its view, {} while it is the chosen output; `view` is the one shown. `picked` is the n-gram that stays
    marked, (n, position in the output), or (). `smoothing` is BLEU's ("none", "floor", "add-k", "exp"), which counts
    the orders that the output has. Raises TypeError for one string as references, and ValueError for no or too many
    outputs, references and tokens, an empty reference, and an `at`, `picked` or `smoothing` that is not there.
    """

    _esm, _css = front_end("ngram_explorer", root="lm-ngrams")
    title = "N-gram explorer"
    height = 900

    names = traitlets.List(traitlets.Unicode()).tag(sync=True)
    outputs = traitlets.List(traitlets.Unicode()).tag(sync=True)
    views = traitlets.List().tag(sync=True)
    at = traitlets.Int(0).tag(sync=True)
    text = traitlets.Unicode().tag(sync=True)
    edited = traitlets.Dict().tag(sync=True)
    picked = traitlets.List(traitlets.Int()).tag(sync=True)
    smoothing = traitlets.Unicode("exp").tag(sync=True)

    def __init__(
        self,
        hypotheses: str | Sequence[str] | Mapping[str, str],
        references: Sequence[str] | Sequence[Sequence[str]],
        *,
        at: int = 0,
        picked: Sequence[int] = (),
        smoothing: str = "exp",
    ):
        names, outputs = _named(hypotheses)
        self.references = _references(references, len(outputs))
        _check_smoothing(smoothing)
        views = [_view(*both, smoothing) for both in zip(outputs, self.references, strict=True)]
        if not 0 <= at < len(outputs):
            raise ValueError(f"at must be from 0 to {len(outputs) - 1}, got {at}")
        super().__init__(names=names, outputs=outputs, views=views, smoothing=smoothing)
        self.at, self.text = at, outputs[at]
        self.picked = list(picked)

    @property
    def view(self) -> dict:
        """What is shown: of the reader's text, or of the chosen output."""
        return self.edited or self.views[self.at]

    @traitlets.validate("at")
    def _check_at(self, proposal: dict) -> int:
        if not 0 <= proposal["value"] < len(self.outputs):
            raise ValueError(f"at must be from 0 to {len(self.outputs) - 1}, got {proposal['value']}")
        return proposal["value"]

    @traitlets.observe("at")
    def _follow(self, _change: dict) -> None:
        with self.hold_sync():
            self.picked, self.edited, self.text = [], {}, self.outputs[self.at]

    @traitlets.validate("picked")
    def _check_picked(self, proposal: dict) -> list[int]:
        picked = proposal["value"]
        if picked and not (len(picked) == 2 and picked[0] in ORDERS and 0 <= picked[1] < self._total(picked[0])):
            raise ValueError(f"picked must be (n, position) of an n-gram of the output, n from 1 to 4, got {picked}")
        return picked

    def _total(self, n: int) -> int:
        return self.view["orders"][n - 1]["total"]

    def edit(self, text: str, *, wait: bool = True) -> None:
        """Score another text against the same references; without `wait` TER of a long one is None until `add_ter`.

        Raises ValueError and changes nothing if the text is too long.
        """
        text = one_line(text)
        view = {}
        if text != self.outputs[self.at]:
            view = _view(text, self.references[self.at], self.smoothing, wait=wait)
        self._show(text, view)

    def add_ter(self) -> None:
        """Score the text by TER, too, where that is still wanting."""
        if self.edited:
            self.edited = self.edited | {"ter": ter(self.text, tuple(self.references[self.at]))}

    def smooth(self, smoothing: str) -> None:
        """Score everything anew with this smoothing. Raises ValueError and changes nothing for an unknown one."""
        _check_smoothing(smoothing)
        views = [_view(*both, smoothing) for both in zip(self.outputs, self.references, strict=True)]
        edited = _view(self.text, self.references[self.at], smoothing) if self.edited else {}
        with self.hold_sync():
            self.smoothing, self.views, self.edited = smoothing, views, edited

    def answer(self, *, edit: str | None = None, add_ter: bool = False, smooth: str | None = None) -> None:
        """`edit`, `add_ter` or `smooth`."""
        if edit is not None:
            self.edit(edit, wait=False)
        if add_ter:
            self.add_ter()
        if smooth is not None:
            self.smooth(smooth)

    def _show(self, text: str, edited: dict) -> None:
        """The n-gram that was picked stays so where the same one stands at its place."""
        before = _ngram(self.view, self.picked)
        after = _ngram(edited or self.views[self.at], self.picked)
        with self.hold_sync():
            if before != after:
                self.picked = []
            self.text, self.edited = text, edited


def _ngram(view: dict, picked: Sequence[int]) -> list[str] | None:
    if not picked:
        return None
    n, position = picked
    tokens = view["hypothesis"][position : position + n]
    return tokens if len(tokens) == n else None


def _view(text: str, references: Sequence[str], smoothing: str, *, wait: bool = True) -> dict:
    view = ngram_view(text, references, smoothing, wait=False)
    for tokens, what in ((view["hypothesis"], "an output"), *((one, "a reference") for one in view["references"])):
        if len(tokens) > MOST_TOKENS:
            raise ValueError(f"{what} may have {MOST_TOKENS} tokens, got {len(tokens)}")
    return view | {"ter": ter(text, tuple(references))} if wait else view


def _named(hypotheses: str | Sequence[str] | Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Names and outputs."""
    if isinstance(hypotheses, str):
        hypotheses = {"output": hypotheses}
    elif not isinstance(hypotheses, Mapping):
        hypotheses = {f"output {k}": text for k, text in enumerate(hypotheses, 1)}
    if not 1 <= len(hypotheses) <= MOST_OUTPUTS:
        raise ValueError(f"hypotheses must be 1 to {MOST_OUTPUTS} outputs, got {len(hypotheses)}")
    for name, text in hypotheses.items():
        if not isinstance(text, str):
            raise TypeError(f"hypotheses must be strings, got {type(text).__name__} for {name!r}: {text!r:.40}")
    return [str(name) for name in hypotheses], [one_line(text) for text in hypotheses.values()]


def _references(references: Sequence[str] | Sequence[Sequence[str]], outputs: int) -> list[list[str]]:
    """A list of references for each output."""
    if isinstance(references, str):
        raise TypeError(f"references must be a list of references, got one string: {references!r:.40}")
    shared = all(isinstance(one, str) for one in references)
    lists = [list(references)] * outputs if shared else references
    if len(lists) != outputs:
        raise ValueError(f"references must be strings, or one list for each of {outputs} outputs, got {len(lists)}")
    for k, texts in enumerate(lists):
        if isinstance(texts, str):
            raise TypeError(f"references must be all strings or all lists of strings, got {texts!r:.40} at {k}")
        if not 1 <= len(texts) <= MOST_REFERENCES:
            raise ValueError(f"an output must have 1 to {MOST_REFERENCES} references, got {len(texts)}")
        for text in texts:
            if not isinstance(text, str):
                raise TypeError(f"references must be strings, got {type(text).__name__}: {text!r:.40}")
    return [[one_line(text) for text in texts] for texts in lists]


def _check_smoothing(smoothing: str) -> None:
    if smoothing not in SMOOTHINGS:
        raise ValueError(f"smoothing must be one of {', '.join(SMOOTHINGS)}, got {smoothing!r}")
