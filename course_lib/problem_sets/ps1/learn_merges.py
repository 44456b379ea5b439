"""ps1.learn_merges: byte-pair encoding learnt from a word-frequency dictionary (Liu and Malykh 2022)."""

from itertools import pairwise
from random import Random

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.problem_sets.ps1 import pieces
from course_lib.problem_sets.ps1.pieces import marked
from course_lib.problem_sets.ps1.words import CAPITALS, LETTERS, RARE, SIGNS, dictionaries, dictionary, learning, word
from course_lib.subwords.bpe import BPE
from course_lib.subwords.pairs import Pair, count_pairs, largest, learn_merges, merge, read_first


def reference(dictionary: dict[str, int], merges: int) -> list[Pair]:
    """The first `merges` merges of BPE, attached marker, ties to the pair that is read first, down to frequency 1."""
    return list(BPE.learn(dictionary, merges, tie="first", marker="attached", min_count=1).merges)


# Mistakes


def defined(entries, merges, read=dict.items, count=count_pairs, choose=read_first, merge=merge, symbols=marked):
    words = {symbols(word): frequency for word, frequency in read(entries)}
    return learn_merges(words, merges, count, choose, merge)[0]


def each_pair(number):
    """A way to count: the sum of the frequencies of all words, each times the `number` of the pair in its pieces."""
    return lambda words: {pair: sum(n * number(p, pair) for p, n in words.items()) for pair in count_pairs(words)}


wrong = versions(defined)
words_counted_once = wrong("counts", count=lambda words: count_pairs(dict.fromkeys(words, 1)))(
    "You count every word once. Each place where a pair stands counts as often as its word occurs: add the frequency "
    "of the word."
)
no_end_marker = wrong("marker", symbols=tuple)(
    "Your merges carry no '</w>'. The last letter of each word is one symbol with the marker: an ending is another "
    "piece than the same letters inside a word."
)
end_marker_as_a_symbol_of_its_own = wrong("marker", symbols=pieces.marked_apart)(pieces.MARKER_APART)


@mistake("chain")
def counts_never_refreshed(entries, merges):
    """These are the most frequent pairs of the untouched dictionary. After each merge the pairs change: count them
    again."""
    counts = count_pairs({marked(word): frequency for word, frequency in entries.items()})
    return sorted(counts, key=counts.get, reverse=True)[:merges]


@mistake("chain")
def counts_added_to_the_old_ones(entries, merges):
    """Your counts still hold those of earlier rounds. Begin each round with an empty table."""
    counts = {}

    def more(words):
        for pair, n in count_pairs(words).items():
            counts[pair] = counts.get(pair, 0) + n
        return counts

    return defined(entries, merges, count=more)


