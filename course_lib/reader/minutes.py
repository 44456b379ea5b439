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
NO_BREAK = "\u00a0"  # between a number and its unit
MAY = re.compile(r"^## (\d+ · )?Exercises$|\(\*may\*\)$")  # the heading of what can be left out
NO_WORDS = re.compile(r"\$\$.*?\$\$|\$[^$]*\$|<[^<>]*>|^\[[^\]]+\]: \S+$|[|#*`>\-]", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Minutes:
    """Minutes to read: `must` for the sections, `may` for those marked so, the exercises and what is folded."""

    must: float
    may: float


def minutes(notebook: nbformat.NotebookNode) -> Minutes:
    """words / 150 + open lines of code / 15 + predictions / 2; an exercise has 5, 10 or 20 by its stars.

    A formula counts as a word. `may` is what a reader has to open, what stands below the heading "Exercises", and what
    stands below a heading that is marked (*may*): both up to the next heading that is not lower.
    """
    must, may, level = 0.0, 0.0, 0  # the level of the heading whose section can be left out, 0 for none

    def count(spent: float) -> None:
        nonlocal must, may
        if level:
            may += spent
        else:
            must += spent

    for cell in notebook.cells:
        if cell.cell_type == "code":
            folded = cell.metadata.get("jupyter", {}).get("source_hidden") or GUESS.fullmatch(cell.source)
            count(0.0 if folded else len(cell.source.splitlines()) / LINES)
            continue
        opened = FOLDED.sub("", cell.source)
        may += (_words(cell.source) - _words(opened)) / WORDS
        for part in re.split(r"(?m)^(?=##+ )", opened):
            if heading := re.match(r"##+", part):
                level = left_out(part.partition("\n")[0], len(heading[0]), level)
            may += sum(EXERCISES[len(stars)] for stars in re.findall(r"(?m)^### (★+)", part))
            count(_words(part) / WORDS + part.count("**Predict.**") * QUESTION)
    return Minutes(must, may)


def left_out(heading: str, level: int, above: int) -> int:
    """The level of the heading whose section can be left out, below this `heading`; `above` is the one before it."""
    if 0 < above < level:
        return above
    return level if MAY.search(heading) else 0


def _words(text: str) -> int:
    return len(NO_WORDS.sub(lambda found: " x " if found[0].startswith("$") else " ", text).split())


def told(spent: float) -> str:
    """Minutes as a page says them: "25 min", in fives, and hours from two on: "2½ h"; no line ends within."""
    fives = max(5, 5 * round(spent / 5))
    if fives < 120:
        return f"{fives}{NO_BREAK}min"
    halves = round(spent / 30)
    return f"{halves // 2}{'½' if halves % 2 else ''}{NO_BREAK}h"
