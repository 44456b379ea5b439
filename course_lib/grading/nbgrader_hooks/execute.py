"""nbgrader's execution, with the student's cells and the tests in two kernels.

| cell                                     | kernel             |
| solution cells, the student's own cells  | the student's      |
| locked, ungraded (imports, data)         | both               |
| test cells                               | the grader's only  |
"""

import os
import tempfile
from pathlib import Path

from nbgrader import utils
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, Float, Integer

from course_lib.grading.isolation import visible_course
from course_lib.grading.isolation.grader_kernel import GraderKernel
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import environment, installed
from course_lib.grading.isolation.sandbox_check import probe
from course_lib.grading.isolation.student_kernel import StudentKernel
from course_lib.grading.nbgrader_hooks import outputs
from course_lib.grading.tasks import names, problem_set

MEGABYTE = 1 << 20
USED_BY_ALL = ("torch", "numpy", "course_lib")  # packages that a submission may import although parts are forbidden


class IsolatedExecute(NbGraderPreprocessor):
    """Named in `c.Autograde.autograde_preprocessors` in place of nbgrader's Execute."""

    call_seconds = Float(5, help="How long one call of a student's function by a test may take.").tag(config=True)
    cell_seconds = Float(30, help="How long one cell of a student's may take.").tag(config=True)
    notebook_seconds = Float(300, help="How long all of a submission may take.").tag(config=True)
    memory_mb = Integer(4096, help="Memory of all of a submission's processes together.").tag(config=True)
    processes = Integer(128, help="Processes and threads of a submission.").tag(config=True)
    files_mb = Integer(256, help="What a submission may write to files.").tag(config=True)
    output_kb = Integer(1024, help="What one cell may print or draw.").tag(config=True)

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

    def limits(self) -> Limits:
        return Limits(
            *(self.call_seconds, self.cell_seconds, self.notebook_seconds, self.memory_mb * MEGABYTE, self.processes),
            *(self.files_mb * MEGABYTE, self.output_kb * 1024),
        )

    def preprocess(self, nb, resources):
        limits = self.limits()
        about = resources["nbgrader"]
        directory = self.parent.parent.coursedir
        released = Path(directory.format_path(directory.release_directory, ".", about["assignment"]))
        files = tuple(
            p for p in sorted(released.iterdir()) if p.is_file() and not p.is_symlink() and p.suffix != ".ipynb"
        )
        grader = GraderKernel.ready()
        with tempfile.TemporaryDirectory(prefix=f"course-{os.getpid()}-", dir="/tmp") as folder:
            Path(folder).chmod(0o755)
            visible_course.build(Path(folder))
            hidden = self.hidden(about["assignment"], Path(directory.root))
            with StudentKernel(limits, Path(folder), files, hidden, self.walled()) as student:
                grader.begin(limits)
                for cell in nb.cells:
                    if cell.cell_type == "code":
                        self.execute(cell, grader, student)
        return nb, resources

    def execute(self, cell, grader: GraderKernel, student: StudentKernel) -> None:
        cell.outputs, cell.execution_count = [], None
        if utils.is_grade(cell) and not utils.is_solution(cell):
            task = cell.metadata.nbgrader.grade_id.partition("__")[0]
            cell.outputs = outputs.graders(
                grader.test(cell.source, task, student), float(cell.metadata.nbgrader.points)
            )
            return
        if utils.is_locked(cell):
            student.run(cell.source)
            cell.outputs = grader.run(cell.source)
            return
        run, said = student.run(cell.source)
        cell.outputs = [kept for output in run.outputs if (kept := outputs.students(output)) is not None]
        if said:
            cell.outputs.append(outputs.failure("Stopped", said))

    def hidden(self, assignment: str, root: Path) -> tuple[Path, ...]:
        """Folders that the sandbox could read and must not: references, forbidden packages, the course."""
        packages = {"course_lib"}
        if assignment in names():
            forbidden = [name for task in problem_set(assignment).tasks for name in task.forbidden]
            packages |= {name.partition(".")[0] for name in forbidden} - set(USED_BY_ALL)
        found = [path for package in sorted(packages) for path in installed(package)]
        for path in (visible_course.COURSE, root.resolve()):
            if any(path.is_relative_to(readable) for readable in environment()):
                found.append(path)
        return tuple(found)
