"""The k = 2 walk-through of "he hit me with a pie" as a toy translator; to one decimal its sums are the slides'."""

import math

from course_lib.subwords import Vocabulary
from course_lib.subwords.word_level import Words
from course_lib.translator import Translator
from tests.toy import ToyModel

SUMS = {  # words so far -> the two likeliest that may follow -> Σ log p
    "": {"he": -0.7, "I": -0.9},
    "he": {"hit": -1.7, "struck": -2.9},
    "I": {"was": -1.6, "got": -1.8},
    "he hit": {"a": -2.8, "me": -2.5},
    "I was": {"hit": -2.9, "struck": -3.8},
    "he hit a": {"tart": -4.0, "pie": -3.4},
    "he hit me": {"with": -3.3, "on": -3.5},
    "he hit a pie": {"in": -4.3, "with": -4.5},
    "he hit me with": {"a": -3.74, "one": -4.34},
    "he hit me with a": {"pie": -4.3, "tart": -4.6},
    "he hit me with one": {"pie": -5.0, "tart": -5.3},
}
OTHERS = [f"other{n}" for n in range(80)]  # words that share what is left of each probability


def pie() -> Translator:
    """Translates any sentence so."""
    words = sorted({word for following in SUMS.values() for word in following}) + OTHERS
    vocabulary = Vocabulary(words)
    total = {f"{before} {word}".strip(): s for before, following in SUMS.items() for word, s in following.items()}
    table = {}
    for before, following in SUMS.items():
        p = {vocabulary.piece_to_id[word]: math.exp(s - total.get(before, 0.0)) for word, s in following.items()}
        left = (1 - sum(p.values())) / len(OTHERS)
        table[tuple(vocabulary.ids(before.split()))] = p | {vocabulary.piece_to_id[word]: left for word in OTHERS}
    return Translator(ToyModel([table], len(vocabulary)), Words(words), vocabulary)
