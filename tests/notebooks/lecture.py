"""One execution of a lecture, with what each row of its tables says checked behind its cell."""

import importlib
import re
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

from course_lib.maintain.kernels import through_files
from course_lib.reader.contents import lectures

from ..grading.course import ROOT, clean_environment
from .rows import Row, rows_of

LECTURES = [Path(lecture.path).stem for lecture in lectures()]
STUCK = 300  # seconds after which a single cell counts as endless


def group(name: str) -> pytest.MarkDecorator:
    """All tests of a lecture share its execution."""
    return pytest.mark.xdist_group(name)


def notebook(name: str) -> nbformat.NotebookNode:
    """The lecture of that name as it lies in git."""
    return nbformat.read(ROOT / "lectures" / f"{name}.ipynb", 4)


def sources(name: str) -> dict[str, str]:
    """The source of every cell of the lecture by its id."""
    return {cell.id: cell.source for cell in notebook(name).cells}


def seeds(name: str) -> dict[str, Row]:
    """What the lecture shows of its seeds: the rows of seeds_NN_name.py, by what they say."""
    return rows_of(importlib.import_module(f"{__package__}.seeds_{name}"))


def rows(name: str) -> dict[str, Row]:
    """The same, and what its prose says: those of prose_NN_name.py."""
    return seeds(name) | rows_of(importlib.import_module(f"{__package__}.prose_{name}"))


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
    """Run `first` and then the lecture in a copy of `lectures/` below `folder`, each row right behind its cell."""
    shutil.copytree(ROOT / "lectures", folder / "lectures", ignore=shutil.ignore_patterns(".*"))
    made = Executed()
    read = notebook(name)
    cells, spare = list(read.cells), len(read.cells)
    read.cells.append(nbformat.v4.new_code_cell())  # where a question to the kernel has its place
    place, files = {"metadata": {"path": folder / "lectures"}}, through_files(folder)
    client = NotebookClient(
        read,
        timeout=STUCK,
        kernel_name="python3",
        resources=place,
        config=files,
        coalesce_streams=True,  # a busy kernel sends what is printed in more parts
    )
    settings = {"COURSE_FAST": "1"} if fast else {}
    with client.setup_kernel(env=clean_environment(folder / "home", **settings)):

        def ask(source: str) -> nbformat.NotebookNode:
            return client.execute_cell(nbformat.v4.new_code_cell(source), spare, store_history=False)

        def spent() -> float:
            return float(ask("print(__import__('time').process_time())").outputs[0].text)

        def hold(row: Row, output: str) -> None:
            where = row.holds.__module__, row.holds.__name__
            ask(f"__import__('{rows_of.__module__}', fromlist=['hold']).hold(*{where!r}, globals(), {output!r})")

        try:
            ask(f"__import__('sys').path.append({str(ROOT)!r})\n{first}")
            for index, cell in enumerate(cells):
                if cell.cell_type != "code":
                    continue
                started = spent()
                made.cells[cell.id] = client.execute_cell(cell, index)
                made.seconds[cell.id] = spent() - started
                for says, row in rows(name).items():
                    if row.cell != cell.id:
                        continue
                    try:
                        hold(row, output(cell))
                    except CellExecutionError as error:
                        made.wrong[says] = f"behind cell {cell.id}: {error.ename}: {error.evalue}"
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
