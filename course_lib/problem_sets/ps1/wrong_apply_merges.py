"""Segmentation by merges as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable

from course_lib.problem_sets.ps1.words import END
from course_lib.problem_sets.ps1.wrong_learn_merges import (
    marked,
    merge_by_pattern,
    merge_first_only,
    merge_from_right,
    merge_in_text,
)
from course_lib.subwords.pairs import Pair, merge


def application(merge: Callable = merge, symbols: Callable = marked) -> Callable[[str, list[Pair]], list[str]]:
    """Segmentation as defined, with some part exchanged."""

    def apply(text: str, merges: list[Pair]) -> list[str]:
        pieces = symbols(text)
        for pair in merges:
            pieces = merge(pieces, pair)
        return list(pieces)

    return apply


defined = application()
first_only = application(merge=merge_first_only)
in_text = application(merge=merge_in_text)
from_right = application(merge=merge_from_right)
by_pattern = application(merge=merge_by_pattern)
no_marker = application(symbols=tuple)
separate_marker = application(symbols=lambda word: (*word, END))


def late_marker(text: str, merges: list[Pair]) -> list[str]:
    *pieces, last = application(symbols=tuple)(text, merges)
    return [*pieces, last + END]


def longest_piece(text: str, merges: list[Pair]) -> list[str]:
    known, symbols, pieces = {"".join(pair) for pair in merges}, marked(text), []
    while symbols:
        ends = range(len(symbols), 0, -1)
        end = next((end for end in ends if "".join(symbols[:end]) in known), 1)
        pieces.append("".join(symbols[:end]))
        symbols = symbols[end:]
    return pieces


def left_to_right(text: str, merges: list[Pair]) -> list[str]:
    pieces, known, i = [*marked(text)], set(merges), 0
    while i < len(pieces) - 1:
        if (pieces[i], pieces[i + 1]) in known:
            pieces[i : i + 2] = [pieces[i] + pieces[i + 1]]
            i = 0
        else:
            i += 1
    return pieces


def unknown_piece(text: str, merges: list[Pair]) -> list[str]:
    known = {letter for pair in merges for letter in "".join(pair).removesuffix(END)}
    return [piece if piece[0] in known else "<unk>" for piece in defined(text, merges)]


def first_alone(text: str, merges: list[Pair]) -> list[str] | None:
    return defined(text, merges[:1]) if merges else None


def used_up(text: str, merges: list[Pair]) -> list[str]:
    pieces = defined(text, merges)
    merges.clear()
    return pieces
