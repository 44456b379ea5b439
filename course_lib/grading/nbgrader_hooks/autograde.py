"""`nbgrader autograde` for untrusted submissions.

Takes the place of nbgrader's Autograde where nbgrader looks it up, so that the command, and the button in Formgrader,
stay what they are. Before nbgrader opens a submission it is received (`intake`); a submission that cannot be read gets
0 and the reason; a run that was killed goes on where it stopped; a submission or a test that has changed since is
graded again, and the students whose marks changed are listed. Where an error of ours keeps a test or a notebook from
being graded, it gets 0 and the reason, the run goes on, its student is listed, and is graded again in the next run.
"""

import errno
import hashlib
import json
import os
import warnings
from pathlib import Path

import nbgrader.apps.api
import nbgrader.apps.autogradeapp
import nbgrader.converters
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import NbGraderException
from nbgrader.converters.autograde import Autograde
from nbgrader.utils import rmtree
from sqlalchemy.exc import SAWarning

import course_lib
from course_lib.files import write_atomically
from course_lib.grading import seeds
from course_lib.grading.isolation import leftovers
from course_lib.grading.nbgrader_hooks import feedback, formgrader, intake, lock
from course_lib.grading.nbgrader_hooks.execute import FULL, IsolatedExecute
from course_lib.grading.nbgrader_hooks.links import RECEIVED
from course_lib.grading.nbgrader_hooks.one_by_one import OneByOne, in_the_way, unfit

DONE = ".graded"  # in it: the hashes of what a finished grade was made from

warnings.filterwarnings("ignore", category=SAWarning)  # nbgrader's own, about its sessions: harmless, and many


