"""Several submissions at the same time: the grades of one after the other, whatever happens to who grades."""

import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import psutil
import pytest

from course_lib.grading.nbgrader_hooks.at_once import WorkerEnded
from course_lib.grading.nbgrader_hooks.autograde import DONE, RECEIVED, STOPPED
from course_lib.grading.nbgrader_hooks.workers import workers

from . import at_work
from .attacks.attack import filled, save
from .attacks.run import AFTER, BEFORE, copied, deserved, filled_in, honest, released
from .course import BIN, Course
from .test_isolation import leftovers

pytestmark = pytest.mark.xdist_group("workers")
LIMITS = {"call_seconds": 1, "cell_seconds": 3, "notebook_seconds": 20}
HOSTILE = "import os\ndef learn_merges(*_): os._exit(1)"
SLOW = "def learn_merges(*_):\n    while True: pass"
FAULTS = {"hostile": HOSTILE, "slow": SLOW, "syntax": "def learn_merges(:"}


def mixed(prepared: Course, folder: Path, workers: int) -> Course:
    """A class of every kind, graded by so many workers."""
    course = copied(prepared, folder, LIMITS)
    with (course.folder / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.IsolatedAutograde.workers = {workers}\n")
    submitted = course.folder / "submitted"
    for student, source in FAULTS.items():
        save(submitted / student / "ps1", filled(honest(course), source))
    save(submitted / "wrong" / "ps1", filled_in(course, "ps1.mistakes"))
    save(submitted / "empty" / "ps1", released(course))
    (submitted / "broken" / "ps1").mkdir(parents=True)
    (submitted / "broken" / "ps1" / "ps1.ipynb").write_text("{")
    return course


def test_grades_are_those_of_one_after_the_other(prepared, tmp_path):
    one, many = (mixed(prepared, tmp_path / str(count) / "course", count) for count in (1, 3))
    said = [course.nbgrader("autograde", "ps1") for course in (one, many)]
    assert one.grades("ps1") == many.grades("ps1")
    assert one.outputs("ps1") == many.outputs("ps1") and one.comments("ps1") == many.comments("ps1")
    points = {student: sum(g.score for g in grades.values()) for student, grades in many.grades("ps1").items()}
    full = deserved(many)
    assert points["broken"] == points["empty"] == 0 and points[BEFORE] == points[AFTER] == full
    assert 0 < points["wrong"] < full and all(0 < points[student] < full for student in FAULTS)
    assert all("of 8 students done" in log for log in said)
    for student in points:
        assert "ps1_learn_merges__" in (many.folder / "logs" / student / "ps1.log").read_text()
    assert leftovers() == set()


class Held:
    """A course whose grader stops, when it hands over its submission number `at`, until it is told to go on."""

    HOOK = """
import time
_count = iter(range(10**6))
def _hold(**_):
    if next(_count) == {at}:
        Path("begun").write_text("yes")  # a pipe: it is open once somebody reads it
        while not Path("go").exists():  # a signal just before a call that blocks would be heard after it alone
            time.sleep(0.02)

c.Autograde.pre_convert_hook = _hold
c.IsolatedAutograde.workers = 2
"""

    def __init__(self, prepared: Course, folder: Path, at: int) -> None:
        self.course = copied(prepared, folder, {})
        for number in range(3):
            save(self.course.folder / "submitted" / f"more-{number}" / "ps1", honest(self.course))
        os.mkfifo(self.course.folder / "begun")
        self.config = self.course.folder / "nbgrader_config.py"
        self.before = self.config.read_text()
        self.config.write_text(self.before + self.HOOK.format(at=at))
        self.log = (folder.parent / "log").open("w+")
        self.grader = subprocess.Popen(
            [BIN / "nbgrader", "autograde", "ps1"],
            cwd=self.course.folder,
            env=self.course.environment,
            stderr=self.log,
            start_new_session=True,
            preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),  # in the background it is ignored
        )
        assert (self.course.folder / "begun").read_text() == "yes"

    def workers(self) -> list[psutil.Process]:
        return at_work.workers(self.grader.pid)

    def go_on(self) -> None:
        (self.course.folder / "go").write_text("yes")

    def points(self) -> dict[str, float]:
        grades = self.course.grades("ps1")
        return {student: sum(g.score for g in cells.values()) for student, cells in grades.items()}

    def said(self) -> str:
        self.log.seek(0)
        return self.log.read()


