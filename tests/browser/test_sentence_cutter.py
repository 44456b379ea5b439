"""The sentence cutter in a bare page: trees that grow with the merges, and the reader's own sentence."""

import pytest

from course_lib.checkpoints import load
from course_lib.widgets import AttentionHeatmap, SentenceCutter, together
from tests.browser.harness import violations
from tests.test_sentence_cutter import TEXT, pieces


@pytest.fixture(scope="module")
def translator():
    return load("attention")


def tops(page):
    """The pieces that stand on top, without the small mark of a word's end."""
    return page.locator(".lm-top, .lm-fresh").evaluate_all(
        """(all) => all.map((e) => ({ box: e.getBoundingClientRect(), tree: e.parentNode, text: e.firstChild.data }))
          .sort((a, b) => a.tree === b.tree ? a.box.x - b.box.x :
            a.tree.compareDocumentPosition(b.tree) & 4 ? -1 : 1).map(({ text }) => text)"""
    )


def test_the_trees_are_those_of_the_step(show, translator):
    widget = SentenceCutter(translator, TEXT)
    page = show(widget)
    for step in (widget.last, 12, 1, 0):
        page.get_by_role("slider").fill(str(step))
        wanted = [piece.removesuffix("</w>") for piece in pieces(widget, step)]
        assert tops(page) == wanted
        assert page.locator(".lm-counted .lm-sum").inner_text() == f"11 words, {len(wanted)} pieces"
        assert page.locator(".lm-fresh").count() >= (step > 0) and (step or not page.locator(".lm-fresh").count())
    rank, pair, merges = widget.ranks[-1], " ".join(widget.pairs[-1]), widget.last
    page.get_by_role("button", name=f"{rank}", exact=True).click()
    assert page.locator(".lm-counted").inner_text().startswith(f"Merge {rank:,} of 2,000: {pair}")
    assert page.locator(".lm-progress").inner_text() == f"{merges} of {merges} merges"
    assert violations(page) == []


def test_ones_own_sentence_is_cut_and_the_heatmap_reads_it(show, translator):
    widget, heatmap = SentenceCutter(translator, TEXT), AttentionHeatmap({"attention": translator}, TEXT)
    together(widget, heatmap)
    page = show(widget, live=True)
    field = page.get_by_label("Your sentence")
    field.fill("The fisherman bought an unreadable newspaper.")
    field.press("Enter")
    page.answer()
    assert tops(page)[-9:] == ["an", "un", "re", "a", "da", "b", "le", "newspaper", "."]
    assert heatmap.text == widget.text == "The fisherman bought an unreadable newspaper."
    field.fill("ж")
    page.get_by_role("button", name="Cut").click()
    page.answer()
    assert page.locator(".lm-said").inner_text().startswith("Not cut: sentence holds characters")
    assert heatmap.text == widget.text == "The fisherman bought an unreadable newspaper."


def test_a_narrow_page_shows_all_of_a_long_word(show, translator):
    page = show(SentenceCutter(translator, "unreadablenewspapers the dog"))
    page.set_viewport_size({"width": 420, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
