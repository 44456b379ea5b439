"""Whatever disturbs autograde: it says so, keeps what was graded, and its last run ends as if nothing had been."""

import csv
import random
from contextlib import ExitStack

import pytest

from .at_work import Grader
from .attacks.attack import filled, save
from .attacks.run import AFTER, BEFORE, copied, deserved, honest
from .disturb import TWO, left, small_disk
from .measure.faults import LIMITS, calm, disturbed, handed_in, state

pytestmark = pytest.mark.xdist_group("faults")
KINDS = ("honest", "hostile", "wrong")


def test_a_class_that_meets_every_fault_ends_with_the_grades_of_one_that_meets_none(tmp_path):
    prepared, rng = handed_in(KINDS, tmp_path, ("decode",)), random.Random(0)
    undisturbed = calm(prepared, tmp_path)
    assert len(undisturbed) == len(KINDS) and all(all(each) for each in undisturbed.values())
    with ExitStack() as stack:
        try:
            missing = stack.enter_context(small_disk(tmp_path / "disk"))
        except OSError as error:
            missing = str(error)
        course = copied(prepared, tmp_path / "disk" / "course", LIMITS)
        for name in ("readonly", "locked", *([] if missing else ["full"]), "stopped", "killed"):
            row = disturbed(course, name, undisturbed, rng)
            assert row.told, f"{name}: autograde did not say what was wrong"
            assert row.whole, f"{name}: a grade is not whole"
        if left(course):
            Grader(course, TWO).end()
        assert state(course) == undisturbed
    if missing:
        pytest.skip(f"all but the full disk was tried, for {missing}")


FAILS = """
from course_lib.grading.nbgrader_hooks import submission
from course_lib.grading.nbgrader_hooks.execute import Execution

begun, execute, grade = submission._executed, Execution.execute, submission.grade

def _fail_on_submissions(material, submitted):
    if any("the worst" in text for text in submitted.values()):
        raise EOFError("the worker's end")
    return grade(material, submitted)

def _fail_on_notebooks(material, released, submitted):
    if "unlucky" in submitted:
        raise ArithmeticError("an error of ours")
    return begun(material, released, submitted)

def _fail_on_tests(self, cell):
    self.failing = getattr(self, "failing", False) or "a bad day" in cell.source
    if self.failing and cell.metadata.get("nbgrader", {}).get("grade_id", "").startswith("ps1_apply_merges__"):
        cell.source = "1 / 0"  # what the grader's kernel then says is no score
    execute(self, cell)

submission._executed, Execution.execute = _fail_on_notebooks, _fail_on_tests
submission.grade = _fail_on_submissions
c.IsolatedAutograde.workers = 1
"""
SOLUTION, ANSWER = "ps1_learn_merges", "ps1_argument"
FAILED = {  # by what is written into the solution, and which tests then have no score
    "notebook": ("unlucky", "ps1_"),
    "submission": ("the worst", "ps1_"),
    "test": ("a bad day", "ps1_apply_merges__"),
}


def test_where_the_grader_fails_there_is_no_score_until_it_no_longer_does(prepared, tmp_path):
    course = copied(prepared, tmp_path / "course", {})
    for student, (remark, _) in FAILED.items():
        notebook = honest(course)
        source = next(c.source for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == SOLUTION)
        save(course.folder / "submitted" / student / "ps1", filled(notebook, f"{source}\n# {remark}", SOLUTION))
    config = course.folder / "nbgrader_config.py"
    before = config.read_text()
    config.write_text(before + FAILS)
    said = course.nbgrader("autograde", "ps1")
    assert all(f"Not all of {student} could be graded; the next run tries again" in said for student in FAILED)
    with course.gradebook() as book:
        for submission in book.assignment_submissions("ps1"):
            book.find_grade(ANSWER, "ps1", "ps1", submission.student.id).manual_score = 2.0
            book.find_grade(ANSWER, "ps1", "ps1", submission.student.id).needs_manual_grade = False
        book.db.commit()
    for student, (_, none) in FAILED.items():
        for name, grade in course.grades("ps1")[student].items():
            if name != ANSWER:
                assert (grade.auto is None and grade.waiting) == name.startswith(none), (student, name)
    assert waiting(course) == {BEFORE: "", AFTER: "", **dict.fromkeys(FAILED, "yes")}
    course.nbgrader("generate_feedback", "ps1")
    for student in FAILED:
        assert "not all of it could be graded" in course.feedback(student, "ps1").read_text()
    config.write_text(before)
    course.nbgrader("autograde", "ps1")
    assert waiting(course) == dict.fromkeys((BEFORE, AFTER, *FAILED), "")
    for grades in course.grades("ps1").values():
        assert sum(grade.score for grade in grades.values()) == deserved(course) + 2.0


def waiting(course) -> dict[str, str]:
    """What grades.csv says of who waits."""
    course.nbgrader("export", "--to=grades.csv")
    with (course.folder / "grades.csv").open() as file:
        return {row["student_id"]: row["waiting"] for row in csv.DictReader(file)}


def test_a_damaged_secret_is_told_in_a_sentence(prepared, tmp_path):
    course = copied(prepared, tmp_path / "course", {})
    (course.folder / ".course_secret").write_text("lost")
    said = course.nbgrader("autograde", "ps1", fails=True)
    assert "the course's secret, must be 64 hexadecimal digits, got something else of 4 bytes" in said
    assert "Traceback" not in said and not (course.folder / "autograded").exists()
