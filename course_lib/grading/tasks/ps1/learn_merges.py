"""ps1.learn_merges: byte-pair encoding learnt from a word-frequency dictionary (Liu and Malykh 2022)."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.isolate import isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps1.words import dictionary, said, word
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair, count_pairs, largest, learn_merges, merge, read_first


def reference(entries: dict[str, int], merges: int) -> list[Pair]:
    """The first `merges` merges of BPE, attached marker, ties to the pair that is read first, down to frequency 1."""
    return list(BPE.learn(entries, merges, tie="first", marker="attached", min_count=1).merges)


# Wrong versions: the definition's loop with one part exchanged.


def marked(word: str) -> tuple[str, ...]:
    return (*word[:-1], word[-1] + "</w>")


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


def merge_first_only(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    for i in range(len(pieces) - 1):
        if pieces[i : i + 2] == pair:
            return (*pieces[:i], "".join(pair), *pieces[i + 2 :])
    return pieces


def merge_in_text(pieces: tuple[str, ...], pair: Pair) -> tuple[str, ...]:
    return tuple(" ".join(pieces).replace(" ".join(pair), "".join(pair)).split(" "))


def counted_once(entries: dict[str, int], merges: int) -> list[Pair]:
    counts = count_pairs({marked(word): frequency for word, frequency in entries.items()})
    return sorted(counts, key=counts.get, reverse=True)[:merges]


defined = loop()
unweighted_loop = loop(count=unweighted)
once_a_word_loop = loop(count=once_a_word)
last_tie = loop(choose=lambda counts: max(reversed(counts), key=counts.__getitem__))
largest_tie = loop(choose=largest)
first_only_loop = loop(merge=merge_first_only)
in_text_loop = loop(merge=merge_in_text)
no_marker = loop(symbols=tuple)
seen_twice = loop(count=lambda words: {pair: n for pair, n in count_pairs(words).items() if n > 1})


# Cases: each criterion shows its own mistakes, and of the others only those that every such dictionary shows.

MISTAKES = (
    *(unweighted_loop, no_marker, counted_once, last_tie, largest_tie),
    *(once_a_word_loop, first_only_loop, in_text_loop, seen_twice),
)
shows = isolating(defined, MISTAKES, lambda entries, merges: Case((entries, merges), said(entries, merges)))


@shows(unweighted_loop)
def draw_counts(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 2, (3, 5)), 1


@shows(no_marker, free=(unweighted_loop,))
def draw_marker(rng: Random, size: int) -> tuple:
    return dictionary(rng, 4 + size // 2, (2, 4), frequencies=(1, 6)), 1


@shows(counted_once, free=(unweighted_loop, no_marker))
def draw_chain(rng: Random, size: int) -> tuple:
    return dictionary(rng, 5 + size // 2, (3, 4), letters=5, frequencies=(1, 50)), 3


@shows(last_tie, largest_tie, apart=False, free=(no_marker, counted_once))
def draw_ties(rng: Random, size: int) -> tuple:
    frequency = rng.randint(2, 9)
    return dictionary(rng, 2 + size // 4, (3, 5), frequencies=(frequency, frequency)), 2


@shows(once_a_word_loop, first_only_loop, apart=False, free=(unweighted_loop, no_marker, counted_once))
def draw_repeats(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 4, (4, 6), letters=3, frequencies=(1, 99), repeats=True), 2


@shows(in_text_loop, free=(unweighted_loop, no_marker, counted_once))
def draw_boundaries(rng: Random, size: int) -> tuple:
    return dictionary(rng, 5 + size // 4, (3, 4), letters=4, frequencies=(1, 99)), 3


@shows(free=(no_marker, counted_once, last_tie, first_only_loop, seen_twice))
def draw_end(rng: Random, size: int) -> tuple:
    """One-letter words; no merge at all; more merges than there are pairs, in words that occur once, one as "anana"."""
    letter = {rng.choice("uvwxyz"): 1}
    if size < 2:
        return letter, 3 * size
    syllable = word(rng, 2, letters=6, repeats=False)
    return letter | {syllable * 2 + syllable[0]: 1} | dictionary(rng, size // 6, (3, 4), frequencies=(1, 1)), 20


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
        Criterion("ties", 1, "Among pairs with equal counts, the one read first in the dictionary wins.", draw_ties),
        Criterion(
            "repeats", 1, "Every occurrence of a pair in a word counts and is merged, from the left.", draw_repeats
        ),
        Criterion("boundaries", 1, "Only whole pieces merge: 'e','s' is not found in 'le','s'.", draw_boundaries),
        Criterion("end", 1, "Learning stops when no pair is left, and asks for nothing of one-letter words.", draw_end),
    ),
    misconceptions=(
        Misconception(
            "words counted once",
            unweighted_loop,
            "counts",
            "You count every word once. A pair's count is the sum of the frequencies of the words that hold it.",
        ),
        Misconception(
            "no end marker",
            no_marker,
            "marker",
            "Your merges carry no '</w>'. The last letter of each word is one symbol with the marker: "
            "an ending is another piece than the same letters inside a word.",
        ),
        Misconception(
            "counts never refreshed",
            counted_once,
            "chain",
            "These are the most frequent pairs of the untouched dictionary. "
            "After each merge the pairs change: count them again.",
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
            "a pair counted once a word",
            once_a_word_loop,
            "repeats",
            "You count a pair once for each word that holds it; in 'banana' the pair 'a','n' occurs twice.",
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
