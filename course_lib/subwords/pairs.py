"""The two moves of byte pair encoding, as they are defined: count the pairs of adjacent pieces, merge one of them."""

from collections.abc import Mapping

Pair = tuple[str, str]


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


def merge(pieces: tuple[str, ...], pair: Pair, symbol: str | None = None) -> tuple[str, ...]:
    """`pieces` with every occurrence of `pair` written as one `symbol` (a + b), from the left and never overlapping.

    `merge(("a", "a", "a"), ("a", "a")) == ("aa", "a")`.
    """
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
