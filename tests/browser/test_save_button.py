"""Each widget saves itself, as it stands, as a page of its own: by Python where it is alive, by the page where not."""

import pytest

from course_lib.widgets.bpe_stepper import BPEStepper
from course_lib.widgets.guess_box import GuessBox

TEXT = "low low lower newest newest </script><!-- widest"
BUTTON = "button.lm-save"


@pytest.fixture
def stepper():
    return BPEStepper(TEXT, merges=4)


def saved(page, where, tmp_path, act=lambda: None):
    """The file that a click on the button of `where` brings."""
    with page.expect_download() as download:
        where.locator(BUTTON).click()
        act()
    assert download.value.suggested_filename == "bpe-merge-stepper.html"
    download.value.save_as(tmp_path / "saved.html")
    return tmp_path / "saved.html"


def test_a_page_saves_itself_at_its_step_again_and_again(show, stepper, tmp_path):
    page = show(stepper)
    for step in ("2", "4"):
        page.locator(".lm-buttons button").last.click()
        page.locator(".lm-buttons button").last.click()
        page.goto(saved(page, page, tmp_path).as_uri())
        page.locator(".lm-progress b").get_by_text(step, exact=True).wait_for()
        assert page.locator(".lm-form textarea").first.input_value() == TEXT


def test_a_frame_saves_itself(page, stepper, tmp_path):
    (tmp_path / "notebook.html").write_text(f"<!doctype html><body>{stepper.frame()}</body>", encoding="utf-8")
    page.goto((tmp_path / "notebook.html").as_uri())
    frame = page.frame_locator("iframe")
    frame.locator(".lm-buttons button").last.click()
    page.goto(saved(page, frame, tmp_path).as_uri())
    page.locator(".lm-progress b").get_by_text("1", exact=True).wait_for()


def test_a_live_widget_is_saved_by_python(show, stepper, tmp_path):
    page = show(stepper, live=True)
    page.locator(".lm-buttons button").last.click()
    file = saved(page, page, tmp_path, page.answer)
    assert stepper.step == 1 and file.read_text(encoding="utf-8") == stepper.page()
    assert page.locator(BUTTON).inner_text() == "Save as HTML"


def test_a_page_that_cannot_be_made_is_told(show, stepper, tmp_path):
    page, make = show(stepper, live=True), stepper.page
    stepper.page = lambda: 1 / 0
    page.locator(BUTTON).click()
    page.answer()
    assert page.locator(BUTTON).inner_text() == "Not saved: ZeroDivisionError: division by zero"
    stepper.page = make
    saved(page, page, tmp_path, page.answer)
    assert page.locator(BUTTON).inner_text() == "Save as HTML"


def test_silence_from_python_is_told(show, stepper, tmp_path):
    page = show(stepper, live=True)
    page.clock.install()
    page.locator(BUTTON).click()
    page.clock.run_for(31_000)
    assert page.locator(BUTTON).inner_text().startswith("No answer from Python yet.")


def test_what_the_reader_wrote_has_no_such_button(show):
    assert show(GuessBox("05/growing")).locator(BUTTON).count() == 0
