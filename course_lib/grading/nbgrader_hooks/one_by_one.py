"""Each submission by itself: one that cannot be handled waits, and is named; the run goes on with the others.

nbgrader takes the name of a student's folder for a pattern, and ends the whole run at a newline in it, or at a file
where it wants to make a folder.
"""

import re
from pathlib import Path

UNFIT = re.compile(r"[\x00-\x1f\x7f*?\[\ud800-\udfff]")  # lost, a pattern, or what no gradebook can store


def unfit(student: str) -> str | None:
    """Why nobody can be graded under this name; None if one can."""
    return "nbgrader cannot handle the name of its folder: rename it" if UNFIT.search(student) else None


def in_the_way(path: Path, root: Path) -> str | None:
    """What is no folder where the folder `path`, below `root`, has to be; None if nothing is."""
    for each in reversed([path, *path.parents]):
        if each.is_relative_to(root) and each.exists() and not each.is_dir():
            return f"{each.relative_to(root)} is in the way: a folder has to be there"
    return None


class OneByOne:
    """Mixed into a converter of nbgrader's. `waiting` says why, for each student whose submission is not handled."""

    waiting: dict[str, str]

    def wait(self, student: str, reason: str) -> None:
        """Leave out this student's submission, and say so."""
        self.waiting[student] = reason
        self.log.warning("The submission of %r waits: %s", student, reason)

    def start(self) -> None:
        self.waiting = {}
        super().start()

    def init_notebooks(self) -> None:
        super().init_notebooks()
        for folder in list(self.assignments):
            student = Path(folder).parent.name
            destination = Path(self._format_dest(self.coursedir.assignment_id, student))
            reason = unfit(student) or in_the_way(destination, Path(self.coursedir.root))
            if student not in self.waiting and reason:
                self.wait(student, reason)
            if student in self.waiting:
                del self.assignments[folder]
