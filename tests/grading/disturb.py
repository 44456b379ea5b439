"""Faults of a run of autograde, made on purpose: each function runs it under one fault, and gives what it said."""

import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from course_lib.grading.nbgrader_hooks.autograde import DONE, RECEIVED

from .at_work import Grader
from .course import Course

ONE, TWO = (f"--IsolatedAutograde.workers={count}" for count in (1, 2))  # at the same time
KILLS = 3  # of autograde, one after the other, or of its workers in one run
LINES = 6  # that autograde writes into its log for a student, about
HOLDER = """
import sqlite3, sys
book = sqlite3.connect(sys.argv[1], timeout=60)
book.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


def finished(course: Course) -> list[str]:
    """Students whose grade was finished."""
    return sorted(path.parts[-3] for path in course.folder.glob(f"{RECEIVED}/*/ps1/{DONE}"))


def left(course: Course) -> int:
    """How many students are not graded yet."""
    return len(list((course.folder / "submitted").iterdir())) - len(finished(course))


def workers_killed(course: Course, rng: random.Random) -> str:
    """kill -9 of workers that have a submission"""
    moments = max(1, left(course) // 2)  # numbers of students that are done then
    grader = Grader(course, TWO)
    for done in sorted(rng.sample(range(moments), min(KILLS, moments))):
        grader.wait_until(lambda done=done: grader.done() >= done)
        grader.wait_until(grader.kill_a_worker)
    return grader.end()


def grader_killed(course: Course, rng: random.Random) -> str:
    """kill -9 of autograde, again and again"""
    ended = []
    for _ in range(min(KILLS, left(course) // 2)):
        grader, lines = Grader(course, ONE), rng.randrange(1, max(2, LINES * left(course) // 2))
        grader.wait_until(lambda grader=grader, lines=lines: grader.said().count("\n") >= lines)
        grader.process.kill()
        grader.end()
        ended.append(grader.process.returncode)
    return f"ended with {ended}"


def disk_full(course: Course, rng: random.Random) -> str:
    """a disk that becomes full at work, below the course's folder"""
    ballast, done = course.folder / "ballast", rng.randint(1, max(1, left(course) // 2))
    grader = Grader(course, ONE)
    grader.wait_until(lambda: grader.done() >= done and grader.grades())
    with ballast.open("wb", 0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass
    said = grader.end()
    ballast.unlink()
    return said


@contextmanager
def held(course: Course) -> Iterator[None]:
    """The gradebook locked by another process."""
    command = [sys.executable, "-c", HOLDER, course.folder / "gradebook.db"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "held\n"
        yield


def locked_for_a_while(course: Course, rng: random.Random) -> str:
    """another process holds the gradebook until autograde wants to write into it"""
    grader = Grader(course, TWO)
    grader.wait_until(grader.grades)
    with held(course):
        grader.wait_until(lambda: "Creating/updating student" in grader.said())
    return grader.end()


def locked(course: Course, rng: random.Random) -> str:
    """another process holds the gradebook longer than db_url lets autograde wait"""
    grader = Grader(course, ONE, f"--CourseDirectory.db_url=sqlite:///{course.folder / 'gradebook.db'}?timeout=0.1")
    grader.wait_until(grader.grades)
    with held(course):
        return grader.end()


def read_only(course: Course, rng: random.Random) -> str:
    """a gradebook that may not be written"""
    url = f"sqlite:///file:{course.folder / 'gradebook.db'}?mode=ro&uri=true"
    return Grader(course, ONE, f"--CourseDirectory.db_url={url}").end()


FAULTS = {  # what happens, and what autograde has to say, or how it has to end
    "readonly": (read_only, "The gradebook cannot be used (attempt to write a readonly database): it can be read only"),
    "locked": (locked, "The gradebook cannot be used (database is locked): another program"),
    "full": (disk_full, "The disk is full"),
    "stopped": (grader_killed, f"ended with [-{signal.SIGKILL.value}"),
    "killed": (workers_killed, "it is graded again"),
    "held": (locked_for_a_while, "students done"),
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
