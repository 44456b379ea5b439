"""ps1.learn_wordpieces: merges that raise the likelihood of a unigram model the most (Straka 2021, WordPiece)."""

from itertools import product
from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.problem_sets.ps1 import lent
from course_lib.problem_sets.ps1 import wrong_learn_wordpieces as wrong
from course_lib.problem_sets.ps1.words import CAPITALS, RARE, dictionary, said, word
from course_lib.subwords.pairs import Pair
from course_lib.subwords.wordpiece import WordPiece


def reference(dictionary: dict[str, int], merges: int) -> list[Pair]:
    """Up to `merges` merges, each the one of largest gain in log-likelihood; none that does not raise it."""
    return list(WordPiece.learn(dictionary, merges, score="gain").merges)


# Cases


CLEAR = 1e-4  # gains this far apart are ordered alike by all who compute them


def clear(entries: dict[str, int], merges: int) -> bool:
    """Whether rounding can change no choice: the largest gain stands out at every step, and is not about 0."""
    for step, (_, scores) in enumerate(wrong.steps(entries)):
        best, *second = sorted(scores.values(), reverse=True)[:2]
        if abs(best) < CLEAR or (second and best - second[0] < CLEAR):
            return False
        if step == merges or best < 0:
            break
    return True


def case(entries: dict[str, int], merges: int) -> Case:
    return Case((entries, merges), said(entries, merges))


OTHER_SCORES = (wrong.most_frequent, wrong.by_ratio, wrong.unweighted)
REPEATS = (wrong.overlapping, wrong.counted_once_a_word, wrong.first_place_only)
STOPS = (wrong.unstopped, wrong.stops_early, wrong.stops_late)
AFTER_MERGES = (*OTHER_SCORES, wrong.not_refreshed, wrong.joined_whole)
MISTAKES = (*AFTER_MERGES, *STOPS, *REPEATS)
shows = isolating(wrong.defined, MISTAKES, case)


@shows(wrong.most_frequent, when=clear)
def draw_gain(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 3, (2, 4), frequencies=(1, 9)), 1


@shows(wrong.by_ratio, when=clear)
def draw_ratio(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 3, (2, 4), CAPITALS, frequencies=(1, 9)), 1


@shows(wrong.unweighted, free=OTHER_SCORES[:2], when=clear)
def draw_frequencies(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 3, (2, 4), frequencies=(1, 30)), 1


@shows(wrong.not_refreshed, free=OTHER_SCORES, when=clear)
def draw_fresh(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 6, (2, 4), frequencies=(1, 9)), 2


