"""The wall itself: what the command line holds, for root and for others, and what a look from inside finds."""

import os
import signal
import socket
import struct
import subprocess
import sys
from pathlib import Path

import pytest
from nbgrader.exchange.default.exchange import Exchange

from course_lib.grading.boundary import visible_packages
from course_lib.grading.isolation import (
    enforce,
    leftovers,
    sandbox,
    sandbox_check,
    seccomp,
    student_kernel,
    visible_course,
)
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.nbgrader_hooks import execute
from course_lib.grading.nbgrader_hooks.execute import IsolatedExecute
from course_lib.grading.nbgrader_hooks.submission import Material


def test_the_folder_where_all_hand_in_is_hidden_where_a_sandbox_could_read_it(tmp_path, monkeypatch):
    monkeypatch.setattr(execute, "environment", lambda: [str(tmp_path)])
    (tmp_path / "exchange").mkdir()
    assert execute.hidden(tmp_path / "none", tmp_path / "exchange") == (tmp_path / "exchange",)
    assert Material.exchange == Exchange.root.default_value


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
    ran = subprocess.run(wall.command([sys.executable, "-c", code]), capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.strip()


def test_this_machine_has_a_sandbox():
    assert sandbox_check.probe().problem is None, f"install what is missing: {sandbox_check.probe().problem}"


def test_no_course_but_the_allowed_part(wall):
    code = "import course_lib.corpora.stories\ntry: import course_lib.subwords\nexcept ImportError: print('closed')"
    assert inside(wall, code) == "closed"


def test_the_line_can_be_called_and_not_replaced(wall):
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


def test_only_the_packages_that_are_needed_are_there(wall):
    there = inside(wall, "import numpy, torch, IPython, matplotlib.pyplot, tqdm.auto; print('there')")
    assert there == "there"
    for package in ("sentencepiece", "tokenizers", "transformers", "bertviz", "subword_nmt", "nbgrader"):
        assert package in visible_packages.absent()
        assert inside(wall, f"import importlib.util as u; print(u.find_spec({package!r}))") == "None"


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
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=student_kernel.surroundings())
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split("\n")[0] == "65534 []" and "LEAK" not in ran.stdout


def test_the_environment_is_ours_alone(wall, monkeypatch):
    monkeypatch.setenv("COURSE_SECRET", "x")
    assert inside(wall, "import os; print(sorted(set(os.environ) - {'PWD', 'LC_CTYPE'}))") == str(
        sorted(sandbox.variables())
    )


def test_a_control_group_takes_its_processes_with_it():
    if (group := enforce.group(1 << 28, 16)) is None:
        assert "watchdog" in sandbox_check.probe().memory
        return
    child = subprocess.Popen(["sleep", "600"], preexec_fn=group.join)
    group.close()
    assert child.wait(timeout=120) == -9
    assert not any(folder.exists() for folder in group.folders)


def test_what_a_dead_grader_left_is_swept_and_what_a_living_one_has_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(leftovers, "TMP", tmp_path)
    dead = subprocess.Popen(["true"])
    os.waitid(os.P_PID, dead.pid, os.WEXITED | os.WNOWAIT)  # it has ended, and its parent has not asked how
    (tmp_path / f"course-{dead.pid}-abc/s").mkdir(parents=True)
    for name in ("course-somebody-else", f"course-{dead.pid}"):
        (tmp_path / name).mkdir()
    (tmp_path / f"course-{dead.pid}-link").symlink_to("/etc")
    ours = leftovers.folder()
    leftovers.sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [ours.name, "course-somebody-else", f"course-{dead.pid}", f"course-{dead.pid}-link"]
    )
    dead.wait()


def test_a_control_group_of_a_dead_grader_is_swept_with_its_processes():
    """Processes that were killed stay in their group for a moment, and a group is removed only when it is empty."""
    dead = subprocess.Popen(["true"])
    dead.wait()
    if (group := enforce.group(1 << 28, 64)) is None:
        assert "watchdog" in sandbox_check.probe().memory
        return
    left = [folder.with_name(f"course-{dead.pid}-left") for folder in group.folders]
    children = [subprocess.Popen(["sleep", "600"]) for _ in range(20)]
    for folder in left:
        folder.mkdir()
        for child in children:
            (folder / "cgroup.procs").write_text(str(child.pid))
    leftovers.sweep()
    assert not any(folder.exists() for folder in left)
    assert {child.wait() for child in children} == {-signal.SIGKILL}
    group.close()


