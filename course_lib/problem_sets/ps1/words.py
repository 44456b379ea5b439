"""Random dictionaries for the cases of problem set 1: small, readable, and isolating one mechanism at a time."""

from collections.abc import Callable, Sequence
from random import Random

from course_lib.grading.task import Case
from course_lib.subwords.pairs import Pair

LETTERS = "abdeiklmnorst"
CAPITALS = "ÄBDEIKLÖ"
SIGNS = ".$^"  # they mean something else in a regular expression
RARE = "uvwxyzäöüß"  # for what is to occur once: endings, characters that no merge knows
END = "</w>"


def word(rng: Random, length: int, letters: str, repeats: bool) -> str:
    """A word of `length` of the `letters`; none occurs twice unless `repeats`."""
    return "".join(rng.choices(letters, k=length) if repeats else rng.sample(letters, length))


def dictionary(
    rng: Random,
    words: int,
    lengths: tuple[int, int],
    letters: str = LETTERS[:6],
    frequencies: tuple[int, int] = (1, 20),
    repeats: bool = False,
    ends: str = "",
) -> dict[str, int]:
    """`words` different words with frequencies, lengths and frequencies drawn between the bounds given.

    Each ends with one of `ends` more, if there are any: then pairs with the last letter are rare.
    """
    found: dict[str, int] = {}
    while len(found) < words:
        drawn = word(rng, rng.randint(*lengths), letters, repeats) + (rng.choice(ends) if ends else "")
        found.setdefault(drawn, rng.randint(*frequencies))
    return found


def dictionaries(words: int, every: int, lengths: tuple[int, int], merges: int, *letters: str, **how) -> Callable:
    """It draws what a learner is given: a dictionary of `words`, and one for `every` step in size; and `merges`."""
    return lambda rng, size: (dictionary(rng, words + size // every, lengths, *letters, **how), merges)


def learning(entries: dict[str, int], merges: int) -> Case:
    words = f"a dictionary of {len(entries)} word{'s' * (len(entries) != 1)}, {merges} merge{'s' * (merges != 1)}"
    return Case((entries, merges), words)


def merge_list(rng: Random, count: int, start: Sequence[Pair] = (), letters: int = 5, longest: int = 4) -> list[Pair]:
    """`start` and `count` more merges, as training can order them: each makes a new piece of two that are there."""
    merges = list(start)
    pieces = [letter + end for end in ("", END) for letter in LETTERS[:letters]] + ["".join(pair) for pair in start]
    while len(merges) < len(start) + count:
        left, right = rng.choice(pieces), rng.choice(pieces)
        joined = left + right
        if END not in left and joined not in pieces and len(joined.removesuffix(END)) <= longest:
            merges.append((left, right))
            pieces.append(joined)
    return merges


def spell(rng: Random, merges: list[Pair], count: int) -> str:
    """A word of `count` pieces that the `merges` make or join."""
    return "".join(rng.choice((*pair, "".join(pair))) for pair in rng.choices(merges, k=count)).replace(END, "")
