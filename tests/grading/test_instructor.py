"""What an instructor meets in a term: a platform's zip, late work, an export for it, a test that turns out wrong."""

import csv
import re
import sys

import nbformat
import pytest
from nbgrader.api import Gradebook

from course_lib.grading.cells import grade_id
from course_lib.grading.nbgrader_hooks.export import Export
from course_lib.grading.registry import problem_set

from .attacks.run import FEW, deserved, filled_in, shorten
from .course import Course, empty_gradebook, run
from .fixtures import lms
from .sample_class import submission

pytestmark = pytest.mark.xdist_group("instructor")
TASKS = problem_set("ps1").tasks[: len(FEW)]  # of the shortened set


def handed_in(course: Course, solutions: str) -> bytes:
    """The bytes of ps1 with the functions of tests/problem_sets/<solutions>.py filled in."""
    return nbformat.writes(filled_in(course, solutions)).encode()


class Term:
    """A course whose class handed in over Moodle and Canvas; late, mislaid and malicious files among them."""

    STAMPS = {"Ada Lovelace": "2026-05-04 20:00", "Jürgen Groß": "2026-05-06 22:30", "lovelaceada": "2026-05-07 12:00"}

    def __init__(self, course: Course) -> None:
        self.course = course
        shorten(course, FEW)
        course.nbgrader("generate_assignment", "ps1")
        self.collect(handed_in(course, "ps1.loops"))
        self.rules()
        self.log = course.nbgrader("autograde", "ps1")
        course.nbgrader("export")
        self.grades = course.grades("ps1")
        self.full = deserved(course)

    def collect(self, right: bytes) -> None:
        nested = lms.packed({"my work/ps 1 (final).ipynb": right, "__MACOSX/my work/._ps1.ipynb": b"\0"})
        moodle = {
            "Ada Lovelace": {"ps1.ipynb": right, "notes.txt": b"for myself", "old/ps1.ipynb": b"{}"},
            "Ju\u0308rgen Groß": {"Abgabe Übung.zip": nested},
            "Zoë O'Neil": {"ps1.zip": b"PK\x03\x04 broken on the way", "timestamp.txt": b"2026-05-01 08:00"},
        }
        bomb = lms.packed({f"{number}.bin": bytes(20 << 20) for number in range(6)})
        elsewhere = {f"{name}_1234567_assignsubmission_file_/ps1.ipynb": b"{}" for name in moodle}
        canvas = {
            "lovelaceada": {"ps1-2.ipynb": right},
            "mallorym": {"ps1.zip": lms.packed(elsewhere | {"../../../../ps1.ipynb": b"{}", "bomb.zip": bomb})},
        }
        zips = {"CS_101_7_ps1": lms.moodle(moodle), "submissions": lms.canvas(canvas, late=("lovelaceada",))}
        lms.put(self.course.folder, "ps1", **zips)
        (self.course.folder / "downloaded" / "ps1" / "archive" / "read me first.txt").write_text("a stray file")
        self.collected = self.course.nbgrader("zip_collect", "ps1")

    def rules(self) -> None:
        """A due date, a penalty for late work, an extension for one student, names for two."""
        nbgrader, folder = self.course.nbgrader, self.course.folder
        nbgrader("db", "assignment", "add", "ps1", "--duedate=2026-05-04 21:59 UTC")
        names = ("--last-name=Lovelace, Countess", "--first-name==Ada", "--lms-user-id=4711")
        nbgrader("db", "student", "add", "lovelaceada", *names)
        for student, stamp in self.STAMPS.items():
            (folder / "submitted" / student / "ps1" / "timestamp.txt").write_text(f"{stamp} UTC")
        with (folder / "nbgrader_config.py").open("a") as config:
            config.write("c.LatePenalty.per_day = 0.1\nc.LatePenalty.at_most = 0.25\n")
            config.write('c.LatePenalty.extensions = {"ps1": {"Jürgen Groß": 1.5}}\n')

    def export(self) -> dict[str, dict[str, str]]:
        with (self.course.folder / "grades.csv").open(encoding="utf-8") as file:
            return {row["student_id"]: row for row in csv.DictReader(file)}


@pytest.fixture(scope="module")
def term(tmp_path_factory) -> Term:
    return Term(Course.create(tmp_path_factory.mktemp("term") / "course"))


def test_every_student_of_the_zips_is_collected_and_nobody_else(term):
    assert sorted(term.grades) == ["Ada Lovelace", "Jürgen Groß", "Zoë O'Neil", "lovelaceada", "mallorym"]
    assert "lovelaceada is marked late" in term.collected and "ps1.zip cannot be unpacked" in term.collected


@pytest.mark.parametrize("student", ["Ada Lovelace", "Jürgen Groß", "lovelaceada"])
def test_a_right_solution_is_found_and_graded_wherever_it_lay(term, student):
    assert sum(grade.score for grade in term.grades[student].values()) == term.full


