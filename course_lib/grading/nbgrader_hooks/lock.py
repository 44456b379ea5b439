"""One command at a time on a course: of nbgrader's commands that write, a second one changes nothing and says who runs.

The lock is the system's, on a file of the course's folder: it ends with the process that holds it, however that ends.
A gradebook that PostgreSQL keeps is locked there, too: a command from another folder or machine is another one as well.
"""

import contextlib
import functools
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import IO

from nbgrader import apps, converters
from nbgrader.apps import dbapp
from nbgrader.converters import generate_feedback
from sqlalchemy import make_url

try:
    import fcntl
except ImportError:  # Windows, where nothing is graded
    fcntl = None

FILE = "gradebook.db.lock"
WRITE = (  # the gradebook, or folders that others of them read; autograde locks by itself
    *(converters.GenerateAssignment, converters.GenerateSolution, generate_feedback.GenerateFeedback),
    *(apps.ZipCollectApp, apps.CollectApp, apps.ExportApp, apps.UpdateApp),
    *(dbapp.DbStudentAddApp, dbapp.DbStudentRemoveApp, dbapp.DbStudentImportApp),
    *(dbapp.DbAssignmentAddApp, dbapp.DbAssignmentRemoveApp, dbapp.DbAssignmentImportApp, dbapp.DbUpgradeApp),
)

BUSY = "Another command is at work on this course ({}). This one has changed nothing: run it again after that one."


class Busy(Exception):
    """The command cannot begin: another one is at work on the course."""


@contextlib.contextmanager
def alone(root: Path, command: str, db_url: str = "") -> Iterator[None]:
    """Nobody else's `command` on the course in `root` until the block ends; raises Busy where there is one."""
    with open(root / FILE, "a+", encoding="utf-8") as file:
        if not _taken(file):
            file.seek(0)
            raise Busy(BUSY.format(file.read().strip() or "it has just begun"))
        file.truncate(0)
        file.write(f"{command}, process {os.getpid()}, since {datetime.now():%Y-%m-%d %H:%M:%S}\n")
        file.flush()
        try:
            with _in_the_gradebook(db_url, command):
                yield
        finally:
            file.truncate(0)


@contextlib.contextmanager
def _in_the_gradebook(db_url: str, command: str) -> Iterator[None]:
    """The same for all who share a gradebook, where a server keeps it."""
    if not db_url or make_url(db_url).get_backend_name() != "postgresql":
        yield
        return
    from course_lib.grading.nbgrader_hooks import postgres  # what it needs is an extra

    try:
        with postgres.alone(db_url, command) as holder:
            if holder:
                raise Busy(BUSY.format(holder))
            yield
    except postgres.Unreachable as error:
        raise Busy(str(error)) from None


def _taken(file: IO) -> bool:
    """Whether the lock is ours now."""
    try:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def locked(start):
    """A command's `start`, under the lock; where another one is at work it says so and exits with 1."""

    @functools.wraps(start)
    def alone_or_not_at_all(self):
        name = getattr(self, "name", None) or getattr(self.parent, "name", None) or type(self).__name__
        command = f"`{name.replace('nbgrader-', 'nbgrader ')} {self.coursedir.assignment_id}".strip() + "`"
        try:
            with alone(Path(self.coursedir.root), command, self.coursedir.db_url):
                return start(self)
        except Busy as busy:
            self.log.error("%s", busy)
            sys.exit(1)

    return alone_or_not_at_all


def install() -> None:
    """Let every command that writes take the lock."""
    for each in WRITE:
        if not hasattr(each.start, "__wrapped__"):
            each.start = locked(each.start)
