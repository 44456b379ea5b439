"""Lecture 01: its small example by hand, its check of the reader's own error rate, and that it asks for no network."""

from itertools import product
from math import prod
from pathlib import Path

import nbformat
import pytest

from course_lib.alignment import alignment_error_rate

LECTURE = Path(__file__).parents[2] / "lectures" / "01_translation.ipynb"
ALIGNMENTS = [{(i, i * k % 4) for i in range(4)} for k in range(20)]
GOLD = [{(i, i) for i in range(4)}] * 20


@pytest.fixture(scope="module")
def cells():
    return {cell.id: cell.source for cell in nbformat.read(LECTURE, 4).cells}


def test_the_ambiguous_sheep_by_hand(cells):
    """Independent: each of 2 · 2 · 1 · 2 sentences gets 1/8. Neighbours: das/die, then schlief/schliefen after dort."""
    room = {"prod": prod}
    exec(cells["sheep"], room)
    candidates = list(product(("das", "die"), ("Schaf", "Schafe"), ("dort",), ("schlief", "schliefen")))
    given = [{y: room["probability"](y, memory) for y in candidates} for memory in (0, 1, 3)]
    assert all(sum(distribution.values()) == 1 for distribution in given)
    assert set(given[0].values()) == {1 / 8}
    assert [y for y in candidates if given[1][y] == 1 / 4] == [
        (article, sheep, "dort", verb)
        for article, sheep in (("das", "Schaf"), ("die", "Schafe"))
        for verb in ("schlief", "schliefen")
    ]
    assert {y for y in candidates if given[2][y] == 1 / 2} == set(room["GERMAN"])


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("return None", "not written yet"),
        ("return 1 - 2 * len(predicted & sure) / (len(predicted) + len(sure))", "Right"),
    ],
)
def test_the_warm_up_accepts_a_right_answer(cells, capsys, answer, said):
    check(cells, answer)
    assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    "answer",
    [
        "return 1 - len(predicted & sure) / len(sure)",  # recall alone
        "return 2 * len(predicted & sure) / (len(predicted) + len(sure))",  # the right share, not the wrong one
        "return 1 - 2 * len(predicted & sure) / len(predicted | sure)",
    ],
)
def test_the_warm_up_refuses_a_wrong_answer(cells, answer):
    with pytest.raises(AssertionError, match=r"sentence \d+: yours is"):
        check(cells, answer)


def check(cells, answer):
    ahead = [*ALIGNMENTS[:-1], {(0, 0), (1, 1), (2, 3)}]
    room = {"ahead": ahead, "gold": GOLD, "alignment_error_rate": alignment_error_rate}
    exec(cells["warm-up-aer"].replace("return None", answer), room)
    exec(cells["warm-up-aer-check"], room)


def test_nothing_is_downloaded_unless_asked_for(cells):
    assert cells["multi30k"].startswith("DOWNLOAD_MULTI30K = False")
    room = {}
    exec(cells["multi30k"], room)
    assert "captions" not in room
