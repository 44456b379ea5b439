"""Problem set 5, solved honestly in three styles."""

from itertools import product
from math import fsum

TOLERANCES = (1e-12, 1e-9, 1e-6, 1e-3, 0.1)  # all that a careful student could choose for float64


def summed(model: dict, words: tuple) -> float:
    """log p of the words, rounded once."""
    return fsum(model[words[:i]][word] for i, word in enumerate(words))


def summed_backwards(model: dict, words: tuple) -> float:
    """log p of the words, added from the last one on."""
    score = 0.0
    for i in reversed(range(len(words))):
        score += model[words[:i]][words[i]]
    return score


def diagnosed(add, tolerance):
    """Exercise 7: one way to add for all outputs, another one for the two that are given, compared to the last bit."""

    def diagnose(model, max_length, output, reference):
        every = [
            (*words, 0) for length in range(max_length) for words in product(range(1, len(model[()])), repeat=length)
        ]
        best, best_mean = (max(add(model, y) / len(y) ** power for y in every) for power in (0, 1))
        words, reported = output
        score, of_reference = summed(model, words), summed(model, reference)
        faults = {"score"} if abs(reported - score) > tolerance else set()
        faults |= {"search"} if best > score else set()
        if best > of_reference:
            faults.add("model" if best_mean > of_reference / len(reference) else "length")
        return faults

    return diagnose


def greedily(model, max_length):
    """Exercise 1 with the score added at the end."""
    words = ()
    while len(words) < max_length and words[-1:] != (0,):
        words += (max(range(len(model[words])), key=model[words].__getitem__),)
    return words, summed(model, words)


NUMERICS = {
    "ps5.greedy": {"fsum": greedily},
    "ps5.diagnose": {
        **{f"fsum, tolerance {each:g}": diagnosed(summed, each) for each in TOLERANCES},
        "from the last word on": diagnosed(summed_backwards, 1e-6),
    },
}
