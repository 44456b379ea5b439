"""`nbgrader export`: a row for each problem set and student, with the names and the number that the LMS knows."""

import csv
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin

from course_lib.files import write_atomically
from course_lib.grading.nbgrader_hooks.late import LatePenalty
from course_lib.grading.nbgrader_hooks.sanitize import for_table

STUDENT = ("lms_user_id", "last_name", "first_name", "email")
SCORE = ("raw_score", "late_submission_penalty", "score", "max_score", "waiting")
COLUMNS = ("assignment", "student_id", *STUDENT, "duedate", "timestamp", *SCORE)


class Export(ExportPlugin):
    """Named in `c.ExportApp.plugin_class`; writes grades.csv, or the file named by `--to`."""

    def export(self, gradebook: Gradebook) -> None:
        late = LatePenalty(parent=self)
        with write_atomically(Path(self.to or "grades.csv")) as file:
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            for assignment in gradebook.assignments:
                for student in gradebook.students:
                    if self._chosen(assignment.name, self.assignment) and self._chosen(student.id, self.student):
                        table.writerow(self._row(gradebook, late, assignment, student))
        self.log.info("Grades are in %s", self.to or "grades.csv")

    def _row(self, gradebook: Gradebook, late: LatePenalty, assignment, student) -> dict:
        row = {"assignment": assignment.name, "student_id": for_table(student.id), "max_score": assignment.max_score}
        row |= {name: for_table(getattr(student, name)) for name in STUDENT}
        row |= {"duedate": assignment.duedate, "raw_score": 0.0, "late_submission_penalty": 0.0, "score": 0.0}
        try:
            submission = gradebook.find_submission(assignment.name, student.id)
        except MissingEntry:
            return row
        late.apply(gradebook, assignment.name, student.id)
        lost = submission.late_submission_penalty
        waiting = "yes" if submission.needs_manual_grade else ""
        row |= {"duedate": submission.duedate, "timestamp": submission.timestamp, "waiting": waiting}
        return row | {"raw_score": submission.score, "late_submission_penalty": lost, "score": submission.score - lost}

    def _chosen(self, name: str, among: list) -> bool:
        return not among or name in map(str, among)
