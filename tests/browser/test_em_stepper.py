"""The EM stepper and the corpus explorer in a bare page and in JupyterLab: what they draw is what Python handed out."""

from dataclasses import asdict

import nbformat
import pytest

from course_lib.alignment import alignment_error_rate, trace_em
from course_lib.corpora.grammar import sample
from course_lib.widgets import CorpusExplorer, EMStepper
from course_lib.widgets.corpus_explorer import aligned_pairs
from tests.browser.conftest import notebook
from tests.browser.harness import kernel_says, violations

TOY = [(["das", "Haus"], ["the", "house"]), (["das", "Buch"], ["the", "book"]), (["ein", "Buch"], ["a", "book"])]
CELLS = (
    "from course_lib.widgets import EMStepper\nstepper = EMStepper()\nstepper",
    "from course_lib.corpora.grammar import sample\n"
    "from course_lib.widgets import CorpusExplorer\n"
    "from course_lib.widgets.corpus_explorer import aligned_pairs\n"
    'explorer = CorpusExplorer(aligned_pairs(sample(20), "de", "en"))\nexplorer',
)


@pytest.fixture
def show(page, tmp_path):
    def open_page(widget):
        widget.save(tmp_path / "widget.html")
        page.goto((tmp_path / "widget.html").as_uri())
        page.wait_for_selector(".lm-linked")
        return page

    return open_page


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def status(page):
    return page.locator(".lm-widget > .lm-hidden[role=status]").inner_text()


def drawn(page):
    """The numbers of both tables and the lines' thickness, as the page shows them."""
    return page.evaluate(
        """() => {
        const cells = (kind) => [...document.querySelectorAll(`.lm-table-${kind} .lm-cell`)];
        const values = (kind) => cells(kind).map((cell) => Number(cell.dataset.value));
        const lines = [...document.querySelectorAll(".lm-em .lm-link line")];
        return {
          t: values("t"), c: values("c"),
          squares: cells("t").map((cell) => parseFloat(cell.querySelector(".lm-square").style.width) ** 2 / 22 ** 2),
          lines: lines.map((line) => Number(line.getAttribute("stroke-width")) / 9),
        }; }"""
    )


def test_it_says_which_iteration_is_next_and_how_many_are_done(show):
    page = show(EMStepper())
    for done in range(3):
        assert page.locator(".lm-progress").inner_text() == f"{done} of 10 iterations"
        assert page.locator(".lm-number").inner_text().lower() == f"next: iteration {done + 1}"
        button(page, "Forward").click()
    page.get_by_role("slider").fill("10")
    assert page.locator(".lm-number").inner_text().lower() == "done"


def check_step(page, step):
    counts = [c for row in step["counts"] for c in row]
    t = [p for row in step["translation"] for p in row]
    t = [p for p, c in zip(t, counts, strict=True) if c > 0]
    posteriors = [p for pair in step["posteriors"] for row in pair for p in row]
    shown = drawn(page)
    assert shown["t"] == t and shown["c"] == [c for c in counts if c > 0]
    assert shown["squares"] == pytest.approx(t, abs=0.01)  # area, not side
    assert shown["lines"] == pytest.approx(posteriors, abs=0.05)


def library(pairs, iterations=10):
    return asdict(trace_em(pairs, iterations))["steps"]


def test_each_step_is_the_librarys(show):
    page, steps = show(EMStepper()), library(TOY)
    for k in (0, 1, 2):
        check_step(page, steps[k])
        assert f"Log likelihood {steps[k]['log_likelihood']:.3f}".replace("-", "−") in status(page)
        page.keyboard.press("ArrowRight") if k else button(page, "Forward").click()
    page.get_by_role("slider").fill("10")
    check_step(page, steps[10])
    assert button(page, "Forward").is_disabled()


def test_a_number_leads_to_its_formula_and_its_lines(show):
    page = show(EMStepper(step=1))
    page.locator(".lm-table-t .lm-cell").first.focus()
    formula = "t(the | das) = 0.50. c(the | das) = 0.50 + 0.67 = 1.17; 1.17 / 1.83 = 0.64 in the next table."
    assert page.locator(".lm-formula").inner_text() == formula == status(page)
    assert page.locator(".lm-chosen").count() == 2
    page.keyboard.press("ArrowDown")
    assert "t(the | Haus) = 0.50" in status(page) and page.locator(".lm-chosen").count() == 1
    page.keyboard.press("ArrowRight")
    assert "t(house | Haus)" in status(page)
    page.keyboard.press("ArrowDown")  # Buch and house never meet: on to the next that does, or stay
    assert page.evaluate("document.activeElement.className") == "lm-cell"


