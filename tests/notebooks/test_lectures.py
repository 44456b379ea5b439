"""What holds of every lecture: it runs clean and small, and every row of its tables is shown by the cell it names.

The rows are functions (rows.py): in seeds_NN_name.py what a figure, table or example of a seed shows, in
prose_NN_name.py what the lecture's own text says. Each runs right behind the cell that shows it.
"""

import re

import pytest

from ..grading.course import ROOT
from .lecture import LECTURES, group, notebook, rows, seeds

LIMIT = 90  # seconds of processor time: twice what a lecture may take on idle cores, which bench_lectures measures
ALLOWED = re.compile(r"^\s*$|\d+%\||\d+it \[")  # tqdm's progress bars
SCREEN = 40  # lines

each_lecture = pytest.mark.parametrize("name", [pytest.param(name, marks=group(name)) for name in LECTURES])
each_row = pytest.mark.parametrize(
    ("name", "row"), [pytest.param(name, row, marks=group(name)) for name in LECTURES for row in rows(name)]
)


def test_no_lecture_is_overlooked():
    assert sorted(path.stem for path in (ROOT / "lectures").rglob("*.ipynb")) == ["00_start", *LECTURES, "glossary"]


@each_lecture
def test_it_runs_from_top_to_bottom_without_a_warning(executed, name):
    assert not executed(name).error
    for cell in executed(name).cells.values():
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr":
                unexpected = [line for line in re.split(r"[\r\n]", output.text) if not ALLOWED.search(line)]
                assert not unexpected, f"{name}, cell {cell.id}, warns: {unexpected[:5]}"


@each_lecture
def test_its_fast_settings_are_fast(executed, name):
    spent = executed(name).seconds
    assert 0 < sum(spent.values()) <= LIMIT, f"seconds of each cell: {sorted(spent.items(), key=lambda e: -e[1])[:5]}"


@each_lecture
def test_it_leaves_nothing_behind(executed, name):
    there = {path.relative_to(ROOT / "lectures").as_posix() for path in (ROOT / "lectures").rglob("*")}
    assert executed(name).files <= there


@each_row
def test_a_row_is_shown_by_its_cell(executed, name, row):
    cell = rows(name)[row].cell
    assert cell in executed(name).cells, f"{name} has no cell {cell!r} that runs, for {row!r}"
    if wrong := executed(name).wrong.get(row):
        pytest.fail(wrong, pytrace=False)


@each_lecture
def test_it_has_seeds_and_asks_to_predict(name):
    assert seeds(name)
    assert any("**Predict" in cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")


@each_lecture
def test_a_cell_fits_on_a_screen(name):
    code = [cell for cell in notebook(name).cells if cell.cell_type == "code"]
    assert [cell.id for cell in code if len(cell.source.splitlines()) > SCREEN] == []


@each_lecture
def test_its_links_lead_to_files(name):
    text = "\n".join(cell.source for cell in notebook(name).cells if cell.cell_type == "markdown")
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if not re.match(r"\w+:", link)]
    assert [link for link in links if not (ROOT / "lectures" / link).exists()] == []
