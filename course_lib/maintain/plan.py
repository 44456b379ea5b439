"""The tables of the instructors' page: the weeks of a term, and what each problem set asks.

They are made from the lectures and the released problem sets by `python -m course_lib.maintain.navigation`, and stand
in solutions/README.md between the comments `<!-- weeks -->` and `<!-- end -->`, `<!-- sets -->` and `<!-- end -->`.
"""

import re
from pathlib import Path

import nbformat

from course_lib.reader.contents import lectures, problem_sets
from course_lib.reader.minutes import minutes

PAGE = "solutions/README.md"
TABLE = "(<!-- {} -->\n).*?(?=<!-- end -->)"
EXERCISE = re.compile(r"(?m)^## \d+ · (.+) \(([\d.]+) points\)$")  # the heading of an exercise


def with_tables(text: str, root: Path) -> str:
    """The page `text` with its tables made again from the course at `root`; ValueError for a page without one."""
    for name, made in (("weeks", weeks(root)), ("sets", sets(root))):
        text, found = re.subn(
            TABLE.format(name), lambda place, made=made: f"{place[1]}\n{made}\n\n", text, flags=re.DOTALL
        )
        if found != 1:
            raise ValueError(f"{PAGE} must have <!-- {name} --> and <!-- end --> once, it has them {found} times")
    return text


def weeks(root: Path) -> str:
    """A row for each week: one lecture, its minutes, its problem set; what was given a week ago is handed in."""
    rows, given = [], ""
    for number, lecture in enumerate([*lectures(root), None], start=1):
        now = lecture.problem_set.name if lecture and lecture.problem_set else ""
        if lecture:
            read = minutes(nbformat.read(root / lecture.path, 4))
            link = f"[{lecture.number} {lecture.title}](../{lecture.path})"
            rows.append([str(number), link, *(str(5 * round(each / 5)) for each in (read.must, read.may)), now, given])
        elif given:
            rows.append([str(number), "questions, and what is left", "", "", "", given])
        given = now
    head = ["week", "lecture", "must (min)", "may (min)", "set given", "set handed in"]
    return _table(head, ":--", ":--", "--:", "--:", ":-:", ":-:", rows=rows)


def sets(root: Path) -> str:
    """A row for each problem set: its points by tests and by a person, and its exercises, each with its points."""
    rows = []
    for each in problem_sets(root):
        cells = nbformat.read(root / each.path, 4).cells
        asked = [found for cell in cells if cell.cell_type == "markdown" for found in EXERCISE.findall(cell.source)]
        tests, person = points(cells)
        exercises = " · ".join(f"{title} ({given})" for title, given in asked)
        rows.append([f"[{each.name} {each.title}](../{each.path})", f"{tests:g}", f"{person:g}", exercises])
    return _table(["set", "by tests", "by a person", "exercises (points)"], ":--", "--:", "--:", ":--", rows=rows)


def points(cells: list[nbformat.NotebookNode]) -> tuple[float, float]:
    """The points of a problem set that its test cells give, and those that a person gives."""
    graded = [cell.metadata.nbgrader for cell in cells if cell.metadata.get("nbgrader", {}).get("grade")]
    of = {by_hand: sum(each.points for each in graded if each.solution == by_hand) for by_hand in (False, True)}
    return of[False], of[True]


def _table(head: list[str], *rules: str, rows: list[list[str]]) -> str:
    lines = [head, list(rules), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
