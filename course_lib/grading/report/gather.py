"""A class as the gradebook and the graded notebooks have it.

Points come from the gradebook. What was seen comes from the verdicts that the grader's kernel wrote into the test cells
of autograded/: nothing that a student writes or prints gets there, and a mistake counts only under a name that the
task's own list has.
"""

from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook, MissingEntry

from course_lib.grading import diagnosis
from course_lib.grading.cells import grade_id, id_, is_test_cell
from course_lib.grading.nbgrader_hooks.links import RECEIVED
from course_lib.grading.registry import problem_set
from course_lib.grading.report import trouble
from course_lib.grading.report.records import Class, Judged, Wait, Work
from course_lib.grading.task import Criterion, Task
from course_lib.grading.verdict import MIME

PATTERNS = {  # hints for what has no name in a task's list
    diagnosis.ALWAYS_THE_SAME: "one answer in all cases",
    diagnosis.NOTHING: "returns None",
    diagnosis.OTHER_KIND: "another kind of value",
}
UNWRITTEN = "this is not written yet"


def gather(gradebook: Gradebook, folder: Callable[[str, str, str], Path], submitted: list[str], name: str) -> Class:
    """The class of problem set `name`; `folder(kind, student, name)` is where "received" or "autograded" work lies.

    `submitted` are the students with a folder in submitted/. Raises ValueError for a set that is not in the gradebook.
    """
    problem = problem_set(name)
    try:
        gradebook.find_assignment(name)
    except MissingEntry:
        raise ValueError(f"{name} is not in the gradebook: run `nbgrader generate_assignment {name}` first") from None
    works, ungraded = [], []
    for submission in sorted(gradebook.assignment_submissions(name), key=lambda each: each.student.id):
        if any(g.auto_score is not None for n in submission.notebooks for g in n.grades):
            works.append(_work(submission, problem.tasks, folder))
    graded = {work.student for work in works}
    for student in sorted({*submitted} - graded):
        ungraded.append(Wait(student, "handed in, and not graded: run autograde, and read the end of its log"))
    missing = sorted({student.id for student in gradebook.students} - graded - {*submitted})
    return Class(name, tuple(works), tuple(ungraded), tuple(missing))


def _work(submission, tasks: tuple[Task, ...], folder: Callable[[str, str, str], Path]) -> Work:
    student, name = submission.student.id, submission.assignment.name
    notebook = _read(folder("autograded", student, name) / f"{name}.ipynb")
    cells = {id_(cell): cell for cell in notebook.cells} if notebook else {}
    grades = {grade.name: grade for each in submission.notebooks for grade in each.grades}
    tests, waits = [], []
    if refused := _refused(folder(RECEIVED, student, name) / f"{name}.ipynb"):
        waits.append(Wait(student, f"it could not be read: {refused}"))
    for task in tasks:
        for criterion in task.criteria:
            if (grade := grades.pop(grade_id(task, criterion), None)) is not None:
                tests.append(_test(task, criterion, grade, cells.get(grade.name)))
                if tests[-1].seen == "not graded":
                    why = f"{task.name}, {criterion.name}: the grader failed; run autograde again"
                    waits.append(Wait(student, why, grade.max_score))
                elif grade.needs_manual_grade:
                    why = f"{task.name}, {criterion.name}: you gave its points, and the code has changed since"
                    waits.append(Wait(student, why, grade.max_score))
    for grade in grades.values():
        if grade.needs_manual_grade:
            why = "a written answer" if grade.manual_score is None else "a written answer that has changed since"
            waits.append(Wait(student, why, grade.max_score))
    return Work(
        student=student,
        points=submission.score,
        of=submission.max_score,
        tests=tuple(tests),
        late_hours=submission.total_seconds_late / 3600,
        late_points=submission.late_submission_penalty or 0.0,
        code={task.name: cells[grade_id(task)].source for task in tasks if grade_id(task) in cells} if cells else None,
        stopped=tuple(dict.fromkeys(filter(None, map(_stopped, notebook.cells if notebook else ())))),
        waits=tuple(waits),
    )


def _test(task: Task, criterion: Criterion, grade, cell: NotebookNode | None) -> Judged:
    by_hand = grade.manual_score is not None
    score, of = grade.manual_score if by_hand else grade.auto_score or 0.0, grade.max_score
    seen, mistakes = _seen(task, criterion, cell)
    return Judged(task.name, criterion.name, score, of, seen, mistakes, by_hand)


def _seen(task: Task, criterion: Criterion, cell: NotebookNode | None) -> tuple[str, tuple[str, ...]]:
    """What a test cell of the grader's says was seen, and the names of the mistakes that explain it."""
    outputs = cell.outputs if cell is not None and is_test_cell(cell) else []
    if any(output.output_type == "error" for output in outputs):
        return "not graded", ()
    told = [o.data.get(MIME) for o in outputs if o.output_type == "execute_result"]
    about = told[0] if len(told) == 1 and isinstance(told[0], dict) else {}
    if (about.get("task"), about.get("criterion")) != (task.name, criterion.name):
        return "unknown", ()
    if about.get("points") == about.get("of"):
        return "right", ()
    message, hint = str(about.get("message")), about.get("hint")
    if message == UNWRITTEN:
        return "unwritten", ()
    if (kind := trouble.of_verdict(message, task)) is not None:
        return kind, ()
    known = {mistake.name for mistake in task.misconceptions}
    if names := [name for name in str(about.get("misconception") or "").split(" or ") if name in known]:
        return "named", tuple(names)
    return ("pattern", (PATTERNS[hint],)) if hint in PATTERNS else ("unnamed", ())


def _stopped(cell: NotebookNode) -> str | None:
    """What ended a cell that the student wrote."""
    own = cell.cell_type == "code" and not cell.metadata.get("nbgrader", {}).get("locked")
    return trouble.of_cell(cell.outputs) if own else None


def _refused(path: Path) -> str | None:
    """Why a submission could not be read: intake.py wrote it into the metadata, which no student's notebook keeps."""
    notebook = _read(path)
    return notebook.metadata.get("course", {}).get("refused") if notebook else None


def _read(path: Path) -> NotebookNode | None:
    try:
        return nbformat.read(path, 4)
    except (OSError, ValueError, nbformat.ValidationError):
        return None
