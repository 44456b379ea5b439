"""Grading: `check` for students, on public cases; `grade` for the grader, on secret ones.

check("ps1.learn_merges", learn_merges)            a table of every criterion
check("ps1.learn_merges", "counts", learn_merges)  one criterion, as in the test cells
grade("ps1.learn_merges", "counts", learn_merges)  the score; its repr is the number nbgrader reads

task.py         what a task is, as data; declare.py: how one is written; cases/: tools to draw its cases
faults.py       how a task that asks for a diagnosis is written
registry.py     the problem sets by name; seeds.py: which cases are drawn, for students and for grades
engine.py       what a function earns on a criterion; trial.py: what came of each case; compare.py: where it is wrong
diagnosis.py    which mistake explains it all; verdict.py: what is told, and how it looks
cells.py        the test cells of a notebook
boundary/       a student's function as the engine calls it, through data alone
isolation/      two kernels and the sandbox; nbgrader_hooks/: what nbgrader calls
report/         what a class understood, on a page; similarity/: pairs whose code is alike
hub/            the course on JupyterHub: its configuration
marks/          marks into the table of Moodle or Canvas
"""

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import course_lib
from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import Student, local
from course_lib.grading.engine import examine
from course_lib.grading.registry import problem_set
from course_lib.grading.task import Criterion, ProblemSet, Task
from course_lib.grading.verdict import Verdict, table

__all__ = ["Verdicts", "Verdict", "check", "grade", "release"]


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of every criterion of a task. `arguments` are those of the first case that fails: try it again."""

    title: str
    verdicts: tuple[Verdict, ...]

    @property
    def arguments(self) -> tuple | None:
        return next((verdict.arguments for verdict in self.verdicts if not verdict.passed), None)

    def __repr__(self) -> str:
        lines = [
            f"{'✓' if v.passed else '✗'} {v.criterion:<20} {v.points:g}/{v.of:g}  {v.message}" for v in self.verdicts
        ]
        hints = dict.fromkeys(f"Hint: {v.hint}" for v in self.verdicts if v.hint and not v.passed)
        return "\n".join([self.title, *lines, *hints])

    def _repr_html_(self) -> str:
        return table(self.title, self.verdicts)


def check(task: str, criterion: str | Callable, function: Any = None) -> Verdict | Verdicts:
    """Try `function` on the visible cases of one criterion, or of all if none is named.

    `check(…).arguments` are the arguments of the case that failed. Raises ValueError for a task or criterion that does
    not exist.
    """
    found = _problem_set(task).task(task)
    if not isinstance(criterion, str):
        student = local(criterion)
        return Verdicts(found.title, tuple(_check(found, each, student) for each in found.criteria))
    verdict = _check(found, found.criterion(criterion), local(function))
    if "NBGRADER_VALIDATING" in os.environ and not verdict.passed:  # Validate shows of a test what it writes to stderr
        print("\n".join(filter(None, (verdict.says, verdict.message, verdict.case, verdict.hint))), file=sys.stderr)
    return verdict


def _check(task: Task, criterion: Criterion, student: Student) -> Verdict:
    return examine(task, criterion, student, seeds.PUBLIC, visible=True)


def grade(task: str, criterion: str, function: Any) -> Verdict:
    """The score of `function` on hidden cases; raises as `check`, and RuntimeError where there is no secret."""
    found = _problem_set(task).task(task)
    chosen, secret = found.criterion(criterion), seeds.secret()
    return replace(examine(found, chosen, local(function), secret), seed=seeds.fingerprint(secret))


def release(name: str, number: int) -> None:
    """Say which course and release this notebook is, and whether the course has a newer one."""
    current = _problem_set(name)
    print(f"{current.title} ({name}, release {number}), course {course_lib.__version__}")
    if number != current.release:
        print(
            f"This notebook is release {number}, the course installed here has release {current.release}: "
            f"take the {'newer notebook' if number < current.release else 'newer course'}. What you wrote stays yours."
        )


def _problem_set(name: str) -> ProblemSet:
    return problem_set(name.partition(".")[0])
