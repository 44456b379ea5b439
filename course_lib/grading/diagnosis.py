"""Which mistake explains all that a function did: a hint is given only to the whole pattern of a task's criteria."""

from collections.abc import Sequence
from typing import Any

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.compare import difference
from course_lib.grading.task import Case, Misconception, Task
from course_lib.grading.trial import Trial, known_outcomes

ALWAYS_THE_SAME = "It gives the same answer for every input."
NOTHING = "It returns None: is a return missing?"
WEAK = "This looks like: {name}. {hint}"


def diagnose(task: Task, trials: Sequence[Trial], key: bytes, visible: bool) -> tuple[str | None, str | None]:
    """The names of the misconceptions that give just what came, on every case of every criterion, and their hint.

    Those that fit equally are all named; if only one criterion speaks for them, the hint says that it may be so.
    """
    if _unwritten(trials):
        return None, None
    if _constant(trials):
        return None, NOTHING if _nothing(trials[0].outcomes[0]) else ALWAYS_THE_SAME
    fits = fitting(task, trials, key, visible)
    if not fits:
        return None, None
    name, hint = " or ".join(m.name for m in fits), " Or: ".join(m.hint for m in fits)
    if len(fits) > 1:
        return name, f"Either: {hint}"
    spoken = [trial for trial in trials if trial.failed]
    return name, WEAK.format(name=name, hint=hint) if len(spoken) == 1 else hint


def fitting(task: Task, trials: Sequence[Trial], key: bytes, visible: bool) -> list[Misconception]:
    """The task's misconceptions that explain these trials."""
    return [mistake for mistake in task.misconceptions if explains(task, mistake, trials, key, visible)]


def explains(task: Task, mistake: Misconception, trials: Sequence[Trial], key: bytes, visible: bool) -> bool:
    """Whether `mistake` gives just what came, right and wrong, on every case of every criterion."""
    return all(
        all(
            same(outcome, theirs, case)
            for outcome, theirs, case in zip(
                known_outcomes(task, trial.criterion, mistake.function, key, visible),
                trial.outcomes,
                trial.drawn,
                strict=True,
            )
        )
        for trial in sorted(trials, key=lambda trial: trial.failed is None)  # what fails tells most
    )


def same(one: Any, other: Any, case: Case) -> bool:
    """Whether two outcomes are the same value, or the same error with the same words."""
    if isinstance(one, StudentError) or isinstance(other, StudentError):
        return isinstance(one, StudentError) and isinstance(other, StudentError) and one.raised == other.raised
    return difference(one, other, case) is None


def _unwritten(trials: Sequence[Trial]) -> bool:
    kinds = {getattr(outcome, "kind", None) for trial in trials for outcome in trial.outcomes}
    return kinds == {"NotImplementedError"}


def _nothing(outcome: Any) -> bool:
    """Whether the function returned None."""
    return outcome is None or isinstance(outcome, StudentError) and outcome.raised[1].startswith("it returned None,")


def _constant(trials: Sequence[Trial]) -> bool:
    """Whether one value came for every case, though several are right."""
    first, *others = [(outcome, case) for t in trials for outcome, case in zip(t.outcomes, t.drawn, strict=True)]
    if isinstance(first[0], StudentError) and not _nothing(first[0]):  # an error does not say which value it met
        return False
    return len(others) > 1 and all(same(first[0], outcome, case) for outcome, case in others)
