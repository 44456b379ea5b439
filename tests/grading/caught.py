"""Wrong versions that once passed: each row loses the criterion that it should, and the mistake gets its name."""

from collections.abc import Callable, Iterable
from functools import partial

import pytest
import torch

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import Student, local
from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.cases.numbers import converted
from course_lib.grading.engine import examine, judged_trial
from course_lib.grading.registry import problem_set
from course_lib.grading.task import Task

from .each_task import group, nothing_forbidden
from .measure import secrets

SECRET = secrets.secret(0)
Row = tuple[str, Callable, str, str | None]  # the task, a wrong version, the criterion that it loses, the mistake named


def each_row(problem: str, rows: Iterable[Row]) -> pytest.MarkDecorator:
    """Run a test of `task, function, criterion, mistake` for each row, all rows of a task on one worker."""
    return pytest.mark.parametrize(
        ("task", "function", "criterion", "mistake"),
        [
            pytest.param(task, *row, marks=group(task), id=f"{task.name}-{row[1]}-{i}")
            for i, (name, *row) in enumerate(rows)
            for task in [problem_set(problem).task(f"{problem}.{name}")]
        ],
    )


def in_float32(function):
    """What it computes in float32, cast back: the dtype is right, the last digits are not."""

    def computed(*arguments):
        given = next(each.dtype for each in tensors(arguments) if each.is_floating_point())
        return converted(function(*converted(arguments, torch.float32)), given)

    return computed


def ours(function: Callable) -> Student:
    """A wrong version of a test's as a student's: it may use the tasks' modules, which a student's own may not."""
    return local(partial(function))


def is_caught(task: Task, function: Callable, criterion: str, mistake: str | None) -> None:
    """Assert that `function` loses `criterion`, visible and hidden, not all criteria for a later one, and is told
    `mistake`."""
    task, student = nothing_forbidden(task), ours(function)
    asked = task.criterion(criterion)
    verdict = examine(task, asked, student, seeds.PUBLIC, visible=True)
    assert not verdict.passed and verdict.misconception == mistake
    trials = [judged_trial(task, each, student, seeds.PUBLIC, visible=True) for each in task.criteria]
    assert any(trial.failed is None for trial in trials) or asked == task.criteria[0]
    assert judged_trial(task, asked, student, SECRET).failed


def each_slip(problem: str, slips: Iterable[tuple[str, Callable, set[str]]]) -> pytest.MarkDecorator:
    """Run a test of `task, function, costs` for each row: a wrong version, and all criteria that it loses."""
    return pytest.mark.parametrize(
        ("task", "function", "costs"),
        [
            pytest.param(task, *row, marks=group(task), id=f"{task.name}-{i}")
            for i, (name, *row) in enumerate(slips)
            for task in [problem_set(problem).task(f"{problem}.{name}")]
        ],
    )


def lost(task: Task, function: Callable, key: bytes = SECRET) -> set[str]:
    """The criteria that `function` loses on the hidden cases under `key`."""
    task, student = nothing_forbidden(task), ours(function)
    return {each.name for each in task.criteria if judged_trial(task, each, student, key).failed}
