"""Who grades the submissions of a run: this process, several of this machine, or a cluster's."""

import logging
from contextlib import AbstractContextManager
from typing import Any

from course_lib.grading.nbgrader_hooks import submission
from course_lib.grading.nbgrader_hooks.at_once import AtOnce, CannotGrade, InThisProcess
from course_lib.grading.nbgrader_hooks.execute import IsolatedExecute
from course_lib.grading.nbgrader_hooks.submission import Material
from course_lib.grading.nbgrader_hooks.workers import workers


def where(scheduler: str, settings: IsolatedExecute) -> str:
    """Where submissions are graded, in words; raises CannotGrade where it is plain that they cannot be."""
    try:
        if scheduler:
            _cluster()
            return f"by the workers of {scheduler}"
        return "in a sandbox" if settings.walled() else "WITHOUT a sandbox: they are trusted"
    except (RuntimeError, ModuleNotFoundError) as error:
        raise CannotGrade(str(error)) from None


def graders(
    scheduler: str, count: int, made: Material, log: logging.Logger
) -> AbstractContextManager[InThisProcess | AtOnce]:
    """The workers of `scheduler`; where none is named, `count` processes of this machine."""
    if scheduler:
        return _cluster()(scheduler, submission.grade, made, made.trusted, log)
    return workers(count, submission.grade, made)


def _cluster() -> Any:
    from course_lib.grading.nbgrader_hooks.cluster import cluster  # only then: it is an extra, and takes a second

    return cluster
