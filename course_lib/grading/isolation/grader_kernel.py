"""The grader's kernel: one for all submissions of a run. It never runs a line of a student's."""

import contextlib
import os
from collections import Counter
from multiprocessing.util import Finalize

from nbformat import NotebookNode

from course_lib.grading.isolation import enforce
from course_lib.grading.isolation.kernel import Kernel, Run
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import outside_uid
from course_lib.grading.isolation.student_kernel import StudentKernel

MARGIN = 60.0  # seconds that a test may take beyond what it waits for
PREPARATION = 120.0  # seconds for a locked cell of ours, which may import torch on a busy machine
MAX_UNANSWERED = 2  # tests of one task that may stay unanswered; the rest of the task is not tried
NAMES = (  # that our own lines use in it
    "from course_lib.grading.boundary.grader_side import Line as _Line",
    "from course_lib.grading.isolation.enforce import used_by as _used_by",
)
OUTPUT_BYTES = 16 << 20  # what a locked cell may print or draw


class GraderKernel:
    """`begin` a submission, `run` its locked cells, `test` its test cells.

    A kernel that fails in one of them (too much memory, too long) is started anew, with the locked cells of the
    submission; then RuntimeError says what happened, and the next cell can be run.
    """

    current: "GraderKernel | None" = None

    @classmethod
    def ready(cls) -> "GraderKernel":
        """The grader's kernel of this process: made if there is none."""
        if cls.current is None:
            cls.current = cls()
            Finalize(None, cls.end, exitpriority=0)  # at the end of this process, be it a worker or not
        return cls.current

    @classmethod
    def end(cls) -> None:
        """End the grader's kernel of this process, if there is one."""
        if cls.current is not None:
            cls.current.close()
            cls.current = None

    def __init__(self) -> None:
        self.kernel: Kernel | None = None

    def begin(self, limits: Limits) -> None:
        """A clean namespace for the next submission, in a new kernel if the old one ended or has grown."""
        self.limits, self.unanswered, self.locked = limits, Counter(), []
        if self.kernel is None or not self.kernel.alive() or self._large(0.5):
            self._start()
        else:
            self._prepare("get_ipython().run_line_magic('reset', '-f')")

    def run(self, source: str) -> list[NotebookNode]:
        """The outputs of a locked cell that is no test."""
        run = self.kernel.run(source, PREPARATION, OUTPUT_BYTES)
        if run.status not in ("ok", "error"):
            self._failed(run)
        self.locked.append(source)
        return run.outputs

    def test(self, source: str, task: str, student: StudentKernel) -> list[NotebookNode]:
        """The outputs of a test cell of `task`, whose names of the student's are answered from `student`.

        Answers that were late because the machine was busy are asked for once more.
        """
        outputs, came = self._test(source, task, student)
        if came == "starved":
            student.version += 1  # what was seen of it holds no more
            outputs, came = self._test(source, task, student)
        self.unanswered[task] += came in ("starved", "silent")
        return outputs

    def _test(self, source: str, task: str, student: StudentKernel) -> tuple[list[NotebookNode], str]:
        """The outputs, and what the line says in the end; "refused" if nothing was asked."""
        refused = student.ended() if student.closed or student.left() <= 0 else None
        seconds = max(min(self.limits.cell_seconds, student.left()), 1.0)
        if self.unanswered[task] >= MAX_UNANSWERED:
            refused = f"it gave no answer in {MAX_UNANSWERED} tests before"
        if refused:
            student.release()
            ready = f"_line.refuse(globals(), {source!r}, {refused!r})"
        else:
            if not student.serves(self.hang_up):
                self._do(f"_line.listen({str(student.kernel.line / 'line')!r})")
                student.serve(self.hang_up)
            about = (
                f"{source!r}, {seconds}, {student.version}, _used_by({[each.pid for each in student.kernel.processes]})"
            )
            ready = f"_line.open(globals(), {about})"
        whole = f"{ready}\n_line.run(get_ipython(), {source!r})"
        run = self.kernel.run(whole, PREPARATION + 2 * seconds + MARGIN, OUTPUT_BYTES, "_line.came")
        came = "refused" if refused else run.value.strip("'")
        if came not in ("refused", "answered"):
            student.unanswered()
        if run.status != "ok":
            self._failed(run)
        return run.outputs, came

    def hang_up(self) -> None:
        """Let the student's kernel run cells again; where this kernel has ended, or fails now, the line has, too."""
        if self.kernel is not None and self.kernel.alive():
            with contextlib.suppress(RuntimeError):
                self._do("_line.hang_up()")

    def close(self) -> None:
        """End the kernel."""
        if self.kernel is not None:
            self.watchdog.ended.set()
            self.kernel.close()
            self.kernel = None

    def _start(self) -> None:
        self.close()
        self.kernel = kernel = Kernel()
        own = {"PYTHONSAFEPATH": "1", "PYTHONHASHSEED": "random", "IPYTHONDIR": str(kernel.folder / "ipython")}
        kernel.environment = os.environ | own
        kernel.start()
        self.watchdog = enforce.Watchdog(lambda: self._large(1.0), kernel.process.kill)
        self.watchdog.start()
        if not kernel.wait():
            raise RuntimeError("the grader's kernel could not be started")
        self._prepare()

    def _prepare(self, *before: str) -> None:
        """What is there when it has run is for all submissions: no search for garbage looks at it again."""
        line = f"_line = _Line({outside_uid()}, {self.limits.call_seconds}, {self.limits.answers_mb << 20})"
        self._do("\n".join([*before, *NAMES, line, "__import__('gc').freeze()"]))

    def _large(self, share: float) -> bool:
        return enforce.memory(self.kernel.process.pid) > share * (self.limits.grader_mb << 20)

    def _do(self, source: str, seconds: float = PREPARATION) -> str:
        """Run a line of our own and give its value as text."""
        run = self.kernel.run(source, seconds)
        if run.status != "ok":
            self._failed(run)
        return "".join(o.data["text/plain"] for o in run.outputs if o.output_type == "execute_result")

    def _failed(self, run: Run) -> None:
        """Start anew with what was locked, and raise RuntimeError for this cell."""
        self._start()
        for source in self.locked:
            self.kernel.run(source, PREPARATION, OUTPUT_BYTES)
        reason = {"dead": "used too much memory", "timeout": "took too long", "flood": "printed too much"}
        told = [o.get("evalue") for o in run.outputs if o.output_type == "error"]
        raise RuntimeError(f"the grader's kernel {reason.get(run.status, f'failed: {told}')}")