def test_predict_hides_the_counts_and_keeps_score(show):
    page = show(EMStepper(predict=True, step=1))
    assert page.locator(".lm-table-c").count() == 0 and page.locator(".lm-chart circle").count() == 2
    assert "Which translation of Haus" in page.locator(".lm-next").inner_text()
    button(page, "the").click()
    assert "✗ Not this time. After it, t(house | Haus) = 0.57, and t(the | Haus) = 0.43." in status_box(page)
    assert page.locator(".lm-table-c").count() == 1
    button(page, "Forward").click()
    button(page, "the").click()
    assert "✓ Right. After it, t(the | das) = 0.75." in status_box(page)
    assert page.locator(".lm-score").inner_text() == "1 of 2 right"
    assert violations(page) == []


def status_box(page):
    return page.locator(".lm-why").inner_text()


@pytest.mark.parametrize("width", [600, 1000])
def test_a_long_compound_leaves_room_for_the_table(show, page, width):
    page.set_viewport_size({"width": width, "height": 900})
    show(EMStepper([("das Donaudampfschifffahrtsgesellschaftskapitänspatent", "the captain's licence")]))
    tables, figures = page.locator(".lm-sideways").all(), page.locator(".lm-linked").all()
    for one in [*tables, *figures]:
        assert one.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    words = page.locator(".lm-linked .lm-word").evaluate_all(
        "(all) => all.map((word) => word.scrollWidth - word.clientWidth)"
    )
    assert max(words) <= 0


def test_the_likelihoods_axes_are_those_of_the_whole_run(show):
    page = show(EMStepper(iterations=10, predict=True))
    labels = page.locator(".lm-chart text").all_text_contents()
    assert {"iterations", "0", "10"} < set(labels) and page.locator(".lm-chart circle").count() == 1
    box = page.locator(".lm-chart").bounding_box()
    dot = page.locator(".lm-chart .lm-now").bounding_box()
    assert box["x"] <= dot["x"] < box["x"] + 60 and box["y"] < dot["y"] < box["y"] + box["height"]
    page.get_by_role("slider").fill("10")
    assert page.locator(".lm-chart text").all_text_contents() == labels
    assert page.locator(".lm-chart circle").count() == 11


@pytest.fixture(scope="module")
def corpus():
    examples = sample(60, seed=3)
    pairs = sorted(aligned_pairs(examples, "de", "en"), key=lambda pair: abs(len(pair.target) - 12))  # one of 12 first
    shifted = [pair.possible - {min(pair.links)} | {(0, len(pair.target) - 1)} for pair in pairs]
    return pairs, shifted


def links_shown(page, kind="link"):
    shown = page.locator(f".lm-linked .lm-{kind}").evaluate_all("(links) => links.map((g) => g.dataset.link)")
    return {tuple(map(int, link.split("-"))) for link in shown}


def dashes(page, kind):
    line = page.locator(f".lm-linked .lm-{kind} line")
    return set(line.evaluate_all("(lines) => lines.map((line) => getComputedStyle(line).strokeDasharray)"))


def test_a_sentence_its_links_and_a_words_partners(show, corpus):
    pairs = [pair for pair in corpus[0] if pair.links < pair.possible]  # that have links of both kinds
    page = show(CorpusExplorer(pairs, ("German", "English")))
    for k in (0, 1):
        assert page.locator(".lm-row[data-side='0'] .lm-word").all_inner_texts() == list(pairs[k].source)
        assert page.locator(".lm-row[data-side='1'] .lm-word").all_inner_texts() == list(pairs[k].target)
        assert links_shown(page) == pairs[k].possible
        assert links_shown(page, "sure") == pairs[k].links < pairs[k].possible
        extra = pairs[k].possible - pairs[k].links
        assert f"Links: {len(pairs[k].links)} sure, {len(extra)} possible." in status(page)
        assert dashes(page, "sure") == {"none"} != dashes(page, "possible")
        for side in (0, 1):
            page.locator(f".lm-row[data-side='{side}'] .lm-word").nth(1).focus()
            partners = sorted(link[1 - side] for link in pairs[k].possible if link[side] == 1)
            other = (pairs[k].target, pairs[k].source)[side]
            assert page.locator(".lm-partner").all_inner_texts() == [other[n] for n in partners]
            assert page.locator(".lm-chosen").count() == len(partners)
            assert all(other[n] in status(page) for n in partners)
        page.keyboard.press("ArrowRight")
        assert page.locator(".lm-here").inner_text() == pairs[k].target[2]
        button(page, "Forward").click()
    ends = page.evaluate("""() => {
        const box = (element) => element.getBoundingClientRect();
        const link = document.querySelector(".lm-link"), line = box(link.querySelector("line"));
        const [i, j] = link.dataset.link.split("-");
        const word = (side, index) => box(document.querySelectorAll(`.lm-row[data-side="${side}"] .lm-word`)[index]);
        return [line.top - word(0, i).bottom, word(1, j).top - line.bottom]; }""")
    assert ends == pytest.approx([3, 3], abs=2)  # lines touch their words


