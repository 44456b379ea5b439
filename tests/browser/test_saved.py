"""A notebook that was run, saved, and is opened again on another day: each widget is the frame that was saved."""

import nbformat
import pytest

from tests.browser import harness
from tests.browser.conftest import new_page, notebook
from tests.browser.harness import wait_until
from tests.browser.test_together import ONE, OTHER, WIDGETS

ROOTS = sum(WIDGETS.values(), [])
SHOWN = """(kind) => [...document.querySelectorAll(".jp-Notebook .jp-OutputArea-child")]
    .map((child) => child.querySelector(kind)).filter((one) => one?.offsetHeight)"""
FRAMES, LIVE = f"({SHOWN})('iframe').map((one) => one.title)", f"({SHOWN})('.lm-widget').map((one) => one.classList[1])"


@pytest.fixture(scope="module")
def saved(chromium, tmp_path_factory):
    """The folder of a server that has ended, with a notebook of eleven widgets as it was saved there."""
    folder = tmp_path_factory.mktemp("saved")
    cells = [cell.source for made in (ONE, OTHER) for cell in made.cells]
    nbformat.write(notebook(*cells, "print('the end')"), folder / "lecture.ipynb")
    with harness.jupyter(folder) as first, new_page(chromium) as page:
        first.open(page, "lecture.ipynb")
        assert first.run_all(page) == []
        wait_until(page, f"{LIVE}.length === {len(ROOTS)}")
        assert (page.evaluate(LIVE), page.evaluate(FRAMES)) == (ROOTS, [])
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        first.open(page, "lecture.ipynb")  # the page again; its kernel is alive
        wait_until(page, f"{LIVE}.length === {len(ROOTS)}")
        assert (page.evaluate(LIVE), page.evaluate(FRAMES)) == (ROOTS, [])
    return folder


@pytest.fixture(scope="module")
def second(saved):
    with harness.jupyter(saved) as server:
        yield server


def check_frames(page):
    wait_until(page, f"{FRAMES}.length === {len(ROOTS)}")
    assert page.evaluate(LIVE) == []
    assert not page.evaluate("document.body.innerText.match(/model not found|Loading widget|run this cell/)")
    for n, root in enumerate(ROOTS):
        frame = page.locator(".jp-Notebook iframe").nth(n)
        frame.scroll_into_view_if_needed()
        inside = frame.content_frame
        inside.locator(f".{root}").wait_for()
        step = inside.locator(".lm-buttons button:not([aria-disabled=true], :nth-child(2))")  # not Play
        if step.count():
            before = inside.locator(".lm-progress").inner_text()
            step.last.click()
            assert inside.locator(".lm-progress").inner_text() != before


def test_opened_again_in_lab_each_widget_is_the_saved_frame_and_steps(chromium, second):
    with new_page(chromium) as page:
        second.open(page, "lecture.ipynb")
        check_frames(page)
        page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
        wait_until(page, f"{LIVE}.length === {len(ROOTS)}")
        assert (page.evaluate(LIVE), page.evaluate(FRAMES)) == (ROOTS, [])
    second.shut_down_kernels()


def test_opened_again_in_notebook_7(chromium, second):
    with chromium.new_context() as context:  # whose own scripts throw
        page = context.new_page()
        page.goto(f"{second.url}/notebooks/lecture.ipynb?token={second.token}")
        page.wait_for_selector(".jp-Notebook .jp-Cell")
        check_frames(page)
    second.shut_down_kernels()


def test_a_notebook_that_nobody_trusts_says_what_stands_there(chromium, second, saved):
    made = nbformat.read(saved / "lecture.ipynb", 4)
    for cell in made.cells:
        cell.source += " "  # another notebook than the one that was signed
    nbformat.write(made, saved / "untrusted.ipynb")
    with new_page(chromium) as page:
        second.open(page, "untrusted.ipynb")
        page.get_by_text("the end", exact=True).wait_for()
        assert page.get_by_text("A widget stands here: run this cell to use it.").count() == len(ROOTS)
        assert page.evaluate(FRAMES) == page.evaluate(LIVE) == []
    second.shut_down_kernels()
