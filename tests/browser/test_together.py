"""Two lectures in one JupyterLab window: each widget looks as it does alone, and its toolbar stays in view."""

import json

import nbformat
import pytest

from tests.browser.conftest import new_page, notebook
from tests.browser.harness import KERNEL, kernel_says

ONE = notebook(
    "from course_lib.corpora.grammar import sample\n"
    "from course_lib.widgets import CorpusExplorer, EMStepper\n"
    "from course_lib.widgets.corpus_explorer import aligned_pairs\n"
    "EMStepper(step=1)",
    'pairs = aligned_pairs(sample(20), "de", "en")\n'
    'CorpusExplorer(pairs, ("German", "English"), {"first word": [{(0, 0)}] * 20}, overlay="first word")',
    "from course_lib.widgets import AttentionStepper\n"
    "from course_lib.widgets.attention_heads import THINKING_MACHINES\n"
    "AttentionStepper(THINKING_MACHINES, step=6)",
    "from course_lib.widgets import NgramExplorer, RatingForm\n"
    'NgramExplorer("the the cat", ["the cat sat", "a cat"], picked=[1, 0])',
    'RatingForm([{"source": "Hund", "outputs": {"a": "dog", "b": "hound"}}], "ranking")',
    'from course_lib.widgets import ScheduleExplorer\nScheduleExplorer("paper", warmup=400, steps=2000)',
)
OTHER = notebook(
    "import torch\n"
    "from course_lib.recurrent import LSTM, Clamp, RNNLanguageModel\n"
    "from course_lib.widgets import BPEStepper, GateExplorer\n"
    'BPEStepper("low lower lowest", "new newer newest", merges=5, step=2)',
    "torch.manual_seed(0)\n"
    'vocabulary = {character: number for number, character in enumerate("abde ")}\n'
    'GateExplorer(RNNLanguageModel(5, LSTM(3, 12)), vocabulary, "a bad bee", clamps=[Clamp("f", 0.5)])',
    "from course_lib.checkpoints import RNNRecipe, translator\n"
    "from course_lib.subwords import BPE\n"
    "from course_lib.widgets import AttentionHeatmap\n"
    'tiny = translator(RNNRecipe(embedding=8, hidden=8), BPE.learn("the cat sees a dog", 5))\n'
    'heatmap = AttentionHeatmap({"tiny": tiny}, "the cat")\n'
    "heatmap",
    'from course_lib.widgets import BeamStepper\nBeamStepper(tiny, "the cat", 2, step=4, max_length=4)',
    'from course_lib.widgets import SmoothingExplorer\nSmoothingExplorer(["a", "b", "c"], [2, 1, 0], epsilon=0.1)',
)
WIDGETS = {
    "one.ipynb": ["lm-em", "lm-explorer", "lm-attention", "lm-ngrams", "lm-rating", "lm-schedule"],
    "other.ipynb": ["lm-bpe", "lm-gates", "lm-heatmap", "lm-beam", "lm-smoothing"],
}

# Every element of a widget that is 560 pixels wide: its place in the widget and its computed style.
KEYS = (
    "display position overflow opacity color background-color box-shadow outline border-top border-right border-bottom "
    "border-left border-radius padding margin gap min-width min-height max-width grid-template-columns align-items "
    "justify-content font text-align text-decoration text-transform white-space list-style-type fill stroke "
    "stroke-width stroke-dasharray"
)
LOOK = """async ([name, keys]) => {
  const root = document.querySelector(`.${name}`);
  root.style.width = "560px";
  root.scrollIntoView(); // JupyterLab lays out what is in view
  const frame = () => new Promise((next) => requestAnimationFrame(next));
  await frame();
  await frame();
  const { left, top } = root.getBoundingClientRect();
  const look = [root, ...root.querySelectorAll("*")].map((element) => {
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    return {
      name: `${element.localName}.${element.getAttribute("class")}`,
      box: box.width ? [box.left - left, box.top - top, box.width, box.height] : [],
      style: Object.fromEntries(keys.split(" ").map((key) => [key, style.getPropertyValue(key)])),
    };
  });
  return JSON.stringify(look); // which Playwright hands over many times faster than objects
}"""


