"""Submissions graded at the same time: a process for each, which a student's work may end, and which is then renewed.

A worker gets text and gives text; it writes to no gradebook. One that ends without an answer costs nobody a grade: its
submission is graded once more, by a new one, and only then given up.
"""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any

import psutil

from course_lib.grading.isolation import leftovers
from course_lib.grading.isolation.grader_kernel import GraderKernel

TRIES = 2  # of one submission whose worker ends
PATIENCE = 10.0  # seconds that a worker may take to end its kernels
PRELOADED = ("nbgrader.apps.nbgraderapp", "course_lib.grading.nbgrader_hooks.submission")

Work = Callable[[Any, Any], Any]  # (what all submissions are graded with, one of them) → what came of it


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
    """A submission at work: in which slot, and how often its worker ended."""

    slot: "Slot"
    name: str
    submitted: Any
    ended: int = 0


class Slot:
    """One worker at a time. It imports what all of them need only once: they are forked from one that has."""

    def __init__(self, work: Work, material: Any) -> None:
        self.work, self.material = work, material
        self.start()

    def start(self) -> None:
        """A new worker."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([name for name in PRELOADED if name in sys.modules])
        self.executor = ProcessPoolExecutor(1, context, initializer=_ready, initargs=(self.work, self.material))
        self.pid = self.executor.submit(os.getpid)

    def renew(self) -> None:
        """A new worker in place of one that ended."""
        self.executor.shutdown()
        leftovers.sweep()
        self.start()

    def run(self, submitted: Any) -> Future:
        """Hand a submission to the worker; raises BrokenProcessPool if it has ended."""
        return self.executor.submit(_work, submitted)

    def end(self) -> None:
        """End the worker, whatever it is doing, and its kernels."""
        with contextlib.suppress(Exception):
            worker = psutil.Process(self.pid.result(PATIENCE))
            worker.terminate()
            if psutil.wait_procs([worker], PATIENCE)[1]:
                worker.kill()
        self.executor.shutdown(cancel_futures=True)


class Processes:
    """Up to `count` submissions at the same time. Use as InThisProcess."""

    def __init__(self, count: int, work: Work, material: Any) -> None:
        self.slots = [Slot(work, material) for _ in range(count)]
        self.idle = list(self.slots)
        self.running: dict[Future, Task] = {}
        self.repeated: list[str] = []

    @property
    def free(self) -> int:
        return len(self.idle)

    def begin(self, name: str, submitted: Any) -> None:
        self._run(Task(self.idle.pop(), name, submitted))

    def _run(self, task: Task) -> None:
        try:
            future = task.slot.run(task.submitted)
        except BrokenProcessPool:  # it ended while it had nothing to do
            task.slot.renew()
            future = task.slot.run(task.submitted)
        self.running[future] = task

    def next(self) -> tuple[str, Any]:
        while True:
            done, _ = wait(self.running, return_when=FIRST_COMPLETED)
            future = next(iter(done))
            task, error = self.running.pop(future), future.exception()
            if isinstance(error, BrokenProcessPool):
                task.slot.renew()
                task.ended += 1
                if task.ended < TRIES:
                    self.repeated.append(task.name)
                    self._run(task)
                    continue
                error = WorkerEnded(f"the process that graded it ended, {TRIES} times")
            self.idle.append(task.slot)
            return task.name, error or future.result()

    def again(self) -> list[str]:
        """Whose submissions are graded a second time, for their worker ended; each is told once."""
        told, self.repeated = self.repeated, []
        return told

    def close(self) -> None:
        for slot in self.slots:
            slot.end()
        leftovers.sweep()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def workers(count: int, work: Work, material: Any) -> Iterator[InThisProcess | Processes]:
    """Who grades: `count` processes, or this one; they have ended when the block has, however it ends."""
    made = Processes(count, work, material) if count > 1 else InThisProcess(work, material)
    try:
        yield made
    finally:
        made.close()


def _ready(work: Work, material: Any) -> None:
    """In a worker, before its first submission."""
    global _work_here, _material
    _work_here, _material = work, material
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that writes: it ends this one
    signal.signal(signal.SIGTERM, _end)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _work(submitted: Any) -> Any:
    return _work_here(_material, submitted)


def _end(*_) -> None:
    """End this process and its kernels: a sandbox dies with the process that made it."""
    GraderKernel.end()
    os._exit(1)


def _end_with_parent() -> None:
    multiprocessing.parent_process().join()
    os._exit(1)  # the kernels end with it, and their folders are swept by who comes next
