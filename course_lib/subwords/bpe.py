"""Byte pair encoding of words: merge the most frequent pair of adjacent pieces, again and again.

Sennrich, Haddow and Birch (2016), "Neural Machine Translation of Rare Words with Subword Units", algorithm 1;
taught in Straka (2021), "Seq2seq, NMT, Transformer", and Liu and Malykh (2022), "Natural Language Processing, Lecture 09".
"""

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, Self

from course_lib.files import write_atomically
from course_lib.subwords.bpe_trace import BPEStep, BPETrace, maxima, ranking
from course_lib.subwords.pair_index import Pair, PairIndex
from course_lib.subwords.words import check_marker, dictionary

Tie = Literal["first", "largest"]
Marker = Literal["attached", "separate"]

MARKERS = {"attached": "</w>", "separate": "·"}  # how the end of a word is written: `t</w>` or `t ·`
CACHE_SIZE = 100_000  # words whose segmentation is remembered


def count_pairs(dictionary: Mapping[tuple[str, ...], int]) -> dict[Pair, int]:
    """How often each pair of adjacent pieces occurs: c(a, b) = Σ_word frequency(word) · (places where b follows a).

    `dictionary` maps a word's pieces to its frequency. Pairs come in the order in which reading it meets them:
    `count_pairs({("l", "o", "w"): 5, ("l", "o"): 2}) == {("l", "o"): 7, ("o", "w"): 5}`.
    """
    counts: dict[Pair, int] = {}
    for pieces, frequency in dictionary.items():
        for pair in zip(pieces, pieces[1:], strict=False):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def merge(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    """`pieces` with every occurrence of `pair` joined, from the left and never overlapping.

    `merge(("a", "a", "a"), ("a", "a")) == ("aa", "a")`.
    """
    merged = []
    i = 0
    while i < len(pieces):
        if pieces[i : i + 2] == pair:
            merged.append(pieces[i] + pieces[i + 1])
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return tuple(merged)


class BPE:
    """A learned byte pair encoding: the `characters` it began with, its `merges` in training order, its `marker`."""

    def __init__(self, characters: Iterable[str], merges: Iterable[Pair], marker: Marker = "attached"):
        if marker not in MARKERS:
            raise ValueError(f"marker must be one of {list(MARKERS)}, got {marker!r}")
        self.marker = marker
        self.end = MARKERS[marker]
        self.characters = list(characters)
        self.merges = [tuple(pair) for pair in merges]
        self.vocabulary = list(dict.fromkeys(self.characters + ["".join(pair) for pair in self.merges]))
        self._ranks = {pair: rank for rank, pair in reversed(list(enumerate(self.merges)))}
        self._pieces = set(self.vocabulary)
        self._cache: dict[str, tuple[str, ...]] = {}

    @classmethod
    def learn(
        cls,
        corpus: Mapping[str, int] | str | Iterable[str],
        merges: int,
        *,
        tie: Tie = "largest",
        marker: Marker = "attached",
        min_count: int = 1,
        choices: Mapping[int, Pair] | None = None,
        trace: BPETrace | None = None,
    ) -> Self:
        """Learn up to `merges` merges from a dictionary {word: frequency}, a text, or an iterable of sentences.

        Each step merges the pair with the highest count. Of several with the same count it takes
        `tie="first"`: the one met first when the dictionary, as segmented so far, is read in its order (the seeds'),
        `tie="largest"`: the largest as a tuple of strings (subword-nmt's).
        It ends early when no pair occurs `min_count` times (1: when no pair is left; subword-nmt's default is 2).
        `choices` sets the pair of a step, counted from 0, against the rule; `trace` is filled with every step.
        Raises ValueError for an empty corpus, a marker inside a word, a negative number, a choice that does not occur.
        """
        if merges < 0:
            raise ValueError(f"merges must be 0 or more, got {merges}")
        if min_count < 1:
            raise ValueError(f"min_count must be 1 or more, got {min_count}")
        if tie not in ("first", "largest"):
            raise ValueError(f'tie must be "first" or "largest", got {tie!r}')
        counts = dictionary(corpus)
        start = cls((), (), marker)
        check_marker(counts, start.end)
        index = PairIndex({start.symbols(word): count for word, count in counts.items()})
        characters = list(dict.fromkeys(symbol for word in index.words for symbol in word))
        recorder = _Recorder(trace, counts, index, characters, tie, marker) if trace is not None else None

        learned: list[Pair] = []
        stopped = "merges"
        while len(learned) < merges:
            tied = index.maxima()
            if not tied:
                stopped = "no pair left"
                break
            pair = max(tied) if tie == "largest" else min(tied, key=index.first_place)
            if index.counts[pair] < min_count:
                stopped = "min_count"
                break
            if choices and len(learned) in choices:
                pair = tuple(choices[len(learned)])
                if pair not in index.counts:
                    raise ValueError(f"choices wants {pair} at step {len(learned)}, but that pair does not occur there")
            if recorder:
                recorder.before(pair)
            index.merge(pair, "".join(pair))
            if recorder:
                recorder.after()
            learned.append(pair)
        if recorder:
            recorder.end(stopped)
        return cls(characters, learned, marker)

    def symbols(self, word: str) -> tuple[str, ...]:
        """The characters of a word with its end marked: `l o w</w>` (attached) or `l o w ·` (separate)."""
        return (*word[:-1], word[-1] + self.end) if self.marker == "attached" else (*word, self.end)

    def segment(self, word: str) -> tuple[str, ...]:
        """The pieces of one word: all merges, in the order in which they were learned. Remembered for each word.

        Of the pairs in the word the one learned first is merged, until none is left that was learned.
        A character that training never saw stays a piece of its own.
        Raises ValueError if the word is empty, holds whitespace or the marker.
        """
        if word not in self._cache:
            if len(self._cache) >= CACHE_SIZE:
                self._cache.clear()
            self._cache[word] = self._segment(word)
        return self._cache[word]

    def _segment(self, word: str) -> tuple[str, ...]:
        self._check(word)
        pieces = self.symbols(word)
        while known := [pair for pair in zip(pieces, pieces[1:], strict=False) if pair in self._ranks]:
            pieces = merge(pieces, min(known, key=self._ranks.__getitem__))
        return pieces

    def segment_longest(self, word: str) -> tuple[str, ...]:
        """The pieces of one word by greedy longest match from the left in the vocabulary, not by merge order.

        Liu and Malykh (2022), "deterministic longest piece segmentation". A character never seen stays a piece.
        """
        self._check(word)
        symbols, pieces, i = self.symbols(word), [], 0
        while i < len(symbols):
            j = len(symbols)
            while j > i + 1 and "".join(symbols[i:j]) not in self._pieces:
                j -= 1
            pieces.append("".join(symbols[i:j]))
            i = j
        return tuple(pieces)

    def encode(self, sentence: str) -> list[str]:
        """The pieces of all words of a sentence."""
        return [piece for word in sentence.split() for piece in self.segment(word)]

    def decode(self, pieces: Iterable[str]) -> str:
        """The sentence: pieces joined, each end marker a space. `decode(encode(text)) == " ".join(text.split())`."""
        return "".join(pieces).replace(self.end, " ").strip()

    def save(self, path: str | os.PathLike) -> None:
        """Write a JSON file, whole or not at all."""
        content = {"type": "BPE", "marker": self.marker, "characters": self.characters, "merges": self.merges}
        with write_atomically(path) as file:
            json.dump(content, file, ensure_ascii=False, indent=0)

    @classmethod
    def load(cls, path: str | os.PathLike) -> Self:
        """Read what `save` wrote. Raises ValueError if the file is something else."""
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            if content.pop("type") != "BPE":
                raise ValueError("another type")
            return cls(**content)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is not a BPE saved by this course ({error})") from error

    def _check(self, word: str) -> None:
        if word.split() != [word]:
            raise ValueError(f"expected one word without whitespace, got {word!r}")
        check_marker([word], self.end)


class _Recorder:
    """Writes each step of `BPE.learn` into a trace; recounts all pairs at each step, to rank them."""

    def __init__(self, trace: BPETrace, counts: dict[str, int], index: PairIndex, characters: list[str], tie, marker):
        self.trace, self.index, self.vocabulary = trace, index, set(characters)
        frequent = sorted(range(len(counts)), key=lambda i: -index.frequencies[i])[: trace.limit_words]
        words = list(counts.items())
        self.kept = sorted(frequent)
        trace.tie, trace.marker, trace.vocabulary = tie, marker, list(characters)
        trace.words, trace.start, trace.steps = [words[i] for i in self.kept], self._pieces(), []

    def _pieces(self) -> list[list[str]]:
        return [list(self.index.words[i]) for i in self.kept]

    def before(self, chosen: Pair) -> None:
        ranked = ranking(count_pairs(self.index.dictionary()), self.trace.tie)
        step, symbol = len(self.trace.steps), "".join(chosen)
        self.vocabulary.add(symbol)
        top = ranked[: self.trace.limit_pairs]
        self.trace.steps.append(BPEStep(step, top, maxima(ranked), chosen, symbol, [], len(self.vocabulary)))

    def after(self) -> None:
        self.trace.steps[-1].pieces = self._pieces()

    def end(self, stopped: str) -> None:
        ranked = ranking(count_pairs(self.index.dictionary()), self.trace.tie)
        self.trace.next_counts, self.trace.next_maxima = ranked[: self.trace.limit_pairs], maxima(ranked)
        self.trace.stopped = stopped
