"""Test cells are made from the tasks: behind each solution cell, once, and nothing else is touched."""

import copy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.grading import cells
from course_lib.grading.cells import grade_id, with_test_cells
from course_lib.grading.task import ProblemSet

from .toy_task import SUM, TASK

PROBLEM = ProblemSet("ps0", "Nothing", 1, (TASK,))
SOLUTION = {
    "grade": False,
    "grade_id": "ps0_total",
    "locked": False,
    "schema_version": 3,
    "solution": True,
    "task": False,
}


def notebook() -> nbformat.NotebookNode:
    solution = new_code_cell("def total(numbers): ...", id="solution", metadata={"nbgrader": dict(SOLUTION)})
    question = dict(SOLUTION, grade=True, grade_id="ps0_argument", points=5)
    return new_notebook(
        cells=[
            new_markdown_cell("# Text", id="text"),
            solution,
            new_markdown_cell("More text", id="more"),
            new_markdown_cell("An answer", id="answer", metadata={"nbgrader": question}),
        ]
    )


def ids(made: nbformat.NotebookNode) -> list[str]:
    return [cell.id for cell in made.cells]


def test_each_criterion_gets_a_cell_behind_the_solution():
    made = with_test_cells(notebook(), PROBLEM)
    assert ids(made) == ["text", "solution", "ps0_total__sum", "ps0_total__other", "more", "answer"]
    nbformat.validate(made)
    assert cells.id_(made.cells[2]) == "ps0_total__sum" and made.cells[2].metadata.nbgrader.points == 2
    assert made.cells[2].source.splitlines() == [
        'check("ps0.total", "sum", total)',
        "### BEGIN HIDDEN TESTS",
        'grade("ps0.total", "sum", total)',
        "### END HIDDEN TESTS",
    ]


def test_making_them_again_changes_nothing():
    once = with_test_cells(notebook(), PROBLEM)
    assert with_test_cells(copy.deepcopy(once), PROBLEM) == once


def test_old_and_displaced_test_cells_are_replaced_and_questions_stay():
    made = with_test_cells(notebook(), PROBLEM)
    stale = cells.test_cell(TASK, SUM)
    stale.metadata.nbgrader.grade_id, stale.id = "ps0_total__gone", "gone"
    made.cells.insert(0, stale)
    made.cells.append(made.cells.pop(3))
    assert ids(with_test_cells(made, PROBLEM)) == ids(with_test_cells(notebook(), PROBLEM))


def test_a_missing_solution_cell_is_named():
    with pytest.raises(ValueError, match="solution cell with grade_id ps0_total"):
        with_test_cells(new_notebook(), PROBLEM)


def test_roles_are_told_apart():
    made = with_test_cells(notebook(), PROBLEM)
    assert [cells.is_test_cell(cell) for cell in made.cells] == [False, False, True, True, False, False]
    assert grade_id(TASK) == "ps0_total" and grade_id(TASK, SUM) == "ps0_total__sum"


def test_the_command_rewrites_the_file(tmp_path, monkeypatch):
    path = tmp_path / "ps0" / "ps0.ipynb"
    path.parent.mkdir()
    nbformat.write(notebook(), path)
    monkeypatch.setattr(cells, "SOLUTIONS", tmp_path)
    monkeypatch.setattr(cells, "problem_set", lambda name: PROBLEM)
    cells.main(["ps0"])
    assert ids(nbformat.read(path, 4)) == ids(with_test_cells(notebook(), PROBLEM))


def test_a_missing_notebook_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(cells, "SOLUTIONS", tmp_path)
    monkeypatch.setattr(cells, "problem_set", lambda name: PROBLEM)
    with pytest.raises(SystemExit, match=r"ps0 must have its notebook .*ps0\.ipynb; `make new NAME=ps0`"):
        cells.main(["ps0"])
