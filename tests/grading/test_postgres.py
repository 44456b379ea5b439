"""A gradebook in PostgreSQL: the marks of SQLite, also while people mark in Formgrader; one command at a time on it."""

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from urllib.parse import quote

import nbformat
import pytest
from nbgrader.api import Gradebook
from nbgrader.apps import NbGrader
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import OperationalError
from traitlets.config import LoggingConfigurable

from course_lib.grading.nbgrader_hooks import lock
from course_lib.grading.nbgrader_hooks.save_grades import SaveGrades

from ..browser.harness import Jupyter
from ..browser.test_nbgrader import lab_in
from .attacks.attack import save
from .attacks.run import AFTER, BEFORE, filled_in
from .course import BIN, Course
from .postgres import postgres, programs

pytestmark = [
    pytest.mark.xdist_group("postgres"),
    pytest.mark.skipif(programs() is None, reason="no PostgreSQL is installed: `apt-get install postgresql`"),
]
STUDENTS = {BEFORE, AFTER, "broken", "wrong"}


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with postgres() as url:
        yield url


@pytest.fixture(scope="module")
def in_a_file(prepared, tmp_path_factory) -> Course:
    """A class of four, graded into SQLite."""
    course = Course(tmp_path_factory.mktemp("file") / "course")
    shutil.copytree(prepared.folder, course.folder)
    save(course.folder / "submitted" / "wrong" / "ps1", filled_in(course, "ps1.mistakes"))
    (course.folder / "submitted" / "broken" / "ps1").mkdir(parents=True)
    (course.folder / "submitted" / "broken" / "ps1" / "ps1.ipynb").write_text("{")
    course.nbgrader("autograde", "ps1")
    return course


