"""Marks into a platform's table, as nbgrader calls it: an exporter, so that lateness costs what its config says."""

from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.plugins import ExportPlugin
from traitlets import Bool, Unicode

from course_lib.files import write_atomically
from course_lib.grading.marks import people, sheet
from course_lib.grading.nbgrader_hooks.late import LatePenalty
from course_lib.grading.registry import names, problem_set


class Marks(ExportPlugin):
    """`python -m course_lib.grading.marks ps1 --into Grades.csv` says all of it."""

    into = Unicode(help="The table that was downloaded from Moodle or Canvas.").tag(config=True)
    column = Unicode(help="Canvas: the column of the assignment, where it has another name.").tag(config=True)
    names = Unicode(help="A table with the columns student_id and platform.").tag(config=True)
    scale = Bool(False, help="Give the same share of the points that the platform wants.").tag(config=True)

    def export(self, gradebook: Gradebook) -> None:
        try:
            self._export(gradebook, str(self.assignment[0]))
        except (ValueError, OSError) as error:
            raise SystemExit(f"Nothing was written: {error}") from None

    def _export(self, gradebook: Gradebook, name: str) -> None:
        marks, extra, waiting, of = self.marks(gradebook, name)
        titles = (name, *([problem_set(name).title] if name in names() else []))
        table = sheet.read(sheet.utf_8(Path(self.into)), (self.column,) if self.column else titles)
        known = {student.id: (student.lms_user_id, student.email) for student in gradebook.students}
        listed = people.names_file(Path(self.names)) if self.names else {}
        if unknown := sorted(listed.keys() - known.keys()):
            raise ValueError(f"{self.names} must name students of the gradebook, got {', '.join(unknown)}")
        places = people.matched(table.rows, marks, listed, known)
        closed = sheet.fill(table, places, marks, of, self.scale, extra)
        target = Path(self.to or f"reports/{Path(self.into).stem}-{name}.csv")
        with write_atomically(target, "wb") as file:  # with the line ends that the platform writes
            file.write(table.text().encode())
        self.log.info("%d marks are in %s", len(places) - len(closed), target)
        for words, who in (("wait for a person", waiting), ("are closed on the platform", closed)):
            if who:
                self.log.warning("Left empty, for they %s: %s", words, ", ".join(who))
        if above := [student for student in places if marks[student] > of and student not in closed]:
            self.log.warning("More than the %g points there are, by extra credit: %s", of, ", ".join(above))

    def marks(self, gradebook: Gradebook, name: str) -> tuple[dict[str, float], dict[str, float], list[str], float]:
        """The marks of who is graded to the end, what of them is extra credit, who waits, and the points there are.

        Raises ValueError for an unknown set.
        """
        try:
            of = gradebook.find_assignment(name).max_score
        except MissingEntry:
            there = ", ".join(assignment.name for assignment in gradebook.assignments) or "none"
            raise ValueError(f"the assignment must be one of the gradebook's ({there}), got {name}") from None
        marks, extra, waiting = {}, {}, []
        late = LatePenalty(parent=self)
        for submission in gradebook.assignment_submissions(name):
            late.apply(gradebook, name, submission.student.id)
            grades = [grade for notebook in submission.notebooks for grade in notebook.grades]
            ungraded = not any(grade.auto_score is not None for grade in grades)
            if submission.needs_manual_grade or ungraded:
                waiting.append(submission.student.id)
            else:
                marks[submission.student.id] = submission.score - submission.late_submission_penalty
                extra[submission.student.id] = sum(grade.extra_credit or 0.0 for grade in grades)
        return marks, extra, sorted(waiting), of
