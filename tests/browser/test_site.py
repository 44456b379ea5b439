"""The site in a browser, from a folder on the disk: it steps, unfolds, leads on, finds, and fetches nothing."""

import re
import shutil

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell

from course_lib.maintain.site import executed as execution
from course_lib.maintain.site.make import ASSETS, make
from course_lib.maintain.site.pages import Pages
from course_lib.reader.contents import ROOT, lectures
from course_lib.reader.contents import START as START_PAGE
from tests.browser.conftest import new_page
from tests.browser.harness import violations, wait_until

START = """# Start · A small course

See [lecture 02](02_small.ipynb) and ![two words](pictures/words.png)."""
ANSWER = rf"""<details style="margin-bottom: 1em"><summary>Show the answer</summary>

**Answer.** Forty-two of them, as the [glossary](glossary.ipynb#cell-id=terms) says.

$$\text{{{"very " * 60} wide}}$$

</details>"""
STEPPER = 'BPEStepper("how much wood would a woodchuck chuck", merges=3)'
PLAIN = """class Bold:
    def _repr_html_(self):
        return "<table><tr><th>heading</th></tr><tr><td>a cell</td></tr></table>"

print("printed & shown")
Bold()"""
TITLE = rf"""# Lecture 02 · Small

It says $a_1 < b_2$, $\text{{{"long " * 30}}}$ and

$$\sum_i p_i = 1.$$

See [the end].

[the end]: #cell-id=end"""
WIDE = f"|{' column |' * 9}\n|{' :-- |' * 9}\n|{' unbreakable |' * 8} $x$ |"  # its formula is beyond a telephone's edge
HIDDEN = {"jupyter": {"source_hidden": True}}
LECTURE = [
    new_markdown_cell(TITLE, id="title"),
    new_code_cell("from course_lib.widgets import BPEStepper, predict", id="setup"),
    new_markdown_cell("## 1 · Merges\n\n> **Predict.** How many?", id="merges"),
    new_code_cell('predict("02/merges")', id="guess-merges"),
    new_code_cell(STEPPER, id="stepper"),
    new_markdown_cell(ANSWER, id="answer"),
    new_markdown_cell(
        "## 2 · Tables\n\nA `table`, a [module](../course_lib/pairs.py), $\\theta_{1}$, and nothing else.", id="tables"
    ),
    new_markdown_cell(WIDE, id="wide"),
    new_code_cell(PLAIN, id="table"),
    new_code_cell("# Solution of exercise 1\nprint(6 * 7)", id="solution", metadata=HIDDEN),
    new_markdown_cell("## 3 · The end\n\n" + "It is far below.\n\n" * 30, id="end"),
]


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course of a start page, one lecture and a glossary, and its site in dist/a site/."""
    root = tmp_path_factory.mktemp("course")
    written = {
        "00_start": [new_markdown_cell(START, id="title")],
        "02_small": LECTURE,
        "glossary": [new_markdown_cell("# Glossary", id="title"), new_markdown_cell("## Terms\n\nA gate.", id="terms")],
    }
    (root / "lectures" / "pictures").mkdir(parents=True)
    (root / "lectures" / "pictures" / "words.png").write_bytes(b"")
    (root / "lectures" / "README.md").write_text("# A small course\n\nThis page is for students.\n")
    (root / "course_lib").mkdir()
    (root / "course_lib" / "pairs.py").write_text('"""Pairs."""\n')
    for name, cells in written.items():
        nbformat.write(nbformat.v4.new_notebook(cells=cells), root / "lectures" / f"{name}.ipynb")
    make(root, root / "dist" / "a site")
    return root


@pytest.fixture
def opened(chromium, course):
    """`opened("dark")` opens the lecture's page; at the end nothing has been asked for outside of the site."""
    site, asked, contexts = course / "dist" / "a site", [], []

    def open_page(scheme="light"):
        contexts.append(new_page(chromium))
        page = contexts[-1].__enter__()
        page.emulate_media(color_scheme=scheme)
        page.on("request", lambda request: asked.append(request.url))
        page.goto((site / "02_small.html").as_uri())
        return page

    yield open_page
    for context in contexts:
        context.__exit__(None, None, None)
    assert len(asked) > 4
    assert [url for url in asked if not url.startswith((f"{site.as_uri()}/", "data:", "about:"))] == []


def test_a_widget_steps_an_answer_unfolds_and_links_lead_on(opened, course):
    page = opened()
    stepper = page.frame_locator("iframe")
    page.locator("iframe").scroll_into_view_if_needed()
    stepper.get_by_text("0 of 3 merges", exact=True).wait_for()
    stepper.get_by_role("button", name="Forward").click()
    stepper.get_by_text("1 of 3 merges", exact=True).wait_for()
    stepper.get_by_role("button", name="Forward").press("Enter")
    stepper.get_by_text("2 of 3 merges", exact=True).wait_for()
    stepper.locator(".lm-form summary").click()
    assert stepper.get_by_role("button", name="Learn").is_disabled()

    answer = page.get_by_text("Forty-two")
    assert not answer.is_visible() and not page.get_by_text("6 * 7").is_visible()
    page.locator("summary", has_text="Show the answer").press("Enter")
    answer.wait_for()
    page.get_by_role("link", name="glossary", exact=True).click()
    page.wait_for_url(f"{(course / 'dist' / 'a site' / 'glossary.html').as_uri()}#cell-id=terms")
    page.get_by_text("A gate.").wait_for()
    page.get_by_role("link", name="Start").click()
    page.wait_for_url("**/index.html*")
    page.get_by_role("link", name="lecture 02").click()
    page.wait_for_url("**/02_small.html*")
    page.get_by_role("link", name="module").press("Enter")  # by its focus: the page still grows, and moves the link
    page.get_by_text('"""Pairs."""').wait_for()


