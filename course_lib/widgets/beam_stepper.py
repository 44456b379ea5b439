"""The beam tree: watch beam search weigh and prune, predict what it keeps, and revive what it pruned."""

from collections.abc import Sequence

import traitlets

from course_lib.search.beam import FINISHED, STOP
from course_lib.search.hypothesis import Normalise, gnmt, plain, power
from course_lib.search.tree import beam_tree
from course_lib.translator import Translator
from course_lib.widgets.base import Stepper, front_end, one_line
from course_lib.widgets.beam_compare import compared
from course_lib.widgets.beam_views import Drawn

MOST_BEAMS, MOST_PIECES, LONGEST = 8, 60, 60
MOST_SIZES, WIDEST = 4, 100  # of beams that are compared
NORMALISE = {"plain": lambda alpha: plain, "gnmt": gnmt, "power": power}


class BeamStepper(Stepper):
    """Step through the beam search of one sentence: `BeamStepper(load("attention"), "The dog sees the cat.", k=3)`.

    A word of the output takes two steps: every hypothesis with the words that may follow is weighed, then the best are
    kept. `k`, `finished`, `stop` and `max_length` are the search's (`search.beam`; "count" ends with k finished
    outputs, "bound" when the best one is proved); outputs are ranked by `normalise`: "plain", "gnmt" or "power", with
    `alpha`. It opens at `step`, by default with the whole tree, or at the first choice where the reader is to predict.
    For a toy model: `Translator(model, Words(words), Vocabulary(words))`.

    `nodes` and `outputs` are the search's as beam_views.Drawn makes them, `decisions` what ends it, `ending` why it
    ended; `greedy` is greedy search's row, drawn in the same tree; `revived` maps a node that was pruned to the row of
    the best output that goes on from it. `compared` are the same search with the beam sizes of `compare`
    (beam_compare.py). `predictions` maps the number of a word to the nodes said to be kept.
    Raises ValueError for what the search refuses, k above 8, more than 60 pieces on either side, and as
    `Translator.trace` for the sentence.
    """

    _esm, _css = front_end("beam_stepper", root="lm-beam")
    title = "Beam tree"
    height = 820

    text = traitlets.Unicode().tag(sync=True)
    k = traitlets.Int().tag(sync=True)
    finished = traitlets.Unicode().tag(sync=True)
    stop = traitlets.Unicode().tag(sync=True)
    normalise = traitlets.Unicode().tag(sync=True)
    alpha = traitlets.Float().tag(sync=True)
    max_length = traitlets.Int().tag(sync=True)
    nodes = traitlets.List().tag(sync=True)
    outputs = traitlets.List().tag(sync=True)
    decisions = traitlets.List().tag(sync=True)
    ending = traitlets.Unicode().tag(sync=True)
    greedy = traitlets.Dict().tag(sync=True)
    revived = traitlets.Dict().tag(sync=True)
    compared = traitlets.List().tag(sync=True)

    def __init__(
        self,
        translator: Translator,
        text: str,
        k: int = 3,
        *,
        finished: str = "aside",
        stop: str = "count",
        normalise: str = "plain",
        alpha: float = 0.6,
        max_length: int | None = None,
        predict: bool = False,
        step: int | None = None,
        compare: Sequence[int] = (),
    ):
        self.translator = translator
        super().__init__(predict=predict)
        self.search(text, k, finished=finished, stop=stop, normalise=normalise, alpha=alpha, max_length=max_length)
        if step is not None:
            self.step = min(step, self.last)
        if compare:
            self.compare(compare)

    @property
    def last(self) -> int:
        """The last step."""
        return 2 * len(self.decisions)

    @property
    def score(self) -> tuple[int, int]:
        """(right, all) predictions; right is to name nodes as probable as those that were kept."""
        totals = {word: sorted(self.nodes[n]["total"] for n in named) for word, named in self.predictions.items()}
        kept = {word: sorted(n["total"] for n in self._kept(int(word))) for word in totals}
        return sum(totals[word] == kept[word] for word in totals), len(totals)

    def _kept(self, depth: int) -> list[dict]:
        return [node for node in self.nodes if node["depth"] == depth and node["fate"] == "kept"]

    def search(
        self,
        text: str,
        k: int,
        *,
        finished: str = "aside",
        stop: str = "count",
        normalise: str = "plain",
        alpha: float = 0.6,
        max_length: int | None = None,
    ) -> None:
        """Search anew. Another sentence opens as the first one did; predictions and revived branches are forgotten.

        `max_length` None: as long as the translator lets an output become, but at most 60 pieces. Raises ValueError
        and changes nothing if the sentence or a setting will not do.
        """
        text = one_line(text)
        source = self.translator.read([text])
        pieces = source[0].shape[1] - 1  # without `</s>`
        if pieces > MOST_PIECES:
            raise ValueError(f"a sentence may have {MOST_PIECES} pieces, got {pieces}")
        most = min(self.translator.limit(pieces), LONGEST) if max_length is None else max_length
        for name, size, limit in (("k", k, MOST_BEAMS), ("the longest output (max_length)", most, LONGEST)):
            if not 1 <= size <= limit:
                raise ValueError(f"{name} must be from 1 to {limit}, got {size}")
        for name, value, known in (
            ("finished", finished, FINISHED),
            ("stop", stop, STOP),
            ("normalise", normalise, NORMALISE),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {', '.join(known)}, got {value!r}")
        ranking: Normalise = NORMALISE[normalise](alpha)
        settings = {"finished": finished, "stop": stop, "normalise": ranking, "n_best": 1}
        tree = beam_tree(self.translator.model, *source, most, k, **settings)
        made = Drawn(tree, self.translator, ranking)
        outputs, decisions, ending = made.outputs(), made.decisions(), made.ending()
        greedy = made.add(beam_tree(self.translator.model, *source, most, 1, normalise=ranking), "greedy")
        self._source, self._settings, self._drawn = source, settings, made
        again = self._compared([row["k"] for row in self.compared])
        at_end, same = self.step == self.last > 0, text == self.text
        with self.hold_sync():
            self.text, self.k, self.finished, self.stop = text, k, finished, stop
            self.normalise, self.alpha, self.max_length = normalise, alpha, most
            self.nodes, self.outputs, self.decisions, self.ending = list(made.nodes), outputs, decisions, ending
            self.greedy, self.revived, self.predictions, self.compared = greedy, {}, {}, again
            opened = 1 if self.predict else self.last  # the first choice is there to be predicted
            self.step = self.last if same and at_end else min(self.step if same else opened, self.last)

    def read(self, text: str) -> None:
        """Search another sentence with the settings as they are. Raises ValueError as `search` does."""
        settings = {name: getattr(self, name) for name in ("finished", "stop", "normalise", "alpha")}
        self.search(text, self.k, **settings)

    def revive(self, number: int) -> None:
        """Search on from a node that nothing follows, with the same settings: the best output that begins so.

        Raises ValueError for a node that is not there, that ended, or that others follow.
        """
        tree = self._drawn.tree
        if not 0 <= number < len(tree.nodes):
            raise ValueError(f"number must be from 0 to {len(tree.nodes) - 1}, got {number}")
        if tree.nodes[number].word == tree.eos or any(node.parent == number for node in tree.nodes):
            raise ValueError(f"number must be a node that could go on and did not, got {number}")
        words = tree.words(number)
        if len(words) >= tree.max_length:
            raise ValueError(f"it has {len(words)} words already, as many as max_length allows")
        longer = beam_tree(
            self.translator.model, *self._source, tree.max_length, self.k, **self._settings, prefix=words
        )
        row = self._drawn.add(longer, "revived")
        with self.hold_sync():
            self.nodes, self.revived = list(self._drawn.nodes), {**self.revived, str(number): row}

    def compare(self, sizes: Sequence[int]) -> None:
        """Search with each of these beam sizes, and show them side by side, now and after each new search.

        Raises ValueError for none or more than four, and for sizes outside 1 to 100.
        """
        if not 1 <= len(sizes) <= MOST_SIZES:
            raise ValueError(f"sizes must be 1 to {MOST_SIZES} beam sizes, got {len(sizes)}")
        if wrong := [k for k in sizes if not 1 <= k <= WIDEST]:
            raise ValueError(f"sizes must be from 1 to {WIDEST}, got {wrong[0]}")
        self.compared = self._compared(sorted(set(sizes)))

    def _compared(self, sizes: Sequence[int]) -> list[dict]:
        settings = {name: value for name, value in self._settings.items() if name != "n_best"}
        return compared(self.translator, self._source, self._drawn.tree.max_length, sizes, **settings)

    def answer(
        self,
        *,
        search: dict | None = None,
        revive: int | None = None,
        compare: Sequence[int] | None = None,
        shown: dict | None = None,
    ) -> None:
        """`search` with these settings, `revive`, or `compare`; `shown` are the settings of the tree that is revived.

        Raises ValueError where these are not those of the last search.
        """
        if any(value != getattr(self, name) for name, value in (shown or {}).items()):
            raise ValueError("that was asked of another search’s tree")
        if compare is not None:
            self.compare(compare)
        if search is not None:
            self.search(**search)
        if revive is not None:
            self.revive(revive)
