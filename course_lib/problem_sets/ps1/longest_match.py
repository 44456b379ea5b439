"""ps1.longest_match: WordPiece's segmentation, greedy longest match from the left (Liu and Malykh 2022)."""

from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.problem_sets.ps1 import words
from course_lib.problem_sets.ps1 import wrong_longest_match as wrong
from course_lib.subwords import wordpiece
from course_lib.subwords.likelihood import CONTINUES


def reference(word: str, vocabulary: list[str]) -> list[str]:
    """The pieces of `word`, each the longest in `vocabulary` that fits, '##' before all but the first; or ["<unk>"]."""
    return list(wordpiece.longest_match(word, set(vocabulary)))


# Cases


def case(word: str, vocabulary: list[str]) -> Case:
    return Case((word, vocabulary), f"a word of {len(word)} letters, a vocabulary of {len(vocabulary)} pieces")


MISTAKES = (
    *(wrong.without_marker, wrong.shortest, wrong.first_listed, wrong.anywhere),
    *(wrong.from_right, wrong.unknown_letters, wrong.unknown_rest, wrong.backtracking, wrong.no_single_letters),
)
shows = isolating(wrong.defined, MISTAKES, case)


def parts(rng: Random, count: int, least: int = 2, letters: int = 4) -> list[str]:
    """`count` parts of a word, of a few letters of every kind that come again and again."""
    alphabet = "".join(rng.sample(words.LETTERS, letters) + rng.sample(words.CAPITALS + words.SIGNS + words.RARE, 2))
    return [words.word(rng, rng.randint(least, 3), alphabet, repeats=True) for _ in range(count)]


def inside(*pieces: str) -> list[str]:
    return [CONTINUES + piece for piece in pieces]


def shuffled(rng: Random, *pieces: str) -> list[str]:
    """A vocabulary of `pieces` and two that fit nowhere."""
    found = [*dict.fromkeys(pieces), "v" + rng.choice("1234567"), "##w" + rng.choice("1234567")]
    return rng.sample(found, len(found))


