"""Workers that are processes of this machine: a student's work may end one, which is then renewed."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

import psutil

from course_lib.grading.isolation import leftovers
from course_lib.grading.isolation.grader_kernel import GraderKernel
from course_lib.grading.nbgrader_hooks.at_once import AtOnce, InThisProcess, Work

PATIENCE = 10.0  # seconds that a worker may take to end its kernels
PRELOADED = ("nbgrader.apps.nbgraderapp", "course_lib.grading.nbgrader_hooks.submission")


class Process:
    """A slot with one worker at a time, forked from a process that has imported what all of them need."""

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
        """Hand a submission to the worker; raises BrokenExecutor if it has ended."""
        return self.executor.submit(_work, submitted)

    def end(self) -> None:
        """End the worker, whatever it is doing, and its kernels."""
        with contextlib.suppress(Exception):
            worker = psutil.Process(self.pid.result(PATIENCE))
            worker.terminate()
            if psutil.wait_procs([worker], PATIENCE)[1]:
                worker.kill()
        self.executor.shutdown(cancel_futures=True)


class Processes(AtOnce):
    """Up to `count` submissions at the same time on this machine."""

    def __init__(self, count: int, work: Work, material: Any) -> None:
        self.slots = [Process(work, material) for _ in range(count)]
        super().__init__(self.slots)

    def replace(self, slot: Process) -> None:
        slot.renew()
        self.idle.append(slot)

    def close(self) -> None:
        for slot in self.slots:
            slot.end()
        leftovers.sweep()


def processors() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextlib.contextmanager
def workers(count: int, work: Work, material: Any) -> Iterator[InThisProcess | AtOnce]:
    """Who grades: `count` processes, or this one; they have ended when the block has, however it ends."""
    made = Processes(count, work, material) if count > 1 else InThisProcess(work, material)
    with contextlib.closing(made):
        yield made


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
