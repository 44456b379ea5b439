"""The attention heatmap as lines and as a movie, in a bare page."""

import pytest

from course_lib.widgets import AttentionHeatmap
from tests.browser.harness import violations
from tests.test_attention_heatmap import GOLD, TEXT
from tests.toy_translator import ToyTranslator

TOYS = {"dot": ToyTranslator(), "silent": ToyTranslator(0.9, runners_up=0)}


def heatmap(form, sentences=(GOLD, "die Katze"), names=("dot",), **settings):
    return AttentionHeatmap({name: TOYS[name] for name in names}, sentences, form=form, **settings)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def word(page, side, at, name="dot"):
    return page.locator(f'[data-key="{name}:{side}:{at}"]')


def lines(page, kind=":not([class*=' '])"):
    """From "target – source" to the width of its line, of those with this style; by default, without one."""
    return dict(
        page.locator(f".lm-panel .lm-link{kind} line").evaluate_all(
            "(all) => all.map((e) => [e.textContent.split(':')[0], Number(e.getAttribute('stroke-width'))])"
        )
    )


def written(page):
    return page.locator('[data-side="1"] .lm-word:visible').all_inner_texts()


def status(page):
    return page.locator(".lm-heatmap > .lm-hidden[role=status]").inner_text()


def test_the_form_is_chosen_and_python_hears_of_it(show):
    page = show(heatmap("grid"), live=True)
    for name in ("Lines", "Movie", "Grid"):
        button(page, name).click()
        assert page.evaluate("window.state.form") == name.lower()
        assert page.locator(".lm-forms [aria-pressed=true]").all_inner_texts() == [name]
        assert page.locator("table").count() == (name == "Grid")
        assert button(page, "Forward").is_visible() == (name == "Movie")


@pytest.mark.parametrize("level", ["words", "pieces"])
def test_the_width_of_a_line_is_the_weight(show, level):
    widget = heatmap("lines", TEXT, level=level)
    page, drawn = show(widget), widget.views[0]["models"][0]["free"]["levels"][level]
    widths, places = page.locator(".lm-panel .lm-link"), {}
    for row, weights in enumerate(drawn["weights"]):
        places |= {f"{column}-{row}": weight for column, weight in enumerate(weights) if weight >= 10}
    found = widths.evaluate_all(
        "(all) => all.map((g) => [g.dataset.link, Number(g.firstChild.getAttribute('stroke-width'))])"
    )
    assert dict(found) == {
        place: pytest.approx(max(12 * weight / 1000, 0.8), abs=0.051) for place, weight in places.items()
    }


def test_lines_join_the_words_that_they_belong_to(show):
    page = show(heatmap("lines"))
    ends = page.locator(".lm-panel .lm-link").evaluate_all(
        """(all) => all.map((group) => {
            const [i, j] = group.dataset.link.split("-");
            const line = group.firstChild.getBoundingClientRect();
            const middle = (key) => {
                const { left, right } = document.querySelector(`[data-key="dot:${key}"]`).getBoundingClientRect();
                return (left + right) / 2;
            };
            const ends = [middle(`0:${i}`), middle(`1:${j}`)];
            return [line.left - Math.min(...ends), line.right - Math.max(...ends)];
        })"""
    )
    assert len(ends) > 30 and all(abs(end) < 8 for pair in ends for end in pair)


def test_a_word_tells_where_it_looks_and_who_looks_at_it(show):
    page = show(heatmap("lines"))
    word(page, 1, 1).hover()
    looks = page.locator(".lm-looks")
    assert looks.inner_text().startswith("“cat” (probability 1.00) looks at “Katze” .75")
    assert page.locator(".lm-link.lm-chosen:not(.lm-case, .lm-sure, .lm-possible)").count() == 6
    page.mouse.move(0, 0)
    assert looks.inner_text().startswith("Point at a word") and page.locator(".lm-link.lm-chosen").count() == 0
    word(page, 0, 0).focus()
    page.keyboard.press("ArrowRight")
    assert looks.inner_text().startswith("“Katze” is looked at by “the” .05, “cat” .75")
    assert status(page) == f"dot: {looks.inner_text()}"
    assert page.locator('[data-side="0"] [tabindex="0"]').count() == 1
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_gold_links_and_hard_alignment_are_lines_too(show):
    page = show(heatmap("lines", hard=True))
    words = GOLD.source, GOLD.target
    for kind, links in ((".lm-sure", GOLD.sure), (".lm-possible", GOLD.possible - GOLD.sure)):
        assert set(lines(page, kind)) == {f"{words[1][i]} – {words[0][j]}" for j, i in links}
    assert lines(page) == {f"{t} – {s}": 12 for s, t in zip([*words[0], "</s>"], [*words[1], "</s>"], strict=True)}
    assert set(lines(page, ".lm-soft").values()) == {1.5}