def test_formulas_are_drawn_and_a_link_below_is_reached(opened):
    page = opened()
    assert page.locator(".katex").count() == 6 and page.locator(".katex-display").count() == 2
    assert page.locator(".katex-error").count() == 0
    assert page.evaluate("document.fonts.ready.then(() => document.fonts.check('16px KaTeX_Math'))")
    page.get_by_role("link", name="the end", exact=True).click()
    wait_until(page, "document.getElementById('cell-id=end').getBoundingClientRect().top < window.innerHeight / 2")


def test_on_a_telephone_nothing_is_wider_than_the_page(opened):
    page = opened()
    page.set_viewport_size({"width": 360, "height": 700})
    wait_until(page, "document.querySelectorAll('.too-wide[tabindex]').length === 2")
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.get_by_label("Search all lectures").fill("merges")
    page.locator("#found a").first.wait_for()
    found = page.locator("#found").bounding_box()
    assert found["x"] >= 0 and found["x"] + found["width"] <= 360


def test_the_courses_start_page_fits_a_telephone(chromium, tmp_path):
    shutil.copytree(ASSETS, tmp_path / "site")
    start, told = nbformat.read(ROOT / START_PAGE, 4), lectures()
    (tmp_path / "site/index.html").write_text(Pages(ROOT, told, full=True).page(START_PAGE, start, False)[0])
    with new_page(chromium) as page:
        page.set_viewport_size({"width": 360, "height": 700})
        page.goto((tmp_path / "site/index.html").as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        cut = """[...document.querySelectorAll("main *")].filter((e) => e.getBoundingClientRect().right > 360 &&
            !e.closest(".wide, pre")).map((e) => e.outerHTML.slice(0, 80))"""
        assert page.evaluate(cut) == []
        assert page.locator("[id='cell-id=paths'] :is(a, b)").count() > 8
        assert page.locator("[id='cell-id=paths'] .wide").count() == 0  # nothing to scroll to see it


def test_the_search_finds_a_section_by_keys(opened):
    page = opened()
    page.get_by_label("Search all lectures").fill("tabl nothing")
    page.locator("#found a").wait_for()
    assert page.locator("#found a b").all_inner_texts() == ["2 · Tables"]
    assert page.locator("#found mark").all_inner_texts() == ["Tabl", "tabl", "nothing"]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    wait_until(page, "location.hash === '#cell-id=tables'")
    assert not page.locator("#found").is_visible()
    page.get_by_label("Search all lectures").fill("theta")  # as it is read, and found by its name
    page.locator("#found mark").wait_for()
    assert "a module, θ_1, and nothing else" in page.locator("#found a small").first.inner_text()
    assert page.locator("#found mark").all_inner_texts() == ["θ"]
    page.get_by_label("Search all lectures").fill("forty")  # which an answer says
    page.get_by_text("Nothing was found").wait_for()
    page.keyboard.press("Escape")
    assert not page.locator("#found").is_visible()


def test_a_guess_is_there_when_the_page_is_opened_again(opened):
    page = opened()
    page.get_by_label("My guess").fill("three, or <b>four</b>")
    page.reload()
    assert page.get_by_label("My guess").input_value() == "three, or <b>four</b>"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_page_nor_in_its_search(opened, scheme):
    page = opened(scheme)
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 29)"}[scheme]
    page.locator("iframe").scroll_into_view_if_needed()
    inside = page.frame_locator("iframe").locator(".lm-widget")
    assert inside.evaluate("(widget) => getComputedStyle(widget).backgroundColor") == paper
    for summary in page.locator("summary").all():
        summary.click()
    page.get_by_label("Search all lectures").fill("merges")
    page.locator("#found a").first.wait_for()
    assert violations(page) == []


def test_on_paper_there_is_the_text_with_widgets_and_light(opened):
    page = opened("dark")
    page.frame_locator("iframe").locator(".lm-widget").wait_for()  # though nobody went there
    page.emulate_media(media="print")
    assert not page.locator("header").is_visible()
    assert page.get_by_text("printed & shown", exact=True).is_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_no_address_begins_at_the_root_of_a_server(course):
    for page in (course / "dist" / "a site").glob("*.html"):
        outside = re.sub(r'srcdoc="[^"]*"', "", page.read_text(encoding="utf-8"))
        found = re.findall(r'(?:href|src)="([^"]*)"', outside)
        assert found and [to for to in found if re.match(r"/|https?:", to)] == []


def test_made_again_nothing_is_executed(course, monkeypatch):
    site = course / "dist" / "a site"
    before = (site / "02_small.html").read_text(encoding="utf-8")

    def executes(*_):
        raise AssertionError("it was executed")

    monkeypatch.setattr(execution, "_outputs", executes)
    make(course, site)
    assert (site / "02_small.html").read_text(encoding="utf-8") == before
