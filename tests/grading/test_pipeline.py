"""A class of seven through nbgrader's real command line: everybody gets the grade that the work deserves."""

import csv
import html
import re

import nbformat
import pytest

from course_lib.grading.tasks import names, problem_set

from .course import ROOT, Course, contents
from .demo import gradebook_table, pipeline
from .sample_class import STYLES, expected, points, read_by_a_person, solved, students, submission

CLASS = (*STYLES, "partial", "wrong", "empty", "syntax")


class Graded:
    """A problem set's class after the whole pipeline: the gradebook, and what the engine says of the same work."""

    def __init__(self, course: Course, name: str) -> None:
        self.course, self.name, self.problem = course, name, problem_set(name)
        own = [path for path in (ROOT / "gradebook.db", ROOT / ".course_secret") if path.exists()]
        before = [(path, path.stat().st_mtime_ns) for path in own]
        pipeline(course, name)
        self.left_alone = before == [(path, path.stat().st_mtime_ns) for path in own]
        self.grades = course.grades(name)
        self.verdicts = {
            student: expected(self.problem, submission(course.folder, student, name), course.secret())
            for student in students(self.problem)
        }
        released = nbformat.read(course.folder / "assignments" / name / f"{name}.ipynb", 4)
        self.manual = {cell.metadata.nbgrader.grade_id for cell in filter(read_by_a_person, released.cells)}

    def feedback(self, student: str) -> str:
        """The text of a student's feedback, without the page's style and scripts."""
        page = self.course.feedback(student, self.name).read_text(encoding="utf-8")
        return html.unescape(re.sub(r"(?s)<(style|script)\b.*?</\1>|<[^>]*>", "", page))


EACH = [pytest.param(name, marks=pytest.mark.xdist_group(f"pipeline-{name}")) for name in names()]


@pytest.fixture(scope="module", params=EACH)
def graded(request, tmp_path_factory) -> Graded:
    return Graded(Course.create(tmp_path_factory.mktemp("pipeline") / "course"), request.param)


@pytest.mark.parametrize("student", CLASS)
def test_the_gradebook_has_what_the_work_deserves(graded, student):
    automatic = {name: grade.auto for name, grade in graded.grades[student].items() if name not in graded.manual}
    assert automatic == points(graded.verdicts[student])


@pytest.mark.parametrize("student", STYLES)
def test_a_right_solution_earns_everything_and_its_answer_waits_for_a_person(graded, student):
    for name, grade in graded.grades[student].items():
        assert (grade.auto, grade.waiting) == ((None, True) if name in graded.manual else (grade.of, False)), name


def test_the_untouched_release_earns_nothing(graded):
    assert {grade.score for grade in graded.grades["empty"].values()} == {0.0}


def test_a_partial_solution_earns_the_tasks_that_are_done(graded):
    tasks = graded.problem.tasks
    done = sum(task.points for task in tasks[: len(tasks) // 2])
    assert sum(grade.score for grade in graded.grades["partial"].values()) == done


def test_a_syntax_error_costs_its_own_task_alone(graded):
    first, *others = graded.problem.tasks
    by_task = {
        task.name: sum(
            g.score for n, g in graded.grades["syntax"].items() if n.startswith(task.name.replace(".", "_") + "__")
        )
        for task in graded.problem.tasks
    }
    assert by_task == {first.name: 0.0} | {task.name: task.points for task in others}


def test_a_mistake_in_every_task_loses_some_of_each_and_the_feedback_names_it(graded):
    assert len(solved(graded.problem, f"mistakes.{graded.name}")) == len(graded.problem.tasks)
    text = " ".join(graded.feedback("wrong").split())
    for task in graded.problem.tasks:
        mine = [verdict for verdict in graded.verdicts["wrong"].values() if verdict.task == task.name]
        assert 0 < sum(verdict.points for verdict in mine) < task.points, task.name
        hints = {verdict.hint for verdict in mine if verdict.hint}
        assert hints, f"no misconception of {task.name} is recognised"
        assert all(" ".join(hint.split()) in text for hint in hints), task.name


@pytest.mark.parametrize("student", CLASS)
def test_feedback_shows_every_score_and_nothing_of_the_grader(graded, student):
    text = graded.feedback(student)
    total = sum(grade.score for grade in graded.grades[student].values())
    of = sum(grade.of for grade in graded.grades[student].values())
    assert re.search(rf"Score:\s*{total:.1f}\s*/\s*{of:.1f}", text), text[:500]
    assert not re.search(r"\bgrade\(|BEGIN HIDDEN|END HIDDEN", text)
    assert not re.search(r"Traceback|site-packages|(?<![\w.])/(home|root|tmp|usr|var|work|Users|private)/", text)
    assert str(graded.course.folder) not in graded.course.feedback(student, graded.name).read_text(encoding="utf-8")


def test_the_export_has_every_student(graded):
    with (graded.course.folder / "grades.csv").open(encoding="utf-8") as file:
        rows = {
            row["student_id"]: float(row["score"]) for row in csv.DictReader(file) if row["assignment"] == graded.name
        }
    assert rows == {student: sum(grade.score for grade in cells.values()) for student, cells in graded.grades.items()}


def test_grading_again_changes_nothing(graded):
    before = contents(graded.course.folder / "autograded")
    graded.course.nbgrader("autograde", graded.name)
    assert contents(graded.course.folder / "autograded") == before
    graded.course.nbgrader("autograde", graded.name, "--force", "--student", "wrong")
    assert graded.course.grades(graded.name) == graded.grades


def test_the_course_that_runs_the_tests_is_left_alone(graded):
    assert graded.left_alone


def test_the_table_of_make_grade_has_a_row_for_each_student(graded):
    lines = gradebook_table(graded.grades).splitlines()
    assert sorted(line.split()[0] for line in lines[2:]) == sorted(CLASS)
    full = sum(grade.of for grade in graded.grades["loops"].values())
    waiting = sum(grade.of for name, grade in graded.grades["loops"].items() if name in graded.manual)
    row = next(line for line in lines if line.startswith("loops"))
    assert f"{full - waiting:g}/{full:g}" in row and row.endswith(f"{waiting:g} points")
