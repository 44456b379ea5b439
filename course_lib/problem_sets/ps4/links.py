"""Links between words from attention between pieces, and words in pieces with attention between them."""

from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import torch
from torch import Tensor

END, EOS = "</w>", "<eos>"
Links = set[tuple[int, int]]  # (j, i): source word j, target word i, counted from 0
CLEAR = 0.02  # by how much the largest part is larger than any other: no way to add decides


def spans(pieces: list[str]) -> list[range]:
    """The places of each word's pieces; "<eos>" is none."""
    found, first = [], 0
    for place, piece in enumerate(pieces):
        if piece.endswith(END):
            found.append(range(first, place + 1))
            first = place + 1
    return found


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def table(
    weights: Tensor, source: list[str], target: list[str], to: Callable = sum, of: Callable = mean
) -> list[list[float]]:
    """Of each target word: how much goes to each source word, and, last of all, to "<eos>"."""
    places = [*spans(source), range(len(source) - 1, len(source))]
    rows = [[to([row[j] for j in place]) for place in places] for row in weights.double().tolist()]
    return [[of([rows[i][k] for i in span]) for k in range(len(places))] for span in spans(target)]


def chosen(rows: list[list[float]]) -> Links:
    """Each row's largest place, unless it is the last."""
    best = [max(range(len(row)), key=row.__getitem__) for row in rows]
    return {(j, i) for i, j in enumerate(best) if j < len(rows[i]) - 1}


def clear(weights: Tensor, source: list[str], target: list[str]) -> bool:
    """Whether every target word's choice, and every piece's, is beyond doubt."""
    rows = [*table(weights, source, target), *table(weights, source, [END] * len(target))]
    return all(first - second > CLEAR for first, second in (sorted(row, reverse=True)[:2] for row in rows))


SYLLABLES = ["".join(letters) for letters in product("bdklmnt", "aeiou", ("", "n", "nst"))]


def spelled(rng: Random, words: int, pieces: int, short: bool = False, twice: bool = False) -> list[str]:
    """So many words in so many pieces, then "<eos>"; if `short`, every second one ends with one letter.

    No piece comes twice; if `twice`, of three words or more, a word stands in the place of another one, too: a short
    one in that of a short one.
    """
    sizes = [1] * words
    for _ in range(pieces - words):
        sizes[rng.randrange(words)] += 1
    syllables, vowels = rng.sample(SYLLABLES, pieces), rng.sample("aeiou", 5)
    ends = {sum(sizes[: word + 1]) - 1 for word in range(words)}
    cut = sorted(ends)[rng.randrange(2) :: 2] if short else []
    letters = [vowels.pop() if place in cut else each for place, each in enumerate(syllables)]
    whole = [each + END * (place in ends) for place, each in enumerate(letters)]
    if twice:
        alike = [[span for span in spans(whole) if (span[-1] in cut) == short] for short in (True, False)]
        one, other = rng.sample(rng.choice([each for each in alike if len(each) > 1]), 2)
        whole[other.start : other.stop] = whole[one.start : one.stop]
    return [*whole, EOS]


def attention(rng: Random, target: list[str], source: list[str], eos: float) -> Tensor:
    """Weights whose rows add to 1; "<eos>" gets `eos` times as much as a piece."""
    rows = torch.tensor([[rng.expovariate(1) ** 2 + 0.01 for _ in source] for _ in target])
    rows[:, -1] *= eos
    return rows / rows.sum(1, keepdim=True)
