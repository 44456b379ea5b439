"""Autograde's first step: clean notebooks of every submission that is asked for, whatever was handed in."""

import os
from pathlib import Path

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.utils import rmtree

from course_lib.grading.nbgrader_hooks import intake
from course_lib.grading.nbgrader_hooks.execute import disk_is_full
from course_lib.grading.nbgrader_hooks.links import RECEIVED
from course_lib.grading.nbgrader_hooks.one_by_one import in_the_way, unfit


class Receiving:
    """Mixed into Autograde, before OneByOne: what cannot be received waits."""

    def receive(self) -> None:
        """From submitted/ to received/; what was withdrawn is removed there."""
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
                    notes = {"timestamp": intake.timestamp(folder), "submission_secret": intake.secret(folder)}
                    intake.write(received, target, name, **notes)
            except OSError as error:
                if disk_is_full(error):
                    raise
                self.wait(student, f"it cannot be received ({error.strerror}): look at {target.relative_to(root)}")
