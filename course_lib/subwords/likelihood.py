"""What a merge does to the likelihood of a text under a unigram model of its pieces: the score of WordPiece.

Straka (2021), "Seq2seq, NMT, Transformer": join the pair that increases the unigram model's likelihood the most.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import log

from course_lib.subwords.pair_index import PairIndex
from course_lib.subwords.pairs import Pair, count_pairs, merge

CONTINUES = "##"  # before a piece that continues a word


def join(pair: Pair) -> str:
    """What a pair is written as: `l` and `##o` make `lo`, `##o` and `##w` make `##ow`."""
    return pair[0] + pair[1].removeprefix(CONTINUES)


def piece_counts(words: Iterable[tuple[tuple[str, ...], int]]) -> dict[str, int]:
    """n_w: how often each piece occurs in words given as (pieces, frequency)."""
    counts: Counter[str] = Counter()
    for pieces, frequency in words:
        for piece in pieces:
            counts[piece] += frequency
    return dict(counts)


def log_likelihood(counts: Mapping[str, int]) -> float:
    """L = Σ_w n_w log(n_w / N), N = Σ_w n_w: the text's log-probability (in nats) under its own unigram model."""
    total = sum(counts.values())
    return sum(n * log(n / total) for n in counts.values() if n > 0)


def gain(dictionary: Mapping[tuple[str, ...], int], pair: Pair) -> float:
    """L(after) − L(before) of merging `pair` everywhere, every n_w and N counted anew (in nats).

    `dictionary` maps a word's pieces to its frequency.
    """
    before = piece_counts(dictionary.items())
    after = piece_counts((merge(pieces, pair, join(pair)), frequency) for pieces, frequency in dictionary.items())
    return log_likelihood(after) - log_likelihood(before)


def ratio(dictionary: Mapping[tuple[str, ...], int], pair: Pair) -> float:
    """c(ab) / (c(a) c(b)), the common approximation of the gain; 0 if the pair does not occur."""
    counts = piece_counts(dictionary.items())
    together = count_pairs(dictionary).get(pair, 0)
    return together / (counts[pair[0]] * counts[pair[1]]) if together else 0.0


class Scores:
    """`gain` and `ratio` of any pair of an index without counting anew: a merge changes n_a, n_b, n_ab and N only."""

    def __init__(self, index: PairIndex):
        self.index = index
        self.counts = Counter(piece_counts(zip(index.words, index.frequencies, strict=True)))
        self.total = self.counts.total()

    def merges(self, pair: Pair) -> int:
        """How many times merging writes the new piece: c(ab), but once only in `a a a`."""
        if pair[0] != pair[1]:
            return self.index.counts[pair]
        shorter = ((i, self.index.words[i]) for i in self.index.where[pair])
        return sum(self.index.frequencies[i] * (len(word) - len(merge(word, pair))) for i, word in shorter)

    def gain(self, pair: Pair) -> float:
        """With f(n) = n log n, L = Σ_w f(n_w) − f(N); so only the terms of a, b, ab and N differ."""
        (a, b), c, n = pair, self.merges(pair), self.counts
        lost = _f(n[a]) - _f(n[a] - c) + (_f(n[b]) - _f(n[b] - c)) if a != b else _f(n[a]) - _f(n[a] - 2 * c)
        ab = n[join(pair)]
        won = _f(ab + c) - _f(ab)
        return won - lost + (_f(self.total) - _f(self.total - c))

    def ratio(self, pair: Pair) -> float:
        """c(ab) / (c(a) c(b))."""
        return self.index.counts[pair] / (self.counts[pair[0]] * self.counts[pair[1]])

    def merge(self, pair: Pair) -> None:
        """Merge `pair` in the index, and follow with the counts."""
        c = self.merges(pair)
        self.counts[pair[0]] -= c
        self.counts[pair[1]] -= c
        self.counts[join(pair)] += c
        self.total -= c
        self.index.merge(pair, join(pair))


@lru_cache(maxsize=2**16)
def _f(n: int) -> float:
    return n * log(n) if n else 0.0