def test_the_movie_writes_word_after_word(show):
    widget = heatmap("movie")
    page, drawn = show(widget), widget.views[0]["models"][0]["free"]
    for step in range(1, 7):
        assert written(page) == ["the", "cat", "sees", "a", "dog", "</s>"][:step]
        assert page.locator(".lm-progress").inner_text() == f"{step} of 6 words"
        weights = drawn["levels"]["words"]["weights"][step - 1]
        heights = page.locator('[data-side="0"] i').evaluate_all("(all) => all.map((bar) => bar.offsetHeight)")
        assert heights == [pytest.approx(0.048 * weight, abs=1) for weight in weights]
        assert page.locator(".lm-looks").inner_text().startswith(f"“{written(page)[-1]}” (probability")
        pieces = [drawn["likeliest"][t] for t in drawn["levels"]["words"]["steps"][step - 1]]
        names = [name for piece in pieces for name, _ in piece["best"]]
        assert [text.removesuffix(" ✓") for text in page.locator(".lm-piece").all_inner_texts()] == names
        assert page.locator(".lm-written").count() == len(pieces)
        page.get_by_role("slider").fill(str(min(step + 1, 6)))
    assert "p(“sees”)" not in page.locator(".lm-panel").inner_text()
    word(page, 1, 2).click()
    assert written(page) == ["the", "cat", "sees"]
    assert page.locator(".lm-nexts h5").all_inner_texts() == ["The likeliest as piece 1", "The likeliest as piece 2"]
    assert "p(“sees”) = 1.00 × 1.00 = 1.00" in page.locator(".lm-nexts").inner_text()
    assert status(page).startswith("dot: “sees” (probability 1.00) looks at “sieht” .75")
    assert "Likeliest: see… 1.00, cow .20, ho… .10, pig .07." in status(page)


def test_a_piece_that_was_given_stands_below_the_likeliest(show):
    gold = type(GOLD)(GOLD.source, ["the", "dog", "sees", "a", "cat"], {(4, 1)})
    widget = heatmap("movie", gold, reference=True)
    likeliest = widget.views[0]["models"][0]["reference"]["likeliest"]
    likeliest[0]["written"], likeliest[0]["p"] = "cod…", 3
    page = show(widget)
    assert page.locator(".lm-bars").first.inner_text().split("\n")[-2:] == ["cod… ✓", ".003"]


def test_the_movie_is_stepped_by_keyboard(show):
    page = show(heatmap("movie"), live=True)
    button(page, "Forward").focus()
    for key, step in (("ArrowRight", 2), ("End", 6), ("ArrowRight", 6), ("ArrowLeft", 5), ("Home", 0)):
        page.keyboard.press(key)
        assert page.evaluate("window.state.step") == step
    assert written(page) == [] and "Nothing is written yet" in page.locator(".lm-looks").inner_text()
    assert status(page) == "dot: nothing is written yet."
    page.get_by_role("combobox", name="Sentence").select_option("die Katze")
    assert page.evaluate("window.state.step") == 1 and written(page) == ["the"]


def test_without_probabilities_the_movie_shows_the_weights_alone(show):
    page = show(heatmap("movie", names=TOYS))
    assert page.locator(".lm-nexts").count() == 1 and page.locator('[data-side="0"] i').count() == 12
    first, second = (page.get_by_role("region", name=name).bounding_box() for name in TOYS)
    assert second["y"] > first["y"] + first["height"] and first["width"] == second["width"] > 1100


def test_the_movie_moves_unless_the_reader_wants_less_motion(show, page):
    moving = "document.getAnimations().length"
    show(heatmap("movie"))
    button(page, "Forward").click()
    assert page.evaluate(moving) == 0
    page.emulate_media(reduced_motion="no-preference")
    button(page, "Forward").click()
    assert page.evaluate(moving) > 3
    button(page, "Play").click()
    page.locator(".lm-progress:has-text('5 of 6')").wait_for()
    button(page, "Lines").click()
    page.wait_for_timeout(1600)
    assert page.evaluate("document.querySelectorAll('.lm-link').length") > 30 and not button(page, "Pause").is_visible()


def test_the_picture_keeps_its_height(show):
    page, heights = show(heatmap("movie")), set()
    for step in range(7):
        page.get_by_role("slider").fill(str(step))
        heights.add(page.locator(".lm-linked").bounding_box()["height"])
    assert len(heights) == 1


@pytest.mark.parametrize("form", ["lines", "movie"])
def test_a_narrow_page(show, page, form):
    page.set_viewport_size({"width": 360, "height": 900})
    show(heatmap(form, " ".join(["den Hund sieht die Katze"] * 3)))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".lm-linked.lm-down").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("form", ["lines", "movie"])
def test_wcag(show, page, scheme, form):
    page.emulate_media(color_scheme=scheme)
    widget = heatmap(form, names=TOYS)
    widget.force("dot", 1, 4)
    widget.step = 2
    show(widget, live=True)
    word(page, 1, 1).focus()
    assert violations(page) == []
