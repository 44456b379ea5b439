"""The attention stepper in a bare page and in JupyterLab: each number tells how it is computed, by keyboard too."""

import nbformat
import pytest
import torch

from course_lib.widgets import AttentionStepper
from course_lib.widgets.attention_heads import THINKING_MACHINES, Attention
from tests.browser.conftest import notebook
from tests.browser.harness import kernel_says, violations
from tests.toy_transformer import toy_transformer


def said(page):
    return page.locator(".lm-attention > .lm-hidden[role=status]").inner_text()


def formula(page):
    return page.locator(".lm-formula").inner_text()


def row(page, name):
    return page.locator(f'[data-row="{name}"] [role=gridcell]')


def test_zhaos_numbers_by_keyboard(show):
    page = show(AttentionStepper(THINKING_MACHINES))
    forward = page.get_by_role("button", name="Forward")
    forward.focus()
    for step, (name, numbers, told) in enumerate(
        [
            (
                "products",
                ["112", "96"],
                "q1 · k1 = 1 × 2 + 1 × 2 + 1 × 2 + 1 × 2 + 1 × 2 + 1 × 2 + 58 more terms: 100 = 112",
            ),
            ("scaled", ["14", "12"], "e11 = q1 · k1 / √dk = 112 / √64 = 112 / 8 = 14"),
            ("mask", ["14", "12"], "“Thinking” may look at “Thinking”: e11 stays 14"),
            ("weights", ["0.88", "0.12"], "exp(14) / (exp(14) + exp(12)) = 1 / (1 + 0.14) = 0.88"),
            ("z", ["0.88", "0.12", "1.88", "−0.76"], "z1,1 = Σj α1j vj,1 = 0.88 × 1 + 0.12 × 0 = 0.88"),
        ],
        start=2,
    ):
        page.keyboard.press("Enter")
        page.get_by_text(f"{step} of 6", exact=False).first.wait_for()
        assert row(page, name).all_inner_texts() == numbers
        assert told in formula(page) and told in said(page)
    row(page, "z").first.focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowRight"):
        page.keyboard.press(key)
    assert "α12 = exp(e12) / Σk exp(e1k) = exp(12)" in formula(page) and "weight, “Machines”: α12" in said(page)
    page.keyboard.press("End")
    page.keyboard.press("ArrowDown")
    assert "k" not in formula(page).split(" = ")[0] and formula(page).startswith("v2 = x2 WV = (0, 1, 1, 1)")
    assert page.locator("[role=gridcell][tabindex='0']").count() == 1
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    assert formula(page) == "z1,4 = Σj α1j vj,4 = 0.88 × (−1) + 0.12 × 1 = −0.76"
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_every_number_shown_is_the_models(show):
    widget = AttentionStepper(toy_transformer(), "ab ba", at=2, step=6)
    page = show(widget)
    for at, head, word in ((2, 0, 1), (5, 1, 2)):
        page.get_by_role("combobox", name="Attention").select_option(index=at)
        page.get_by_role("combobox", name="Head").select_option(index=head)
        page.locator(f'[data-key="asking{word}"]').click()
        attention = widget.attentions[at]
        numbers = attention["heads"][head]
        for name in ("products", "scaled", "z"):
            shown = [float(text.replace("−", "-")) for text in row(page, name).all_inner_texts()]
            assert shown == pytest.approx(numbers[name][word], abs=0.0051)
        squares = page.locator(".lm-square").evaluate_all(
            "(all) => all.map((e) => parseFloat(e.style.getPropertyValue('--side')))"
        )
        assert [(side / 26) ** 2 for side in squares] == pytest.approx(numbers["weights"][word], abs=0.005)
        key = numbers["largest"]["k"][0]
        row(page, "k").first.hover()
        told = f"k1,{key['component'] + 1} = Σd x1,d WKd,{key['component'] + 1} = "
        assert told in formula(page) and " + 4 more terms: " in formula(page)
        assert formula(page).endswith(f" = {numbers['k'][0][key['component']]:.2f}".replace("-", "−"))
        hidden = [text == "−∞" for text in row(page, "mask").all_inner_texts()]
        assert hidden == [at == 2 and j > word for j in range(len(attention["asked"]))]