one_merge_and_no_more = mistake("chain", pieces.ONE_MERGE)(pieces.first_alone(defined))
last_of_the_ties = wrong("ties", choose=lambda counts: max(reversed(counts), key=counts.__getitem__))(
    "Among equal counts you take the pair read last. With `>` instead of `>=` (or `max` over pairs in reading order) "
    "the first one stays."
)
smallest_of_the_ties = wrong("ties", choose=lambda counts: min(counts, key=lambda pair: (-counts[pair], pair)))(
    "Among equal counts you take the pair that comes first in the alphabet. Here the pair read first wins."
)
largest_of_the_ties = wrong("ties", choose=largest)(
    "Among equal counts you take the alphabetically largest pair, as subword-nmt does. Here the pair read first wins."
)
dictionary_sorted_by_frequency = wrong(
    "ties", read=lambda entries: sorted(entries.items(), key=lambda entry: -entry[1])
)("You read the most frequent words first. Among equal counts, the order of the dictionary as it is given decides.")
merging_from_the_right = wrong("repeats", merge=pieces.merged_from_right)(
    "In a run such as 'a a a' you merge the last two. Go through each word from the left."
)
a_pair_counted_once_a_word = wrong("repeats", count=each_pair(lambda pieces, pair: pair in pairwise(pieces)))(
    "You count a pair once for each word that holds it; in 'banana' the pair 'a','n' occurs twice."
)
overlapping_places_counted_once = wrong(
    "repeats", count=each_pair(lambda pieces, pair: len(pieces) - len(merge(pieces, pair)))
)("In a run such as 'a a a' you count the pair 'a','a' once. Here overlapping places all count: twice.")
first_occurrence_only = wrong("repeats", merge=pieces.merged_once)(
    "You merge only the first occurrence in a word; go on through the rest of it."
)
past_the_end_after_a_merge = wrong("counts", merge=pieces.past_the_end_after_a_merge)(pieces.PAST_THE_END)
past_the_end_after_any_merge = wrong("counts", merge=pieces.past_the_end_after_any_merge)(pieces.PAST_THE_END)
past_the_end_after_two_merges = wrong("repeats", merge=pieces.past_the_end_after_two_merges)(pieces.PAST_THE_END)
a_pair_passed_over_after_a_merge = wrong("end", merge=pieces.merged_and_passed_over)(pieces.PASSED_OVER)
pairs_of_a_list_that_changes = wrong("end", merge=pieces.merged_in_living_pairs)(pieces.PASSED_OVER)
pairs_of_the_list_before_the_merge = wrong("end", merge=pieces.merged_in_old_pairs)(pieces.PASSED_OVER)
second_piece_written_again = wrong("end", merge=pieces.merged_and_written_again)(pieces.WRITTEN_AGAIN)
merging_in_joined_text = wrong("boundaries", merge=pieces.merged_in_text)(pieces.IN_TEXT)
a_pattern_that_is_not_escaped = wrong("characters", merge=pieces.merged_by_pattern)(pieces.NOT_ESCAPED)
the_dictionary_emptied = mistake("arguments", pieces.EMPTIED)(pieces.emptying(0, defined))
pairs_seen_once_are_dropped = wrong(
    "end", count=lambda words: {pair: n for pair, n in count_pairs(words).items() if n > 1}
)("You stop at pairs that occur once. Here learning goes on until the number of merges is reached or no pair is left.")


def in_an_old_order(entries, merges):
    """No mistake that is told: among equal counts the pair that was read first in any round."""
    read = {}

    def first_ever(counts):
        read.update(counts | {pair: 0 for pair in read if pair not in counts})  # a known pair keeps its place
        return read_first(read)

    return defined(entries, merges, choose=first_ever)


# Cases: each criterion shows its own mistakes, and of the others only those that every such dictionary shows.

MARKERS = (no_end_marker, end_marker_as_a_symbol_of_its_own)
OLD_COUNTS = (counts_never_refreshed, counts_added_to_the_old_ones, in_an_old_order)
MOST = (words_counted_once, *OLD_COUNTS)
REPEATS = (a_pair_counted_once_a_word, first_occurrence_only)
MISTAKES = (  # first those that most dictionaries show: then one that does not fit is soon found out
    *(last_of_the_ties, end_marker_as_a_symbol_of_its_own, largest_of_the_ties, words_counted_once, no_end_marker),
    *(*OLD_COUNTS, *REPEATS, merging_in_joined_text, a_pattern_that_is_not_escaped, pairs_seen_once_are_dropped),
)
shows = isolating(defined, MISTAKES, learning)


def stems(rng: Random, parts: list[str], ends: list[str]) -> dict[str, int]:
    """Words of these parts, each with an end of its own, in any order."""
    words = [part + end for part, end in zip(parts, ends, strict=True)]
    return {word: rng.randint(2, 12) for word in rng.sample(words, len(words))}


@shows(words_counted_once)
def draw_counts(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 2, (3, 5), CAPITALS if size % 3 == 1 else LETTERS[:6]), 1


draw_marker = shows(*MARKERS, apart=False, free=(words_counted_once,))(dictionaries(4, 2, (2, 4), 2))
draw_chain = shows(counts_never_refreshed, counts_added_to_the_old_ones, free=MOST)(
    dictionaries(5, 2, (3, 4), 3, LETTERS[:4], frequencies=(1, 50), ends=RARE)
)