@shows(wrong.shortest)
def draw_whole(rng: Random, size: int) -> tuple[str, list[str]]:
    a, *rest = parts(rng, 2 + size // 4)
    word = "".join([a, *rest])
    return word, shuffled(rng, word, a, *inside(*rest, "".join(rest)))


@shows(wrong.shortest, wrong.first_listed, wrong.without_marker)
def draw_longest(rng: Random, size: int) -> tuple[str, list[str]]:
    a, b, c, d, *rest = parts(rng, 4 + size // 4)
    return "".join([a, b, c, d, *rest]), shuffled(rng, a, a + b, *inside(b, c, c + d, d, *rest))


@shows(wrong.from_right, wrong.shortest, wrong.without_marker)
def draw_left(rng: Random, size: int) -> tuple[str, list[str]]:
    a, b, c, d, e, *rest = parts(rng, 5 + size // 4)
    return "".join([a, b, c, d, e, *rest]), shuffled(rng, a, a + b, *inside(b, c, c + d, e, d + e, *rest))


@shows(wrong.anywhere, wrong.without_marker)
def draw_inside(rng: Random, size: int) -> tuple[str, list[str]]:
    a, b, c, *rest = parts(rng, 3 + size // 4)
    return "".join([a, b, c, *rest]), shuffled(rng, a, b + c, *inside(b, c, *rest))


@shows(wrong.anywhere, wrong.unknown_letters)
def draw_beginning(rng: Random, size: int) -> tuple[str, list[str]]:
    a, b, *rest = parts(rng, 2 + size // 4)
    return "".join([a, b, *rest]), shuffled(rng, b, *inside(a, b, *rest))


@shows(wrong.without_marker)
def draw_covered(rng: Random, size: int) -> tuple[str, list[str]]:
    a, *rest = parts(rng, 3 + size // 4)
    return "".join([a, *rest]), shuffled(rng, a, *inside(*rest))


@shows(wrong.unknown_letters, wrong.unknown_rest)
def draw_unknown(rng: Random, size: int) -> tuple[str, list[str]]:
    a, b, c, *rest = parts(rng, 3 + size // 4)
    return "".join([a, b, c, *rest]), shuffled(rng, a, *inside(c, *rest))


@shows(wrong.backtracking, wrong.unknown_letters, wrong.unknown_rest)
def draw_dead_end(rng: Random, size: int) -> tuple[str, list[str]]:
    a, b, c, *rest = parts(rng, 3 + size // 4)
    tail = "".join([b, c, *rest])
    return a + tail, shuffled(rng, a, a + b, *inside(b, b + c, *rest, a[-1] + tail))


@shows(wrong.no_single_letters, wrong.without_marker, apart=False)
def draw_single(rng: Random, size: int) -> tuple[str, list[str]]:
    a, b, *rest = (part[: rng.choice((1, 3))] for part in parts(rng, 3 + size // 4, 1, 12))
    return "".join([a, b, *rest]), shuffled(rng, a, *inside(b, *rest))


TASK = Task(
    name="ps1.longest_match",
    title="Greedy longest match",
    reference=reference,
    criteria=(
        Criterion("whole", 0.5, "A word that is in the vocabulary is one piece.", draw_whole),
        Criterion("longest", 1, "At each place the longest piece that fits is taken.", draw_longest),
        Criterion("single", 0.5, "A piece may be a single character.", draw_single),
        Criterion("left", 0.5, "Pieces are taken from the left to the right.", draw_left),
        Criterion(
            "places",
            1,
            "A piece with '##' fits only inside a word, one without only at its beginning.",
            alternate(draw_inside, draw_beginning),
        ),
        Criterion(
            "unknown",
            0.5,
            "A word with a place where nothing fits is ['<unk>'] as a whole; other words are not.",
            alternate(draw_unknown, draw_covered),
        ),
        Criterion(
            "greedy",
            0.5,
            "A piece once taken stays, even if nothing fits after it.",
            alternate(draw_dead_end, draw_covered),
        ),
        Criterion(
            "arguments",
            0.5,
            "The vocabulary is afterwards as it was, in the same order.",
            draw_covered,
            probe=leaving("word vocabulary"),
        ),
    ),
    misconceptions=(
        Misconception(
            "shortest piece",
            wrong.shortest,
            "whole",
            "You take the first end that gives a piece, and so the shortest. Try the far end of the word first.",
        ),
        Misconception(
            "first piece of the list",
            wrong.first_listed,
            "longest",
            "You take the piece that the vocabulary lists first. Its order means nothing: the longest that fits wins.",
        ),
        Misconception(
            "pieces of one letter overlooked",
            wrong.no_single_letters,
            "single",
            "You never look up a piece of one letter: where does the loop over the ends of a piece stop?",
        ),
        Misconception(
            "vocabulary sorted in place",
            wrong.sorting,
            "arguments",
            "You sort the vocabulary that you are given. Its order is that of the ids: use sorted.",
        ),
        Misconception(
            "from the right",
            wrong.from_right,
            "left",
            "You begin at the end of the word. Take the longest beginning first, then go on behind it.",
        ),
        Misconception(
            "no '##' inside a word",
            wrong.without_marker,
            "longest",
            "Behind the first piece, what you look up and what you return must begin with '##'.",
        ),
        Misconception(
            "'##' makes no difference",
            wrong.anywhere,
            "places",
            "You let any piece fit at any place. 'er' begins a word and '##er' continues one: they are two pieces.",
        ),
        Misconception(
            "unknown letters",
            wrong.unknown_letters,
            "unknown",
            "You write '<unk>' for a letter and go on. Here one such place makes the whole word unknown.",
        ),
        Misconception(
            "unknown rest",
            wrong.unknown_rest,
            "unknown",
            "You keep the pieces found before the place where nothing fits. The result is '<unk>' alone.",
        ),
        Misconception(
            "backtracking",
            wrong.backtracking,
            "greedy",
            "You try a shorter piece when the longest leads nowhere. Greedy matching never goes back.",
        ),
    ),
    forbidden=(
        "course_lib.subwords.wordpiece.longest_match",
        "course_lib.subwords.longest_match",
        "course_lib.subwords.wordpiece.WordPiece.segment",
        "course_lib.subwords.wordpiece.WordPiece.encode",
        "tokenizers.models.WordPiece",
    ),
)
