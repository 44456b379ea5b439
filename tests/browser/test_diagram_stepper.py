"""The diagram stepper in a bare page and in JupyterLab: the picture, the equations and the values move together."""

import nbformat
import pytest
import torch

from course_lib.diagrams import GRU_CELL, LSTM_CELL, cell_values, decoder, self_attention, timetable
from course_lib.recurrent import LSTM, trace
from course_lib.systems import pipeline
from course_lib.widgets import AttentionStepper, DiagramStepper
from course_lib.widgets.attention_heads import THINKING_MACHINES
from tests.browser.conftest import notebook
from tests.browser.harness import violations

TOKENS = ["the", "<b>", "baker"]


def lstm():
    torch.manual_seed(0)
    return cell_values(trace(LSTM(3, 4), 2 * torch.randn(3, 3), TOKENS))


def is_visible(page, node):
    """Whether a node is drawn; what is to come has a dashed frame and its name in the colour of notes."""
    return page.locator(f'[data-node="{node}"]').evaluate(
        "(e) => getComputedStyle(e).visibility === 'visible' && !e.parentElement.classList.contains('lm-later')"
    )


def bars(page, node):
    """The values that the bars of a node stand for, in units of its scale."""
    return page.locator(f'[data-node="{node}"] .lm-bar').evaluate_all(
        "(all) => all.map((e) => e.style.getPropertyValue('--v') * (e.classList.contains('lm-below') ? -1 : 1))"
    )


def test_the_picture_grows_with_the_equations(show):
    page = show(DiagramStepper(LSTM_CELL, TOKENS, lstm()))
    page.evaluate("window.drawing = document.querySelector('.lm-drawing')")
    for step in range(1, 7):
        assert page.locator(".lm-progress").inner_text() == f"{step} of 6 steps"
        shown = {id for id, node in LSTM_CELL.nodes.items() if node.text and is_visible(page, id)}
        assert shown == {id for id, node in LSTM_CELL.nodes.items() if node.text and LSTM_CELL.since[id] <= step}
        equation = page.locator(".lm-equations button").nth(1).inner_text().replace(" ", "")
        assert ("ft⊙" in equation, "it⊙" in equation) == (step >= 3, step >= 4)
        assert page.locator(".lm-equations button[aria-current]").count() == 1
        page.get_by_role("button", name="Forward").click() if step < 6 else None
    page.get_by_role("button", name="Step 2").click()
    assert not is_visible(page, "f") and is_visible(page, "c")
    page.get_by_role("slider").fill("0")
    assert not any(is_visible(page, id) for id, node in LSTM_CELL.nodes.items() if node.text)
    assert page.evaluate("window.drawing === document.querySelector('.lm-drawing')"), "a new drawing could not move"


def test_each_token_shows_its_values(show):
    values = lstm()
    widget = DiagramStepper(LSTM_CELL, TOKENS, values, step=6)
    page = show(widget)
    assert page.locator(".lm-token").all_inner_texts() == TOKENS
    for t in range(len(TOKENS)):
        page.locator(".lm-token").nth(t).click()
        for node, rows in values.items():
            assert bars(page, node) == pytest.approx([v / widget.scales[node] for v in rows[t]], abs=0.001), (t, node)


def test_what_is_to_come_has_a_name_and_what_is_there_tells_its_numbers(show):
    values = lstm()
    page = show(DiagramStepper(LSTM_CELL, TOKENS, values, step=2, position=1))
    shown = "(e) => [...e.querySelectorAll('text')].some((t) => getComputedStyle(t).visibility === 'visible')"
    for id, node in LSTM_CELL.nodes.items():
        if node.kind in ("state", "layer"):
            assert page.locator(f'[data-node="{id}"]').evaluate(shown), f"{id} is a frame without a name"
    told = page.locator(".lm-picture .lm-formula")
    page.locator('[data-node="candidate"] > rect').first.hover()
    numbers = ", ".join(f"{value:.2f}".replace("-", "−") for value in values["candidate"][1])
    assert told.inner_text() == f"candidate, shape (hidden): {numbers}"
    page.locator('[data-node="o"] > rect').first.hover(force=True)
    assert told.inner_text() == "Point at a box to read its numbers."


def test_queries_keys_and_values_have_the_colours_of_the_attention_stepper(show):
    page = show(DiagramStepper(self_attention(TOKENS), step=5))
    colour = "(e, id) => getComputedStyle(e.querySelector(`[data-node='${id}'] > text`)).fill"
    found = {id: page.locator(".lm-drawing").evaluate(colour, id) for id in ("q", "k1", "k2", "v1", "v2", "x1")}
    assert found["k1"] == found["k2"] and found["v1"] == found["v2"]
    assert len(set(found.values())) == 4
    page = show(AttentionStepper(THINKING_MACHINES, step=5))
    colour = "(e, id) => getComputedStyle(e.querySelector(`[data-row='${id}'] svg rect`)).fill"
    grid = page.locator(".lm-grid")
    assert [grid.evaluate(colour, id) for id in "qkv"] == [found["q"], found["k1"], found["v1"]]


