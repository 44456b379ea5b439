"""A run of `nbgrader autograde` over attacks, with an honest student before and one behind them."""

import json
import os
import re
import select
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import nbformat

from course_lib.grading.cells import grade_id
from course_lib.grading.tasks import problem_set

from ..course import BIN, ROOT, Course
from ..sample_class import id_, read_by_a_person, solved, worked
from .attack import Attack

BEFORE, AFTER = "aa-honest", "zz-honest"  # graded first and last
LEAK = "LEAK"
FEW = ("learn_merges", "apply_merges")  # tasks of ps1: the one that attacks fill, and one that they could harm


@dataclass(frozen=True)
class Outcome:
    """What came of one submission: its points if it was graded, and all text of the graded notebook."""

    points: float | None
    text: str


@dataclass(frozen=True)
class Run:
    """A whole run: how it ended, what it logged, and the outcome of every student."""

    course: Course
    code: int
    log: str
    seconds: float
    outcomes: dict[str, Outcome]
    full: float  # what honest work deserves
    reached: bool  # whether something in a sandbox called a socket of this machine

    def gained(self, attack: Attack) -> float | None:
        """Points beyond those that the attack's submission deserves; None if it was not graded at all."""
        points = self.outcomes[attack.author].points if attack.author in self.outcomes else None
        return None if points is None else points - min(attack.deserves, self.full)

    def ran(self, attack: Attack) -> bool:
        """Whether the graded notebook shows that the attack was really made."""
        return re.search(attack.shows, self.outcomes[attack.author].text) is not None


def released(course: Course, name: str = "ps1") -> nbformat.NotebookNode:
    """The notebook that students of `course` receive."""
    return nbformat.read(course.folder / f"assignments/{name}/{name}.ipynb", 4)


def honest(course: Course, name: str = "ps1") -> nbformat.NotebookNode:
    """The released notebook with a right solution of every task."""
    there = {id_(cell) for cell in released(course, name).cells}
    right = {cell: source for cell, source in solved(problem_set(name), f"{name}.loops").items() if cell in there}
    return worked(course.folder / f"assignments/{name}/{name}.ipynb", right)


def deserved(course: Course, name: str = "ps1") -> float:
    """What an honest student earns without the questions that a person grades."""
    cells = [cell for cell in released(course, name).cells if not read_by_a_person(cell)]
    return float(sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in cells))


def prepare(folder: Path, name: str = "ps1", tasks: tuple[str, ...] = ()) -> Course:
    """A course with a released problem set, or some of its tasks, and two honest submissions."""
    course = Course.create(folder)
    if tasks:
        shorten(folder / "solutions" / name / f"{name}.ipynb", name, tasks)
    course.nbgrader("generate_assignment", name)
    for student in (BEFORE, AFTER):
        target = folder / "submitted" / student / name
        target.mkdir(parents=True)
        nbformat.write(honest(course, name), target / f"{name}.ipynb")
    return course


def shorten(source: Path, name: str, tasks: tuple[str, ...]) -> None:
    """Leave the cells of these tasks alone in the notebook at `source`, and all that is of no task."""
    others = {grade_id(task) for task in problem_set(name).tasks if task.name.partition(".")[2] not in tasks}
    notebook = nbformat.read(source, 4)
    notebook.cells = [cell for cell in notebook.cells if id_(cell).partition("__")[0] not in others]
    nbformat.write(notebook, source)


def copied(course: Course, folder: Path, limits: dict[str, float]) -> Course:
    """The prepared `course` once more, with other limits than usual."""
    shutil.copytree(course.folder, folder)
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.IsolatedExecute.limits = {limits!r}\n")
    return Course(folder)


def grade(course: Course, attacks: tuple[Attack, ...], name: str = "ps1") -> Run:
    """Hand in `attacks`, and grade everybody in one run; a bait on the network says whether anybody reached it."""
    abstract = f"course-{os.getpid()}-{time.monotonic_ns()}"
    command = [str(BIN / "nbgrader"), "autograde", name]
    with socket.create_server(("127.0.0.1", 0)) as bait, socket.socket(socket.AF_UNIX) as other:
        other.bind("\0" + abstract)
        other.listen()
        facts = {
            "@PORT@": str(bait.getsockname()[1]),
            "@ABSTRACT@": abstract,
            "@COURSE@": str(course.folder),
            "@PROJECT@": str(ROOT),
        }
        for attack in attacks:
            notebook = honest(course, name) if attack.deserves else released(course, name)
            attack.hand_in(course.folder / "submitted" / attack.author / name, notebook, facts)
        began = time.monotonic()
        done = subprocess.run(
            command,
            cwd=course.folder,
            env=course.environment,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=900,
        )
        caught = bool(select.select([bait, other], [], [], 0)[0])
    return Run(
        course,
        done.returncode,
        done.stdout + done.stderr,
        time.monotonic() - began,
        outcomes(course, name),
        deserved(course, name),
        caught,
    )


def outcomes(course: Course, name: str = "ps1") -> dict[str, Outcome]:
    """The outcome of every student of whom the gradebook knows."""
    return {
        student: Outcome(
            None
            if any(g.auto is None and not g.waiting for g in grades.values())
            else sum(g.score for g in grades.values()),
            text(course.folder / "autograded" / student / name / f"{name}.ipynb"),
        )
        for student, grades in course.grades(name).items()
    }


def text(path: Path) -> str:
    """Sources of text cells, and all outputs, of a graded notebook."""
    if not path.is_file():
        return ""
    parts = []
    for cell in nbformat.read(path, 4).cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
        for output in cell.get("outputs", ()):
            parts += [str(output.get(key, "")) for key in ("text", "ename", "evalue")]
            parts.append(json.dumps(output.get("data", {})))
    return "\n".join(parts)
