"""The widgets' JavaScript and CSS as text: all style lies under its own class, elements are written one way."""

import re

import pytest
import tinycss2

from course_lib.maintain.widgets import entries, modules
from course_lib.widgets import (
    AttentionHeatmap,
    AttentionStepper,
    BeamStepper,
    BPEStepper,
    CorpusExplorer,
    DiagramStepper,
    EMStepper,
    GateExplorer,
    GuessBox,
    NgramExplorer,
    RatingForm,
    ScheduleExplorer,
    SentenceCutter,
    SentenceMap,
    SmoothingExplorer,
)
from course_lib.widgets.base import front_end
from course_lib.widgets.bertviz import BertViz

WIDGETS = {
    "lm-attention": AttentionStepper,
    "lm-beam": BeamStepper,
    "lm-bertviz": BertViz,
    "lm-bpe": BPEStepper,
    "lm-cutter": SentenceCutter,
    "lm-em": EMStepper,
    "lm-explorer": CorpusExplorer,
    "lm-gates": GateExplorer,
    "lm-guess": GuessBox,
    "lm-map": SentenceMap,
    "lm-heatmap": AttentionHeatmap,
    "lm-ngrams": NgramExplorer,
    "lm-rating": RatingForm,
    "lm-schedule": ScheduleExplorer,
    "lm-smoothing": SmoothingExplorer,
}
SMALL = {"lm-bertviz", "lm-guess"}  # BertViz draws within a page of its own, the guess box is a single field
EVERY = WIDGETS | {"lm-diagram": DiagramStepper}  # whose pictures bring a style of their own
OUTSIDE = {  # the only selectors that reach out of a widget: the theme it reads, the boxes that Jupyter puts around it
    "[data-jp-theme-light=true] &",
    "[data-jp-theme-light=false] &",
    ":is(.jp-OutputArea-child, .jp-OutputArea-child > .jp-OutputArea-output):has(&)",
    ".jp-CodeCell:not(.jp-mod-outputsScrolled) .jp-OutputArea:has(&)",
}


def rules(content):
    """Every style rule, as (selector, content), inside conditional rules too. What is not such a rule is an error."""
    for node in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
        if node.type == "at-rule":
            assert node.lower_at_keyword in ("media", "container"), node.at_keyword
            yield from rules(node.content)
        else:
            assert node.type == "qualified-rule", getattr(node, "message", node)
            yield tinycss2.serialize(node.prelude).strip(), node.content


@pytest.mark.parametrize("root", WIDGETS)
def test_style_cannot_reach_another_widget(root):
    sheet = tinycss2.parse_stylesheet(str(WIDGETS[root]._css), skip_comments=True, skip_whitespace=True)
    assert [tinycss2.serialize(rule.prelude).strip() for rule in sheet] == [f".{root}"]
    nested = list(rules(sheet[0].content))
    assert len(nested) > (35 if root in SMALL else 50)
    for selector, content in nested:
        parts = selector.split(",") if "(" not in selector else [selector]
        assert all(part.strip() in OUTSIDE or "&" not in part or part.strip().startswith("&") for part in parts), (
            selector
        )
        for inner in tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True):
            assert inner.type == "declaration", inner


def test_each_widget_has_a_root_of_its_own():
    for root, widget in EVERY.items():
        assert [other for other in EVERY if f'"{other}"' in widget._esm] == [root]
    assert {widget.__module__.rpartition(".")[2] for widget in EVERY.values()} == set(entries())


def test_a_file_that_does_not_exist_is_an_error():
    with pytest.raises(FileNotFoundError, match="no_such_widget.js"):
        front_end("no_such_widget", root="lm-x")


@pytest.mark.parametrize("file", modules(), ids=lambda file: file.name)
def test_elements_are_written_in_one_style(file):
    """`h("tag.class", { attributes }, children)`: no class among the attributes, no empty attributes."""
    text = file.read_text(encoding="utf-8")
    assert not re.search(r"\bclass:|(?:h|svg)\([^()]*, \{\},", text)
    assert "createElement(" not in text
    assert "innerHTML" not in text or file.name == "diagram_stepper.js"  # pictures that Python drew, no reader's text