def test_the_bars_of_a_query_stand_above_those_of_the_same_words_key(show):
    page = show(AttentionStepper(THINKING_MACHINES, step=2))
    for word in range(2):
        page.locator(f'[data-key="asking{word}"]').click()
        query, key = (box.locator("svg").bounding_box() for box in (row(page, "q"), row(page, "k").nth(word)))
        assert query["x"] == pytest.approx(key["x"], abs=0.6) and query["width"] == pytest.approx(key["width"], abs=0.6)
        assert query["y"] < key["y"]


def test_predict_first(show):
    page = show(AttentionStepper(THINKING_MACHINES, predict=True))
    page.locator(".lm-question").get_by_role("button", name="Machines").click()
    assert "You said “Machines”." in page.locator(".lm-question").inner_text()
    page.get_by_role("slider").fill("5")
    assert "Not this one" in page.locator(".lm-question").inner_text()
    assert "weight 0.12; the largest is 0.88, at “Thinking”" in page.locator(".lm-question").inner_text()
    assert page.locator(".lm-score").inner_text() == "0 of 1 right"
    row(page, "products").nth(1).hover()
    assert formula(page).endswith("58 more terms: 84 = 96")


def test_attentions_may_differ_in_heads_and_words(show):
    one = Attention("Three heads", ["a"], ["b", "c", "d"], *(torch.ones(3, n, 2) for n in (1, 3, 3)))
    page = show(AttentionStepper([THINKING_MACHINES, one], at=1, head=2, predict=True))
    page.get_by_role("combobox", name="Attention").select_option(index=0)
    page.locator(".lm-question").get_by_role("button", name="Thinking").click()
    assert page.locator(".lm-score").inner_text() == "1 of 1 right"
    assert page.locator(".lm-word").all_inner_texts() == ["Thinking", "Machines"]


def test_markup_is_text_and_a_refused_sentence_stays(show):
    page = show(AttentionStepper(toy_transformer(), "ab"), live=True)
    field = page.get_by_label("Your sentence")
    field.fill("<b>")
    field.press("Enter")
    page.answer()
    assert page.locator(".lm-said").inner_text().startswith("Not read: sentence holds characters")
    assert field.input_value() == "<b>"
    field.fill("cab")
    page.get_by_role("button", name="Read").click()
    page.answer()
    assert page.locator(".lm-word").all_inner_texts() == ["c", "a", "b", "</s>"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wcag_and_a_narrow_page(show, page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 900})
    show(AttentionStepper(toy_transformer(), "ab ba", at=4, step=6, predict=True))
    row(page, "z").first.focus()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


CELL = """from course_lib.widgets import AttentionStepper
from course_lib.widgets.attention_heads import THINKING_MACHINES
stepper = AttentionStepper(THINKING_MACHINES)
stepper"""


def test_in_jupyterlab_by_keyboard(window, lab):
    nbformat.write(notebook(CELL), lab.root / "head.ipynb")
    lab.open_here(window, "head.ipynb")
    assert lab.run_all(window) == []
    stepper = window.locator(".lm-attention")
    stepper.get_by_role("button", name="Forward").focus()
    for _ in range(4):
        window.keyboard.press("ArrowRight")
    stepper.get_by_text("5 of 6").first.wait_for()
    row(window, "weights").first.focus()
    window.keyboard.press("b")  # in JupyterLab: a new cell below
    window.keyboard.press("ArrowRight")
    assert "= 0.14 / (1 + 0.14) = 0.12" in formula(window)
    assert window.locator(".jp-Notebook .jp-Cell").count() == 1
    assert kernel_says(window, "stepper.step", 5) == 5
    assert violations(window, ".lm-attention") == []
    ink = "getComputedStyle(document.querySelector('.lm-attention')).color"
    light = window.evaluate(ink)
    lab.change_theme(window, "JupyterLab Dark")
    window.wait_for_function(f"(light) => {ink} !== light", arg=light)
    assert violations(window, ".lm-attention") == []
