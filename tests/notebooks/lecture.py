"""One execution of a lecture in fast settings, with what each row of its tables says checked behind its cell."""

import importlib
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from ..grading.course import ROOT, clean_environment

LECTURES = sorted(path.stem for path in (ROOT / "lectures").glob("*.ipynb"))
STUCK = 300  # seconds after which a single cell counts as endless
Rows = dict[str, tuple[str, str]]  # what is shown → the cell that shows it, and what is true right behind that cell


def group(name: str) -> pytest.MarkDecorator:
    """All tests of a lecture share its execution."""
    return pytest.mark.xdist_group(name)


def notebook(name: str) -> nbformat.NotebookNode:
    """The lecture of that name as it lies in git."""
    return nbformat.read(ROOT / "lectures" / f"{name}.ipynb", 4)


def sources(name: str) -> dict[str, str]:
    """The source of every cell of the lecture by its id."""
    return {cell.id: cell.source for cell in notebook(name).cells}


def seeds(name: str) -> Rows:
    """The seed table of the lecture: `SEEDS` of its test module."""
    return importlib.import_module(f"{__package__}.test_{name}").SEEDS


def rows(name: str) -> Rows:
    """The seed table, and what the prose says: `SEEDS` and `PROSE` of the lecture's test module."""
    return seeds(name) | importlib.import_module(f"{__package__}.test_{name}").PROSE


@dataclass
class Executed:
    """A lecture that was run: its code cells, what is wrong with a row of its tables, what it cost, what it left
    behind."""

    cells: dict[str, nbformat.NotebookNode] = field(default_factory=dict)
    wrong: dict[str, str] = field(default_factory=dict)  # row → the error; a row that holds has none
    error: str = ""  # of the lecture itself
    seconds: dict[str, float] = field(default_factory=dict)  # processor time of each cell
    files: set[str] = field(default_factory=set)


def execute(name: str, folder: Path, fast: bool = True, first: str = "") -> Executed:
    """Run `first` and then the lecture in a copy of `lectures/` below `folder`, each row's expression right behind the
    row's cell.

    An expression sees the notebook's names, and the cell's output as the text `output`.
    """
    shutil.copytree(ROOT / "lectures", folder / "lectures", ignore=shutil.ignore_patterns(".*"))
    made = Executed()
    read = notebook(name)
    cells, spare = list(read.cells), len(read.cells)
    read.cells.append(nbformat.v4.new_code_cell())  # where a question to the kernel has its place
    client = NotebookClient(
        read, timeout=STUCK, kernel_name="python3", resources={"metadata": {"path": folder / "lectures"}}
    )
    settings = {"COURSE_FAST": "1"} if fast else {}
    with client.setup_kernel(env=clean_environment(folder / "home", **settings)):

        def ask(source: str) -> nbformat.NotebookNode:
            return client.execute_cell(nbformat.v4.new_code_cell(source), spare, store_history=False)

        def spent() -> float:
            return float(ask("print(__import__('time').process_time())").outputs[0].text)

        try:
            ask(first)
            for index, cell in enumerate(cells):
                if cell.cell_type != "code":
                    continue
                started = spent()
                made.cells[cell.id] = client.execute_cell(cell, index)
                made.seconds[cell.id] = spent() - started
                for row, (where, holds) in rows(name).items():
                    if where != cell.id:
                        continue
                    try:
                        ask(f"output = {output(cell)!r}\nassert {holds}\ndel output")
                    except CellExecutionError as error:
                        made.wrong[row] = f"behind cell {cell.id} is not true: {holds}\n{error.ename}: {error.evalue}"
        except CellExecutionError as error:
            made.error = f"cell {cell.id}: {error}"
    made.files = {path.relative_to(folder / "lectures").as_posix() for path in (folder / "lectures").rglob("*")}
    return made


def output(cell: nbformat.NotebookNode) -> str:
    """What a cell printed or showed, as text; "[picture]" for each picture and "[widget]" for each widget."""
    parts = []
    for shown in cell.get("outputs", ()):
        parts.append(shown.get("text", ""))
        for kind, data in shown.get("data", {}).items():
            if kind.startswith("text/"):
                data = re.sub(r"<iframe\b", "[widget]<", re.sub(r"<(img|svg)\b", "[picture]<", data))
                parts.append(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", data, flags=re.DOTALL))
            elif kind.startswith("image/"):
                parts.append("[picture]")
    return "\n".join(filter(None, parts))
