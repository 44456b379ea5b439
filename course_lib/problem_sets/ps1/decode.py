"""ps1.decode: from the pieces of byte pair encoding back to text (Straka 2021; Liu and Malykh 2022)."""

from random import Random

from course_lib.grading.cases.isolate import alternate, first, isolating
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps1.pieces import emptying
from course_lib.problem_sets.ps1.words import CAPITALS, END, LETTERS, RARE, SIGNS, word
from course_lib.subwords.bpe import BPE


def reference(pieces: list[str]) -> str:
    """The text of `pieces`: '</w>' ends a word, one space between words, none at the end; an unfinished word counts."""
    return BPE((), ()).decode(pieces)


# Mistakes


def defined(pieces, between="", end=" ", tidy=str.strip):
    return tidy(between.join(pieces).replace(END, end))


wrong = versions(defined)
a_space_after_every_piece = wrong("pieces", between=" ", end="")(
    "You put a space between any two pieces. A space belongs only where a piece ends with '</w>'."
)
words_run_together = wrong("words", end="")(
    "You delete the marker. It stands for the end of a word: leave a space where it was."
)
a_space_after_the_last_word = wrong("words", tidy=str)(
    "Your text ends with a space: spaces stand between words, not after each."
)


@mistake("cut")
def unfinished_word_dropped(pieces):
    """You output a word only when its marker comes. A decoder that is stopped at its length limit leaves a last word
    without one: what is there of it belongs to the text."""
    return " ".join("".join(pieces).split(END)[:-1])


STRIPPED = (
    "You remove single characters '<', '/', 'w' and '>', as str.strip('</w>') or str.rstrip does, not the marker as a "
    "whole: of 'now</w>' only 'no' is left. Look at str.removesuffix or str.replace."
)
strip_takes_letters = mistake("letters", STRIPPED)(
    lambda pieces: "".join(piece.strip(END) + " " if piece.endswith(END) else piece for piece in pieces).strip()
)
strip_of_every_piece = mistake("letters", STRIPPED)(
    lambda pieces: "".join(piece.strip(END) + " " * piece.endswith(END) for piece in pieces).strip()
)


def letters_of(piece):
    return "".join(each for each in piece.removesuffix(END) if each.isalpha()) + END * piece.endswith(END)


only_letters_kept = mistake(
    "letters",
    "You keep letters only, as str.isalpha tells them. Any character of a piece belongs to the text, but the marker.",
)(lambda pieces: defined([letters_of(piece) for piece in pieces]))
only_letters_kept_inside_a_word = mistake(
    "letters",
    "Where no marker stands you keep letters only. Any character of a piece belongs to the text: '.', '$', '#', too.",
)(lambda pieces: defined([piece if piece.endswith(END) else letters_of(piece) for piece in pieces]))


@mistake("words")
def a_repeated_word_left_out(pieces):
    """You leave out a word that the text has already. A text may have a word twice, also twice in a row."""
    words = defined(pieces).split(" ")
    return " ".join(word for before, word in zip(["", *words], words, strict=False) if word != before)


capital_letters_lost = wrong("capitals", tidy=lambda text: text.strip().lower())(
    "Your text has no capital letters left: is there a lower() in your code?"
)
the_pieces_used_up = mistake(
    "arguments", "You take the pieces out of the list that you are given. It belongs to the caller: work on a copy."
)(emptying(0, defined))


# Cases


def case(pieces: list[str]) -> Case:
    return Case((pieces,), f"{len(pieces)} piece{'s' * (len(pieces) != 1)}")


MISTAKES = (
    *(a_space_after_every_piece, words_run_together, a_space_after_the_last_word, unfinished_word_dropped),
    *(strip_takes_letters, strip_of_every_piece, capital_letters_lost, a_repeated_word_left_out),
    only_letters_kept_inside_a_word,
)
shows = isolating(defined, MISTAKES, case)


def text(rng: Random, count: int) -> list[str]:
    """`count` pieces, a syllable each."""
    return [rng.choice("bdfgklmnprst") + rng.choice("aeiou") + rng.choice(("", "l", "n", "r")) for _ in range(count)]


