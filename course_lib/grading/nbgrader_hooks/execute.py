"""nbgrader's execution, with the student's cells and the tests in two kernels.

| cell                                     | kernel             |
| solution cells, the student's own cells  | the student's      |
| locked, ungraded (imports, data)         | both               |
| test cells                               | the grader's only  |
"""

import errno
import os
import tempfile
from pathlib import Path

from nbformat import NotebookNode
from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Dict

from course_lib.grading.isolation import visible_course
from course_lib.grading.isolation.grader_kernel import GraderKernel
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import environment
from course_lib.grading.isolation.sandbox_check import probe
from course_lib.grading.isolation.student_kernel import StudentKernel
from course_lib.grading.nbgrader_hooks import outputs

FULL = (errno.ENOSPC, errno.EDQUOT)


class IsolatedExecute(NbGraderPreprocessor):
    """Named in `c.Autograde.autograde_preprocessors` in place of nbgrader's Execute."""

    limits = Dict(help="What a submission may use, where it is not as isolation/limits.py says.").tag(config=True)
    trust_submissions = Bool(
        False,
        help="Grade without a sandbox where none works: students' code then runs with your rights, on your files.",
    ).tag(config=True)

    def walled(self) -> bool:
        """Whether to grade in a sandbox; raises RuntimeError where none works and submissions are not trusted."""
        report = probe()
        if report.problem is None or self.trust_submissions:
            return report.problem is None
        raise RuntimeError(
            f"{report} Nothing was graded. To run students' code with your own rights all the same, set "
            "c.IsolatedExecute.trust_submissions = True in nbgrader_config.py."
        )

    def preprocess(self, nb, resources):
        limits = Limits(**self.limits)
        about = resources["nbgrader"]
        directory = self.parent.parent.coursedir
        released = Path(directory.format_path(directory.release_directory, ".", about["assignment"]))
        files = tuple(
            p for p in sorted(released.iterdir()) if p.is_file() and not p.is_symlink() and p.suffix != ".ipynb"
        )
        grader = GraderKernel.ready()
        self.failures = self.parent.parent.failures
        self.room, self.tested = limits.outputs_mb << 20, False
        with tempfile.TemporaryDirectory(prefix=f"course-{os.getpid()}-", dir="/tmp") as folder:
            Path(folder).chmod(0o755)
            visible_course.build(Path(folder))
            hidden = self.hidden(Path(directory.root))
            with StudentKernel(limits, Path(folder), files, hidden, self.walled()) as student:
                grader.begin(limits)
                for cell in nb.cells:
                    if cell.cell_type == "code":
                        self.execute(cell, grader, student)
        return nb, resources

    def execute(self, cell: NotebookNode, grader: GraderKernel, student: StudentKernel) -> None:
        """Run a cell where it belongs; an error of ours costs this cell alone, and is noted in `failures`."""
        cell.outputs, cell.execution_count = [], None
        try:
            if utils.is_grade(cell) and not utils.is_solution(cell):
                self.tested = True
                task = cell.metadata.nbgrader.grade_id.partition("__")[0]
                came = grader.test(cell.source, task, student)
                cell.outputs = outputs.graders(came, float(cell.metadata.nbgrader.points))
            elif utils.is_locked(cell):
                student.run(cell.source)
                cell.outputs = grader.run(cell.source)
            else:
                cell.outputs = self.students(cell, student)
        except Exception as error:  # noqa: BLE001  whatever a submission makes of us, it ends with a grade
            if isinstance(error, OSError) and error.errno in FULL:
                raise
            self.failures.append(f"{type(error).__name__}: {error}")
            cell.outputs = [outputs.no_score(str(error))]

    def students(self, cell: NotebookNode, student: StudentKernel) -> list[NotebookNode]:
        """The outputs of one of the student's cells that are kept.

        After the first test the student's code has seen hidden cases: of what it says then, nothing is kept but, of a
        solution cell, the name of an error.
        """
        run, reason = student.run(cell.source)
        if self.tested:
            return outputs.errors(run.outputs) if utils.is_solution(cell) else []
        kept = [made for output in run.outputs if (made := outputs.students(output)) is not None]
        self.room -= sum(map(outputs.size, kept))
        if self.room < 0:
            kept = [outputs.failure("TooMuch", "the notebook's outputs together are too large: this one is left out")]
        return [*kept, outputs.failure("Stopped", reason)] if reason else kept

    def hidden(self, root: Path) -> tuple[Path, ...]:
        """Folders of the course that lie where the sandbox could read them."""
        return tuple(
            path
            for path in (visible_course.COURSE, root.resolve())
            if any(path.is_relative_to(readable) for readable in environment())
        )
