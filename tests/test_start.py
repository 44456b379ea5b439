"""The start page: what its cards say is true of the course, and progress is what the reader's notebooks hold."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.image import imread
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from course_lib.maintain.predictions import GUESS
from course_lib.maintain.start_page import cards, start_page
from course_lib.reader import contents, progress, record
from course_lib.reader.contents import ROOT, START, lectures, paths, problem_sets
from course_lib.reader.minutes import minutes, told
from course_lib.reader.progress import VERDICT, Progress, Share, earned, run

EACH = pytest.mark.parametrize("lecture", [pytest.param(each, id=each.number) for each in lectures()])


def text(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


@EACH
def test_the_readme_names_the_same_lecture_and_problem_set(lecture):
    row = rf"(?m)^\| \[{lecture.number} ([^\]]+)\]\({re.escape(lecture.path)}\) \|.*\| (.*) ?\|$"
    title, its_set = re.search(row, text("README.md")).groups()
    wanted = f"[{lecture.problem_set.name}]({lecture.problem_set.path})" if lecture.problem_set else ""
    assert lecture.title.startswith(title) and its_set.strip() == wanted


@EACH
def test_a_card_has_a_picture_cut_out_of_a_picture_that_is_there(lecture):
    high, wide = imread(ROOT / "lectures/pictures" / lecture.picture).shape[:2]
    left, top, width = lecture.shown
    assert left >= 0 and top >= 0 and left + width <= wide and top + width * 200 / 320 <= high
    assert imread(ROOT / "lectures/pictures" / lecture.card).shape[:2] == (400, 640)
    assert lecture.alt and lecture.does.endswith(".")


def test_the_start_page_is_as_the_command_makes_it():
    made = {cell.id: cell.source for cell in start_page(ROOT).cells}
    there = {cell.id: cell.source for cell in nbformat.read(ROOT / START, 4).cells}
    assert made == there, "run python -m course_lib.maintain.navigation"
    assert all(f'href="{Path(each.path).name}"' in there["cards"] for each in lectures())


def test_it_says_how_many_lectures_and_problem_sets_there_are():
    (title,) = (cell for cell in nbformat.read(ROOT / START, 4).cells if cell.id == "title")
    words = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    said = " ".join(title.source.lower().split())
    assert f"{words[len(lectures())]} lectures" in said and f"{words[len(problem_sets())]} problem sets" in said


def test_every_path_leads_through_lectures_and_problem_sets_that_are_there():
    numbers, names = {each.number for each in lectures()}, {each.name for each in problem_sets()}
    for way in paths():
        assert set(way.lectures) <= numbers and set(way.problem_sets) <= names
        assert list(way.lectures) == sorted(way.lectures)


def test_make_lab_opens_the_start_page_here_and_at_students():
    for makefile in "Makefile", "course_lib/maintain/student_makefile.mk":
        assert f"--LabApp.default_url=/lab/tree/{START} " in text(makefile)


def test_a_lecture_without_a_card_is_told(tmp_path, monkeypatch):
    monkeypatch.setattr(contents, "TOLD", tmp_path / "contents.toml")
    (tmp_path / "contents.toml").write_text('["02"]\n', encoding="utf-8")
    with pytest.raises(ValueError, match=r'contents.toml must have a table \["01"\] for lectures/01_translation.ipynb'):
        lectures()


def lecture_of(*cells) -> nbformat.NotebookNode:
    return new_notebook(cells=[new_markdown_cell("word " * 150), *cells])


def test_minutes_are_counted_from_words_code_questions_and_exercises():
    assert minutes(lecture_of()).must == 1
    assert minutes(lecture_of(new_code_cell("x\n" * 15))).must == 2
    assert minutes(lecture_of(new_code_cell("x\n" * 15, metadata={"jupyter": {"source_hidden": True}}))).must == 1
    assert minutes(lecture_of(new_markdown_cell("> **Predict.**"))).must == pytest.approx(1.5, abs=0.02)
    exercises = new_markdown_cell("## 2 · Exercises\n\n### ★ 1 · One\n\n### ★★★ 2 · Two")
    after = [new_markdown_cell("word " * 150), new_markdown_cell("## Summary\n\n" + "word " * 150)]
    timed = minutes(lecture_of(exercises, *after))
    assert timed.may == pytest.approx(5 + 20 + 1, abs=0.1) and timed.must == pytest.approx(2, abs=0.1)
    folded = new_markdown_cell(f"<details><summary>Why?</summary>\n\n{'word ' * 150}\n\n</details>")
    assert minutes(lecture_of(folded)).must == 1
    assert minutes(lecture_of(folded)).may == pytest.approx(1, abs=0.1)


def test_what_is_marked_may_counts_apart_up_to_the_next_heading_that_is_not_lower():
    def text(heading: str) -> nbformat.NotebookNode:
        return new_markdown_cell(f"{heading}\n\n{'word ' * 150}")

    first, second = new_code_cell("x\n" * 15), new_code_cell("x\n" * 15)
    cells = [
        text("## 2 · Two (*may*)"),
        text("### Lower"),
        first,
        text("## 3 · Three"),
        text("### Part (*may*)"),
        second,
    ]
    timed = minutes(lecture_of(*cells, text("#### Lower"), text("### Part"), text("## 4 · It may rain")))
    assert timed.must == pytest.approx(1 + 1 + 1 + 1, abs=0.1)  # as it begins, three, the second part, the rain
    assert timed.may == pytest.approx(3 + 3, abs=0.1)
    one_cell = new_markdown_cell(f"{'word ' * 150}\n\n### Part (*may*)\n\n{'word ' * 300}\n\n## Next\n\nword")
    assert minutes(lecture_of(one_cell)).must == pytest.approx(2, abs=0.1)
    assert minutes(lecture_of(one_cell)).may == pytest.approx(2, abs=0.1)


def test_cards_say_how_long_lectures_run_where_it_was_measured_and_nothing_where_it_was_not(monkeypatch, tmp_path):
    monkeypatch.setattr("course_lib.maintain.start_page.MEASURED", str(tmp_path / "lectures.json"))
    assert "runs" not in cards(ROOT).lower()
    rows = [{"lecture": Path(lectures()[0].path).stem, "CPU s": 65.0}, {"lecture": "05_attention", "CPU s": 20.0}]
    (tmp_path / "lectures.json").write_text(json.dumps({"rows": rows}), encoding="utf-8")
    found = cards(ROOT)
    assert re.findall(r"runs (.*?)</small>", found) == ["1½\u00a0min", "½\u00a0min"] and "*Runs*: " in found


def test_a_card_says_what_must_and_what_may_be_read():
    lecture = next(each for each in lectures() if each.number == "09")
    timed = minutes(nbformat.read(ROOT / lecture.path, 4))
    shown = next(card for card in cards(ROOT).split("</div>") if lecture.path.rpartition("/")[2] in card)
    assert f"<small>must {told(timed.must)} · may {told(timed.may)}" in shown
    questions = new_markdown_cell("> **Predict.**")
    assert (
        minutes(lecture_of(questions)).may == 0 < minutes(lecture_of(new_markdown_cell("## A (*may*)"), questions)).may
    )


@given(st.floats(0, 10_000))
def test_told_minutes_are_near_the_counted_ones(spent):
    number, unit = told(spent).split("\u00a0")  # a line does not end between them
    value = float(number.replace("½", ".5")) * (60 if unit == "h" else 1)
    assert abs(value - max(spent, 5)) <= (15 if unit == "h" else 2.5) + 1e-6


def verdict_cell(points: float, of: float) -> nbformat.NotebookNode:
    about = {"grade": True, "locked": True, "points": of}
    output = new_output("execute_result", data={VERDICT: {"points": points, "of": of}})
    return new_code_cell("check(…)", metadata={"nbgrader": about}, outputs=[output])


def test_progress_counts_cells_that_ran_and_points_that_tests_gave():
    hidden = new_code_cell("imports", execution_count=1, metadata={"jupyter": {"source_hidden": True}})
    assert run(new_notebook(cells=[new_code_cell("a", execution_count=2), new_code_cell("b"), hidden])) == Share(1, 2)
    untried = new_code_cell("check(…)", metadata={"nbgrader": {"grade": True, "locked": True, "points": 4}})
    assert earned(new_notebook(cells=[verdict_cell(1, 1), verdict_cell(0, 2), untried])) == Share(1, 7)


@pytest.fixture
def course(tmp_path) -> Path:
    """A reader's copy of lecture 05 and problem set 4; returns its lectures/."""
    for path in (ROOT / "lectures/05_attention.ipynb", ROOT / "assignments/ps4/ps4.ipynb"):
        (tmp_path / path.relative_to(ROOT)).parent.mkdir(parents=True)
        (tmp_path / path.relative_to(ROOT)).write_bytes(path.read_bytes())
    return tmp_path / "lectures"


