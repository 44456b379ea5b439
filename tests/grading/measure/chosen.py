"""Which tasks a measuring command is told to try."""

import argparse
from collections.abc import Sequence

from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Task


def arguments(about: str | None) -> argparse.ArgumentParser:
    """The command line: names of problem sets and tasks, all sets if none is given."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("names", nargs="*", default=names(), help="problem sets (ps2) or tasks (ps2.lstm_cell)")
    return parser


def tasks(told: Sequence[str]) -> list[Task]:
    """The tasks of these problem sets, and these tasks; raises ValueError for a name that is neither."""
    found = []
    for name in told:
        of_set = problem_set(name.partition(".")[0]).tasks
        matching = [task for task in of_set if name in (task.name, task.name.partition(".")[0])]
        if not matching:
            raise ValueError(f"a task must be one of {', '.join(task.name for task in of_set)}, got {name!r}")
        found += matching
    return found
