"""An attack is a submission that tries to gain points, or to cost others theirs."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

FULL = math.inf  # what honest work on everything deserves
TASK = "ps1_learn_merges"  # the solution cell that attacks fill


@dataclass(frozen=True)
class Attack:
    """What one student hands in: the released notebook with `source` in a solution cell, or whatever `write` writes of it.

    `shows` is a pattern that the graded notebook's text matches if the attack really ran; a line with LEAK in it says
    that it succeeded. What `deserves` FULL is made of an honest solution.
    """

    name: str
    tries: str
    limit: str  # what keeps it from succeeding
    source: str = ""
    write: Callable[[Path, nbformat.NotebookNode], None] | None = None
    shows: str = r"\bran\b"
    deserves: float = 0.0
    student: str = ""
    task: str = TASK
    waits: bool = False  # nobody can be graded so: the run says it, and goes on

    @property
    def author(self) -> str:
        """The student who hands it in."""
        return self.student or self.name.replace(" ", "-")

    def hand_in(self, folder: Path, released: nbformat.NotebookNode, facts: dict[str, str]) -> None:
        """Write the submission to `folder`, submitted/<student>/<set>; `facts` {"@NAME@": …} are filled into the source."""
        if self.write:
            self.write(folder, released)
            return
        source = reduce(lambda text, fact: text.replace(*fact), facts.items(), self.source.strip())
        source += "\nprint('ran')" if self.shows == Attack.shows else ""
        save(folder, filled(released, source, self.task), folder.name)


def filled(notebook: nbformat.NotebookNode, source: str, task: str = TASK) -> nbformat.NotebookNode:
    """`notebook` with `source` in the solution cell of `task`."""
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == task:
            cell.source = source
    return notebook


def first(notebook: nbformat.NotebookNode, *sources: str) -> nbformat.NotebookNode:
    """`notebook` with cells of the student's own before all others."""
    notebook.cells[:0] = [new_code_cell(source, id=f"mine-{n}") for n, source in enumerate(sources)]
    return notebook


def behind(notebook: nbformat.NotebookNode, source: str, task: str = TASK) -> nbformat.NotebookNode:
    """`notebook` with a cell of the student's own behind the first test of `task`."""
    ids = [cell.metadata.get("nbgrader", {}).get("grade_id", "") for cell in notebook.cells]
    at = next(n for n, name in enumerate(ids) if name.startswith(f"{task}__"))
    notebook.cells.insert(at + 1, new_code_cell(source, id="mine-behind"))
    return notebook


def save(folder: Path, notebook: nbformat.NotebookNode, name: str = "ps1") -> None:
    """Write `notebook` as a file of the submission, valid or not."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
