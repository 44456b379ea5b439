"""The pieces of a word: with its end marked, and merged in ways that are mistakes of several tasks."""

import re
from collections.abc import Callable, Iterable, Iterator
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
PAST_THE_END = (
    "After a merge you run past the end of your list: the merge made it shorter, and your loop still goes to the old "
    "length. Write a new list, or ask for the length again: `while i < len(pieces) - 1`."
)
PASSED_OVER = (
    "After a merge you pass over a pair: in 'a b a b' the second pair stays as it is. Do you change a list while you "
    "walk over it? A merge makes it shorter by one: the next pair then begins at i + 1. Or write a new list."
)
WRITTEN_AGAIN = (
    "The second piece of a pair that you merge is written once more: 'a b c' becomes 'ab b c'. Go on behind both "
    "pieces; in a `for` loop over a range, `i += 1` changes nothing."
)
EMPTIED = "You take words out of the dictionary that you are given. It belongs to the caller: work on a copy."
HASHES = (
    "You take away more '#' of b than its mark, as str.lstrip or str.replace does. '#' may be a letter, too: only the "
    "'##' at the beginning of b goes. Look at str.removeprefix."
)
MARK_LOST = "You take the '##' away from both pieces. '##l' and '##o' make '##lo', which continues a word."


def marked(word: str) -> Pieces:
    return (*word[:-1], word[-1] + END)


def marked_apart(word: str) -> Pieces:
    return (*word, END)


def merged_once(pieces: Pieces, pair: Pair, symbol: str | None = None) -> Pieces:
    """Merged where the pair occurs first."""
    place = next((i for i, each in enumerate(pairwise(pieces)) if each == pair), None)
    return pieces if place is None else (*pieces[:place], symbol or "".join(pair), *pieces[place + 2 :])


def merged_by_index(pieces: Pieces, pair: Pair, symbol: str | None = None) -> Pieces:
    """Merged as long as the first of the pieces that can begin the pair does."""
    found = [*pieces]
    while pair[0] in found and tuple(found[(i := found.index(pair[0])) : i + 2]) == pair:
        found[i : i + 2] = [symbol or "".join(pair)]
    return tuple(found)


def merged_from_right(pieces: Pieces, pair: Pair, symbol: str | None = None) -> Pieces:
    return merge(pieces[::-1], pair[::-1], symbol or "".join(pair))[::-1]


def merged_in_text(pieces: Pieces, pair: Pair, symbol: str | None = None) -> Pieces:
    return tuple(" ".join(pieces).replace(" ".join(pair), symbol or "".join(pair)).split(" "))


def merged_by_pattern(pieces: Pieces, pair: Pair) -> Pieces:
    return tuple(re.sub(rf"(?<!\S){' '.join(pair)}(?!\S)", "".join(pair), " ".join(pieces)).split(" "))


def merged_in_place(places: Callable[[list[str], Pair], Iterable[int]]) -> Callable[[Pieces, Pair], Pieces]:
    """A way to merge in a list while one walks over it: at the `places` where the pair is then found."""

    def merged(pieces: Pieces, pair: Pair) -> Pieces:
        found = [*pieces]
        for i in places(found, pair):
            found[i : i + 2] = ["".join(pair)]
        return tuple(found)

    return merged


def two_further(found: list[str], pair: Pair) -> Iterator[int]:
    """The places of the pair if one goes on by two after each, which is one too far in a list that became shorter."""
    i = 0
    while i < len(found) - 1:
        known = (found[i], found[i + 1]) == pair
        if known:
            yield i
        i += 1 + known


past_the_end_after_a_merge = merged_in_place(  # but after one at the end of the word
    lambda found, pair: (i for i in range(len(found) - 1) if (found[i], found[i + 1]) == pair)
)
past_the_end_after_two_merges = merged_in_place(  # after one the last piece is looked at, which begins no pair
    lambda found, pair: (i for i in range(len(found) - 1) if found[i] == pair[0] and found[i + 1] == pair[1])
)
past_the_end_after_any_merge = merged_in_place(
    lambda found, pair: (i for i in range(len(found)) if found[i] == pair[0] and found[i + 1] == pair[1])
)
merged_and_passed_over = merged_in_place(two_further)
merged_in_living_pairs = merged_in_place(
    lambda found, pair: (i for i, each in enumerate(pairwise(found)) if each == pair)
)
merged_in_old_pairs = merged_in_place(
    lambda found, pair: (i for i, each in enumerate(zip(found, found[1:], strict=False)) if each == pair)
)


def merged_and_written_again(pieces: Pieces, pair: Pair) -> Pieces:
    """Merged in a new list, and the pair's second piece is looked at again."""
    return tuple("".join(pair) if each == pair else each[0] for each in zip(pieces, (*pieces[1:], ""), strict=True))


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
