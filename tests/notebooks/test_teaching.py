"""How a lecture teaches: predictions are asked for and answered, exercises have folded solutions, code is readable."""

import ast
import re

import pytest

from course_lib.maintain.predictions import GUESS
from course_lib.reader.minutes import left_out

from .lecture import LECTURES, notebook

TAUGHT = pytest.mark.parametrize("cells", [pytest.param(notebook(name).cells, id=name) for name in LECTURES])
FOLDED = {"source_hidden": True}


@TAUGHT
def test_each_section_lets_the_reader_predict(cells):
    text = "\n".join(cell.source for cell in cells)
    sections = re.split(r"^## (?=\d)", text, flags=re.MULTILINE)[1:]
    without = [section.partition("\n")[0] for section in sections if "**Predict." not in section]
    assert [re.sub(r"^\d+ · ", "", title) for title in without] == ["Exercises"]


@TAUGHT
def test_each_prediction_is_answered_below_the_cell_that_shows_it(cells):
    waiting, open_since = "", 0
    shown = [cell for cell in cells if not cell.id.startswith(GUESS)]
    for place, cell in enumerate(shown):
        if cell.cell_type == "markdown":
            if waiting and "**Answer.**" in cell.source:
                waiting = ""
            if "**Predict.**" in cell.source:
                assert not waiting, f"{waiting} is still open at {cell.id}"
                waiting, open_since = cell.id, place
        assert not waiting or place - open_since <= 4, f"{waiting} waits too long for its answer"
    assert not waiting


@TAUGHT
def test_each_exercise_has_stars_and_a_folded_solution_that_runs(cells):
    exercises = [cell for cell in cells if re.search(r"^### ★", cell.source, re.MULTILINE)]
    stars = [len(re.search(r"^### (★+)", cell.source, re.MULTILINE)[1]) for cell in exercises]
    assert stars == sorted(stars) and set(stars) == {1, 2, 3}
    for cell, following in zip(exercises, [*exercises[1:], None], strict=True):
        its_own = cells[cells.index(cell) + 1 : following and cells.index(following)]
        (solution,) = [other for other in its_own if other.id.startswith("solution-")]
        assert solution.cell_type == "code"
        assert solution.metadata.jupyter == FOLDED
        assert re.search(r"^Folded\(", solution.source, re.MULTILINE), "a result that is open gives it away"


@TAUGHT
def test_the_setup_is_folded_and_code_is_not_clipped(cells):
    setup = next(cell for cell in cells if cell.cell_type == "code")
    assert "import course_lib" in setup.source and setup.metadata.jupyter == FOLDED
    code = [(cell.id, line) for cell in cells if cell.cell_type == "code" for line in cell.source.splitlines()]
    assert [(name, line) for name, line in code if len(line) > 95] == []


def _names(cell) -> tuple[set[str], set[str]]:
    """The names that a cell binds, and those that it needs of other cells."""
    nodes = list(ast.walk(ast.parse(cell.source)))
    bound = {node.id for node in nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    bound |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    return bound, {node.id for node in nodes if isinstance(node, ast.Name)} - bound


@TAUGHT
def test_no_link_stands_in_brackets_of_its_own(cells):
    """Who writes "[section 5]" by hand gets "[[section 5]]": the links make their own brackets."""
    found = [
        cell.id for cell in cells if cell.cell_type == "markdown" and re.search(r"\[\[(section|lecture)", cell.source)
    ]
    assert found == []


@TAUGHT
def test_no_code_that_must_be_run_needs_code_that_may_be_left_out(cells):
    level, last = 0, {}  # name → the cell that bound it last, and whether that may be left out
    for cell in cells:
        if cell.cell_type == "markdown":
            for heading in re.findall(r"(?m)^##+ .*", cell.source):
                level = left_out(heading, len(heading.split()[0]), level)
            continue
        bound, needed = _names(cell)
        if not level:
            assert {name: last[name] for name in needed if last.get(name, ("", 0))[1]} == {}, cell.id
        last |= dict.fromkeys(bound, (cell.id, level))
