"""The wall itself: what the command line holds, for root and for others, and what a look from inside finds."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from course_lib.grading.isolation import (
    cgroup,
    leftovers,
    sandbox,
    sandbox_check,
    student_kernel,
    visible_course,
    watchdog,
)
from course_lib.grading.isolation.limits import Limits


@pytest.fixture
def wall(tmp_path):
    """A sandbox of folders that others may read, as the grader makes them."""
    top = leftovers.folder()
    top.chmod(0o711)
    for name in ("s", "l", "c"):
        (top / name).mkdir(mode=0o755)
    visible_course.build(top / "c")
    yield sandbox.Sandbox(Limits(), top / "s", top / "l", top / "c", hidden=(visible_course.COURSE,))
    subprocess.run(["rm", "-rf", str(top)], check=True)


def inside(wall: sandbox.Sandbox, code: str) -> str:
    ran = subprocess.run(wall.command([sys.executable, "-c", code]), capture_output=True, text=True, timeout=60)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_this_machine_has_a_sandbox():
    assert sandbox_check.probe().problem is None, f"install what is missing: {sandbox_check.probe().problem}"


def test_no_course_but_the_allowed_part(wall):
    code = "import course_lib.corpora.stories\ntry: import course_lib.subwords\nexcept ImportError: print('closed')"
    assert inside(wall, code) == "closed"


def test_the_line_can_be_called_and_not_replaced(wall):
    import socket

    with socket.socket(socket.AF_UNIX) as ours:
        ours.bind(str(wall.line / "line"))
        os.chmod(wall.line / "line", 0o666)
        ours.listen()
        code = """
import os, socket
for act, *paths in (os.unlink, "/line/line"), (os.symlink, "/etc", "/line/x"), (os.rename, "/line/line", "/line/y"):
    try: act(*paths); print("changed")
    except OSError: pass
socket.socket(socket.AF_UNIX).connect("/line/line")
print("called")
"""
        assert inside(wall, code) == "called"


def test_a_hidden_package_says_that_it_may_not_be_used(wall):
    (package,) = sandbox.installed("sentencepiece")
    closed = sandbox.Sandbox(wall.limits, wall.sockets, wall.line, wall.library, hidden=(package,))
    assert "not available while graded" in inside(
        closed, "try: import sentencepiece\nexcept ImportError as e: print(e)"
    )
    assert inside(wall, "import sentencepiece; print('there')") == "there"


@pytest.mark.parametrize("uid", [0, 1234])
def test_every_user_gets_every_wall(wall, monkeypatch, uid):
    monkeypatch.setattr(os, "getuid", lambda: uid)
    command = wall.command(["python"])
    for part in (
        "--die-with-parent",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-ipc",
        "--disable-userns",
        "--clearenv",
        "--unshare-user",
    ):
        assert part in command
    assert ("setpriv" in command) == (uid == 0)
    assert command.count("bwrap") == (2 if uid == 0 else 1)
    writable = [command[n + 1] for n, part in enumerate(command) if part == "--bind"]
    assert writable == [str(wall.sockets)] + (["/"] if uid == 0 else [])
    assert command.index("--clearenv") < command.index("--")
    assert command[-1] == "python" and any(part.startswith("--nproc=") for part in command)


@pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else; others run the whole suite as they are")
def test_somebody_who_is_not_root_gets_a_working_sandbox(wall, monkeypatch):
    """With the system's own Python, which everybody may read, and the environment that student_kernel.py gives.

    All of bubblewrap's environment can be read inside: its process has the number 1 there, and the same user.
    """
    python = "/usr/bin/python3"
    assert Path(python).exists(), "install python3"
    monkeypatch.setattr(sandbox, "environment", lambda: ["/usr"])
    monkeypatch.setattr(os, "getuid", lambda: 1234)
    monkeypatch.setenv("COURSE_SECRET", "x")
    plain = sandbox.Sandbox(wall.limits, wall.sockets, wall.line, wall.library)
    code = """
import os
print(os.getuid(), sorted(n for n in os.environ if "COURSE" in n))
try: print("LEAK" if b"COURSE_SECRET" in open("/proc/1/environ", "rb").read() else "clean")
except OSError: print("closed")
"""
    command = ["setpriv", "--reuid=1234", "--regid=1234", "--clear-groups", "--", *plain.command([python, "-c", code])]
    wall.sockets.parent.chmod(0o755)
    os.chown(wall.sockets, 1234, 1234)
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, env=student_kernel.surroundings())
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split("\n")[0] == "65534 []" and "LEAK" not in ran.stdout


def test_the_environment_is_ours_alone(wall, monkeypatch):
    monkeypatch.setenv("COURSE_SECRET", "x")
    assert inside(wall, "import os; print(sorted(set(os.environ) - {'PWD', 'LC_CTYPE'}))") == str(
        sorted(sandbox.variables())
    )


def test_a_control_group_takes_its_processes_with_it():
    if (group := cgroup.make(1 << 28, 16)) is None:
        assert "watchdog" in sandbox_check.probe().memory
        return
    child = subprocess.Popen(["sleep", "60"], preexec_fn=group.join)
    group.close()
    assert child.wait(timeout=10) == -9
    assert not any(folder.exists() for folder in group.folders)


def test_what_a_dead_grader_left_is_swept_and_what_a_living_one_has_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers, "TMP", tmp_path)
    dead = subprocess.Popen(["true"])
    dead.wait()
    (tmp_path / f"course-{dead.pid}-abc/s").mkdir(parents=True)
    for name in ("course-somebody-else", f"course-{dead.pid}"):
        (tmp_path / name).mkdir()
    (tmp_path / f"course-{dead.pid}-link").symlink_to("/etc")
    ours = leftovers.folder()
    leftovers.sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [ours.name, "course-somebody-else", f"course-{dead.pid}", f"course-{dead.pid}-link"]
    )


def test_the_watchdog_counts_everything_below_a_folder(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_bytes(bytes(1 << 20))
    for n in range(10):
        (tmp_path / f"a/{n}").touch()
    assert watchdog.size(tmp_path) >= (1 << 20) + 12 * watchdog.PAGE
    with (tmp_path / "hollow").open("wb") as file:
        file.truncate(1 << 40)
    assert watchdog.size(tmp_path) < 2 << 20


def test_the_watchdog_stops_what_uses_too_much(tmp_path):
    stopped = []
    child = subprocess.Popen([sys.executable, "-c", "import time; kept = bytearray(64 << 20); time.sleep(60)"])
    watch = watchdog.Watchdog(child.pid, tmp_path, 32 << 20, 100, 1 << 20, lambda: stopped.append(child.kill()))
    watch.start()
    assert child.wait(timeout=30) == -9 and stopped
    watch.join(timeout=10)


def test_limits_are_positive_and_a_call_fits_a_cell():
    with pytest.raises(ValueError, match="memory_bytes must be positive"):
        Limits(memory_bytes=0)
    with pytest.raises(ValueError, match="call_seconds must be at most"):
        Limits(call_seconds=9, cell_seconds=3)


def test_two_words_for_a_machine_without_a_sandbox(monkeypatch):
    monkeypatch.setattr(sandbox.shutil, "which", lambda program: None)
    assert "apt-get install bubblewrap" in sandbox.missing()
    sandbox_check.probe.cache_clear()
    try:
        assert "apt-get install bubblewrap" in str(sandbox_check.probe())
        monkeypatch.setattr(sys, "platform", "darwin")
        sandbox_check.probe.cache_clear()
        assert "needs Linux" in str(sandbox_check.probe())
    finally:
        sandbox_check.probe.cache_clear()
