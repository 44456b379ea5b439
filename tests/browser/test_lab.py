"""The widget where readers meet it: in JupyterLab with a kernel, in both themes, and in HTML that nbconvert made."""

import random
import subprocess
import sys

import nbformat
import pytest
from nbconvert import HTMLExporter

from course_lib.maintain.kernels import through_files
from tests.browser.conftest import in_window, notebook
from tests.browser.harness import kernel_says, violations, wait_until
from tests.browser.test_bpe_stepper import SEED, button, expected, shown

LOST = "Python does not know this widget any more: run its cell again."
CELL = f"from course_lib.widgets import BPEStepper\nstepper = BPEStepper({SEED}, merges=10)\nstepper"


@pytest.fixture(scope="module")
def opened(lab_page, lab):
    """One notebook in JupyterLab for all tests here: to open one takes longer than to test it."""
    nbformat.write(notebook(CELL), lab.root / "stepper.ipynb")
    with in_window(lab_page, lab) as page:
        lab.open_here(page, "stepper.ipynb")
        yield page


@pytest.fixture
def in_lab(opened, lab):
    """The page with a new stepper."""
    assert lab.run_all(opened) == []
    opened.wait_for_selector(".lm-panel")
    return opened


def test_a_text_typed_into_lab_is_learned_by_the_library(in_lab):
    page = in_lab
    assert shown(page) == expected(SEED, 0, tie="first")
    letters = random.Random()
    text = " ".join("".join(letters.choices("abßéЖ漢👍", k=letters.randint(1, 9))) for _ in range(30))
    page.locator(".lm-form summary").click()
    page.get_by_role("textbox", name="Text", exact=True).fill("")
    page.get_by_role("textbox", name="Text", exact=True).press_sequentially(text)
    button(page, "Learn").click()
    page.get_by_text("Learned.").wait_for()
    for k in (0, 4, 10):
        page.get_by_role("slider", name="Merges done").fill(str(k))
        assert shown(page) == expected(text, k, tie="first"), text
    learned = [[text], 10]
    assert kernel_says(page, "stepper.texts, stepper.step", learned) == learned

    page.get_by_label("Of tied pairs take").select_option("largest")
    page.get_by_text("Learning …").wait_for(state="hidden")
    page.get_by_text("Learned.").wait_for()
    assert shown(page) == expected(text, 10, tie="largest"), text
    page.get_by_role("textbox", name="Text", exact=True).fill("half a marker: </w>")
    button(page, "Learn").click()
    page.get_by_text("Not learned: the word '</w>' contains the marker").wait_for()


def test_labs_shortcuts_stay_away_from_the_widget(in_lab):
    page = in_lab
    cells = page.locator(".jp-Notebook .jp-Cell").count()
    for control in (button(page, "Forward"), page.locator(".lm-pair").first, page.locator(".lm-merge").first):
        control.focus()
        for key in ("b", "a", "d", "d", "m", "ArrowRight"):
            page.keyboard.press(key)
    assert page.locator(".jp-Notebook .jp-Cell").count() == cells
    assert shown(page) == expected(SEED, 3, tie="first")
    assert kernel_says(page, "stepper.step", 3) == 3


def test_both_themes_of_lab(in_lab, lab):
    page = in_lab
    colours = set()
    for theme in "JupyterLab Light", "JupyterLab Dark":
        lab.change_theme(page, theme)
        assert violations(page, ".lm-widget") == []
        colours.add(page.evaluate("getComputedStyle(document.querySelector('.lm-widget')).color"))
    assert len(colours) == 2


def test_prediction_is_known_to_python(in_lab):
    page = in_lab
    page.get_by_role("checkbox", name="Predict first").check()
    page.locator(".lm-pair", has_text="e s").click()
    button(page, "Forward").click()
    page.locator(".lm-pair", has_text="l o").click()
    scored = [[1, 2], True]
    assert kernel_says(page, "stepper.score, stepper.predict", scored) == scored


def check_frame(page, path):
    """The page of a notebook holds one stepper, and it steps: no kernel, no network."""
    page.goto(path.as_uri())
    frame = page.frame_locator("iframe[title='BPE merge stepper']")
    frame.locator(".lm-panel").wait_for()
    inside = next(frame for frame in page.frames if frame is not page.main_frame)
    assert shown(inside) == expected(SEED, 0, tie="first")
    button(inside, "Forward").click()
    inside.get_by_role("slider").press("ArrowRight")
    assert shown(inside) == expected(SEED, 2, tie="first")
    page.wait_for_function("document.querySelector('iframe').offsetHeight !== 860")  # it fits its content
    inner = inside.evaluate("[document.documentElement.scrollHeight, window.innerHeight]")
    assert inner[0] <= inner[1] + 1
    assert page.get_by_text("Loading widget").count() == 0
    return inside


def test_a_notebook_saved_in_lab_exports_a_working_stepper(in_lab, lab, page, tmp_path):
    in_lab.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
    html, _ = HTMLExporter().from_filename(str(lab.root / "stepper.ipynb"))
    (tmp_path / "saved.html").write_text(html, encoding="utf-8")
    check_frame(page, tmp_path / "saved.html")


def test_nbconvert_execute_exports_a_working_stepper(page, tmp_path):
    nbformat.write(notebook(CELL), tmp_path / "lecture.ipynb")
    files = [f"--KernelManager.{name}={value}" for name, value in through_files(tmp_path).KernelManager.items()]
    command = [sys.executable, "-m", "nbconvert", "--execute", "--to", "html", *files, str(tmp_path / "lecture.ipynb")]
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    page.emulate_media(color_scheme="dark")
    frame = check_frame(page, tmp_path / "lecture.html")
    light = "getComputedStyle(document.querySelector('.lm-widget')).backgroundColor === 'rgb(255, 255, 255)'"
    wait_until(frame, light)  # as the page around it, whatever the system prefers


def test_after_a_restart_the_widget_says_at_once_what_to_do(chromium, lab):
    nbformat.write(notebook(CELL), lab.root / "restarted.ipynb")
    with chromium.new_context() as context:  # JupyterLab itself tells of requests that the restart cancels
        page = context.new_page()
        lab.open(page, "restarted.ipynb")
        assert lab.run_all(page) == []
        page.locator(".lm-form summary").click()
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
        page.get_by_text(LOST).wait_for()
        button(page, "Forward").click()  # it steps on
        assert shown(page) == expected(SEED, 1, tie="first")
        learn_in_vain(page)  # the new kernel hears of it, and does not answer
        page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
        learn_in_vain(page)


def learn_in_vain(page):
    button(page, "Learn").click()
    wait_until(page, "document.querySelector('.lm-said').textContent !== 'Learning …'")
    assert page.locator(".lm-said").inner_text() == LOST
