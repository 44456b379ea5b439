"""Which row of a platform's table is which student: by the instructor's list, else by a name, number or address."""

import csv
import io
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from course_lib.grading.marks.sheet import utf_8
from course_lib.grading.nbgrader_hooks.collect import plain_name

COLUMNS = ["student_id", "platform"]
KEYS = ("Identifier", "ID number", "Email address", "Full name", "ID", "SIS User ID", "SIS Login ID", "Student")


def names_file(path: Path) -> dict[str, str]:
    """{student_id: what stands for the student in a row of the platform's table; "" to leave the student out}.

    Raises ValueError for a table that is no UTF-8, or lacks the columns student_id and platform, for a row without a
    student, and for a student twice.
    """
    table = csv.DictReader(io.StringIO(utf_8(path).removeprefix("\ufeff"), newline=""))
    if not {*COLUMNS} <= {*(table.fieldnames or ())}:
        raise ValueError(f"{path} must have the columns {', '.join(COLUMNS)}, got {table.fieldnames}")
    rows = [tuple((row[name] or "").strip() for name in COLUMNS) for row in table]
    if nameless := [repr(platform) for name, platform in rows if not name]:
        raise ValueError(f"{path} must have a student_id in each row, got none for {', '.join(nameless)}")
    if twice := sorted({name for name, _ in rows if [each for each, _ in rows].count(name) > 1}):
        raise ValueError(f"{path} must name a student once, got twice: {', '.join(twice)}")
    return dict(rows)


def matched(
    rows: list[dict[str, str]], students: Iterable[str], names: Mapping[str, str], known: Mapping[str, Iterable[str]]
) -> dict[str, int]:
    """{student: number of the row}; `known` are other names of students (number, address) that the gradebook has.

    Raises ValueError where a student has no row, or several, and where two students have one.
    """
    called: dict[str, set[int]] = {}
    for number, row in enumerate(rows):
        for name in _names(row):
            called.setdefault(name, set()).add(number)
    found: dict[str, int] = {}
    missing, several = [], []
    for student in students:
        if names.get(student) == "":
            continue
        wanted = [names[student]] if student in names else [student, *known.get(student, ())]
        places = set().union(*(called.get(plain_name(name), set()) for name in wanted if name))
        if len(places) == 1:
            found[student] = places.pop()
        else:
            (several if places else missing).append(student)
    if missing or several:
        told = {"no row": missing, "several rows": several}
        what = "; ".join(f"{words}: {', '.join(sorted(who))}" for words, who in told.items() if who)
        raise ValueError(
            f"each student with a mark must have one row in the platform's table, got {what}. "
            f"Write them into a file with the columns {', '.join(COLUMNS)} (platform: what stands in one of "
            f"{', '.join(KEYS)}; empty leaves the student out), and name it with --names"
        )
    taken: dict[int, str] = {}
    for student, number in found.items():
        if number in taken:
            raise ValueError(f"each row must be one student's, got row {number + 1} for {taken[number]} and {student}")
        taken[number] = student
    return found


def _names(row: Mapping[str, str]) -> set[str]:
    """What a row's student may be called, in collect.py's folders too: "Ada Lovelace 1234567", "lovelaceada"."""
    made = {plain_name(row.get(key) or "") for key in KEYS}
    if number := re.search(r"\d+$", row.get("Identifier") or ""):
        made.add(plain_name(f"{row.get('Full name') or ''} {number[0]}"))
    if squeezed := re.sub(r"\W", "", row.get("Student") or "").lower():
        made |= {plain_name(squeezed), plain_name(f"{squeezed} {row.get('ID') or ''}")}
    return made - {""}
