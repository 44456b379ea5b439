"""Hypotheses with their references: random ones, and sentences of the grammar corpus with a translation's faults."""

import random
import string
from functools import cache

from hypothesis import strategies as st

from course_lib.corpora.grammar import sample

MARKS = [".", ",", "!", "'s", "(so)", "3.5", "1,000", "&amp;", "well-known", "Cat", "cat", "»", "ß", "a-", "-b", "%"]
words = st.sampled_from(["a", "b", "c", "d"])
tokens = st.lists(words, max_size=9)
references = st.lists(st.lists(words, min_size=1, max_size=9), min_size=1, max_size=3)
pairs = st.lists(st.tuples(tokens, references), min_size=1, max_size=6)


def spoilt(text: str, rng: random.Random) -> str:
    """The text with words left out, doubled, exchanged, moved or misspelt; sometimes nothing of it, or all."""
    found = text.split()
    for _ in range(rng.randrange(6)):
        k = rng.randrange(len(found)) if found else 0
        fault = rng.randrange(6)
        if fault == 0:
            del found[k : k + 1]
        elif fault == 1:
            found[k:k] = found[k : k + rng.randrange(1, 4)]
        elif fault == 2:
            found[k : k + 1] = [rng.choice(MARKS)]
        elif fault == 3:
            block, found = found[k : k + 3], found[:k] + found[k + 3 :]
            place = rng.randrange(len(found) + 1)
            found[place:place] = block
        elif fault == 4:
            found[k : k + 1] = ["".join(rng.sample(word, len(word))) for word in found[k : k + 1]]
        elif rng.random() < 0.1:
            found = []
    return " ".join(found)


@cache
def real(n: int, seed: int = 0) -> tuple[list[str], list[list[str]]]:
    """German sentences, spoilt, and all right readings."""
    rng = random.Random(seed)
    examples = sample(n, seed)
    return [spoilt(e.text("de"), rng) for e in examples], [list(e.references("en", "de")) for e in examples]


def noise(n: int, seed: int) -> tuple[list[str], list[list[str]]]:
    """Sentences of few different words, so that n-grams repeat, of all lengths from 0 on; up to 4 references."""
    rng = random.Random(seed)
    alphabet = rng.sample(MARKS, rng.randrange(2, 8)) + list(string.ascii_letters[: rng.randrange(1, 5)])

    def sentence(shortest: int) -> str:
        return " ".join(rng.choices(alphabet, k=rng.randrange(shortest, 14)))

    texts = [[sentence(1) for _ in range(rng.randrange(1, 5))] for _ in range(n)]
    return [rng.choice([sentence(0), spoilt(each[0], rng)]) for each in texts], texts
