"""A walk-through with k = 2 as a toy translator: "he hit me with a pie", with sums made up as in lecture 06."""

import math

from course_lib.search.table import TableModel
from course_lib.subwords.word_level import Words
from course_lib.translator import Translator

SUMS = {  # words so far -> the two likeliest that may follow -> Σ log p
    "": {"he": -0.7, "I": -0.9},
    "he": {"hit": -1.7, "struck": -2.9},
    "I": {"was": -1.6, "got": -1.8},
    "he hit": {"a": -2.8, "me": -2.5},
    "I was": {"hit": -2.9, "struck": -3.8},
    "he hit a": {"tart": -4.0, "pie": -3.4},
    "he hit me": {"with": -3.3, "on": -3.5},
    "he hit a pie": {"in": -4.5, "with": -4.8},
    "he hit me with": {"a": -3.74, "one": -4.34},
    "he hit me with a": {"pie": -4.3, "tart": -4.6},
    "he hit me with one": {"pie": -5.0, "tart": -5.3},
}


def pie() -> Translator:
    """Translates any sentence so."""
    total = {f"{before} {word}".strip(): s for before, following in SUMS.items() for word, s in following.items()}
    table = {
        before: {word: math.exp(s - total.get(before, 0.0)) for word, s in following.items()}
        for before, following in SUMS.items()
    }
    model = TableModel(table, others=80)  # they share what is left of each probability
    return Translator(model, Words(model.vocabulary.id_to_piece[4:]), model.vocabulary)
