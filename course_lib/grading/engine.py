"""Examine a student's function on one criterion: run it on every case, compare with the reference, name the mistake."""

import contextlib
from functools import lru_cache
from random import Random
from typing import Any

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.compare import difference, shown
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.verdict import Verdict


@lru_cache(maxsize=1024)
def draw_cases(criterion: Criterion, seed: int, count: int) -> tuple[Case, ...]:
    """The first `count` cases of `criterion` under `seed`, smallest first; drawn once in a process."""
    return tuple(criterion.draw(Random(f"{seed}/{size}"), size) for size in range(count))


def examine(
    task: Task, criterion: Criterion, function: Student, drawn: tuple[Case, ...], reveal: bool = False
) -> Verdict:
    """Run `function` (a Student, here or behind the sandbox's wall) on `drawn`; the first case that fails is reported.

    The whole criterion is earned, or nothing. A value that is wrong is compared with the task's misconceptions: if one
    of them gives exactly what came, on every case, the verdict names it and carries its hint.
    """
    says = mistake = None
    outcomes: list[Any] = []
    for case in drawn:
        expected = criterion.probe(task.reference, case)
        try:
            function.forbid(task.forbidden)
            outcomes.append(criterion.probe(function, case))
        except StudentError as error:
            if says is None:
                says, failed = str(error), case
            break
        if says is None and (says := difference(expected, outcomes[-1], case, reveal)):
            failed = case
    else:
        if says is None:
            return Verdict(task.name, criterion.name, criterion.says, criterion.points, criterion.points, "right")
        mistake = recognise(task, criterion, drawn, outcomes)
    return _verdict(task, criterion, says, failed, reveal, mistake)


def recognise(task: Task, criterion: Criterion, drawn: tuple[Case, ...], outcomes: list[Any]) -> Misconception | None:
    """The misconception that gives exactly `outcomes` on `drawn`, if there is one; its own criterion's first."""
    for mistake in sorted(task.misconceptions, key=lambda m: m.caught_by != criterion.name):
        function = local(mistake.function)
        with contextlib.suppress(StudentError):
            if all(
                difference(criterion.probe(function, c), o, c) is None for c, o in zip(drawn, outcomes, strict=True)
            ):
                return mistake
    return None


def _verdict(
    task: Task, criterion: Criterion, says: str, case: Case, reveal: bool, mistake: Misconception | None = None
) -> Verdict:
    on = f"{case.words}: {', '.join(shown(argument) for argument in case.arguments)}" if reveal else case.words
    name, hint = (mistake.name, mistake.hint) if mistake else (None, None)
    says = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in says)  # no control characters
    return Verdict(task.name, criterion.name, criterion.says, 0.0, criterion.points, says, on, name, hint)
