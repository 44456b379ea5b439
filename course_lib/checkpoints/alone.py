"""A run is made by one process at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

MOMENT = 2.0  # seconds: who only looks holds a lock for less


class BusyError(RuntimeError):
    """Another process makes this run in this folder."""


@contextmanager
def only_one(folder: Path, run: str) -> Iterator[None]:
    """Hold the lock of a run; whoever ends, however it ends, lets go of it. Raises BusyError where another holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = _lock(folder, run)
    try:
        lock.acquire(timeout=MOMENT)
    except Timeout:
        raise BusyError(f"another process makes the run {run!r} in {folder}") from None
    try:
        yield
    finally:
        Path(lock.lock_file).unlink(missing_ok=True)
        lock.release()


def is_made(folder: Path, run: str) -> bool:
    """Whether a process makes this run now."""
    if not Path((lock := _lock(folder, run)).lock_file).exists():
        return False
    try:
        with lock.acquire(blocking=False):
            return False
    except Timeout:
        return True


def _lock(folder: Path, run: str) -> FileLock:
    return FileLock(folder / f"{run}.lock")
