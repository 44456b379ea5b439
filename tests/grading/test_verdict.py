"""Verdicts as pages show them: everything that could be a student's is text, never markup."""

from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.grading import Verdicts
from course_lib.grading.verdict import Verdict, card, table

PLAIN = Verdict("ps1.t", "c", "what it asks", 0.0, 2.0, "what was seen", "3 words", "a mistake", "a hint", "1a2b3c4d")
ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</td></table><iframe>",
    "' onmouseover='alert(1)",
    "&lt;b&gt; <b>bold</b> <!-- -->",
    "javascript:alert(1) ]]> {{ }} <style>*{display:none}</style>",
]
FIELDS = ["task", "criterion", "says", "message", "case", "hint"]


class Page(HTMLParser):
    """The tags with their attributes, and the text, of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(attrs)))

    def handle_comment(self, data):
        self.tags.append(("comment", data))

    def handle_data(self, data):
        self.text += data


def renderings(verdict: Verdict) -> list[str]:
    return [card(verdict), table("A task", [verdict, PLAIN]), verdict._repr_mimebundle_()["text/html"]]


def assert_only_text(field: str, text: str) -> None:
    verdict = replace(PLAIN, **{field: text})
    for page, plain in zip(renderings(verdict), renderings(PLAIN), strict=True):
        assert Page(page).tags == Page(plain).tags, f"{field} became markup"


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("text", ATTACKS)
def test_markup_in_any_field_is_shown_as_text(field, text):
    assert_only_text(field, text)
    assert text in Page(card(replace(PLAIN, **{field: text}))).text


@given(st.sampled_from(FIELDS), st.text(st.sampled_from("<>&\"'/=!-ab \n"), min_size=1))
def test_no_text_becomes_markup(field, text):
    assert_only_text(field, text)


@pytest.mark.parametrize("text", ATTACKS)
def test_the_title_of_a_table_is_text(text):
    assert Page(table(text, [PLAIN])).tags == Page(table("A task", [PLAIN])).tags


def test_a_card_says_all_of_it():
    text = Page(card(PLAIN)).text
    for part in "ps1.t", "0 of 2 points", "seed 1a2b3c4d", "what it asks", "what was seen", "3 words", "a hint", "✗":
        assert part in text
    right = Page(card(replace(PLAIN, points=2.0, seed="public"))).text
    assert "✓" in right and "visible cases" in right and "a hint" not in right


def test_printed_it_says_all_of_it_and_its_repr_is_the_score():
    wrong, right = str(PLAIN), str(replace(PLAIN, points=2.0))
    for part in "✗ ps1.t · c 0 of 2 points: what it asks", "Seen: what was seen", "On: 3 words", "Hint: a hint":
        assert part in wrong.splitlines()
    assert right == "✓ ps1.t · c 2 of 2 points: what it asks"
    assert repr(PLAIN) == "0" and repr(replace(PLAIN, points=1.5)) == "1.5"


def test_a_table_adds_up():
    page = Page(table("A task", [PLAIN, replace(PLAIN, points=2.0), replace(PLAIN, points=1.5, of=1.5)]))
    assert "A task: 3.5 of 5.5 points on the visible cases" in page.text
    assert [tag for tag, _ in page.tags].count("tr") == 4


def test_a_task_as_text_has_each_hint_once_and_none_of_what_is_right():
    other = replace(PLAIN, criterion="d", hint="another hint")
    lines = repr(Verdicts("A task", (PLAIN, replace(PLAIN, criterion="e"), other))).splitlines()
    assert lines[0] == "A task" and [line[0] for line in lines[1:4]] == ["✗"] * 3
    assert lines[4:] == ["Hint: a hint", "Hint: another hint"]
    assert "hint" not in repr(Verdicts("A task", (replace(PLAIN, points=2.0),)))
