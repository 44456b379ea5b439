"""Which mistake explains all that a function did: a hint is given only to the whole pattern of a task's criteria."""

from collections.abc import Sequence
from typing import Any

from course_lib.grading.boundary.proxy import UNWRITTEN, StudentError
from course_lib.grading.compare import difference
from course_lib.grading.task import Case, Misconception, Task
from course_lib.grading.trial import Trial, known_outcomes

ALWAYS_THE_SAME = "It gave the same answer in every case that was tried."
NOTHING = "It returns None every time: is a return missing, or is none reached?"
OTHER_KIND = (
    "On no input does it return what is asked for: is a value missing, or one too many, or the end not written?"
)
WEAK = "This looks like: {name}. {hint}"


def diagnose(task: Task, trials: Sequence[Trial], key: bytes, visible: bool) -> tuple[str | None, str | None]:
    """The names of the misconceptions that give just what came, on every case of every criterion, and their hint.

    Those that fit equally are all named; if only one criterion speaks for them, the hint says that it may be so.
    """
    if _unwritten(trials):
        return None, None
    constant = _constant(trials)
    if constant and _nothing(trials[0].outcomes[0]):
        return None, NOTHING
    fits = [each for each in explanations(task, trials, key, visible) if each.constant or not constant]
    if not fits:
        return None, ALWAYS_THE_SAME if constant else OTHER_KIND if _of_another_kind(trials) else None
    fits = [*{each.hint: each for each in reversed(fits)}.values()][::-1]  # of those with one hint the first
    name, hint = " or ".join(m.name for m in fits), " Or: ".join(m.hint for m in fits)
    if len(fits) > 1:
        return name, f"Either: {hint}"
    spoken = [trial for trial in trials if trial.failed]
    return name, WEAK.format(name=name, hint=hint) if len(spoken) == 1 else hint


def explanations(task: Task, trials: Sequence[Trial], key: bytes, visible: bool) -> list[Misconception]:
    """The task's misconceptions that explain these trials."""
    return [mistake for mistake in task.misconceptions if explains(task, mistake, trials, key, visible)]


def explains(task: Task, mistake: Misconception, trials: Sequence[Trial], key: bytes, visible: bool) -> bool:
    """Whether `mistake` gives just what came, right and wrong, on every case of every criterion.

    Where a wrong value speaks for it, torch may complain in other words: of sizes that do not fit, every operation has
    its own.
    """
    other_words = False
    for trial in sorted(trials, key=lambda trial: trial.failed is None):  # what fails tells most
        known = known_outcomes(task, trial.criterion, mistake.function, key, visible)
        for theirs, outcome, case in zip(known, trial.outcomes, trial.cases, strict=True):
            if same(theirs, outcome, case):
                continue
            if not (getattr(theirs, "kind", "") == getattr(outcome, "kind", "") == "RuntimeError"):
                return False
            other_words = True
    return not other_words or any(_wrong_value(task, trial, key, visible) for trial in trials if trial.failed)


def same(one: Any, other: Any, case: Case) -> bool:
    """Whether two outcomes are the same value, or the same error with the same words."""
    if isinstance(one, StudentError) or isinstance(other, StudentError):
        return isinstance(one, StudentError) and isinstance(other, StudentError) and one.raised == other.raised
    return difference(one, other, case) is None


def _wrong_value(task: Task, trial: Trial, key: bytes, visible: bool) -> bool:
    """Whether some case of a trial gave a value that is wrong."""
    right = known_outcomes(task, trial.criterion, task.reference, key, visible)
    tried = zip(right, trial.outcomes, trial.cases, strict=True)
    return any(not isinstance(got, StudentError) and not same(each, got, case) for each, got, case in tried)


def _unwritten(trials: Sequence[Trial]) -> bool:
    kinds = {getattr(outcome, "kind", None) for trial in trials for outcome in trial.outcomes}
    return kinds == {UNWRITTEN}


def _nothing(outcome: Any) -> bool:
    """Whether the function returned None."""
    return outcome is None or isinstance(outcome, StudentError) and outcome.raised[1].startswith("it returned None,")


def _constant(trials: Sequence[Trial]) -> bool:
    """Whether the function gave one and the same value in all cases; criteria that see the arguments do not count."""
    judged = _of_values(trials)
    several = any(trial.failed and len(trial.outcomes) > 1 for trial in judged)
    return several and all(map(_one_value, judged))


def _of_values(trials: Sequence[Trial]) -> list[Trial]:
    """The trials of the criteria that judge values, not what a call does beside."""
    return [trial for trial in trials if not hasattr(trial.criterion.probe, "excuse")]


def _one_value(trial: Trial) -> bool:
    first, *others = zip(trial.outcomes, trial.cases, strict=True)
    if isinstance(first[0], StudentError) and not _nothing(first[0]):  # an error does not say which value it met
        return False
    return all(same(first[0], outcome, case) for outcome, case in others)


def _of_another_kind(trials: Sequence[Trial]) -> bool:
    """Whether every call returned what is not even of the right kind."""
    outcomes = [outcome for trial in _of_values(trials) for outcome in trial.outcomes]
    wrong = [isinstance(each, StudentError) and each.raised[1].startswith("it returned ") for each in outcomes]
    return bool(wrong) and all(wrong)
