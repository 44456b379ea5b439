"""Grades into the gradebook. What a person gave stays, and stays settled while what was judged is the same."""

import hashlib
import json
from pathlib import Path

from nbgrader import utils
from nbgrader.api import BaseCell, Grade, Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor, SaveAutoGrades
from sqlalchemy import update

from course_lib.files import write_atomically
from course_lib.grading.cells import is_test_cell
from course_lib.grading.nbgrader_hooks import outputs
from course_lib.grading.nbgrader_hooks.links import RECEIVED


def hold_grades(gradebook: Gradebook, notebook: str, assignment: str, student: str) -> dict[str, Grade]:
    """The grades of a notebook by their cells' names; nobody else changes them until the gradebook's transaction ends.

    A statement that writes, and changes nothing, locks their rows in a server, and the file of SQLite.
    """
    found = gradebook.find_submission_notebook(notebook, assignment, student).id
    gradebook.db.execute(update(Grade).where(Grade.notebook_id == found).values(notebook_id=Grade.notebook_id))
    named = gradebook.db.query(BaseCell.name, Grade).join(Grade, Grade.cell_id == BaseCell.id)
    return dict(named.filter(Grade.notebook_id == found).all())


class SaveGrades(SaveAutoGrades):
    """In `c.Autograde.autograde_preprocessors` in place of SaveAutoGrades, which asks for review after every regrade.

    A test that gave no score waits for the next run, or for a person. A grade given by hand is asked for again only if
    its answer is another than the one that was judged; for a test whose score was overruled: if the code or the test's
    own score is another. All grades of a notebook are written, or none of them; a mark that a person gives meanwhile
    waits for that, and is the last word.
    """

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        folder = self.parent.parent.coursedir.format_path(RECEIVED, about["student"], about["assignment"])
        # Beside the folder, not in it: what lies in there is copied to autograded/.
        record = Path(folder).with_name(f".judged-{about['assignment']}-{about['notebook']}")
        self.before = json.loads(record.read_text()) if record.exists() else {}
        self.judged: dict[str, str] = {}
        self.code = [cell.source for cell in nb.cells if cell.cell_type == "code" and not utils.is_locked(cell)]
        self.notebook_id, self.assignment_id, self.student_id = (
            about[name] for name in ("notebook", "assignment", "student")
        )
        with Gradebook(about["db_url"]) as self.gradebook:
            self.grades = hold_grades(self.gradebook, self.notebook_id, self.assignment_id, self.student_id)
            nb, resources = NbGraderPreprocessor.preprocess(self, nb, resources)
            self.gradebook.db.commit()
        with write_atomically(record) as file:
            json.dump(self.judged, file)
        return nb, resources

    def _add_score(self, cell, resources) -> None:
        name = cell.metadata.nbgrader.grade_id
        grade = self.grades[name]
        failed = is_test_cell(cell) and outputs.has_no_score(cell)  # for nbgrader an error is 0 points
        grade.auto_score = None if failed else utils.determine_grade(cell, self.log)[0]
        by_hand = grade.manual_score is not None
        work = [cell.source] if utils.is_solution(cell) else [repr(grade.auto_score), *self.code]
        self.judged[name] = hashlib.sha256("\0".join(work).encode()).hexdigest()
        settled = by_hand and not grade.needs_manual_grade and self.before.get(name) == self.judged[name]
        grade.needs_manual_grade = not settled and (by_hand or grade.auto_score is None)

    def _add_comment(self, cell, resources) -> None:
        name = cell.metadata.nbgrader.grade_id
        comment = self.gradebook.find_comment(name, self.notebook_id, self.assignment_id, self.student_id)
        untouched = cell.metadata.nbgrader.get("checksum") == utils.compute_checksum(cell) and not utils.is_task(cell)
        comment.auto_comment = "No response." if untouched else None
