"""A group of processes with limits on their memory and number together, where this machine lets us make one.

Control groups of version 1 (memory, pids) or 2 (unified), written to under /sys/fs/cgroup; needs root or a delegated
group. Elsewhere the sandbox falls back on limits for each process and a watchdog over all of them.
"""

import contextlib
import os
import secrets
import signal
import time
from pathlib import Path

ROOT = Path("/sys/fs/cgroup")


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

    def join(self) -> None:
        """Put the calling process, and so all that it starts, into the group."""
        for folder in self.folders:
            (folder / "cgroup.procs").write_text(str(os.getpid()))

    def close(self) -> None:
        for folder in self.folders:
            for _ in range(50):
                with contextlib.suppress(FileNotFoundError):
                    for line in (folder / "cgroup.procs").read_text().split():
                        with contextlib.suppress(ProcessLookupError):
                            os.kill(int(line), signal.SIGKILL)
                try:
                    folder.rmdir()
                except FileNotFoundError:
                    break
                except OSError:
                    time.sleep(0.02)
                else:
                    break


def make(memory_bytes: int, processes: int) -> Group | None:
    """A group with these limits, or None where none can be made."""
    try:
        return Group(memory_bytes, processes)
    except OSError:
        return None
