"""One student's kernel in its sandbox: runs cells, serves tests, and comes back after a loop, a crash or a flood."""

import contextlib
import os
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

import psutil

from course_lib.grading.boundary.timelimit import Stopwatch
from course_lib.grading.isolation import enforce
from course_lib.grading.isolation.kernel import Kernel, Run
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import LINE, SOCKETS, Sandbox, outside_uid
from course_lib.grading.isolation.warm import Warm

PREPARE = "from course_lib.grading import serve as _; _.prepare({walled}); del _"
SERVE = "__import__('course_lib.grading.serve', fromlist=['serve']).serve({!r}, globals())"
GRACE = 2.0  # seconds for an interrupted cell to end before its kernel is killed
RESTARTS = 8

STOPPED = {
    "timeout": "it was stopped after {cell_seconds:g} seconds, the most a cell may take",
    "dead": "it ended the notebook's kernel (sys.exit, too much memory, too many processes, or a crash)",
    "flood": "it was stopped because it printed more than {output_kb:,} KB, the most a cell may",
}


class StudentKernel:
    """Use as a context. After a restart the cells that had ended by themselves run again: a loop costs itself alone."""

    def __init__(
        self,
        limits: Limits,
        library: Path,
        files: tuple[Path, ...] = (),
        hidden: tuple[Path, ...] = (),
        walled: bool = True,
        warm: Warm | None = None,
    ) -> None:
        self.limits, self.library, self.files, self.hidden, self.walled = limits, library, files, hidden, walled
        self.warm = warm
        self.ran: list[str] = []
        self.starts = 0
        self.version = 0  # how many cells have run: what a test saw of a function holds until another one runs
        self.kernel: Kernel | None = None
        self.group: enforce.Group | None = None
        self.watchdog: enforce.Watchdog | None = None
        self.before = 0.0  # seconds of the processor that the kernels before this one have used
        self.clock = Stopwatch(self.processor)
        self.closed: str | None = None  # why nothing runs here any more
        self.held: tuple[str, Callable[[], None]] | None = None  # what it serves still, and how the grader hangs up

    def __enter__(self) -> "StudentKernel":
        self.start()
        return self

    def __exit__(self, *_) -> None:
        self.stop()

    def start(self) -> None:
        """Start the kernel anew, and bring it to where it was."""
        self.stop()
        if self.starts > RESTARTS or self.left() <= 0:
            self.closed = "the notebook's kernel ended too often" if self.left() > 0 else self.ended()
            return
        self.starts += 1
        if self.warm and self.warm.works:
            try:
                self._begin(self.warm)
            except (OSError, RuntimeError) as error:
                self.warm.give_up(error)
        if self.kernel is None:
            self._begin()
        if self.starts == 1:
            self.clock = Stopwatch(self.processor)  # what it took until here is not the student's time
        for source in list(self.ran):
            if self._collect(self.kernel.send(source)).status not in ("ok", "error"):
                self.ran.remove(source)  # it does not end a second time: the others are brought back without it
                self.start()
                return

    def _begin(self, warm: Warm | None = None) -> None:
        """A kernel in which nothing of the student's has run yet; raises RuntimeError, or OSError, and leaves none."""
        try:
            self._make(warm)
        except BaseException:
            self._end()
            raise

    def _make(self, warm: Warm | None) -> None:
        self.kernel = kernel = Kernel(
            surroundings() if self.walled else {**os.environ, "PYTHONPATH": str(self.library)}
        )
        self.group = enforce.group(self.limits.memory_mb << 20, self.limits.processes)
        join = self.group.join if self.group else None
        if self.walled:
            kernel.folder.chmod(0o711)
            if os.getuid() == 0:
                os.chown(kernel.sockets, outside_uid(), outside_uid())
            wall = Sandbox(self.limits, kernel.sockets, kernel.line, self.library, self.files, self.hidden)
            kernel.start(wall.command, SOCKETS, join, partial(warm.copy, wall, self.group) if warm else None)
        else:
            for file in self.files:
                shutil.copy(file, kernel.folder)
            kernel.start(join=join)
        usage = enforce.Usage(kernel.pids, kernel.sockets, self.limits, grouped=self.group is not None)
        self.watchdog = enforce.Watchdog(usage.exceeded, self.kill)
        self.watchdog.start()
        if not kernel.wait() or kernel.run(PREPARE.format(walled=self.walled), 60).status != "ok":
            raise RuntimeError(
                "a sandboxed kernel did not start"
            )  # nothing of the student's runs in it yet: not their fault
        if self.walled and os.getuid() == 0:
            os.chown(kernel.sockets, 0, 0)  # it has made its sockets: nothing else is written there

    def run(self, source: str) -> tuple[Run, str | None]:
        """Run one of the student's cells: its outputs, and the reason if it did not end by itself."""
        self.release()
        if self.closed or self.left() <= 0:
            return Run("dead"), self.ended()
        self.version += 1
        asked = self.kernel.send(source)
        run = self._collect(asked)
        if run.status in ("ok", "error"):
            self.ran.append(source)
            return run, None
        self.recover(asked)
        return run, STOPPED[run.status].format(cell_seconds=self.limits.cell_seconds, output_kb=self.limits.output_kb)

    def _collect(self, asked: str) -> Run:
        seconds = max(min(self.limits.cell_seconds, self.left()), 0.001)
        return self.kernel.collect(asked, seconds, self.limits.output_kb << 10)

    def serve(self, hang_up: Callable[[], None]) -> None:
        """Let the kernel call the grader's line, and answer there from one test to the next, until `release`."""
        folder = LINE if self.walled else str(self.kernel.line)
        self.held = self.kernel.send(SERVE.format(f"{folder}/line")), hang_up

    def serves(self, hang_up: Callable[[], None]) -> bool:
        """Whether it still serves the grader who hangs up so; another one's line it leaves."""
        if self.held and self.held[1] != hang_up:
            self.release()
        return self.held is not None

    def release(self) -> None:
        """There are no more tests for now: the grader hangs up, and the kernel is free for cells."""
        if self.held:
            asked, hang_up = self.held
            self.held = None
            hang_up()
            self.done(asked, answered=True)

    def unanswered(self) -> None:
        """A test was not answered to its end: stop what still runs there."""
        asked, _ = self.held or ("", None)
        self.held = None
        self.done(asked, answered=False)

    def ended(self) -> str:
        """Why nothing runs here any more."""
        self.closed = self.closed or "the notebook's time was used up"
        return self.closed

    def done(self, asked: str, answered: bool) -> None:
        """The tests are over; if the kernel did not answer all of them, stop what still runs there."""
        if not answered or self.kernel.collect(asked, GRACE).status != "ok":
            self.recover(asked)

    def recover(self, asked: str) -> None:
        """Interrupt what runs; if that does not end it, start the kernel anew."""
        if self.kernel.alive():
            self.kernel.interrupt(GRACE)
            if self.kernel.collect(asked, GRACE, keep=False).status in ("ok", "error"):
                return
        self.start()

    def left(self) -> float:
        return self.clock.left(self.limits.notebook_seconds)

    def processor(self) -> float:
        """The seconds of the processor that all its kernels have used."""
        return self.before + (self.kernel.processor() if self.kernel else 0.0)

    def kill(self) -> None:
        """End the kernel now: its sandbox, and whatever was seen to run in it, which would end a moment later."""
        if self.kernel is not None and self.kernel.process is not None:
            self.kernel.process.kill()
            for process in self.kernel.processes:
                with contextlib.suppress(psutil.Error):
                    process.kill()

    def stop(self) -> None:
        self.held = None
        if self.kernel is not None:
            self.before = self.processor()
            self._end()

    def _end(self) -> None:
        if self.watchdog:
            self.watchdog.ended.set()
        if self.kernel:
            self.kernel.close()
        if self.group:
            self.group.close()
        self.kernel = self.group = self.watchdog = None


def surroundings() -> dict[str, str]:
    """The environment of bubblewrap itself, which can be read from inside it: no more than it needs."""
    return {"PATH": os.environ.get("PATH", os.defpath)}
