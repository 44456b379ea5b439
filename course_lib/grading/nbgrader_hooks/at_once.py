"""Submissions at work, whoever grades them: processes of this machine (`workers.py`), or a cluster (`cluster.py`).

A worker gets text and gives text; it writes to no gradebook. One that ends without an answer costs nobody a grade: its
submission is graded once more, by another one, and only then given up.
"""

import time
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Any, Protocol

TRIES = 2  # of one submission whose worker ends

Work = Callable[[Any, Any], Any]  # (what all submissions are graded with, one of them) → what came of it


class CannotGrade(RuntimeError):
    """Nobody is there who can grade."""


class WorkerEnded(RuntimeError):
    """The process that graded a submission ended, and so did the one that tried it again."""


class InThisProcess:
    """One submission after the other, here."""

    def __init__(self, work: Work, material: Any) -> None:
        self.work, self.material, self.waiting = work, material, []

    @property
    def free(self) -> int:
        """How many submissions can begin."""
        return 1 - len(self.waiting)

    def begin(self, name: str, submitted: Any) -> None:
        """Have a submission graded; what comes of it `next` gives."""
        self.waiting.append((name, submitted))

    def next(self) -> tuple[str, Any]:
        """A name, and what came of its submission, or the error that it raised."""
        name, submitted = self.waiting.pop()
        try:
            return name, self.work(self.material, submitted)
        except Exception as error:  # noqa: BLE001  it is handed on
            return name, error

    def again(self) -> list[str]:
        """Whose submissions are graded a second time, for their worker ended; each is told once."""
        return []

    def close(self) -> None:
        """End what is left."""


@dataclass
class Task:
    """A submission at work, and how often its worker ended."""

    name: str
    submitted: Any
    ended: int = 0


class Slot(Protocol):
    """A worker's place: it grades one submission at a time."""

    def run(self, submitted: Any) -> Future:
        """Hand a submission to the worker. The future fails with BrokenExecutor, or is cancelled, if that ends."""


class AtOnce:
    """As many submissions at the same time as there are slots. Use as InThisProcess."""

    seconds: float | None = None  # after which `look` has to look again

    def __init__(self, slots: Iterable[Slot] = ()) -> None:
        self.idle = list(slots)
        self.waiting: list[Task] = []
        self.running: dict[Future, tuple[Task, Slot]] = {}
        self.repeated: list[str] = []

    def look(self) -> None:
        """See which slots there are now."""

    def replace(self, slot: Slot) -> None:
        """The worker of this slot has ended."""

    @property
    def free(self) -> int:
        self.look()
        nobody = not self.running and not self.waiting  # then one may wait for a slot
        return max(len(self.idle) - len(self.waiting), int(nobody))

    def begin(self, name: str, submitted: Any) -> None:
        self.waiting.append(Task(name, submitted))
        self._place()

    def _place(self) -> None:
        """Hand over what waits, as long as there are slots."""
        while self.waiting and self.idle:
            slot = self.idle.pop()
            try:
                future = slot.run(self.waiting[0].submitted)
            except BrokenExecutor:  # it ended while it had nothing to do
                self.replace(slot)
                continue
            self.running[future] = (self.waiting.pop(0), slot)

    def next(self) -> tuple[str, Any]:
        while True:
            self._place()
            for future in self._done():
                task, slot = self.running.pop(future)
                error = CancelledError() if future.cancelled() else future.exception()
                if not isinstance(error, (BrokenExecutor, CancelledError)):
                    self.idle.append(slot)
                    return task.name, error or future.result()
                self.replace(slot)
                task.ended += 1
                if task.ended == TRIES:
                    return task.name, WorkerEnded(f"the process that graded it ended, {TRIES} times")
                self.repeated.append(task.name)
                self.waiting.insert(0, task)
            self.look()

    def _done(self) -> list[Future]:
        """One that is done, or none after `seconds`."""
        if not self.running:
            time.sleep(self.seconds or 0)
        return list(wait(self.running, self.seconds, FIRST_COMPLETED).done)[:1]

    def again(self) -> list[str]:
        told, self.repeated = self.repeated, []
        return told

    def close(self) -> None:
        """End what is left."""
