"""How far a reader has come, read from the reader's own notebooks: cells that were run, points that tests gave."""

import html
import os
from dataclasses import dataclass
from pathlib import Path

import nbformat

from course_lib.reader import record
from course_lib.reader.contents import Lecture, lectures

VERDICT = "application/vnd.course.verdict+json"  # what a test cell of a problem set shows
SIDE = 'style="text-align: left; white-space: nowrap"'


@dataclass(frozen=True)
class Share:
    """So much `done`, `of` so much."""

    done: float
    of: float


def run(notebook: nbformat.NotebookNode) -> Share:
    """The code cells that were run, of those that stand open: setup and solutions do not count."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    shown = [cell for cell in cells if not cell.metadata.get("jupyter", {}).get("source_hidden")]
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
    return Share(sum(each["points"] for each in told), sum(cell.metadata.nbgrader.points for cell in tests))


class Progress:
    """`Progress()` in a notebook of lectures/: a table of all lectures and problem sets, and with what to go on.

    The most that was ever reached is kept in my_course.json: a lecture may be cleared. `folder` is lectures/.
    """

    def __init__(self, folder: Path | None = None):
        folder = folder or Path.cwd()
        self.lectures = lectures()
        kept = record.load("reached", folder)
        self.shares: dict[str, Share] = {}
        for each in self.lectures:
            self._measure(folder.parent / each.path, each.number, run, kept)
            if each.problem_set:
                self._measure(folder.parent / each.problem_set.path, each.problem_set.name, earned, kept)
        reached = {name: share.done for name, share in self.shares.items() if share.done > kept.get(name, 0)}
        if reached:
            record.keep("reached", reached, folder)

    def _measure(self, path: Path, name: str, measure, kept: dict) -> None:
        try:
            now = measure(nbformat.read(path, 4))
        except (OSError, ValueError, KeyError, AttributeError):
            return  # moved, renamed or broken: it is the reader's own
        self.shares[name] = Share(min(max(now.done, kept.get(name, 0)), now.of), now.of)

    @property
    def next(self) -> Lecture | None:
        """The first lecture of which cells are left to run; None at the end."""
        left = [each for each in self.lectures if (share := self.shares.get(each.number)) and share.done < share.of]
        return left[0] if left else None

    def __repr__(self) -> str:
        rows = [(each.number, each.title, *self._told(each)) for each in self.lectures]
        return "\n".join(" | ".join(filter(None, row)) for row in rows)

    def _told(self, lecture: Lecture) -> tuple[str, str]:
        own, its_set = (
            self.shares.get(lecture.number),
            lecture.problem_set and self.shares.get(lecture.problem_set.name),
        )
        return (
            f"{own.done:g} of {own.of:g} cells run" if own else "",
            f"{its_set.done:g} of {its_set.of:g} points" if its_set else "",
        )

    def _repr_html_(self) -> str:
        head = "".join(f'<th scope="col" {SIDE}>{name}</th>' for name in ("lecture", "cells run", "problem set"))
        body = "".join(f"<tr>{self._row(each)}</tr>" for each in self.lectures)
        on = (
            f"Go on with {_link(self.next.path, f'{self.next.number} {self.next.title}')}."
            if self.next
            else "All is run."
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{on}</p>"

    def _row(self, lecture: Lecture) -> str:
        cells = [_link(lecture.path, f"{lecture.number} {lecture.title}")]
        its_set, (run_told, points_told) = lecture.problem_set, self._told(lecture)
        cells.append(_bar(self.shares.get(lecture.number), run_told))
        its_own = its_set and f"{_link(its_set.path, its_set.name)} {_bar(self.shares.get(its_set.name), points_told)}"
        return "".join(f"<td {SIDE}>{cell or ''}</td>" for cell in [*cells, its_own])


def _link(path: str, words: str) -> str:
    return f'<a href="{os.path.relpath(path, "lectures")}">{html.escape(words)}</a>'


def _bar(share: Share | None, told: str) -> str:
    return (
        f'<progress value="{share.done:g}" max="{share.of:g}" style="width: 5em" aria-label="{told}"></progress> {told}'
        if share
        else ""
    )
