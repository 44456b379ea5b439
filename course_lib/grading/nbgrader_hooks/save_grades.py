"""Grades into the gradebook. What a person gave stays, and stays settled while what was judged is the same."""

import hashlib
import json
from pathlib import Path

from nbgrader import utils
from nbgrader.preprocessors import SaveAutoGrades

from course_lib.files import write_atomically
from course_lib.grading.nbgrader_hooks.autograde import RECEIVED


class SaveGrades(SaveAutoGrades):
    """In `c.Autograde.autograde_preprocessors` in place of SaveAutoGrades, which asks for review after every regrade.

    A grade given by hand is asked for again only if its answer is another than the one that was judged; for a test
    whose score was overruled: if the code or the test's own score is another.
    """

    def preprocess(self, nb, resources):
        about = resources["nbgrader"]
        folder = self.parent.parent.coursedir.format_path(RECEIVED, about["student"], about["assignment"])
        # Beside the folder, not in it: what lies in there is copied to autograded/.
        record = Path(folder).with_name(f".judged-{about['assignment']}-{about['notebook']}")
        self.before = json.loads(record.read_text()) if record.exists() else {}
        self.judged: dict[str, str] = {}
        self.code = [cell.source for cell in nb.cells if cell.cell_type == "code" and not utils.is_locked(cell)]
        nb, resources = super().preprocess(nb, resources)
        with write_atomically(record) as file:
            json.dump(self.judged, file)
        return nb, resources

    def _add_score(self, cell, resources) -> None:
        name = cell.metadata.nbgrader.grade_id
        grade = self.gradebook.find_grade(name, self.notebook_id, self.assignment_id, self.student_id)
        grade.auto_score, _ = utils.determine_grade(cell, self.log)
        by_hand = grade.manual_score is not None
        work = [cell.source] if utils.is_solution(cell) else [repr(grade.auto_score), *self.code]
        self.judged[name] = hashlib.sha256("\0".join(work).encode()).hexdigest()
        settled = by_hand and not grade.needs_manual_grade and self.before.get(name) == self.judged[name]
        grade.needs_manual_grade = not settled and (by_hand or grade.auto_score is None)
        self.gradebook.db.commit()
