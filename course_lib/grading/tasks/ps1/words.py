"""Random dictionaries for the cases of problem set 1: small, readable, and isolating one mechanism at a time."""

from collections.abc import Callable
from random import Random

LETTERS = "abdeiklmnorst"


def word(rng: Random, length: int, letters: int, repeats: bool) -> str:
    """A word of `length` of the first `letters` letters; none occurs twice unless `repeats`."""
    return "".join(rng.choices(LETTERS[:letters], k=length) if repeats else rng.sample(LETTERS[:letters], length))


def dictionary(
    rng: Random, words: int, lengths: tuple[int, int], letters: int = 6, frequencies: tuple[int, int] = (1, 20), repeats: bool = False
) -> dict[str, int]:
    """`words` different words with frequencies, lengths and frequencies drawn between the bounds given."""
    found: dict[str, int] = {}
    while len(found) < words:
        found.setdefault(word(rng, rng.randint(*lengths), letters, repeats), rng.randint(*frequencies))
    return found


def until(draw: Callable[[], tuple], fits: Callable[..., bool], tries: int = 20_000) -> tuple:
    """Draw until `fits(*drawn)`; raises RuntimeError if that never happens, for then a criterion has no cases."""
    for _ in range(tries):
        drawn = draw()
        if fits(*drawn):
            return drawn
    raise RuntimeError(f"no case fits after {tries} draws")


def said(entries: dict[str, int], merges: int) -> str:
    """A learning case in words."""
    return f"a dictionary of {len(entries)} word{'s' * (len(entries) != 1)}, {merges} merge{'s' * (merges != 1)}"
