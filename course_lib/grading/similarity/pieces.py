"""What is compared: the code that students wrote themselves, task by task; what was given to them, and the solution."""

from collections.abc import Iterable

from nbformat import NotebookNode

from course_lib.grading.cells import grade_id, id_
from course_lib.grading.task import Task

LETTERS = 20_000  # of a task's code that are compared


def own_code(notebook: NotebookNode, released: NotebookNode, tasks: Iterable[Task]) -> dict[str, str]:
    """{task: the code of its solution cell, and of the student's own cells behind it}, where any was written."""
    given = {cell.source.strip() for cell in released.cells}
    solutions = {grade_id(task): task.name for task in tasks}
    pieces: dict[str, list[str]] = {}
    task = ""  # cells before the first task are nobody's
    for cell in notebook.cells:
        task = solutions.get(id_(cell), task)
        about = cell.metadata.get("nbgrader", {})
        if task and cell.cell_type == "code" and not about.get("locked") and cell.source.strip() not in given:
            pieces.setdefault(task, []).append(cell.source)
    return {task: "\n\n".join(sources)[:LETTERS] for task, sources in pieces.items()}


def given_code(released: NotebookNode) -> str:
    """All code that everybody received."""
    return "\n\n".join(cell.source for cell in released.cells if cell.cell_type == "code")
