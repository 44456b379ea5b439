"""The feedback of a graded notebook: points first, no hidden test."""

import re

import nbgrader.apps.api
import nbgrader.apps.generatefeedbackapp
import nbgrader.converters
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader import utils
from nbgrader.api import Gradebook
from nbgrader.converters.generate_feedback import GenerateFeedback
from nbgrader.preprocessors import GetGrades

from course_lib.grading.cells import grade_id
from course_lib.grading.nbgrader_hooks.one_by_one import OneByOne
from course_lib.grading.registry import names, problem_set
from course_lib.grading.verdict import MIME

HIDDEN = re.compile(r"\n?[^\n]*BEGIN HIDDEN TESTS.*?(END HIDDEN TESTS[^\n]*|\Z)", re.DOTALL)

LOOKS = """
#toc, div.prompt { display: none }
.celltag_verdict .input { height: 0; overflow: hidden }  /* the verdict says it all; its anchor stays */
.celltag_verdict .output_area { margin-left: 1em }
.rendered_html table { margin: 0 0 1em }
.rendered_html td, .rendered_html th { padding: .3em 1em .3em 0 }
"""


class CleanFeedback(GetGrades):
    """In `c.GenerateFeedback.preprocessors` in place of GetGrades, behind CSSHTMLHeaderPreprocessor."""

    def preprocess(self, nb, resources):
        nb, resources = super().preprocess(nb, resources)
        for cell in nb.cells:
            if utils.is_locked(cell):
                cell.source = HIDDEN.sub("", cell.source)
            if tells_its_score(cell):
                cell.metadata["tags"] = ["verdict"]
        about = resources["nbgrader"]
        with Gradebook(about["db_url"]) as gradebook:
            graded = gradebook.find_submission_notebook(about["notebook"], about["assignment"], about["student"])
            waiting = {each.name for each in graded.grades if each.needs_manual_grade and each.manual_score is None}
        table = overview(nb.cells, titles(about["assignment"]), waiting, about["late_penalty"])
        nb.cells.insert(0, new_markdown_cell(table))
        resources["inlining"]["css"].append(LOOKS)
        return nb, resources


class Feedback(OneByOne, GenerateFeedback):
    """nbgrader's GenerateFeedback, which a submission that it cannot handle does not end."""


def install() -> None:
    """Let nbgrader find this GenerateFeedback in place of its own."""
    for module in (nbgrader.converters, nbgrader.apps.generatefeedbackapp, nbgrader.apps.api):
        module.GenerateFeedback = Feedback


def tells_its_score(cell: NotebookNode) -> bool:
    """True for a test whose verdict is its score: nobody gave it another by hand."""
    if not (utils.is_grade(cell) and cell.cell_type == "code"):
        return False
    told = [output.data[MIME]["points"] for output in cell.outputs if MIME in output.get("data", {})]
    return told == [cell.metadata.nbgrader.score]


def titles(assignment: str) -> dict[str, str]:
    """The title of each task, by the grade_id of its solution cell."""
    tasks = problem_set(assignment).tasks if assignment in names() else ()
    return {grade_id(task): task.title for task in tasks}


def overview(cells: list[NotebookNode], titles: dict[str, str], waiting: set[str], late: float) -> str:
    """A row a task: its points, and what is missing; a row for each answer that a person reads.

    `waiting` are the cells without a score: answers that nobody has read, tests on which the grader failed.
    """
    tasks: dict[str, list] = {}
    for cell in filter(utils.is_grade, cells):
        tasks.setdefault(cell.metadata.nbgrader.grade_id.partition("__")[0], []).append(cell.metadata.nbgrader)
    lines = ["| | points | to look at |", "|:--|--:|:--|"]
    for task, parts in tasks.items():
        earned, of = sum(part.score for part in parts), sum(part.points for part in parts)
        lost = [part for part in parts if part.score < part.points and part.grade_id not in waiting]
        named = [f"[{part.grade_id.partition('__')[2] or 'the comment'}](#{part.grade_id})" for part in lost]
        why = "a person will read it" if "__" not in parts[0].grade_id else "not all of it could be graded: it will be"
        waits = any(part.grade_id in waiting for part in parts)
        missing = why if waits else ", ".join(named)
        sign = "…" if waits else "✓" if not lost else "◐" if earned else "✗"
        title = f"[{titles.get(task, 'Your answer')}](#{parts[0].grade_id})"
        lines.append(f"| {sign} {title} | {earned:g} / {of:g} | {missing} |")
    if late:
        lines.append(f"| Handed in late | −{late:g} | |")
    return "\n".join(lines)
