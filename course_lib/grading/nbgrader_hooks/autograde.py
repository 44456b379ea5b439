"""`nbgrader autograde` for untrusted submissions.

Takes the place of nbgrader's Autograde where nbgrader looks it up, so that the command, and the button in Formgrader,
stay what they are. Before nbgrader opens a submission it is received (`intake`); a submission that cannot be read gets
0 and the reason; a run that was killed goes on where it stopped; a submission or a test that has changed since is
graded again, and the students whose marks changed are listed. Where an error of ours keeps a test or a notebook from
being graded, it has no score and waits, the run goes on, its student is listed, and is graded again in the next run.

Several submissions are graded at the same time (`workers.py`). This process alone writes: to the gradebook and to the
course's folders, one submission after the other, as they are done.
"""

import json
import logging
import sys
import warnings
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import nbformat
import nbgrader.apps.api
import nbgrader.apps.autogradeapp
import nbgrader.converters
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import NbGraderException
from nbgrader.converters.autograde import Autograde
from nbgrader.utils import rmtree
from sqlalchemy.exc import SAWarning
from traitlets import Integer, Unicode

from course_lib.files import write_atomically
from course_lib.grading.isolation import leftovers
from course_lib.grading.nbgrader_hooks import feedback, formgrader, lock, material
from course_lib.grading.nbgrader_hooks.execute import IsolatedExecute, disk_is_full
from course_lib.grading.nbgrader_hooks.links import RECEIVED
from course_lib.grading.nbgrader_hooks.one_by_one import OneByOne
from course_lib.grading.nbgrader_hooks.progress import Progress
from course_lib.grading.nbgrader_hooks.receiving import Receiving
from course_lib.grading.nbgrader_hooks.stops import in_words, told_by_us, unusable
from course_lib.grading.nbgrader_hooks.submission import Graded, ungraded
from course_lib.grading.nbgrader_hooks.who_grades import graders, where
from course_lib.grading.nbgrader_hooks.workers import processors

DONE = ".graded"  # in it: the hashes of what a finished grade was made from
LOGS = "logs"  # logs/<student>/<set>.log: how it went, cell by cell
STOPPED = 130  # the exit code of what Ctrl-C ends

warnings.filterwarnings("ignore", category=SAWarning)  # nbgrader's own, about its sessions: harmless, and many


@dataclass
class Begun:
    """A submission at work: its notebooks' files, what its grade is made from, and its mark before."""

    student: str
    notebooks: list[str]
    inputs: dict[str, str]
    before: float | None

    def texts(self) -> dict[str, str]:
        """Its notebooks by name."""
        return {Path(path).stem: Path(path).read_text(encoding="utf-8") for path in self.notebooks}


