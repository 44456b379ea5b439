"""The instructors' page: its plan for a term and its table of problem sets are those of the course itself."""

import json
import re

import nbformat
import pytest

from course_lib.grading.registry import names, problem_set
from course_lib.maintain.plan import PAGE, points, with_tables
from course_lib.reader.contents import ROOT, lectures, problem_sets
from course_lib.reader.minutes import minutes

TEXT = (ROOT / PAGE).read_text(encoding="utf-8")


def rows(name: str) -> list[list[str]]:
    """The cells of the rows of that table as they stand in the page."""
    table = re.search(rf"<!-- {name} -->\n\n(.*?)\n\n<!-- end -->", TEXT, re.DOTALL)[1]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_the_page_is_as_the_command_makes_it():
    assert with_tables(TEXT, ROOT) == TEXT, "run python -m course_lib.maintain.navigation"


def test_each_week_has_the_next_lecture_with_its_minutes():
    planned = rows("weeks")
    assert [row[0] for row in planned] == [str(week) for week in range(1, len(planned) + 1)]
    for row, lecture in zip(planned, lectures(), strict=False):
        counted = minutes(nbformat.read(ROOT / lecture.path, 4))
        assert row[1] == f"[{lecture.number} {lecture.title}](../{lecture.path})"
        assert float(row[2]) == pytest.approx(counted.must, abs=2.5) and float(row[2]) % 5 == 0
        assert float(row[3]) == pytest.approx(counted.may, abs=2.5)
    assert len(planned) == len(lectures()) + bool(lectures()[-1].problem_set)  # which is handed in a week later


def test_what_must_be_read_fits_into_one_meeting():
    assert [row for row in rows("weeks") if row[2] and float(row[2]) > 90] == []


def test_each_set_is_given_with_its_lecture_and_handed_in_a_week_later():
    given, handed_in = ([row[column] for row in rows("weeks")] for column in (4, 5))
    assert [name for name in given if name] == [name for name in handed_in if name] == names()
    assert given == [*handed_in[1:], ""]
    assert given[: len(lectures())] == [each.problem_set.name if each.problem_set else "" for each in lectures()]


@pytest.mark.parametrize("each", problem_sets(), ids=lambda each: each.name)
def test_the_table_of_sets_says_the_points_that_the_tasks_have(each):
    (row,) = [row for row in rows("sets") if row[0] == f"[{each.name} {each.title}](../{each.path})"]
    tasks = problem_set(each.name).tasks
    assert float(row[1]) == sum(task.points for task in tasks)
    told = [float(number) for number in re.findall(r"\(([\d.]+)\)(?= ·|$)", row[3])]
    assert told[:-1] == [task.points for task in tasks] and told[-1] == float(row[2])
    assert float(row[1]) + float(row[2]) == 40, "the page says that each set has 40"
    assert tasks[-1].name == f"{each.name}.diagnose", "the page says what the last one asks"


def test_points_are_those_of_tests_and_those_of_written_answers():
    def cell(**about) -> nbformat.NotebookNode:
        return nbformat.v4.new_code_cell(metadata={"nbgrader": about})

    graded = [cell(grade=True, solution=False, points=p) for p in (1.5, 2)] + [
        cell(grade=True, solution=True, points=4)
    ]
    assert points([*graded, cell(grade=False, solution=True), nbformat.v4.new_markdown_cell("text")]) == (3.5, 4)


def test_a_page_without_the_comments_is_refused():
    with pytest.raises(ValueError, match=r"solutions/README.md must have <!-- sets --> and <!-- end --> once"):
        with_tables("<!-- weeks -->\n<!-- end -->\n", ROOT)


def test_the_time_for_a_class_is_what_the_seconds_of_a_submission_give():
    said = re.search(r"\*\*How long it takes\.\*\* (.*?)\n- \*\*", TEXT, re.DOTALL)[1]
    words = {"one": 1, "two": 2, "three": 3, "seven": 7}
    spent = " ".join(said.split())
    seconds = [words[word] for word in re.match(r"Reckon with (\w+) to (\w+) seconds", spent).groups()]
    students, *spoken = re.search(r"For (\d+) students that is (\w+) to (\w+) minutes", spent).groups()
    assert [words[word] for word in spoken] == [round(int(students) * each / 60) for each in seconds]
    (module,) = re.findall(r"python -m ([\w.]+) --sets", spent)
    assert (ROOT / f"{module.replace('.', '/')}.py").is_file()
    (whole,) = json.loads((ROOT / "tests/benchmarks/results/class.json").read_text(encoding="utf-8"))["rows"]
    assert f"{whole['isolated']['cpu']:.1f} s" in spent and "four right submissions" in spent
