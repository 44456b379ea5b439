"""The gate explorer in a bare page: the page that `save` writes, without Python, or with Python at the other end."""

import pytest
import torch

from course_lib.recurrent import GRU, LSTM, Clamp, RNNEncoder, RNNLanguageModel
from course_lib.seq2seq.encoder_decoder import EncoderDecoder, RNNDecoder
from course_lib.subwords import Vocabulary
from course_lib.subwords.word_level import Words
from course_lib.translator import Translator
from course_lib.widgets import EncoderExplorer, GateExplorer
from tests.browser.harness import violations

VOCABULARY = {token: number for number, token in enumerate("abcde <&>")}
TEXT = "a bad bee"


def explorer(kind=LSTM, text=TEXT, clamps=(), vocabulary=VOCABULARY, **options):
    torch.manual_seed(0)
    model = RNNLanguageModel(len(vocabulary), kind(3, 12))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(3)
    return GateExplorer(model, vocabulary, text, clamps=clamps, **options)


def squares(page, name, strip=0):
    """The numbers of one row's squares."""
    titles = page.locator(f'[data-name="{name}"] .lm-strip').nth(strip).locator("title")
    return [float(text.replace("−", "-")) for text in titles.all_text_contents()]


def numbers(reading, name, unit=None):
    steps = reading["values"][name]
    if unit is not None:
        return [step[unit] / 1000 for step in steps]
    return [sum(map(abs, step)) / len(step) / 1000 for step in steps]


def status(page):
    return page.locator(".lm-gates > .lm-hidden[role=status]").inner_text()


def says_the_memory_cell_of_token_4(page, widget, unit, before):
    """Whether the arithmetic at the fourth token has the numbers of one unit, and its cell at the token read before."""
    f, c, i, candidate = (numbers(widget.reading, name, unit) for name in ("f", "c", "i", "candidate"))
    line = page.locator(".lm-equations li").first.inner_text().replace("−", "-")
    for value in (f[3], c[before], i[3], candidate[3]):
        assert f"{value:.2f}" in line
    assert line.endswith(f"= {c[3]:.2f}")


def test_squares_say_what_python_traced(show):
    widget = explorer()
    page = show(widget)
    for name in widget.names:
        assert squares(page, name) == pytest.approx(numbers(widget.reading, name), abs=0.0051)
    page.get_by_role("button", name="Show all 12 units").click()
    page.get_by_role("button", name="unit 7", exact=True).click()
    for name in widget.names:
        assert squares(page, name) == pytest.approx(numbers(widget.reading, name, 7), abs=0.0051)
    sides = page.locator('[data-name="f"] .lm-strip rect:not(.lm-cursor)').evaluate_all(
        "(all) => all.map((square) => square.getAttribute('width') ** 2)"
    )
    forget = numbers(widget.reading, "f", 7)
    assert sides == pytest.approx([value / max(forget) * max(sides) for value in forget], rel=1e-3)
    below = page.locator('[data-name="c"] .lm-below').count()
    assert below == sum(value < 0 for value in numbers(widget.reading, "c", 7))


def test_units_that_follow_the_text_stand_first(show):
    widget = explorer(sample=TEXT * 3)
    page = show(widget)
    shown = page.locator("[data-unit]").evaluate_all("(all) => all.map((row) => Number(row.dataset.unit))")
    named = [one["unit"] for one in widget.following]
    assert named and shown[: len(named)] == named
    labels = [text.replace("−", "-") for text in page.locator(".lm-feature").all_inner_texts()]
    assert labels == [f"{one['feature']} {one['r']:.2f}" for one in widget.following]
    page.get_by_label("Order").select_option("number")
    assert page.locator("[data-unit]").first.get_attribute("data-unit") == "0"


def test_without_python_one_gate_is_held_and_the_rest_changes(show):
    widget = explorer()
    page = show(widget)
    page.get_by_label("Hold the forget gate").select_option("0")
    for name in widget.names:
        assert squares(page, name) == pytest.approx(numbers(widget.variants["f=0"], name), abs=0.0051)
        assert squares(page, name, 1) == pytest.approx(numbers(widget.reading, name), abs=0.0051)
    assert "with the forget gate shut" in page.locator(".lm-summary").inner_text()
    page.get_by_label("Hold the input gate").select_option("1")
    assert squares(page, "c") == pytest.approx(numbers(widget.variants["i=1"], "c"), abs=0.0051)
    assert page.get_by_label("Hold the forget gate").input_value() == ""
    page.get_by_role("button", name="Let all gates go").click()
    assert page.locator('[data-name="c"] .lm-strip').count() == 1
    assert "has no Python" in page.locator(".lm-gates").inner_text()
    assert page.get_by_role("textbox").is_disabled() and page.get_by_text("hold gates in").count() == 0


def test_python_reads_the_readers_text_and_holds_a_gate_in_one_unit(show):
    widget = explorer()
    page = show(widget, live=True)
    page.get_by_label("Your text").fill("dead bed")
    page.get_by_label("Your text").press("Enter")
    page.answer()
    assert page.locator(".lm-token").all_inner_texts() == list("dead␣bed")
    assert page.evaluate("model.get('position')") == 0
    page.locator(".lm-unit").nth(1).click()
    unit = page.evaluate("model.get('unit')")
    page.get_by_role("checkbox").check()
    page.get_by_label("Hold the output gate").select_option("0.5")
    page.answer()
    assert widget.clamps == [{"gate": "o", "value": 0.5, "units": [unit]}]
    assert squares(page, "o") == [0.5] * 8
    assert squares(page, "h") == pytest.approx(numbers(widget.held, "h", unit), abs=0.0051)
    assert f"at 0.5 in unit {unit}" in page.locator(".lm-summary").inner_text()
    page.get_by_label("Your text").fill("xyz")
    page.get_by_role("button", name="Read").click()
    page.answer()
    assert page.locator(".lm-said").inner_text() == "Not read: the model has never read 'x', 'y', 'z'"
    assert page.get_by_label("Your text").input_value() == "xyz"  # kept, to be mended
    assert page.locator(".lm-token").count() == 8


