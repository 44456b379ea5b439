"""Each section of a lecture begins a cell: a link leads to a cell, and shows what stands at its top.

Where the answer of the section before stands in the same cell, the heading would come below it, out of the place that
the link leads to.
"""

import re

import nbformat
from nbformat.v4 import new_markdown_cell

from course_lib.maintain.links import unlinked

ABOVE = "above-"  # the ids of the cells that are cut off begin so: the section's own cell keeps its id
HEADING = re.compile(r"(?m)(?<=\n\n)^## \d+ · ")


def begun(notebook: nbformat.NotebookNode) -> None:
    """Cut each cell in two that has the heading of a numbered section below something else."""
    cells = []
    for cell in notebook.cells:
        source = unlinked(cell.source) if cell.cell_type == "markdown" else ""
        if heading := HEADING.search(source):
            cells.append(new_markdown_cell(source[: heading.start()].rstrip(), id=f"{ABOVE}{cell.id}"))
            cell.source = source[heading.start() :]
        cells.append(cell)
    notebook.cells = cells
