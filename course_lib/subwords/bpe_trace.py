"""What byte pair encoding did, step by step: a plain record for the merge stepper, handed out on request."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from course_lib.subwords.pair_index import PairIndex
from course_lib.subwords.pairs import Pair, count_pairs


@dataclass
class BPEStep:
    """One merge: what stood to choose from, what was chosen, and what the dictionary looks like afterwards."""

    step: int  # 0 for the first merge
    counts: list[tuple[Pair, int]]  # the most frequent pairs before the merge, the tie rule's winner first
    maxima: list[Pair]  # all pairs that share the highest count, the tie rule's winner first
    chosen: Pair
    symbol: str  # what the chosen pair is written as
    pieces: list[list[str]]  # each of the trace's words after the merge
    vocabulary_size: int  # after the merge: one more than before, no symbol is ever made in two ways


@dataclass
class BPETrace:
    """The whole run. Give an empty one to `BPE.learn(..., trace=trace)`; what it held before is forgotten.

    Kept are the `limit_words` most frequent words (in the dictionary's order) and the `limit_pairs` first pairs of
    each ranking; counts, ties and the vocabulary are those of the whole corpus.
    """

    limit_words: int = 100
    limit_pairs: int = 20
    tie: str = ""
    marker: str = ""
    words: list[tuple[str, int]] = field(default_factory=list)
    start: list[list[str]] = field(default_factory=list)  # each word's pieces before the first merge
    vocabulary: list[str] = field(default_factory=list)  # before the first merge
    steps: list[BPEStep] = field(default_factory=list)
    next_counts: list[tuple[Pair, int]] = field(default_factory=list)  # after the last merge: what would come next
    next_maxima: list[Pair] = field(default_factory=list)
    stopped: str = ""  # "merges": all were made; "no pair left"; "min_count": the best pair is too rare

    def to_json(self) -> dict:
        """The same as dictionaries, lists, strings and numbers only: a pair is a list of two strings."""
        return json.loads(json.dumps(asdict(self)))


def ranking(counts: Mapping[Pair, int], tie: str) -> list[tuple[Pair, int]]:
    """Pairs by falling count; ties as `tie` orders them ("first": in the order of `counts`; "largest": falling)."""
    if tie == "largest":
        return sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    return sorted(counts.items(), key=lambda item: -item[1])


class Recorder:
    """Writes what `BPE.learn` does into a trace. Counts all pairs anew at each step, to rank them."""

    def __init__(
        self, trace: BPETrace, counts: Mapping[str, int], index: PairIndex, characters: list[str], tie, marker
    ):
        self.trace, self.index = trace, index
        words = list(counts.items())
        by_frequency = sorted(range(len(words)), key=lambda i: -words[i][1])
        self.kept = sorted(by_frequency[: trace.limit_words])
        trace.tie, trace.marker, trace.vocabulary = tie, marker, list(characters)
        trace.words, trace.start, trace.steps = [words[i] for i in self.kept], self.pieces(), []

    def pieces(self) -> list[list[str]]:
        """The words of the trace as they are segmented now."""
        return [list(self.index.words[i]) for i in self.kept]

    def candidates(self) -> tuple[list[tuple[Pair, int]], list[Pair]]:
        """What stands to choose from now: the head of the ranking, and all maxima."""
        ranked = ranking(count_pairs(self.index.dictionary()), self.trace.tie)
        return ranked[: self.trace.limit_pairs], [pair for pair, count in ranked if count == ranked[0][1]]

    def before(self, chosen: Pair) -> None:
        """Record the choice of a step; its pieces follow."""
        step = len(self.trace.steps)
        size = len(self.trace.vocabulary) + step + 1
        self.trace.steps.append(BPEStep(step, *self.candidates(), chosen, "".join(chosen), [], size))

    def after(self) -> None:
        """Record the pieces that a step's merge has left."""
        self.trace.steps[-1].pieces = self.pieces()

    def end(self, stopped: str) -> None:
        """Record what would come next, and why learning stopped."""
        self.trace.next_counts, self.trace.next_maxima = self.candidates()
        self.trace.stopped = stopped
