"""A notebook executed, with the student's cells and the tests in two kernels.

| cell                                     | kernel             |
| solution cells, the student's own cells  | the student's      |
| locked, ungraded (imports, data)         | both               |
| test cells                               | the grader's only  |
"""

import errno
import time
from pathlib import Path

from nbformat import NotebookNode
from nbgrader import utils
from traitlets import Bool, Dict
from traitlets.config import LoggingConfigurable

from course_lib.grading.cells import is_test_cell
from course_lib.grading.isolation import visible_course
from course_lib.grading.isolation.grader_kernel import GraderKernel
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import environment
from course_lib.grading.isolation.sandbox_check import probe
from course_lib.grading.isolation.student_kernel import StudentKernel
from course_lib.grading.nbgrader_hooks import outputs

FULL = (errno.ENOSPC, errno.EDQUOT)


class IsolatedExecute(LoggingConfigurable):
    """What nbgrader_config.py says of it."""

    limits = Dict(help="What a submission may use, where it is not as isolation/limits.py says.").tag(config=True)
    trust_submissions = Bool(
        False,
        help="Grade without a sandbox where none works: students' code then runs with your rights, on your files.",
    ).tag(config=True)

    def walled(self) -> bool:
        """Whether to grade in a sandbox; raises RuntimeError where none works and submissions are not trusted."""
        return walled(self.trust_submissions)


def walled(trusted: bool) -> bool:
    """Whether a sandbox works here; raises RuntimeError where none does and submissions are not `trusted`."""
    report = probe()
    if report.problem is None or trusted:
        return report.problem is None
    raise RuntimeError(
        f"{report} Nothing was graded. To run students' code with your own rights all the same, set "
        "c.IsolatedExecute.trust_submissions = True in nbgrader_config.py."
    )


def hidden(*folders: Path) -> tuple[Path, ...]:
    """Of the course's code and these `folders` those on this machine that lie where the sandbox could read them."""
    return tuple(
        path
        for path in (visible_course.COURSE, *(folder.resolve() for folder in folders))
        if path.exists() and any(path.is_relative_to(readable) for readable in environment())
    )


def disk_is_full(error: Exception) -> bool:
    """Whether an error of the system's, or of the gradebook's, says so."""
    return isinstance(error, OSError) and error.errno in FULL or "disk is full" in str(error)


class Execution:
    """One notebook's; `failures` are errors of ours, `lines` say of each test how it went."""

    def __init__(self, limits: Limits, grader: GraderKernel, student: StudentKernel) -> None:
        self.grader, self.student = grader, student
        self.room, self.tested = limits.outputs_mb << 20, False
        self.failures: list[str] = []
        self.lines: list[str] = []

    def run(self, notebook: NotebookNode) -> None:
        """Fill in the outputs of every code cell."""
        for cell in notebook.cells:
            if cell.cell_type == "code":
                began = time.monotonic()
                self.execute(cell)
                name = cell.metadata.get("nbgrader", {}).get("grade_id") or "a cell of the student's own"
                self.lines.append(f"{time.monotonic() - began:7.2f} s  {name}: {outputs.in_short(cell)}")

    def execute(self, cell: NotebookNode) -> None:
        """Run a cell where it belongs; an error of ours costs this cell alone, and is noted in `failures`."""
        cell.outputs, cell.execution_count = [], None
        try:
            if is_test_cell(cell):
                self.tested = True
                task = cell.metadata.nbgrader.grade_id.partition("__")[0]
                came = self.grader.test(cell.source, task, self.student)
                cell.outputs = outputs.graders(came, float(cell.metadata.nbgrader.points))
                if outputs.has_no_score(cell):
                    self.failures.append(cell.outputs[0].evalue)
            elif utils.is_locked(cell):
                self.student.run(cell.source)
                cell.outputs = self.grader.run(cell.source)
            else:
                cell.outputs = self.students(cell)
        except Exception as error:  # noqa: BLE001  whatever a submission makes of us, it ends with a grade
            if disk_is_full(error):
                raise
            self.failures.append(f"{type(error).__name__}: {error}")
            cell.outputs = [outputs.no_score(str(error))]

    def students(self, cell: NotebookNode) -> list[NotebookNode]:
        """The outputs of one of the student's cells that are kept.

        After the first test the student's code has seen hidden cases: of what it says then, nothing is kept but, of a
        solution cell, the name of an error.
        """
        run, reason = self.student.run(cell.source)
        if self.tested:
            return outputs.errors(run.outputs) if utils.is_solution(cell) else []
        kept = [made for output in run.outputs if (made := outputs.students(output)) is not None]
        self.room -= sum(map(outputs.size, kept))
        if self.room < 0:
            kept = [outputs.failure("TooMuch", "the notebook's outputs together are too large: this one is left out")]
        return [*kept, outputs.failure("Stopped", reason)] if reason else kept
