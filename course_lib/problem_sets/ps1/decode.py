"""ps1.decode: from the pieces of byte pair encoding back to text (Straka 2021; Liu and Malykh 2022)."""

from random import Random

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, first, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.problem_sets.ps1.words import CAPITALS, END, LETTERS, RARE, SIGNS, word
from course_lib.subwords.bpe import BPE


def reference(pieces: list[str]) -> str:
    """The text of `pieces`: '</w>' ends a word, one space between words, none at the end; an unfinished word counts."""
    return BPE((), ()).decode(pieces)


def defined(pieces: list[str]) -> str:
    return "".join(pieces).replace(END, " ").strip()


# Wrong versions


def spaced_pieces(pieces: list[str]) -> str:
    return " ".join(pieces).replace(END, "")


def glued_words(pieces: list[str]) -> str:
    return "".join(pieces).replace(END, "")


def trailing_space(pieces: list[str]) -> str:
    return "".join(pieces).replace(END, " ")


def finished_words_only(pieces: list[str]) -> str:
    return " ".join("".join(pieces).split(END)[:-1])


def letters_stripped(pieces: list[str]) -> str:
    return "".join(piece.strip(END) + " " * piece.endswith(END) for piece in pieces).strip()


def lowered(pieces: list[str]) -> str:
    return defined(pieces).lower()


def emptied(pieces: list[str]) -> str:
    text = defined(pieces)
    pieces.clear()
    return text


# Cases


def case(pieces: list[str]) -> Case:
    return Case((pieces,), f"{len(pieces)} piece{'s' * (len(pieces) != 1)}")


MISTAKES = (spaced_pieces, glued_words, trailing_space, finished_words_only, letters_stripped, lowered)
shows = isolating(defined, MISTAKES, case)


def text(rng: Random, count: int) -> list[str]:
    """`count` pieces, a syllable each."""
    return [rng.choice("bdfgklmnprst") + rng.choice("aeiou") + rng.choice(("", "l", "n", "r")) for _ in range(count)]


def words(rng: Random, count: int) -> list[str]:
    """`count` words of one piece each."""
    return [piece + END for piece in text(rng, count)]


@shows(spaced_pieces, trailing_space)
def draw_pieces(rng: Random, size: int) -> tuple[list[str]]:
    return ([*text(rng, 1 + size // 3), *words(rng, 1)],)


@shows(glued_words, trailing_space)
def draw_words(rng: Random, size: int) -> tuple[list[str]]:
    return (words(rng, 2 + size // 3),)


@shows(spaced_pieces, glued_words, finished_words_only)
def draw_cut(rng: Random, size: int) -> tuple[list[str]]:
    return ([*words(rng, 1 + size // 3), *text(rng, 2 + size // 6)],)


@shows(letters_stripped, trailing_space)
def draw_letters(rng: Random, size: int) -> tuple[list[str]]:
    stem, end = text(rng, 1)[0], rng.choice(("w", "w", "ow", "<", ">", "/", "w/"))
    return ([stem + end + END],)


@shows(lowered, trailing_space)
def draw_capitals(rng: Random, size: int) -> tuple[list[str]]:
    return ([word(rng, 1 + size // 4, CAPITALS + SIGNS, repeats=True) + word(rng, 2, LETTERS + RARE, True) + END],)


@shows(trailing_space)
def draw_one(rng: Random, size: int) -> tuple[list[str]]:
    return (words(rng, 1),)


@shows(free=(glued_words, finished_words_only))
def draw_unfinished(rng: Random, size: int) -> tuple[list[str]]:
    return ([*words(rng, 1), *text(rng, 1)],)


TASK = Task(
    name="ps1.decode",
    title="Decode pieces",
    reference=reference,
    criteria=(
        Criterion("pieces", 0.5, "The pieces of one word are joined without spaces.", draw_pieces),
        Criterion("words", 1, "Words are one space apart, and nothing follows the last.", draw_words),
        Criterion(
            "cut", 1, "A last word that was cut off, without its '</w>', still appears.", first(case([]), draw_cut)
        ),
        Criterion("letters", 0.5, "Only the marker goes: letters of the text stay, whatever they are.", draw_letters),
        Criterion("capitals", 0.5, "Capital letters stay capital letters.", draw_capitals),
        Criterion(
            "arguments",
            0.5,
            "The list of pieces is afterwards as it was.",
            alternate(draw_one, draw_unfinished),
            probe=leaving("pieces"),
        ),
    ),
    misconceptions=(
        Misconception(
            "a space after every piece",
            spaced_pieces,
            "pieces",
            "You put a space between any two pieces. A space belongs only where a piece ends with '</w>'.",
        ),
        Misconception(
            "words run together",
            glued_words,
            "words",
            "You delete the marker. It stands for the end of a word: leave a space where it was.",
        ),
        Misconception(
            "a space after the last word",
            trailing_space,
            "words",
            "Your text ends with a space: spaces stand between words, not after each.",
        ),
        Misconception(
            "unfinished word dropped",
            finished_words_only,
            "cut",
            "You output a word only when its marker comes. A decoder that is stopped at its length limit leaves a last "
            "word without one: what is there of it belongs to the text.",
        ),
        Misconception(
            "strip takes letters",
            letters_stripped,
            "letters",
            "You remove single characters '<', '/', 'w' and '>', as str.strip('</w>') or str.rstrip does, not the "
            "marker as a whole: of 'now</w>' only 'no' is left. Look at str.removesuffix or str.replace.",
        ),
        Misconception(
            "capital letters lost",
            lowered,
            "capitals",
            "Your text has no capital letters left: is there a lower() in your code?",
        ),
        Misconception(
            "the pieces used up",
            emptied,
            "arguments",
            "You take the pieces out of the list that you are given. It belongs to the caller: work on a copy.",
        ),
    ),
    forbidden=("course_lib.subwords.bpe.BPE.decode", "tokenizers.decoders.BPEDecoder"),
)
