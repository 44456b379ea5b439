"""The pieces of a word: with its end marked, and merged in ways that are mistakes of several tasks."""

import re
from collections.abc import Callable
from itertools import pairwise

from course_lib.problem_sets.ps1.words import END
from course_lib.subwords.pairs import Pair, merge

Pieces = tuple[str, ...]

MARKER_APART = "You write '</w>' as a symbol behind the word: l o w </w>. Here the last letter carries it: l o w</w>."
ONE_MERGE = "You return after the first merge: is `return` inside the loop?"
IN_TEXT = "You replace 'e s' in the joined text, and so also inside 'le s'. Compare whole pieces."
NOT_ESCAPED = (
    "You put the pair into a regular expression as it is; there '.' stands for any character. Use re.escape, or "
    "compare pieces."
)
EMPTIED = "You take words out of the dictionary that you are given. It belongs to the caller: work on a copy."
MARK_LOST = "You take the '##' away from both pieces. '##l' and '##o' make '##lo', which continues a word."


def marked(word: str) -> Pieces:
    return (*word[:-1], word[-1] + END)


def marked_apart(word: str) -> Pieces:
    return (*word, END)


def merged_once(pieces: Pieces, pair: Pair, symbol: str | None = None) -> Pieces:
    """Merged where the pair occurs first."""
    place = next((i for i, each in enumerate(pairwise(pieces)) if each == pair), None)
    return pieces if place is None else (*pieces[:place], symbol or "".join(pair), *pieces[place + 2 :])


def merged_from_right(pieces: Pieces, pair: Pair, symbol: str | None = None) -> Pieces:
    return merge(pieces[::-1], pair[::-1], symbol or "".join(pair))[::-1]


def merged_in_text(pieces: Pieces, pair: Pair, symbol: str | None = None) -> Pieces:
    return tuple(" ".join(pieces).replace(" ".join(pair), symbol or "".join(pair)).split(" "))


def merged_by_pattern(pieces: Pieces, pair: Pair) -> Pieces:
    return tuple(re.sub(rf"(?<!\S){' '.join(pair)}(?!\S)", "".join(pair), " ".join(pieces)).split(" "))


def once_through(pieces: Pieces, merges: list[Pair]) -> list[str]:
    """Merged from the left, whatever merge it is; what was just merged may be merged again."""
    found: list[str] = []
    for piece in pieces:
        if found and (found[-1], piece) in merges:
            found[-1] += piece
        else:
            found.append(piece)
    return found


def swept(pieces: Pieces, merges: list[Pair]) -> list[str]:
    """Merged from the left, whatever merge it is; what was just merged is not looked at again."""
    found, place = [], 0
    while place < len(pieces):
        known = tuple(pieces[place : place + 2]) in merges
        found.append("".join(pieces[place : place + 1 + known]))
        place += 1 + known
    return found


def first_alone(learn: Callable) -> Callable:
    """`learn`, that returns after the first merge."""
    return lambda entries, merges: learn(entries, 1) or None if merges else None


def emptying(place: int, function: Callable) -> Callable:
    """`function`, that takes all out of its argument at this place."""

    def emptied(*given):
        found = function(*given)
        given[place].clear()
        return found

    return emptied
