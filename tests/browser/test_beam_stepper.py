"""The beam tree in a bare page, alone or with Python at the other end, and in JupyterLab by keyboard alone."""

import nbformat
import pytest

from course_lib.checkpoints import RNNRecipe, translator
from course_lib.subwords import BPE
from course_lib.widgets import BeamStepper
from tests.browser.conftest import notebook
from tests.browser.harness import kernel_says, violations
from tests.pie import pie

PIE = pie()
SPELLED = translator(RNNRecipe(embedding=8, hidden=8), BPE.learn("die Bauern", 0))


def beam_tree(text="il a m' entarté", k=2, **settings):
    return BeamStepper(PIE, text, k, **settings)


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def pieces(page, fate):
    """The text of the nodes with this fate, from the top to the bottom and from the left to the right."""
    return page.locator(f".lm-tree .lm-{fate}").evaluate_all(
        """(all) => all.filter((node) => node.dataset.key !== "nodenull")
            .map((node) => [node.offsetLeft, node.offsetTop, node.querySelector(".lm-word").textContent])
            .sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([, , text]) => text)"""
    )


def focused(page):
    return page.evaluate("document.activeElement.querySelector('.lm-word')?.textContent")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def step_to(page, step):
    page.get_by_role("slider", name="steps done").fill(str(step))


def headline(page):
    return page.locator(".lm-headline > :last-child").inner_text()


def test_weighed_then_kept(show):
    page = show(beam_tree(step=0))
    assert pieces(page, "kept") == []
    button(page, "Forward").click()
    assert pieces(page, "open") == ["he", "I"] and headline(page) == "2 continuations weighed"
    step_to(page, 3)
    assert (pieces(page, "kept"), pieces(page, "open")) == (["he", "I"], ["hit", "struck", "was", "got"])
    assert page.locator(".lm-tree .lm-open .lm-edge").all_inner_texts() == [
        *("−1.00 .37", "−2.20 .11", "−0.70 .50", "−0.90 .41"),
    ]
    assert page.locator(".lm-tree .lm-open .lm-sum").all_inner_texts() == ["−1.70", "−2.90", "−1.60", "−1.80"]
    step_to(page, 4)
    assert (pieces(page, "kept"), pieces(page, "pruned")) == (["he", "I", "hit", "was"], ["struck", "got"])
    assert headline(page) == "2 kept, 2 pruned, 0 finished"
    assert page.locator(".lm-tree .lm-pruned .lm-mark").all_inner_texts() == ["✕", "✕"]
    step_to(page, 14)
    assert headline(page) == "It ends: no hypothesis is left to go on with."
    assert page.locator(".lm-output").all_inner_texts()[0] == "he hit me with a pie"
    assert "= −4.30" in page.locator(".lm-formula").inner_text()


def test_no_two_nodes_meet_and_edges_do_not_cross(show):
    page = show(beam_tree(k=4))
    page.get_by_label("Show").select_option("all that was weighed")
    boxes = page.locator(".lm-tree .lm-node").evaluate_all(
        "(all) => all.map(({ offsetLeft: x, offsetTop: y, offsetWidth: w, offsetHeight: h }) => [x, y, x + w, y + h])"
    )
    assert len(boxes) > 30
    for n, (left, top, right, bottom) in enumerate(boxes):
        assert not any(left < r and l < right and top < b and t < bottom for l, t, r, b in boxes[:n])  # noqa: E741
    ends = page.locator(".lm-tree path[data-edge]").evaluate_all(
        """(all) => all.map((path) => [path.getPointAtLength(0), path.getPointAtLength(path.getTotalLength())])
            .map(([from, to]) => [from.y, from.x, to.x])"""
    )
    assert len(ends) == len(boxes) - 1
    for y, start, end in ends:
        assert not any(abs(y - y2) < 0.01 and (start - s2) * (end - e2) < -0.01 for y2, s2, e2 in ends)


