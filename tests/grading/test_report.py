"""The report on a class: what it counts, what it cannot know, and that nobody's text becomes markup or a mistake."""

import csv
import inspect
import io
import re

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_output

from course_lib.grading import cells
from course_lib.grading.boundary import grader_side, proxy
from course_lib.grading.isolation import grader_kernel, student_kernel
from course_lib.grading.nbgrader_hooks import execute, outputs
from course_lib.grading.registry import names, problem_set
from course_lib.grading.report import gather, page, summary, trouble
from course_lib.grading.report.records import Class, Judged, Wait, Work
from course_lib.grading.verdict import MIME, Verdict

from .attacks.run import FEW, filled_in, shorten
from .course import BIN, ROOT, Course, run
from .sample_class import submission

TASK = problem_set("ps1").tasks[0]
FIRST, SECOND = TASK.criteria[:2]
ONE, OTHER = TASK.misconceptions[:2]
HOSTILE = "</pre></bdi><script>alert(1)</script><img src=x onerror=alert(1)> {{ 7 * 7 }} \u202e \x1b[31m"


def lost(criterion=FIRST, mistakes=(), seen="named"):
    return Judged(TASK.name, criterion.name, 0.0, criterion.points, seen, mistakes)


def work(student, *tests, **about):
    points = sum(test.points for test in tests)
    return Work(student, points, sum(test.of for test in tests) or 1.0, tests, **about)


def test_a_mistake_counts_each_student_once_and_all_points_that_it_cost():
    twice = work("a", lost(FIRST, (ONE.name,)), lost(SECOND, (ONE.name,)))
    either = work("b", lost(FIRST, (ONE.name, OTHER.name)))
    one, other = summary.mistakes(Class("ps1", (twice, either)))
    assert (one.name, one.students, one.alone, one.lost) == (ONE.name, 2, 1, 2 * FIRST.points + SECOND.points)
    assert (other.name, other.students, other.alone) == (OTHER.name, 1, 0)


def test_the_mistake_of_most_students_comes_first_and_a_pattern_without_a_name_last():
    pattern = next(iter(gather.PATTERNS.values()))
    held = [work(f"p{n}", lost(mistakes=(pattern,), seen="pattern")) for n in range(5)]
    held += [work("a", lost(mistakes=(ONE.name,))), *(work(f"b{n}", lost(mistakes=(OTHER.name,))) for n in range(2))]
    assert [each.name for each in summary.mistakes(Class("ps1", tuple(held)))] == [OTHER.name, ONE.name, pattern]


def test_the_example_of_a_mistake_is_the_shortest_code_of_who_holds_it_for_certain():
    codes = {"a": "long code", "b": "code", "c": "x"}
    sure = [work(s, lost(mistakes=(ONE.name,)), code={TASK.name: codes[s]}) for s in "ab"]
    unsure = work("c", lost(mistakes=(ONE.name, OTHER.name)), code={TASK.name: codes["c"]})
    assert summary.mistakes(Class("ps1", (*sure, unsure)))[0].example == "code"


def test_criteria_are_listed_by_the_share_of_their_points_that_was_lost():
    right = Judged(TASK.name, SECOND.name, SECOND.points, SECOND.points, "right")
    rows = summary.criteria(Class("ps1", (work("a", right, lost()), work("b", lost(SECOND), lost()))))
    assert [(row.criterion, row.share, row.lost_by) for row in rows] == [(FIRST.name, 1.0, 2), (SECOND.name, 0.5, 1)]


def test_a_mark_on_the_edge_of_two_bins_is_in_the_upper_one_and_full_marks_in_the_last():
    works = [Work(str(share), share, 1.0, ()) for share in (0.0, 0.3, 0.7, 0.9999, 1.0)]
    assert summary.marks(Class("ps1", tuple(works))).bins == (1, 0, 0, 1, 0, 0, 0, 1, 0, 2)
    assert summary.marks(Class("ps1", ())) is None


