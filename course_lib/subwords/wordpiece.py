"""WordPiece: merge the pair that makes the text most likely; segment by greedy longest match.

Schuster and Nakajima (2012), "Japanese and Korean Voice Search"; Wu et al. (2016), "Google's Neural Machine Translation
System"; taught in Straka (2021), "Seq2seq, NMT, Transformer". A piece that continues a word begins with `##`, as in
BERT, from its first character on: `o` and `##o` are counted apart, as `t` and `t</w>` are in byte pair encoding.
"""

import os
from collections.abc import Container, Iterable, Mapping
from typing import Literal

from course_lib.subwords import storage
from course_lib.subwords.likelihood import CONTINUES, Scores, join
from course_lib.subwords.pair_index import PairIndex
from course_lib.subwords.pairs import Pair
from course_lib.subwords.words import CACHE_SIZE, UNK, check_word, dictionary


def symbols(word: str) -> tuple[str, ...]:
    """The characters of a word, `##` before each except the first: `l ##o ##w`."""
    return (word[0], *(CONTINUES + character for character in word[1:]))


def longest_match(word: str, vocabulary: Container[str], longest: int | None = None) -> tuple[str, ...]:
    """Cut a word from the left, each time the longest piece of the vocabulary (`##` before it inside the word).

    `(UNK,)` if the word cannot be covered that way. No piece longer than `longest` characters is looked up.
    """
    pieces, start = [], 0
    while start < len(word):
        prefix = CONTINUES if start > 0 else ""
        end = len(word) if longest is None else min(len(word), start + longest)
        while end > start and prefix + word[start:end] not in vocabulary:
            end -= 1
        if end == start:
            return (UNK,)
        pieces.append(prefix + word[start:end])
        start = end
    return tuple(pieces)


class WordPiece:
    """A learned WordPiece vocabulary; `merges` are the pairs that made it (longest match does not need them)."""

    def __init__(self, vocabulary: Iterable[str], merges: Iterable[Pair] = ()):
        self.vocabulary = list(vocabulary)
        self.merges = list(merges)
        self._pieces = set(self.vocabulary)
        self._longest = max(map(len, self.vocabulary), default=1)
        self._cache: dict[str, tuple[str, ...]] = {}

    @classmethod
    def learn(
        cls,
        corpus: Mapping[str, int] | str | Iterable[str],
        merges: int,
        *,
        score: Literal["gain", "ratio"] = "gain",
    ) -> "WordPiece":
        """Learn up to `merges` merges; each takes the pair with the highest score, of equals the one met first.

        `score` is the "gain" in log-likelihood (learning ends when no pair raises it) or the "ratio"
        c(ab) / (c(a) c(b)). The vocabulary begins with every character of the corpus, as `c` and as `##c`: a word of
        known characters is never unknown.
        Raises ValueError for an empty corpus, a negative number of merges, a word that begins with `##`.
        """
        if merges < 0:
            raise ValueError(f"merges must be 0 or more, got {merges}")
        if score not in ("gain", "ratio"):
            raise ValueError(f'score must be "gain" or "ratio", got {score!r}')
        words = dictionary(corpus)
        for word in words:
            _check_beginning(word)
        index = PairIndex({symbols(word): frequency for word, frequency in words.items()})
        scores = Scores(index)
        measure = scores.gain if score == "gain" else scores.ratio

        learned: list[Pair] = []
        while len(learned) < merges and index.counts:
            measured = {pair: measure(pair) for pair in index.counts}
            best = max(measured.values())
            if score == "gain" and best <= 0:
                break
            pair = index.first({pair for pair, value in measured.items() if value == best})
            scores.merge(pair)
            learned.append(pair)
        characters = dict.fromkeys("".join(words))
        return cls(dict.fromkeys([*characters, *(CONTINUES + c for c in characters), *map(join, learned)]), learned)

    def segment(self, word: str) -> tuple[str, ...]:
        """The pieces of one word by greedy longest match, `(UNK,)` if that fails. Remembered for each word.

        Raises ValueError if the word is empty, holds whitespace or begins with `##`.
        """
        if word not in self._cache:
            check_word(word)
            _check_beginning(word)
            if len(self._cache) >= CACHE_SIZE:
                self._cache.clear()
            self._cache[word] = longest_match(word, self._pieces, self._longest)
        return self._cache[word]

    def encode(self, sentence: str) -> list[str]:
        """The pieces of all words of a sentence."""
        return [piece for word in sentence.split() for piece in self.segment(word)]

    def decode(self, pieces: Iterable[str]) -> str:
        """The sentence: a piece with `##` continues the word before it."""
        return " ".join(pieces).replace(f" {CONTINUES}", "")

    def save(self, path: str | os.PathLike) -> None:
        """Write a JSON file, completely or not at all."""
        storage.save(path, "WordPiece", {"vocabulary": self.vocabulary, "merges": self.merges})

    @classmethod
    def load(cls, path: str | os.PathLike) -> "WordPiece":
        """Read what `save` wrote. Raises ValueError if the file holds something else."""
        content = storage.load(path, "WordPiece", {"vocabulary", "merges"})
        return cls(**content | {"merges": [tuple(pair) for pair in content["merges"]]})


def _check_beginning(word: str) -> None:
    if word.startswith(CONTINUES):
        raise ValueError(f"the word {word!r} begins with the marker {CONTINUES!r} of pieces that continue a word")
