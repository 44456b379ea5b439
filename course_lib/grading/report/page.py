"""The report as one HTML file and as a table. All text is escaped; nothing runs, and nothing is fetched."""

import base64
import csv
import hashlib
import io
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from course_lib.grading.nbgrader_hooks.sanitize import for_table, visible
from course_lib.grading.registry import problem_set
from course_lib.grading.report import summary
from course_lib.grading.report.records import Class

HERE = Path(__file__).parent
STYLE = (HERE / "page.css").read_text(encoding="utf-8")
LETTERS, LINES = 6_000, 60  # of a piece of code that is shown
TOP = 3  # mistakes to teach again
WORDS = {  # of what was seen where points were lost
    "named": "with a named mistake",
    "pattern": "with a pattern that has no name",
    "unwritten": "not written",
    "limit": "with a limit or a refusal",
    "unnamed": "without an explanation",
    "not graded": "that the grader could not grade",
    "unknown": "of which nothing is known",
}
COLUMNS = ("student_id", "task", "criterion", "points", "of", "seen", "mistakes", "by_hand", "late_hours", "waits")


def environment(*folders: Path) -> Environment:
    """Templates of these folders, and the frame of all pages; `shown` and `code` make text of a student's readable."""
    made = Environment(
        loader=FileSystemLoader([*folders, HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"shown": lambda text: visible(str(text)), "code": code, "number": lambda value: f"{value:.4g}"}
    return made


def render(template: str, *folders: Path, **about: Any) -> str:
    """A page in the frame: its policy allows the style below by its hash, pictures within it, and nothing else."""
    allowed = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return environment(*folders).get_template(template).render(style=STYLE, allowed=allowed, **about)


def html(klass: Class) -> str:
    """The report on a class."""
    found, criteria = summary.mistakes(klass), summary.criteria(klass)
    return render(
        "report.html.j2",
        klass=klass,
        title=problem_set(klass.name).title,
        marks=summary.marks(klass),
        criteria=[row for row in criteria if row.lost_by],
        earned=len([row for row in criteria if not row.lost_by]),
        monday=[mistake for mistake in found if mistake.named][:TOP],
        mistakes=found,
        seen=summary.seen(klass),
        kinds=WORDS,
        limits=summary.limits(klass),
        waits=summary.waits(klass),
        late=[work for work in klass.works if work.late_hours > 0],
    )


def table(klass: Class) -> str:
    """A row for each test of each student, for a spreadsheet or pandas."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for work in klass.works:
        late, waits = round(work.late_hours, 1), "; ".join(dict.fromkeys(wait.why for wait in work.waits))
        for test in work.tests:
            about = (test.points, test.of, test.seen, " | ".join(test.mistakes), "yes" if test.by_hand else "")
            rows.writerow([for_table(work.student), test.task, test.criterion, *about, late, for_table(waits)])
    return text.getvalue()


def code(source: str) -> str:
    """Code, no longer than a reader wants it."""
    lines = visible(source[:LETTERS]).strip("\n").split("\n")
    cut = len(source) > LETTERS or len(lines) > LINES
    return "\n".join([*lines[:LINES], *(["# … cut here"] if cut else [])])
