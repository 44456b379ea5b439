"""ps1.learn_merges: byte-pair encoding learnt from a word-frequency dictionary (Liu and Malykh 2022)."""

import re
from collections.abc import Callable
from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps1.words import CAPITALS, END, LETTERS, RARE, SIGNS, dictionary, said, word
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair, count_pairs, largest, learn_merges, merge, read_first


def reference(dictionary: dict[str, int], merges: int) -> list[Pair]:
    """The first `merges` merges of BPE, attached marker, ties to the pair that is read first, down to frequency 1."""
    return list(BPE.learn(dictionary, merges, tie="first", marker="attached", min_count=1).merges)


# Wrong versions: the definition's loop with one part exchanged.


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


# Cases: each criterion shows its own mistakes, and of the others only those that every such dictionary shows.

MARKERS = (no_marker, separate_marker)
OLD_COUNTS = (counted_once, never_reset, stale_order)
MISTAKES = (
    *(unweighted_loop, *MARKERS, *OLD_COUNTS, last_tie, largest_tie),
    *(once_a_word_loop, first_only_loop, in_text_loop, by_pattern_loop, seen_twice),
)
shows = isolating(defined, MISTAKES, lambda entries, merges: Case((entries, merges), said(entries, merges)))


def stems(rng: Random, parts: list[str], ends: list[str]) -> dict[str, int]:
    """Words of these parts, each with an end of its own, in any order."""
    words = [part + end for part, end in zip(parts, ends, strict=True)]
    return {word: rng.randint(2, 12) for word in rng.sample(words, len(words))}


@shows(unweighted_loop)
def draw_counts(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 2, (3, 5), CAPITALS if size % 3 == 1 else LETTERS[:6]), 1


