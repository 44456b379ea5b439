"""The rating form in a bare page and in JupyterLab: what is chosen is what is written, by mouse and by keys."""

import re

import nbformat
import pytest

from course_lib.metrics.rating_file import read_answers, save
from course_lib.widgets import RatingForm
from tests.browser.conftest import notebook
from tests.browser.harness import kernel_says, violations

ITEMS = [
    {"source": f"Quelle {k}", "reference": f"reference {k}", "outputs": {"a": f"a{k}", "b": f"<b>{k}", "c": f"c{k}"}}
    for k in range(2)
]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "ratings.jsonl"


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def radio(page, group, name):
    return page.get_by_role("group", name=group).get_by_role("radio", name=name)


def output(page, k=0):
    return page.locator(".lm-text").nth(k).inner_text()


def test_adequacy_and_fluency_are_saved_and_the_next_output_is_shown(show, path):
    form = RatingForm(ITEMS, "likert", path=path)
    page = show(form, live=True)
    first = output(page)
    assert page.locator("dd").all_inner_texts() == [form.tasks[0]["source"], form.tasks[0]["reference"]]
    radio(page, "adequacy", "4 most").check()
    button(page, "Save and go on").click(force=True)  # which says why it does nothing
    assert "Choose a step for both." in page.locator(".lm-ending").inner_text() and not path.exists()
    radio(page, "fluency", "5 flawless").check()
    button(page, "Save and go on").click()
    page.answer()
    (answer,) = read_answers(path)
    assert (answer.output, answer.scores) == (first, {"adequacy": 4, "fluency": 5})
    assert output(page) != first and page.locator("input:checked").count() == 0
    assert page.locator(".lm-progress").inner_text() == "2 of 6 (saved: 1)"
    assert page.locator("progress").evaluate("(bar) => [bar.value, bar.max]") == [1, 6]
    button(page, "Back").click()
    assert radio(page, "adequacy", "4 most").is_checked() and radio(page, "fluency", "5 flawless").is_checked()


def test_keys_alone_rate_and_go_on(show, path):
    page = show(RatingForm(ITEMS, "likert", path=path), live=True)
    for n in range(1, 3):
        if n == 1:
            page.get_by_role("radio").first.focus()
        page.keyboard.press("Space")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.answer()
        assert [answer.scores for answer in read_answers(path)] == [{"adequacy": 2, "fluency": 1}] * n
        assert page.evaluate("document.activeElement.type") == "radio"  # of the next screen


def test_a_slider_that_nobody_moved_is_no_answer(show, path):
    page = show(RatingForm(ITEMS, "direct", path=path), live=True)
    slider, number = page.get_by_role("slider"), page.get_by_role("spinbutton")
    assert number.input_value() == "" and button(page, "Save and go on").get_attribute("aria-disabled") == "true"
    slider.focus()
    page.keyboard.press("Enter")
    assert not path.exists() and "Move the slider" in page.locator(".lm-ending").inner_text()
    page.keyboard.press("ArrowRight")
    assert number.input_value() == "51"
    number.fill("87")
    assert slider.input_value() == "87"
    number.fill("870")
    page.keyboard.press("Tab")
    assert number.input_value() == "87"
    button(page, "Save and go on").click()
    page.answer()
    assert [answer.scores for answer in read_answers(path)] == [{"quality": 87}]
    page.get_by_role("slider").click()  # in the middle, where it stands
    assert page.get_by_role("spinbutton").input_value() == "50"


def test_outputs_are_ranked_with_ties(show, path):
    page = show(RatingForm(ITEMS, "ranking", path=path), live=True)
    texts = [output(page, k) for k in range(3)]
    for text, place in zip(texts, "212", strict=True):
        radio(page, f"Place of “{text}”", place).check()
    button(page, "Save and go on").click()
    page.answer()
    assert {a.output: a.scores["preference"] for a in read_answers(path)} == dict(zip(texts, [2, 3, 2], strict=True))
    for k in range(3):
        radio(page, f"Place of “{output(page, k)}”", "1").check()
    button(page, "Save and go on").click()
    page.answer()
    assert "All 2 are saved." in page.locator(".lm-ending").inner_text()


def test_what_is_chosen_and_not_saved_is_kept_on_its_screen(show, path):
    page = show(RatingForm(ITEMS, "direct", path=path), live=True)
    page.get_by_role("spinbutton").fill("33")
    button(page, "Forward").click()
    assert page.get_by_role("spinbutton").input_value() == ""
    button(page, "Back").click()
    assert page.get_by_role("spinbutton").input_value() == "33" and not path.exists()