class IsolatedAutograde(OneByOne, Autograde):
    """nbgrader's Autograde, which reads what intake received instead of what was submitted."""

    @property
    def _input_directory(self) -> str:
        return RECEIVED if self._sanitizing else self.coursedir.autograded_directory

    @lock.locked
    def start(self) -> None:
        leftovers.sweep()
        try:
            walled = IsolatedExecute(parent=self).walled()
        except RuntimeError as error:
            self.log.error("%s", error)
            raise NbGraderException(str(error)) from None
        self.log.info("Submissions are graded %s", "in a sandbox" if walled else "WITHOUT a sandbox: they are trusted")
        self.changed: dict[str, tuple[float, float]] = {}
        self.failures: list[str] = []  # errors of ours in the submission at work
        self.failed: dict[str, str] = {}  # by student
        self.tests_fingerprint = self._tests_fingerprint()
        try:
            super().start()
        finally:
            for student, (before, after) in sorted(self.changed.items()):
                self.log.warning("The mark of %s changed: %g -> %g", student, before, after)
            for student, reason in sorted(self.failed.items()):
                self.log.warning("Not all of %s could be graded; the next run tries again: %s", student, reason)
            for student, reason in sorted(self.waiting.items()):
                self.log.warning("Not graded is the submission of %r: %s", student, reason)

    def init_notebooks(self) -> None:
        """Of what was received, all that was received now."""
        self._receive()
        super().init_notebooks()

    def _receive(self) -> None:
        """Clean notebooks of every submission that is asked for, whatever was handed in."""
        assignment = self.coursedir.assignment_id
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                notebooks = {
                    n.name: {c.name for c in n.source_cells} for n in gradebook.find_assignment(assignment).notebooks
                }
            except MissingEntry:
                return  # nbgrader says what to do
        pattern = self.coursedir.format_path(self.coursedir.submitted_directory, self.coursedir.student_id, assignment)
        root = Path(self.coursedir.root)
        for old in root.glob(
            str(Path(self.coursedir.format_path(RECEIVED, self.coursedir.student_id, assignment)).relative_to(root))
        ):
            if not Path(
                self.coursedir.format_path(self.coursedir.submitted_directory, old.parent.name, assignment)
            ).exists() and not in_the_way(old, root):
                rmtree(str(old))  # withdrawn
        for parent in sorted(root.glob(str(Path(pattern).parent.relative_to(root)))):
            student, folder = parent.name, parent / Path(pattern).name
            if student.startswith(".") or not os.path.lexists(folder):
                continue
            target = Path(self.coursedir.format_path(RECEIVED, student, assignment))
            if reason := unfit(student) or in_the_way(target, root):
                self.wait(student, reason)
                continue
            try:
                for name, known in notebooks.items():
                    received = intake.receive(folder, name, known)
                    for note in received.notes:
                        self.log.warning("The submission of %s: %s", student, note)
                    intake.write(received, target, name, intake.timestamp(folder))
            except OSError as error:
                if disk_is_full(error):
                    raise
                self.wait(student, f"it cannot be received ({error.strerror}): look at {target.relative_to(root)}")

    def init_destination(self, assignment_id: str, student_id: str) -> bool:
        """Grade what was not, was not to the end, or was made from another notebook or other tests."""
        destination = Path(self._format_dest(assignment_id, student_id))
        done = Path(self._format_source(assignment_id, student_id), DONE)
        self.graded_inputs = {
            "notebook": self._hash(student_id, assignment_id),
            "tests": self.tests_fingerprint,
        }
        if destination.exists():
            try:
                before = json.loads(done.read_text())
            except (OSError, ValueError):
                before = None
            if before != self.graded_inputs:
                self.log.info("%s is graded %s", student_id, "again" if before else "anew: the last run did not end")
                rmtree(str(destination))
        if self.force or not destination.exists():
            done.unlink(missing_ok=True)
        self.failures.clear()
        self.student, self.before = student_id, self._score(assignment_id, student_id)
        return super().init_destination(assignment_id, student_id)

    def convert_single_notebook(self, notebook_filename: str) -> None:
        """Grade a notebook; if that fails, grade one in its place that says why."""
        try:
            super().convert_single_notebook(notebook_filename)
        except Exception as error:  # noqa: BLE001  whatever a submission makes of us, it ends with a grade
            if disk_is_full(error):
                message = "The disk is full: nothing of this submission was saved. Make room and run autograde again."
                self.log.error(message)
                raise OSError(errno.ENOSPC, message) from None
            self.log.error("An error of the grader's, not of the student's:", exc_info=True)
            self.failures.append(f"{type(error).__name__}: {error}")
            notice = intake.refused("the grader failed on it; it will be tried again")
            path = Path(notebook_filename)
            intake.write(notice, path.parent, path.stem, self.coursedir.get_existing_timestamp(str(path.parent)))
            super().convert_single_notebook(notebook_filename)

    def set_permissions(self, assignment_id: str, student_id: str) -> None:
        """The last step of a submission: note that it is done, and what its mark was before."""
        super().set_permissions(assignment_id, student_id)
        after = self._score(assignment_id, student_id)
        if self.before is not None and after is not None and self.before != after:
            self.changed[student_id] = (self.before, after)
        if self.failures:
            self.failed[student_id] = self.failures[0]
            return
        with write_atomically(Path(self.coursedir.format_path(RECEIVED, student_id, assignment_id), DONE)) as file:
            json.dump(self.graded_inputs, file)

    def _score(self, assignment: str, student: str) -> float | None:
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                submission = gradebook.find_submission(assignment, student)
            except MissingEntry:
                return None
            graded = [
                grade for notebook in submission.notebooks for grade in notebook.grades if grade.auto_score is not None
            ]
            return submission.score if graded else None

    def _hash(self, student: str, assignment: str) -> str:
        digest = hashlib.sha256()
        folder = Path(self.coursedir.format_path(RECEIVED, student, assignment))
        for path in sorted(filter(Path.is_file, folder.glob("[!.]*"))):
            digest.update(path.name.encode() + path.read_bytes())
        return digest.hexdigest()

    def _tests_fingerprint(self) -> str:
        """A hash of what tests: the test cells in the gradebook, the course's code, the secret."""
        digest = hashlib.sha256(seeds.fingerprint(seeds.secret()).encode())
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                for notebook in gradebook.find_assignment(self.coursedir.assignment_id).notebooks:
                    for cell in sorted(notebook.source_cells, key=lambda cell: cell.name):
                        digest.update(f"{cell.name}\0{cell.source}\0".encode())
            except MissingEntry:
                return ""
        course = Path(course_lib.__file__).parent
        for path in sorted(course.rglob("*.py")):
            if "widgets" not in path.parts:
                digest.update(str(path.relative_to(course)).encode() + path.read_bytes())
        return digest.hexdigest()


def disk_is_full(error: Exception) -> bool:
    """Whether an error of the system's, or of the gradebook's, says so."""
    return isinstance(error, OSError) and error.errno in FULL or "disk is full" in str(error)


def install() -> None:
    """Let nbgrader find what is ours in place of its own; called by nbgrader_config.py."""
    for module in (nbgrader.converters, nbgrader.apps.autogradeapp, nbgrader.apps.api):
        module.Autograde = IsolatedAutograde
    for each in (feedback, formgrader, lock):
        each.install()