@shows(no_marker, separate_marker, apart=False, free=(unweighted_loop,))
def draw_marker(rng: Random, size: int) -> tuple:
    return dictionary(rng, 4 + size // 2, (2, 4), frequencies=(1, 20)), 2


@shows(counted_once, never_reset, free=(unweighted_loop, stale_order))
def draw_chain(rng: Random, size: int) -> tuple:
    return dictionary(rng, 5 + size // 2, (3, 4), LETTERS[:4], frequencies=(1, 50), ends=RARE), 3


@shows(last_tie, largest_tie, apart=False, free=OLD_COUNTS)
def draw_ties(rng: Random, size: int) -> tuple:
    frequency = rng.randint(2, 9)
    return dictionary(rng, 2 + size // 4, (3, 4), frequencies=(frequency, frequency), ends=RARE), 2


@shows(
    last_tie, stale_order, unweighted_loop, frequent_first, apart=False, free=(largest_tie, counted_once, never_reset)
)
def draw_sums(rng: Random, size: int) -> tuple:
    """Equal counts that are sums of different frequencies, one of them made by a merge."""
    return dictionary(rng, 4 + size // 4, (3, 4), LETTERS[:4], frequencies=(1, 4), ends=RARE), 3


def draw_twice(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 4, (4, 6), LETTERS[:3], frequencies=(1, 99), repeats=True, ends=RARE), 2


REPEATS = (once_a_word_loop, first_only_loop)
draw_repeats = shows(*REPEATS, apart=False, free=(unweighted_loop, *OLD_COUNTS))(draw_twice)
draw_overlap = shows(without_overlap_loop, free=(*REPEATS, unweighted_loop, *OLD_COUNTS))(draw_twice)


@shows(from_right_loop, free=(unweighted_loop, *OLD_COUNTS, once_a_word_loop, first_only_loop))
def draw_runs(rng: Random, size: int) -> tuple:
    letter, *others = rng.sample(LETTERS, 3 + size // 4)
    length, ends = rng.choice((3, 5)), rng.sample(RARE, len(others))
    return stems(rng, [other + letter * length for other in others], ends), 2


@shows(in_text_loop, free=(unweighted_loop, *OLD_COUNTS))
def draw_boundaries(rng: Random, size: int) -> tuple:
    a, b, c, x, y = rng.sample(LETTERS, 5)
    parts = [a + b, a + b, x + b + c, y + b + c, a + b + c, a + b + c, *[x + y] * (size // 4)]
    return stems(rng, parts, rng.sample(RARE, len(parts))), 3


@shows(by_pattern_loop, free=(unweighted_loop, *OLD_COUNTS))
def draw_characters(rng: Random, size: int) -> tuple:
    letters = "".join(rng.sample(LETTERS, 3)) + rng.choice(SIGNS)
    return dictionary(rng, 4 + size // 4, (3, 4), letters, frequencies=(1, 99), ends=RARE), 2


@shows(free=(*MARKERS, *OLD_COUNTS, last_tie, first_only_loop, seen_twice))
def draw_end(rng: Random, size: int) -> tuple:
    """One-letter words; no merge at all; more merges than there are pairs, in words that occur once, one as "anana"."""
    letter = {rng.choice(RARE): 1}
    if size < 2:
        return letter, 3 * size
    syllable = word(rng, 2, LETTERS[:6], repeats=False)
    more = dictionary(rng, size // 6, (3, 4), frequencies=(1, 1))
    return letter | {syllable * 2 + syllable[0]: 1} | more, 20 * (size % 3 != 0)


@shows(separate_marker, counted_once, free=(stale_order, unweighted_loop))
def draw_letter(rng: Random, size: int) -> tuple:
    """A frequent word of one letter, in which nothing is to be merged; and a merge that makes the next pair rare."""
    a, b, c, d, x, y = rng.sample(LETTERS, 6)
    letter, *ends = rng.sample(RARE, 7)
    return {letter: rng.randint(40, 60)} | stems(rng, [a + b, a + b, a + b + c, d + b + c, x + y, x + y], ends), 2


TASK = Task(
    name="ps1.learn_merges",
    title="Learn BPE merges",
    reference=reference,
    criteria=(
        Criterion(
            "counts",
            1,
            "The first merge is the pair with the highest count, each word counted with its frequency.",
            draw_counts,
        ),
        Criterion("marker", 1, "The last letter of a word is a symbol of its own, letter + '</w>'.", draw_marker),
        Criterion("chain", 1, "Counts are taken anew after every merge, and merged pieces merge again.", draw_chain),
        Criterion(
            "ties",
            1,
            "Among pairs with equal counts, the one read first in the dictionary, as segmented by now, wins.",
            alternate(draw_ties, draw_sums),
            visible=4,
        ),
        Criterion(
            "repeats",
            0.5,
            "Every occurrence of a pair in a word counts and is merged, from the left.",
            alternate(draw_repeats, draw_runs, draw_overlap),
            visible=4,
        ),
        Criterion("boundaries", 0.5, "Only whole pieces merge: 'e','s' is not found in 'le','s'.", draw_boundaries),
        Criterion("characters", 0.5, "A character is a character, '.' and '$' too.", draw_characters),
        Criterion(
            "end",
            0.5,
            "Learning stops when no pair is left; no merges are learnt from one-letter words, or if none are wanted.",
            draw_end,
            visible=4,
        ),
        Criterion(
            "arguments", 0.5, "The dictionary is afterwards as it was.", draw_letter, probe=leaving("dictionary merges")
        ),
    ),
    misconceptions=(
        Misconception(
            "words counted once",
            unweighted_loop,
            "counts",
            "You count every word once. Each place where a pair stands counts as often as its word occurs: add the "
            "frequency of the word.",
        ),
        Misconception(
            "no end marker",
            no_marker,
            "marker",
            "Your merges carry no '</w>'. The last letter of each word is one symbol with the marker: "
            "an ending is another piece than the same letters inside a word.",
        ),
        Misconception(
            "end marker as a symbol of its own",
            separate_marker,
            "marker",
            "You write '</w>' as a symbol behind the word: l o w </w>. Here the last letter carries it: l o w</w>.",
        ),
        Misconception(
            "counts never refreshed",
            counted_once,
            "chain",
            "These are the most frequent pairs of the untouched dictionary. "
            "After each merge the pairs change: count them again.",
        ),
        Misconception(
            "counts added to the old ones",
            never_reset,
            "chain",
            "Your counts still hold those of earlier rounds. Begin each round with an empty table.",
        ),
        Misconception(
            "one merge and no more",
            first_alone,
            "chain",
            "You return after the first merge: is `return` inside the loop?",
        ),
        Misconception(
            "last of the ties",
            last_tie,
            "ties",
            "Among equal counts you take the pair read last. "
            "With `>` instead of `>=` (or `max` over pairs in reading order) the first one stays.",
        ),
        Misconception(
            "largest of the ties",
            largest_tie,
            "ties",
            "Among equal counts you take the alphabetically largest pair, as subword-nmt does. "
            "Here the pair read first wins.",
        ),
        Misconception(
            "dictionary sorted by frequency",
            frequent_first,
            "ties",
            "You read the most frequent words first. Among equal counts, the order of the dictionary as it is given "
            "decides.",
        ),
        Misconception(
            "merging from the right",
            from_right_loop,
            "repeats",
            "In a run such as 'a a a' you merge the last two. Go through each word from the left.",
        ),
        Misconception(
            "a pair counted once a word",
            once_a_word_loop,
            "repeats",
            "You count a pair once for each word that holds it; in 'banana' the pair 'a','n' occurs twice.",
        ),
        Misconception(
            "overlapping places counted once",
            without_overlap_loop,
            "repeats",
            "In a run such as 'a a a' you count the pair 'a','a' once. Here overlapping places all count: twice.",
        ),
        Misconception(
            "first occurrence only",
            first_only_loop,
            "repeats",
            "You merge only the first occurrence in a word; go on through the rest of it.",
        ),
        Misconception(
            "merging in joined text",
            in_text_loop,
            "boundaries",
            "You replace 'e s' in the joined text, and so also inside 'le s'. Compare whole pieces.",
        ),
        Misconception(
            "a pattern that is not escaped",
            by_pattern_loop,
            "characters",
            "You put the pair into a regular expression as it is; there '.' stands for any character. Use re.escape, "
            "or compare pieces.",
        ),
        Misconception(
            "the dictionary emptied",
            emptied,
            "arguments",
            "You take words out of the dictionary that you are given. It belongs to the caller: work on a copy.",
        ),
        Misconception(
            "pairs seen once are dropped",
            seen_twice,
            "end",
            "You stop at pairs that occur once. "
            "Here learning goes on until the number of merges is reached or no pair is left.",
        ),
    ),
    forbidden=(
        "course_lib.subwords.bpe.BPE.learn",
        "course_lib.subwords.pairs.learn_merges",
        "subword_nmt.learn_bpe.learn_bpe",
        "sentencepiece.SentencePieceTrainer.Train",
    ),
)