def test_what_lateness_costs_is_off_the_mark():
    assert summary.marks(Class("ps1", (Work("a", 10.0, 10.0, (), late_points=4.0),))).mean == pytest.approx(0.6)


def graded_cell(**told):
    """A test cell as autograded/ has it; `told` changes its verdict."""
    verdict = Verdict(TASK.name, FIRST.name, "", 0.0, FIRST.points, "seen", misconception=ONE.name)
    data = verdict._repr_mimebundle_()
    data[MIME] |= told
    cell = cells.test_cell(TASK, FIRST)
    cell.outputs = [new_output("execute_result", data=data)]
    return cell


def test_two_mistakes_that_fit_equally_are_both_read():
    assert gather._seen(TASK, FIRST, graded_cell()) == ("named", (ONE.name,))
    both = graded_cell(misconception=f"{ONE.name} or {OTHER.name}")
    assert gather._seen(TASK, FIRST, both) == ("named", (ONE.name, OTHER.name))


def test_no_name_of_a_mistake_holds_the_word_that_joins_two():
    every = [mistake.name for name in names() for task in problem_set(name).tasks for mistake in task.misconceptions]
    assert [name for name in every if " or " in name] == []


def test_a_mistake_that_the_task_does_not_list_is_not_named():
    assert gather._seen(TASK, FIRST, graded_cell(misconception="<b>mine</b>")) == ("unnamed", ())


@pytest.mark.parametrize("told", [{"task": "ps1.decode"}, {"criterion": "another"}])
def test_a_verdict_on_something_else_tells_nothing(told):
    assert gather._seen(TASK, FIRST, graded_cell(**told)) == ("unknown", ())


def test_of_a_grading_from_before_verdicts_were_data_nothing_is_known():
    cell = graded_cell()
    del cell.outputs[0].data[MIME]
    assert gather._seen(TASK, FIRST, cell) == gather._seen(TASK, FIRST, None) == ("unknown", ())
    klass = Class("ps1", (work("a", lost(seen="unknown")),))
    assert "Why 1 test lost points is unknown" in page.html(klass)


def test_a_verdict_in_a_cell_that_is_no_test_tells_nothing():
    cell = new_code_cell(outputs=graded_cell().outputs)
    assert gather._seen(TASK, FIRST, cell) == ("unknown", ())


def test_a_limit_is_known_by_words_that_the_grader_really_says():
    modules = (grader_side, grader_kernel, student_kernel, execute, proxy)
    said = "".join(map(inspect.getsource, modules))
    assert [begins for begins, _ in trouble.SIGNS if not re.search(rf'"{re.escape(begins)}', said)] == []


def test_what_a_student_raises_is_not_taken_for_what_the_grader_did():
    raised = new_output("error", ename="Stopped", evalue=student_kernel.STOPPED["dead"], traceback=[])
    assert trouble.of_cell([raised]) == trouble.ENDED  # the grader's own
    assert trouble.of_cell([outputs.students(raised)]) == "raised Exception"
    assert trouble.of_verdict("it raised ValueError: it gave no answer", TASK) is None


def test_text_of_a_students_is_never_markup_on_the_page():
    test = lost(mistakes=(ONE.name,))
    klass = Class(
        "ps1",
        (work(HOSTILE, test, code={TASK.name: HOSTILE}, late_hours=5.0, stopped=(HOSTILE,)),),
        (Wait(HOSTILE, HOSTILE),),
        (HOSTILE,),
    )
    html = page.html(klass)
    body = html[html.index("<body>") :]
    assert "<script" not in html and "<img" not in body and "{{ 7 * 7 }}" in body
    assert "\u202e" not in html and "\x1b" not in html and "\\u202e" in html
    assert body.count("&lt;script&gt;") == body.count("alert(1)") / 2 >= 5


def test_a_spreadsheet_takes_no_name_for_a_formula():
    klass = Class("ps1", (work("=HYPERLINK(1)", lost(mistakes=(ONE.name,))),))
    (row,) = csv.DictReader(io.StringIO(page.table(klass)))
    assert (row["student_id"], row["criterion"], row["mistakes"]) == ("'=HYPERLINK(1)", FIRST.name, ONE.name)


