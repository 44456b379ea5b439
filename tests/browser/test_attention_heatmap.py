"""The attention heatmap in a bare page: the page that `save` writes, alone or with Python at the other end."""

import pytest

from course_lib.widgets import AttentionHeatmap
from tests.browser.harness import violations
from tests.test_attention_heatmap import GOLD, TEXT
from tests.toy_translator import WORDS, ToyTranslator

TOYS = {"dot": ToyTranslator(), "additive": ToyTranslator(0.9), "fixed": ToyTranslator(attentive=False)}


def heatmap(sentences=(GOLD, "die Katze"), names=("dot",), **settings):
    return AttentionHeatmap({name: TOYS[name] for name in names}, sentences, **settings)


def panel(page, name="dot"):
    return page.get_by_role("region", name=name, exact=True)


def choice(page, name):
    return page.get_by_role("combobox", name=name)


def cell(page, row, column, name="dot"):
    return page.locator(f'[data-key="{name}:{row}:{column}"]')


def status(page):
    return page.locator(".lm-heatmap > .lm-hidden[role=status]").inner_text()


def words_marked(page, kind, name="dot"):
    return panel(page, name).locator(f".lm-sentence .lm-{kind}").all_inner_texts()


@pytest.mark.parametrize("level", ["words", "pieces"])
def test_a_weight_is_the_area_of_a_square_and_a_number(show, level):
    widget = heatmap(level=level)
    page = show(widget)
    drawn = widget.views[0]["models"][0]["free"]["levels"][level]
    areas = page.locator(".lm-panel td.lm-cell").evaluate_all(
        "(all) => all.map((cell) => (cell.querySelector('i')?.offsetWidth ?? 0) ** 2)"
    )
    weights = [weight for row in drawn["weights"] for weight in row]
    sides = [(weight / max(weights) * max(areas)) ** 0.5 for weight in weights]
    assert [area**0.5 for area in areas] == pytest.approx(sides, abs=1)
    for row, values in enumerate(drawn["weights"]):
        for column, weight in enumerate(values):
            title = cell(page, row, column).get_attribute("title")
            assert title.startswith(f"{drawn['target'][row]} – {drawn['source'][column]}: ")
            assert float(title.split(": ")[1].split(",")[0]) == pytest.approx(weight / 1000, abs=0.0051)
            shown = cell(page, row, column).inner_text()
            assert bool(shown) == (weight >= 50) and shown in title


def test_pointing_links_the_words_of_both_sentences(show):
    page = show(heatmap())
    cell(page, 1, 3).hover()
    assert words_marked(page, "here") == ["den", "cat"]
    assert "“cat” (probability 1.00) looks at “Katze” .75, “die” .05" in panel(page).locator(".lm-looks").inner_text()
    panel(page).locator(".lm-sentence span").nth(1).hover()
    assert words_marked(page, "here") == ["Katze"]
    assert "cat" in words_marked(page, "partner")
    assert "“Katze” is looked at by “the” .05, “cat” .75" in panel(page).locator(".lm-looks").inner_text()


