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


def test_all_parts_of_a_split_cell_are_run_and_the_last_is_the_solution():
    """JupyterLab gives each part the whole metadata."""
    parts = [cell("task", "help"), cell("task", "stub"), cell("task", "def"), cell("task", "mine")]
    assert sources(*parts, answer) == ["import x", "Text", "help", "def", "mine", "check(f)\ngrade(f)", "my answer"]
    split = [cell("answer", "my", new_markdown_cell), answer]
    assert sources(task, *split) == ["import x", "Text", "mine", "check(f)\ngrade(f)", "my", "my answer"]
    assert sources(cell("setup", "evil"), cell("setup", "worse"), task, answer) == WORK


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


def test_cells_without_metadata_and_with_other_ids_are_known_by_what_they_define():
    release = released()
    release.cells[2].source = "def f(x):\n    raise NotImplementedError"
    other = cell("other", "def g(x):\n    raise NotImplementedError", solution=True)
    release.cells.insert(4, other)
    mine = [("code", "import x"), ("markdown", "Text"), ("code", "def f(x): return 1"), ("code", "check(f)")]
    mine += [("code", "def f(x): return 1\ndef g(x: return f(x)"), ("code", "mine"), ("markdown", "an answer")]
    make = {"code": new_code_cell, "markdown": new_markdown_cell}
    submitted = handed_in(*(make[kind](source, id=f"x-{n}") for n, (kind, source) in enumerate(mine)))
    for each in submitted.cells[-2:]:
        submitted.cells.remove(each)  # the answer stands behind the last task
    submitted.cells += [make["markdown"]("an answer", id="x-9"), make["code"]("mine", id="x-8")]
    known = SOURCES | {"task": (release.cells[2].source, False), "other": (other.source, False)}
    names = {c.metadata.get("nbgrader", {}).get("grade_id"): c.source for c in rebuilt(release, submitted, known).cells}
    assert names["task"] == "def f(x): return 1" and names["other"].endswith("def g(x: return f(x)")
    assert names["answer"] == "an answer" and names["task__a"] == "check(f)\ngrade(f)" and names[None] == "mine"


def test_a_cell_with_the_released_cells_own_id_is_that_cell():
    release = released()
    release.cells[2].id = "cell-7"
    submitted = handed_in(new_code_cell("mine", id="cell-7"))
    assert "mine" in [c.source for c in rebuilt(release, submitted, SOURCES).cells if c.metadata]


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
