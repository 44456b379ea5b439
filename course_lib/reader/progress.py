"""How far a reader has come, read from the reader's own notebooks: cells that were run, points that tests gave."""

import html
import posixpath
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import nbformat

from course_lib.reader import record
from course_lib.reader.contents import Lecture, lectures
from course_lib.reader.minutes import GUESS

VERDICT = "application/vnd.course.verdict+json"  # what a test cell of a problem set shows
SIDE = 'style="text-align: left; white-space: nowrap"'


@dataclass(frozen=True)
class Share:
    """So much `done`, `of` so much."""

    done: float
    of: float


def run(notebook: nbformat.NotebookNode) -> Share:
    """The code cells that were run, of those that stand open: setup, solutions and guess boxes do not count."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    hidden = [cell.metadata.get("jupyter", {}).get("source_hidden") or GUESS.fullmatch(cell.source) for cell in cells]
    shown = [cell for cell, kept_out in zip(cells, hidden, strict=True) if not kept_out]
    return Share(sum(cell.execution_count is not None for cell in shown), len(shown))


def earned(notebook: nbformat.NotebookNode) -> Share:
    """The points of a problem set's test cells on the visible cases, as they were saved."""
    tests = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "code"
        and (about := cell.metadata.get("nbgrader", {})).get("grade")
        and about.get("locked")
    ]
    told = [output.data[VERDICT] for cell in tests for output in cell.outputs if VERDICT in output.get("data", {})]
    return Share(sum(each.get("points", 0) for each in told), sum(cell.metadata.nbgrader.points for cell in tests))


class Progress:
    """`Progress()` in a notebook of lectures/: a table of all lectures and problem sets, and with what to go on.

    `shares` holds the cells run of "05", the points of "ps4"; `guesses` the predictions made of "05". The most that was
    ever reached is kept in my_course.json: a lecture may be cleared. `folder` is lectures/.
    """

    def __init__(self, folder: Path | None = None):
        folder = folder or Path.cwd()
        self.lectures = lectures()
        self.shares: dict[str, Share] = {}
        self.guesses: dict[str, Share] = {}
        kept = {name: best for name, best in record.load("reached", folder).items() if isinstance(best, (int, float))}
        made = Counter(question.partition("/")[0] for question in record.load("guesses", folder))
        for each in self.lectures:
            if notebook := _read(folder.parent / each.path):
                self.shares[each.number] = run(notebook)
                asked = sum(bool(GUESS.fullmatch(cell.source)) for cell in notebook.cells)
                self.guesses[each.number] = Share(min(made[each.number], asked), asked)
            if each.problem_set and (notebook := _read(folder.parent / each.problem_set.path)):
                self.shares[each.problem_set.name] = earned(notebook)
        new = {name: share.done for name, share in self.shares.items() if share.done > kept.get(name, 0)}
        if new:
            record.keep("reached", new, folder)
        best = kept | new
        self.shares = {name: Share(min(best.get(name, 0), share.of), share.of) for name, share in self.shares.items()}

    @property
    def next(self) -> Lecture | None:
        """The first lecture of which cells are left to run; None at the end."""
        left = [each for each in self.lectures if (share := self.shares.get(each.number)) and share.done < share.of]
        return left[0] if left else None

    def __repr__(self) -> str:
        columns = (*self._columns("{} {}").values(),)
        return "\n".join(" | ".join(filter(None, row)) for row in zip(*columns, strict=True))

    def _repr_html_(self) -> str:
        columns = self._columns('<a href="{}">{}</a>', bars=True)
        head = "".join(f'<th scope="col" {SIDE}>{name}</th>' for name in columns)
        rows = ("".join(f"<td {SIDE}>{cell}</td>" for cell in row) for row in zip(*columns.values(), strict=True))
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        lacking = [each.number for each in self.lectures if each.number not in self.shares]
        on = [f"Go on with {columns['lecture'][self.lectures.index(self.next)]}."] if self.next else []
        if lacking:
            on.append(f"Not found, or not readable: {', '.join(lacking)}.")
        told = " ".join(on) or "All is run."
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{told}</p>"

    def _columns(self, link: str, bars: bool = False) -> dict[str, list[str]]:
        """The table by columns; `link` makes one of a path and its words."""

        def to(path: str, words: str) -> str:
            return link.format(posixpath.relpath(path, "lectures"), html.escape(words))

        sets = [
            (each.problem_set, each.problem_set and self.shares.get(each.problem_set.name)) for each in self.lectures
        ]
        return {
            "lecture": [to(each.path, f"{each.number} {each.title}") for each in self.lectures],
            "cells run": [_told(self.shares.get(each.number), "cells", bars) for each in self.lectures],
            "guesses": [_told(self.guesses.get(each.number), "guesses", bars) for each in self.lectures],
            "problem set": [f"{to(s.path, s.name)} {_told(share, 'points', bars)}" if s else "" for s, share in sets],
        }


def _read(path: Path) -> nbformat.NotebookNode | None:
    """The reader's own notebook; None for one that was moved, renamed or broken."""
    try:
        notebook = nbformat.read(path, 4)
        nbformat.validate(notebook)
    except (OSError, ValueError, AttributeError, TypeError, nbformat.ValidationError):
        return None
    return notebook


def _told(share: Share | None, what: str, bar: bool) -> str:
    if not share:
        return ""
    told = f"{share.done:g} of {share.of:g} {what}"
    if not bar:
        return told
    filled = f'value="{share.done:g}" max="{share.of:g}" style="width: 4em" aria-label="{told}"'
    return f"<progress {filled}></progress> {share.done:g} of {share.of:g}"
