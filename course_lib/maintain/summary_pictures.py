"""The picture of a lecture's summary, lectures/pictures/summary_NN.svg, and the line that shows it."""

import re

import nbformat

from course_lib.diagrams import still
from course_lib.diagrams.summaries import SUMMARIES

HEADING = re.compile(r"\A## (?:Summary|What to keep)\n\n(?:!\[[^\]]*\]\(pictures/summary_\d+\.svg\)\n\n)?")
PAPER = "<style>svg { background: light-dark(#ffffff, #16181d); }"  # an image has no page whose colours it could take


def pictured(notebook: nbformat.NotebookNode, number: str) -> None:
    """Show the picture of lecture `number` ("05") below the heading of its summary, where there is one of both."""
    for cell in notebook.cells:
        if number in SUMMARIES and cell.cell_type == "markdown" and (heading := HEADING.match(cell.source)):
            title = cell.source.partition("\n")[0]
            shown = f"![The lecture in one picture: {SUMMARIES[number].title}](pictures/summary_{number}.svg)"
            cell.source = f"{title}\n\n{shown}\n\n{cell.source[heading.end() :]}"


def pictures() -> dict[str, str]:
    """{path below the course's folder: its SVG}."""
    return {
        f"lectures/pictures/summary_{number}.svg": f"{still(diagram)}\n".replace("<style>", PAPER, 1)
        for number, diagram in SUMMARIES.items()
    }
