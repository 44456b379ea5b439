"""The BPE merge stepper: watch byte pair encoding learn, predict its next merge, give it a text of your own."""

import re
from collections.abc import Iterable, Mapping, Sequence

import traitlets

from course_lib.subwords import Pair
from course_lib.subwords.words import dictionary
from course_lib.widgets.base import Stepper, filled, front_end
from course_lib.widgets.bpe_panel import learn_panel

MOST_MERGES, MOST_CHARACTERS, LONGEST_WORD = 300, 200_000, 24
COUNTED = re.compile(r"\s*(\S+)\s+(\d+)\s*")
Corpus = Mapping[str, int] | str | Iterable[str]


class BPEStepper(Stepper):
    """Step through the merges of one corpus, or of several side by side.

    `BPEStepper({"low": 5, "lower": 2, "newest": 6, "widest": 3}, merges=10)` shows Sennrich et al.'s dictionary,
    `BPEStepper(english, finnish, labels=["English", "Finnish"], merges=60)` two texts in step with each other.
    A corpus is what `BPE.learn` takes, and `tie` and `marker` are its too; `choices`, one for each corpus, set a step's
    pair against the tie rule, but only to one of the most frequent. `word` is cut with the merges made so far, seen in
    training or not. With `predict=True` the reader guesses each merge.

    `step` is how many merges are done; `panels` what is shown; `predictions` maps "corpus:step" to the guessed pair.
    Raises ValueError for what `BPE.learn` and `BPE.segment` refuse, more than 300 merges or 200,000 characters.
    """

    _esm, _css = front_end("bpe_stepper", root="lm-bpe")
    title = "BPE merge stepper"
    height = 860

    panels = traitlets.List().tag(sync=True)
    texts = traitlets.List(traitlets.Unicode()).tag(sync=True)
    word = traitlets.Unicode().tag(sync=True)
    merges = traitlets.Int().tag(sync=True)
    tie = traitlets.Unicode().tag(sync=True)
    marker = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        *corpora: Corpus,
        merges: int = 10,
        tie: str = "first",
        marker: str = "attached",
        labels: Sequence[str] | None = None,
        choices: Sequence[Mapping[int, Pair]] | None = None,
        word: str = "",
        predict: bool = False,
        step: int = 0,
    ):
        labels = [f"Text {i + 1}" for i in range(len(corpora))] if labels is None else list(labels)
        if not corpora or len(labels) != len(corpora):
            raise ValueError(f"expected at least one corpus and a label for each, got {len(corpora)} and {len(labels)}")
        self.labels = labels
        super().__init__(predict=predict)
        self.learn([as_text(corpus) for corpus in corpora], merges, tie, marker, choices, word)
        self.step = min(step, self.last)

    @property
    def last(self) -> int:
        """The last position: as many merges as the longest panel has."""
        return max(len(panel["merges"]) for panel in self.panels)

    @property
    def score(self) -> tuple[int, int]:
        """(right, all) predictions; right is any of the most frequent pairs."""
        guesses = [(*map(int, key.split(":")), pair) for key, pair in self.predictions.items()]
        tied = [
            [pair["pair"] for pair in self.panels[panel]["positions"][step]["pairs"] if pair["tied"]]
            for panel, step, _ in guesses
        ]
        return sum(pair in pairs for (_, _, pair), pairs in zip(guesses, tied, strict=True)), len(guesses)

    def learn(
        self,
        texts: Sequence[str],
        merges: int,
        tie: str = "first",
        marker: str = "attached",
        choices: Sequence[Mapping[int, Pair]] | None = None,
        word: str = "",
    ) -> None:
        """Learn anew, one text for each label, and cut `word`. Other texts begin at step 0; predictions are forgotten
        where there are other pairs to choose from.

        Raises ValueError and changes nothing if a text, a rule, a choice or the word will not do.
        """
        choices = [{}] * len(texts) if choices is None else list(choices)
        if not len(texts) == len(choices) == len(self.labels):
            raise ValueError(f"expected {len(self.labels)} texts and choices, got {len(texts)} and {len(choices)}")
        if not 0 <= merges <= MOST_MERGES:
            raise ValueError(f"merges must be from 0 to {MOST_MERGES}, got {merges}")
        if (longest := max(map(len, texts))) > MOST_CHARACTERS:
            raise ValueError(f"a text may have {MOST_CHARACTERS:,} characters, got {longest:,}")
        if len(word) > LONGEST_WORD:
            raise ValueError(f"the word may have {LONGEST_WORD} characters, got {len(word)}")
        pairs = [{k: tuple(pair) for k, pair in chosen.items()} for chosen in choices]
        panels = [
            learn_panel(label, as_dictionary(text), merges, tie, marker, chosen, word)
            for label, text, chosen in zip(self.labels, texts, pairs, strict=True)
        ]
        step = self.step if list(texts) == self.texts else 0
        same = [panel["positions"] for panel in panels] == [panel["positions"] for panel in self.panels]
        with self.hold_sync():
            self.texts, self.merges, self.tie, self.marker = list(texts), merges, tie, marker
            self.predictions = self.predictions if same else {}
            self.panels, self.word = panels, word
            self.step = min(step, self.last)

    def answer(
        self, *, texts: list[str], merges: int | None, tie: str, marker: str, choices: list[list], word: str = ""
    ) -> None:
        """`learn`, with each choice as [step, left, right]."""
        merges = filled("Merges", merges)
        self.learn(texts, merges, tie, marker, [{k: (a, b) for k, a, b in chosen} for chosen in choices], word.strip())


def as_text(corpus: Corpus) -> str:
    """A corpus as a reader can edit it: a text as it is, sentences on lines, a dictionary as lines of `word count`."""
    if isinstance(corpus, Mapping):
        return "\n".join(f"{word} {count}" for word, count in dictionary(corpus).items())
    return corpus if isinstance(corpus, str) else "\n".join(corpus)


def as_dictionary(text: str) -> dict[str, int]:
    """`as_text` back again: if each line is a word and a number it is a dictionary, otherwise a text to count.

    Raises ValueError if a word is listed twice, or as `course_lib.subwords.words.dictionary` does.
    """
    lines = [line for line in text.splitlines() if line.strip()]
    matches = [COUNTED.fullmatch(line) for line in lines]
    if not matches or not all(matches):
        return dictionary(text)
    counts = {}
    for word, count in (match.groups() for match in matches):
        if word in counts:
            raise ValueError(f"the word {word!r} is listed twice")
        counts[word] = int(count)
    return dictionary(counts)
