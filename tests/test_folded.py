"""A folded result: everything is there, nothing is open."""

from course_lib.folded import Folded
from course_lib.tables import Table


def test_it_holds_texts_and_tables_behind_a_summary():
    shown = Folded("a < b", Table(["x"], [[1]]), summary="Exercise 1")._repr_html_()
    assert shown.startswith("<details><summary>Exercise 1</summary><p>a &lt; b</p><table")
    assert shown.endswith("</table></details>")


def test_a_sentence_that_goes_on_in_the_next_text_stays_in_its_paragraph():
    shown = Folded("one,", "two.", Table(["x"], [[1]]), "three")._repr_html_()
    assert "<p>one,<br>two.</p><table" in shown and shown.endswith("</table><p>three</p></details>")


def test_as_text_it_is_its_parts():
    assert repr(Folded("two", Table(["x"], [[1]]))) == "Result\ntwo\nx\n1"
