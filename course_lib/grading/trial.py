"""A function tried on the cases of a criterion: what came of each, and where it first went wrong."""

import time
from dataclasses import dataclass
from functools import lru_cache
from inspect import getsource
from random import Random
from typing import Any

from course_lib.grading import seeds
from course_lib.grading.boundary.forbid import refusal
from course_lib.grading.boundary.proxy import UNWRITTEN, Student, StudentError, local
from course_lib.grading.compare import difference
from course_lib.grading.task import Case, Criterion, OwnParts, Task

OURS_SECONDS = 120.0  # for one call of a function of ours
PATIENCE = 2  # criteria of one task that may wait for an answer in vain; the others are not tried


@dataclass(frozen=True)
class Trial:
    """One criterion's cases and what came of each: a value, a StudentError, or UNTRIED.

    `failed` is the first case whose outcome is wrong, and `says` what was wrong; `excused` says whether the probe
    excused an outcome, which then is for other criteria to judge.
    """

    criterion: Criterion
    cases: tuple[Case, ...]
    outcomes: tuple[Any, ...]
    failed: Case | None = None
    says: str = "right"
    seconds: float = 0.0  # that its calls took: what is got ready before them, as imports of what is forbidden, is ours
    excused: bool = False

    @property
    def silence(self) -> str:
        """ "silence" or "late" if it ended because no answer came, else ""."""
        return next((kind for outcome in self.outcomes if (kind := silence(outcome))), "")


UNTRIED = StudentError("it was not tried")
ABSENT = "what it imports is not available while graded"
KINDS = {  # of errors that come from what is there while graded, and that are told on hidden cases
    "Delegated": "it uses what may not do this task's work: write it yourself",
    "NameError": "a name in it is not defined",
    "ImportError": ABSENT,
    "ModuleNotFoundError": ABSENT,
    "FileNotFoundError": "a file that it opens is not there while graded",
}
source = lru_cache(maxsize=256)(getsource)  # of a function that is lent: its whole file is read to find it


def silence(outcome: Any) -> str:
    """The kind of an outcome that is no answer, else ""."""
    kind = getattr(outcome, "kind", "")
    return kind if kind in ("silence", "late") else ""


@lru_cache(maxsize=4096)
def draw_cases(criterion: Criterion, seed: int, count: int) -> tuple[Case, ...]:
    """The first `count` cases of `criterion` under `seed`, smallest first; drawn once in a process."""
    return tuple(criterion.draw(Random(f"{seed}/{size}"), size) for size in range(count))


def draw(task: Task, criterion: Criterion, key: bytes, visible: bool) -> tuple[Case, ...]:
    """The cases of `criterion` that follow from `key`: as many as are visible, or as are graded."""
    seed = seeds.seed(key, task.name, criterion.name)
    return draw_cases(criterion, seed, criterion.visible if visible else criterion.graded)


def attempt(task: Task, criterion: Criterion, function: Student, key: bytes, visible: bool) -> Trial:
    """The trial of `function` on `criterion`: from the function's memory, if it has been made."""
    known, place = function.memory, (task.name, criterion.name, key, visible)
    if place not in known:
        if sum(trial.silence != "" for (name, *_), trial in known.items() if name == task.name) >= PATIENCE:
            error = StudentError(f"it gave no answer in {PATIENCE} tests before", kind="silence")
            drawn = draw(task, criterion, key, visible)
            return Trial(criterion, drawn, (error,), drawn[0], str(error))
        trial = _try(task, criterion, function, key, visible)
        if trial.silence == "late":  # no time was left: not its last word
            return trial
        known[place] = trial
    return known[place]


@lru_cache(maxsize=4096)
def known_outcomes(task: Task, criterion: Criterion, function: Any, key: bytes, visible: bool) -> tuple[Any, ...]:
    """What one of our own functions, the reference or a misconception, gives for the cases that follow from `key`.

    A call of theirs has a long time: on a busy machine, too, what is right depends on no clock.
    """
    student = local(function, OURS_SECONDS)
    return tuple(_outcome(criterion, student, case) for case in draw(task, criterion, key, visible))


def _outcome(criterion: Criterion, function: Student, case: Case) -> Any:
    try:
        return criterion.probe(function, case)
    except StudentError as error:
        return error.with_traceback(None)


