"""The n-gram explorer in a bare page and in JupyterLab: what lights up, what an edit changes, what holds on keys."""

import nbformat
import pytest

from course_lib.metrics import sentence_bleu, sentence_chrf
from course_lib.widgets import NgramExplorer
from tests.browser.conftest import new_page, notebook
from tests.browser.harness import kernel_says, violations

REFERENCES = ["the cat is on the mat", "there is a cat on the mat"]
OUTPUTS = {"many": "the the the cat", "good": "the cat on the mat", "<b>": ""}


def chip(page, n, at):
    return page.locator(f'[data-key="gram:{n}:{at}"]')


def lights(page):
    """The lit tokens of each line, as {position: what it is lit as}."""
    lines = page.locator(".lm-line").all()
    each = "(tokens) => tokens.flatMap((token, k) => token.dataset.light ? [[k, token.dataset.light]] : [])"
    return [{k: light.split()[0] for k, light in line.locator("li").evaluate_all(each)} for line in lines]


def told(page):
    return page.locator(".lm-told").inner_text()


def status(page):
    return page.locator(".lm-widget > [role=status]").inner_text()


def scores(page):
    return [float(text) for text in page.locator(".lm-scores b").all_inner_texts()]


def expected(text):
    return [round(sentence_bleu(text, REFERENCES).score, 1), round(sentence_chrf(text, REFERENCES).score, 1)]


def choose(page, name):
    page.get_by_label("Given outputs").select_option(name)


def test_an_ngram_lights_up_where_it_stands(show):
    page = show(NgramExplorer(OUTPUTS, REFERENCES))
    assert "Point at an n-gram" in told(page) and lights(page) == [{}, {}, {}]
    chip(page, 1, 0).hover()
    assert lights(page) == [{0: "matched", 1: "matched", 2: "clipped"}, {0: "matched", 4: "place"}, {5: "place"}]
    assert told(page) == (
        "“the”: matched in reference 1. 3 in the output, at most 2 in one reference: 2 count. "
        "Its share of p₁ = 3 / 4 is 2 / 4."
    )
    chip(page, 1, 2).hover()
    assert lights(page) == [{0: "matched", 1: "matched", 2: "clipped"}, {0: "place", 4: "place"}, {5: "place"}]
    assert told(page).startswith("“the”: clipped.")
    chip(page, 2, 0).hover()
    assert lights(page) == [{0: "absent", 1: "absent", 2: "absent"}, {}, {}]
    assert "in no reference. 2 in the output, at most 0 in one reference: 0 count." in told(page)
    chip(page, 2, 2).hover()
    assert lights(page) == [{2: "matched", 3: "matched"}, {0: "matched", 1: "matched"}, {}]
    page.mouse.move(0, 0)
    assert lights(page) == [{}, {}, {}]


def test_marks_tell_the_states_apart_without_colour(show):
    page = show(NgramExplorer(OUTPUTS, REFERENCES))
    assert [chip(page, 1, at).inner_text().split()[0] for at in range(4)] == ["✓", "✓", "⊘", "✓"]
    assert chip(page, 2, 0).inner_text().split()[0] == "×"
    for kind, border in (("matched", "solid"), ("clipped", "dashed"), ("absent", "dotted")):
        style = page.locator(f"button.lm-{kind}").first.evaluate("(chip) => getComputedStyle(chip).borderTopStyle")
        assert style == border
    assert "the clipped" in page.get_by_role("group", name="1-grams").aria_snapshot()


def test_the_keyboard_moves_among_ngrams_and_what_is_picked_stays(show):
    page = show(NgramExplorer(OUTPUTS, REFERENCES))
    chip(page, 1, 0).focus()
    for key, focused in (
        ("ArrowRight", "gram:1:1"),
        ("ArrowDown", "gram:2:1"),
        ("End", "gram:2:2"),
        ("Home", "gram:2:0"),
    ):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.key") == focused
    assert status(page) == told(page) and told(page).startswith("“the the”")
    assert page.locator("button.lm-gram[tabindex='0']").count() == 1
    page.keyboard.press("ArrowDown")
    chip(page, 1, 3).hover()
    assert told(page).startswith("“cat”")
    page.mouse.move(0, 0)
    assert told(page).startswith("“the the the”") and chip(page, 3, 0).get_attribute("aria-current") == "true"
    page.keyboard.press("Escape")
    assert lights(page) == [{}, {}, {}]


