"""Greedy longest match as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable, Iterable

from course_lib.subwords.likelihood import CONTINUES

UNKNOWN = ["<unk>"]
Ends = Callable[[int, int], Iterable[int]]


def longest_first(start: int, length: int) -> Iterable[int]:
    return range(length, start, -1)


def piece_at(word: str, start: int, end: int) -> str:
    return CONTINUES * (start > 0) + word[start:end]


def defined(word: str, vocabulary: list[str], ends: Ends = longest_first, write: Callable = piece_at) -> list[str]:
    pieces, start = [], 0
    while start < len(word):
        found = (end for end in ends(start, len(word)) if write(word, start, end) in vocabulary)
        if not (end := next(found, None)):
            return UNKNOWN
        pieces.append(write(word, start, end))
        start = end
    return pieces


def without_marker(word: str, vocabulary: list[str]) -> list[str]:
    return defined(word, vocabulary, write=lambda word, start, end: word[start:end])


def shortest(word: str, vocabulary: list[str]) -> list[str]:
    return defined(word, vocabulary, ends=lambda start, length: range(start + 1, length + 1))


def first_listed(word: str, vocabulary: list[str]) -> list[str]:
    pieces, start = [], 0
    while start < len(word):
        marker = CONTINUES * (start > 0)
        fits = (p for p in vocabulary if p.startswith(marker) and word.startswith(p.removeprefix(marker), start))
        if not (piece := next(fits, None)):
            return UNKNOWN
        pieces.append(piece)
        start += len(piece) - len(marker)
    return pieces


def anywhere(word: str, vocabulary: list[str]) -> list[str]:
    pieces = defined(word, [piece.removeprefix(CONTINUES) for piece in vocabulary], write=lambda w, i, j: w[i:j])
    return pieces if pieces == UNKNOWN else [pieces[0], *(CONTINUES + piece for piece in pieces[1:])]


def from_right(word: str, vocabulary: list[str]) -> list[str]:
    pieces, end = [], len(word)
    while end:
        start = next((start for start in range(end) if piece_at(word, start, end) in vocabulary), None)
        if start is None:
            return UNKNOWN
        pieces.insert(0, piece_at(word, start, end))
        end = start
    return pieces


def unknown_letters(word: str, vocabulary: list[str]) -> list[str]:
    pieces, start = [], 0
    while start < len(word):
        fits = (end for end in longest_first(start, len(word)) if piece_at(word, start, end) in vocabulary)
        end = next(fits, None)
        pieces.append(piece_at(word, start, end) if end else "<unk>")
        start = end or start + 1
    return pieces


def unknown_rest(word: str, vocabulary: list[str]) -> list[str]:
    pieces = unknown_letters(word, vocabulary)
    return pieces[: pieces.index("<unk>") + 1] if "<unk>" in pieces else pieces


def backtracking(word: str, vocabulary: list[str]) -> list[str]:
    def cover(start: int) -> list[str] | None:
        if start == len(word):
            return []
        for end in longest_first(start, len(word)):
            if (piece := piece_at(word, start, end)) in vocabulary and (rest := cover(end)) is not None:
                return [piece, *rest]
        return None

    return cover(0) or UNKNOWN


def no_single_letters(word: str, vocabulary: list[str]) -> list[str]:
    return defined(word, vocabulary, ends=lambda start, length: range(length, start + 1, -1))


def sorting(word: str, vocabulary: list[str]) -> list[str]:
    pieces = defined(word, vocabulary)
    vocabulary.sort(key=len, reverse=True)
    return pieces
