"""ps1.learn_merges: byte-pair encoding learnt from a word-frequency dictionary (Liu and Malykh 2022)."""

from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.problem_sets.ps1 import wrong_learn_merges as wrong
from course_lib.problem_sets.ps1.words import CAPITALS, LETTERS, RARE, SIGNS, dictionary, said, word
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair


def reference(dictionary: dict[str, int], merges: int) -> list[Pair]:
    """The first `merges` merges of BPE, attached marker, ties to the pair that is read first, down to frequency 1."""
    return list(BPE.learn(dictionary, merges, tie="first", marker="attached", min_count=1).merges)


# Cases: each criterion shows its own mistakes, and of the others only those that every such dictionary shows.

MARKERS = (wrong.no_marker, wrong.separate_marker)
OLD_COUNTS = (wrong.counted_once, wrong.never_reset, wrong.stale_order)
MISTAKES = (  # first those that most dictionaries show: then one that does not fit is soon found out
    *(wrong.last_tie, wrong.separate_marker, wrong.largest_tie, wrong.unweighted_loop, wrong.no_marker, *OLD_COUNTS),
    *(wrong.once_a_word_loop, wrong.first_only_loop, wrong.in_text_loop, wrong.by_pattern_loop, wrong.seen_twice),
)
shows = isolating(wrong.defined, MISTAKES, lambda entries, merges: Case((entries, merges), said(entries, merges)))


def stems(rng: Random, parts: list[str], ends: list[str]) -> dict[str, int]:
    """Words of these parts, each with an end of its own, in any order."""
    words = [part + end for part, end in zip(parts, ends, strict=True)]
    return {word: rng.randint(2, 12) for word in rng.sample(words, len(words))}


@shows(wrong.unweighted_loop)
def draw_counts(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 2, (3, 5), CAPITALS if size % 3 == 1 else LETTERS[:6]), 1


