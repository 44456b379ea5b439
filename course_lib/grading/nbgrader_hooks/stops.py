"""What stops a run of autograde, in words for who grades: the gradebook, disk, secret or settings, no grader."""

import logging

from sqlalchemy.exc import DBAPIError, InternalError, OperationalError
from traitlets import TraitError

from course_lib.grading.nbgrader_hooks.at_once import CannotGrade
from course_lib.grading.nbgrader_hooks.execute import disk_is_full
from course_lib.grading.seeds import NoSecret

SENTENCES = (CannotGrade, NoSecret, TraitError)  # of a setting, too: they say what is wrong
UNUSABLE = (OperationalError, InternalError)  # of the database, not of what is written
SAYS = {  # in what the database says: what to do
    "locked": "another program has held it for too long: close it",
    "readonly": "it can be read only: give yourself the right to write it",
    "read-only": "it can be read only: give yourself the right to write it",
    "unable to open": "its file cannot be opened: look at its folder and your rights",
    "connect": "its server cannot be reached: is it running, and is db_url right?",
    "password": "its server refuses you: look at the name and the password in db_url",
    "no such table": "back it up, then try `nbgrader db upgrade`",
    "no such column": "back it up, then try `nbgrader db upgrade`",
}


def unusable(error: BaseException | None) -> DBAPIError | None:
    """The database's error that led to this one, for nbgrader makes InvalidEntry of some; None if there is none."""
    while error is not None and not isinstance(error, UNUSABLE):
        error = error.__cause__ or error.__context__
    return error


def in_words(error: Exception) -> str | None:
    """What is said of an error that stops the run; None of one that is not known."""
    if disk_is_full(error):
        return "The disk is full. Make room and run autograde again: it goes on from there."
    return why(error) if isinstance(error, UNUSABLE) else str(error) if isinstance(error, SENTENCES) else None


def told_by_us(record: logging.LogRecord) -> bool:
    """A filter for what nbgrader logs: not the whole stack of an error of which we say what it means."""
    return not record.getMessage().startswith("Rolling back session")


def why(error: DBAPIError) -> str:
    """Why the gradebook cannot be used, and what to do; what was graded before is kept."""
    said = str(error.orig).strip()
    advice = next((advice for word, advice in SAYS.items() if word in said.lower()), "look at the database")
    return f"The gradebook cannot be used ({said}): {advice}. Then run the same command again: it goes on from there."
