"""The sentence map in a bare page: points to point at and to walk through, alone and with Python at the other end."""

import numpy as np
import pytest

from course_lib.widgets import SentenceMap
from tests.browser.harness import violations, wait_until

TEXTS = ["left", "right", "top", "bottom", "the middle <b>"]
POINTS = [[-2, 0], [2, 0.1], [0.1, 1], [0, -1], [0, 0]]


def sentence_map(**options):
    return SentenceMap(TEXTS, POINTS, {"PCA": POINTS}, ["a", "a", "b", "b", "c"], **options)


def reading(page):
    return page.locator(".lm-text").inner_text()


def status(page):
    return page.locator(".lm-map > .lm-hidden[role=status]").inner_text()


def test_point_at_a_point_and_read_it_with_its_nearest(show):
    page = show(sentence_map())
    assert reading(page) == "left" and page.locator(".lm-point").count() == 5
    page.locator(".lm-point", has_text="top").dispatch_event("mouseenter")
    assert reading(page) == "top"
    near = page.locator(".lm-nearest li")
    assert near.first.inner_text().split("\n") == ["the middle <b>", "1.00"]
    assert status(page).startswith("top, group b. Nearest: the middle <b> (1.00); bottom (2.00)")
    assert page.locator(".lm-plot line").count() == 3
    assert page.locator(".lm-legend li").all_inner_texts() == ["a", "b", "c"]
    shapes = page.locator(".lm-legend path").evaluate_all("(all) => all.map((path) => path.getAttribute('d'))")
    assert len(set(shapes)) == 3  # groups differ in shape, not in colour alone


def test_points_lie_where_python_put_them(show):
    page = show(sentence_map())
    titled = "point.querySelector('title').textContent, point.style.transform.match(/-?[\\d.]+/g).map(Number)"
    by_name = dict(page.locator(".lm-point").evaluate_all(f"(all) => all.map((point) => [{titled}])"))
    given, drawn = np.array(POINTS, float), np.array([by_name[text] for text in TEXTS])
    pairs = [(i, j) for i in range(5) for j in range(i)]  # one scale for both axes: all distances in one ratio
    ratios = [np.linalg.norm(drawn[i] - drawn[j]) / np.linalg.norm(given[i] - given[j]) for i, j in pairs]
    assert max(ratios) / min(ratios) < 1.01
    assert by_name["left"][0] < by_name["right"][0] and by_name["top"][1] < by_name["bottom"][1]


def test_keys_walk_from_point_to_point_and_through_the_list(show):
    page = show(sentence_map())
    page.locator(".lm-plot").focus()
    walked = []
    for key in ("ArrowRight", "ArrowUp", "ArrowDown", "ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
        walked.append(reading(page))
    assert walked == ["the middle <b>", "top", "the middle <b>", "right", "right"]
    page.locator(".lm-item[tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    assert reading(page) == "top" and page.evaluate("document.activeElement.textContent") == "top"
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(f".lm-map {unguarded}").count() == 0


def test_the_map_answers_while_the_list_has_the_focus(show):
    page = show(sentence_map())
    page.locator(".lm-item", has_text="top").click()
    for text in ("left", "bottom"):
        page.locator(".lm-point", has_text=text).dispatch_event("mouseenter")
        assert reading(page) == page.evaluate("document.activeElement.textContent") == text
    for key, text in (("ArrowUp", "top"), ("ArrowUp", "right"), ("ArrowLeft", "the middle <b>")):
        page.keyboard.press(key)
        assert reading(page) == page.evaluate("document.activeElement.textContent") == text


def test_another_plane_moves_the_points(show):
    page = show(SentenceMap(TEXTS, POINTS, {"PCA": POINTS, "t-SNE": [[y, x] for x, y in POINTS]}))
    place = "(name) => [...document.querySelectorAll('.lm-point')].map((point) => point.style.transform)"
    before = page.evaluate(place)
    page.get_by_label("Plane").select_option("t-SNE")
    wait_until(page, f"(before) => JSON.stringify(({place})()) !== JSON.stringify(before)", arg=before)
    assert reading(page) == "left"


def test_a_sentence_of_ones_own_is_placed_by_python_or_refused(show):
    def place(text):
        if "x" in text:
            raise ValueError("sentence holds characters that the vocabulary does not have: x")
        return [1, 1], [1, 1]

    page = show(sentence_map(place=place), live=True)
    field = page.get_by_role("textbox", name="Your sentence")
    field.fill("mine")
    page.get_by_role("button", name="Place it").click()
    page.answer()
    assert reading(page) == "mine" and page.locator(".lm-point").count() == 6
    field.fill("x")
    field.press("Enter")
    page.answer()
    page.get_by_text("Not placed: sentence holds characters that the vocabulary does not have: x").wait_for()
    assert field.input_value() == "x" and page.locator(".lm-point").count() == 6


def test_without_python_the_map_can_be_read(show):
    page = show(sentence_map(place=lambda text: ([0, 0], [0, 0])))
    assert page.get_by_role("textbox").is_disabled() and page.get_by_text("has no Python").count() == 1
    page.locator(".lm-item", has_text="bottom").click()
    assert reading(page) == "bottom"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wcag(show, page, scheme):
    page.emulate_media(color_scheme=scheme)
    show(sentence_map(place=lambda text: ([0, 0], [0, 0])), live=True)
    assert violations(page) == []


def test_a_narrow_page(show, page):
    page.set_viewport_size({"width": 360, "height": 900})
    show(sentence_map())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