def test_the_saved_frame_is_shown_and_its_outputs_can_be_chosen_without_python(show):
    explorer = NgramExplorer(OUTPUTS, REFERENCES, picked=[1, 3])
    explorer.edit("the the the cat sat")
    page = show(explorer)
    assert scores(page)[:2] == expected("the the the cat sat")
    assert told(page).startswith("“cat”") and chip(page, 1, 3).get_attribute("aria-current") == "true"
    assert "without Python: the output cannot be edited" in page.locator(".lm-edit").inner_text()
    field = page.get_by_role("textbox")
    field.press("x")
    assert field.input_value() == "the the the cat sat" and page.get_by_label("Smoothing of BLEU").is_disabled()
    choose(page, "good")
    assert scores(page)[:2] == expected("the cat on the mat") and field.input_value() == "the cat on the mat"
    choose(page, "<b>")
    assert scores(page)[0] == 0 and "No 4-gram" in page.locator('[data-order="4"]').inner_text()
    choose(page, "many")
    assert scores(page)[:2] == expected("the the the cat") and not field.input_value().endswith("sat")


def test_an_edit_moves_every_number_at_once(show):
    page = show(NgramExplorer(OUTPUTS, REFERENCES, at=1), live=True)
    field = page.get_by_label("Output: edit it")
    text = "the cat sat on the mat"
    field.fill(text)
    page.answer()
    assert scores(page)[:2] == expected(text) and chip(page, 4, 2).inner_text().endswith(
        "sat on the mat\nin no reference"
    )
    before = expected("the cat on the mat")[0]
    moved = page.locator('[data-score="BLEU"]').inner_text()
    assert f"(given: {before:.1f})" in moved and ("better" in moved) == (expected(text)[0] > before)
    assert field.evaluate("(field) => field === document.activeElement")
    page.keyboard.press("End")
    page.keyboard.type(" ")
    page.answer()
    assert field.input_value() == f"{text} "  # what is typed is not taken back
    back = page.get_by_role("button", name="Back to the given output")
    back.press("Enter")
    assert scores(page)[:2] == expected("the cat on the mat") and field.input_value() == "the cat on the mat"
    assert back.is_hidden() and field.evaluate("(field) => field === document.activeElement")
    field.fill("a " * 61)
    page.answer()
    assert "Not scored: an output may have 60 tokens, got 61" in page.locator(".lm-said").inner_text()


def test_ter_of_a_long_text_follows(show):
    page = show(NgramExplorer("a", [" ".join("abcdefghij" * 3)]), live=True)
    page.get_by_role("textbox").fill(" ".join("bacdefghij" * 3))
    page.answer()
    assert page.locator(".lm-scores b").last.inner_text() == "…" and "TER follows" in status(page)
    page.answer()
    assert scores(page)[2] == 10.0  # three shifts in 30 words


def test_what_is_typed_meanwhile_is_not_overwritten(show):
    page = show(NgramExplorer(OUTPUTS, REFERENCES), live=True)
    field = page.get_by_role("textbox")
    field.fill("the cat")
    page.wait_for_timeout(400)  # Python is asked
    page.keyboard.press("End")
    page.keyboard.type(" is")
    page.answer()
    assert field.input_value() == "the cat is" and scores(page)[:2] == expected("the cat")
    page.answer()
    assert field.input_value() == "the cat is" and scores(page)[:2] == expected("the cat is")