def test_filters(show, corpus):
    pairs, _ = corpus
    page = show(CorpusExplorer(pairs))
    page.get_by_label("Shows").select_option("relative")
    some = [k for k, pair in enumerate(pairs) if "relative" in pair.tags]
    assert page.locator(".lm-item .lm-n").all_inner_texts() == [str(k + 1) for k in some]
    assert links_shown(page) == pairs[some[0]].possible
    page.get_by_label("Length").select_option("7-12")
    some = [k for k in some if 7 <= len(pairs[k].source) <= 12]
    assert page.locator(".lm-item").count() == len(some)
    page.get_by_label("Shows").select_option("")
    page.get_by_label("Length").select_option("")
    word = pairs[7].source[1]
    page.get_by_label("Contains").fill(word.upper())
    page.get_by_label("Contains").press("ArrowLeft")  # the field's own key
    assert page.get_by_label("Contains").evaluate("(field) => field.matches(':focus')")
    assert page.locator(".lm-item").count() == sum(
        any(word.lower() in one.lower() for one in (*pair.source, *pair.target)) for pair in pairs
    )
    page.get_by_label("Contains").fill("nosuchword")
    assert status(page) == "No sentence passes this filter."


@pytest.mark.parametrize("width", [400, 1100])
def test_a_prediction_over_gold(show, page, corpus, width):
    pairs, predicted = corpus
    page.set_viewport_size({"width": width, "height": 900})
    show(CorpusExplorer(pairs, ("German", "English"), {"shifted": predicted}, overlay="shifted"))
    sure, possible = pairs[0].links, pairs[0].possible
    for kind, links in (
        ("found", sure & predicted[0]),
        ("allowed", predicted[0] & (possible - sure)),
        ("missing", sure - predicted[0]),
        ("spurious", predicted[0] - possible),
    ):
        shown = page.locator(f".lm-linked .lm-{kind}")
        assert shown.count() == len(links) > 0
        assert shown.locator("text").count() == (0 if kind in ("found", "allowed") else len(links))
    assert page.locator(".lm-aer").inner_text() == f"{alignment_error_rate(predicted[:1], [sure], [possible]):.2f}"
    gold = [[getattr(pair, name) for pair in pairs] for name in ("links", "possible")]
    everything = alignment_error_rate(predicted, *gold)
    assert page.locator(".lm-aer-shown").inner_text() == f"{everything:.3f}"
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".lm-down").count() == (width == 400)
    assert violations(page) == []


def test_in_lab(window, lab):
    """Both in one notebook, with a kernel: the reader's own sentences, Lab's keys, what Python knows of it."""
    nbformat.write(notebook(*CELLS), lab.root / "alignment.ipynb")
    lab.open_here(window, "alignment.ipynb")
    assert lab.run_all(window) == []
    cells = window.locator(".jp-Notebook .jp-Cell").count()
    stepper = window.locator(".lm-em")
    stepper.locator("summary").click()
    stepper.get_by_role("textbox").fill("la maison = the house\nla fleur = the flower")
    stepper.get_by_role("button", name="Learn").click()
    window.get_by_text("Learned.").wait_for()
    assert stepper.locator(".lm-table-t th[scope=row]").all_inner_texts() == ["la", "maison", "fleur"]
    check_step(stepper.page, library([(["la", "maison"], ["the", "house"]), (["la", "fleur"], ["the", "flower"])])[0])
    explorer = window.locator(".lm-explorer")
    for control in (
        stepper.locator(".lm-cell").first,
        explorer.locator(".lm-word").first,
        explorer.locator(".lm-item").first,
    ):
        control.focus()
        for key in ("b", "d", "d", "m"):
            window.keyboard.press(key)
    assert window.locator(".jp-Notebook .jp-Cell").count() == cells
    button(explorer, "Forward").click()
    explorer.get_by_text("2 of 20", exact=True).wait_for()
    told = [1, "la maison = the house\nla fleur = the flower"]
    assert kernel_says(window, "explorer.at, stepper.text", told) == told
