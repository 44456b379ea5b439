"""Tables as a lecture shows them."""

import math
import re
from xml.etree import ElementTree

import numpy as np
import pytest

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


def test_a_short_text_stays_on_one_line():
    tree = ElementTree.fromstring(Table(["system", "what it writes"], [["one vector", "5 → 6 (7)"]])._repr_html_())
    cells = [*tree.iter("th"), *tree.iter("td")]
    spaces = [re.search(r"white-space: (\w+)", cell.get("style"))[1] for cell in cells]
    assert spaces == ["nowrap", "normal"] * 2


@pytest.mark.parametrize(
    ("numbers", "written"),
    [
        ([1234, 5], ["1,234", "5"]),
        ([1, 0.25, 0.5], ["1.00", "0.25", "0.50"]),
        ([0.131082, 0.05], ["0.131", "0.050"]),
        ([1.0, 0.0001234], ["1.00", "1.2e-04"]),
        ([1.0, 0.5, 0.0000012], ["1.0", "0.5", "1.2e-06"]),
        ([203.44, 12.345, 5.6], ["203.4", "12.3", "5.6"]),
        ([2.0, 3.0], ["2.00", "3.00"]),
        ([1.0], ["1.00"]),
        ([-12.25, 0.0], ["-12.25", "0.00"]),
        ([26.75, 17.82, 35.63], ["26.75", "17.82", "35.63"]),
        ([1234.5, 10.25], ["1,234", "10"]),
        ([0.000123, 0.00456], ["0.000123", "0.004560"]),
        ([np.float32(0.5), np.int64(1), 0.25], ["0.50", "1.00", "0.25"]),
        ([math.nan, 0.5, -math.inf], ["nan", "0.5", "-inf"]),
        ([0.0, 0], ["0.00", "0.00"]),
    ],
)
def test_numbers_show_the_digits_that_matter(numbers, written):
    assert repr(Table(["x"], [[number] for number in numbers])).splitlines()[1:] == written


def test_decimals_that_are_asked_for_are_shown():
    table = Table(["n", "BLEU"], [[1, 26.71], [2, 8.0], ["", ""]], decimals=2)
    assert repr(table).splitlines()[1:] == ["1 | 26.71", "2 | 8.00", " | "]
    assert "text-align: left" not in table._repr_html_()


def test_numbers_are_typeset_as_numbers_and_nothing_else_is():
    rows = [["well-known -5", -4.5, "10^-16", "1e-05", ("10^-2",)], ["-", 1e-9, "4.5 %", "–", ("-1",)]]
    tree = ElementTree.fromstring(Table(["a 10^-3", "b", "c", "d", "e"], rows)._repr_html_())
    assert ["".join(cell.itertext()) for cell in tree.iter("td")] == [
        *("well-known −5", "−4.5", "10⁻¹⁶", "1·10⁻⁵", "10^-2"),
        *("-", "1.0·10⁻⁹", "4.5 %", "–", "-1"),
    ]
    assert [cell.text for cell in tree.iter("th")][0] == "a 10⁻³"
    sides = [re.search(r"text-align: (\w+)", cell.get("style"))[1] for cell in tree.iter("th")]
    assert sides == ["left", "right", "right", "right", "left"]


def test_a_word_in_a_column_of_numbers_stays_a_word():
    assert repr(Table(["x"], [["none"], [0.5], [1]])).splitlines()[1:] == ["none", "0.5", "1.0"]


def test_a_table_refuses_a_row_of_the_wrong_length():
    with pytest.raises(ValueError, match="a row has 1 cells, expected 2"):
        Table(["a", "b"], [["1"]])
    assert "<thead>" in Table(["a"], [])._repr_html_()
