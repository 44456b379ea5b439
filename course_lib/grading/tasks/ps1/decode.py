"""ps1.decode: from the pieces of byte pair encoding back to text (Straka 2021; Liu and Malykh 2022)."""

from random import Random

from course_lib.grading.cases.isolate import first, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.tasks.ps1.words import END
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


# Cases


def case(pieces: list[str]) -> Case:
    return Case((pieces,), f"{len(pieces)} piece{'s' * (len(pieces) != 1)}")


MISTAKES = (spaced_pieces, glued_words, trailing_space, finished_words_only, letters_stripped)
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


TASK = Task(
    name="ps1.decode",
    title="Decode pieces",
    reference=reference,
    criteria=(
        Criterion("pieces", 1, "The pieces of one word are joined without spaces.", draw_pieces),
        Criterion("words", 1, "Words are one space apart, and nothing follows the last.", draw_words),
        Criterion(
            "cut", 1, "A last word that was cut off, without its '</w>', still appears.", first(case([]), draw_cut)
        ),
        Criterion("letters", 1, "Only the marker goes: letters of the text stay, whatever they are.", draw_letters),
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
            "str.strip('</w>') removes any of the characters '<', '/', 'w' and '>' from the ends, not the marker as a "
            "whole: of 'now</w>' it leaves 'no'. Look at str.removesuffix or str.replace.",
        ),
    ),
    forbidden=("course_lib.subwords.bpe.BPE.decode", "tokenizers.decoders.BPEDecoder"),
)