@pytest.fixture(scope="module")
def on_server(in_a_file, server, tmp_path_factory) -> Course:
    """The same class and the same secret, graded into PostgreSQL by the commands of solutions/README.md."""
    course = Course(tmp_path_factory.mktemp("server") / "course", server)
    made = shutil.ignore_patterns("gradebook.db*", "received", "autograded", "logs")
    shutil.copytree(in_a_file.folder, course.folder, ignore=made)
    with (course.folder / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.CourseDirectory.db_url = {server!r}\n")
    course.nbgrader("generate_assignment", "ps1")
    course.nbgrader("autograde", "ps1")
    return course


def questions(course: Course) -> dict[str, tuple[str, str, str]]:
    """Of each student the ids of the grade and of the comment on the answer in words, and its name."""
    with Gradebook(course.db_url) as book:
        return {
            s.student.id: (grade.id, comment.id, grade.name)
            for s in book.assignment_submissions("ps1")
            for n in s.notebooks
            for comment in n.comments
            for grade in n.grades
            if grade.name == comment.name and "argument" in grade.name
        }


def test_the_marks_are_those_of_sqlite(in_a_file, on_server):
    marks = on_server.grades("ps1")
    assert marks == in_a_file.grades("ps1") and marks.keys() == STUDENTS
    assert not list(on_server.folder.glob("*.db"))
    for course in (in_a_file, on_server):
        course.nbgrader("export")
    tables = [sorted((c.folder / "grades.csv").read_text().splitlines()) for c in (in_a_file, on_server)]
    assert tables[0] == tables[1] and len(tables[0]) == len(STUDENTS) + 1


def ask(lab: Jupyter, path: str, method: str = "GET", **body) -> bytes:
    headers = {"Authorization": f"token {lab.token}"}
    data = json.dumps(body).encode() if body else None
    request = urllib.request.Request(f"{lab.url}/formgrader/{path}", data, headers, method=method)
    with urllib.request.urlopen(request, timeout=120) as answer:
        return answer.read()


def test_marks_given_in_formgrader_while_the_class_is_graded_again_are_all_kept(on_server):
    asked, last = questions(on_server), {}
    assert asked.keys() == STUDENTS
    command = [BIN / "nbgrader", "autograde", "ps1", "--force"]
    told = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    with lab_in(on_server.folder) as lab:
        with subprocess.Popen(command, cwd=on_server.folder, env=on_server.environment, **told) as grading:
            log = ""
            for number, line in enumerate(grading.stdout):  # each line that it writes has everybody marked once more
                log += line
                for student, (grade, comment, _) in asked.items():
                    last[student] = (number % 11 / 2, f"Seen {number} times. ✓")
                    ask(lab, f"api/grade/{grade}", "PUT", manual_score=last[student][0], extra_credit=None)
                    ask(lab, f"api/comment/{comment}", "PUT", manual_comment=last[student][1])
        assert grading.returncode == 0 and "4 of 4 students done" in log and "rror" not in log, log
        marks, after = on_server.grades("ps1"), questions(on_server)
        assert after == asked  # the same rows
        with Gradebook(on_server.db_url) as book:
            for student, (_, _, name) in asked.items():
                assert (marks[student][name].manual, marks[student][name].waiting) == (last[student][0], False)
                assert book.find_comment(name, "ps1", "ps1", student).comment == last[student][1]
            number = book.find_submission_notebook("ps1", "ps1", "wrong").id
        every_page_opens(lab, number)
        listed = {each["id"]: each["score"] for each in json.loads(ask(lab, "api/students"))}
    assert listed == pytest.approx({student: sum(g.score for g in cells.values()) for student, cells in marks.items()})


def every_page_opens(lab: Jupyter, number: str) -> None:
    """Pages and tables of Formgrader, each of which asks the gradebook in its own way."""
    pages = ["manage_submissions/ps1", "gradebook", "gradebook/ps1", "gradebook/ps1/ps1", "manage_students"]
    pages += ["manage_assignments", "manage_students/wrong", "manage_students/wrong/ps1", f"submissions/{number}/"]
    tables = ["assignments", "assignment/ps1", "notebooks/ps1", "submissions/ps1", "submitted_notebooks/ps1/ps1"]
    tables += ["submission/ps1/wrong", "student/wrong", "student_submissions/wrong"]
    tables += ["student_notebook_submissions/wrong/ps1", f"grades?submission_id={number}"]
    for path in pages:
        assert ask(lab, path), path
    for path in tables:
        assert json.loads(ask(lab, f"api/{path}")), path


IMPATIENT = {"in_a_file": "?timeout=0", "on_server": "&options=" + quote("-c lock_timeout=1ms")}


@pytest.mark.parametrize("kept", IMPATIENT)
def test_a_mark_waits_until_the_grades_of_its_notebook_are_written(kept, request):
    course = request.getfixturevalue(kept)
    question = questions(course)["wrong"][2]

    def mark(points: float) -> None:
        with Gradebook(course.db_url + IMPATIENT[kept]) as other:
            other.find_grade(question, "ps1", "ps1", "wrong").manual_score = points
            other.db.commit()

    class Watched(SaveGrades):
        def _add_score(self, cell, resources):
            with pytest.raises(OperationalError, match="locked|lock timeout"):
                mark(2.5)
            return super()._add_score(cell, resources)

    mark(1.5)
    app = NbGrader(coursedir=CourseDirectory(root=str(course.folder)))
    graded = nbformat.read(course.folder / "autograded/wrong/ps1/ps1.ipynb", 4)
    about = {"student": "wrong", "assignment": "ps1", "notebook": "ps1", "db_url": course.db_url}
    Watched(parent=LoggingConfigurable(parent=app)).preprocess(graded, {"nbgrader": about})
    assert course.grades("ps1")["wrong"][question].manual == 1.5
    mark(3.5)
    assert course.grades("ps1")["wrong"][question].manual == 3.5


def test_a_command_from_another_folder_on_the_same_gradebook_changes_nothing(on_server, tmp_path):
    other = Course(tmp_path / "other", on_server.server)
    shutil.copytree(on_server.folder, other.folder)
    with lock.alone(on_server.folder, "`one`", on_server.server):
        said = other.nbgrader("autograde", "ps1", fails=True)
        assert "(`one`, from the machine of the gradebook)" in said and "Traceback" not in said, said
    assert "Error" not in other.nbgrader("autograde", "ps1")


def test_a_server_that_does_not_answer_is_named(on_server, tmp_path):
    course = Course(tmp_path / "course")
    shutil.copytree(on_server.folder, course.folder)
    with (course.folder / "nbgrader_config.py").open("a") as config:
        config.write(f"\nc.CourseDirectory.db_url = 'postgresql+psycopg://course@/gradebook?host={tmp_path}'\n")
    said = course.nbgrader("autograde", "ps1", fails=True)
    assert "The server of the gradebook cannot be reached" in said and "Traceback" not in said, said