def test_another_students_file_named_as_someone_elses_counts_for_nobody(term):
    assert sum(grade.score for grade in term.grades["mallorym"].values()) == 0
    assert not list(term.course.folder.parent.glob("**/archive/ps1.ipynb")) + list(term.course.folder.glob("ps1.ipynb"))


def test_a_zip_that_grows_without_end_is_left_unpacked(term):
    assert "bomb.zip cannot be unpacked: more than 100 MB" in term.collected
    assert not list((term.course.folder / "downloaded").rglob("*.bin"))


def test_work_that_cannot_be_read_is_recorded_with_the_reason(term):
    assert {grade.score for grade in term.grades["Zoë O'Neil"].values()} == {0.0}
    assert re.search(r"submission of Zoë O'Neil: could not be read: there is no notebook", term.log)


def test_a_student_does_not_say_when_the_work_was_handed_in(term):
    assert not (term.course.folder / "submitted" / "Zoë O'Neil" / "ps1" / "timestamp.txt").exists()


def test_late_work_loses_a_share_for_each_started_day_up_to_the_most(term):
    lost = {student: float(row["late_submission_penalty"]) for student, row in term.export().items()}
    assert lost["Ada Lovelace"] == 0.0
    assert lost["Jürgen Groß"] == pytest.approx(0.1 * term.full)  # two days late, a day and a half was granted
    assert lost["lovelaceada"] == pytest.approx(0.25 * term.full)  # three started days, a quarter is the most
    assert lost["Zoë O'Neil"] == lost["mallorym"] == 0.0  # no time of theirs is known


def test_an_extension_granted_later_counts_without_grading_again(term):
    config = term.course.folder / "nbgrader_config.py"
    before = config.read_text()
    config.write_text(before.replace('"Jürgen Groß": 1.5', '"Jürgen Groß": 3'))
    term.course.nbgrader("export")
    assert float(term.export()["Jürgen Groß"]["late_submission_penalty"]) == 0.0
    config.write_text(before)


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ('LatePenalty.extensions = {"ps1": {"ada": "3"}}', " must be numbers of days, "),
        ('IsolatedExecute.limits = {"call_second": 10}', " must name limits out of call_seconds, cell_seconds, "),
        ('IsolatedExecute.limits = {"call_seconds": "10"}', ": call_seconds must be a positive number, got '10'"),
    ],
    ids=["extension", "name of a limit", "value of a limit"],
)
def test_a_wrong_setting_is_named_and_what_is_graded_stays(term, setting, says):
    config = term.course.folder / "nbgrader_config.py"
    before, graded = config.read_text(), term.course.outputs("ps1")
    config.write_text(f"{before}\nc.{setting}\n")
    log = term.course.nbgrader("autograde", "ps1", "--force", fails=True)
    config.write_text(before)
    assert f"c.{setting.split()[0]}{says}" in log and "Traceback" not in log
    assert graded and term.course.outputs("ps1") == graded and term.course.grades("ps1") == term.grades


def test_the_export_names_students_as_the_platform_knows_them(term):
    row = term.export()["lovelaceada"]
    known = ("lms_user_id", "last_name", "first_name", "waiting", "duedate")
    assert [row[name] for name in known] == ["4711", "Lovelace, Countess", "'=Ada", "yes", "2026-05-04 21:59:00"]
    assert float(row["score"]) == pytest.approx(0.75 * term.full)
    assert float(row["max_score"]) == sum(grade.of for grade in term.grades["lovelaceada"].values())


def test_a_students_id_is_no_formula_in_the_export(tmp_path):
    (tmp_path / "gradebook.db").write_bytes(empty_gradebook())
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as book:
        book.add_assignment("ps1")
        book.add_student("@SUM(1+1)")
        Export(to=str(tmp_path / "grades.csv")).export(book)
    assert (tmp_path / "grades.csv").read_text().splitlines()[1].startswith("ps1,'@SUM(1+1),")


SHORTENED = f"""
from dataclasses import replace

PROBLEM_SET = replace(PROBLEM_SET, tasks=PROBLEM_SET.tasks[:{len(FEW)}])
"""
REPLACED = """
TASK = PROBLEM_SET.tasks[0]
CRITERIA = [replace(c, probe=lambda function, case: 0) if c.name == {name!r} else c for c in TASK.criteria]
PROBLEM_SET = replace(
    PROBLEM_SET, release=2, tasks=(replace(TASK, criteria=tuple(CRITERIA)), *PROBLEM_SET.tasks[1:])
)
"""


AGAIN = "answers_again"  # whose notebook has another name than it should


