"""BertViz's three views: drawn from a file and in JupyterLab, where every request to another machine is refused."""

from pathlib import Path

import nbformat
import pytest
from nbconvert import HTMLExporter

from tests.browser.conftest import new_page, notebook
from tests.browser.harness import violations
from tests.test_bertviz import SENTENCE, TRANSLATION, VIEWS, attentions, transformer

ROOT = Path(__file__).parents[2]
CELLS = [
    f"import sys\nsys.path.insert(0, {str(ROOT)!r})\n"
    "from tests.test_bertviz import SENTENCE, TRANSLATION, VIEWS, transformer\ntranslator = transformer()",
    *(f"VIEWS[{view!r}](translator, SENTENCE, TRANSLATION)" for view in VIEWS),
]


@pytest.fixture(scope="module")
def translator():
    return transformer()


def only_from(page, *allowed):
    """No request leaves for another place; returns the list of those that tried."""
    refused = []

    def refuse(route):
        if route.request.url.startswith((*allowed, "data:", "blob:")):
            return route.fallback()
        refused.append(route.request.url)
        return route.abort()

    page.route("**/*", refuse)
    return refused


def numbers(locator, attribute):
    return locator.evaluate_all(f"(all) => all.map((one) => Number(one.getAttribute('{attribute}')))")


def flat(matrices):
    return [pytest.approx(value, abs=1e-6) for head in matrices for row in head for value in row]


def test_head_view(show, page, translator):
    refused = only_from(page, "file:")
    show(VIEWS["head"](translator, SENTENCE, TRANSLATION, layer=1, heads=[0, 2]))
    found = attentions(translator, SENTENCE, TRANSLATION)
    lines = page.locator("#attention line")
    weights = found["encoder"].attn[1]
    shares = [[[(h in (0, 2)) * w for w in row] for row in head] for h, head in enumerate(weights)]
    assert numbers(lines, "stroke-opacity") == flat(shares)
    page.locator("#left text").nth(3).hover()
    shown = page.locator("#attention line[visibility=visible]")
    assert set(numbers(shown, "left-token-index")) == {3} and shown.count() == 4 * len(weights[0])
    page.locator("rect", has=page.locator("title", has_text="head 3")).dblclick()  # alone
    assert numbers(lines, "stroke-opacity") == flat(
        [[[(h == 2) * w for w in row] for row in head] for h, head in enumerate(weights)]
    )

    page.get_by_label("Attention").select_option("cross: what is written on source")
    written = page.locator("#left text").all_text_contents()
    assert [text.rstrip("…") for text in written] == [text.removesuffix("</w>") for text in found["cross"].left_text]
    assert any(text.endswith("…") for text in written) and written[-1] == "</s>"
    assert page.locator("#layer option").all_text_contents() == ["1", "2"]
    assert page.get_by_label("Layer").input_value() == "1"
    assert numbers(lines, "stroke-opacity") == flat(found["cross"].attn[1])
    assert page.locator("#right text", has_text="script>").count() == 1 and refused == []


def test_model_view(show, page, translator):
    page.emulate_media(color_scheme="dark")
    show(VIEWS["model"](translator, SENTENCE, TRANSLATION, attention="decoder"))
    found = attentions(translator, SENTENCE, TRANSLATION)["decoder"]
    assert numbers(page.locator("#vis line"), "stroke-opacity") == flat([row for layer in found.attn for row in layer])
    page.locator("#attn_background_1_2 ~ rect").click()
    assert page.locator("text.detail").text_content() == "Layer 2, Head 3"
    assert page.locator("#attn_background_0_0").get_attribute("fill") == "black"
    page.emulate_media(color_scheme="light")
    page.locator("#attn_background_0_0[fill=white]").wait_for(state="attached")


def test_neuron_view_shows_where_a_weight_comes_from(show, page, translator):
    show(VIEWS["neuron"](translator, SENTENCE, TRANSLATION, attention="cross", layer=1, head=3))
    found = attentions(translator, SENTENCE, TRANSLATION)["cross"]
    q, keys = found.queries[1][3][2], found.keys[1][3]
    word = page.locator("#collapsed #leftText > g").nth(2)
    word.hover()
    word.locator("rect").last.click()  # its plus sign
    page.locator("#expanded #leftText > g text").nth(2).hover()
    products = [[a * b for a, b in zip(q, k, strict=True)] for k in keys]
    assert numbers(page.locator("#product .element"), "data-value") == flat([products])
    scores = [sum(row) / len(q) ** 0.5 for row in products]
    assert numbers(page.locator(".dotproduct"), "data-value") == pytest.approx(scores, abs=1e-6)
    page.get_by_label("Head").select_option("0")
    assert numbers(page.locator("#queries .element"), "data-value") == flat([found.queries[1][0]])


@pytest.mark.parametrize("view", VIEWS)
def test_wcag(show, page, translator, view):
    show(VIEWS[view](translator, SENTENCE, TRANSLATION))
    assert violations(page) == []


def drawn_in(page, view):
    """The inside of a view's frame, when it has drawn and the frame is as high as what it holds."""
    frame = page.locator(f"iframe[title='BertViz, {view} view']")
    frame.scroll_into_view_if_needed()  # a frame that nobody sees is not measured
    inside = frame.content_frame
    inside.locator("#vis svg").wait_for()
    page.wait_for_function("(frame) => frame.offsetHeight !== 700", arg=frame.element_handle())
    assert inside.locator("html").evaluate("(html) => html.scrollHeight <= innerHeight + 1")
    return inside


def test_in_jupyterlab_without_a_network(chromium, lab, tmp_path):
    nbformat.write(notebook(*CELLS), lab.root / "bertviz.ipynb")
    with new_page(chromium) as page:
        refused = only_from(page, lab.url, lab.url.replace("http", "ws"))
        lab.open(page, "bertviz.ipynb")
        assert lab.run_all(page) == []
        frames = {view: drawn_in(page, view) for view in VIEWS}
        head = frames["head"]
        head.locator("#left text").nth(1).hover()
        assert set(numbers(head.locator("line[visibility=visible]"), "left-token-index")) == {1}
        background = frames["model"].locator("#attn_background_0_0")
        assert background.get_attribute("fill") == "white"
        lab.change_theme(page, "JupyterLab Dark")
        frames["model"].locator("#attn_background_0_0[fill=black]").wait_for()
        page.evaluate("window.jupyterapp.commands.execute('docmanager:save')")
        assert refused == []
    lab.shut_down_kernels()

    html, _ = HTMLExporter().from_filename(str(lab.root / "bertviz.ipynb"))
    (tmp_path / "bertviz.html").write_text(html, encoding="utf-8")
    with new_page(chromium) as page:
        page.goto((tmp_path / "bertviz.html").as_uri())
        for view in VIEWS:
            drawn_in(page, view)
