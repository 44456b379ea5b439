"""`python -m tests.grading.measure.faults` prints what becomes of a class whose grading is disturbed.

    OMP_NUM_THREADS=1 python -m tests.grading.measure.faults [--students 8] [--only killed,locked] [--seed 0]

The same class is graded one at a time by `nbgrader autograde` that nothing disturbs, and then, in a course of its own,
under each fault; the fault ends, and the same command runs again. "told": autograde said what was wrong. "whole": who
had a grade after the fault had the right one, and nobody had part of one. "same": after the second run grades, comments
and all graded notebooks are those of the undisturbed run.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from shutil import rmtree

from course_lib.grading.nbgrader_hooks.autograde import DONE, RECEIVED
from course_lib.grading.nbgrader_hooks.workers import processors

from ..at_work import busy, workers
from ..attacks.attack import filled, save
from ..attacks.run import FEW, copied, filled_in, honest, prepare, released
from ..course import BIN, Course

LIMITS = {"call_seconds": 2, "cell_seconds": 6, "notebook_seconds": 40}
HOSTILE = "import os\ndef {function}(*_): os._exit(1)"
SLOW = "def {function}(*_):\n    while True: pass"
KINDS = ("honest", "wrong", "hostile", "broken", "honest", "honest", "slow", "honest", "wrong", "honest")
SMALL = 256 << 10  # bytes of disk that are left where it is full
HOLDER = """
import sqlite3, sys
book = sqlite3.connect(sys.argv[1], timeout=60)
book.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


def hand_in(course: Course, students: int, function: str) -> None:
    """A class of so many, in the proportions of KINDS; some write a `function` that does harm."""
    for number, kind in enumerate(islice(cycle(KINDS), students)):
        folder = course.folder / "submitted" / f"{number:03}-{kind}" / "ps1"
        if kind == "broken":
            folder.mkdir(parents=True)
            (folder / "ps1.ipynb").write_text("{")
            continue
        whole = {"honest": honest, "wrong": lambda course: filled_in(course, "ps1.mistakes")}.get(kind)
        source = {"hostile": HOSTILE, "slow": SLOW}.get(kind)
        save(folder, whole(course) if whole else filled(released(course), source.format(function=function)))


def state(course: Course) -> dict[str, tuple]:
    """All that a student's grade is, by student: grades, comments, the graded notebook; None for what is not there."""
    found = [course.grades("ps1"), course.comments("ps1"), course.outputs("ps1")]
    return {student: tuple(each.get(student) for each in found) for student in set().union(*found)}


class Grader:
    """`nbgrader autograde ps1`, at work."""

    def __init__(self, course: Course, *options: str) -> None:
        self.log = course.folder.with_name("log")
        with self.log.open("w") as log:
            command = [BIN / "nbgrader", "autograde", "ps1", *options]
            self.process = subprocess.Popen(
                command, cwd=course.folder, env=course.environment, stdout=log, stderr=log, start_new_session=True
            )

    def wait_until(self, happened: Callable[[], object]) -> bool:
        """Whether it happened before the grader ended."""
        while self.process.poll() is None:
            if happened():
                return True
            time.sleep(0.02)
        return False

    def busy(self) -> list[int]:
        """Its workers that have a submission."""
        return [worker.pid for worker in workers(self.process.pid) if busy(worker.pid)]

    def done(self) -> int:
        """How many students are done."""
        return self.said().count("students done")

    def said(self) -> str:
        return self.log.read_text()

    def end(self) -> str:
        """What it said, once it has ended."""
        self.process.wait(1800)
        return self.said()


