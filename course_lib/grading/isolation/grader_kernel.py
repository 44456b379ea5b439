"""The grader's kernel: one for all submissions of a run. It never runs a line of a student's."""

import atexit
import os
from collections import Counter

from nbformat import NotebookNode

from course_lib.grading.isolation.kernel import Kernel, Run
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import STRANGER
from course_lib.grading.isolation.student_kernel import StudentKernel

MARGIN = 120.0  # seconds that a test may take beyond what it waits for
PREPARATION = 120.0  # seconds for a locked cell of ours, which may import torch on a busy machine
PATIENCE = 2  # tests of one task that may wait for an answer in vain; the rest of the task is not tried


class GraderKernel:
    """`begin` a submission, `run` its locked cells, `test` its test cells."""

    current: "GraderKernel | None" = None

    @classmethod
    def ready(cls) -> "GraderKernel":
        """The grader's kernel of this process: started if there is none, started anew if it ended."""
        if cls.current is None or not cls.current.kernel.alive():
            cls.current = cls()
        return cls.current

    def __init__(self) -> None:
        self.kernel = Kernel()
        own = {"PYTHONSAFEPATH": "1", "IPYTHONDIR": str(self.kernel.folder / "ipython")}
        self.kernel.environment = os.environ | own
        self.kernel.start()
        self.waited = False
        atexit.register(self.kernel.close)

    def begin(self, limits: Limits) -> None:
        """A clean namespace for the next submission."""
        if not self.waited and not self.kernel.wait():
            raise RuntimeError("the grader's kernel could not be started")
        self.waited, self.limits, self.vain = True, limits, Counter()
        self._do("get_ipython().run_line_magic('reset', '-f')")
        self._do("from course_lib.grading.boundary.grader_side import Line as _Line")
        self._do(f"_line = _Line({STRANGER}, {limits.call_seconds}, {limits.message_bytes})")

    def run(self, source: str) -> list[NotebookNode]:
        """The outputs of a locked cell that is no test; raises RuntimeError if it does not end."""
        run = self.kernel.run(source, PREPARATION, 16 << 20)
        if run.status not in ("ok", "error"):
            self._broken(run)
        return run.outputs

    def test(self, source: str, task: str, student: StudentKernel) -> list[NotebookNode]:
        """The outputs of a test cell of `task`, whose names of the student's are answered from `student`."""
        refused = student.ended() if student.closed or student.left() <= 0 else None
        seconds = max(min(self.limits.cell_seconds, student.left()), 1.0)
        if self.vain[task] >= PATIENCE:
            refused = f"it gave no answer in {PATIENCE} tests before"
        if refused:
            self._do(f"_line.refuse(globals(), {source!r}, {refused!r})")
        else:
            self._do(f"_line.listen({str(student.kernel.line / 'line')!r})")
            asked = student.serve()
            self._do(f"_line.open(globals(), {source!r}, {seconds}, {student.version})", PREPARATION + seconds)
        run = self.kernel.run(source, seconds + MARGIN, 16 << 20)
        if run.status == "timeout":
            self.kernel.interrupt()
        answered = self._do("_line.close(globals())") == "True"
        if not refused:
            self.vain[task] += not answered
            student.done(asked, answered)
        return run.outputs

    def _do(self, source: str, seconds: float = PREPARATION) -> str:
        """Run a line of our own; raises RuntimeError if it fails, for then the grader is broken."""
        run = self.kernel.run(source, seconds)
        if run.status != "ok":
            self._broken(run)
        return "".join(o.data["text/plain"] for o in run.outputs if o.output_type == "execute_result")

    def _broken(self, run: Run) -> None:
        GraderKernel.current = None
        self.kernel.close()
        raise RuntimeError(f"the grader's kernel: {[o.get('evalue') for o in run.outputs] or run.status}")