def test_the_keyboard_is_enough(show):
    page = show(heatmap())
    cell(page, 0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.key") == "dot:1:1"
    assert (
        status(page) == "dot: “cat” (probability 1.00) looks at “Katze” .75, “die” .05, “sieht” .05. A sure gold link."
    )
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.dataset.key") == "dot:1:5"
    assert page.locator("td[tabindex='0']").count() == 1
    page.keyboard.press("Enter")
    assert "needs Python" in panel(page).inner_text()
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(unguarded).count() == 0


def test_gold_links_are_outlines_and_the_error_rates_stand_below(show):
    widget = heatmap()
    page = show(widget)
    for kind, links in (("sure", GOLD.sure), ("possible", GOLD.possible - GOLD.sure)):
        marked = page.locator(f"td.lm-{kind}").evaluate_all("(all) => all.map((cell) => cell.dataset.key)")
        assert sorted(marked) == sorted(f"dot:{i}:{j}" for j, i in links)
    mine = widget.views[0]["models"][0]["free"]["rate"]["aer"]
    model1 = widget.views[0]["gold"]["others"][0]["aer"]
    assert [text.split(" = ")[-1] for text in page.locator(".lm-aer").all_inner_texts()] == [
        f"{mine:.2f}",
        f"{model1:.2f}",
    ]
    assert "IBM Model 1: 1 − (2 + 2) / (3 + 4)" in panel(page).inner_text()
    choice(page, "Units").select_option("subword pieces")
    assert page.locator(".lm-panel .lm-sure").count() == 0  # gold links are between words
    choice(page, "Sentence").select_option("die Katze")
    assert page.locator(".lm-aer").count() == 0 and not choice(page, "The translators write").is_visible()


def test_hard_alignment_marks_the_largest_weight_of_each_row(show):
    page = show(heatmap())
    choice(page, "Alignment").select_option(index=1)
    kept = page.locator(".lm-panel td:not(.lm-soft)[data-key]").evaluate_all("(all) => all.map((e) => e.dataset.key)")
    assert kept == [f"dot:{n}:{n}" for n in range(6)]
    assert "hard link" in cell(page, 2, 2).get_attribute("title")


def test_forcing_a_word_shows_both_translations_and_is_undone(show):
    widget = heatmap()
    page = show(widget, live=True)
    cell(page, 1, 4).click()
    page.answer()
    assert widget.views[0]["models"][0]["held"]["translation"] == ["the", "dog", "sees", "a", "dog"]
    assert (panel(page).locator("del").inner_text(), panel(page).locator("ins").inner_text()) == ("cat", "dog")
    assert page.evaluate("document.activeElement.dataset.key") == "dot:1:4"
    assert "Where it wrote cat it looks only at Hund." in panel(page).inner_text()
    assert page.locator("tr:has(.lm-forced)").count() == 1
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.answer()
    assert panel(page).locator("ins").all_inner_texts() == ["dog", "the"]
    page.get_by_role("button", name="Undo the last").click()
    page.answer()
    page.get_by_role("button", name="Undo the last").click()
    page.answer()
    assert widget.views[0]["models"][0]["forced"] == [] and page.locator("del, ins, .lm-forced").count() == 0


def test_a_cell_of_another_sentence_is_not_forced(show):
    """The picture is the old one until Python has translated the sentence that was asked for before."""
    widget = heatmap()
    page = show(widget, live=True)
    page.get_by_label("Your sentence").fill("den Hund sieht die Katze")
    page.get_by_role("button", name="Translate").click()
    cell(page, 1, 4).click()
    page.answer()
    assert page.locator(".lm-said").inner_text() == f"Not translated: that was asked of another sentence, “{TEXT}”"
    assert panel(page).locator("tbody th").first.inner_text() == "a" and page.locator(".lm-forced").count() == 0
    cell(page, 1, 4).click()
    page.answer()
    assert page.locator("tr:has(.lm-forced)").count() == 1


def test_the_readers_sentence_is_translated_or_kept_with_the_reason(show):
    widget = heatmap()
    page = show(widget, live=True)
    field = page.get_by_label("Your sentence")
    field.fill("den Hund sieht die Katze")
    field.press("Enter")
    page.answer()
    assert panel(page).locator("tbody th").all_inner_texts() == ["a", "dog", "sees", "the", "cat", "</s>"]
    field.fill("der Hund")
    page.get_by_role("button", name="Translate").click()
    page.answer()
    assert page.locator(".lm-said").inner_text() == "Not translated: sentence holds unknown words: der"
    assert field.input_value() == "der Hund" and panel(page).locator("tbody th").count() == 6
    choice(page, "Sentence").select_option(TEXT)
    assert panel(page).locator("thead th").all_inner_texts() == [*TEXT.split(), "</s>"]


def test_translators_stand_side_by_side_one_of_them_without_attention(show):
    page = show(heatmap(names=TOYS))
    assert page.locator(".lm-panel h4").all_inner_texts() == list(TOYS)
    assert page.locator("table").count() == 2
    first, second, line = (panel(page, name).bounding_box() for name in TOYS)
    assert first["y"] == second["y"] and first["width"] == pytest.approx(second["width"], abs=1)
    assert line["y"] > first["y"] + first["height"] and line["width"] > 2 * first["width"] and line["height"] < 70
    assert "no attention" in panel(page, "fixed").inner_text()
    assert cell(page, 1, 1, "additive").inner_text() == ".90"
    cell(page, 1, 1).hover()  # the same source word is marked in the other panel
    assert words_marked(page, "here", "additive") == ["Katze"] and words_marked(page, "here") == ["Katze", "cat"]
    assert "“Katze” is looked at by “cat” .90." in panel(page, "additive").inner_text()
    choice(page, "Units").select_option("subword pieces")
    cell(page, 1, 1).hover()
    assert words_marked(page, "here", "additive") == []  # each translator has pieces of its own


def test_the_gold_translation_can_be_written(show):
    gold = type(GOLD)(GOLD.source, ["the", "dog", "sees", "a", "cat"], {(4, 1)})
    page = show(heatmap(gold), live=True)
    assert "other words than the gold translation" in panel(page).inner_text()
    choice(page, "The translators write").select_option("the gold translation")
    assert panel(page).locator("tbody th").all_inner_texts() == [*gold.target, "</s>"]
    assert page.locator("td.lm-sure").count() == 1
    cell(page, 0, 0).click()
    assert "the words are given" in panel(page).inner_text()


def test_text_from_right_to_left(show):
    page = show(heatmap("חתול רואה Hund"))
    heads = [page.locator("thead th").nth(n).bounding_box()["x"] for n in range(3)]
    assert heads == sorted(heads, reverse=True)
    cell(page, 0, 0).focus()
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.dataset.key") == "dot:0:1"


def test_a_long_sentence_scrolls_and_its_labels_stay(show, page):
    page.set_viewport_size({"width": 360, "height": 900})
    show(heatmap(" ".join(["den Hund sieht die Katze"] * 5)))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    cell(page, 0, 0).focus()
    for key in ("End", *["ArrowDown"] * 19):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.dataset.key") == "dot:19:25"
    area = page.locator(".lm-area").bounding_box()
    row, column = page.locator("tbody th").nth(19).bounding_box(), page.locator("thead th").nth(25).bounding_box()
    assert row["x"] == pytest.approx(area["x"], abs=1) and column["y"] == pytest.approx(area["y"], abs=1)
    here = cell(page, 19, 25).bounding_box()
    assert here["x"] >= row["x"] + row["width"] - 1 and here["x"] + here["width"] <= area["x"] + area["width"] + 1


@pytest.mark.parametrize("words", [3, 9, 15])
def test_the_cells_take_the_room_there_is(show, words):
    """As wide as the panel, up to 96 pixels; 16 rows are seen without scrolling."""
    page = show(heatmap(" ".join((["den", "Hund", "sieht", "die", "Katze"] * 3)[:words])))
    area, drawn = page.locator(".lm-area"), page.locator("tbody tr").count()
    assert drawn == words + 1
    assert area.evaluate("(e) => e.scrollHeight <= e.clientHeight && e.scrollWidth <= e.clientWidth")
    cells = cell(page, 0, 0).bounding_box()
    free = area.bounding_box()["width"] - page.locator("table").bounding_box()["width"]
    assert cells["width"] == pytest.approx(96, abs=1) or free < 130
    assert 44 <= cells["height"] <= 60


def test_a_sentence_is_refused_and_not_cut(show):
    page = show(heatmap(), live=True)
    field = page.get_by_label("Your sentence")
    for text, message in (
        ("die " * 480, "a sentence may have 1,000 characters, got 1,919"),
        ("die " * 61, "a sentence may have 60 words, got 61"),
    ):
        field.fill(text)
        page.get_by_role("button", name="Translate").click()
        page.answer()
        assert page.locator(".lm-said").inner_text() == f"Not translated: {message}"
        assert field.input_value() == text


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wcag(show, page, scheme):
    page.emulate_media(color_scheme=scheme)
    widget = heatmap(names=TOYS)
    widget.force("dot", 1, 4)
    show(widget, live=True)
    cell(page, 2, 2, "additive").focus()
    assert violations(page) == []
    choice(page, "Alignment").select_option(index=1)
    assert violations(page) == []


def test_markup_is_text(show, monkeypatch):
    monkeypatch.setitem(WORDS, "<b>&", "<i>x</i>")
    page = show(heatmap("<b>& Hund"))
    assert page.locator("tbody th").first.inner_text() == "<i>x</i>"
