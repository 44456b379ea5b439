"""How limits on memory and processes are held: a control group where one can be made, else a thread that looks.

Control groups of version 1 (memory, pids) or 2 (unified), written to under /sys/fs/cgroup; needs root or a delegated
group.
"""

import contextlib
import os
import secrets
import signal
import stat
import sys
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil

from course_lib.grading.isolation.limits import Limits

ROOT = Path("/sys/fs/cgroup")
BLOCK = 512  # bytes in which st_blocks counts
LINUX = sys.platform == "linux"
ENTRY = 4096  # bytes that a file or folder costs at least


class Group:
    """A control group; `join()` is called by the first process in it, `close()` kills what is left and removes it."""

    def __init__(self, memory_bytes: int, processes: int) -> None:
        name = f"course-{os.getpid()}-{secrets.token_hex(4)}"
        if (ROOT / "cgroup.controllers").exists():
            self.folders = [ROOT / name]
            limits = {"memory.max": memory_bytes, "memory.swap.max": 0, "pids.max": processes}
        else:
            self.folders = [ROOT / "memory" / name, ROOT / "pids" / name]
            limits = {
                "memory.limit_in_bytes": memory_bytes,
                "memory.memsw.limit_in_bytes": memory_bytes,
                "pids.max": processes,
            }
        try:
            for folder in self.folders:
                folder.mkdir()
            for file, value in limits.items():
                targets = [folder / file for folder in self.folders if (folder / file).exists()]
                if not targets and "sw" not in file:  # a kernel may do without limits on swap
                    raise FileNotFoundError(file)
                for target in targets:
                    target.write_text(str(value))
        except OSError:
            self.close()
            raise

    def files(self) -> list[Path]:
        """The files by which a process joins."""
        return [folder / "cgroup.procs" for folder in self.folders]

    def join(self) -> None:
        """Put the calling process, and so all that it starts, into the group."""
        for file in self.files():
            file.write_text(str(os.getpid()))

    def close(self) -> None:
        for folder in self.folders:
            remove(folder)


def remove(folder: Path) -> None:
    """Kill what is left in a control group and remove it: it is empty only once they have ended."""
    for _ in range(500):
        with contextlib.suppress(FileNotFoundError):
            for line in (folder / "cgroup.procs").read_text().split():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(line), signal.SIGKILL)
        try:
            folder.rmdir()
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.02)
        else:
            return


def group(memory_bytes: int, processes: int) -> Group | None:
    """A control group with these limits, or None where none can be made."""
    try:
        return Group(memory_bytes, processes)
    except OSError:
        return None


class Watchdog(threading.Thread):
    """Asks `exceeded` four times a second, and calls `stop` once it is true; set `ended` to end it."""

    def __init__(self, exceeded: Callable[[], bool], stop: Callable[[], None]) -> None:
        super().__init__(daemon=True)
        self.exceeded, self.stop = exceeded, stop
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.25):
            with contextlib.suppress(psutil.NoSuchProcess):
                if self.exceeded():
                    self.stop()
                    return


class Usage:
    """What processes, and those below them, use, with the files in `folder` and the messages that wait in this one."""

    def __init__(self, pids: list[int], folder: Path, limits: Limits, grouped: bool) -> None:
        self.pids, self.folder, self.limits, self.grouped = pids, folder, limits, grouped
        self.before = memory(os.getpid())

    def exceeded(self) -> bool:
        """Whether a limit is exceeded; with a control group the system itself counts memory and processes."""
        limits = self.limits
        waiting = memory(os.getpid()) - self.before
        if size(self.folder) > limits.files_mb << 20 or waiting > limits.messages_mb << 20:
            return True
        if self.grouped:
            return False
        found = tree(*self.pids)
        return threads(found) > limits.processes or total(found) > limits.memory_mb << 20


def memory(pid: int) -> int:
    """Bytes of memory that a process holds; 0 if it is gone."""
    try:
        return psutil.Process(pid).memory_info().rss
    except psutil.Error:
        return 0


def tree(*pids: int) -> list[psutil.Process]:
    """Processes and all below them, as they are now."""
    found = []
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            process = psutil.Process(pid)
            found += [process, *process.children(recursive=True)]
    return found


def processor(processes: list[psutil.Process]) -> float:
    """The seconds of the processor that these processes have used; those that are gone count no more."""
    used = 0.0
    for process in processes:
        with contextlib.suppress(psutil.Error, OSError):
            used += time.clock_gettime(clock_of(process.pid)) if LINUX else sum(process.cpu_times()[:2])
    return used


def clock_of(pid: int) -> int:
    """The clock that counts what a process computes (clock_getcpuclockid): asked for each answer, so not by /proc."""
    return ~pid << 3 | 2  # CPUCLOCK_SCHED of linux/posix-timers.h


def processes(pids: list[int]) -> list[psutil.Process]:
    """Those of these numbers that are there."""
    found = []
    for pid in pids:
        with contextlib.suppress(psutil.Error):
            found.append(psutil.Process(pid))
    return found


def used_by(pids: list[int]) -> Callable[[], float]:
    """What says how many seconds of the processor were used by these processes."""
    return partial(processor, processes(pids))


def threads(processes: list[psutil.Process]) -> int:
    """How many threads these processes have."""
    count = 0
    for process in processes:
        with contextlib.suppress(psutil.Error):
            count += process.num_threads()
    return count


def total(processes: list[psutil.Process]) -> int:
    """Bytes of memory of these processes, with files in memory that they hold open (memfd_create) or have deleted."""
    return sum(memory(process.pid) for process in processes) + files_in_memory(processes)


def files_in_memory(processes: list[psutil.Process]) -> int:
    """Bytes of the files without a name that these processes hold open, each counted once."""
    found: dict[tuple[int, int], int] = {}
    for process in processes:
        with contextlib.suppress(OSError):
            for file in Path("/proc", str(process.pid), "fd").iterdir():
                with contextlib.suppress(OSError):
                    about = file.stat()
                    if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                        found[about.st_dev, about.st_ino] = about.st_blocks * BLOCK
    return sum(found.values())


def size(folder: Path) -> int:
    """Bytes that everything in `folder` takes on the disk."""
    used = 0
    for top, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):
                used += max(os.lstat(os.path.join(top, name)).st_blocks * BLOCK, ENTRY)
    return used
