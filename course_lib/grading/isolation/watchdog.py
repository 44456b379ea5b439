"""Stops a sandbox that uses too much, where no control group does: looks at all its processes four times a second."""

import contextlib
import os
import threading
from collections.abc import Callable
from pathlib import Path

PAGE = 4096


class Watchdog(threading.Thread):
    """Calls `stop` once the descendants of `pid` exceed their memory or number, or `folder` its bytes."""

    def __init__(
        self, pid: int, folder: Path, memory_bytes: int, processes: int, folder_bytes: int, stop: Callable[[], None]
    ) -> None:
        super().__init__(daemon=True)
        self.pid, self.folder, self.stop = pid, folder, stop
        self.memory_bytes, self.processes, self.folder_bytes = memory_bytes, processes, folder_bytes
        self.ended = threading.Event()

    def run(self) -> None:
        while not self.ended.wait(0.25) and Path("/proc", str(self.pid)).exists():
            pids = descendants(self.pid)
            if (
                sum(map(resident, pids)) > self.memory_bytes
                or len(pids) > self.processes
                or size(self.folder) > self.folder_bytes
            ):
                self.stop()
                return


def descendants(pid: int) -> list[int]:
    """`pid` and all processes that come from it."""
    parents: dict[int, list[int]] = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents.setdefault(int(status.read_text().rpartition(")")[2].split()[1]), []).append(
                int(status.parent.name)
            )
        except (OSError, IndexError, ValueError):
            continue
    found = [pid]
    for each in found:
        found += parents.get(each, [])
    return found


def resident(pid: int) -> int:
    """Bytes of memory that a process holds; 0 if it is gone."""
    try:
        return int(Path("/proc", str(pid), "statm").read_text().split()[1]) * PAGE
    except (OSError, IndexError, ValueError):
        return 0


def size(folder: Path) -> int:
    """Bytes that everything in `folder` takes on the disk, at least a page for each entry."""
    total = 0
    for top, folders, files in os.walk(folder):
        for name in (*folders, *files):
            with contextlib.suppress(OSError):
                total += max(os.lstat(os.path.join(top, name)).st_blocks * 512, PAGE)
    return total
