"""A reader goes through the course by its links, in JupyterLab and in the HTML that nbconvert makes of a lecture."""

import shutil
from contextlib import suppress

import pytest
from nbconvert import HTMLExporter

from tests.browser.conftest import new_page
from tests.browser.harness import wait_until
from tests.grading.course import ROOT

LECTURE_02, LECTURE_04 = "lectures/02_subwords.ipynb", "lectures/04_encoder_decoder.ipynb"
LECTURE_06, PS1 = "lectures/06_search.ipynb", "assignments/ps1/ps1.ipynb"
IS_OPEN = "(path) => window.jupyterapp.shell.currentWidget?.context?.path === path"
TOP = """(id) => {
    const { content, context } = window.jupyterapp.shell.currentWidget;
    const cell = content.widgets?.find((widget) => widget.model.id === id);
    if (!cell?.node.isConnected) return false;
    const { top, bottom } = cell.node.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
}"""
SHOW = "async (path) => { await window.jupyterapp.commands.execute('docmanager:open', { path }); }"
SCROLL = "(id) => window.jupyterapp.shell.currentWidget.setFragment(`#cell-id=${id}`)"
UNFOLD = """(id) => window.jupyterapp.shell.currentWidget.content.widgets.find((widget) => widget.model.id === id)
    .node.querySelectorAll("details").forEach((answer) => { answer.open = true; })"""


@pytest.fixture(scope="module")
def course(lab):
    """The lectures and problem sets below the server's folder."""
    for folder in "lectures", "assignments":
        shutil.copytree(ROOT / folder, lab.root / folder)
    yield lab
    lab.shut_down_kernels()


def until_seen(page, cell, move):
    """Move until a cell of the open notebook is in view.

    While cells are still drawn, JupyterLab may stop short of the cell, or a click may miss: a reader moves again.
    """
    for seconds in (15, 30, 60):
        move()
        with suppress(TimeoutError):
            return wait_until(page, TOP, cell, seconds=seconds)
    raise AssertionError(f"{cell} did not come into view")


def follow(page, cell, words):
    """Click the link with these words in a cell of the open notebook."""
    until_seen(page, cell, lambda: page.evaluate(SCROLL, cell))
    page.evaluate(UNFOLD, cell)
    notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
    notebook.get_by_role("link", name=words, exact=True).first.click()


def follow_to_section(page, start, cell, words, path, target):
    """Follow a link in a cell of the notebook `start` to a cell of another notebook."""

    def move():
        page.evaluate(SHOW, start)
        wait_until(page, IS_OPEN, start)
        follow(page, cell, words)
        wait_until(page, IS_OPEN, path)

    until_seen(page, target, move)


def test_links_open_the_lecture_the_section_and_the_problem_set_in_lab(chromium, course):
    with new_page(chromium) as page:
        course.open(page, LECTURE_04)
        until_seen(page, "exercises", lambda: follow(page, "title", "section 12"))  # far below, in the same lecture
        follow_to_section(page, LECTURE_04, "above-search-answer", "lecture 06, section 7", LECTURE_06, "s7")
        follow(page, "way-on", "Problem set 5")
        wait_until(page, IS_OPEN, "assignments/ps5/ps5.ipynb")
        follow(page, "way-on", "07 Transformer")
        wait_until(page, IS_OPEN, "lectures/07_transformer.ipynb")
        course.open(page, "assignments/ps5/ps5.ipynb")
        follow(page, "way-on", "The page for students")
        wait_until(page, IS_OPEN, "lectures/README.md")
        course.open(page, LECTURE_02)
        follow_to_section(page, LECTURE_02, "overlap-answer", "Exercise 6 of problem set 1", PS1, "cell-12")
        follow(page, "cell-00", "lecture 02")
        wait_until(page, IS_OPEN, LECTURE_02)


def test_a_link_to_a_section_works_in_html(page, tmp_path):
    html, _ = HTMLExporter().from_filename(str(ROOT / "lectures/05_attention.ipynb"))
    (tmp_path / "lecture.html").write_text(html, encoding="utf-8")
    page.goto((tmp_path / "lecture.html").as_uri())
    page.get_by_role("link", name="section 11").click()
    wait_until(page, "document.getElementById('cell-id=exercises').getBoundingClientRect().top < window.innerHeight")


def test_the_start_page_runs_and_its_cards_lead_to_the_lectures(chromium, course):
    with new_page(chromium) as page:
        course.open(page, "lectures/00_start.ipynb")
        card = page.locator("a", has_text="05 Attention").first
        assert page.get_by_alt_text("The attention heatmap").evaluate("(image) => image.naturalWidth") == 640
        assert course.run_all(page) == []
        page.locator(".lm-bpe .lm-pair").first.wait_for()
        page.get_by_label("0 of 35 points").first.wait_for()
        card.click()
        wait_until(page, IS_OPEN, "lectures/05_attention.ipynb")
