"""A graded task is data: a reference, criteria that each isolate one mechanism, and the mistakes people really make."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass(frozen=True)
class Case:
    """One input of a criterion: the arguments, what they are in words, and what their arithmetic costs in precision.

    `extra` is what the criterion's probe needs beside the arguments: a cotangent, say.
    """

    arguments: tuple
    words: str  # "3 words, 2 merges": all that feedback on a hidden case may say about its input
    scale: float = 1.0  # the largest magnitude among the summed terms
    terms: int = 1  # how many terms the longest sum has
    extra: Any = None


class Parts(dict):
    """What a probe saw, by name: "outputs", "the gradient of x". Students may be told these names."""


class OwnParts(Parts):
    """What was computed anew from the student's own, wrong values: the right numbers are never shown beside it."""


class Told(str):
    """A word of ours for a value ("float32") that gives nothing away: where they differ, both may be shown."""


@dataclass(frozen=True)
class Criterion:
    """One mechanism of a task, worth `points`: earned whole if every case passes, else not at all.

    `draw(random, size)` makes the case of that size, 0 the smallest; a visible check draws `visible` of them from the
    public seed, a grade draws `graded` from the secret one. `probe(function, case)` says how the function is exercised.

    A probe may have a method `excuse(function, case, expected, got)`, asked where the outcome `got` is not what is
    expected: the outcome with what other criteria judge put right, so that one mistake costs one criterion. It earns
    nothing while none of the task's criteria that prove some work is right: a stub has no mistake to excuse. These are
    the criteria without that method, unless the attribute `proves` of the probe says otherwise.
    """

    name: str
    points: float
    says: str
    draw: Callable[[Random, int], Case]
    visible: int = 3
    graded: int = 12
    probe: Callable[[Callable, Case], Any] = lambda function, case: function(*case.arguments)


@dataclass(frozen=True)
class Misconception:
    """A wrong version that people really write: the criterion that is meant to catch it, and the hint it deserves.

    `constant` says that it gives one answer in all cases, as a stub does, and is worth its hint all the same. It can be
    called as the function that it is.
    """

    name: str
    function: Callable
    caught_by: str
    hint: str
    constant: bool = False

    def __call__(self, *arguments: Any, **parts: Any) -> Any:
        return self.function(*arguments, **parts)


@dataclass(frozen=True)
class Task:
    """What one function must do. `forbidden` names (dotted) what may not do the work in its place.

    `trains` says that the function is meant for training: its gradients, both float dtypes and that it leaves its
    arguments alone are criteria then (cases/training.py).

    `lent` are right versions of functions of earlier tasks that this one may use: they stand in for the student's own,
    by name, so that a mistake costs its own task alone. Their source is sent, so each imports what it needs itself.
    """

    name: str  # "ps1.learn_merges"
    title: str
    reference: Callable
    criteria: tuple[Criterion, ...]
    misconceptions: tuple[Misconception, ...] = ()
    forbidden: tuple[str, ...] = ()
    trains: bool = False
    lent: tuple[Callable, ...] = ()

    @property
    def points(self) -> float:
        return sum(criterion.points for criterion in self.criteria)

    def criterion(self, name: str) -> Criterion:
        """The criterion of that name; raises ValueError that lists the names there are."""
        for criterion in self.criteria:
            if criterion.name == name:
                return criterion
        known = ", ".join(criterion.name for criterion in self.criteria)
        raise ValueError(f"criterion must be one of {known} for {self.name}, got {name!r}")


@dataclass(frozen=True)
class ProblemSet:
    """The tasks of one assignment. `release` is written into its notebook: a student who holds an old one is told."""

    name: str
    title: str
    release: int
    tasks: tuple[Task, ...] = field(default=())

    def task(self, name: str) -> Task:
        """The task of that full name ("ps1.learn_merges"); raises ValueError that lists the names there are."""
        for task in self.tasks:
            if task.name == name:
                return task
        raise ValueError(f"task must be one of {', '.join(task.name for task in self.tasks)}, got {name!r}")
