"""autograde and the processes that grade, seen from outside."""

import contextlib
import os
import secrets
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import psutil

from course_lib.grading.isolation import enforce
from course_lib.grading.isolation.warm import HOLD

from .course import BIN, Course


def workers(grader: int) -> list[psutil.Process]:
    """The workers of the autograde with this number of a process: those that its forkserver has forked."""
    servers = [each for each in psutil.Process(grader).children() if "forkserver" in " ".join(each.cmdline())]
    return [child for server in servers for child in server.children()]


def busy(worker: int) -> bool:
    """Whether a student's kernel runs under this process."""
    with contextlib.suppress(psutil.Error):  # what we look at may end
        commands = [child.cmdline() for child in psutil.Process(worker).children(recursive=True)]
        return any("bwrap" in command and not {"ipykernel_launcher", HOLD}.isdisjoint(command) for command in commands)
    return False


def kill_a_busy(processes: Iterable[psutil.Process]) -> bool:
    """kill -9 of one that has a submission, and cannot have given it back: it is halted while we look."""
    for process in processes:
        process.suspend()
        if busy(process.pid):
            process.kill()
            return True
        process.resume()
    return False


class Grader:
    """`nbgrader autograde ps1`, at work; its log is no file of the course's disk, which may be full."""

    def __init__(self, course: Course, *options: str) -> None:
        self.log = tempfile.TemporaryFile()  # noqa: SIM115  closed with this object
        command = [BIN / "nbgrader", "autograde", "ps1", *options]
        self.process = subprocess.Popen(
            command, cwd=course.folder, env=course.environment, stdout=self.log, stderr=self.log, start_new_session=True
        )

    def wait_until(self, happened: Callable[[], object]) -> bool:
        """Whether it happened before the grader ended."""
        while self.process.poll() is None:
            with contextlib.suppress(psutil.Error):  # it may end while it is looked at
                if happened():
                    return True
            time.sleep(0.02)
        return False

    def grades(self) -> bool:
        """Whether it has a submission, itself or in a worker."""
        return busy(self.process.pid)

    def kill_a_worker(self) -> bool:
        """kill -9 of a worker that has a submission; whether there was one."""
        return kill_a_busy(workers(self.process.pid))

    def done(self) -> int:
        """How many students are done."""
        return self.said().count("students done")

    def said(self) -> str:
        """What it has said so far."""
        return os.pread(self.log.fileno(), 1 << 26, 0).decode(errors="replace")

    def end(self) -> str:
        """What it said, once it has ended."""
        self.process.wait(3600)
        return self.said()


@contextlib.contextmanager
def processor_seconds() -> Iterator[Callable[[], float | None]]:
    """How long processors work for all that is begun in the block, those that are killed too; None: not counted here.

    Counted by Linux in a control group (cpuacct, of version 1, where `limits` of a sandbox take nobody out of it).
    """
    group = enforce.ROOT / "cpuacct" / f"course-{os.getpid()}-{secrets.token_hex(4)}"
    try:
        before = next(
            line.rpartition(":")[2] for line in Path("/proc/self/cgroup").read_text().splitlines() if "cpuacct" in line
        )
        group.mkdir()
        (group / "cgroup.procs").write_text(str(os.getpid()))
    except (OSError, StopIteration):
        yield lambda: None
        return
    began = time.process_time()
    try:
        yield lambda: int((group / "cpuacct.usage").read_text()) / 1e9 - (time.process_time() - began)
    finally:
        (enforce.ROOT / "cpuacct" / before.strip("/") / "cgroup.procs").write_text(str(os.getpid()))
        enforce.remove(group)
