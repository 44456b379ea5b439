"""Pairs side by side in one HTML file, and as a table."""

import csv
import io
from pathlib import Path

from course_lib.grading.nbgrader_hooks.sanitize import for_table
from course_lib.grading.registry import problem_set
from course_lib.grading.report.page import render
from course_lib.grading.similarity import compare
from course_lib.grading.similarity.compare import Pair

MOST = 60  # pairs shown side by side; the table has all


def html(name: str, count: int, pairs: list[Pair]) -> str:
    """The page on a problem set of `count` students."""
    return render(
        "similarity.html.j2",
        Path(__file__).parent,
        name=name,
        title=problem_set(name).title,
        titles={task.name: task.title for task in problem_set(name).tasks},
        count=count,
        pairs=pairs,
        shown=pairs[:MOST],
        limits=compare,
    )


def table(pairs: list[Pair]) -> str:
    """A row for each pair and task."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["student", "other", "share", "open", "task", "share_of_task"])
    for pair in pairs:
        who = map(for_table, pair.students)
        about = [*who, f"{pair.share:.2f}", f"{pair.open:.2f}"]
        rows.writerows([*about, same.task, f"{max(same.shares):.2f}"] for same in pair.tasks)
    return text.getvalue()
