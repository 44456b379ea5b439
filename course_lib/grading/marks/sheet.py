"""A platform's table of marks, as text: read, filled in, and written as the platform takes it.

Moodle's grading worksheet: Identifier, Full name, Email address, Status, Grade, Maximum Grade, …; rows are found by
Identifier, all columns stay. Canvas' gradebook: Student, ID, SIS User ID, SIS Login ID, Section, a column for each
assignment ("Essay 1 (101)"), and above the students a row "Points Possible"; columns of other assignments are left
out, so that nothing else changes there. Sources: docs.moodle.org, "Grade import" and "Assignment settings";
Instructure's instructor guide on importing grades.
"""

import csv
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

MOODLE = ("Identifier", "Full name", "Grade", "Maximum Grade")
CANVAS = ("Student", "ID", "Section")
ABOUT = ("Student", "ID", "SIS User ID", "SIS Login ID", "Root Account", "Section")  # of Canvas' columns, who it is
CLOSED = {"no", "0", "false"}
DECIMAL_COMMA = re.compile(r"^(\d+),(?!\d{3}$)(\d+)$")  # "100,00"; "1,000" may be a thousand


@dataclass
class Sheet:
    """The rows of a table. `head` are rows above the students, `column` is where the marks belong."""

    columns: list[str]
    head: list[dict[str, str]]
    rows: list[dict[str, str]]
    column: str
    mark: str  # "\ufeff" if the file begins with it

    def possible(self, row: dict[str, str]) -> float | None:
        """The points that the platform expects for this row at most; None if it does not say."""
        try:
            return float(DECIMAL_COMMA.sub(r"\1.\2", self.said(row)))
        except ValueError:
            return None

    def said(self, row: dict[str, str]) -> str:
        """What the platform says of these points."""
        said = row.get("Maximum Grade") if self.column == "Grade" else self._canvas_points()
        return (said or "").strip()

    def closed(self, row: dict[str, str]) -> bool:
        """Whether the platform takes no mark in this row."""
        return (row.get("Grade can be changed") or "").strip().lower() in CLOSED

    def text(self) -> str:
        """The table as the platform takes it."""
        out = io.StringIO()
        table = csv.DictWriter(out, self.columns, extrasaction="ignore", lineterminator="\r\n")
        table.writeheader()
        table.writerows([*self.head, *self.rows])
        return self.mark + out.getvalue()

    def _canvas_points(self) -> str:
        return next((row[self.column] for row in self.head if _is(row, "Points Possible")), "")


def utf_8(path: Path) -> str:
    """The text of a table. Raises ValueError, naming it, where it is no UTF-8."""
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} must be text in UTF-8, got the byte {error.object[error.start]:#x}") from None


def read(text: str, wanted: tuple[str, ...]) -> Sheet:
    """A table of Moodle's or Canvas'; of Canvas' columns the one with a name in `wanted`, its number left aside or not.

    Raises ValueError for another table, and where not exactly one column has such a name.
    """
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    table = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    columns, rows = list(table.fieldnames or ()), list(table)
    if {*MOODLE} <= {*columns}:
        return Sheet(columns, [], rows, "Grade", mark)
    if not {*CANVAS} <= {*columns}:
        raise ValueError(
            f"the table must have Moodle's columns {', '.join(MOODLE)} or Canvas' {', '.join(CANVAS)}, got "
            f"{', '.join(columns) or 'nothing'}. Download it with English as language, separated by commas"
        )
    others = [name for name in columns if name not in ABOUT]
    found = [name for name in others if name in wanted or re.sub(r" \(\d+\)$", "", name) in wanted]
    if len(found) != 1:
        raise ValueError(
            f"one column of Canvas' table must be called {' or '.join(wanted)}, got {len(found)}: name one of "
            f"{', '.join(others) or '(it has none)'} with --column"
        )
    begins = next((number for number, row in enumerate(rows) if _is(row, "Points Possible")), -1) + 1
    return Sheet([*(name for name in columns if name in ABOUT), *found], rows[:begins], rows[begins:], found[0], mark)


def fill(
    sheet: Sheet,
    places: Mapping[str, int],
    marks: Mapping[str, float],
    of: float,
    scale: bool = False,
    extra: Mapping[str, float] | None = None,
) -> list[str]:
    """Write the marks into the rows; the students whose rows are closed on the platform are returned.

    With `scale` a mark of `of` points becomes the same share of the platform's. Raises ValueError where the platform
    expects another number of points and `scale` is False, where it does not say how many and `scale` is True, and where
    a mark is not from 0 to `of`, and the student's `extra` credit more.
    """
    left = []
    for student, number in places.items():
        row = sheet.rows[number]
        possible = sheet.possible(row)
        most = of + (extra or {}).get(student, 0.0)
        if not 0 <= marks[student] <= most:
            raise ValueError(f"a mark must be from 0 to {most:g}, got {marks[student]:g} for {student}")
        if possible is not None and possible != of and not scale:
            raise ValueError(
                f"{sheet.column!r} must have {of:g} points on the platform, got {possible:g}: change it there, or add "
                "--scale to give the same share of the points"
            )
        if sheet.closed(row):
            left.append(student)
            continue
        if scale and possible is None:
            raise ValueError(
                f"for --scale the table must say how many points {sheet.column!r} has on the platform, got "
                f"{sheet.said(row) or 'nothing'} for {student}"
            )
        value = marks[student] * possible / of if scale and of else marks[student]
        row[sheet.column] = f"{value:.2f}"
    return left


def _is(row: dict[str, str], words: str) -> bool:
    return (row.get("Student") or "").strip() == words