def _outcomes(
    task: Task, criterion: Criterion, function: Student, drawn: tuple, lent: tuple, seed: int
) -> tuple[tuple, float]:
    """What came of each case, and the seconds that it took.

    They are run in another order than drawn: who counts calls cannot tell the case.
    """
    outcomes: list[Any] = [UNTRIED] * len(drawn)
    order = Random(seed).sample(range(len(drawn)), len(drawn))
    try:
        function.forbid(task.forbidden)
        function.lend({each.__name__: source(each) for each in task.lent}, tuple(each.__name__ for each in lent))
    except StudentError as error:
        return (error, *outcomes[1:]), 0.0
    began = time.monotonic()
    for place in order:
        outcomes[place] = _outcome(criterion, function, drawn[place])
        if silence(outcomes[place]):
            break
    return tuple(outcomes), time.monotonic() - began


def _try(task: Task, criterion: Criterion, function: Student, key: bytes, visible: bool) -> Trial:
    """Grade with our versions of the functions of earlier tasks, so that a mistake costs its own task alone.

    Where the student calls one of these functions in a way that our version cannot serve, their own is used; and where
    all of their own functions together pass, these count.
    """
    lent = task.lent
    trial = _compared(task, criterion, function, key, visible, lent)
    while mine := [each for each in lent if _used_otherwise(trial, each.__name__)]:
        lent = tuple(each for each in lent if each not in mine)
        trial = _compared(task, criterion, function, key, visible, lent)
    if trial.failed and lent and not trial.silence:
        own = _compared(task, criterion, function, key, visible, ())
        if own.failed is None:
            return own
    return trial


def _used_otherwise(trial: Trial, name: str) -> bool:
    """Whether the student's code uses the function `name` in a way that our version of it cannot serve."""
    signs = ("TypeError", f"{name}() "), ("AttributeError", "'function' object has no attribute ")
    errors = [outcome.raised for outcome in trial.outcomes if isinstance(outcome, StudentError)]
    return any(kind == each and text.startswith(begins) for kind, text in errors for each, begins in signs)


def hidden_error_message(task: Task, criterion: Criterion, function: Student, error: StudentError) -> str:
    """What is said of an error on a hidden case: what the visible cases raise decides it, all of them alike or none.

    A type or a line is chosen by the student's code: told for each hidden case, it would tell what its input was.
    """
    if not error.raises:
        return error.hidden
    tried = attempt(task, criterion, function, seeds.PUBLIC, visible=True)
    seen = [each for each in tried.outcomes if isinstance(each, StudentError) and each.raises]
    if not seen:
        return f"{error.hidden}, and raises none on the visible cases"
    kind, text = seen[0].raised
    if all(each.raised == (kind, text) for each in seen) and (
        kind == UNWRITTEN or text in map(refusal, task.forbidden)
    ):
        return str(seen[0])
    because = f": {KINDS[kind]}" if kind in KINDS and all(each.kind == kind for each in seen) else ""
    return f"{error.hidden}, as it does on the visible cases{because}"


def _compared(task: Task, criterion: Criterion, function: Student, key: bytes, visible: bool, lent: tuple) -> Trial:
    drawn = draw(task, criterion, key, visible)
    right = known_outcomes(task, criterion, task.reference, key, visible)
    if errors := [outcome for outcome in right if isinstance(outcome, StudentError)]:
        raise RuntimeError(f"the reference of {task.name} fails on {criterion.name}: {errors[0]}")
    order = seeds.seed(key, task.name, f"{criterion.name}/order")
    outcomes, seconds = _outcomes(task, criterion, function, drawn, lent, order)
    excused = False
    for case, expected, got in zip(drawn, right, outcomes, strict=True):
        if got is UNTRIED:
            continue
        if isinstance(got, StudentError):
            says = str(got) if visible else hidden_error_message(task, criterion, function, got)
        elif (says := difference(expected, got, case, reveal=visible)) and hasattr(criterion.probe, "excuse"):
            judged = criterion.probe.excuse(function, case, expected, got)
            says = difference(expected, judged, case, reveal=visible and not isinstance(judged, OwnParts))
            excused = excused or not says
        if says:
            return Trial(criterion, drawn, outcomes, case, says, seconds)
    return Trial(criterion, drawn, outcomes, seconds=seconds, excused=excused)