def workers_killed(course: Course, rng: random.Random) -> str:
    """kill -9 of workers that have a submission, each after another number of students."""
    students = len(list((course.folder / "submitted").iterdir()))
    grader = Grader(course, f"--IsolatedAutograde.workers={max(2, processors())}")
    for done in sorted(rng.sample(range(students - 1), max(1, students // 3))):
        grader.wait_until(lambda done=done: grader.done() >= done)
        if grader.wait_until(grader.busy):
            for pid in grader.busy()[:1]:
                os.kill(pid, signal.SIGKILL)
    return grader.end()


def grader_killed(course: Course, rng: random.Random) -> str:
    """kill -9 of autograde, after some students, while it has others."""
    students = len(list((course.folder / "submitted").iterdir()))
    grader, done = Grader(course), rng.randrange(1, students - 1)
    grader.wait_until(lambda: grader.done() >= done and grader.busy())
    grader.process.kill()
    grader.end()
    return f"ended with {grader.process.returncode}"


def disk_full(course: Course, rng: random.Random) -> str:
    """A full disk for all that the course writes."""
    ballast = course.folder / "ballast"
    free = os.statvfs(course.folder).f_bavail * os.statvfs(course.folder).f_frsize
    with ballast.open("wb") as file:
        file.write(bytes(free - rng.randrange(SMALL >> 2, SMALL)))
    said = Grader(course).end()
    ballast.unlink()
    return said


@contextmanager
def held(course: Course) -> Iterator[subprocess.Popen]:
    """The gradebook locked by another process."""
    command = [sys.executable, "-c", HOLDER, course.folder / "gradebook.db"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        yield holder


def locked_for_a_while(course: Course, rng: random.Random) -> str:
    """Another process holds the gradebook until autograde wants to write into it."""
    grader = Grader(course)
    grader.wait_until(grader.busy)
    with held(course):
        grader.wait_until(lambda: "Creating/updating student" in grader.said())
    return grader.end()


def locked(course: Course, rng: random.Random) -> str:
    """Another process holds the gradebook longer than db_url lets autograde wait."""
    grader = Grader(course, f"--CourseDirectory.db_url=sqlite:///{course.folder / 'gradebook.db'}?timeout=0.1")
    grader.wait_until(grader.busy)
    with held(course):
        return grader.end()


def read_only(course: Course, rng: random.Random) -> str:
    """A gradebook that may not be written."""
    url = f"sqlite:///file:{course.folder / 'gradebook.db'}?mode=ro&uri=true"
    return Grader(course, f"--CourseDirectory.db_url={url}").end()


FAULTS = {  # what happens, and what autograde has to say
    "killed": (workers_killed, "it is graded again"),
    "stopped": (grader_killed, f"ended with -{signal.SIGKILL}"),
    "full": (disk_full, "The disk is full"),
    "held": (locked_for_a_while, "students done"),
    "locked": (locked, "The gradebook cannot be used (database is locked): another program"),
    "readonly": (read_only, "The gradebook cannot be used (attempt to write a readonly database): it can be read only"),
}


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of its own at `folder`; raises OSError where it cannot be mounted."""
    folder.mkdir(parents=True)
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder], capture_output=True, text=True)
    if done.returncode:
        raise OSError(f"no small disk can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


@dataclass(frozen=True)
class Row:
    """What became of the class under a fault: `done` students had their grade before the second run."""

    fault: str
    told: bool  # autograde said what was wrong
    whole: bool  # who had a grade had the right one, and nobody had part of one
    done: int
    same: bool  # after the second run


def whole(course: Course, undisturbed: dict[str, tuple]) -> dict[str, bool]:
    """By student who is done: whether the grade is that of the undisturbed run."""
    there = state(course)
    done = [path.parts[-3] for path in course.folder.glob(f"{RECEIVED}/*/ps1/{DONE}")]
    return {student: there.get(student) == undisturbed[student] for student in done}


def tried(prepared: Course, folder: Path, name: str, undisturbed: dict[str, tuple], rng: random.Random) -> Row:
    """The class under a fault, and once more without; raises OSError where the fault cannot be made here."""
    make, says = FAULTS[name]
    with small_disk(folder) if name == "full" else nullcontext():
        course = copied(prepared, folder / "course", LIMITS)
        told = says in make(course, rng)
        right = whole(course, undisturbed)
        halves = set() if name == "stopped" else {path.name for path in course.folder.glob("autograded/*")} - set(right)
        Grader(course).end()
        return Row(name, told, all(right.values()) and not halves, len(right), state(course) == undisturbed)


def handed_in(students: int, folder: Path, tasks: tuple[str, ...] = FEW) -> tuple[Course, dict[str, tuple]]:
    """A class that has handed in, and what becomes of it where nothing disturbs."""
    course = prepare(folder / "prepared" / "course", tasks)
    rmtree(course.folder / "submitted")
    hand_in(course, students, tasks[0])
    calm = copied(course, folder / "calm" / "course", LIMITS)
    Grader(calm, "--IsolatedAutograde.workers=1").end()
    return course, state(calm)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--students", type=int, default=8)
    parser.add_argument("--only", default=",".join(FAULTS))
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    words = {True: "yes", False: "NO"}
    with tempfile.TemporaryDirectory(prefix="course-", dir="/var/tmp") as folder:
        made, undisturbed = handed_in(chosen.students, Path(folder))
        print("| fault | told | whole | done before | same after |\n|-|-|-|-|-|")
        for name in chosen.only.split(","):
            row = tried(made, Path(folder, name), name, undisturbed, random.Random(chosen.seed))
            shown = words[row.told], words[row.whole], f"{row.done} of {chosen.students}", words[row.same]
            print("|", " | ".join((FAULTS[name][0].__doc__, *shown)), "|", flush=True)


if __name__ == "__main__":
    main()
