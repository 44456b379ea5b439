"""A run of `nbgrader autograde` over attacks, with an honest student before and one behind them."""

import contextlib
import json
import os
import re
import select
import shutil
import socket
import subprocess
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import nbformat

from course_lib.grading.cells import grade_id
from course_lib.grading.registry import problem_set

from ..course import BIN, ROOT, Course
from ..sample_class import id_, read_by_a_person, solved, worked
from . import RUNS
from .attack import Attack, save

BEFORE, AFTER = "aa-honest", "zz-honest"  # graded first and last
LEAK = "LEAK"
AT_ONCE = 4  # runs beside each other
FEW = ("learn_merges", "apply_merges")  # tasks of ps1: the one that attacks fill, and one that they could harm


@dataclass(frozen=True)
class Outcome:
    """What came of one submission: its points if it was graded, and what the graded notebook says and shows."""

    points: float | None
    sources: str  # of its text cells, where a message of ours stands
    shown: str  # all outputs

    @property
    def text(self) -> str:
        return f"{self.sources}\n{self.shown}"


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
        if attack.waits:
            return f"The submission of {attack.author!r} waits" in self.log
        return re.search(attack.shows, self.outcomes[attack.author].text) is not None

    @property
    def memory_mb(self) -> int:
        """The most memory that nbgrader's own process had, or one of those that graded for it."""
        own = int(re.findall(r"^Most memory: (\d+) kB", self.log, re.MULTILINE)[-1]) >> 10
        logs = [path.read_text() for path in self.course.folder.glob("logs/*/ps1.log")]
        return max(own, *(int(found) for log in logs for found in re.findall(r"which had (\d+) MB at most", log)))


def released(course: Course) -> nbformat.NotebookNode:
    """The notebook that students of `course` receive."""
    return nbformat.read(course.folder / "assignments/ps1/ps1.ipynb", 4)


def honest(course: Course) -> nbformat.NotebookNode:
    """The released notebook with a right solution of every task."""
    return filled_in(course, "ps1.loops")


def filled_in(course: Course, solutions: str) -> nbformat.NotebookNode:
    """The released notebook with the functions of tests/problem_sets/<solutions>.py in those tasks that it has."""
    there = {id_(cell) for cell in released(course).cells}
    fitting = {cell: source for cell, source in solved(problem_set("ps1"), solutions).items() if cell in there}
    return worked(course.folder / "assignments/ps1/ps1.ipynb", fitting)


def deserved(course: Course) -> float:
    """What an honest student earns without the questions that a person grades."""
    cells = [cell for cell in released(course).cells if not read_by_a_person(cell)]
    return float(sum(cell.metadata.get("nbgrader", {}).get("points", 0) for cell in cells))


def prepare(folder: Path, tasks: tuple[str, ...] = ()) -> Course:
    """A course with problem set 1 released, or some of its tasks, and two honest submissions."""
    course = Course.create(folder)
    if tasks:
        shorten(course, tasks)
    course.nbgrader("generate_assignment", "ps1")
    for student in (BEFORE, AFTER):
        save(folder / "submitted" / student / "ps1", honest(course))
    return course


def shorten(course: Course, tasks: tuple[str, ...]) -> None:
    """Leave in problem set 1, before it is released, the cells of these tasks alone, and all that is of no task."""
    source = course.folder / "solutions/ps1/ps1.ipynb"
    others = {grade_id(task) for task in problem_set("ps1").tasks if task.name.partition(".")[2] not in tasks}
    notebook = nbformat.read(source, 4)
    notebook.cells = [cell for cell in notebook.cells if id_(cell).partition("__")[0] not in others]
    nbformat.write(notebook, source)


def copied(course: Course, folder: Path, limits: dict[str, float]) -> Course:
    """The prepared `course` once more, with other limits than usual."""
    shutil.copytree(course.folder, folder)
    with (folder / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.IsolatedExecute.limits = {limits!r}\n{MEMORY}")
    return Course(folder)


MEMORY = """
import atexit, re, sys
most = lambda: re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1]
atexit.register(lambda: print("Most memory:", most(), "kB", file=sys.stderr))
"""


@contextlib.contextmanager
def beside_each_other(prepared: Course, names: Iterable[str], folder: Path) -> Iterator[dict[str, Future[Run]]]:
    """The graded runs of these names, begun together in copies of `prepared`: most of their time they wait for limits.

    A run is a process of its own in a course of its own: what holds of one beside another holds of one alone.
    """
    pool = ThreadPoolExecutor(AT_ONCE)
    begun = {}
    for name in names:
        course = copied(prepared, folder / name / "course", RUNS[name].LIMITS)
        begun[name] = pool.submit(grade, course, RUNS[name].ATTACKS)
    try:
        yield begun
    finally:
        pool.shutdown(cancel_futures=True)


def grade(course: Course, attacks: tuple[Attack, ...]) -> Run:
    """Hand in `attacks`, and grade everybody in one run; a bait on the network says whether anybody reached it."""
    abstract = f"course-{os.getpid()}-{time.monotonic_ns()}"
    command = [str(BIN / "nbgrader"), "autograde", "ps1"]
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
            notebook = honest(course) if attack.deserves else released(course)
            attack.hand_in(course.folder / "submitted" / attack.author / "ps1", notebook, facts)
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
        outcomes(course),
        deserved(course),
        caught,
    )


def outcomes(course: Course) -> dict[str, Outcome]:
    """The outcome of every student of whom the gradebook knows."""
    return {
        student: Outcome(
            None
            if any(g.auto is None and not g.waiting for g in grades.values())
            else sum(g.score for g in grades.values()),
            *texts(course.folder / "autograded" / student / "ps1/ps1.ipynb"),
        )
        for student, grades in course.grades("ps1").items()
    }


def texts(path: Path) -> tuple[str, str]:
    """Sources of the text cells, and all outputs, of a graded notebook."""
    if not path.is_file():
        return "", ""
    cells = nbformat.read(path, 4).cells
    shown = []
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        shown += [str(output.get(key, "")) for key in ("text", "ename", "evalue")]
        shown.append(json.dumps(output.get("data", {})))
    return "\n".join(cell.source for cell in cells if cell.cell_type == "markdown"), "\n".join(shown)
