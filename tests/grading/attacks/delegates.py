"""Students of every set's class who have a library do the work: each hands in many tasks, done in one way or some."""

import importlib.util
from dataclasses import dataclass
from types import ModuleType

from course_lib.grading.boundary.proxy import StudentError, local
from course_lib.grading.cells import grade_id
from course_lib.grading.task import Criterion, ProblemSet, Task
from course_lib.grading.trial import attempt

HIDDEN = "not in the sandbox"
DELEGATED = "may not do this task's work: write it yourself"
REFUSED = "the operator is refused in torch's dispatcher"


Cells = dict[str, str]  # solution cells by the names of their tasks' functions


@dataclass(frozen=True)
class Way:
    """What such a student hands in, and what it meets."""

    tries: str
    limit: str
    cells: Cells


def module(name: str) -> ModuleType | None:
    """The module of the ways that fit the problem set `name`, if it has one.

    Its DELEGATES hand in what the real grader refuses; its HERE {(task, way): cell} is refused in this process.
    """
    path = f"tests.problem_sets.{name}.delegation"
    return importlib.import_module(path) if importlib.util.find_spec(path) else None


def delegates(problem: ProblemSet) -> dict[str, Way]:
    """The students by name: one with the grader's own reference of every task, and those of the set's module."""
    imports = "from course_lib.problem_sets.{} import reference as {}"
    functions = {task.name: task.name.partition(".")[2] for task in problem.tasks}
    references = {function: imports.format(task, function) for task, function in functions.items()}
    own = getattr(module(problem.name), "DELEGATES", {})
    return {"references": Way("the reference of every task by import", HIDDEN, references), **own}


def together(ways: dict[str, Way]) -> dict[str, Cells]:
    """What fewer students hand in, who try every way: those with other tasks join the first of them.

    References are of the tasks that nobody tries in another way; if there are none, of all.
    """
    cells = {student: way.cells for student, way in ways.items()}
    every = cells.pop("references")
    tried = {function for own in cells.values() for function in own}
    cells["references"] = {function: cell for function, cell in every.items() if function not in tried} or every
    made: dict[str, Cells] = {}
    for student, own in cells.items():
        host = next((each for each in made if not made[each].keys() & own.keys()), student)
        made[host] = made.get(host, {}) | own
    return made


def sources(problem: ProblemSet, cells: Cells) -> dict[str, str]:
    """What such a student programmed: solution cells by their grade_ids."""
    ids = {task.name.partition(".")[2]: grade_id(task) for task in problem.tasks}
    return {ids[function]: source for function, source in cells.items()}


def errors(task: Task, criterion: Criterion, cell: str) -> list[StudentError]:
    """What the function that `cell` defines raises in this process where that criterion calls it."""
    names = {"__name__": "__main__"}
    exec(cell, names)
    trial = attempt(task, criterion, local(names[task.name.partition(".")[2]]), bytes(32), visible=False)
    return [outcome for outcome in trial.outcomes if isinstance(outcome, StudentError)]


def refused(task: Task, criterion: Criterion, cell: str) -> bool:
    """Whether it raises because of what the task forbids: TorchScript keeps our words, all others say them."""
    found = [error.raised[1] for error in errors(task, criterion, cell)]
    return any(DELEGATED in text or "TorchScript" in text for text in found)
