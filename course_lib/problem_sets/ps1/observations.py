"""What an encoder with a fault makes of words that tell more or less of it: what `diagnose` is given."""

from collections.abc import Callable
from random import Random

from course_lib.grading.cases.isolate import until
from course_lib.problem_sets.ps1.encoders import ENCODERS, FAULTS, explaining
from course_lib.problem_sets.ps1.words import END, LETTERS, merge_list, spell

Observed = list[tuple[str, list[str]]]  # words with the pieces that an encoder gave

EITHER = "left to right", "first only"
TELLS = {  # what a word tells of an encoder with a fault, if these names explain it
    "all": lambda fault, explained: explained == [fault],
    "something": lambda fault, explained: len(explained) > 1 and "none" not in explained,
    "nothing": lambda fault, explained: "none" in explained,
    "anything": lambda fault, explained: True,
    "letter": lambda fault, explained: True,
    "either": lambda fault, explained: {*EITHER} <= {*explained} and "none" not in explained,
    "right": lambda fault, explained: not {*EITHER} <= {*explained} and "none" in explained,
}
ALL_DIFFER = "y z, x y, x yz, z w, y zw, v yz"  # "xyz" differs from the left, "yzw" by the longest match
AFTER_A_MERGE = "y z, x y, yz w, x yz, z w, v yz"  # where one looks then: "vyzw" is "vyz w" from the left
WITH_A_MERGED_PIECE = "y z, x y, yz w, x yz, z w, v yz, w x"  # "yzwx" is "yzw x" so, "yz wx" if "yz" must wait
TWO_PIECES = "y z, x y, z w, y zw"  # so "xyz" is cut in training order, and from the left, too
AT_THE_END = "y z, x y, x yz, z w, y zw, v yz, v w$"  # "vw" is merged at the end of a word alone; $ is the marker
OVERLAPPING = "y z, x y, x yz, z w, y zw, v x"  # the longest piece of "vxyz" is "xyz", with which it does not begin
WHOLE = "w x, x y, xy z$, w xyz$"  # of "wxyz" no two neighbours ever make the whole


def observations(
    rng: Random, size: int, faults: list[str], told: list[str], start: str = ALL_DIFFER, length: int = 0
) -> tuple:
    """Merges that begin with `start`, and what an encoder with one of `faults` makes of words of which each TELLS so
    much as `told` says. A word has `length` pieces of merges, or three and more; that of the kind "letter" is one.
    """

    def attempt() -> tuple:
        fault = rng.choice(faults)
        letters = str.maketrans("vwxyz", "".join(rng.sample("abdei", 5)))
        pairs = (pair.translate(letters).replace("$", END).split() for pair in start.split(", "))
        merges = merge_list(rng, size // 3, [(left, right) for left, right in pairs])
        observed: Observed = []
        for kind in told:
            long = length or 3 + size // 6
            words = (rng.choice(LETTERS) if kind == "letter" else spell(rng, merges, long) for _ in range(12))
            fits = ((word, ENCODERS[fault](word, merges)) for word in words)
            new = (o for o in fits if o not in observed and TELLS[kind](fault, explaining(merges, [o])))
            if (found := next(new, None)) is None:
                return ()
            observed.append(found)
        return (merges, observed) if len(explaining(merges, observed)) == 1 else ()

    return until(attempt, lambda *drawn: bool(drawn))


def in_turn(kinds: Callable[[int], list[str]], late: str = ALL_DIFFER) -> Callable:
    """Each fault in turn, words of these `kinds`: cases of one size have every fault, so size tells none.

    The merges begin with `late` where the fault is the late marker.
    """

    def draw(rng: Random, size: int) -> tuple:
        large, fault = size // len(FAULTS), FAULTS[size % len(FAULTS)]
        return observations(rng, 3 * large, [fault], kinds(1 + large), late if fault == "late marker" else ALL_DIFFER)

    return draw


def any_of(faults: list[str], words: int, start: str = ALL_DIFFER, first: tuple[str, ...] = ()) -> Callable:
    """One of `faults`, `words` or more of any kind, and before them those of the kinds `first`."""
    return lambda rng, size: observations(rng, size, faults, [*first, *["anything"] * (words + size // 4)], start)