def run_first_cells(path: Path, cells: int) -> None:
    notebook = nbformat.read(path, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code" and not cell.id.startswith(GUESS)]
    shown = [cell for cell in code if not cell.metadata.get("jupyter")]
    for cell in shown[:cells]:
        cell.execution_count = 1
    nbformat.write(notebook, path)


def test_what_was_reached_stays_when_the_notebook_is_cleared_or_gone(course):
    whole = (course / "05_attention.ipynb").read_bytes()
    assert Progress(course).shares["05"].done == 0 and not (course / record.FILE).exists()
    run_first_cells(course / "05_attention.ipynb", 7)
    assert Progress(course).shares["05"].done == 7
    (course / "05_attention.ipynb").write_bytes(whole)
    assert Progress(course).shares["05"].done == 7
    run_first_cells(course / "05_attention.ipynb", 3)
    assert Progress(course).shares["05"].done == 7
    (course / "05_attention.ipynb").unlink()
    assert "05" not in Progress(course).shares and record.load("reached", course)["05"] == 7


def test_it_says_with_what_to_go_on(course):
    assert Progress(course).next.number == "05"
    run_first_cells(course / "05_attention.ipynb", 1000)
    assert Progress(course).next is None
    assert "<p>Not found, or not readable: 01, 02, 03, 04, 06" in Progress(course)._repr_html_()
    assert "0 of 35 points" in repr(Progress(course))


def test_where_every_lecture_is_run_it_says_so(course, monkeypatch):
    run_first_cells(course / "05_attention.ipynb", 1000)
    monkeypatch.setattr(progress, "lectures", lambda: [each for each in lectures() if each.number == "05"])
    assert "<p>All is run.</p>" in Progress(course)._repr_html_()


def test_it_counts_the_guesses_of_each_lecture(course):
    asked = Progress(course).guesses["05"].of
    record.keep("guesses", {"05/part-masks": "c", "05/growing": "the words", "06/s2": "more"}, course)
    assert Progress(course).guesses == {"05": Share(2, asked)} and asked > 15
    assert f"2 of {asked} guesses" in repr(Progress(course)) and f"2 of {asked}<" in Progress(course)._repr_html_()


@pytest.mark.parametrize("broken", ["", "{}", '{"cells": 3}', "\0"])
def test_a_broken_notebook_is_left_out(course, broken):
    (course / "05_attention.ipynb").write_text(broken, encoding="utf-8")
    assert set(Progress(course).shares) == {"ps4"}


def test_what_is_kept_may_be_anything(course):
    record.keep("reached", {"05": "all", "ps4": 1e9}, course)
    assert Progress(course).shares == {"05": Share(0, Progress(course).shares["05"].of), "ps4": Share(35, 35)}


@pytest.mark.parametrize("broken", ["", "{", "[1]", '{"reached": 3}', "\0\xff"])
def test_a_broken_record_costs_no_lecture_and_is_kept_beside(course, broken):
    (course / record.FILE).write_text(broken, encoding="utf-8")
    assert record.load("reached", course) == {}
    run_first_cells(course / "05_attention.ipynb", 2)
    Progress(course)
    assert record.load("reached", course) == {"05": 2}
    if broken:
        assert (course / f"{record.FILE}.broken").read_text(encoding="utf-8") == broken


@given(st.lists(st.tuples(st.sampled_from("ab"), st.dictionaries(st.sampled_from("xyz"), st.none() | st.integers()))))
def test_the_record_holds_what_was_kept_last(tmp_path_factory, kept):
    folder, wanted = tmp_path_factory.mktemp("record"), {"a": {}, "b": {}}
    for section, entries in kept:
        record.keep(section, entries, folder)
        wanted[section] |= entries
    for section, entries in wanted.items():
        assert record.load(section, folder) == {key: value for key, value in entries.items() if value is not None}
