"""The explorers of lecture 08 in a bare page, and one of them in JupyterLab: their numbers are Python's and torch's."""

import random

import nbformat
import pytest
import torch
from torch.nn import functional as F

from course_lib.widgets import ScheduleExplorer, SmoothingExplorer
from tests.browser.conftest import notebook
from tests.browser.harness import kernel_says, violations

WORDS = ["Katze", "<b>", "Haus", "Tier"]


PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--", ",↑↓")


def numbers(texts):
    return [float(text.replace(" · 10", "e").translate(PLAIN)) for text in texts]


def field(page, name):
    return page.get_by_role("spinbutton", name=name, exact=True)


def rates(page):
    """The table: a row of numbers for each step."""
    return [numbers(row.locator("th, td").all_inner_texts()) for row in page.locator("tbody tr").all()]


@pytest.mark.parametrize("kind", ["paper", "peak", "constant", "linear"])
def test_the_rates_are_pythons(show, kind):
    drawn = random.Random(kind)
    at = [1, *sorted(drawn.randint(1, 9000) for _ in range(10))]
    explorer = ScheduleExplorer(
        kind, d_model=drawn.randint(1, 2000), warmup=drawn.randint(1, 6000), peak=drawn.uniform(1e-4, 1), hold=2000,
        steps=9000, at=at,
    )  # fmt: skip
    page = show(explorer)
    assert [row[0] for row in rates(page)] == at
    assert [row[1] for row in rates(page)] == pytest.approx([explorer.rate(step) for step in at], rel=6e-3)
    page.get_by_label("step", exact=True).fill("321")
    page.keyboard.press("Tab")
    assert numbers([page.locator(".lm-formula b").inner_text()]) == pytest.approx([explorer.rate(321)], rel=6e-3)


def test_the_curve_is_the_rate_and_the_keyboard_moves_along_it(show):
    explorer = ScheduleExplorer(warmup=300, steps=1001)
    page = show(explorer)
    places = page.locator(".lm-curve").evaluate("(line) => [...line.points].map(({ x, y }) => [x, y])")
    bottom, top = max(y for _, y in places), min(y for _, y in places)
    left, right = places[0][0], places[-1][0]
    for x, y in places:
        step = 1 + (x - left) / (right - left) * 1000
        drawn = (bottom - y) / (bottom - top)
        assert drawn == pytest.approx(
            (explorer.rate(step) - explorer.rate(1)) / (explorer.rate(300) - explorer.rate(1)), abs=0.01
        )
    slider = page.get_by_role("slider", name="Step")
    slider.focus()
    for key in ("End", "ArrowLeft", "PageDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.ariaValueNow") == str(1001 - 10 - 100)
    page.keyboard.press("Home")
    assert "step 1, rate" in page.locator(".lm-schedule > [role=status]").inner_text()
    box = slider.bounding_box()
    page.mouse.click(box["x"] + box["width"] * (left + (right - left) / 2) / 720, box["y"] + 50)
    assert abs(int(slider.get_attribute("aria-valuenow")) - 501) <= 2


def test_the_reader_predicts_the_peak_before_the_curve_is_there(show):
    page = show(ScheduleExplorer(d_model=64, warmup=100, predict=True))
    assert page.locator(".lm-curve").is_hidden()
    for rate, said in (("0.02", "Not quite."), ("0.0125", "Right.")):
        field(page, "largest rate").fill(rate)
        field(page, "step").fill("100")
        field(page, "step").press("Enter")
        assert said in page.locator(".lm-next").inner_text() and page.locator(".lm-curve").is_visible()
        assert "0.0125, at step 100: 1 / √(64 · 100)" in page.locator(".lm-next").inner_text()
        field(page, "warm-up (steps)").fill("101")  # a new question
        page.keyboard.press("Tab")
        assert page.locator(".lm-curve").is_hidden()
        field(page, "warm-up (steps)").fill("100")
        page.keyboard.press("Tab")


def test_a_step_after_the_training_is_no_right_guess(show):
    explorer = ScheduleExplorer(warmup=30_000, steps=20_000, predict=True)
    page = show(explorer)
    field(page, "largest rate").fill(str(explorer.rate(20_000)))
    field(page, "step").fill("30000")
    field(page, "step").press("Enter")
    assert "Not quite." in page.locator(".lm-next").inner_text()


def test_kept_schedules_stand_beside_the_new_one_and_bad_numbers_are_put_back(show):
    page = show(ScheduleExplorer(d_model=100, warmup=100, at=[100]))
    page.get_by_role("button", name="Keep to compare").click()
    field(page, "d_model").fill("400")
    page.keyboard.press("Tab")
    assert rates(page) == [[100, 0.005, 1.0, 0.01]] and page.locator(".lm-curve").count() == 2
    field(page, "d_model").fill("0")
    page.keyboard.press("Tab")
    assert field(page, "d_model").input_value() == "400"
    page.get_by_label("steps in the table").fill("4,000, 25; 7")
    page.keyboard.press("Tab")
    assert [row[0] for row in rates(page)] == [4000, 25, 7]
    page.get_by_role("button", name="Forget the kept").click()
    assert page.locator(".lm-curve").count() == 1


def test_what_cannot_be_pressed_again_keeps_the_focus(show):
    page = show(ScheduleExplorer())
    for name, times, kept in (("Keep to compare", 4, 3), ("Forget the kept", 2, 0)):
        pressed = page.get_by_role("button", name=name)
        for _ in range(times):
            pressed.press("Enter")
        assert page.locator(".lm-kept").count() == kept and pressed.get_attribute("aria-disabled") == "true"
        assert pressed.evaluate("(button) => button === document.activeElement")


