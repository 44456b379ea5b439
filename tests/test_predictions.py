"""Predictions of a lecture: a guess box below each question, the answer folded, and the guess kept on disk."""

import ast
import re

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.maintain.predictions import CLOSE, GUESS, OPEN, folded, predicted
from course_lib.reader import record
from course_lib.reader.contents import ROOT, lectures
from course_lib.widgets import GuessBox, base, guess_box, predict

EACH = pytest.mark.parametrize("lecture", [pytest.param(each, id=each.number) for each in lectures()])


def cells(path: str) -> list[nbformat.NotebookNode]:
    return nbformat.read(ROOT / path, 4).cells


def answer(source: str) -> str:
    return folded(source).partition(f"{OPEN}\n\n")[2].partition(f"\n\n{CLOSE}")[0]


def test_the_paragraph_is_folded_and_what_comes_before_and_after_is_not():
    text = "A caption.\n\n**Answer.** Two,\nas it says.\n\nAnother thought.\n\n> **Predict.** What next?"
    assert folded(text) == text.replace(
        "**Answer.** Two,\nas it says.", f"{OPEN}\n\n**Answer.** Two,\nas it says.\n\n{CLOSE}"
    )


@pytest.mark.parametrize(
    "whole",
    [
        "**Answer.** Three things:\n\n- one\n- two",
        "**Answer.** It is\n\n$$x = 1$$\n\nwhere one is one.",
        "**Answer.** It counts:\n\n| a | b |\n|---|---|\n| 1 | 2 |",
        "**Answer.**\n\n1. First.\n2. Second.",
    ],
)
def test_a_list_a_table_or_a_formula_belongs_to_the_answer_that_announces_it(whole):
    assert answer(f"{whole}\n\nAnother thought.") == whole


@pytest.mark.parametrize("following", ["## 2 · Next", "> **Predict.** What?", "[section 5]: #cell-id=x"])
def test_a_heading_a_question_and_links_never_belong_to_it(following):
    assert answer(f"**Answer.** As follows:\n\n{following}") == "**Answer.** As follows:"


PARTS = (
    "**Answer.** Yes.",
    "**Answer.** This:",
    "- a list",
    "$$x$$",
    "where x is.",
    "Text.",
    "## 2 · Part",
    "> **Predict.**",
)


@given(st.lists(st.sampled_from(PARTS), max_size=6).map("\n\n".join))
def test_folding_twice_is_folding_once_and_adds_the_fold_alone(source):
    assert folded(folded(source)) == folded(source)
    assert folded(source).replace(f"{OPEN}\n\n", "").replace(f"\n\n{CLOSE}", "") == source


def test_a_fold_that_its_author_ends_further_below_stays():
    text = f"A caption.\n\n{OPEN}\n\n**Answer.** Two.\n\nA second paragraph of it.\n\n{CLOSE}\n\nAnother thought."
    assert folded(text) == text


def test_each_question_gets_a_box_below_it_and_a_second_time_changes_nothing():
    question = new_markdown_cell("> **Predict.** What?", id="ask")
    made = new_notebook(cells=[question, new_code_cell("1 + 1", id="show")])
    predicted(made, "05")
    predicted(made, "05")
    assert [(cell.id, cell.source) for cell in made.cells[1:]] == [
        ("guess-ask", 'predict("05/ask")'),
        ("show", "1 + 1"),
    ]
    question.source += "\n\n> **Predict.** And then?"
    with pytest.raises(ValueError, match="cell ask of lecture 05 must have one question at most, it has 2"):
        predicted(made, "05")


@EACH
def test_a_lecture_has_a_box_for_each_question_and_no_answer_in_full_view(lecture):
    there = cells(lecture.path)
    asked = [cell.id for cell in there if cell.cell_type == "markdown" and "**Predict.**" in cell.source]
    boxes = {cell.id: cell for cell in there if cell.id.startswith(GUESS)}
    assert list(boxes) == [f"{GUESS}{cell}" for cell in asked] and len(asked) > 10
    for before, cell in zip(there, there[1:], strict=False):
        if cell.id in boxes:
            assert cell.id == f"{GUESS}{before.id}" and cell.source == f'predict("{lecture.number}/{before.id}")'
    for cell in there:
        assert "**Answer.**" not in re.sub(r"(?s)<details[^>]*>.*?</details>", "", cell.source), cell.id
    setup = next(cell for cell in there if cell.cell_type == "code")
    imported = [node for node in ast.parse(setup.source).body if isinstance(node, ast.ImportFrom)]
    assert "predict" in {alias.name for node in imported for alias in node.names}


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder of the reader's, in which the notebook runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_guess_is_there_again_on_another_day(here):
    box = predict("05/growing")
    assert (box.guess, box.kept, list(here.iterdir())) == ("", "", [])
    box.guess = "the <words>"
    again = predict("05/growing")
    assert (box.kept, again.guess, again.kept, predict("05/other").guess) == ("kept", "the <words>", "kept", "")
    assert record.load("guesses") == {"05/growing": "the <words>"}
    again.guess = "  "
    assert again.kept == "" and record.load("guesses") == {}


def test_a_folder_that_cannot_be_written_to_is_told(here, monkeypatch):
    def refuse(*_):
        raise PermissionError

    monkeypatch.setattr(record, "keep", refuse)
    box = predict("05/growing")
    box.guess = "words"
    assert box.kept == "refused"


def test_without_python_the_guess_is_text_and_nothing_where_there_is_none(here, monkeypatch):
    shown = []

    class Handle:
        def update(self, data, raw):
            shown[-1] = data

    def show(data, raw, metadata=None, display_id=None):
        shown.append(data)
        return Handle() if display_id else None

    monkeypatch.setattr(guess_box, "display", show)
    box = GuessBox("05/growing")
    box._ipython_display_()
    live, saved = shown
    assert live[base.VIEW]["model_id"] == box.model_id and live["text/html"] == ""
    assert "My guess" not in saved["text/html"] and saved["text/plain"] == ""
    box.guess = "<b>words</b>"
    assert "<p" in shown[1]["text/html"] and "My guess: &lt;b&gt;words&lt;/b&gt;" in shown[1]["text/html"]
    shown.clear()
    monkeypatch.setattr(guess_box, "unattended", lambda: True)
    box._ipython_display_()
    assert [list(data) for data in shown] == [["text/html", "text/plain"]]


def test_a_question_without_a_name_is_refused():
    with pytest.raises(ValueError, match="question must name a question, as \"05/growing\", got ' '"):
        predict(" ")