@shows(wrong.no_marker, wrong.separate_marker, apart=False, free=(wrong.unweighted_loop,))
def draw_marker(rng: Random, size: int) -> tuple:
    return dictionary(rng, 4 + size // 2, (2, 4), frequencies=(1, 20)), 2


@shows(wrong.counted_once, wrong.never_reset, free=(wrong.unweighted_loop, wrong.stale_order))
def draw_chain(rng: Random, size: int) -> tuple:
    return dictionary(rng, 5 + size // 2, (3, 4), LETTERS[:4], frequencies=(1, 50), ends=RARE), 3


@shows(wrong.last_tie, wrong.largest_tie, apart=False, free=OLD_COUNTS)
def draw_ties(rng: Random, size: int) -> tuple:
    frequency = rng.randint(2, 9)
    return dictionary(rng, 2 + size // 4, (3, 4), frequencies=(frequency, frequency), ends=RARE), 2


@shows(
    wrong.last_tie,
    wrong.stale_order,
    wrong.unweighted_loop,
    wrong.frequent_first,
    apart=False,
    free=(wrong.largest_tie, wrong.counted_once, wrong.never_reset),
)
def draw_sums(rng: Random, size: int) -> tuple:
    """Equal counts that are sums of different frequencies, one of them made by a merge."""
    return dictionary(rng, 4 + size // 4, (3, 4), LETTERS[:4], frequencies=(1, 4), ends=RARE), 3


def draw_twice(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 4, (4, 6), LETTERS[:3], frequencies=(1, 99), repeats=True, ends=RARE), 2


REPEATS = (wrong.once_a_word_loop, wrong.first_only_loop)
draw_repeats = shows(*REPEATS, apart=False, free=(wrong.unweighted_loop, *OLD_COUNTS))(draw_twice)
draw_overlap = shows(wrong.without_overlap_loop, free=(*REPEATS, wrong.unweighted_loop, *OLD_COUNTS))(draw_twice)


@shows(wrong.from_right_loop, free=(wrong.unweighted_loop, *OLD_COUNTS, wrong.once_a_word_loop, wrong.first_only_loop))
def draw_runs(rng: Random, size: int) -> tuple:
    letter, *others = rng.sample(LETTERS, 3 + size // 4)
    length, ends = rng.choice((3, 5)), rng.sample(RARE, len(others))
    return stems(rng, [other + letter * length for other in others], ends), 2


@shows(wrong.in_text_loop, free=(wrong.unweighted_loop, *OLD_COUNTS))
def draw_boundaries(rng: Random, size: int) -> tuple:
    a, b, c, x, y = rng.sample(LETTERS, 5)
    parts = [a + b, a + b, x + b + c, y + b + c, a + b + c, a + b + c, *[x + y] * (size // 4)]
    return stems(rng, parts, rng.sample(RARE, len(parts))), 3


@shows(wrong.by_pattern_loop, free=(wrong.unweighted_loop, *OLD_COUNTS))
def draw_characters(rng: Random, size: int) -> tuple:
    letters = "".join(rng.sample(LETTERS, 3)) + rng.choice(SIGNS)
    return dictionary(rng, 4 + size // 4, (3, 4), letters, frequencies=(1, 99), ends=RARE), 2


@shows(free=(*MARKERS, *OLD_COUNTS, wrong.last_tie, wrong.first_only_loop, wrong.seen_twice))
def draw_end(rng: Random, size: int) -> tuple:
    """One-letter words; no merge at all; more merges than there are pairs, in words that occur once, one as "anana"."""
    letter = {rng.choice(RARE): 1}
    if size < 2:
        return letter, 3 * size
    syllable = word(rng, 2, LETTERS[:6], repeats=False)
    more = dictionary(rng, size // 6, (3, 4), frequencies=(1, 1))
    return letter | {syllable * 2 + syllable[0]: 1} | more, 20 * (size % 3 != 0)


@shows(wrong.separate_marker, wrong.counted_once, free=(wrong.stale_order, wrong.unweighted_loop))
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
            wrong.unweighted_loop,
            "counts",
            "You count every word once. Each place where a pair stands counts as often as its word occurs: add the "
            "frequency of the word.",
        ),
        Misconception(
            "no end marker",
            wrong.no_marker,
            "marker",
            "Your merges carry no '</w>'. The last letter of each word is one symbol with the marker: "
            "an ending is another piece than the same letters inside a word.",
        ),
        Misconception(
            "end marker as a symbol of its own",
            wrong.separate_marker,
            "marker",
            "You write '</w>' as a symbol behind the word: l o w </w>. Here the last letter carries it: l o w</w>.",
        ),
        Misconception(
            "counts never refreshed",
            wrong.counted_once,
            "chain",
            "These are the most frequent pairs of the untouched dictionary. "
            "After each merge the pairs change: count them again.",
        ),
        Misconception(
            "counts added to the old ones",
            wrong.never_reset,
            "chain",
            "Your counts still hold those of earlier rounds. Begin each round with an empty table.",
        ),
        Misconception(
            "one merge and no more",
            wrong.first_alone,
            "chain",
            "You return after the first merge: is `return` inside the loop?",
        ),
        Misconception(
            "last of the ties",
            wrong.last_tie,
            "ties",
            "Among equal counts you take the pair read last. "
            "With `>` instead of `>=` (or `max` over pairs in reading order) the first one stays.",
        ),
        Misconception(
            "largest of the ties",
            wrong.largest_tie,
            "ties",
            "Among equal counts you take the alphabetically largest pair, as subword-nmt does. "
            "Here the pair read first wins.",
        ),
        Misconception(
            "dictionary sorted by frequency",
            wrong.frequent_first,
            "ties",
            "You read the most frequent words first. Among equal counts, the order of the dictionary as it is given "
            "decides.",
        ),
        Misconception(
            "merging from the right",
            wrong.from_right_loop,
            "repeats",
            "In a run such as 'a a a' you merge the last two. Go through each word from the left.",
        ),
        Misconception(
            "a pair counted once a word",
            wrong.once_a_word_loop,
            "repeats",
            "You count a pair once for each word that holds it; in 'banana' the pair 'a','n' occurs twice.",
        ),
        Misconception(
            "overlapping places counted once",
            wrong.without_overlap_loop,
            "repeats",
            "In a run such as 'a a a' you count the pair 'a','a' once. Here overlapping places all count: twice.",
        ),
        Misconception(
            "first occurrence only",
            wrong.first_only_loop,
            "repeats",
            "You merge only the first occurrence in a word; go on through the rest of it.",
        ),
        Misconception(
            "merging in joined text",
            wrong.in_text_loop,
            "boundaries",
            "You replace 'e s' in the joined text, and so also inside 'le s'. Compare whole pieces.",
        ),
        Misconception(
            "a pattern that is not escaped",
            wrong.by_pattern_loop,
            "characters",
            "You put the pair into a regular expression as it is; there '.' stands for any character. Use re.escape, "
            "or compare pieces.",
        ),
        Misconception(
            "the dictionary emptied",
            wrong.emptied,
            "arguments",
            "You take words out of the dictionary that you are given. It belongs to the caller: work on a copy.",
        ),
        Misconception(
            "pairs seen once are dropped",
            wrong.seen_twice,
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
