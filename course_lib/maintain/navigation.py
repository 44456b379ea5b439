"""`python -m course_lib.maintain.navigation`: links, guess boxes, folded answers, the way on, start page, plan.

It writes what follows from the prose of lectures and problem sets: a link on each mention, a guess box below each
question, a fold around its answer, a cell of its own for each section, a picture of each summary, what a lecture needs
above it, the way on below each lecture and problem set, the tables of the instructors' page. Run again it changes
nothing; `make release` then hands the problem sets' links and last cells to students.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import nbformat

from course_lib.files import write_atomically
from course_lib.maintain.glossary_page import glossary_page
from course_lib.maintain.links import linked
from course_lib.maintain.needs import needed
from course_lib.maintain.plan import PAGE, with_tables
from course_lib.maintain.predictions import predicted
from course_lib.maintain.sections import begun
from course_lib.maintain.start_page import start_page
from course_lib.maintain.summary_pictures import pictured, pictures
from course_lib.reader.contents import GLOSSARY, ROOT, START, STUDENTS, Lecture, ProblemSet, lectures, problem_sets

WAY_ON = "way-on"  # the id of the last cell
HANDING_IN = """---

## Ready?

1. **Validate.** Press *Validate* above the notebook. It runs everything from the top, as grading does, and says which
   tests fail. (Where there is no such button, restart the kernel and run all cells.)
2. **Hand in.** Save the notebook, and hand in this file under its name, `{file}`, where your instructor wants it.
   [The page for students]({students}) says how it is graded. If you learn alone, the test cells tell your points,
   and the question says what a good text has.
3. **Feedback** is a page with your notebook: the points and the hint of each test, and a comment on your text. Your
   instructor sends it, or you fetch it in JupyterLab: menu *Nbgrader*, *Assignment List*.
4. **Next**: {on}. The start page counts how far you are.

{row}"""
HEADING = re.compile(r"(?m)^(#+) (★* ?)(\d+) · ")


class Places:
    """Where mentions lead, in the course at `root`: notebooks, and the cells of their sections and exercises."""

    def __init__(self, root: Path):
        self.files = {("lecture", each.number): each.path for each in lectures(root)}
        self.files |= {("problem set", each.number): each.path for each in problem_sets(root)}
        self.cells = {of: _parts(root / path, of[0]) for of, path in self.files.items()}

    def target(self, here: tuple[str, str], *of: str) -> str | None:
        """Where "lecture", "05" or "section", "8", "lecture", "05" leads from the notebook `here`, None for nowhere.

        A section or an exercise without a notebook is one of `here`, which is no place to lead to itself.
        """
        notebook = of if of in self.files else of[2:] or here
        if notebook not in self.files or (notebook == here and of[0] in ("lecture", "problem set")):
            return None
        if of == notebook:
            return self._path(here, notebook)
        cell = self.cells[notebook].get(of[:2])
        return cell and (self._path(here, notebook) if notebook != here else "") + f"#cell-id={cell}"

    def section(self, lecture: str, number: str) -> str:
        """A link from lectures/ to a section of a lecture, or to its beginning for "0"; KeyError for one not there."""
        path = Path(self.files["lecture", lecture]).name
        if number == "0":
            return f"[lecture {lecture}]({path})"
        return (
            f"[lecture {lecture}, section {number}]({path}#cell-id={self.cells['lecture', lecture]['section', number]})"
        )

    def _path(self, here: tuple[str, str], there: tuple[str, str]) -> str:
        folder = PurePosixPath(self.files[here]).parent
        return PurePosixPath(os.path.relpath(self.files[there], folder)).as_posix()


def _parts(path: Path, thing: str) -> dict[tuple[str, str], str]:
    """The cell of each part of a notebook: ("section", "8") and ("exercise", "2"), or a problem set's exercises."""
    found = {}
    for cell in nbformat.read(path, 4).cells:
        for _, stars, number in HEADING.findall(cell.source) if cell.cell_type == "markdown" else ():
            part = "exercise" if stars or thing == "problem set" else "section"
            found.setdefault((part, number), cell.id)
    return found


def way_on(before: Lecture | None, here: Lecture, after: Lecture | None) -> str:
    """The last cell of the lecture `here`: the lecture before, the start page, the problem set, the next lecture."""
    own = here.problem_set
    columns = [
        ("← before", ":--", _to(before, here.path) if before else ""),
        ("look up", ":-:", _look_up(here.path)),
        ("now you", ":-:", f"[Problem set {own.number}]({_from(here.path, own.path)})" if own else ""),
        ("next →", "--:", _to(after, here.path) if after else ""),
    ]
    return f"---\n\n{_row(columns)}"