@shows(last_of_the_ties, largest_of_the_ties, smallest_of_the_ties, apart=False, free=OLD_COUNTS)
def draw_ties(rng: Random, size: int) -> tuple:
    frequency = rng.randint(2, 9)
    return dictionary(rng, 2 + size // 4, (3, 4), frequencies=(frequency, frequency), ends=RARE), 2


draw_sums = shows(  # equal counts that are sums of different frequencies, one of them made by a merge
    *(last_of_the_ties, in_an_old_order, words_counted_once, dictionary_sorted_by_frequency),
    apart=False,
    free=(largest_of_the_ties, counts_never_refreshed, counts_added_to_the_old_ones),
)(dictionaries(4, 4, (3, 4), 3, LETTERS[:4], frequencies=(1, 4), ends=RARE))
draw_twice = dictionaries(3, 4, (4, 6), 2, LETTERS[:3], frequencies=(1, 99), repeats=True, ends=RARE)
draw_repeats = shows(*REPEATS, apart=False, free=MOST)(draw_twice)
draw_overlap = shows(overlapping_places_counted_once, free=(*REPEATS, *MOST))(draw_twice)


@shows(merging_from_the_right, free=(*REPEATS, *MOST))
def draw_runs(rng: Random, size: int) -> tuple:
    letter, *others = rng.sample(LETTERS, 3 + size // 4)
    length, ends = rng.choice((3, 5)), rng.sample(RARE, len(others))
    return stems(rng, [other + letter * length for other in others], ends), 2


@shows(merging_in_joined_text, free=MOST)
def draw_boundaries(rng: Random, size: int) -> tuple:
    a, b, c, x, y = rng.sample(LETTERS, 5)
    parts = [a + b, a + b, x + b + c, y + b + c, a + b + c, a + b + c, *[x + y] * (size // 4)]
    return stems(rng, parts, rng.sample(RARE, len(parts))), 3


@shows(a_pattern_that_is_not_escaped, free=MOST)
def draw_characters(rng: Random, size: int) -> tuple:
    letters = "".join(rng.sample(LETTERS, 3)) + rng.choice(SIGNS)
    return dictionary(rng, 4 + size // 4, (3, 4), letters, frequencies=(1, 99), ends=RARE), 2


@shows(free=(*MARKERS, *OLD_COUNTS, last_of_the_ties, first_occurrence_only, pairs_seen_once_are_dropped))
def draw_end(rng: Random, size: int) -> tuple:
    """One-letter words; no merge at all; more merges than there are pairs, in words that occur once, one as "anana"."""
    letter = {rng.choice(RARE): 1}
    if size < 2:
        return letter, 3 * size
    syllable = word(rng, 2, LETTERS[:6], repeats=False)
    more = dictionary(rng, size // 6, (3, 4), frequencies=(1, 1))
    return letter | {syllable * 2 + syllable[0]: 1} | more, 20 * (size % 3 != 0)


@shows(end_marker_as_a_symbol_of_its_own, counts_never_refreshed, free=(in_an_old_order, words_counted_once))
def draw_letter(rng: Random, size: int) -> tuple:
    """A frequent word of one letter, in which nothing is to be merged; and a merge that makes the next pair rare."""
    a, b, c, d, x, y = rng.sample(LETTERS, 6)
    letter, *ends = rng.sample(RARE, 7)
    return {letter: rng.randint(40, 60)} | stems(rng, [a + b, a + b, a + b + c, d + b + c, x + y, x + y], ends), 2


TASK = task(
    __name__,
    "Learn BPE merges",
    criteria=(
        criterion("counts", 1, draw_counts)(
            "The first merge is the pair with the highest count, each word counted with its frequency."
        ),
        criterion("marker", 1, draw_marker)("The last letter of a word is a symbol of its own, letter + '</w>'."),
        criterion("chain", 1, draw_chain)("Counts are taken anew after every merge, and merged pieces merge again."),
        criterion("ties", 1, alternate(draw_ties, draw_sums), visible=4)(
            "Among pairs with equal counts, the one read first in the dictionary, as segmented by now, wins."
        ),
        criterion("repeats", 0.5, alternate(draw_repeats, draw_runs, draw_overlap), visible=4)(
            "Every occurrence of a pair in a word counts and is merged, from the left."
        ),
        criterion("boundaries", 0.5, draw_boundaries)("Only whole pieces merge: 'e','s' is not found in 'le','s'."),
        criterion("characters", 0.5, draw_characters)("A character is a character, '.' and '$' too."),
        criterion("end", 0.5, draw_end, visible=4)(
            "Learning stops when no pair is left; no merges are learnt from one-letter words, or if none are wanted."
        ),
        arguments(0.5, draw_letter)("The dictionary is afterwards as it was."),
    ),
    forbidden=(
        "course_lib.subwords.bpe.BPE.learn",
        "course_lib.subwords.pairs.learn_merges",
        "subword_nmt.learn_bpe.learn_bpe",
        "sentencepiece.SentencePieceTrainer.Train",
    ),
)
