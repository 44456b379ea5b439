"""The pairs of a dictionary, counted once and then kept exact while pairs are merged.

Recounting every pair after every merge is the definition of BPE, and slow: most words do not hold the merged pair.
A merge in  x a b y  takes the pairs (x, a), (a, b), (b, y) away and brings (x, ab), (ab, y): nothing else changes.
"""

from collections import defaultdict
from collections.abc import Mapping
from heapq import heapify, heappop, heappush

Pair = tuple[str, str]


class PairIndex:
    """`counts[pair]` is the frequency of each pair of adjacent pieces in `dictionary` (pieces of a word → frequency).

    `where[pair]` holds at least the words with that pair (a word that has lost it since stays listed),
    `tied[count]` the pairs with exactly that count.
    """

    def __init__(self, dictionary: Mapping[tuple[str, ...], int]):
        self.words = [list(pieces) for pieces in dictionary]
        self.frequencies = list(dictionary.values())
        self.counts: dict[Pair, int] = defaultdict(int)
        self.where: dict[Pair, set[int]] = defaultdict(set)
        for i, (word, frequency) in enumerate(zip(self.words, self.frequencies, strict=True)):
            for pair in zip(word, word[1:], strict=False):
                self.counts[pair] += frequency
                self.where[pair].add(i)
        self.tied: dict[int, set[Pair]] = defaultdict(set)
        for pair, count in self.counts.items():
            self.tied[count].add(pair)
        self._highest = [-count for count in self.tied]  # a heap: each count that ever had a pair
        heapify(self._highest)

    def dictionary(self) -> dict[tuple[str, ...], int]:
        """The words as they are now segmented, in their first order, with their frequencies."""
        return dict(zip(map(tuple, self.words), self.frequencies, strict=True))

    def maxima(self) -> set[Pair]:
        """All pairs that share the highest count; empty if no pair is left."""
        while self._highest:
            if pairs := self.tied.get(-self._highest[0]):
                return pairs
            self.tied.pop(-heappop(self._highest), None)
        return set()

    def first_place(self, pair: Pair) -> tuple[int, int]:
        """(word, position) where `pair` is met first when the dictionary is read in its order."""
        for i in sorted(self.where[pair]):
            for k, here in enumerate(zip(self.words[i], self.words[i][1:], strict=False)):
                if here == pair:
                    return i, k
        raise KeyError(pair)

    def merge(self, pair: Pair, symbol: str) -> None:
        """Write `symbol` for `pair` in every word, leftmost first, and bring the counts up to date."""
        change: dict[Pair, int] = defaultdict(int)
        a, b = pair
        for i in self.where.pop(pair):
            word, frequency = self.words[i], self.frequencies[i]
            for k in range(len(word) - 1):
                if k + 1 >= len(word):  # the word has become shorter
                    break
                if word[k] == a and word[k + 1] == b:
                    word[k : k + 2] = [symbol]
                    change[pair] -= frequency
                    if k > 0:
                        x = word[k - 1]
                        change[x, a] -= frequency
                        change[x, symbol] += frequency
                        self.where[x, symbol].add(i)
                    if k + 1 < len(word):
                        y = word[k + 1]
                        change[b, y] -= frequency
                        change[symbol, y] += frequency
                        self.where[symbol, y].add(i)
        for changed, difference in change.items():
            if difference:
                self._add(changed, difference)

    def _add(self, pair: Pair, difference: int) -> None:
        before = self.counts[pair]
        after = self.counts[pair] = before + difference
        self.tied[before].discard(pair)
        if after == 0:
            del self.counts[pair]
            self.where.pop(pair, None)
            return
        if after not in self.tied:
            heappush(self._highest, -after)
        self.tied[after].add(pair)