def test_the_keyboard_and_a_screen_reader(show):
    page = show(DiagramStepper(GRU_CELL, TOKENS))
    page.locator(".lm-equations button").first.focus()
    page.keyboard.press("ArrowRight")
    said = page.locator(".lm-diagram > .lm-hidden[role=status]").inner_text()
    assert said.startswith("2 of 5 steps. r t = σ(W rx transposed x t + W rh transposed h t−1). The reset gate")
    assert "Now h̃ t = tanh" in said and "reset gate, from hidden state before and input" in said
    page.locator(".lm-token").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "<b>"
    assert "At “<b>”" in page.locator(".lm-diagram > .lm-hidden[role=status]").inner_text()
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_predict_first(show):
    page = show(DiagramStepper(LSTM_CELL, predict=True))
    assert page.locator(".lm-equations li").count() == 1, "what is asked for must not be seen"
    choices = {choice["spoken"]: choice["why"] for choice in DiagramStepper(LSTM_CELL).steps[1]["choices"]}
    shown = page.locator(".lm-choices button").evaluate_all("(all) => all.map((e) => e.ariaLabel)")
    assert sorted(shown) == sorted(choices)
    wrong = next(spoken for spoken, why in choices.items() if why)
    page.get_by_role("button", name=wrong, exact=True).click()
    assert choices[wrong] in page.locator(".lm-question").inner_text()
    assert (
        page.locator(".lm-diagram > .lm-hidden[role=status]").inner_text().endswith(f"Not this one. {choices[wrong]}")
    )
    assert page.locator(".lm-score").inner_text() == "0 of 1 right"
    assert page.locator(".lm-equations li").count() == 2
    page.get_by_role("button", name="Forward").click()
    right = next(choice["spoken"] for choice in DiagramStepper(LSTM_CELL).steps[2]["choices"] if not choice["why"])
    page.get_by_role("button", name=right, exact=True).click()
    assert page.locator(".lm-score").inner_text() == "1 of 2 right"
    assert page.locator(".lm-right").inner_text() == "Right"
    assert violations(page) == []


def test_without_choices_nothing_is_asked(show):
    page = show(DiagramStepper(decoder(TOKENS)))
    assert page.get_by_label("Predict first").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wcag_and_a_narrow_page(show, page, scheme):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 900})
    show(DiagramStepper(decoder(TOKENS), step=3))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_parts_move_only_where_motion_is_welcome(show, page):
    moving = "(bar) => parseFloat(getComputedStyle(bar).transitionDuration)"
    show(DiagramStepper(LSTM_CELL, TOKENS, lstm(), step=6))
    assert page.locator(".lm-bar").first.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    assert page.locator(".lm-bar").first.evaluate(moving) > 0


CELLS = (
    "from course_lib.diagrams import LSTM_CELL, still\nstill(LSTM_CELL, {'f': [0.5, 1.0]})",
    "from course_lib.widgets import DiagramStepper\nstepper = DiagramStepper(LSTM_CELL)\nstepper",
)


def test_in_jupyterlab(window, lab):
    """A picture and a stepper in one notebook: both are drawn, and a step is one of the picture's parts."""
    nbformat.write(notebook(*CELLS), lab.root / "diagrams.ipynb")
    lab.open_here(window, "diagrams.ipynb")
    assert lab.run_all(window) == []
    window.wait_for_selector(".lm-diagram .lm-drawing")
    still = window.locator(".jp-OutputArea-output > .lm-drawing, .jp-RenderedHTMLCommon > .lm-drawing")
    assert still.count() == 1 and still.locator(".lm-later").count() == 0
    assert still.locator(".lm-bar").count() == 2
    window.locator(".lm-diagram .lm-equations button").nth(2).click()
    window.get_by_text("3 of 6 steps", exact=True).wait_for()
    assert window.locator('.lm-diagram [data-node="f"]').is_visible()
    assert window.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)
    window.locator(".lm-diagram .lm-equations button").nth(2).press("b")
    assert window.locator(".jp-Notebook .jp-Cell").count() == len(CELLS)
    assert violations(window, ".lm-diagram") == []
    paper = ".lm-diagram .lm-state > rect"
    light = window.locator(paper).first.evaluate("(e) => getComputedStyle(e).fill")
    lab.change_theme(window, "JupyterLab Dark")
    window.wait_for_function(
        "([paper, light]) => getComputedStyle(document.querySelector(paper)).fill !== light", arg=[paper, light]
    )
    ink = still.locator("text").first.evaluate("(e) => getComputedStyle(e).fill")
    assert min(int(c) for c in ink[4:-1].split(",")) > 150, "dark theme, light letters"


def test_a_timetable_counts_who_works_and_who_is_idle_at_each_tick(show):
    made = pipeline.encoder(3, 3)
    diagram = timetable(made, ["the", "cat", "sleeps"])
    page = show(DiagramStepper(diagram))
    for tick in range(1, made.ticks + 1):
        working = sum(work.tick == tick - 1 for work in made.work)
        done = sum(work.tick < tick for work in made.work)
        equation = page.locator(".lm-equations [aria-current]").inner_text()
        sentence = page.locator(".lm-next p").last.inner_text()
        assert equation == f"tick {tick}: {working} device{'s' * (working > 1)} at work"
        assert sentence.strip().endswith(f": {made.devices * tick - done}.")
        shown = [id for id, node in diagram.nodes.items() if node.kind == "layer" and is_visible(page, id)]
        assert len(shown) == done
        page.keyboard.press("ArrowRight") if tick > 1 else page.get_by_role("button", name="Forward").click()
    assert not violations(page)
