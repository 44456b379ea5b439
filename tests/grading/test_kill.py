"""A grader killed at any moment, again and again, and then let run to its end: everybody has the undisturbed grade."""

import os
import random
import signal
import subprocess
import time

import nbformat
import pytest

from .attacks.run import AFTER, BEFORE, copied, deserved, outcomes, released
from .course import BIN, Course
from .test_isolation import leftovers

pytestmark = pytest.mark.xdist_group("isolation-kill")
MOMENTS = (1.5, 3.0, 4.0, 5.0, 6.5)  # seconds after the start, a little more or less: reading, starting, grading


def start(course: Course) -> subprocess.Popen:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(
        [str(BIN / "nbgrader"), "autograde", "ps1"], cwd=course.folder, env=course.environment, **quiet
    )


def graders(course: Course) -> list[int]:
    """Processes whose working folder or command belongs to graders of ours: kernels and sandboxes."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as file:
                if str(course.folder).encode() in file.read():
                    found.append(int(pid))
        except OSError:
            continue
    return found


def test_killed_at_any_moment_and_started_again_grades_are_the_same(prepared, tmp_path):
    course = copied(prepared, tmp_path / "course", {})
    empty = course.folder / "submitted" / "empty" / "ps1"
    empty.mkdir(parents=True)
    nbformat.write(released(course), empty / "ps1.ipynb")
    rng = random.Random(4)
    for moment in MOMENTS:
        grader = start(course)
        time.sleep(moment + rng.random())
        grader.send_signal(signal.SIGKILL)
        grader.wait()
    until = time.monotonic() + 20
    while graders(course) and time.monotonic() < until:
        time.sleep(0.2)
    assert graders(course) == []  # kernels end with their grader
    assert start(course).wait(timeout=600) == 0
    points = {student: outcome.points for student, outcome in outcomes(course).items()}
    assert points == {BEFORE: deserved(course), "empty": 0.0, AFTER: deserved(course)}
    assert leftovers() == set()  # what the killed ones left, the last has swept
    graded = course.grades("ps1")
    course.nbgrader("autograde", "ps1")
    assert course.grades("ps1") == graded
