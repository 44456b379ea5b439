"""All tests of a graded task run on one worker: its cases, and what its mistakes give for them, are made there once."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

import pytest

from course_lib.grading.task import Task


def each(tasks: Iterable[Task]) -> pytest.MarkDecorator:
    """The parameter `task`: every one of these."""
    return pytest.mark.parametrize("task", [pytest.param(task, marks=group(task), id=task.name) for task in tasks])


def group(task: Task) -> pytest.MarkDecorator:
    return pytest.mark.xdist_group(task.name)


@lru_cache(maxsize=256)
def nothing_forbidden(task: Task) -> Task:
    """The task without its forbidden names, for functions that use none: to forbid them takes long, at every call."""
    return replace(task, forbidden=())
