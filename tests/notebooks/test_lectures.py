"""Every lecture runs from top to bottom, on the sizes of continuous integration, without an error or a warning."""

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from ..grading.course import ROOT, clean_environment

LECTURES = sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "lectures").glob("*.ipynb"))
BUDGET = 60  # seconds of processor time for a whole lecture; the wall clock of a busy machine says nothing
STUCK = 300  # seconds after which a single cell counts as endless
ALLOWED = re.compile(r"^\s*$|\d+%\||\d+it \[")  # tqdm's progress bars


def test_no_lecture_is_overlooked():
    assert sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "lectures").rglob("*.ipynb")) == LECTURES


@pytest.mark.parametrize("name", LECTURES)
def test_it_runs_from_top_to_bottom(name, tmp_path, monkeypatch):
    shutil.copytree(ROOT / "lectures", tmp_path / "lectures", ignore=shutil.ignore_patterns(".*"))
    for variable, value in clean_environment(tmp_path / "home", COURSE_FAST="1").items():
        monkeypatch.setenv(variable, value)
    notebook = nbformat.read(tmp_path / name, 4)
    notebook.cells.append(nbformat.v4.new_code_cell("import time as _time\nprint(_time.process_time())"))

    client = NotebookClient(
        notebook, timeout=STUCK, kernel_name="python3", resources={"metadata": {"path": tmp_path / "lectures"}}
    )
    client.execute()

    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "stream" and output.name == "stderr":
                unexpected = [line for line in re.split(r"[\r\n]", output.text) if not ALLOWED.search(line)]
                assert not unexpected, f"{name}, cell {cell.id}, warns: {unexpected[:5]}"
    seconds = float(notebook.cells[-1].outputs[0].text)
    assert seconds <= BUDGET, (
        f"{name} takes {seconds:.0f} s of processor time under COURSE_FAST=1, {BUDGET} are allowed"
    )
    left = {path.relative_to(tmp_path).as_posix() for path in (tmp_path / "lectures").rglob("*") if path.is_file()}
    assert left <= {
        f"lectures/{path.relative_to(ROOT / 'lectures').as_posix()}" for path in Path(ROOT / "lectures").rglob("*")
    }
