"""How long a lecture takes: counted from its words, code, questions and exercises, never guessed."""

import re
from dataclasses import dataclass

import nbformat

WORDS = 150  # words of prose in a minute: a technical text in a second language
LINES = 15  # lines of code in a minute, where they stand open
QUESTION = 0.5  # minutes for a prediction
EXERCISES = {1: 5, 2: 10, 3: 20}  # minutes for one, by its stars
FOLDED = re.compile(r"<details[^>]*><summary>(?!Show the answer<).*?</details>", re.DOTALL)
GUESS = re.compile(r"predict\(.*\)")  # the cell of a guess box
NO_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|<[^<>]*>|^\[[^\]]+\]: \S+$|[|#*`>\-]", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Minutes:
    """Minutes to read: `must` for the sections, `may` for the exercises and what is folded."""

    must: float
    may: float


def minutes(notebook: nbformat.NotebookNode) -> Minutes:
    """words / 150 + open lines of code / 15 + predictions / 2; an exercise has 5, 10 or 20 by its stars.

    A formula counts as a word. What stands behind the heading "Exercises", and what a reader has to open, is `may`.
    """
    must, may, exercises = 0.0, 0.0, False
    for cell in notebook.cells:
        if cell.cell_type == "code":
            folded = cell.metadata.get("jupyter", {}).get("source_hidden") or GUESS.fullmatch(cell.source)
            spent = 0.0 if folded else len(cell.source.splitlines()) / LINES
        else:
            if re.search(r"(?m)^## (?:\d+ · )?(?:Exercises|Summary|What to keep)$", cell.source):
                exercises = "Exercises" in cell.source
            opened = FOLDED.sub("", cell.source)
            may += (_words(cell.source) - _words(opened)) / WORDS
            stars = re.findall(r"(?m)^### (★+)", opened)
            may += sum(EXERCISES[len(each)] for each in stars)
            spent = _words(opened) / WORDS + opened.count("**Predict.**") * QUESTION
        if exercises:
            may += spent
        else:
            must += spent
    return Minutes(must, may)


def _words(text: str) -> int:
    return len(NO_WORDS.sub(lambda found: " x " if found[0].startswith("$") else " ", text).split())


def told(spent: float) -> str:
    """Minutes as a page says them: "25 min", in fives, and hours from two on: "2½ h"."""
    fives = max(5, 5 * round(spent / 5))
    if fives < 120:
        return f"{fives} min"
    halves = round(spent / 30)
    return f"{halves // 2}{'½' if halves % 2 else ''} h"