class IsolatedAutograde(Receiving, OneByOne, Autograde):
    """nbgrader's Autograde, which reads what intake received instead of what was submitted."""

    workers = Integer(
        0,
        min=0,
        help="How many submissions are graded at the same time; 0: one for each processor. Each may use the memory "
        "that the limits allow to a submission, and one GB for the grader.",
    ).tag(config=True)
    scheduler = Unicode(
        help="The address of a scheduler of dask.distributed, whose workers then grade in place of this machine: "
        "tls://host:8786, or tcp://host:8786 where nobody else is on the network."
    ).tag(config=True)

    @property
    def _input_directory(self) -> str:
        return RECEIVED

    @lock.locked
    def start(self) -> None:
        leftovers.sweep()
        logging.getLogger("tornado.application").addFilter(told_by_us)
        self.changed: dict[str, tuple[float, float]] = {}
        self.failed: dict[str, str] = {}  # by student: an error of ours
        self.waiting: dict[str, str] = {}
        try:
            self.tests_fingerprint = material.fingerprint(self.coursedir)
            self.log.info("Submissions are graded %s", where(self.scheduler, IsolatedExecute(parent=self)))
            super().start()
        except Exception as error:
            if (said := in_words(error)) is None:
                raise
            self.log.error("%s", said)
            raise NbGraderException(said) from None
        except KeyboardInterrupt:
            self.log.error("Stopped. What was graded is kept: the same command goes on from there.")
            sys.exit(STOPPED)
        finally:
            for student, (before, after) in sorted(self.changed.items()):
                self.log.warning("The mark of %s changed: %g -> %g", student, before, after)
            for student, reason in sorted(self.failed.items()):
                self.log.warning("Not all of %s could be graded; the next run tries again: %s", student, reason)
            for student, reason in sorted(self.waiting.items()):
                self.log.warning("Not graded is the submission of %r: %s", student, reason)

    def init_notebooks(self) -> None:
        """Of what was received, all that was received now."""
        self.receive()
        super().init_notebooks()

    def convert_notebooks(self) -> None:
        """Grade the submissions, as many at the same time as there are workers, and record each one that is done."""
        self._sanitizing = False
        self._init_preprocessors()
        made = material.of(self.coursedir, IsolatedExecute(parent=self))
        waiting = deque(filter(None, map(self._begin, sorted(self.assignments))))
        if not waiting:
            return
        self.errors: list[str] = []
        begun: dict[str, Begun] = {}
        most = min(self.workers or processors(), len(waiting))
        at_hand = graders(self.scheduler, most, made, self.log)
        with Progress(len(waiting), self.log) as progress, at_hand as at_work:
            while waiting or begun:
                while waiting and at_work.free:
                    one = waiting.popleft()
                    begun[one.student] = one
                    self._hand_over(one, at_work)
                progress.show(len(begun), len(waiting))
                student, came = at_work.next()
                for name in at_work.again():
                    self.log.warning("The process that graded %s ended: it is graded again", name)
                one = begun.pop(student)
                if isinstance(came, Exception) and not disk_is_full(came):
                    self.log.error("An error of the grader's, not of the student's: %s", came)
                    texts, error = one.texts(), came
                    came = {name: ungraded(made.notebooks[name], text, error) for name, text in texts.items()}
                self._record_or_remove(one, came)
                progress.done()
        if self.errors:
            for student in self.errors:
                self.log.error("There was an error processing assignment for student '%s'", student)
            raise NbGraderException("Please see the log above for details on the specific errors.")

    def _hand_over(self, one: Begun, at_work) -> None:
        self.log.info("Autograding the submission of %s", one.student)
        self.notebooks = one.notebooks
        self.run_pre_convert_hook()
        at_work.begin(one.student, one.texts())

    def _begin(self, folder: str) -> Begun | None:
        """A submission that is to be graded: what was not, was not to the end, or was made from other inputs."""
        student, assignment = Path(folder).parent.name, self.coursedir.assignment_id
        self.notebooks = sorted(self.assignments[folder])
        inputs = {"notebook": material.digest(folder), "tests": self.tests_fingerprint}
        destination, done = Path(self._format_dest(assignment, student)), Path(folder, DONE)
        if destination.exists():
            try:
                before = json.loads(done.read_text())
            except (OSError, ValueError):
                before = None
            if before != inputs or not self._is_known(assignment, student):
                again = "again" if before else "anew: the last run did not end"
                self.log.info("%s is graded %s", student, again if before != inputs else "anew: the gradebook lost it")
                rmtree(str(destination))
        if self.force or not destination.exists():
            done.unlink(missing_ok=True)
        mark = self._score(assignment, student)
        return Begun(student, self.notebooks, inputs, mark) if self.init_destination(assignment, student) else None

    def _record_or_remove(self, one: Begun, came: dict[str, Graded] | Exception) -> None:
        """Record what came of a submission; where that fails, leave nothing of it, and go on with the others."""
        try:
            if isinstance(came, Exception):
                raise came
            self._record(one, came)
        except BaseException as error:
            self._remove(one)
            if not isinstance(error, Exception):
                raise
            self.errors.append(one.student)
            if disk_is_full(error):
                self.log.error("The disk is full: %s is not saved. Make room and run autograde again.", one.student)
                return
            if found := unusable(error):
                raise found from None
            self.log.error("There was an error processing the submission of %s", one.student, exc_info=error)

    def _remove(self, one: Begun) -> None:
        if (destination := Path(self._format_dest(self.coursedir.assignment_id, one.student))).exists():
            rmtree(str(destination))

    def _record(self, one: Begun, came: dict[str, Graded]) -> None:
        """Grades into the gradebook, the notebook into autograded/, the log; then note that it is done."""
        assignment, student = self.coursedir.assignment_id, one.student
        self.notebooks = one.notebooks
        submitted, self.coursedir.submitted_directory = self.coursedir.submitted_directory, RECEIVED
        try:  # it looks there for a missing notebook, whose grades would wait for nobody
            self.init_assignment(assignment, student)
        finally:
            self.coursedir.submitted_directory = submitted
        for path in self.notebooks:
            resources = self.init_single_notebook_resources(path)
            notebook = nbformat.reads(came[Path(path).stem].text, 4)
            self.write_single_notebook(*self.exporter.from_notebook_node(notebook, resources))
        self._log(assignment, student, came)
        self.set_permissions(assignment, student)
        after = self._score(assignment, student)
        if one.before is not None and after is not None and one.before != after:
            self.changed[student] = (one.before, after)
        failures = [each for graded in came.values() for each in graded.failures]
        if failures:
            self.failed[student] = failures[0]
        else:
            with write_atomically(Path(self._format_source(assignment, student), DONE)) as file:
                json.dump(one.inputs, file)
        self.run_post_convert_hook()

    def _log(self, assignment: str, student: str, came: dict[str, Graded]) -> None:
        lines = [line for name, graded in came.items() for line in (name, *graded.lines, *graded.failures)]
        try:
            with write_atomically(Path(self.coursedir.root, LOGS, student, f"{assignment}.log")) as file:
                file.write("\n".join([*lines, ""]))
        except OSError as error:  # a grade needs no log
            self.log.warning("There is no log of %s: %s", student, error)

    def _is_known(self, assignment: str, student: str) -> bool:
        """Whether the gradebook has a submission: it may be a new one, or come from a backup."""
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                return bool(gradebook.find_submission(assignment, student))
            except MissingEntry:
                return False

    def _score(self, assignment: str, student: str) -> float | None:
        with Gradebook(self.coursedir.db_url, self.coursedir.course_id) as gradebook:
            try:
                found = gradebook.find_submission(assignment, student)
            except MissingEntry:
                return None
            graded = [
                grade for notebook in found.notebooks for grade in notebook.grades if grade.auto_score is not None
            ]
            return found.score if graded else None


def install() -> None:
    """Let nbgrader find what is ours in place of its own; called by nbgrader_config.py."""
    for module in (nbgrader.converters, nbgrader.apps.autogradeapp, nbgrader.apps.api):
        module.Autograde = IsolatedAutograde
    for each in (feedback, formgrader, lock):
        each.install()