class MidTerm:
    """Graded, by tests and by hand; then a test proves wrong and is replaced by one that everybody passes."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.add_to_the_set(SHORTENED)
        shorten(course, FEW)
        course.nbgrader("generate_assignment", "ps1")
        for student, folder in {"right": "ps1.loops", "wrong": "ps1.mistakes", AGAIN: "ps1.loops"}.items():
            self.hand_in(student, handed_in(course, folder))
        course.nbgrader("autograde", "ps1")
        self.before = course.grades("ps1")
        self.manual = next(name for name, grade in self.before["right"].items() if grade.waiting)
        self.by_hand()
        again = handed_in(course, "ps1.loops").replace(b"I choose the second", b"The first")
        self.hand_in(AGAIN, again)
        self.replace_a_test()
        self.log = course.nbgrader("autograde", "ps1")
        self.after = course.grades("ps1")

    def hand_in(self, student: str, notebook: bytes) -> None:
        path = submission(self.course.folder, student, "ps1")
        path = path.with_name("mine.ipynb") if student == AGAIN else path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(notebook)

    def add_to_the_set(self, lines: str) -> None:
        """Change problem set 1 in the course's own library."""
        with (self.course.folder / "course_lib" / "problem_sets" / "ps1" / "__init__.py").open("a") as module:
            module.write(lines)

    def by_hand(self) -> None:
        """What Formgrader stores: a mark and a comment for everybody's answer, and one for a test of right's."""
        cells = [(student, self.manual, 4.0) for student in self.before]
        with Gradebook(f"sqlite:///{self.course.folder / 'gradebook.db'}") as book:
            for student, cell, score in [*cells, ("right", grade_id(TASKS[-1], TASKS[-1].criteria[0]), 0.5)]:
                grade = book.find_grade(cell, "ps1", "ps1", student)
                grade.manual_score, grade.needs_manual_grade = score, False
            for student in self.before:
                book.find_comment(self.manual, "ps1", "ps1", student).manual_comment = f"well argued, {student}"
            book.db.commit()

    def replace_a_test(self) -> None:
        """Replace a criterion that wrong lost, by a probe that asks nothing; release it anew."""
        task = TASKS[0]
        lost = [c.name for c in task.criteria if self.before["wrong"][grade_id(task, c)].score == 0]
        self.replaced = grade_id(task, task.criterion(lost[0]))
        self.add_to_the_set(REPLACED.format(name=lost[0]))
        folder, environment = self.course.folder, self.course.environment
        run(sys.executable, "-m", "course_lib.grading.cells", "ps1", cwd=folder, env=environment)
        self.course.nbgrader("generate_assignment", "ps1")


@pytest.fixture(scope="module")
def mid_term(tmp_path_factory) -> MidTerm:
    return MidTerm(Course.create(tmp_path_factory.mktemp("mid-term") / "course", whole=True))


def test_everybody_is_graded_by_the_new_test_whatever_release_they_hold(mid_term):
    for student, grades in mid_term.before.items():
        automatic = {name: grade.auto for name, grade in grades.items()}
        now = automatic | {mid_term.replaced: grades[mid_term.replaced].of}
        assert {name: grade.auto for name, grade in mid_term.after[student].items()} == now


def test_the_students_whose_marks_changed_are_listed(mid_term):
    assert re.findall(r"The mark of (\w+) changed", mid_term.log) == ["wrong"]


def test_marks_and_comments_by_hand_are_kept(mid_term):
    assert {student: grades[mid_term.manual].manual for student, grades in mid_term.after.items()} == dict.fromkeys(
        mid_term.before, 4.0
    )
    with Gradebook(f"sqlite:///{mid_term.course.folder / 'gradebook.db'}") as book:
        for student in mid_term.before:
            assert book.find_comment(mid_term.manual, "ps1", "ps1", student).comment == f"well argued, {student}"


def test_an_answer_is_asked_for_again_only_if_it_is_another(mid_term):
    waiting = {s: [name for name, grade in grades.items() if grade.waiting] for s, grades in mid_term.after.items()}
    assert waiting == {"right": [], "wrong": [], AGAIN: [mid_term.manual]}


def test_feedback_made_again_says_the_new_marks(mid_term):
    for _ in range(2):
        mid_term.course.nbgrader("generate_feedback", "ps1")
    text = mid_term.course.feedback("wrong", "ps1").read_text(encoding="utf-8")
    total = sum(grade.score for grade in mid_term.after["wrong"].values())
    assert f"Score: {total:.1f}" in text and "well argued, wrong" in text


def test_grading_again_grades_nobody_whose_work_and_tests_are_the_same(mid_term):
    log = mid_term.course.nbgrader("autograde", "ps1")
    assert log.count("Skipping existing assignment") == len(mid_term.after) and "Autograding" not in log
    assert mid_term.course.grades("ps1") == mid_term.after


def test_an_answer_waits_for_a_person_however_often_it_is_graded(mid_term):
    mid_term.course.nbgrader("autograde", "ps1", "--force", "--student", AGAIN)
    assert mid_term.course.grades("ps1") == mid_term.after


def test_who_is_not_in_the_gradebook_any_more_is_graded_anew(mid_term):
    with Gradebook(mid_term.course.db_url) as book:
        book.remove_submission("ps1", "wrong")
    log = mid_term.course.nbgrader("autograde", "ps1")
    assert "wrong is graded anew: the gradebook lost it" in log and log.count("Skipping existing assignment") == 2
    automatic = (
        {n: g.auto for n, g in grades["wrong"].items()} for grades in (mid_term.after, mid_term.course.grades("ps1"))
    )
    assert next(automatic) == next(automatic)
