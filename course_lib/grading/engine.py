"""Examine a student's function on one criterion: what it earns, what was seen, and the mistake that explains it all."""

from dataclasses import replace
from inspect import signature

from course_lib.grading.boundary.proxy import Student
from course_lib.grading.compare import shown
from course_lib.grading.diagnosis import diagnose
from course_lib.grading.task import Case, Criterion, Task
from course_lib.grading.trial import Trial, attempt
from course_lib.grading.verdict import Verdict

NOTHING_RIGHT = "it gives points only when at least one criterion that looks at the results passes, and none does yet"
HINT_SECONDS = 10.0  # a function that took longer is not tried on more criteria for the sake of a hint


def judged_trial(task: Task, criterion: Criterion, function: Student, key: bytes, visible: bool = False) -> Trial:
    """The trial of `function` (a Student, here or behind the sandbox's wall) on `criterion`, as it counts.

    Wrong results that a probe excuses earn a criterion only if one that proves some work is right.
    """
    trial = attempt(task, criterion, function, key, visible)
    if trial.excused and not any_right(task, function, key, visible):
        return replace(trial, failed=trial.cases[0], says=NOTHING_RIGHT)
    return trial


def examine(task: Task, criterion: Criterion, function: Student, key: bytes, visible: bool = False) -> Verdict:
    """What `function` earns on `criterion`, all of it or nothing, and what it is told.

    The cases follow from `key`; visible ones may be shown. Where the function fails, the first case that fails is told,
    and the task's other criteria are tried, too: a mistake is named only if it explains all that the function does.
    """
    trial = judged_trial(task, criterion, function, key, visible)
    case = trial.failed
    if case is None:
        return Verdict(task.name, criterion.name, criterion.says, criterion.points, criterion.points, "right")
    trials = every_trial(task, trial, function, key, visible)
    mistake, hint = diagnose(task, trials, key, visible) if trials else (None, None)
    return Verdict(
        task=task.name,
        criterion=criterion.name,
        says=criterion.says,
        points=0.0,
        of=criterion.points,
        message="".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in trial.says),
        case=f"{case.words}: {named_arguments(task, case)}" if visible else case.words,
        misconception=mistake,
        hint=hint,
        arguments=case.arguments if visible else None,
    )


def any_right(task: Task, function: Student, key: bytes, visible: bool) -> bool:
    """Whether a criterion that proves some work is right; True where the task has no such criterion."""
    judges = [each for each in task.criteria if getattr(each.probe, "proves", not hasattr(each.probe, "excuse"))]
    return not judges or any(attempt(task, each, function, key, visible).failed is None for each in judges)


def every_trial(task: Task, trial: Trial, function: Student, key: bytes, visible: bool) -> list[Trial]:
    """The trials of all criteria, or none where that takes too long or no answer comes: a hint costs nobody points."""
    trials, spent = [], trial.seconds
    for criterion in task.criteria:
        if trial.silence or spent > HINT_SECONDS:
            return []
        trial = attempt(task, criterion, function, key, visible)
        trials.append(trial)
        spent += trial.seconds
    return [] if trial.silence else trials


def named_arguments(task: Task, case: Case) -> str:
    """The arguments of a case under the names that the task gives them."""
    names = [*signature(task.reference).parameters]
    if len(names) != len(case.arguments):  # the criterion calls the function several times
        return ", ".join(map(shown, case.arguments))
    return ", ".join(f"{name} = {shown(value)}" for name, value in zip(names, case.arguments, strict=True))
