"""Names to copy: a short list of first names, and an open list of rare ones put together from syllables."""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b

from course_lib.corpora.grammar.lexicon import rows

FIRST = tuple((row["name"], row["gender"]) for row in rows("names"))
STARTS = (
    "Bel Bor Cal Dar Del Dor Fal Fen Gar Gol Kar Kel Kor Lam Lor Mar Mel Mor Nar Nel Pel Per Ral Ros Sal Sel Tal Tor"
)
MIDDLES = "ba be bi bo da de di do ka ke ki ko ma me mi mo na ne ni no ta te ti to va ve vi vo"
ENDS = "dal den din dor ger kas lan len lin mar mer mond nau nik ras rin ros sen stein tan ten tor val vik wald"


@cache
def held_out(name: str) -> bool:
    """Whether a rare name is kept for the split `names`: one in five."""
    return blake2b(name.encode(), digest_size=2).digest()[0] % 5 == 0


def rare(random: Callable[[], float], held: bool) -> str:
    """A rare name, of those held out or of the others."""
    while True:
        name = "".join(part[int(random() * len(part))] for part in (_STARTS, _MIDDLES, _ENDS))
        if held_out(name) == held:
            return name


_STARTS, _MIDDLES, _ENDS = STARTS.split(), MIDDLES.split(), ENDS.split()
