"""The notebook that is graded: the released one, with nothing from a submission but sources of the student's own cells.

Metadata, order, types, kernel and outputs of the submission change nothing; a cell deleted, doubled, renamed or
re-pointed changes nothing but what its author wrote in it. Locked cells come from the gradebook. Of a solution cell
that was split, whose parts have one name, the last is the solution, and the others stand before it as plain cells.
A cell that lost its metadata and its id, as some editors cost it, is known by what it defines or where it stands.
"""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader import utils

DEFINES = re.compile(r"^(?:async +)?(?:def|class) +(\w+)", re.MULTILINE)


class Known(NamedTuple):
    """What the gradebook knows of a released cell."""

    source: str
    locked: bool
    kind: str = "code"
    points: float | None = None  # of a cell that is graded
    checksum: str | None = None


def rebuilt(
    released: nbformat.NotebookNode, submitted: nbformat.NotebookNode, sources: Mapping[str, tuple]
) -> nbformat.NotebookNode:
    """`released` with locked cells as in `sources` {grade_id: Known} and the student's cells filled in."""
    stubs = {key(cell): cell.source for cell in released.cells}
    written: dict[str, list] = {}
    own: dict[str | None, list] = {}
    last = None
    for cell, name in zip(submitted.cells, identified(submitted, released), strict=True):
        if name is None:
            own.setdefault(last, []).append(cell)
        else:
            last = name
            if cell.source != stubs[name]:
                written.setdefault(name, []).append(cell)
    cells = list(extras(own.get(None, [])))
    for cell in released.cells:
        name = key(cell)
        source, locked, *_ = sources.get(name, (None, False))
        if locked:
            cell.source = source
        elif utils.is_solution(cell):
            *parts, solution = written.get(name, [cell])
            cells += extras(parts)
            cell.source = solution.source
        cells += [cell, *extras(own.get(name, []))]
    released.cells = cells
    return released


def as_known(notebook: nbformat.NotebookNode, cells: Mapping[str, Known]) -> None:
    """Set what is graded of each cell, and for how many points, as the gradebook has it; its checksum, too.

    A cell of an old release that the gradebook does not know is nobody's: it is shown, and not graded.
    """
    for cell in notebook.cells:
        about = cell.metadata.get("nbgrader")
        if about is None:
            continue
        known = cells.get(about.get("grade_id"))
        if known is None or known.kind != cell.cell_type:
            del cell.metadata["nbgrader"]
            continue
        about.locked, about.checksum = known.locked, known.checksum
        if utils.is_grade(cell):
            about.points = known.points


def key(cell: nbformat.NotebookNode) -> str:
    """What a released cell is known by: its grade_id, or else its cell id."""
    return cell.metadata.get("nbgrader", {}).get("grade_id") or cell.get("id", "")


def identified(submitted: nbformat.NotebookNode, released: nbformat.NotebookNode) -> list[str | None]:
    """For each submitted cell the released one that it is, by grade_id or cell id; None if it is the student's own.

    Solution cells that are not found so are looked for among the others: code by the function that it defines, an
    answer by the cell before it.
    """
    names = {key(cell): key(cell) for cell in released.cells}
    names |= {cell.get("id", ""): key(cell) for cell in released.cells} | names
    same = {cell.source: key(cell) for cell in released.cells if not utils.is_solution(cell)}
    found = [names.get(key(c)) or names.get(c.get("id", "")) or same.get(c.source) for c in submitted.cells]
    stubs = {key(cell): set(DEFINES.findall(cell.source)) for cell in released.cells if utils.is_solution(cell)}
    functions = set().union(*stubs.values())
    before = None
    for cell in released.cells:
        if utils.is_solution(cell) and key(cell) not in found:
            fitting = []  # how many functions of all tasks it defines, and where it stands
            for n, other in enumerate(submitted.cells):
                defined = set(DEFINES.findall(other.source)) & functions if other.cell_type == "code" else set()
                follows = other.cell_type == "markdown" and n > 0 and found[n - 1] == before
                if found[n] is None and other.cell_type == cell.cell_type and (stubs[key(cell)] & defined or follows):
                    fitting.append((len(defined), n))
            if fitting:
                found[min(fitting)[1]] = key(cell)
        before = key(cell)
    return found


def extras(cells: list) -> Iterator[nbformat.NotebookNode]:
    """The student's own cells as plain ones."""
    for cell in cells:
        if cell.cell_type == "code":
            yield new_code_cell(cell.source)
        elif cell.cell_type == "markdown":
            yield new_markdown_cell(cell.source)
