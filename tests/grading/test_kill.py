"""A grader killed at any moment, again and again, and then let run to its end: everybody has the undisturbed grade."""

import glob
import os
import random
import signal
import subprocess
import time

import psutil
import pytest

from course_lib.grading.isolation.leftovers import TMP
from course_lib.grading.nbgrader_hooks.autograde import DONE, RECEIVED

from .attacks.attack import save
from .attacks.run import AFTER, BEFORE, copied, deserved, outcomes, released
from .course import BIN, Course
from .test_isolation import leftovers

pytestmark = pytest.mark.xdist_group("isolation-kill")
KERNELS = str(TMP / "course-{pid}-*" / "s" / "kernel.json")
FIRST = f"{BEFORE}/ps1"
MOMENTS = {  # what a grader is doing: the file that shows it, in the course or of that process
    "receives submissions": f"{RECEIVED}/{FIRST}/ps1.ipynb",
    "writes the first student's notebook": f"autograded/{FIRST}/ps1.ipynb",
    "grades the first student": KERNELS,
    "has graded the first student": f"{RECEIVED}/{FIRST}/{DONE}",
    "grades another student": KERNELS,
}


def start(course: Course) -> subprocess.Popen:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(
        [str(BIN / "nbgrader"), "autograde", "ps1"], cwd=course.folder, env=course.environment, **quiet
    )


def wait(course: Course, grader: subprocess.Popen, file: str) -> None:
    """Until such a file is there, of the grader or of a process that grades for it, or the grader has ended."""

    def there() -> bool:
        try:
            pids = [grader.pid, *(child.pid for child in psutil.Process(grader.pid).children(recursive=True))]
        except psutil.Error:
            return False
        return any(glob.glob(str(course.folder / file.format(pid=pid))) for pid in pids)

    while not there() and grader.poll() is None:
        time.sleep(0.02)


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
    untouched = [f"untouched-{number}" for number in range(6)]  # as many as keep two workers busy in every run
    for student in untouched:
        save(course.folder / "submitted" / student / "ps1", released(course))
    rng = random.Random(4)
    for moment, file in MOMENTS.items():
        grader = start(course)
        wait(course, grader, file)
        time.sleep(rng.random() / 2)
        grader.send_signal(signal.SIGKILL)
        assert grader.wait() == -signal.SIGKILL, f"it ended before it was killed while it {moment}"
    until = time.monotonic() + 120
    while graders(course) and time.monotonic() < until:
        time.sleep(0.2)
    assert graders(course) == []  # kernels end with their grader
    assert start(course).wait(timeout=600) == 0
    points = {student: outcome.points for student, outcome in outcomes(course).items()}
    assert points == {BEFORE: deserved(course), AFTER: deserved(course)} | dict.fromkeys(untouched, 0.0)
    assert leftovers() == set()  # what the killed ones left, the last has swept
    graded = course.grades("ps1")
    course.nbgrader("autograde", "ps1")
    assert course.grades("ps1") == graded