def words(rng: Random, count: int) -> list[str]:
    """`count` words of one piece each."""
    return [piece + END for piece in text(rng, count)]


draw_pieces = shows(a_space_after_every_piece, a_space_after_the_last_word)(
    lambda rng, size: ([*text(rng, 1 + size // 3), *words(rng, 1)],)
)


@shows(words_run_together, a_space_after_the_last_word)
def draw_words(rng: Random, size: int) -> tuple[list[str]]:
    """One of the words is a letter: its piece is hardly longer than the marker."""
    pieces = [*words(rng, 1 + size // 3), rng.choice("bdfgklmnprst") + END]
    return (rng.sample(pieces, len(pieces)),)


draw_again = shows(a_repeated_word_left_out, words_run_together, a_space_after_the_last_word)(
    lambda rng, size: ([*words(rng, size // 3), *words(rng, 1) * 2, *words(rng, 1)],)
)
draw_cut = shows(a_space_after_every_piece, words_run_together, unfinished_word_dropped)(
    lambda rng, size: ([*words(rng, 1 + size // 3), *text(rng, 2 + size // 6)],)
)
draw_no_end = shows(a_space_after_every_piece, unfinished_word_dropped)(lambda rng, size: (text(rng, 2 + size // 6),))
draw_one = shows(a_space_after_the_last_word)(lambda rng, size: (words(rng, 1),))
draw_unfinished = shows(free=(words_run_together, unfinished_word_dropped))(
    lambda rng, size: ([*words(rng, 1), *text(rng, 1)],)
)


@shows(strip_takes_letters, a_space_after_the_last_word, free=(strip_of_every_piece,))
def draw_letters(rng: Random, size: int) -> tuple[list[str]]:
    stem, end = text(rng, 1)[0], rng.choice(("w", "w", "ow", "<", ">", "/", "w/"))
    return ([stem + end + END],)


@shows(
    *(only_letters_kept_inside_a_word, strip_of_every_piece),
    free=(a_space_after_every_piece, words_run_together, unfinished_word_dropped, a_space_after_the_last_word),
)
def draw_signs(rng: Random, size: int) -> tuple[list[str]]:
    """Odd characters in pieces without marker, alone, '<' and '>' too, and between letters; '.' and ',' begin the last
    two words, the last of them cut off."""
    signs = rng.sample(".$#^-", 3 + size % 2)
    pieces = [signs[0], ">", signs[1], "<", *(a + sign + b for sign in ("/", *signs[2:]) for a, b in [text(rng, 2)])]
    return ([*pieces, *words(rng, 1), ".", *words(rng, 1), ",", *text(rng, 1)],)


@shows(capital_letters_lost, a_space_after_the_last_word)
def draw_capitals(rng: Random, size: int) -> tuple[list[str]]:
    return ([word(rng, 1 + size // 4, CAPITALS + SIGNS, repeats=True) + word(rng, 2, LETTERS + RARE, True) + END],)


TASK = task(
    __name__,
    "Decode pieces",
    criteria=(
        criterion("pieces", 0.5, draw_pieces)("The pieces of one word are joined without spaces."),
        criterion("words", 1, alternate(draw_words, draw_again))(
            "Words are one space apart, and nothing follows the last."
        ),
        criterion("cut", 1, first(case([]), alternate(draw_cut, draw_no_end)))(
            "A last word that was cut off, without its '</w>', still appears."
        ),
        criterion("letters", 0.5, alternate(draw_letters, draw_signs))(
            "Only the marker goes: letters of the text stay, whatever they are."
        ),
        criterion("capitals", 0.5, draw_capitals)("Capital letters stay capital letters."),
        arguments(0.5, alternate(draw_one, draw_unfinished))("The list of pieces is afterwards as it was."),
    ),
    forbidden=("course_lib.subwords.bpe.BPE.decode", "tokenizers.decoders.BPEDecoder"),
)