def draw_three(rng: Random, size: int) -> tuple:
    return dictionary(rng, 3 + size // 4, (3, 4), frequencies=(1, 9)), 3


draw_pieces = shows(wrong.joined_whole, free=(*OTHER_SCORES, wrong.not_refreshed), when=clear)(draw_three)
draw_continued = shows(wrong.mark_lost, free=AFTER_MERGES, when=clear)(draw_three)


@shows(wrong.in_text, free=AFTER_MERGES, when=clear)
def draw_boundaries(rng: Random, size: int) -> tuple:
    return dictionary(rng, 4 + size // 4, (3, 4), "abde", frequencies=(1, 9)), 3


@shows(wrong.unstopped, wrong.stops_late, apart=False, free=(*AFTER_MERGES, wrong.stops_early, *REPEATS), when=clear)
def draw_stop(rng: Random, size: int) -> tuple:
    """Words of two letters in every order, no pair more frequent than by chance, and a few words of other letters."""
    x, y, start, *rest = rng.sample("abdeiklmno", 9)
    usual = {start + "".join(letters): rng.randint(2, 7) for letters in product((x, y), repeat=3)}
    own = {a + b: rng.randint(3, 9) for a, b in zip(rest[::2], rest[1::2], strict=True)}
    entries = [*usual.items(), *list(own.items())[: 1 + size // 4]]
    return dict(rng.sample(entries, len(entries))), 4


@shows(wrong.stops_early, free=(*AFTER_MERGES, *REPEATS), when=clear)
def draw_small(rng: Random, size: int) -> tuple:
    """Words of two letters in every order, some a little more frequent than by chance: a small gain, but above 0."""
    x, y, start = rng.sample("abdeiklmno", 3)
    entries = [(start + "".join(letters), rng.randint(3, 6)) for letters in product((x, y), repeat=2 + size // 6)]
    return dict(rng.sample(entries, len(entries))), 1


@shows()
def draw_nothing(rng: Random, size: int) -> tuple:
    """Words of one letter; or no merge is asked for."""
    if size % 2:
        return dictionary(rng, 2, (2, 4)), 0
    return {letter: rng.randint(2, 9) for letter in rng.sample(RARE, 1 + size // 4)}, 2


@shows(wrong.overlapping, free=(*OTHER_SCORES, wrong.counted_once_a_word), when=clear)
def draw_runs(rng: Random, size: int) -> tuple:
    letter = rng.choice("abdei")
    run = word(rng, 1, "abdei", True) + letter * 3 + word(rng, 1, "abdei", True)
    return {run: rng.randint(1, 9)} | dictionary(rng, 2 + size // 4, (2, 3), "abdei", (1, 9)), 1


def behind_a_run(entries: dict[str, int], merges: int) -> bool:
    """Whether the best pair begins with a piece that stands twice in a row in an earlier word."""
    (left, _), scores = next(wrong.steps(entries))
    return clear(entries, merges) and list(scores).index((left, left)) < 3 if (left, left) in scores else False


@shows(free=(*OTHER_SCORES, wrong.counted_once_a_word), when=behind_a_run)
def draw_behind(rng: Random, size: int) -> tuple:
    x, y, z, *ends = word(rng, 7, "abdeiklm", False)
    others = {end + x + y: rng.randint(2, 9) for end in ends[: 2 + size // 6]}
    return {z + x + x + z: rng.randint(1, 3)} | others, 1


@shows(free=(*OTHER_SCORES, wrong.counted_once_a_word), when=clear)
def draw_turned(rng: Random, size: int) -> tuple:
    """The best pair follows one that stands the other way round in an earlier word."""
    x, y, z, last, *ends = word(rng, 8, "abdeiklm", False)
    others = {end + y + x + last: rng.randint(2, 9) for end in ends[: 2 + size // 6]}
    return {z + x + y: rng.randint(1, 3), z + y: rng.randint(4, 9), z + y + x: rng.randint(1, 3)} | others, 1


@shows(wrong.from_right, free=AFTER_MERGES, when=clear)
def draw_left(rng: Random, size: int) -> tuple:
    """Runs of a letter that is in no other word; the other words are frequent, but their pairs only by chance."""
    x, y, start, letter, *others = word(rng, 7 + size // 6, "abdeiklmno", False)
    usual = {start + left + right: rng.randint(60, 70) for left, right in product((x, y), repeat=2)}
    entries = [*usual.items(), *((other + letter * 3, rng.randint(3, 9)) for other in others)]
    return dict(rng.sample(entries, len(entries))), 2


@shows(wrong.counted_once_a_word, free=(*OTHER_SCORES, wrong.overlapping), when=clear)
def draw_twice(rng: Random, size: int) -> tuple:
    syllable = word(rng, 2, "abdei", False)
    twice = rng.choice(RARE) + syllable + rng.choice(("", "k")) + syllable
    return {twice: rng.randint(2, 9)} | dictionary(rng, 2 + size // 4, (2, 3), "abdei", (1, 9)), 1


@shows(wrong.first_place_only, free=(*AFTER_MERGES, wrong.counted_once_a_word), when=clear)
def draw_both(rng: Random, size: int) -> tuple:
    syllable = word(rng, 2, "abdei", False)
    twice = rng.choice(RARE) + syllable + rng.choice(("", "k")) + syllable
    return {twice: rng.randint(2, 9)} | dictionary(rng, 2 + size // 4, (2, 3), "abdei", (1, 9)), 2


TASK = Task(
    name="ps1.learn_wordpieces",
    title="Learn WordPiece merges",
    reference=reference,
    criteria=(
        Criterion("gain", 0.5, "The first merge has the largest gain, not the highest count.", draw_gain, visible=5),
        Criterion(
            "ratio", 0.5, "It is the gain that decides, not the ratio c(ab) / (c(a) c(b)).", draw_ratio, visible=5
        ),
        Criterion("frequencies", 0.5, "Each word counts with its frequency.", draw_frequencies, visible=5),
        Criterion("fresh", 0.5, "Gains are taken anew after every merge.", draw_fresh, visible=5),
        Criterion(
            "pieces",
            0.5,
            "A merged piece keeps the '##' of its beginning only, and merges again.",
            alternate(draw_pieces, draw_continued, draw_boundaries),
            visible=6,
        ),
        Criterion(
            "stop",
            0.5,
            "A merge is made if it raises the likelihood, however little, and if it is wanted; no other.",
            alternate(draw_nothing, draw_stop, draw_small),
            visible=6,
        ),
        Criterion(
            "runs",
            0.5,
            "In 'a a a' one merge is possible, not two.",
            alternate(draw_runs, draw_behind, draw_turned, draw_left),
            visible=6,
            graded=16,
        ),
        Criterion(
            "twice",
            0.5,
            "A pair that stands twice in a word counts twice and is merged twice.",
            alternate(draw_twice, draw_both),
            visible=4,
        ),
        Criterion(
            "arguments", 0.5, "The dictionary is afterwards as it was.", draw_gain, probe=leaving("dictionary merges")
        ),
    ),
    misconceptions=(
        Misconception(
            "most frequent pair",
            wrong.most_frequent,
            "gain",
            "These are the merges of byte pair encoding. A pair may be frequent only because its pieces are: score the "
            "change of L.",
        ),
        Misconception(
            "ratio in place of the gain",
            wrong.by_ratio,
            "ratio",
            "c(ab) / (c(a) c(b)) leaves out how often the pair occurs, and favours rare pairs. Take "
            "L(after) − L(before).",
        ),
        Misconception(
            "words counted once",
            wrong.unweighted,
            "frequencies",
            "You count the pieces of every word once. A word of frequency n counts n times.",
        ),
        Misconception(
            "gains never refreshed",
            wrong.not_refreshed,
            "fresh",
            "These are the best pairs of the untouched dictionary. A merge changes N, the counts and the pairs.",
        ),
        Misconception(
            "'##' inside a piece",
            wrong.joined_whole,
            "pieces",
            "You join 'lo' and '##w' to 'lo##w'. The mark belongs to a piece's beginning: together they are 'low'.",
        ),
        Misconception(
            "'##' of the beginning lost",
            wrong.mark_lost,
            "pieces",
            "You take the '##' away from both pieces. '##l' and '##o' make '##lo', which continues a word.",
        ),
        Misconception(
            "merging in joined text",
            wrong.in_text,
            "pieces",
            "You replace 'a ##b' in the joined text, and so also inside '##a ##b'. Compare whole pieces.",
        ),
        Misconception(
            "merging from the right",
            wrong.from_right,
            "runs",
            "In a run such as '##a ##a ##a' you merge the last two. Go through each word from the left.",
        ),
        Misconception(
            "never stops",
            wrong.unstopped,
            "stop",
            "You merge on when the best gain is negative. From there on every merge makes the text less likely: stop.",
        ),
        Misconception(
            "overlapping pairs",
            wrong.overlapping,
            "runs",
            "In '##a ##a ##a' the pair is seen twice, but only one can be merged. n_ab is how often ab is written.",
        ),
        Misconception(
            "a pair counted once a word",
            wrong.counted_once_a_word,
            "twice",
            "You count a pair once for each word that holds it; in 'banana' the pair '##a','##n' can be merged twice.",
        ),
        Misconception(
            "one merge and no more",
            wrong.first_alone,
            "fresh",
            "You return after the first merge: is `return` inside the loop?",
        ),
        Misconception(
            "the dictionary emptied",
            wrong.emptied,
            "arguments",
            "You take words out of the dictionary that you are given. It belongs to the caller: work on a copy.",
        ),
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
