"""A notebook of the course as a page: nbconvert's HTML exporter with the template that lies here."""

import html
import re
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbconvert import HTMLExporter
from nbconvert.filters.ansi import ansi2html

from course_lib.maintain.site.elsewhere import on_your_machine, run_elsewhere
from course_lib.maintain.site.places import LOOK_UP, Places, page_of
from course_lib.maintain.site.prose import as_html, wide_tables_scroll
from course_lib.maintain.site.words import as_text
from course_lib.reader.contents import START, Lecture
from course_lib.reader.minutes import GUESS

HERE = Path(__file__).parent
READER_ONLY = {"touch-run", "how-far", "progress", "keys"}  # cells of the start page for who runs it
IN_PLACE = {"how": (HERE / "start.md").read_text(encoding="utf-8")}  # what a cell of the start page says here
LIVE = "application/vnd.jupyter.widget-view+json"  # a progress bar: without its kernel it stays at 0 %
TITLE, PART = re.compile(r"(?m)^# (.+)$"), re.compile(r"(?m)^## (.+)$")
LICENCE = "Course text: CC BY 4.0. Code: MIT. Formulas are drawn by KaTeX (MIT)."
RUN_IT = (
    "This page shows what the notebook showed: nothing has to be run. Its widgets step here; what they ask of Python, "
    "such as a text of your own, needs the notebook <code>{}</code> in JupyterLab."
)
SMALL = "Its experiments were small, to be quick: figures may differ from what the text says."
NOT_EXECUTED = "This page was made without running the notebook: it shows the code, and no results."
TO_WORK_IN = "A problem set is a notebook to write in: open <code>{}</code> in JupyterLab. This page is to read."


@dataclass(frozen=True)
class Page:
    """What a page says around its cells: its file's name, title, notes above the text, and (anchor, part) below."""

    name: str
    title: str
    notes: list[str] = field(default_factory=list)
    contents: list[tuple[str, str]] = field(default_factory=list)


def prepared(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """The notebook as a page shows it: guess boxes are fields, folded code says what it is; the argument is changed."""
    notebook.cells = [cell for cell in notebook.cells if cell.id not in READER_ONLY]
    for cell in notebook.cells:
        cell.source = IN_PLACE.get(cell.id, cell.source)
        if cell.cell_type != "code":
            continue
        cell.outputs = [output for output in cell.outputs if LIVE not in output.get("data", {})]
        if GUESS.fullmatch(cell.source):
            cell.metadata.site_guess = cell.source.split('"')[1]
        first = cell.source.partition("\n")[0]
        cell.metadata.site_fold = first.removeprefix("# ") if first.startswith("# ") else "Code of this cell"
    return notebook


def contents(notebook: nbformat.NotebookNode) -> list[tuple[str, str]]:
    """The anchor and the title, as HTML, of each part of a notebook."""
    told = [cell for cell in notebook.cells if cell.cell_type == "markdown"]
    parts = [(f"cell-id={cell.id}", title) for cell in told for title in PART.findall(cell.source)]
    return [(at, re.sub("</?p>|\n", "", re.sub("</?a[^>]*>", "", as_html(title)))) for at, title in parts]


def title_of(notebook: nbformat.NotebookNode) -> str:
    """The title of a notebook as plain text, or "" where its first cell has none."""
    found = TITLE.search(notebook.cells[0].source) if notebook.cells else None
    return as_text(found[1]) if found else ""


class Pages:
    """Makes pages of the course at `root`, each with a line of all `lectures` at its top.

    With a `repository`, "owner/name" on GitHub, notebooks have links that open them on Colab and Binder.
    """

    def __init__(self, root: Path, lectures: list[Lecture], full: bool, repository: str = ""):
        self.root, self.repository = root, repository
        self.lectures = [{"number": each.number, "title": each.title, "page": page_of(each.path)} for each in lectures]
        self.full = full
        self.exporter = HTMLExporter(
            template_name="template", extra_template_basedirs=[str(HERE)], exclude_input_prompt=True
        )
        for name, function in (
            ("prose", as_html),
            ("wide_tables_scroll", wide_tables_scroll),
            ("ansi2html", ansi2html),
        ):
            self.exporter.register_filter(name, function)

    def page(self, path: str, notebook: nbformat.NotebookNode, executed: bool) -> tuple[str, set[str]]:
        """The notebook `path` as a page, and the files that its links want."""
        made = prepared(notebook)
        code = any(cell.cell_type == "code" for cell in made.cells)
        notes = []
        if path == START:
            notes = [on_your_machine(self.repository), *([] if executed else [NOT_EXECUTED])]
        elif path.startswith("assignments/"):
            notes = [TO_WORK_IN.format(html.escape(path))]
        elif code and executed:
            notes = [" ".join([RUN_IT.format(html.escape(path)), *([] if self.full else [SMALL])])]
        elif code:
            notes = [NOT_EXECUTED]
        if code and self.repository:
            notes.append(run_elsewhere(path, self.repository))
        page = Page(page_of(path), title_of(made), notes, contents(made))
        return self._written(path, page, made)

    def source(self, path: str) -> tuple[str, set[str]]:
        """A module of the library as a page."""
        made = nbformat.v4.new_notebook(
            cells=[
                nbformat.v4.new_markdown_cell(f"# `{path}`", id="title"),
                nbformat.v4.new_code_cell((self.root / path).read_text(encoding="utf-8"), id="source"),
            ]
        )
        return self._written(path, Page(page_of(path), path), prepared(made))

    def document(self, path: str) -> tuple[str, set[str]]:
        """A file of Markdown as a page."""
        text = (self.root / path).read_text(encoding="utf-8")
        made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text, id="text")])
        return self._written(path, Page(page_of(path), title_of(made)), made)

    def _written(self, path: str, page: Page, notebook: nbformat.NotebookNode) -> tuple[str, set[str]]:
        shown = {"page": page, "look_up": LOOK_UP, "lectures": self.lectures, "footer": LICENCE}
        self.exporter.environment.globals.update(shown)
        made, _ = self.exporter.from_notebook_node(notebook)
        places = Places(self.root, path)
        before, opened, after = made.partition("<main")  # what stands before is of the site itself
        return before + opened + places.linked(after), places.needed
