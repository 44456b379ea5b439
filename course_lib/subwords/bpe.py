"""Byte pair encoding of words: merge the most frequent pair of adjacent pieces, again and again.

Sennrich, Haddow and Birch (2016), "Neural Machine Translation of Rare Words with Subword Units", algorithm 1;
taught in Straka (2021), "Seq2seq, NMT, Transformer", and in Liu and Malykh (2022), "Natural Language Processing,
Lecture 09".
"""

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal

from course_lib.subwords import storage
from course_lib.subwords.pair_index import PairIndex
from course_lib.subwords.pairs import Pair, merge
from course_lib.subwords.words import CACHE_SIZE, check_marker, check_word, dictionary

Tie = Literal["first", "largest"]
Marker = Literal["attached", "separate"]

MARKERS = {"attached": "</w>", "separate": "·"}  # how the end of a word is written: `t</w>` or `t ·`


class BPE:
    """A learned byte pair encoding: the `characters` it began with, its `merges` in training order, its `marker`."""

    def __init__(self, characters: Iterable[str], merges: Iterable[Pair], marker: Marker = "attached"):
        if marker not in MARKERS:
            raise ValueError(f"marker must be one of {list(MARKERS)}, got {marker!r}")
        self.marker = marker
        self.end = MARKERS[marker]
        self.characters = list(characters)
        self.merges = list(merges)
        self.vocabulary = list(dict.fromkeys(self.characters + ["".join(pair) for pair in self.merges]))
        self._step = {pair: step for step, pair in enumerate(self.merges)}
        if len(self._step) < len(self.merges):
            raise ValueError("merges lists a pair twice, which learning never does")
        self._pieces = set(self.vocabulary)
        self._longest = max(map(len, self.vocabulary), default=1)
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
    ) -> "BPE":
        """Learn up to `merges` merges from a dictionary {word: frequency}, a text, or an iterable of sentences.

        Each step merges the pair with the highest count. Of several with the same count it takes
        `tie="first"`: the one met first when the dictionary, as segmented so far, is read in its order (as by hand),
        `tie="largest"`: the largest as a tuple of strings (subword-nmt's).
        It ends early when no pair occurs `min_count` times (1: when no pair is left; subword-nmt's default is 2).
        `choices` sets the pair of a step, counted from 0, against the rule. `trace_bpe` keeps every step.
        Raises ValueError for an empty corpus, a marker inside a word, a negative number, a choice that does not occur.
        """
        training = Training(corpus, merges, tie, marker, min_count, choices)
        return cls(training.characters, training, marker)

    def symbols(self, word: str) -> tuple[str, ...]:
        """The characters of a word with its end marked: `l o w</w>` (attached) or `l o w ·` (separate)."""
        return (*word[:-1], word[-1] + self.end) if self.marker == "attached" else (*word, self.end)

    def segment(self, word: str) -> tuple[str, ...]:
        """The pieces of one word: `for pair in merges: pieces = merge(pieces, pair)`. Remembered for each word.

        A character that training never saw stays a piece of its own.
        Raises ValueError if the word is empty, holds whitespace or the marker.
        """
        if word not in self._cache:
            if len(self._cache) >= CACHE_SIZE:
                self._cache.clear()
            self._cache[word] = self._segment(word)
        return self._cache[word]

    def _segment(self, word: str) -> tuple[str, ...]:
        """The same as all merges in turn, but straight to the next one whose pair is there."""
        self._check(word)
        pieces, done = self.symbols(word), -1
        while steps := [
            step for pair in zip(pieces, pieces[1:], strict=False) if (step := self._step.get(pair, -1)) > done
        ]:
            done = min(steps)
            pieces = merge(pieces, self.merges[done])
        return pieces

    def segment_longest(self, word: str) -> tuple[str, ...]:
        """The pieces of one word by greedy longest match from the left in the vocabulary, not by merge order.

        Liu and Malykh (2022), "deterministic longest piece segmentation". A character never seen stays a piece.
        """
        self._check(word)
        symbols, pieces, i = self.symbols(word), [], 0
        while i < len(symbols):
            j = min(len(symbols), i + self._longest)
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
        """Write a JSON file, completely or not at all."""
        content = {"characters": self.characters, "merges": self.merges, "marker": self.marker}
        storage.save(path, "BPE", content)

    @classmethod
    def load(cls, path: str | os.PathLike) -> "BPE":
        """Read what `save` wrote. Raises ValueError if the file holds something else."""
        content = storage.load(path, "BPE", {"characters", "merges", "marker"})
        return cls(**content | {"merges": [tuple(pair) for pair in content["merges"]]})

    def _check(self, word: str) -> None:
        check_word(word)
        check_marker([word], self.end)


class Training:
    """The loop of `BPE.learn`, which takes the same arguments: an iterator of pairs, each given before it is merged.

    `counts` is the dictionary, `index` its words as they are segmented now, `characters` the pieces they began with.
    When the loop has ended, `stopped` says why: "merges" (all are made), "no pair left" or "min_count".
    """

    def __init__(
        self,
        corpus: Mapping[str, int] | str | Iterable[str],
        merges: int,
        tie: Tie = "largest",
        marker: Marker = "attached",
        min_count: int = 1,
        choices: Mapping[int, Pair] | None = None,
    ):
        if merges < 0:
            raise ValueError(f"merges must be 0 or more, got {merges}")
        if min_count < 1:
            raise ValueError(f"min_count must be 1 or more, got {min_count}")
        if tie not in ("first", "largest"):
            raise ValueError(f'tie must be "first" or "largest", got {tie!r}')
        self.merges, self.tie, self.min_count, self.choices = merges, tie, min_count, choices or {}
        self.counts = dictionary(corpus)
        start = BPE((), (), marker)
        check_marker(self.counts, start.end)
        self.index = PairIndex({start.symbols(word): count for word, count in self.counts.items()})
        self.characters = list(dict.fromkeys(symbol for word in self.index.words for symbol in word))
        self.stopped = ""

    def __iter__(self) -> Iterator[Pair]:
        index = self.index
        for step in range(self.merges):
            tied = index.maxima()
            if not tied:
                self.stopped = "no pair left"
                return
            pair = max(tied) if self.tie == "largest" else index.first(tied)
            if index.counts[pair] < self.min_count:
                self.stopped = "min_count"
                return
            if step in self.choices:
                pair = tuple(self.choices[step])
                if pair not in index.counts:
                    raise ValueError(f"choices wants {pair} at step {step}, but that pair does not occur there")
            yield pair
            index.merge(pair, "".join(pair))
        self.stopped = "merges"
