"""Tables and pictures as a lecture shows them."""

import base64
import re
from xml.etree import ElementTree

import pytest

from course_lib import plots
from course_lib.tables import Table


def test_a_table_in_text_and_in_html():
    table = Table(
        ["word <w>", "pieces", "n", "share"], [["low", ("lo", "w</w>"), 1234, 0.5], ["a", ["a"], 2, 0.125]], "A & B"
    )
    assert repr(table).splitlines() == [
        "word <w> | pieces | n | share",
        "low | lo w</w> | 1,234 | 0.500",
        "a | a | 2 | 0.125",
    ]
    tree = ElementTree.fromstring(table._repr_html_())
    assert tree.findtext("caption") == "A & B"
    assert [cell.text for cell in tree.iter("th")] == ["word <w>", "pieces", "n", "share"]
    assert [cell.get("scope") for cell in tree.iter("th")] == ["col"] * 4
    assert [span.text for span in tree.iter("span")] == ["lo", "w</w>", "a"]  # one box for each piece
    sides = [re.search(r"text-align: (\w+)", cell.get("style"))[1] for cell in tree.iter("td")]
    assert sides == ["left", "left", "right", "right"] * 2


def test_a_table_refuses_a_row_of_the_wrong_length():
    with pytest.raises(ValueError, match="a row has 1 cells, expected 2"):
        Table(["a", "b"], [["1"]])
    assert "<thead>" in Table(["a"], [])._repr_html_()


def test_a_picture_is_svg_with_alt_text_and_the_same_each_time():
    curve = {"A & B": ([1, 2], [10, 20]), "C": ([1, 2], [5, 30])}
    shares = {"A & B": ([1, 2], [80.0, 60.0]), "C": ([1, 2], [50.0, 40.4])}
    stars = {"A & B": (2, 4.0), "C": (2, 3.0)}
    make = {
        "A & B 20 distinct, 60 % unknown, C 30 distinct, 40 % unknown": lambda: plots.vocabulary_growth(curve, shares),
        "A & B from 10 to 20 pieces": lambda: plots.length_against_vocabulary(curve, stars, shares),
    }
    for told, draw in make.items():
        written = draw()._repr_html_()
        tree = ElementTree.fromstring(written.replace('">', '"/>', 1))
        assert told in tree.get("alt") and tree.get("alt") == repr(draw())
        assert ElementTree.fromstring(base64.b64decode(tree.get("src").partition("base64,")[2])).tag.endswith("svg")
        assert (draw()._repr_html_() == written) is True  # no time, no random names
