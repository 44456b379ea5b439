"""The pairs of a dictionary, counted once and then kept exact while pairs are merged.

Recounting every pair after every merge is the definition of BPE, and slow: most words do not hold the merged pair.
So: a word that holds it takes its old pairs out of the counts and adds its new ones; no other word is read.
"""

from collections import defaultdict
from collections.abc import Mapping, Set
from heapq import heappop, heappush

from course_lib.subwords.pairs import Pair, merge


class PairIndex:
    """`counts[pair]` is the frequency of each pair of adjacent pieces in `dictionary` (pieces of a word → frequency).

    `words` and `frequencies` are the dictionary in its order, `where[pair]` the words (by their place in it) that hold
    the pair, `tied[count]` the pairs with that count. `count_pairs(index.dictionary()) == index.counts` at any time.
    """

    def __init__(self, dictionary: Mapping[tuple[str, ...], int]):
        self.words = list(dictionary)
        self.frequencies = list(dictionary.values())
        self.counts: dict[Pair, int] = {}
        self.where: dict[Pair, set[int]] = defaultdict(set)
        self.tied: dict[int, set[Pair]] = defaultdict(set)
        self._heights: list[int] = []  # a heap of -count for the counts in `tied`
        change: dict[Pair, int] = defaultdict(int)
        for i, (word, frequency) in enumerate(dictionary.items()):
            for pair in zip(word, word[1:], strict=False):
                change[pair] += frequency
                self.where[pair].add(i)
        self._update(change)

    def dictionary(self) -> dict[tuple[str, ...], int]:
        """The words as they are now segmented, in their first order, with their frequencies."""
        return dict(zip(self.words, self.frequencies, strict=True))

    def maxima(self) -> Set[Pair]:
        """All pairs that share the highest count; empty if no pair is left."""
        while self._heights:
            if pairs := self.tied[-self._heights[0]]:
                return pairs
            del self.tied[-heappop(self._heights)]
        return set()

    def first(self, pairs: Set[Pair]) -> Pair:
        """The one of `pairs` that is met first when the dictionary is read in its order."""
        word = self.words[min(min(self.where[pair]) for pair in pairs)]
        return next(pair for pair in zip(word, word[1:], strict=False) if pair in pairs)

    def merge(self, pair: Pair, symbol: str) -> None:
        """Write `symbol` for `pair` in every word, leftmost first, and bring the counts up to date."""
        change: dict[Pair, int] = defaultdict(int)
        for i in self.where[pair].copy():
            old, frequency = self.words[i], self.frequencies[i]
            new = self.words[i] = merge(old, pair, symbol)
            old_pairs, new_pairs = list(zip(old, old[1:], strict=False)), list(zip(new, new[1:], strict=False))
            for removed in old_pairs:
                change[removed] -= frequency
                self.where[removed].discard(i)
            for added in new_pairs:
                change[added] += frequency
                self.where[added].add(i)
        self._update(change)

    def _update(self, change: Mapping[Pair, int]) -> None:
        for pair, difference in change.items():
            if not difference:
                continue
            before = self.counts.pop(pair, 0)
            after = before + difference
            if before:
                self.tied[before].remove(pair)
            if not after:
                del self.where[pair]
                continue
            if after not in self.tied:
                heappush(self._heights, -after)
            self.tied[after].add(pair)
            self.counts[pair] = after
