"""ps1.learn_wordpieces: merges that raise the likelihood of a unigram model the most (Straka 2021, WordPiece)."""

from collections.abc import Callable
from functools import lru_cache, partial
from itertools import pairwise, product
from math import inf, log
from random import Random

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.problem_sets.ps1 import lent, pieces
from course_lib.problem_sets.ps1.words import CAPITALS, RARE, dictionaries, dictionary, learning, word
from course_lib.subwords.likelihood import join, piece_counts
from course_lib.subwords.pairs import Pair, count_pairs, merge
from course_lib.subwords.wordpiece import WordPiece, symbols


def reference(dictionary: dict[str, int], merges: int) -> list[Pair]:
    """Up to `merges` merges, each the one of largest gain in log-likelihood; none that does not raise it."""
    return list(WordPiece.learn(dictionary, merges, score="gain").merges)


# Mistakes


def times_written(words, pair, n):
    """How often merging writes the new piece: as often as the pair occurs, except in 'a a a'."""
    return n if pair[0] != pair[1] else sum(k * (len(word) - len(merge(word, pair))) for word, k in words.items())


def gains(words, written=times_written):
    """L(after) − L(before) of merging each pair: with f(n) = n log n, L = Σ f(n_w) − f(N).

    A count that falls below 0, as a wrong one can, is left out of L, but not of N: so does the gain that is lent.
    """
    counts, scores = piece_counts(words.items()), {}
    total = sum(counts.values())
    for pair, n in count_pairs(words).items():
        (a, b), n_ab = pair, written(words, pair, n)
        change = {a: -2 * n_ab} if a == b else {a: -n_ab, b: -n_ab}
        change[join(pair)] = n_ab
        won = sum(f(counts.get(piece, 0) + more) - f(counts.get(piece, 0)) for piece, more in change.items())
        below = sum(max(0, -counts.get(piece, 0) - more) for piece, more in change.items())
        scores[pair] = won - (total - n_ab + below) * log(total - n_ab) + f(total)
    return scores


@lru_cache(maxsize=4096)
def f(n):
    return n * log(n) if n > 0 else 0.0


@lru_cache(maxsize=256)
def scored(score, words):
    """`score` of the words: most versions of learning ask for the same scores of the same words."""
    return score(dict(words))


def steps(entries, score=gains, join=join, merge=merge):
    """The best pair and all scores at each step of learning, until no pair is left."""
    words = {symbols(word): n for word, n in entries.items()}
    while scores := scored(score, tuple(words.items())):
        best = max(scores, key=scores.__getitem__)
        yield best, scores
        words = {merge(pieces, best, join(best)): n for pieces, n in words.items()}


def defined(entries, merges, least=0.0, **parts):
    learned = []
    for best, scores in steps(entries, **parts):
        if len(learned) == merges or scores[best] <= least:
            break
        learned.append(best)
    return learned


def ratios(words):
    counts = piece_counts(words.items())
    return {(a, b): n / (counts[a] * counts[b]) for (a, b), n in count_pairs(words).items()}


def once_a_word(words, pair, n):
    return sum(k for word, k in words.items() if pair in pairwise(word))


def found_in_text(words, pair, n):
    return sum(k * " ".join(word).count(" ".join(pair)) for word, k in words.items() if pair in pairwise(word))


