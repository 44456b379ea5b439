"""A task to test the engine with: numbers are added, and two mistakes are known."""

import random
from dataclasses import replace

from course_lib.grading.boundary.proxy import local
from course_lib.grading.engine import examine
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.grading.trial import draw as draw_for
from course_lib.grading.verdict import Verdict


def draw(rng: random.Random, size: int) -> Case:
    numbers = [rng.randint(1, 9) for _ in range(size + 2)]
    return Case((numbers,), f"{len(numbers)} numbers")


def off_by_one(numbers):
    return sum(numbers) + 1


def without_last(numbers):
    return sum(numbers[:-1])


def total(numbers):
    return sum(numbers)


SUM = Criterion("sum", 2, "Everything is added.", draw)
TASK = Task(
    "ps0.total",
    "Total",
    total,
    (SUM, replace(SUM, name="other", points=1)),
    (
        Misconception("off by one", off_by_one, "sum", "You start at 1."),
        Misconception("last forgotten", without_last, "other", "You stop too early."),
    ),
)
KEY = b"1"
CASES = draw_for(TASK, SUM, KEY, visible=False)


def verdict(function, task: Task = TASK, criterion: Criterion = SUM, visible: bool = False) -> Verdict:
    """What `function` gets for a criterion under KEY."""
    return examine(task, criterion, local(function), KEY, visible)
