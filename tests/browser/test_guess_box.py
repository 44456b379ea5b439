"""The guess box in JupyterLab: what a reader writes is on disk, is there on another day, and the answer opens."""

import json
import shutil

import nbformat
import pytest

from course_lib.reader import record
from tests.browser.conftest import new_page, notebook
from tests.browser.harness import violations, wait_until

ANSWER = "<details><summary>Show the answer</summary>\n\n**Answer.** Two.\n\n</details>"
CELLS = ["from course_lib.widgets import predict", 'predict("05/one")', "1 + 1", 'predict("05/two")']
LECTURE = "guesses/lecture.ipynb"


@pytest.fixture
def folder(lab):
    """The lecture's folder below the server's, without a record; afterwards no kernel is left."""
    made = notebook(*CELLS)
    made.cells.append(nbformat.v4.new_markdown_cell(ANSWER))
    (lab.root / LECTURE).parent.mkdir()
    nbformat.write(made, lab.root / LECTURE)
    yield (lab.root / LECTURE).parent
    lab.shut_down_kernels()
    shutil.rmtree((lab.root / LECTURE).parent)


def field(page, place=0):
    return page.get_by_role("textbox", name="My guess").nth(place)


def kept(folder):
    path = folder / record.FILE
    return json.loads(path.read_text(encoding="utf-8"))["guesses"] if path.exists() else {}


def wait_for_record(page, folder, wanted):
    for _ in range(500):
        if kept(folder) == wanted:
            return
        page.wait_for_timeout(20)
    assert kept(folder) == wanted


def test_a_guess_is_kept_while_it_is_typed_and_comes_back_without_and_with_python(chromium, lab, folder):
    with new_page(chromium) as page:
        lab.open(page, LECTURE)
        assert lab.run_all(page) == []
        answer = page.locator(".jp-MarkdownOutput details")
        assert answer.get_by_text("Answer. Two.").is_hidden()
        answer.get_by_text("Show the answer").click()
        answer.get_by_text("Answer. Two.").wait_for()
        cells = page.locator(".jp-Notebook .jp-Cell").count()
        for more, whole in (("dab 2 ", "dab 2"), ("& <b>", "dab 2 & <b>")):
            field(page).press_sequentially(more)  # JupyterLab's own keys stay away: dd, a, b
            wait_for_record(page, folder, {"05/one": whole})
            page.locator(".lm-said", has_text="kept").wait_for()
        assert page.locator(".jp-Notebook .jp-Cell").count() == cells
        for theme in "JupyterLab Light", "JupyterLab Dark":
            lab.change_theme(page, theme)
            assert violations(page, ".lm-guess") == []
        page.wait_for_timeout(300)  # the saved text follows
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        wait_until(page, "!window.jupyterapp.shell.currentWidget.context.model.dirty")
    lab.shut_down_kernels()
    with new_page(chromium) as page:
        lab.open(page, LECTURE)  # another day: no widget is alive
        page.get_by_text("My guess: dab 2 & <b>").wait_for()
        assert not page.evaluate("document.body.innerText.match(/model not found|Loading widget|run this cell/)")
        assert lab.run_all(page) == []
        wait_until(page, "document.querySelectorAll('.lm-guess').length === 2")
        assert [field(page, place).input_value() for place in (0, 1)] == ["dab 2 & <b>", ""]
        assert page.get_by_text("My guess: dab").is_hidden()
        field(page).fill("")
        field(page).blur()
        wait_for_record(page, folder, {})


def test_a_folder_that_cannot_be_written_to_costs_the_guess_and_is_told(folder, window, lab):
    lab.open_here(window, LECTURE)
    assert lab.run_all(window) == []
    (folder / record.FILE).mkdir()
    field(window).fill("two")
    field(window).blur()
    window.get_by_text("not kept: the folder cannot be written to").wait_for()
    shutil.rmtree(folder / record.FILE)
