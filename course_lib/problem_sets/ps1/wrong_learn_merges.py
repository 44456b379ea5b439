"""Learning merges as defined, and wrong in the ways that people get it wrong."""

import re
from collections.abc import Callable

from course_lib.problem_sets.ps1.words import END
from course_lib.subwords.pairs import Pair, count_pairs, largest, learn_merges, merge, read_first


def marked(word: str) -> tuple[str, ...]:
    return (*word[:-1], word[-1] + END)


def loop(
    count: Callable = count_pairs, choose: Callable = read_first, merge: Callable = merge, symbols: Callable = marked
):
    """Learning as defined, with some part exchanged."""

    def learn(entries: dict[str, int], merges: int) -> list[Pair]:
        words = {symbols(word): frequency for word, frequency in entries.items()}
        return learn_merges(words, merges, count, choose, merge)[0]

    return learn


def unweighted(words: dict[tuple[str, ...], int]) -> dict[Pair, int]:
    return count_pairs(dict.fromkeys(words, 1))


def once_a_word(words: dict[tuple[str, ...], int]) -> dict[Pair, int]:
    in_word = {pieces: set(zip(pieces, pieces[1:], strict=False)) for pieces in words}
    return {pair: sum(n for pieces, n in words.items() if pair in in_word[pieces]) for pair in count_pairs(words)}


def without_overlap(words: dict[tuple[str, ...], int]) -> dict[Pair, int]:
    def places(pieces: tuple[str, ...], pair: Pair) -> int:
        return len(pieces) - len(merge(pieces, pair))

    return {pair: sum(n * places(pieces, pair) for pieces, n in words.items()) for pair in count_pairs(words)}


def merge_first_only(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    for i in range(len(pieces) - 1):
        if pieces[i : i + 2] == pair:
            return (*pieces[:i], "".join(pair), *pieces[i + 2 :])
    return pieces


def merge_from_right(pieces: tuple[str, ...], pair: Pair, symbol: str | None = None) -> tuple[str, ...]:
    return merge(pieces[::-1], pair[::-1], symbol or "".join(pair))[::-1]


def merge_in_text(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    return tuple(" ".join(pieces).replace(" ".join(pair), "".join(pair)).split(" "))


def merge_by_pattern(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    return tuple(re.sub(rf"(?<!\S){' '.join(pair)}(?!\S)", "".join(pair), " ".join(pieces)).split(" "))


def counted_once(entries: dict[str, int], merges: int) -> list[Pair]:
    counts = count_pairs({marked(word): frequency for word, frequency in entries.items()})
    return sorted(counts, key=counts.get, reverse=True)[:merges]


def never_reset(entries: dict[str, int], merges: int) -> list[Pair]:
    words, counts, learned = {marked(word): n for word, n in entries.items()}, {}, []
    for _ in range(merges):
        for pair, n in count_pairs(words).items():
            counts[pair] = counts.get(pair, 0) + n
        if not counts:
            break
        learned.append(read_first(counts))
        words = {merge(pieces, learned[-1]): n for pieces, n in words.items()}
    return learned


def first_alone(entries: dict[str, int], merges: int) -> list[Pair] | None:
    return defined(entries, 1) if merges and count_pairs({marked(word): 1 for word in entries}) else None


def stale_order(entries: dict[str, int], merges: int) -> list[Pair]:
    read: dict[Pair, int] = {}

    def first_ever(counts: dict[Pair, int]) -> Pair:
        read.update(counts | {pair: 0 for pair in read if pair not in counts})  # a known pair keeps its place
        return read_first(read)

    return loop(choose=first_ever)(entries, merges)


def frequent_first(entries: dict[str, int], merges: int) -> list[Pair]:
    return defined(dict(sorted(entries.items(), key=lambda entry: -entry[1])), merges)


def emptied(entries: dict[str, int], merges: int) -> list[Pair]:
    learned = defined(entries, merges)
    entries.clear()
    return learned


defined = loop()
unweighted_loop = loop(count=unweighted)
once_a_word_loop = loop(count=once_a_word)
last_tie = loop(choose=lambda counts: max(reversed(counts), key=counts.__getitem__))
largest_tie = loop(choose=largest)
without_overlap_loop = loop(count=without_overlap)
first_only_loop = loop(merge=merge_first_only)
from_right_loop = loop(merge=merge_from_right)
in_text_loop = loop(merge=merge_in_text)
by_pattern_loop = loop(merge=merge_by_pattern)
no_marker = loop(symbols=tuple)
separate_marker = loop(symbols=lambda word: (*word, END))
seen_twice = loop(count=lambda words: {pair: n for pair, n in count_pairs(words).items() if n > 1})