def half_of_the_neighbours(words, pair, n):
    """As a run of three suggests: half of the neighbouring pairs of a word, but one at least."""
    found = {word: sum(each == pair for each in pairwise(word)) for word in words}
    return n if pair[0] != pair[1] else sum(k * max(1, found[word] // 2) for word, k in words.items() if found[word])


wrong = versions(defined)
most_frequent_pair = wrong("gain", score=count_pairs)(
    "These are the merges of byte pair encoding. A pair may be frequent only because its pieces are: score the change "
    "of L."
)
ratio_in_place_of_the_gain = wrong("ratio", score=ratios)(
    "c(ab) / (c(a) c(b)) is as large for a pair that occurs once as for one that occurs often: it favours rare pairs. "
    "Take L(after) − L(before)."
)
words_counted_once = wrong("frequencies", score=lambda words: gains(dict.fromkeys(words, 1)))(
    "You count the pieces of every word once. A word of frequency n counts n times."
)


@mistake("frequencies")
def words_of_one_letter_left_out(entries, merges):
    """You leave out words of one letter. They have no pair, but their letter counts: in n of this piece, and in N."""
    return defined({word: n for word, n in entries.items() if len(word) > 1}, merges)


@mistake("fresh")
def gains_never_refreshed(entries, merges):
    """These are the best pairs of the untouched dictionary. A merge changes N, the counts and the pairs."""
    scores = gains({symbols(word): n for word, n in entries.items()})
    return [pair for pair in sorted(scores, key=scores.__getitem__, reverse=True) if scores[pair] > 0][:merges]


a_mark_inside_a_piece = wrong("pieces", join="".join)(
    "You join 'lo' and '##w' to 'lo##w'. The mark belongs to a piece's beginning: together they are 'low'."
)
mark_of_the_beginning_lost = wrong("pieces", join=lambda pair: "".join(pair).replace("##", ""))(pieces.MARK_LOST)
every_hash_taken_away = wrong("pieces", join=lambda pair: pair[0] + pair[1].lstrip("#"))(pieces.HASHES)
every_mark_of_b_taken_away = wrong("pieces", join=lambda pair: pair[0] + pair[1].replace("##", ""))(pieces.HASHES)
merging_in_joined_text = wrong("pieces", merge=pieces.merged_in_text)(
    "You replace 'a ##b' in the joined text, and so also inside '##a ##b'. Compare whole pieces."
)
places_counted_in_joined_text = wrong("pieces", score=lambda words: gains(words, found_in_text))(
    "You count 'a ##b' in the joined text, and so also inside '##a ##b'. Compare whole pieces."
)
merging_from_the_right = wrong("runs", merge=pieces.merged_from_right)(
    "In a run such as '##a ##a ##a' you merge the last two. Go through each word from the left."
)
never_stops = wrong("stop", least=-inf)(
    "You merge on when the best gain is negative. From there on every merge makes the text less likely: stop."
)
overlapping_pairs = wrong("runs", score=lambda words: gains(words, lambda words, pair, n: n))(
    "In '##a ##a ##a' the pair is seen twice, but only one can be merged. n_ab is how often ab is written."
)
half_of_the_neighbours_counted = wrong("runs", score=lambda words: gains(words, half_of_the_neighbours))(
    "You count half of the neighbouring pairs '##a','##a'. A run of four has three neighbouring pairs, and two can be "
    "merged; two runs of two in a word have two, and both can. Count the places that a merge writes."
)
a_pair_counted_once_a_word = wrong("twice", score=lambda words: gains(words, once_a_word))(
    "You count a pair once for each word that holds it; in 'banana' the pair '##a','##n' can be merged twice. "
    "Do you count both places, and write both?"
)
one_merge_and_no_more = mistake("fresh", pieces.ONE_MERGE)(pieces.first_alone(defined))
the_dictionary_emptied = mistake("arguments", pieces.EMPTIED)(pieces.emptying(0, defined))


# Cases

CLEAR = 1e-4  # gains this far apart are ordered alike by all who compute them


def clear(entries: dict[str, int], merges: int) -> bool:
    """Whether rounding can change no choice: the largest gain stands out at every step, and is not about 0."""
    for step, (_, scores) in enumerate(steps(entries)):
        best, *second = sorted(scores.values(), reverse=True)[:2]
        if abs(best) < CLEAR or (second and best - second[0] < CLEAR):
            return False
        if step == merges or best < 0:
            break
    return True


merged_once, merged_by_index = (partial(defined, merge=way) for way in (pieces.merged_once, pieces.merged_by_index))
stops_early, stops_late = partial(defined, least=1.0), partial(defined, least=-1.0)
BOTH = (most_frequent_pair, ratio_in_place_of_the_gain)
SCORES = (*BOTH, words_counted_once)
REPEATS = (
    *(overlapping_pairs, a_pair_counted_once_a_word, merged_once, half_of_the_neighbours_counted),
    places_counted_in_joined_text,
)
AFTER_MERGES = (*SCORES, gains_never_refreshed, a_mark_inside_a_piece)
shows_any = isolating(defined, (*AFTER_MERGES, never_stops, stops_early, stops_late, *REPEATS), learning)
shows = partial(shows_any, when=clear)

draw_gain = shows(most_frequent_pair)(dictionaries(3, 3, (2, 4), 1, frequencies=(1, 9)))
draw_ratio = shows(ratio_in_place_of_the_gain)(dictionaries(3, 3, (2, 4), 1, CAPITALS, frequencies=(1, 9)))
draw_frequencies = shows(words_counted_once, free=BOTH)(dictionaries(3, 3, (2, 4), 1, frequencies=(1, 30)))


@shows(words_of_one_letter_left_out, free=SCORES)
def draw_letters(rng: Random, size: int) -> tuple:
    """The first letter of some word is a frequent word, too."""
    entries = dictionary(rng, 3 + size // 4, (2, 4), frequencies=(1, 9))
    return entries | {rng.choice(list(entries))[0]: rng.randint(10, 30)}, 1


draw_fresh = shows(gains_never_refreshed, free=SCORES)(dictionaries(3, 6, (2, 4), 2, frequencies=(1, 9)))
draw_three = dictionaries(3, 4, (3, 4), 3, frequencies=(1, 9))
draw_pieces = shows(a_mark_inside_a_piece, free=(*SCORES, gains_never_refreshed))(draw_three)
draw_continued = shows(mark_of_the_beginning_lost, free=AFTER_MERGES)(draw_three)
draw_boundaries = shows(merging_in_joined_text, free=AFTER_MERGES)(
    dictionaries(4, 4, (3, 4), 3, "abde", frequencies=(1, 9))
)


@shows(places_counted_in_joined_text, free=SCORES)
def draw_text(rng: Random, size: int) -> tuple:
    """A word begins with a syllable and holds it once more."""
    syllable = word(rng, 2, "abdei", False)
    first = syllable + rng.choice(("", "k")) + syllable
    return {first: rng.randint(2, 9)} | dictionary(rng, 2 + size // 4, (2, 3), "abdei", (1, 9)), 1


@shows(every_hash_taken_away, every_mark_of_b_taken_away, apart=False, free=(*AFTER_MERGES, *REPEATS))
def draw_hashes(rng: Random, size: int) -> tuple:
    """'#' is a letter of the words, but the first of none: what begins with '##' continues a word."""
    ends = dictionary(rng, 3 + size // 4, (2, 4), "ab#", (1, 9), repeats=True)
    return {rng.choice("dei") + end: n for end, n in ends.items()}, 3


@shows(never_stops, stops_late, apart=False, free=(*AFTER_MERGES, stops_early, *REPEATS))
def draw_stop(rng: Random, size: int) -> tuple:
    """Words of two letters in every order, no pair more frequent than by chance, and a few words of other letters."""
    x, y, start, *rest = rng.sample("abdeiklmno", 9)
    usual = {start + "".join(letters): rng.randint(2, 7) for letters in product((x, y), repeat=3)}
    own = {a + b: rng.randint(3, 9) for a, b in zip(rest[::2], rest[1::2], strict=True)}
    entries = [*usual.items(), *list(own.items())[: 1 + size // 4]]
    return dict(rng.sample(entries, len(entries))), 4


@shows(stops_early, free=(*AFTER_MERGES, *REPEATS))
def draw_small(rng: Random, size: int) -> tuple:
    """Words of two letters in every order, some a little more frequent than by chance: a small gain, but above 0."""
    x, y, start = rng.sample("abdeiklmno", 3)
    entries = [(start + "".join(letters), rng.randint(3, 6)) for letters in product((x, y), repeat=2 + size // 6)]
    return dict(rng.sample(entries, len(entries))), 1


@shows_any()
def draw_nothing(rng: Random, size: int) -> tuple:
    """Words of one letter; or no merge is asked for."""
    if size % 2:
        return dictionary(rng, 2, (2, 4)), 0
    return {letter: rng.randint(2, 9) for letter in rng.sample(RARE, 1 + size // 4)}, 2


@shows(overlapping_pairs, free=(*SCORES, a_pair_counted_once_a_word))
def draw_runs(rng: Random, size: int) -> tuple:
    letter = rng.choice("abdei")
    run = word(rng, 1, "abdei", True) + letter * 3 + word(rng, 1, "abdei", True)
    return {run: rng.randint(1, 9)} | dictionary(rng, 2 + size // 4, (2, 3), "abdei", (1, 9)), 1


def run_of_four(rng: Random, letter: str) -> str:
    return letter * 4


def two_runs(rng: Random, letter: str) -> str:
    return letter * 2 + rng.choice("klmn") + letter * 2


def twice_in_a_word(middle: Callable[[Random, str], str]) -> Callable:
    """It draws a dictionary with a word that holds this, where a pair of equal pieces is merged twice."""

    def draw(rng: Random, size: int) -> tuple:
        letter, *ends = rng.sample("abdei", 3)
        doubled = ends[0] + middle(rng, letter) + ends[1]
        return {doubled: rng.randint(2, 9)} | dictionary(rng, 2 + size // 4, (2, 3), "abdei", (1, 9)), 1

    return draw


draw_four, draw_two_runs = (
    shows(half_of_the_neighbours_counted, free=(*SCORES, overlapping_pairs, a_pair_counted_once_a_word))(
        twice_in_a_word(middle)
    )
    for middle in (run_of_four, two_runs)
)


def behind_a_run(entries: dict[str, int], merges: int) -> bool:
    """Whether the best pair begins with a piece that stands twice in a row in an earlier word."""
    (left, _), scores = next(steps(entries))
    return clear(entries, merges) and list(scores).index((left, left)) < 3 if (left, left) in scores else False


@shows_any(free=(*SCORES, a_pair_counted_once_a_word), when=behind_a_run)
def draw_behind(rng: Random, size: int) -> tuple:
    x, y, z, *ends = word(rng, 7, "abdeiklm", False)
    others = {end + x + y: rng.randint(2, 9) for end in ends[: 2 + size // 6]}
    return {z + x + x + z: rng.randint(1, 3)} | others, 1


@shows(free=(*SCORES, a_pair_counted_once_a_word))
def draw_turned(rng: Random, size: int) -> tuple:
    """The best pair follows one that stands the other way round in an earlier word."""
    x, y, z, last, *ends = word(rng, 8, "abdeiklm", False)
    others = {end + y + x + last: rng.randint(2, 9) for end in ends[: 2 + size // 6]}
    return {z + x + y: rng.randint(1, 3), z + y: rng.randint(4, 9), z + y + x: rng.randint(1, 3)} | others, 1


@shows(merging_from_the_right, free=AFTER_MERGES)
def draw_left(rng: Random, size: int) -> tuple:
    """Runs of a letter that is in no other word; the other words are frequent, but their pairs only by chance."""
    x, y, start, letter, *others = word(rng, 7 + size // 6, "abdeiklmno", False)
    usual = {start + left + right: rng.randint(60, 70) for left, right in product((x, y), repeat=2)}
    entries = [*usual.items(), *((other + letter * 3, rng.randint(3, 9)) for other in others)]
    return dict(rng.sample(entries, len(entries))), 2


def twice(merges: int, before: int = 0) -> Callable:
    """It draws a dictionary whose first word has a pair twice, and `before` both so many of its letters."""

    def draw(rng: Random, size: int) -> tuple:
        syllable = word(rng, 2, "abdei", False)
        first = rng.choice(RARE) + syllable[:before] + syllable + rng.choice(("", "k")) + syllable
        return {first: rng.randint(2, 9)} | dictionary(rng, 2 + size // 4, (2, 3), "abdei", (1, 9)), merges

    return draw


draw_twice = shows(a_pair_counted_once_a_word, free=(*SCORES, overlapping_pairs))(twice(1))
draw_both = shows(merged_once, merged_by_index, apart=False, free=(*AFTER_MERGES, a_pair_counted_once_a_word))(
    twice(2, before=1)
)

TASK = task(
    __name__,
    "Learn WordPiece merges",
    criteria=(
        criterion("gain", 0.5, draw_gain, visible=5)("The first merge has the largest gain, not the highest count."),
        criterion("ratio", 0.5, draw_ratio, visible=5)(
            "It is the gain that decides, not the ratio c(ab) / (c(a) c(b))."
        ),
        criterion("frequencies", 0.5, alternate(draw_frequencies, draw_letters), visible=5)(
            "Each word counts with its frequency."
        ),
        criterion("fresh", 0.5, draw_fresh, visible=5)("Gains are taken anew after every merge."),
        criterion(
            "pieces",
            0.5,
            alternate(draw_pieces, draw_continued, draw_boundaries, draw_hashes, draw_text),
            visible=10,
            graded=15,
        )("A merged piece keeps the '##' of its beginning only, and merges again."),
        criterion("stop", 0.5, alternate(draw_nothing, draw_stop, draw_small), visible=6)(
            "A merge is made if it raises the likelihood, however little, and if it is wanted; no other."
        ),
        criterion(
            "runs",
            0.5,
            alternate(draw_runs, draw_behind, draw_turned, draw_left, draw_four, draw_two_runs),
            visible=6,
            graded=18,
        )("In 'a a a' one merge is possible, not two."),
        criterion("twice", 0.5, alternate(draw_twice, draw_both), visible=4)(
            "A pair that stands twice in a word counts twice and is merged twice."
        ),
        arguments(0.5, draw_gain)("The dictionary is afterwards as it was."),
    ),
    lent=(lent.wordpiece_gain,),
    forbidden=(
        "course_lib.subwords.wordpiece.WordPiece.learn",
        "course_lib.subwords.likelihood.Scores.gain",
        "course_lib.subwords.likelihood.gain",
        "course_lib.subwords.likelihood.log_likelihood",
        "course_lib.subwords.gain",
        "course_lib.subwords.log_likelihood",
    ),
)