def handing_in(its: ProblemSet, there: list[Lecture]) -> str:
    """The last cell of a problem set: try it whole, hand it in, where feedback comes, which of the lectures is next."""
    n = next((n for n, lecture in enumerate(there) if lecture.problem_set == its), None)
    here, after = (there[n], next(iter(there[n + 1 :]), None)) if n is not None else (None, None)
    columns = [
        ("← its lecture", ":--", _to(here, its.path) if here else ""),
        ("look up", ":-:", _look_up(its.path)),
        ("next →", "--:", _to(after, its.path) if after else ""),
    ]
    file, students = PurePosixPath(its.path).name, _from(its.path, STUDENTS)
    on = f"go on with {_to(after, its.path)}" if after else "you have worked through the last problem set"
    return HANDING_IN.format(file=file, students=students, on=on, row=_row(columns))


def _from(here: str, there: str) -> str:
    return PurePosixPath(os.path.relpath(there, PurePosixPath(here).parent)).as_posix()


def _to(lecture: Lecture, here: str) -> str:
    return f"[{lecture.number} {lecture.title}]({_from(here, lecture.path)})"


def _look_up(here: str) -> str:
    return f"[Start page]({_from(here, START)}) · [Glossary]({_from(here, GLOSSARY)})"


def _row(columns: list[tuple[str, str, str]]) -> str:
    """A table of one row: (heading, rule, cell) of each column that has a cell."""
    rows = zip(*(column for column in columns if column[-1]), strict=True)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def navigated(root: Path = ROOT) -> Iterator[tuple[Path, nbformat.NotebookNode, nbformat.NotebookNode]]:
    """The start page, each lecture and each problem set's source: path, the notebook as it is, and as it must be."""
    places, there = Places(root), lectures(root)
    yield root / START, nbformat.read(root / START, 4), start_page(root)
    yield root / GLOSSARY, _glossary(root), glossary_page(places.section)
    for before, here, after in zip([None, *there], there, [*there[1:], None], strict=False):
        read, made = (nbformat.read(root / here.path, 4) for _ in range(2))
        made.cells = [cell for cell in made.cells if cell.id != WAY_ON]
        begun(made)
        needed(made, here.needs)
        _link(made, places, ("lecture", here.number))
        predicted(made, here.number)
        pictured(made, here.number)
        made.cells.append(nbformat.v4.new_markdown_cell(way_on(before, here, after), id=WAY_ON))
        yield root / here.path, read, made
    for each in problem_sets(root):
        if (path := root / "solutions" / each.name / f"{each.name}.ipynb").is_file():
            read, made = (nbformat.read(path, 4) for _ in range(2))
            made.cells = [cell for cell in made.cells if cell.id != WAY_ON]
            _link(made, places, ("problem set", each.number))
            made.cells.append(nbformat.v4.new_markdown_cell(handing_in(each, there), id=WAY_ON))
            yield path, read, made


def _glossary(root: Path) -> nbformat.NotebookNode:
    path = root / GLOSSARY
    return nbformat.read(path, 4) if path.is_file() else nbformat.v4.new_notebook()


def _link(notebook: nbformat.NotebookNode, places: Places, here: tuple[str, str]) -> None:
    for cell in notebook.cells:
        if cell.cell_type == "markdown" and cell.id != WAY_ON and "nbgrader" not in cell.metadata:
            cell.source = linked(cell.source, lambda *of: places.target(here, *of))


def write(root: Path) -> list[Path]:
    """Write what has to change in the course at `root`, and return its paths."""
    changed = [(path, made) for path, read, made in navigated(root) if made != read]
    for path, made in changed:
        with write_atomically(path) as file:
            nbformat.write(made, file)
    drawn = [path for name, made in pictures().items() if (path := _written(root / name, made))]
    read = (root / PAGE).read_text(encoding="utf-8") if (root / PAGE).is_file() else ""
    plan = _written(root / PAGE, with_tables(read, root)) if read else None
    return [*(path for path, _ in changed), *drawn, *([plan] if plan else [])]


def _written(path: Path, made: str) -> Path | None:
    """The path, where it did not hold `made` yet."""
    if path.is_file() and path.read_text(encoding="utf-8") == made:
        return None
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_atomically(path) as file:
        file.write(made)
    return path


def main() -> None:
    """Rewrite the notebooks and the plan of this course, and name what has changed."""
    changed = [path.relative_to(ROOT).as_posix() for path in write(ROOT)]
    print("\n".join(changed) or "every link is as it must be")
    if any(name.startswith("solutions/ps") for name in changed):
        print("make release hands the problem sets' links and last cells to students")


if __name__ == "__main__":
    main()