def test_a_worker_that_is_killed_costs_nobody_a_grade(prepared, tmp_path):
    held = Held(prepared, tmp_path / "course", at=1)
    while not at_work.kill_a_busy(held.workers()):  # the first submission is at work for seconds
        time.sleep(0.02)
    held.go_on()
    assert held.grader.wait(timeout=600) == 0, held.said()
    assert set(held.points().values()) == {deserved(held.course)} and len(held.points()) == 5
    assert "it is graded again" in held.said()
    assert leftovers() == set()


def test_after_ctrl_c_nothing_runs_and_the_next_run_goes_on(prepared, tmp_path):
    held = Held(prepared, tmp_path / "course", at=3)
    known = [*held.workers(), *(c for w in held.workers() for c in w.children(recursive=True))]
    os.killpg(held.grader.pid, signal.SIGINT)
    assert held.grader.wait(timeout=120) == STOPPED, held.said()
    assert "goes on from there" in held.said()
    assert psutil.wait_procs(known, 30)[1] == []
    assert leftovers() == set()
    done = {path.parts[-3] for path in held.course.folder.glob(f"{RECEIVED}/*/ps1/{DONE}")}
    assert 0 < len(done) < 5
    assert {path.parts[-2] for path in held.course.folder.glob("autograded/*/ps1")} == done  # nothing half-written
    assert set(held.points()) == done
    held.config.write_text(held.before)
    again = held.course.nbgrader("autograde", "ps1")
    assert again.count("Skipping existing assignment") == len(done)
    assert set(held.points().values()) == {deserved(held.course)} and len(held.points()) == 5


def fragile(folder: str, name: str) -> str:
    """Work that ends its process: "once" the first time, "always" each time; "error" raises."""
    mark = Path(folder, name)
    if name == "error":
        raise ValueError(name)
    if name == "always" or name == "once" and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return name.upper()


def test_a_submission_whose_worker_ends_is_tried_once_more_and_no_other_is(tmp_path):
    names, came = ["well", "once", "always", "error", "fine"], {}
    with workers(2, fragile, str(tmp_path)) as at_work:
        waiting, told = list(names), []
        while len(came) < len(names):
            while waiting and at_work.free:
                name = waiting.pop(0)
                at_work.begin(name, name)
            name, result = at_work.next()
            came[name] = result
            told += at_work.again()
    assert {name: came[name] for name in ("well", "once", "fine")} == {"well": "WELL", "once": "ONCE", "fine": "FINE"}
    assert isinstance(came["always"], WorkerEnded) and isinstance(came["error"], ValueError)
    assert sorted(told) == ["always", "once"]


def test_a_worker_that_ends_while_it_has_nothing_to_do_is_replaced(tmp_path):
    with workers(2, fragile, str(tmp_path)) as at_work:
        at_work.begin("well", "well")
        assert at_work.next() == ("well", "WELL")
        for slot in at_work.slots:
            os.kill(slot.pid.result(), signal.SIGKILL)
        for name in ("fine", "right"):
            at_work.begin(name, name)
        assert dict(at_work.next() for _ in range(2)) == {"fine": "FINE", "right": "RIGHT"}


def test_one_worker_is_this_process(tmp_path):
    with workers(1, lambda material, name: (os.getpid(), material + name), "a") as at_work:
        at_work.begin("x", "b")
        assert not at_work.free
        assert at_work.next() == ("x", (os.getpid(), "ab")) and at_work.free