def test_everything_below_a_folder_is_counted(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_bytes(bytes(1 << 20))
    for n in range(10):
        (tmp_path / f"a/{n}").touch()
    assert enforce.size(tmp_path) >= (1 << 20) + 12 * enforce.ENTRY
    with (tmp_path / "hollow").open("wb") as file:
        file.truncate(1 << 40)
    assert enforce.size(tmp_path) < 2 << 20


USES = {
    "memory": "kept = bytearray(64 << 20)",
    "a file in memory": "import os; file = os.memfd_create('x'); [os.write(file, bytes(1 << 20)) for _ in range(64)]",
    "a deleted file": (
        "import os; file = open('/dev/shm/x-test', 'wb', 0); os.unlink(file.name); file.write(bytes(64 << 20))"
    ),
    "processes": "import os; [os.fork() for _ in range(3)]",
    "threads": "import threading, time; [threading.Thread(target=time.sleep, args=(600,)).start() for _ in range(9)]",
}


@pytest.mark.parametrize("what", USES)
def test_the_watchdog_stops_what_uses_too_much(tmp_path, what):
    """Where no control group counts: memory, files in memory, processes and threads, below 48 MB and 7 of them."""
    child = subprocess.Popen(
        [sys.executable, "-c", f"{USES[what]}\nimport time; time.sleep(600)"], start_new_session=True
    )
    limits = Limits(memory_mb=150 if what == "processes" else 48, processes=7)
    usage = enforce.Usage([child.pid], tmp_path, limits, grouped=False)
    watch = enforce.Watchdog(usage.exceeded, lambda: os.killpg(child.pid, signal.SIGKILL))
    watch.start()
    assert child.wait(timeout=120) == -9
    watch.join(timeout=120)


def test_messages_that_wait_in_our_own_process_are_counted(tmp_path):
    usage = enforce.Usage([os.getpid()], tmp_path, Limits(messages_mb=16), grouped=True)
    assert not usage.exceeded()
    kept = bytearray(b"x") * (64 << 20)  # so large that the system gives it anew
    assert usage.exceeded() and len(kept)


def verdict(program: bytes, number: int, first: int = 0, arch: int = seccomp.MACHINES["x86_64"][0]) -> int:
    """What a filter says of a call, by the instructions that it is made of, as linux/filter.h defines them."""
    data = {seccomp.NUMBER: number, seccomp.MACHINE: arch, seccomp.FIRST: first}
    lines, at = [*struct.iter_unpack("=HBBI", program)], 0
    while True:
        code, yes, no, k = lines[at]
        if code == seccomp.RETURN:
            return k
        if code == seccomp.LOAD:
            loaded = data[k]
        else:
            holds = {seccomp.EQUAL: loaded == k, seccomp.ABOVE: loaded >= k, seccomp.ANY: loaded & k != 0}
            at += yes if holds[code] else no
        at += 1


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_a_filter_refuses_what_its_table_says_and_nothing_else(machine):
    arch, column = seccomp.MACHINES[machine]
    program, socket_call = seccomp.program(machine), seccomp.SOCKET[column]
    refused = {number for number in range(512) if verdict(program, number, arch=arch) == seccomp.REFUSE}
    assert refused == {numbers[column] for numbers in seccomp.CALLS.values()} | {socket_call}
    allowed = {family for family in range(64) if verdict(program, socket_call, family, arch) == seccomp.ALLOW}
    assert allowed == {socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK}
    assert verdict(program, 1, arch=1) == seccomp.KILL
    assert verdict(program, seccomp.X32 | 1, arch=arch) == seccomp.REFUSE


@pytest.mark.parametrize("machine", seccomp.MACHINES)
def test_the_other_filter_lets_threads_start_and_no_process(machine):
    arch, column = seccomp.MACHINES[machine]
    program, clone = seccomp.no_processes(machine), seccomp.CLONE[column]
    refused = {number for number in range(512) if verdict(program, number, seccomp.THREAD, arch) == seccomp.REFUSE}
    assert refused == {numbers[column] for numbers in seccomp.STARTS.values() if column < len(numbers)}
    assert verdict(program, clone, seccomp.THREAD | 1, arch) == seccomp.ALLOW
    assert verdict(program, clone, 17, arch) == seccomp.REFUSE
    assert verdict(program, seccomp.CLONE3, 0, arch) == seccomp.UNKNOWN


def test_the_filter_holds_in_the_sandbox_where_the_kernel_takes_one(wall):
    code = """
import ctypes, os, socket
def refused(act):
    try: act()
    except PermissionError: return True
    return False
libc = ctypes.CDLL(None, use_errno=True)
io_uring = libc.syscall(425, 8, ctypes.create_string_buffer(120)) == -1 and ctypes.get_errno() == 1
print(refused(lambda: os.memfd_create("x")), refused(lambda: socket.socket(40, socket.SOCK_STREAM)), io_uring)
"""
    if seccomp.file() is None:
        assert "refuses a filter of system calls" in str(sandbox_check.probe())
    else:
        assert inside(wall, code) == "True True True"


def test_limits_are_positive_and_a_call_fits_a_cell():
    for value in (0, -1, float("nan"), "4096", None):
        with pytest.raises(ValueError, match=f"memory_mb must be a positive number, got {value!r}"):
            Limits(memory_mb=value)
    with pytest.raises(ValueError, match="call_seconds must be at most"):
        Limits(call_seconds=9, cell_seconds=3)


def test_without_bubblewrap_on_the_path_nothing_is_graded_and_it_is_said_why(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    sandbox_check.probe.cache_clear()
    try:
        with pytest.raises(RuntimeError, match=r"bwrap is not installed: `apt-get install bubblewrap`.*Nothing was gr"):
            IsolatedExecute().walled()
        assert not IsolatedExecute(trust_submissions=True).walled()
    finally:
        sandbox_check.probe.cache_clear()


def test_two_words_for_a_machine_without_a_sandbox(monkeypatch):
    monkeypatch.setattr(sandbox.shutil, "which", lambda program: None)
    assert "apt-get install bubblewrap" in sandbox.missing_program()
    sandbox_check.probe.cache_clear()
    try:
        assert "apt-get install bubblewrap" in str(sandbox_check.probe())
        monkeypatch.setattr(sys, "platform", "darwin")
        sandbox_check.probe.cache_clear()
        assert "needs Linux" in str(sandbox_check.probe())
    finally:
        sandbox_check.probe.cache_clear()
