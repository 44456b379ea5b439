"""The report as nbgrader calls it: an exporter, so that late penalties and folders are those of nbgrader_config.py."""

import os
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.plugins import ExportPlugin

from course_lib.files import write_atomically
from course_lib.grading.nbgrader_hooks.late import LatePenalty
from course_lib.grading.nbgrader_hooks.links import RECEIVED
from course_lib.grading.report import page
from course_lib.grading.report.gather import gather
from course_lib.grading.report.records import Class


class Report(ExportPlugin):
    """`nbgrader export --exporter=course_lib.grading.report.plugin.Report --assignment=ps3`; `--to` names a folder."""

    def export(self, gradebook: Gradebook) -> None:
        folder = Path(self.to or "reports")
        for name in self.assignment or [assignment.name for assignment in gradebook.assignments]:
            klass = self.gathered(gradebook, str(name))
            for suffix, text in (("html", page.html(klass)), ("csv", page.table(klass))):
                with write_atomically(folder / f"{name}.{suffix}") as file:
                    file.write(text)
            self.log.info("The report on %s is in %s", name, folder / f"{name}.html")

    def gathered(self, gradebook: Gradebook, name: str) -> Class:
        """The class of a problem set, with what lateness costs worked out anew."""
        course, late = self.parent.coursedir, LatePenalty(parent=self)
        places = {"autograded": course.autograded_directory, RECEIVED: RECEIVED}
        handed_in = Path(course.format_path(course.submitted_directory, ".", ".")).resolve()
        students = [each.name for each in os.scandir(handed_in)] if handed_in.is_dir() else []
        submitted = [student for student in students if (handed_in / student / name).is_dir()]
        for submission in gradebook.assignment_submissions(name) if name in self._names(gradebook) else ():
            late.apply(gradebook, name, submission.student.id)
        return gather(gradebook, lambda kind, *about: Path(course.format_path(places[kind], *about)), submitted, name)

    def _names(self, gradebook: Gradebook) -> set[str]:
        return {assignment.name for assignment in gradebook.assignments}