def column(page, name):
    return numbers(page.locator(f'[data-number="{name}"]').all_inner_texts())


def sums(page):
    return numbers(page.locator(".lm-sums b").all_inner_texts())


@pytest.mark.parametrize("share", ["others", "all"])
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.55])
def test_loss_gradient_and_floor_are_torchs(show, share, epsilon):
    drawn = random.Random(epsilon)
    z = torch.tensor([round(drawn.uniform(-6, 6), 1) for _ in WORDS], dtype=torch.float64, requires_grad=True)
    page = show(SmoothingExplorer(WORDS, z.tolist(), 2, epsilon=epsilon, share=share))
    spread = epsilon if share == "all" else epsilon * 4 / 3  # torch shares it among all
    loss = F.cross_entropy(z, torch.tensor(2), label_smoothing=spread)
    (gradient,) = torch.autograd.grad(loss, z)
    q = (1 - spread) * F.one_hot(torch.tensor(2), 4) + spread / 4
    floor = torch.distributions.Categorical(probs=q).entropy().item()
    plain = -z.log_softmax(0)[2].item()
    assert column(page, "q") == pytest.approx(q.tolist(), abs=6e-4)
    assert column(page, "p") == pytest.approx(z.softmax(0).tolist(), abs=6e-4)
    assert column(page, "term") == pytest.approx((-q * z.log_softmax(0)).tolist(), abs=6e-4)
    assert column(page, "gradient") == pytest.approx(gradient.tolist(), abs=6e-4)
    assert sums(page) == pytest.approx([loss.item(), floor, loss.item() - floor, plain], abs=6e-4)


def test_steps_lead_to_the_floor_and_a_slider_moves_a_logit(show):
    page = show(SmoothingExplorer(WORDS, [3.0, 0.0, -1.0, 0.5], 0))
    floor = sums(page)[1]
    page.get_by_role("button", name="100 steps").click()
    assert floor <= sums(page)[0] < floor + 0.01
    page.get_by_role("slider", name="logit of Haus").fill("8")
    assert sums(page)[0] > floor + 1 and column(page, "gradient")[2] > 0.9
    page.get_by_role("button", name="To the lowest loss").click()
    assert sums(page)[0] == floor and column(page, "p") == column(page, "q")
    page.get_by_role("button", name="Back to the first").click()
    assert page.evaluate("[...document.querySelectorAll('output')].map((o) => o.textContent)") == [
        "3.0",
        "0.0",
        "−1.0",
        "0.5",
    ]
    page.get_by_role("radio", name="<b> is right").check()
    page.get_by_role("slider", name="ε").fill("0")
    assert column(page, "q") == [0, 1, 0, 0] and page.get_by_role("button", name="To the lowest loss").is_disabled()


def test_the_reader_predicts_where_the_loss_is_lowest(show):
    page = show(SmoothingExplorer(WORDS, [3.0, 0.0, -1.0, 0.5], 0, epsilon=0.2, predict=True))
    assert len(sums(page)) == 2 and page.get_by_role("button", name="To the lowest loss").is_hidden()
    page.get_by_label("p", exact=True).fill("0.8")
    page.get_by_role("button", name="Show").click()
    assert "Right." in page.locator(".lm-next").inner_text() and len(sums(page)) == 4
    page.get_by_role("slider", name="ε").fill("0.3")
    page.get_by_label("p", exact=True).fill("1")
    page.keyboard.press("Enter")
    assert "Not quite." in page.locator(".lm-next").inner_text() and "at 0.700" in page.locator(".lm-next").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("predict", [False, True])
@pytest.mark.parametrize("make", [
    lambda predict: ScheduleExplorer(predict=predict),
    lambda predict: SmoothingExplorer(WORDS, [3.0, 0.0, -1.0, 0.5], predict=predict),
], ids=["schedule", "smoothing"])  # fmt: skip
def test_wcag_and_a_narrow_page(show, page, scheme, predict, make):
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": 360, "height": 900})
    show(make(predict))
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_in_jupyterlab_two_explorers_choose_their_right_words(window, lab):
    made = "SmoothingExplorer(['a', 'b', 'c'], [2, 1, 0], 0)"
    cells = f"from course_lib.widgets import SmoothingExplorer\n{made}", made
    nbformat.write(notebook(*cells), lab.root / "two.ipynb")
    lab.open_here(window, "two.ipynb")
    assert lab.run_all(window) == []
    one, other = (window.get_by_role("radio", name=f"{word} is right") for word in "ab")
    other.nth(1).check()
    assert [one.nth(0).is_checked(), other.nth(1).is_checked()] == [True, True]


def test_in_jupyterlab_by_keyboard(window, lab):
    cell = "from course_lib.widgets import ScheduleExplorer\nexplorer = ScheduleExplorer(steps=1000)\nexplorer"
    nbformat.write(notebook(cell), lab.root / "schedule.ipynb")
    lab.open_here(window, "schedule.ipynb")
    assert lab.run_all(window) == []
    window.get_by_role("slider", name="Step").focus()
    for key in ("End", "b", "ArrowLeft"):  # b: in JupyterLab a new cell below
        window.keyboard.press(key)
    assert kernel_says(window, "explorer.step", 990) == 990
    assert window.locator(".jp-Notebook .jp-Cell").count() == 1
    assert violations(window, ".lm-schedule") == []