def test_a_refusal_of_what_stood_there_before_takes_nothing_back(show):
    page = show(NgramExplorer(OUTPUTS, REFERENCES), live=True)
    field = page.get_by_role("textbox")
    for text in ("a " * 61, "the cat"):
        field.fill(text)
        page.wait_for_timeout(400)  # Python is asked
    page.keyboard.press("End")
    page.keyboard.type(" is")
    page.evaluate("model.receive({}, [{ id: 1, error: 'too long' }])")
    page.answer()  # to the second text
    assert field.input_value() == "the cat is"


def test_the_text_stays_in_view_above_its_ngrams(show, page):
    page.set_viewport_size({"width": 1000, "height": 500})
    show(NgramExplorer("the cat sat on the mat and looked at the dog that was on the mat in the house", REFERENCES))
    chip(page, 4, 15).focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    lit, focused = page.locator(".lm-lit").bounding_box(), chip(page, 3, 0).bounding_box()
    assert lit["y"] >= 0 and lit["y"] + lit["height"] <= focused["y"] < 500


def numbers(page, column):
    cells = page.locator(f"tbody tr td:nth-child({column})").all_inner_texts()
    return [float(text.split("=")[-1].replace("−", "-").replace("BLEU", "")) for text in cells]


def test_the_bars_are_the_logs(show):
    text = "the cat on a mat"
    page, parts = show(NgramExplorer(text, REFERENCES)), sentence_bleu(text, REFERENCES)
    logs, so_far = numbers(page, 3), numbers(page, 5)
    assert logs[-1] == pytest.approx(sum(logs[:-1]), abs=0.003) and so_far[-1] == round(parts.score, 1) == so_far[-2]
    bars = page.locator(".lm-track .lm-bar").evaluate_all(
        "(bars) => bars.map((bar) => [parseFloat(bar.style.left), parseFloat(bar.style.width || 0)])"
    )
    for (_, width), log in zip(bars[:-1], logs[:-1], strict=True):
        assert width == pytest.approx(100 * log / logs[-1], abs=0.2)
    assert [left for left, _ in bars[1:-1]] == pytest.approx([left + width for left, width in bars[:-2]], abs=0.05)
    assert bars[-1] == [0, 100]


def test_without_smoothing_a_zero_takes_away_everything(show):
    page = show(NgramExplorer("the cat on a mat", REFERENCES), live=True)
    page.get_by_label("Smoothing of BLEU").select_option("none")
    page.answer()
    assert scores(page)[0] == 0 and page.locator(".lm-endless").count() == 3  # p₃, p₄ and the sum
    assert "p₃ and p₄ are 0, and log 0 is −∞" in page.locator(".lm-factors").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("width", [360, 1100])
def test_wcag_and_a_narrow_page(show, page, scheme, live, width):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 900})
    explorer = NgramExplorer(OUTPUTS, REFERENCES, picked=[1, 2])
    explorer.edit("the the the cat sat on the Donaudampfschifffahrtsgesellschaftskapitänsmützenständermatte")
    show(explorer, live=live)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    unguarded = ":is(button, input, select, textarea, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_in_jupyterlab_an_edit_is_scored_by_the_kernel(chromium, lab):
    cell = (
        f"from course_lib.widgets import NgramExplorer\nexplorer = NgramExplorer({OUTPUTS!r}, {REFERENCES!r})\nexplorer"
    )
    nbformat.write(notebook(cell), lab.root / "ngrams.ipynb")
    with new_page(chromium) as page:
        lab.open(page, "ngrams.ipynb")
        assert lab.run_all(page) == []
        field = page.get_by_label("Output: edit it")
        field.press("End")
        page.keyboard.type(" b", delay=20)
        assert kernel_says(page, "explorer.text", "the the the cat b") == "the the the cat b"
        page.get_by_text("given:").first.wait_for()
        assert scores(page)[:2] == expected("the the the cat b")
        chip(page, 1, 3).focus()
        page.keyboard.press("b")  # in JupyterLab a new cell below
        assert kernel_says(page, "explorer.picked", [1, 3]) == [1, 3]
        assert page.locator(".jp-Notebook .jp-Cell").count() == 1
        assert violations(page, ".lm-ngrams") == []
    lab.shut_down_kernels()
