"""The test cells of a problem set's notebook, made from its tasks: one grade cell a criterion.

`python -m course_lib.grading.cells ps1` rewrites them in solutions/ps1/ps1.ipynb, behind each task's solution cell;
text and solutions stay as they are. `make release` does it for every set, then runs `nbgrader generate_assignment`.
"""

import sys
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell

from course_lib.files import write_atomically
from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Criterion, ProblemSet, Task

SOLUTIONS = Path("solutions")


def grade_id(task: Task, criterion: Criterion | None = None) -> str:
    """ "ps1_learn_merges" for a task's solution cell, "ps1_learn_merges__counts" for a criterion's grade cell."""
    return task.name.replace(".", "_") + (f"__{criterion.name}" if criterion else "")


def test_cell(task: Task, criterion: Criterion) -> nbformat.NotebookNode:
    """The grade cell: the visible check, and the hidden grade whose value is the score."""
    function = task.name.partition(".")[2]
    call = f'("{task.name}", "{criterion.name}", {function})'
    source = f"check{call}\n### BEGIN HIDDEN TESTS\ngrade{call}\n### END HIDDEN TESTS"
    cell = new_code_cell(source, id=grade_id(task, criterion))
    cell.metadata["deletable"] = cell.metadata["editable"] = False
    cell.metadata["nbgrader"] = {
        "grade": True,
        "grade_id": grade_id(task, criterion),
        "locked": True,
        "points": criterion.points,
        "schema_version": 3,
        "solution": False,
        "task": False,
    }
    return cell


def with_test_cells(notebook: nbformat.NotebookNode, problem: ProblemSet) -> nbformat.NotebookNode:
    """`notebook` with the test cells of every task behind its solution cell; raises ValueError if one is missing."""
    made = {grade_id(task): [test_cell(task, criterion) for criterion in task.criteria] for task in problem.tasks}
    ids = {id_(cell) for cell in notebook.cells}
    if missing := [name for name in made if name not in ids]:
        raise ValueError(f"{problem.name}.ipynb must have a solution cell with grade_id {missing[0]}; it has none")
    kept = [c for c in notebook.cells if not (is_test_cell(c) and id_(c).rpartition("__")[0].startswith(problem.name))]
    notebook.cells = [each for cell in kept for each in (cell, *made.get(id_(cell), ()))]
    return notebook


def id_(cell: nbformat.NotebookNode) -> str:
    """The cell's grade_id; "" if nbgrader does not know it."""
    return cell.metadata.get("nbgrader", {}).get("grade_id", "")


def is_test_cell(cell: nbformat.NotebookNode) -> bool:
    """True for a cell of tests: code that is graded, and not the student's to write."""
    about = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "code" and bool(about.get("grade")) and not about.get("solution")


def main(chosen: list[str]) -> None:
    """Rewrite the test cells of the problem sets named, or of all."""
    for name in chosen or names():
        path = SOLUTIONS / name / f"{name}.ipynb"
        if not path.is_file():
            raise SystemExit(f"{name} must have its notebook {path}; `make new NAME={name}` makes one for a new set")
        notebook = with_test_cells(nbformat.read(path, 4), problem_set(name))
        with write_atomically(path) as file:
            nbformat.write(notebook, file)


if __name__ == "__main__":
    main(sys.argv[1:])