def test_the_pages_policy_allows_its_own_style_and_nothing_else():
    html = page.html(Class("ps1", ()))
    assert re.search(r"default-src 'none'; style-src 'sha256-[\w+/]+='", html)
    assert "style=" not in html and "http" not in html.replace("http-equiv", "")


FORGED = f"""
def {FEW[0]}(dictionary, merges):
    return [("a", "b")] if len(dictionary) % 2 else []

from IPython.display import display
told = dict(task="{TASK.name}", criterion="{FIRST.name}", points=0, of=1, message="x", misconception="{OTHER.name}")
display({{"text/plain": "0", "{MIME}": told}}, raw=True, metadata={{"misconception": "{OTHER.name}"}})

class Stopped(Exception):
    pass

raise Stopped("it ended the notebook's kernel")
"""
BLIND = f"<img src=x onerror=alert(1)> {'x' * 5}"


@pytest.fixture(scope="module")
def term(tmp_path_factory) -> Course:
    """A class of six on two tasks of ps1, graded, and the report on it."""
    course = Course.create(tmp_path_factory.mktemp("reported") / "course")
    shorten(course, FEW)
    course.nbgrader("generate_assignment", "ps1")
    solution = cells.grade_id(TASK)
    for student, solutions, source in (
        ("right", "ps1.loops", None),
        ("wrong", "ps1.mistakes", None),
        (BLIND, "ps1.mistakes", None),
        ("forger", "ps1.loops", FORGED),
        ("slow", "ps1.loops", f"def {FEW[0]}(dictionary, merges):\n    while True:\n        pass"),
    ):
        notebook = filled_in(course, solutions)
        for cell in notebook.cells:
            if source and cells.id_(cell) == solution:
                cell.source = source
        path = submission(course.folder, student, "ps1")
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    broken = submission(course.folder, "broken", "ps1")
    broken.parent.mkdir(parents=True)
    broken.write_text("{")
    course.nbgrader("autograde", "ps1")
    command = (BIN / "python", "-m", "course_lib.grading.report", "ps1")
    run(*command, cwd=course.folder, env=course.environment | {"PYTHONPATH": str(ROOT)})
    return course


def rows(course: Course) -> dict[str, list[dict[str, str]]]:
    """The table's rows by student."""
    with (course.folder / "reports" / "ps1.csv").open(encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    return {name: [row for row in found if row["student_id"] == name] for name in {row["student_id"] for row in found}}


def test_the_report_agrees_with_the_gradebook(term):
    for student, grades in term.grades("ps1").items():
        told = {
            f"{row['task'].replace('.', '_')}__{row['criterion']}": float(row["points"]) for row in rows(term)[student]
        }
        assert told == {name: grade.score for name, grade in grades.items() if "__" in name}


def test_a_mistake_that_two_students_hold_is_reported_of_both_and_of_nobody_else(term):
    held = {name: {row["mistakes"] for row in found if row["task"] == TASK.name} for name, found in rows(term).items()}
    named = {mistake.name for mistake in TASK.misconceptions}
    assert held["wrong"] == held[BLIND] and len(held["wrong"] & named) == 1
    assert not held["right"] & named and not held["forger"] & named and not held["slow"] & named


def test_a_function_without_end_is_reported_as_such(term):
    assert trouble.TIME in {row["seen"] for row in rows(term)["slow"]}
    assert not {trouble.TIME, trouble.ENDED} & {row["seen"] for row in rows(term)["forger"]}


def test_work_that_could_not_be_read_waits_with_its_reason(term):
    assert any("could not be read: the notebook is not JSON" in row["waits"] for row in rows(term)["broken"])


def test_the_page_of_a_real_class_holds_no_students_markup_and_no_forged_limit(term):
    html = (term.folder / "reports" / "ps1.html").read_text(encoding="utf-8")
    assert "<img" not in html and "&lt;img src=x onerror" in html
    assert trouble.ENDED not in html and "raised Exception" in html