def test_a_file_that_cannot_be_written_is_told(show, path):
    form = RatingForm(ITEMS, "direct", path=path)
    page = show(form, live=True)
    path.mkdir()
    page.get_by_role("spinbutton").fill("33")
    button(page, "Save and go on").click()
    page.answer()
    assert re.match(r"Not saved: \w+Error: ", page.locator(".lm-said").inner_text())
    assert page.get_by_role("spinbutton").input_value() == "33" and form.given == {}


def test_the_answer_to_one_screen_leaves_what_was_chosen_on_another(show, path, monkeypatch):
    def save_once(*arguments):
        save(*arguments)
        path.unlink()
        path.mkdir()

    monkeypatch.setattr("course_lib.widgets.rating_form.save", save_once)
    form = RatingForm(ITEMS, "direct", path=path)
    page = show(form, live=True)
    page.get_by_role("spinbutton").fill("40")
    button(page, "Save and go on").click()
    button(page, "Forward").click()
    page.get_by_role("spinbutton").fill("70")
    button(page, "Save and go on").click()
    page.answer()  # to both: the second one is refused
    assert form.given == {"0": [{"quality": 40}]} and "Not saved" in page.locator(".lm-said").inner_text()
    assert page.locator(".lm-progress b").inner_text() == "2"
    assert page.get_by_role("spinbutton").input_value() == "70"


@pytest.mark.parametrize("scale", ["likert", "direct", "ranking"])
def test_without_python_the_saved_answers_are_shown_and_nothing_can_be_chosen(show, path, scale):
    form = RatingForm(ITEMS, scale, path=path)
    scores = {"likert": {"adequacy": 2, "fluency": 3}, "direct": {"quality": 12}, "ranking": {"preference": 3}}[scale]
    form.rate(0, [scores] * len(form.tasks[0]["outputs"]))
    form.at = 0
    page = show(form)
    assert "without Python: it cannot save" in page.locator(".lm-note").inner_text()
    assert page.locator("fieldset.lm-judged input").evaluate_all(
        "(all) => all.every((one) => one.matches(':disabled'))"
    )
    assert button(page, "Save and go on").count() == 0
    shown = page.locator("input:checked, input[type=number]").evaluate_all("(all) => all.map((one) => one.value)")
    assert shown == [str(score) for _ in form.tasks[0]["outputs"] for score in scores.values()]
    button(page, "Forward").click()
    of = len(form.tasks)
    assert page.locator(".lm-progress").inner_text() == f"2 of {of}"  # how many are saved by now it cannot know
    assert page.locator(".lm-rating > .lm-hidden").inner_text() == f"Screen 2 of {of}."
    assert page.locator("progress").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("scale", ["likert", "direct", "ranking"])
def test_wcag_and_a_narrow_page(show, page, path, scheme, live, scale):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 900})
    show(RatingForm(ITEMS, scale, path=path), live=live)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    unguarded = ":is(button, input, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_in_jupyterlab_two_forms_keep_their_choices(window, lab):
    made = f"RatingForm({ITEMS!r}, 'likert', path='two.jsonl')"
    cells = f"from course_lib.widgets import RatingForm\n{made}", made
    nbformat.write(notebook(*cells), lab.root / "two_forms.ipynb")
    lab.open_here(window, "two_forms.ipynb")
    assert lab.run_all(window) == []
    steps = window.get_by_role("radio", name="4 most")
    steps.nth(0).check()
    steps.nth(1).check()
    assert steps.nth(0).is_checked()


def test_in_jupyterlab_ratings_reach_the_kernel_and_the_file(window, lab):
    cells = (
        f"from course_lib.widgets import RatingForm\nform = RatingForm({ITEMS!r}, 'likert', path='mine.jsonl')\nform",
    )
    nbformat.write(notebook(*cells), lab.root / "rating.ipynb")
    lab.open_here(window, "rating.ipynb")
    assert lab.run_all(window) == []
    window.get_by_role("radio").first.focus()
    for key in ("Space", "b", "Tab", "Space", "Enter"):  # b: in JupyterLab a new cell below
        window.keyboard.press(key)
    window.get_by_text("Saved.", exact=True).wait_for()
    assert kernel_says(window, "[rating.score for rating in form.ratings]", [1]) == [1]
    assert window.locator(".jp-Notebook .jp-Cell").count() == 1
    assert violations(window, ".lm-rating") == []
    assert [answer.scores for answer in read_answers(lab.root / "mine.jsonl")] == [{"adequacy": 1, "fluency": 1}]
