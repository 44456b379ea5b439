"""Byte pair encoding as it is defined: count the pairs of adjacent pieces, merge the most frequent one, begin again."""

from collections.abc import Callable, Mapping

Pair = tuple[str, str]
Dictionary = Mapping[tuple[str, ...], int]  # a word's pieces -> its frequency


def count_pairs(dictionary: Dictionary) -> dict[Pair, int]:
    """How often each pair of adjacent pieces occurs: c(a, b) = Σ_word frequency(word) · (places where b follows a).

    `dictionary` maps a word's pieces to its frequency. Pairs come in the order in which reading it meets them:
    `count_pairs({("l", "o", "w"): 5, ("l", "o"): 2}) == {("l", "o"): 7, ("o", "w"): 5}`.
    """
    counts: dict[Pair, int] = {}
    for pieces, frequency in dictionary.items():
        for pair in zip(pieces, pieces[1:], strict=False):
            counts[pair] = counts.get(pair, 0) + frequency
    return counts


def merge(pieces: tuple[str, ...], pair: Pair, symbol: str | None = None) -> tuple[str, ...]:
    """`pieces` with every occurrence of `pair` written as one `symbol` (a + b), from the left and never overlapping.

    `merge(("a", "a", "a"), ("a", "a")) == ("aa", "a")`.
    """
    if pair[0] not in pieces:  # as in most words
        return pieces
    symbol = pair[0] + pair[1] if symbol is None else symbol
    merged = []
    i = 0
    while i < len(pieces):
        if pieces[i : i + 2] == pair:
            merged.append(symbol)
            i += 2
        else:
            merged.append(pieces[i])
            i += 1
    return tuple(merged)


def read_first(counts: Mapping[Pair, int]) -> Pair:
    """The most frequent pair; of equally frequent ones the pair read first (the rule for ties by hand)."""
    return max(counts, key=counts.__getitem__)


def largest(counts: Mapping[Pair, int]) -> Pair:
    """The most frequent pair; of equally frequent ones the largest as a tuple of strings (subword-nmt's rule)."""
    return max(counts, key=lambda pair: (counts[pair], pair))


def learn_merges(
    dictionary: Dictionary,
    merges: int,
    count: Callable[[Dictionary], Mapping[Pair, int]] = count_pairs,
    choose: Callable[[Mapping[Pair, int]], Pair] = read_first,
    merge: Callable[[tuple[str, ...], Pair], tuple[str, ...]] = merge,
) -> tuple[list[Pair], Dictionary]:
    """The first `merges` merges, and the dictionary after them (Sennrich et al. 2016, algorithm 1).

    Ends early when no pair is left. `BPE.learn` gives the same merges, and does not count every pair anew each time.
    """
    learned: list[Pair] = []
    while len(learned) < merges and (counts := count(dictionary)):
        pair = choose(counts)
        dictionary = {merge(pieces, pair): frequency for pieces, frequency in dictionary.items()}
        learned.append(pair)
    return learned, dictionary
