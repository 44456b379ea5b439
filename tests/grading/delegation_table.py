"""`python -m tests.grading.delegation_table` prints the ways to have a library do the work, and how many are caught."""

import tempfile
from pathlib import Path

from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import ProblemSet, Task
from tests.problem_sets.ps1 import delegation

from .attacks.delegates import delegates, module, refused, sources
from .attacks.run import FEW, grade, prepare
from .course import Course
from .sample_class import build

PLACES = [(task, place) for name in names() for task in problem_set(name).tasks for place in [module(name)]]
HERE: dict[tuple[Task, str], str] = {  # (task, way): the solution cell
    (task, way): cell
    for task, place in PLACES
    for (function, way), cell in getattr(place, "HERE", {}).items()
    if task.name.partition(".")[2] == function
}
Row = tuple[str, str, str, str, float]  # set, way, what it does, what it meets, points gained


def autograded(problem: ProblemSet, folder: Path) -> list[Row]:
    """The students who have a library do the work of that set, through the real autograde."""
    course, ways = Course.create(folder / "course"), delegates(problem)
    course.nbgrader("generate_assignment", problem.name)
    build(course.folder, problem.name, {student: sources(problem, way.cells) for student, way in ways.items()})
    course.nbgrader("autograde", problem.name)
    grades = course.grades(problem.name)
    gained = {student: sum(grade.score for grade in grades[student].values()) for student in ways}
    tasks = {student: f"{way.tries} ({len(way.cells)} tasks)" for student, way in ways.items()}
    return [(problem.name, student, tasks[student], way.limit, gained[student]) for student, way in ways.items()]


def of_the_first_set(folder: Path) -> list[Row]:
    """The ways of problem set 1 to get at the reference or a library, through the real autograde."""
    run = grade(prepare(folder / "course", tasks=FEW), delegation.ATTACKS)
    return [("ps1", each.name, each.tries, each.limit, run.gained(each)) for each in delegation.ATTACKS]


def in_this_process() -> list[Row]:
    """The ways that torch offers, in every task that they could do, on all its criteria."""
    rows = []
    for (task, way), cell in HERE.items():
        gained = sum(criterion.points for criterion in task.criteria if not refused(task, criterion, cell))
        rows.append((task.name, way, "torch in this process", "refused wherever it is called", gained))
    return rows


def main() -> None:
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="delegation-") as folder:
        for name in names():
            rows += autograded(problem_set(name), Path(folder, name))
        rows += of_the_first_set(Path(folder, "ways"))
    rows += in_this_process()
    print("| set | way | what it does | what it meets | points gained |\n|-|-|-|-|-|")
    for *words, gained in rows:
        print("|", " | ".join(words), f"| {gained:+g} |")
    caught = sum(gained == 0 for *_, gained in rows)
    print(f"\ncaught: {caught} of {len(rows)}; a reference's source, copied into the notebook, earns its points")


if __name__ == "__main__":
    main()