def looks(page, name):
    return {widget: json.loads(page.evaluate(LOOK, [widget, KEYS])) for widget in WIDGETS[name]}


def open_and_run(page, lab, name):
    lab.open(page, name)
    assert lab.run_all(page) == []
    page.locator(f".{WIDGETS[name][-1]} button").first.wait_for()
    page.mouse.move(0, 0)


def test_widgets_of_two_lectures_look_as_they_do_alone(chromium, lab):
    for name, content in zip(WIDGETS, (ONE, OTHER), strict=True):
        nbformat.write(content, lab.root / name)
    with new_page(chromium) as page:
        page.set_viewport_size({"width": 1700, "height": 1000})
        open_and_run(page, lab, "other.ipynb")
        alone = looks(page, "other.ipynb")
        open_and_run(page, lab, "one.ipynb")
        alone |= looks(page, "one.ipynb")
        page.evaluate("""() => window.jupyterapp.commands.execute(
            'docmanager:open', { path: 'other.ipynb', options: { mode: 'split-right' } })""")
        page.wait_for_function("window.jupyterapp.shell.currentWidget.context?.path === 'other.ipynb'")
        page.wait_for_function(f"{KERNEL} === 'idle'")
        assert lab.run_all(page) == []
        page.locator(".lm-smoothing button").first.wait_for()
        for name in WIDGETS:
            for widget, elements in looks(page, name).items():
                assert [element["name"] for element in elements] == [element["name"] for element in alone[widget]]
                for now, before in zip(elements, alone[widget], strict=True):
                    was, style = before["style"], now["style"]
                    assert {key: style.get(key) for key in was if style.get(key) != was[key]} == {}, now["name"]
                    assert now["box"] == pytest.approx(before["box"], abs=1), (widget, now["name"])
    lab.shut_down_kernels()


def test_the_heatmap_translates_and_forces_beside_another_lectures_widgets(chromium, lab):
    nbformat.write(OTHER, lab.root / "forced.ipynb")
    with new_page(chromium) as page:
        lab.open(page, "forced.ipynb")
        assert lab.run_all(page) == []
        heatmap = page.locator(".lm-heatmap")
        field = heatmap.get_by_label("Your sentence")
        field.fill("a dog sees the cat")
        field.press("Enter")
        heatmap.locator("thead th").nth(5).wait_for()
        assert heatmap.locator("thead th").all_inner_texts() == [*["a", "dog", "sees", "the", "cat"], "</s>"]
        heatmap.locator("tbody td").nth(1).focus()
        page.keyboard.press("Enter")
        heatmap.get_by_role("button", name="Undo the last").wait_for()
        weights = [0, 1000, 0, 0, 0, 0]
        asked = "heatmap.views[heatmap.at]['models'][0]['held']['levels']['words']['weights'][0]"
        assert kernel_says(page, asked, weights) == weights
        cells = page.locator(".jp-Notebook .jp-Cell").count()
        page.keyboard.press("b")  # in JupyterLab: a new cell below
        assert page.locator(".jp-Notebook .jp-Cell").count() == cells
        page.locator(".lm-bpe").get_by_role("button", name="Forward").click()
        page.locator(".lm-bpe").get_by_text("3 of").first.wait_for()
        assert heatmap.locator("tr:has(.lm-forced)").count() == 1
    lab.shut_down_kernels()


def test_the_toolbar_stays_in_view(chromium, lab):
    nbformat.write(OTHER, lab.root / "tall.ipynb")
    with new_page(chromium) as page:
        page.set_viewport_size({"width": 800, "height": 500})
        lab.open(page, "tall.ipynb")
        assert lab.run_all(page) == []
        stepper = page.locator(".lm-bpe")
        forward = stepper.get_by_role("button", name="Forward")
        assert stepper.bounding_box()["height"] > 600
        stepper.locator(".lm-vocabulary").last.scroll_into_view_if_needed()
        panel = page.locator(".jp-WindowedPanel-outer").bounding_box()
        assert stepper.bounding_box()["y"] < panel["y"] - 60  # its head is out of view, but for the toolbar
        assert panel["y"] <= forward.bounding_box()["y"] < panel["y"] + 30
        forward.click()
        stepper.get_by_text("3 of").first.wait_for()
    lab.shut_down_kernels()
