"""A class through nbgrader's real command line: everybody gets the grade that the work deserves."""

import csv
import html
import re
from pathlib import Path

import nbformat
import pytest

from course_lib.grading.cells import grade_id
from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Task

from .attacks.delegates import DELEGATED, delegates, sources, together
from .course import ROOT, Course, contents, run
from .demo import gradebook_table, pipeline
from .measure import secrets
from .sample_class import STYLES, expected, instructor, losses, points, read_by_a_person, solved, students, submission

FIRST = names()[0]  # what is the same for every set is shown once, with a larger class in a whole clone
CLASS = (*STYLES, "partial", "wrong", "empty", "syntax")
ONE_BY_ONE = "\nc.IsolatedAutograde.workers = 1\n"  # the first set shows that several grade
EACH = [pytest.param(name, marks=pytest.mark.xdist_group(f"pipeline-{name}")) for name in names()]
of_each_set = pytest.mark.parametrize("graded", EACH, indirect=True)
of_one_set = pytest.mark.parametrize("graded", EACH[:1], indirect=True)


class Graded:
    """A class after the whole pipeline: the gradebook, and what the engine says of the same work.

    Its students hand in the instructor's own solutions, a mistake in every task, and libraries in place of work. The
    first set is graded in a fresh clone with a history and a secret of its own, for the class of `make grade` as well,
    and by several workers.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.name, self.problem = name, problem_set(name)
        self.course = Course.create(folder, whole=name == FIRST)
        if name != FIRST:
            (folder / ".course_secret").write_text(secrets.secret(0).hex())
            with (folder / "nbgrader_config.py").open("a") as config:
                config.write(ONE_BY_ONE)
        self.delegates = together(delegates(self.problem))
        self.students = students(self.problem) if name == FIRST else {"wrong": solved(self.problem, f"{name}.mistakes")}
        self.students |= {"instructor": instructor(name)}
        self.students |= {student: sources(self.problem, cells) for student, cells in self.delegates.items()}
        own = [path for path in (ROOT / "gradebook.db", ROOT / ".course_secret") if path.exists()]
        before = [(path, path.stat().st_mtime_ns) for path in own]
        self.committed = contents(folder / "assignments")
        if name == FIRST:
            self.git("init", "--quiet")
            self.git("add", "--all")
            someone = ("-c", "user.name=A Student", "-c", "user.email=student@example.org")
            self.git(*someone, "commit", "--quiet", "-m", "A fresh clone")
        pipeline(self.course, name, self.students)
        if name == FIRST:
            self.course.nbgrader("export")
        self.left_alone = before == [(path, path.stat().st_mtime_ns) for path in own]
        self.grades = self.course.grades(name)
        self.verdicts = {  # what the engine says of the same work, in this process
            student: expected(self.problem, submission(folder, student, name), self.course.secret())
            for student in (CLASS if name == FIRST else ())
        }
        released = nbformat.read(folder / "assignments" / name / f"{name}.ipynb", 4)
        self.manual = {cell.metadata.nbgrader.grade_id for cell in filter(read_by_a_person, released.cells)}

    def git(self, *command: str) -> str:
        return run("git", *command, cwd=self.course.folder, env=self.course.environment)

    def points(self, student: str, task: Task) -> float:
        """What the tests of a task gave."""
        cells = {grade_id(task, criterion) for criterion in task.criteria}
        return sum(grade.score for name, grade in self.grades[student].items() if name in cells)

    def automatic(self, student: str) -> dict[str, float | None]:
        """What the tests gave, cell by cell."""
        return {name: grade.auto for name, grade in self.grades[student].items() if name not in self.manual}

    @property
    def functions(self) -> dict[str, Task]:
        """Every task by the name of its function."""
        return {task.name.partition(".")[2]: task for task in self.problem.tasks}

    def feedback(self, student: str) -> str:
        """The text of a student's feedback, without the page's style and scripts."""
        page = self.course.feedback(student, self.name).read_text(encoding="utf-8")
        return html.unescape(re.sub(r"(?s)<(style|script)\b.*?</\1>|<[^>]*>", "", page))


@pytest.fixture(scope="module")
def graded(request, tmp_path_factory) -> Graded:
    return Graded(tmp_path_factory.mktemp("pipeline") / "course", request.param)


@of_each_set
def test_the_release_is_the_one_that_is_committed(graded):
    now = contents(graded.course.folder / "assignments")
    assert now == graded.committed, f"make release: assignments/{graded.name} is not current"


@of_each_set
def test_the_instructors_solutions_earn_everything_and_the_answer_waits_for_a_person(graded):
    for name, grade in graded.grades["instructor"].items():
        assert (grade.auto, grade.waiting) == ((None, True) if name in graded.manual else (grade.of, False)), name


@of_each_set
def test_a_mistake_in_every_task_gets_what_it_deserves_and_the_feedback_names_it(graded):
    """What that is, test_tasks.py shows in another process, with other hashes of text: cases follow from the secret."""
    assert len(graded.students["wrong"]) == len(graded.problem.tasks)
    text = " ".join(graded.feedback("wrong").split())
    for task in graded.problem.tasks:
        mistake, lost = losses(task)
        if graded.verdicts:  # under a secret of its own
            lost = {c.name for c in task.criteria if not graded.verdicts["wrong"][grade_id(task, c)].passed}
        for criterion in task.criteria:
            earned = 0 if criterion.name in lost else criterion.points
            assert graded.automatic("wrong")[grade_id(task, criterion)] == earned, (task.name, criterion.name)
        assert 0 < graded.points("wrong", task) < task.points, task.name
        (hint,) = (each.hint for each in task.misconceptions if each.name == mistake)
        assert " ".join(hint.split()) in text, task.name


@of_each_set
def test_a_library_does_the_work_of_no_task(graded):
    """Every task is tried by one student or more; each is told so, or has no process that could do the work."""
    assert {task for cells in graded.delegates.values() for task in cells} == set(graded.functions)
    for student, cells in graded.delegates.items():
        text = graded.feedback(student)
        assert not any(graded.points(student, task) for task in graded.problem.tasks), student
        criteria = sum(len(graded.functions[function].criteria) for function in cells)
        told = "it raised an error, as it does on the visible cases" if student == "process" else DELEGATED
        assert text.count(told) >= criteria, (student, text)


@of_each_set
def test_feedback_shows_every_score_and_nothing_of_the_grader(graded):
    for student, grades in graded.grades.items():
        text = graded.feedback(student)
        total, of = sum(grade.score for grade in grades.values()), sum(grade.of for grade in grades.values())
        assert re.search(rf"Score:\s*{total:.1f}\s*/\s*{of:.1f}", text), text[:500]
        assert not re.search(r"\bgrade\(|BEGIN HIDDEN|END HIDDEN", text)
        assert not re.search(r"Traceback|site-packages|(?<![\w.])/(home|root|tmp|usr|var|work|Users|private)/", text)
        assert str(graded.course.folder) not in graded.course.feedback(student, graded.name).read_text(encoding="utf-8")


@of_one_set
@pytest.mark.parametrize("student", CLASS)
def test_the_gradebook_has_what_the_work_deserves(graded, student):
    assert graded.automatic(student) == points(graded.verdicts[student])


@of_one_set
@pytest.mark.parametrize("student", STYLES)
def test_a_right_solution_of_any_style_earns_everything(graded, student):
    assert all(graded.points(student, task) == task.points for task in graded.problem.tasks)


@of_one_set
def test_the_untouched_release_earns_nothing(graded):
    assert {grade.score for grade in graded.grades["empty"].values()} == {0.0}


@of_one_set
def test_a_partial_solution_earns_the_tasks_that_are_done(graded):
    tasks = graded.problem.tasks
    done = sum(task.points for task in tasks[: len(tasks) // 2])
    assert sum(grade.score for grade in graded.grades["partial"].values()) == done


@of_one_set
def test_a_syntax_error_costs_its_own_task_alone(graded):
    first, *others = graded.problem.tasks
    by_task = {task.name: graded.points("syntax", task) for task in graded.problem.tasks}
    assert by_task == {first.name: 0.0} | {task.name: task.points for task in others}


@of_one_set
def test_the_export_has_every_student(graded):
    with (graded.course.folder / "grades.csv").open(encoding="utf-8") as file:
        rows = {
            row["student_id"]: float(row["score"]) for row in csv.DictReader(file) if row["assignment"] == graded.name
        }
    assert rows == {student: sum(grade.score for grade in cells.values()) for student, cells in graded.grades.items()}


@of_one_set
def test_grading_again_changes_nothing(graded):
    before = contents(graded.course.folder / "autograded")
    graded.course.nbgrader("autograde", graded.name)
    assert contents(graded.course.folder / "autograded") == before
    graded.course.nbgrader("autograde", graded.name, "--force", "--student", "wrong")
    assert graded.course.grades(graded.name) == graded.grades


@of_one_set
def test_the_clone_stays_clean_and_the_course_that_runs_the_tests_is_left_alone(graded):
    assert graded.left_alone
    assert graded.git("diff", "--stat", "assignments/") == graded.git("status", "--porcelain") == ""
    assert (graded.course.folder / ".course_secret").stat().st_mode & 0o777 == 0o600


@of_one_set
def test_the_table_of_make_grade_has_a_row_for_each_student(graded):
    lines = gradebook_table(graded.grades).splitlines()
    assert sorted(line.split()[0] for line in lines[2:]) == sorted(graded.students)
    full = sum(grade.of for grade in graded.grades["loops"].values())
    waiting = sum(grade.of for name, grade in graded.grades["loops"].items() if name in graded.manual)
    row = next(line for line in lines if line.startswith("loops"))
    assert f"{full - waiting:g}/{full:g}" in row and row.endswith(f"{waiting:g} points")
