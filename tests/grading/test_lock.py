"""Two commands at once on one course: the second changes nothing, says who runs, fails; a killed one holds nothing."""

import errno
import logging
import os
import signal
import subprocess
import sys
from types import SimpleNamespace

import pytest
from nbgrader.apps import dbapp

from course_lib.grading.nbgrader_hooks import autograde, feedback, lock

from .attacks.run import AFTER, BEFORE, copied, deserved, outcomes
from .course import BIN, Course, contents

pytestmark = pytest.mark.xdist_group("lock")
HELD = """
def hold(**_):
    Path("begun").write_text("yes")  # a pipe: it is open once somebody reads it
    Path("go").read_text()

c.Autograde.pre_convert_hook = hold
"""
WRITING = (
    ("autograde", "ps1", "--force"),
    ("generate_assignment", "ps1"),
    ("generate_feedback", "ps1"),
    ("zip_collect", "ps1", "--force"),
    ("db", "assignment", "remove", "ps1", "--force"),
)


def state(course: Course) -> dict[str, bytes]:
    """Every file but the log of who holds the lock."""
    return {name: data for name, data in contents(course.folder).items() if name != lock.FILE}


def test_a_second_command_changes_nothing_and_a_killed_one_holds_nothing(prepared, tmp_path):
    course = copied(prepared, tmp_path / "course", {})
    for pipe in ("begun", "go"):
        os.mkfifo(course.folder / pipe)
    config = course.folder / "nbgrader_config.py"
    before = config.read_text()
    config.write_text(before + HELD)
    first = subprocess.Popen(
        [BIN / "nbgrader", "autograde", "ps1"], cwd=course.folder, env=course.environment, stderr=subprocess.DEVNULL
    )
    assert (course.folder / "begun").read_text() == "yes"  # it has received, and begins to grade
    kept = state(course)
    config.write_text(before)
    for command in WRITING:
        said = course.nbgrader(*command, fails=True)
        assert f"`nbgrader autograde ps1`, process {first.pid}, since" in said and "Traceback" not in said, said
    config.write_text(before + HELD)
    assert state(course) == kept
    first.send_signal(signal.SIGKILL)
    assert first.wait() == -signal.SIGKILL
    config.write_text(before)
    course.nbgrader("autograde", "ps1")
    full = deserved(course)
    assert {student: outcome.points for student, outcome in outcomes(course).items()} == {BEFORE: full, AFTER: full}


HOLD = "import sys; from pathlib import Path; from course_lib.grading.nbgrader_hooks.lock import alone\n"


def test_the_lock_ends_with_its_block_and_with_its_process(tmp_path):
    refused = pytest.raises(lock.Busy, match=f"`one`, process {os.getpid()}")
    with lock.alone(tmp_path, "`one`"), refused, lock.alone(tmp_path, "`two`"):
        pass
    code = HOLD + f"with alone(Path({str(tmp_path)!r}), '`three`'): print('held', flush=True); sys.stdin.read()"
    holder = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with holder:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(lock.Busy, match="three"), lock.alone(tmp_path, "`four`"):
            pass
        holder.kill()
    with lock.alone(tmp_path, "`five`"):
        assert "`five`" in (tmp_path / lock.FILE).read_text()
    assert (tmp_path / lock.FILE).read_text() == ""


def test_a_disk_without_room_for_the_lock_is_said_to_be_full(monkeypatch, caplog, tmp_path):
    def alone(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(lock, "alone", alone)
    app = SimpleNamespace(
        name="nbgrader-update",
        log=logging.getLogger("lock"),
        coursedir=SimpleNamespace(root=tmp_path, assignment_id="", db_url=""),
    )
    with pytest.raises(SystemExit, match="1"):
        lock.locked(lambda self: pytest.fail("it began"))(app)
    assert "The disk is full, and nothing has changed." in caplog.text


def test_every_command_that_writes_takes_the_lock_once_and_none_that_reads(monkeypatch):
    for each in lock.WRITE:
        monkeypatch.setattr(each, "start", each.start)
    for _ in range(2):  # nbgrader reads its configuration several times
        lock.install()
    locked = [*lock.WRITE, autograde.IsolatedAutograde]
    assert all(hasattr(each.start, "__wrapped__") for each in locked)
    assert not any(hasattr(each.start.__wrapped__, "__wrapped__") for each in locked)
    assert issubclass(feedback.Feedback, lock.WRITE) and not hasattr(dbapp.DbStudentListApp.start, "__wrapped__")
