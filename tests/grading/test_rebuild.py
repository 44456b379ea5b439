"""The notebook that is graded: the released one with what the student wrote, whatever was done to its cells."""

import random

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.grading.nbgrader_hooks.rebuild import rebuilt


def cell(name: str, source: str, make=new_code_cell, **about) -> nbformat.NotebookNode:
    made = make(source, id=name)
    made.metadata["nbgrader"] = {
        "grade_id": name,
        "grade": False,
        "locked": False,
        "solution": False,
        "points": 1,
    } | about
    return made


def handed_in(*cells: nbformat.NotebookNode, **metadata) -> nbformat.NotebookNode:
    """A notebook that nobody has looked at."""
    return nbformat.from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": list(cells)})


def released() -> nbformat.NotebookNode:
    text = new_markdown_cell("Text", id="text")
    return new_notebook(
        cells=[
            cell("setup", "import x", locked=True),
            text,
            cell("task", "stub", solution=True),
            cell("task__a", "check(f)", grade=True, locked=True),
            cell("answer", "YOUR ANSWER", new_markdown_cell, grade=True, solution=True),
        ]
    )


SOURCES = {
    "setup": ("import x", True),
    "task": ("stub", False),
    "task__a": ("check(f)\ngrade(f)", True),
    "answer": ("YOUR ANSWER", False),
}


def sources(*cells: nbformat.NotebookNode) -> list[str]:
    return [c.source for c in rebuilt(released(), handed_in(*cells), SOURCES).cells]


WORK = ["import x", "Text", "mine", "check(f)\ngrade(f)", "my answer"]
UNTOUCHED = ["import x", "Text", "stub", "check(f)\ngrade(f)", "YOUR ANSWER"]
task, answer = cell("task", "mine"), cell("answer", "my answer")


def test_only_sources_of_solution_cells_are_taken():
    assert sources(cell("setup", "evil"), cell("task__a", "7"), task, answer) == WORK


@pytest.mark.parametrize(
    "order",
    [[task, answer], [answer, task], [cell("task", "stub"), task, answer], [task, answer, cell("task", "stub")]],
)
def test_order_and_doubles_change_nothing(order):
    assert sources(*order) == WORK


def test_an_empty_submission_is_the_released_notebook():
    assert sources() == UNTOUCHED


def test_metadata_of_the_submission_is_dropped():
    stolen = cell("task__a", "7", grade=True, points=100)
    stolen.metadata["tags"] = ["skip-execution"]
    notebook = rebuilt(released(), handed_in(stolen, kernelspec={"name": "bash"}), SOURCES)
    assert [c.metadata for c in notebook.cells] == [c.metadata for c in released().cells]
    assert notebook.metadata == released().metadata


def test_own_cells_follow_the_cell_that_they_followed_as_plain_ones():
    own = cell("evil", "helper", grade=True, points=100)
    first = new_code_cell("first", id="first")
    notebook = rebuilt(released(), handed_in(first, cell("setup", ""), own, task, answer), SOURCES)
    assert [c.source for c in notebook.cells] == ["first", "import x", "helper", *WORK[1:]]
    assert notebook.cells[2].metadata == {}


def test_an_own_cell_with_a_tests_id_is_not_the_test():
    assert sources(task, new_code_cell("7", id="task__a"), answer) == WORK


def test_a_solution_cell_known_by_its_id_alone_is_found():
    assert sources(new_code_cell("mine", id="task"), answer) == WORK


@given(st.lists(st.sampled_from(["setup", "text", "task", "task__a", "answer", "own"]), max_size=12), st.integers())
def test_tests_and_setup_stay_whatever_comes(names, seed):
    rng = random.Random(seed)
    submitted = [
        cell(n, "evil", rng.choice([new_code_cell, new_markdown_cell]), grade=rng.random() < 0.5) for n in names
    ]
    notebook = rebuilt(released(), handed_in(*submitted), SOURCES)
    locked = [
        (c.metadata.nbgrader.grade_id, c.source) for c in notebook.cells if c.metadata.get("nbgrader", {}).get("locked")
    ]
    assert locked == [("setup", "import x"), ("task__a", "check(f)\ngrade(f)")]
    graded = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade")]
    assert [c.metadata.nbgrader.grade_id for c in graded] == ["task__a", "answer"]