@pytest.mark.parametrize("k", [1, 3, 8])
def test_it_opens_grown_and_is_seen_without_scrolling(show, k):
    widget = beam_tree(k=k)
    page, box = show(widget), ".lm-box-of-tree"
    assert page.locator(".lm-progress").inner_text() == f"{widget.last} of {widget.last} steps"
    assert page.locator(box).evaluate("(e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    winner = page.locator(".lm-tree .lm-on")
    assert winner.locator(".lm-word").all_inner_texts() == [*widget.outputs[0]["text"].split(), "</s>"]


def test_the_likeliest_goes_straight_down(show):
    winner = show(beam_tree(k=2)).locator(".lm-tree .lm-on")
    middles = winner.evaluate_all("(all) => all.map((e) => e.offsetLeft + e.offsetWidth / 2)")
    assert len(middles) == 7 and max(middles) - min(middles) < 2


def test_the_width_of_an_edge_is_the_probability(show):
    widget = beam_tree()
    page = show(widget)
    widths = page.locator(".lm-tree path[data-edge]").evaluate_all(
        "(all) => all.map((path) => [path.dataset.edge, parseFloat(path.style.strokeWidth)])"
    )
    assert len(widths) == len(widget.nodes)
    for n, width in widths:
        assert width == pytest.approx(0.07 + 0.43 * widget.nodes[int(n)]["p"], abs=1e-3)
    assert page.locator(".lm-tree .lm-band").count() == 7  # and a band below the winner's


def test_a_node_tells_its_sentence_and_how_the_best_output_goes_on(show):
    page = show(beam_tree())
    so_far = page.locator(".lm-so-far")
    page.locator(".lm-tree .lm-kept", has_text="me").first.hover()
    assert (so_far.locator("b").inner_text(), so_far.inner_text()) == ("he hit me", "he hit me with a pie")
    assert page.locator(".lm-tree .lm-looked .lm-word").all_inner_texts() == ["he", "hit", "me"]
    page.locator(".lm-tree .lm-pruned", has_text="struck").first.focus()
    assert so_far.inner_text() == "he struck"


def test_a_large_tree_writes_words(show):
    """A piece within a word is a dot; what the pieces before wrote stands in pale letters before the last."""
    widget = BeamStepper(SPELLED, "die Bauern", 3, max_length=20)
    page = show(widget)
    assert page.locator(".lm-tree :is(.lm-edge, .lm-sum)").count() == 0
    dots = page.locator(".lm-tree .lm-within").evaluate_all("(all) => all.map((e) => e.dataset.key.slice(4))")
    parents = {node["parent"] for node in widget.nodes if node["before"]}
    assert sorted(map(int, dots)) == sorted(parents)
    assert page.locator(".lm-tree .lm-within .lm-word").count() == 0
    for n, node in enumerate(widget.nodes):
        if n not in parents:
            written = page.locator(f'[data-key="node{n}"] .lm-word').inner_text()
            assert written == node["before"].replace("·", "") + node["piece"]
    button(page, "Larger").click()
    assert page.locator(".lm-tree .lm-within").count() == 0 and page.locator(".lm-tree .lm-sum").count() > 20


def test_beam_sizes_stand_side_by_side(show):
    widget = beam_tree(normalise="gnmt")
    page = show(widget, live=True)
    button(page, "Compare k = 1, 5 and 50").click()
    page.answer()
    cards = page.locator(".lm-card")
    assert cards.locator("h5").all_inner_texts() == ["k = 1", "k = 5", "k = 50"]
    for card, row in zip(cards.all(), widget.compared, strict=True):
        assert card.locator(".lm-best").inner_text() == row["text"]
        assert card.locator("path").count() == len(row["paths"])
        assert card.locator(".lm-best-path").count() == row["length"]
        assert f"|y| {row['length']}, score {row['score']:.2f}".replace("-", "−") in card.inner_text()
    assert "the highest score" in page.locator(".lm-card.lm-on").first.inner_text()
    page.get_by_label("Your sentence").fill("une tarte")
    button(page, "Translate").click()
    page.answer()
    assert cards.count() == 3 and violations(page) == []


def test_without_python_only_what_was_compared_is_shown(show):
    assert show(beam_tree()).locator(".lm-compared").count() == 0
    page = show(beam_tree(compare=(1, 50)))
    assert page.locator(".lm-card").count() == 2 and page.get_by_role("button", name="Compare").count() == 0


@pytest.mark.parametrize("k", [1, 2])
def test_the_ending_counts_what_is_finished(show, k):
    """With a policy that sets outputs aside, more than k may be finished when the search ends."""
    widget = beam_tree(k=k, step=99, max_length=9)
    widget.ending, widget.decisions = "count", [*widget.decisions[:-1], {**widget.decisions[-1], "done": k + 2}]
    page = show(widget)
    assert headline(page) == f"It ends: {k + 2} outputs are finished, and {k} end the search."
    assert page.locator(".lm-force").inner_text() == f"Count (in force): {k + 2} finished; {k} end the search."


def test_pieces_of_a_word_stand_together(show):
    """ "auern" behind "B" is written "Bauern"; the text of a hypothesis is its words, in title and formula."""
    page = show(BeamStepper(SPELLED, "die", 2, max_length=5, step=99))
    text = page.locator(".lm-tree .lm-node", has=page.locator("small")).last
    word, title = text.locator(".lm-word").inner_text(), text.get_attribute("title")
    assert "·" not in word and "… " not in title and title.endswith(word)
    assert 0 < len(text.locator("small").inner_text()) < len(word)
    text.hover()
    assert f"log p({title}) = " in page.locator(".lm-formula").inner_text()


def test_the_page_stays_while_the_tree_grows(show):
    page, tops = show(beam_tree(step=0)), set()
    for step in range(15):
        step_to(page, step)
        tops.add(page.locator(".lm-formula").bounding_box()["y"])
    assert len(tops) == 1


def test_a_place_is_told_once(show):
    """Ranked by log p, the score and the place by log p are what stands there already."""
    widget = beam_tree(step=99)
    page = show(widget, live=True)
    heads = page.locator(".lm-outputs th")
    assert heads.all_inner_texts() == ["place", "output", "log p", "|y|"]
    page.get_by_label("Rank by").select_option("gnmt")
    page.answer()
    assert heads.all_inner_texts()[4:] == ["score", "place by log p"]


def test_the_labels_of_the_settings_stand_level(show):
    page = show(beam_tree(), live=True)
    tops = """(all) => all.map((label) => {
        const text = document.createRange();
        text.selectNodeContents(label.firstChild);
        return Math.round(text.getBoundingClientRect().top);
    })"""
    assert len(set(page.locator(".lm-fields label").evaluate_all(tops))) == 1
    assert "α (log p has none)" in page.locator(".lm-fields").inner_text()


def test_the_tree_is_walked_folded_and_stepped_by_keyboard(show):
    page = show(beam_tree(step=6))
    page.get_by_role("treeitem", name="The start").focus()
    walked = []
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
        walked.append(focused(page))
    assert walked == ["he", "hit", "struck", "was", "I", "he"]
    item = page.locator(".lm-tree :focus")
    assert (item.get_attribute("aria-level"), item.get_attribute("aria-expanded")) == ("2", "true")
    assert item.get_attribute("aria-label").startswith("he: log probability −0.70, probability 0.497, sum −0.70, kept")
    press(page, "Enter")
    assert item.get_attribute("aria-expanded") == "false" and "4 nodes folded away" in item.get_attribute("aria-label")
    assert item.locator(".lm-fold").inner_text() == "+4" and pieces(page, "kept") == ["he", "I", "was"]
    press(page, "ArrowDown", "ArrowDown")
    assert focused(page) == "hit" and len(pieces(page, "kept")) == 6
    press(page, "n", "n", "p")
    assert page.locator(".lm-progress").inner_text() == "7 of 14 steps" and focused(page) == "hit"
    assert "log p(he hit) = −0.70 − 1.00 = −1.70" in page.locator(".lm-formula").inner_text()
    press(page, "Home", "p", "p", "p", "p", "p", "p", "p")
    assert focused(page) == "<s>" and page.locator(".lm-tree .lm-node").count() == 1
    assert page.locator(".lm-tree [tabindex='0']").count() == 1
    unguarded = ":is(button, input, select, [tabindex]):not([data-lm-suppress-shortcuts=true])"
    assert page.locator(f".lm-beam {unguarded}").count() == 0


def test_a_pruned_branch_is_revived(show):
    widget = beam_tree(step=99)
    page = show(widget, live=True)
    page.locator(".lm-tree .lm-pruned", has_text="struck").first.focus()
    press(page, "Enter")
    page.answer()
    (row,) = widget.revived.values()
    assert row["text"] == "he struck" and focused(page) == "struck"
    assert pieces(page, "revived") == ["</s>"]
    last = page.locator(".lm-outputs tbody tr").last.inner_text()
    assert "he struck" in last and "−2.90" in last and "revived from “struck”; above the winner" in last
    page.locator(".lm-output", has_text="he struck").click()
    assert focused(page) == "</s>" and page.locator(".lm-tree .lm-on .lm-word").all_inner_texts() == [
        *("he", "struck", "</s>"),
    ]


def test_the_same_search_asked_again_forgets_what_was_revived(show):
    widget = beam_tree(step=99)
    page = show(widget, live=True)
    page.locator(".lm-tree .lm-pruned", has_text="struck").first.click()
    page.answer()
    page.locator(".lm-output", has_text="he struck").click()
    button(page, "Translate").click()
    page.answer()
    assert widget.revived == {} and page.locator(".lm-tree .lm-node").count() == len(widget.nodes) + 1
    words = page.locator(".lm-tree .lm-on .lm-word").all_inner_texts()
    assert " ".join(words) == f"{page.locator('.lm-output').first.inner_text()} </s>"


def test_a_branch_of_another_search_is_not_revived(show):
    """The tree is the old one until Python has done the search that was asked for before."""
    widget = beam_tree(step=99)
    page = show(widget, live=True)
    page.get_by_label("Your sentence").fill("une tarte")
    button(page, "Translate").click()
    page.locator(".lm-tree .lm-pruned", has_text="struck").first.click()
    page.answer()
    assert (widget.text, widget.revived) == ("une tarte", {})
    assert page.locator(".lm-said").inner_text() == "Not searched: that was asked of another search’s tree"


def test_without_python_a_tree_is_walked_but_not_changed(show):
    page = show(beam_tree(step=99))
    page.locator(".lm-tree .lm-pruned").first.click()
    assert "needs Python" in page.locator(".lm-formula").inner_text()
    assert page.get_by_label("Beam size k").is_disabled() and "has no Python" in page.locator(".lm-beam").inner_text()


RECORD = """() => {
    window.delays = [];
    const { animate } = Element.prototype;
    Element.prototype.animate = function (frames, timing) {
        if (this.matches(".lm-walks")) window.delays.push(timing.delay);
        return animate.call(this, frames, timing);
    };
}"""


def test_the_winning_path_is_drawn_edge_by_edge_where_motion_is_welcome(show, page):
    show(beam_tree(step=13))
    page.evaluate(RECORD)
    walking, forward = page.locator(".lm-walks"), page.get_by_role("button", name="Forward")
    assert walking.count() == 0
    forward.click()
    walking.first.wait_for(state="attached")
    edges = page.locator(".lm-followed[data-edge]").count()
    assert walking.count() == edges > 1 and page.evaluate("window.delays") == []  # reduced motion
    page.emulate_media(reduced_motion="no-preference")
    page.get_by_role("button", name="Back").click()
    forward.click()
    walking.first.wait_for(state="attached")
    assert len(set(page.evaluate("window.delays"))) == edges


def test_which_hypotheses_survive_is_predicted(show):
    widget = beam_tree(step=3, predict=True)
    page = show(widget, live=True)
    assert headline(page) == "Which 2 hypotheses of these 4 will go on?"
    page.locator(".lm-tree .lm-open", has_text="hit").focus()
    press(page, "Enter", "ArrowRight", "Enter")
    assert page.locator(".lm-tree [aria-selected=true]").count() == 2
    press(page, "Enter", "ArrowRight", "Enter")
    button(page, "Check: 2 of 2 chosen").click()
    assert "✓ Right." in page.locator(".lm-next").inner_text()
    assert page.locator(".lm-score").inner_text() == "1 of 1 right" and pieces(page, "pruned") == ["struck", "got"]
    button(page, "Forward").click()
    for text in ("me", "struck"):
        page.locator(".lm-tree .lm-open", has_text=text).click()
    button(page, "Check: 2 of 2 chosen").click()
    assert "✗ Not these." in page.locator(".lm-next").inner_text()
    page.get_by_label("Beam size k").select_option("1")
    page.answer()
    assert widget.k == 1 and widget.predictions == {}


def test_rules_and_ranking_are_changed_while_the_tree_stands(show):
    widget = beam_tree(step=99)
    page = show(widget, live=True)
    rules = page.locator(".lm-rules li")
    assert rules.first.inner_text() == "Count (in force): 2 finished; 2 end the search."
    page.get_by_label("Stop when").select_option("bound")
    page.answer()
    assert page.locator(".lm-force").inner_text().startswith("Bound (in force): best finished score")
    page.get_by_label("Rank by").select_option("power")
    page.answer()
    page.get_by_role("slider", name="α").fill("1")
    page.get_by_role("slider", name="α").dispatch_event("change")
    page.answer()
    assert (widget.stop, widget.normalise, widget.alpha) == ("bound", "power", 1.0)
    assert "score −4.30 / 7^1 = −0.61" in page.locator(".lm-formula").inner_text()
    page.get_by_label("Longest output").fill("3")
    page.get_by_label("Longest output").press("Enter")
    page.answer()
    assert headline(page) == "It ends: an output may have 3 pieces, and here are as many."
    page.get_by_label("Longest output").fill("99")
    page.get_by_label("Longest output").press("Enter")
    page.answer()
    assert (
        page.locator(".lm-said").inner_text()
        == "Not searched: the longest output (max_length) must be from 1 to 60, got 99"
    )
    page.get_by_label("Longest output").fill("")
    page.get_by_label("Longest output").press("Enter")
    page.answer()
    assert page.get_by_label("Longest output").input_value() == "18"  # as long as the translator lets it become


def test_a_sentence_of_ones_own_is_searched_or_kept(show):
    widget = beam_tree(step=99)
    page = show(widget, live=True)
    field = page.get_by_label("Your sentence")
    field.fill("une tarte")
    field.press("Enter")
    page.answer()
    assert (widget.text, widget.step) == ("une tarte", widget.last)
    assert len(pieces(page, "kept")) == sum(node["fate"] == "kept" for node in widget.nodes)
    field.fill("a " * 61)
    button(page, "Translate").click()
    page.answer()
    assert page.locator(".lm-said").inner_text() == "Not searched: a sentence may have 60 pieces, got 61"
    assert field.input_value() == "a " * 61 and widget.text == "une tarte"


def test_a_setting_is_changed_before_the_sentence_is_searched(show):
    widget = beam_tree(step=99, max_length=5)
    page = show(widget, live=True)
    field, beams = page.get_by_label("Your sentence"), page.get_by_label("Beam size k")
    field.fill("une tarte")
    field.press("Enter")
    beams.select_option("1")
    page.answer()
    assert (widget.text, widget.k, widget.max_length) == ("une tarte", 1, 14)  # 14: the translator's limit
    field.fill("a " * 61)
    field.press("Enter")
    beams.select_option("3")
    page.get_by_label("Longest output").fill("6")
    page.get_by_label("Longest output").press("Enter")
    page.answer()
    assert page.locator(".lm-said").inner_text() == "Not searched: a sentence may have 60 pieces, got 61"
    beams.select_option("4")
    page.answer()
    assert (widget.text, widget.k, widget.max_length) == ("une tarte", 4, 6)  # what was refused is not asked for again


def test_a_wide_tree_stays_readable(show):
    page = show(beam_tree(k=8, step=99))
    assert pieces(page, "pruned") == []  # folded away, and counted
    drawn, size = page.locator(".lm-tree .lm-node").count(), "parseFloat(getComputedStyle(e).fontSize)"
    folded = page.locator(".lm-tree .lm-fold").all_inner_texts()
    boxes = page.locator(".lm-tree :is(.lm-box, .lm-fold)").evaluate_all(
        """(all) => all.map((e) => e.getBoundingClientRect())
            .map(({ left, right, top, bottom }) => [left, right, top, bottom])"""
    )
    for n, (left, right, top, bottom) in enumerate(boxes):
        assert not any(left < r - 1 and l < right - 1 and top < b and t < bottom for l, r, t, b in boxes[:n])  # noqa: E741
    page.get_by_label("Show").select_option("all that was weighed")
    assert page.locator(".lm-tree .lm-node").count() == drawn + sum(int(text) for text in folded)
    box = page.locator(".lm-box-of-tree")
    button(page, "Larger").click()
    before = box.evaluate(f"(e) => {size}")
    button(page, "Whole tree").click()
    assert box.evaluate("(e) => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    assert page.locator(".lm-tree :is(.lm-edge, .lm-sum)").count() == 0
    button(page, "Smaller").click()
    assert box.evaluate(f"(e) => {size}") < before
    for _ in range(2):
        button(page, "Larger").click()
    assert box.evaluate(f"(e) => {size}") > before and box.evaluate("(e) => e.scrollHeight > e.clientHeight")
    page.get_by_label("Show").select_option("follow the winner")
    winner = page.locator(".lm-output").first.inner_text()
    words = page.locator(".lm-tree .lm-on .lm-word").all_inner_texts()
    assert " ".join(words) == f"{winner} </s>"
    end, area = page.locator(".lm-tree .lm-on").last.bounding_box(), box.bounding_box()
    assert area["x"] <= end["x"] and end["x"] + end["width"] <= area["x"] + area["width"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wcag(show, page, scheme):
    page.emulate_media(color_scheme=scheme)
    show(beam_tree(step=3, predict=True, finished="in_beam", stop="length", max_length=9), live=True)
    page.locator(".lm-tree .lm-open").first.click()
    assert violations(page) == []
    step_to(page, 18)
    assert violations(page) == []


def test_a_narrow_page(show, page):
    page.set_viewport_size({"width": 360, "height": 900})
    show(beam_tree(step=99))
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


CELL = (
    "from course_lib import checkpoints\nfrom course_lib.widgets import BeamStepper\n"
    'stepper = BeamStepper(checkpoints.load("attention"), "The cat sleeps.", k=3)\nstepper'
)


def test_a_trained_models_tree_is_walked_in_lab_by_keyboard_alone(window, lab):
    nbformat.write(notebook(CELL), lab.root / "beam.ipynb")
    lab.open_here(window, "beam.ipynb")
    assert lab.run_all(window) == []
    window.get_by_label("Your sentence").focus()
    press(window, "Control+a")
    window.keyboard.type("The small dog sees the old cat.")
    press(window, "Enter")
    window.locator(".lm-said:text-is('')").wait_for(state="attached")
    said = ["The small dog sees the old cat.", True]
    assert kernel_says(window, "stepper.text, stepper.step == stepper.last", said) == said
    for _ in range(30):  # to the tree, past the settings and the toolbar
        press(window, "Tab")
        if focused(window):
            break
    assert focused(window) == "<s>"
    cells = window.locator(".jp-Notebook .jp-Cell").count()
    press(window, "p", "p", "ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight")
    for _ in range(9):
        if window.locator(".lm-tree :focus.lm-pruned").count():
            break
        press(window, "ArrowRight")
    piece = focused(window)
    press(window, "Enter")
    window.locator(".lm-tree .lm-revived").first.wait_for()
    number = window.locator(".lm-tree :focus").get_attribute("data-key").removeprefix("node")
    assert kernel_says(window, "list(stepper.revived)", [number]) == [number]
    assert focused(window) == piece and f"revived from “{piece}”" in window.locator(".lm-outputs").inner_text()
    press(window, "b", "d", "d")  # in JupyterLab: a new cell below, delete a cell
    assert window.locator(".jp-Notebook .jp-Cell").count() == cells