def test_the_keyboard_is_enough_and_the_arithmetic_is_shown(show):
    widget = explorer()
    page = show(widget)
    page.locator(".lm-unit").nth(0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    unit = page.evaluate("Number(document.activeElement.textContent.split(' ')[1])")
    page.locator(".lm-token").first.focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.ariaLabel") == "token 4: a"
    f, i = (numbers(widget.reading, name, unit) for name in "fi")
    says_the_memory_cell_of_token_4(page, widget, unit, before=2)
    assert status(page).startswith(f"Token 4, a, unit {unit}: forget gate {f[3]:.2f}, input gate {i[3]:.2f}")
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_what_is_asked_for_in_haste_is_all_done(show):
    widget = explorer()
    page = show(widget, live=True)
    page.get_by_label("Your text").fill("dead bed")
    page.get_by_role("button", name="Read").click()
    page.get_by_label("Hold the forget gate").select_option("1")
    page.get_by_label("Hold the input gate").select_option("0")
    page.answer()
    assert widget.text == "dead bed"
    assert [(clamp["gate"], clamp["value"]) for clamp in widget.clamps] == [("f", 1.0), ("i", 0.0)]
    page.get_by_label("Your text").fill("xyz")
    page.get_by_role("button", name="Read").click()
    page.answer()  # which refuses that
    page.get_by_label("Hold the forget gate").select_option("")
    page.answer()
    assert widget.text == "dead bed" and [clamp["gate"] for clamp in widget.clamps] == ["i"]


def test_letting_all_gates_go_keeps_the_focus_and_is_done_once(show):
    page = show(explorer(clamps=[Clamp("f", 0.0)]), live=True)
    free = page.get_by_role("button", name="Let all gates go")
    free.press("Enter")
    page.answer()
    assert free.get_attribute("aria-disabled") == "true"
    assert free.evaluate("(button) => button === document.activeElement")
    free.press("Enter")
    assert page.locator(".lm-said").inner_text() == ""  # Python is not asked again


def encoder_explorer(reverse=True):
    torch.manual_seed(5)  # of which the translation depends on the input gate
    words = Words(["the", "a", "cat", "dog", "sleeps", "sees"])
    vocabulary = Vocabulary(words.vocabulary)
    encoder = RNNEncoder(len(vocabulary), LSTM(4, 5, bidirectional=True))
    model = EncoderDecoder(encoder, RNNDecoder(len(vocabulary), LSTM(4, 10)))
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(4)
    return EncoderExplorer(Translator(model, words, vocabulary), "the cat sees a dog", reverse=reverse)


def test_of_an_encoder_the_translation_is_shown_freely_and_with_a_gate_held(show):
    widget = encoder_explorer()
    page = show(widget)
    free, shut = (reading["translation"] for reading in (widget.reading, widget.variants["i=0"]))
    summary = page.locator(".lm-summary")
    assert summary.inner_text().split("\n") == [
        "Layer 1 of 1, from right to left. Gates are held in this layer and direction alone.",
        f"Translated: {free}",
    ]
    page.get_by_label("Hold the input gate").select_option("0")
    assert free and shut and free != shut
    assert summary.inner_text().split("\n")[1:] == [
        f"Translated freely: {free}",
        f"Translated with the input gate shut: {shut}",
    ]
    assert page.locator('[data-name="given"]').count() == page.locator(".lm-expects").count() == 0


@pytest.mark.parametrize("reverse", [False, True])
def test_the_arithmetic_goes_in_the_order_of_reading(show, reverse):
    widget = encoder_explorer(reverse)
    page = show(widget)
    page.locator(".lm-unit").nth(1).click()
    page.locator(".lm-token").nth(3).click()
    unit = int(page.locator(".lm-unit").nth(1).inner_text().removeprefix("unit "))
    says_the_memory_cell_of_token_4(page, widget, unit, before=4 if reverse else 2)
    assert ("t+1" if reverse else "t-1") in page.locator(".lm-equations li").first.inner_text().replace("−", "-")


def test_an_encoder_reads_the_readers_sentence(show):
    widget = encoder_explorer()
    page = show(widget, live=True)
    page.get_by_label("Your text").fill("a dog sleeps")
    page.get_by_label("Your text").press("Enter")
    page.answer()
    assert page.locator(".lm-token").all_inner_texts() == ["a", "dog", "sleeps", "</s>"]
    assert widget.reading["translation"] in page.locator(".lm-summary").inner_text()
    assert violations(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wcag(show, page, scheme):
    page.emulate_media(color_scheme=scheme)
    show(explorer(GRU, clamps=[Clamp("z", 0.0)]), live=True)
    page.locator(".lm-unit").nth(2).click()
    assert violations(page) == []


def test_a_narrow_page_and_markup_as_text(show, page):
    page.set_viewport_size({"width": 360, "height": 900})
    show(explorer(text="<b>a</b>".replace("/", " ")))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".lm-token").all_inner_texts() == list("<b>a<␣b>")


def test_words_are_wider_than_letters(show):
    vocabulary = {"the": 0, "fishermen": 1, "sleep": 2}
    page = show(explorer(text="the fishermen sleep", vocabulary=vocabulary, split=str.split))
    assert page.locator(".lm-token").all_inner_texts() == list(vocabulary)
    clipped = page.locator(".lm-token").evaluate_all("(all) => all.filter((e) => e.scrollWidth > e.clientWidth).length")
    assert clipped == 0
