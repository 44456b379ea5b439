"""The search's index: each section of each page with its words, small enough to be read whole by the browser."""

import json
import re
from dataclasses import asdict, dataclass

import nbformat

from course_lib.maintain.site.words import as_text

HEADING = re.compile(r"(?m)^(#{1,3}) (.+)$")


@dataclass(frozen=True)
class Section:
    """A section: the `page` and its title, `at` the anchor, the section's own title, and its words."""

    page: str
    of: str
    at: str
    title: str
    words: str


def sections(page: str, notebook: nbformat.NotebookNode) -> list[Section]:
    """The sections of a notebook, a new one at each cell that begins with a heading. Code and answers are not found."""
    found: list[dict] = []
    for cell in notebook.cells:
        if cell.cell_type != "markdown" or cell.id == "way-on":
            continue
        heading = HEADING.search(cell.source)
        if heading or not found:
            title = as_text(heading[2]) if heading else page
            found.append({"page": page, "of": "", "at": f"cell-id={cell.id}", "title": title, "words": ""})
        open_to_all = re.sub(r"<details.*?</details>", " ", cell.source, flags=re.DOTALL)
        found[-1]["words"] += f" {as_text(open_to_all)}"
    for section in found:
        section |= {"of": found[0]["title"], "words": section["words"].strip()}
    return [Section(**section) for section in found]


def index(found: list[Section]) -> str:
    """The index as a script: a page that was opened from a disk may load a script, but no JSON."""
    listed = json.dumps([asdict(section) for section in found], ensure_ascii=False, separators=(",", ":"))
    return f"window.courseIndex = {listed};\n"
