"""What is kept of outputs: text without terminal codes and paths, true PNGs, and one score within its points."""

import base64
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat.v4 import new_output

from course_lib.grading.nbgrader_hooks import outputs, sanitize

PNG = base64.b64encode(b"\x89PNG\r\n\x1a\n rest").decode()


def test_only_text_and_pictures_are_kept():
    kept = outputs.students(
        new_output(
            "display_data", {"text/plain": "x", "text/html": "<script>", "image/png": PNG, "image/svg+xml": "<svg>"}
        )
    )
    assert kept.data == {"text/plain": "x", "image/png": PNG} and kept.metadata == {}


@pytest.mark.parametrize(
    "data", ["iVBORw0KGgo=' onerror='x()", "", "<script>", base64.b64encode(b"GIF89a").decode(), "ü", 7, None]
)
def test_what_is_no_png_is_dropped_or_made_clean(data):
    picture = sanitize.image(data)
    assert picture is None or base64.b64decode(picture, validate=True).startswith(b"\x89PNG")


def test_nothing_is_kept_of_an_output_of_scripts_alone():
    assert outputs.students(new_output("display_data", {"application/javascript": "x()"})) is None


def test_a_traceback_is_its_last_line():
    kept = outputs.students(new_output("error", ename="E", evalue="in /opt/me/x.py", traceback=["secret"]))
    assert (kept.ename, kept.evalue, kept.traceback) == ("E", "in <path>", ["E: in <path>"])


@given(st.text())
def test_no_control_character_stays(text):
    assert not any(ord(c) < 32 and c not in "\t\n" or 127 <= ord(c) < 160 for c in sanitize.plain(text))


def test_codes_links_and_titles_of_terminals_are_gone():
    assert "\x1b" not in sanitize.plain("\x1b[31mred\x1b[0m \x1b]8;;javascript:x()\x07link\x1b]0;title\x07")
    assert sanitize.plain("\x1b[31mred\x1b[0m") == "red"


def test_long_text_is_cut():
    assert len(sanitize.plain("x" * 10**6)) < 21_000


def test_half_a_character_is_dropped_for_no_file_can_store_it():
    kept = outputs.students(new_output("stream", name="stdout", text="a\ud800b"))
    assert kept.text == "ab" and sanitize.plain("\udfff") == ""


@pytest.mark.parametrize("name", ["NameError", "SyntaxError"])
def test_of_a_cell_behind_a_test_only_pythons_own_name_of_an_error_is_kept(name):
    told = [
        new_output("error", ename=name, evalue="hidden", traceback=["hidden"]),
        new_output("stream", name="stdout", text="hidden"),
    ]
    (kept,) = outputs.errors(told)
    assert kept.ename == name and "hidden" not in str(kept)
    assert outputs.errors([new_output("error", ename="hidden", evalue="", traceback=[])]) == []


def test_long_text_and_code_are_shown_as_they_are():
    text = "**a** <script>" + "x" * sanitize.MAX_MARKDOWN
    assert sanitize.markdown(text).startswith("<pre>**a** &lt;script&gt;xxx")
    code = "x = '<b>'\n" * sanitize.MAX_CODE
    assert "<pre>x = &#x27;&lt;b&gt;" in sanitize.code(code)
    assert "<strong>" in sanitize.markdown("**a**") and "<span" in sanitize.code("x = 1")


@pytest.mark.parametrize(
    "written, shown",
    [
        ("List<int> and x <y", "<p>List&lt;int&gt; and x &lt;y</p>"),
        ("<script>a()</script>", "&lt;script&gt;a()&lt;/script&gt;"),
        ("H<sub>2</sub>O <B>b</B>", "<p>H<sub>2</sub>O <b>b</b></p>"),
        ("<b class='jp-evil' style='color:red' onclick='a()'>b</b>", "<p><b>b</b></p>"),
        ("<b class='nn'>b</b>", '<p><b class="nn">b</b></p>'),
        ("<a href='jav\tascript:a()'>b</a>", '<p><a rel="noopener noreferrer">b</a></p>'),
        ("[b](https://c.d)", '<p><a href="https://c.d" rel="noopener noreferrer">b</a></p>'),
        ("3. b", '<ol start="3">\n<li>b</li>\n</ol>'),
        ("a\ud800b", "<p>a?b</p>"),
    ],
    ids=lambda text: ascii(text)[:20],
)
def test_of_markdown_text_and_links_are_left_and_no_word_is_lost(written, shown):
    assert sanitize.markdown(written).strip() == shown


def test_of_a_verdicts_html_only_styles_of_text_are_left():
    cleaned = sanitize.html('<div role="status" style="color:red;position:fixed" onclick="a()"><form>b</form></div>')
    assert cleaned == '<div role="status" style="color:red">&lt;form&gt;b&lt;/form&gt;</div>'


def score(*texts: str) -> list:
    return [new_output("execute_result", {"text/plain": text}, execution_count=1) for text in texts]


def test_a_score_within_its_points_counts():
    assert outputs.graders(score("0.5"), 1.0) == score("0.5")


@pytest.mark.parametrize("texts", [(), ("1", "1"), ("nan",), ("-1",), ("1.5",), ("inf",), ("x",), ("",)])
def test_anything_else_is_no_score_and_no_points(texts):
    (kept,) = outputs.graders(score(*texts), 1.0)
    assert (kept.output_type, kept.ename) == ("error", "NoScore")


def test_prints_and_errors_beside_a_score_do_not_count():
    beside = [
        new_output("stream", name="stderr", text="warning"),
        new_output("error", ename="E", evalue="", traceback=[]),
    ]
    assert outputs.graders([*beside, *score("1")], 1.0) == score("1")


def test_what_takes_long_to_render_is_shown_as_it_is_and_leaves_the_rest_of_the_page_its_time(monkeypatch):
    monkeypatch.setattr(sanitize, "TEXT_SECONDS", 0.05)
    page = sanitize.Page()

    def endless() -> str:
        while True:
            with contextlib.suppress(Exception):
                len("evil")

    assert page.in_time(endless, "plain") == "plain" and page.in_time(lambda: "rendered", "plain") == "rendered"
    page.left = 0.0
    assert page.in_time(lambda: "rendered", "plain") == "plain"
    page.ended -= 2 * sanitize.PAUSE
    assert page.in_time(lambda: "rendered", "plain") == "rendered", "another page"


def test_what_nests_too_deep_is_shown_as_it_is():
    def deeper() -> str:
        return deeper()

    assert sanitize.Page().in_time(deeper, "plain") == "plain"
    assert sanitize.markdown("") == "" and "<strong>a</strong>" in sanitize.markdown("**a**")
