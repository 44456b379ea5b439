"""`python -m tests.grading.measure.secrets ps2 --secrets 1000`: what honest solutions lose under many secrets.

A case is decidable if no honest way to compute changes what is right: then every number in the last column is 0.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

from course_lib.grading.boundary.proxy import Student
from course_lib.grading.boundary.student_side import Objects
from course_lib.grading.task import Task
from course_lib.grading.tasks import names, problem_set
from course_lib.grading.trial import attempt

from .honest import honest


def secret(number: int) -> bytes:
    """The key of that number."""
    return number.to_bytes(32, "big")


class Direct(Student):
    """An honest function, called without the boundary, which takes most of the time: it changes no argument."""

    def __init__(self, function: Callable) -> None:
        self._objects, self._function = Objects({}), function
        super().__init__(self._objects.answer, self._objects.hold(function))

    def __call__(self, *arguments: Any) -> Any:
        return self._function(*arguments)

    def forbid(self, names: tuple[str, ...]) -> None:
        pass

    def lend(self, sources: dict[str, str]) -> None:
        pass


def lost(task: Task, function: Callable, key: bytes) -> list[str]:
    """What an honest `function` loses on the cases graded under `key`: a criterion and what was said, for each."""
    trials = (attempt(task, criterion, Direct(function), key, visible=False) for criterion in task.criteria)
    return [f"{trial.criterion.name}: {trial.says}" for trial in trials if trial.failed]


def losses(task: Task, secrets: Sequence[int]) -> list[str]:
    """Every loss of an honest version of `task` under the secrets of these numbers."""
    versions = list(honest(task))
    return [
        f"{version}, secret {number}: {loss}"
        for number in secrets  # the cases of one secret are drawn once for all
        for version, function in versions
        for loss in lost(task, function, secret(number))
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problem_sets", nargs="*", default=names())
    parser.add_argument("--secrets", type=int, default=1000)
    chosen = parser.parse_args()
    print("| task | honest versions | secrets | seconds | lost |\n|-|-|-|-|-|")
    for name in chosen.problem_sets:
        for task in problem_set(name).tasks:
            began = time.monotonic()
            found = losses(task, range(chosen.secrets))
            cells = task.name, len(list(honest(task))), chosen.secrets, f"{time.monotonic() - began:.0f}", len(found)
            print("|", " | ".join(map(str, cells)), "|", *found[:5], flush=True)


if __name__ == "__main__":
    main()
