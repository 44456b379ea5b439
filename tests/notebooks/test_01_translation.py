"""Lecture 01: how it judges the reader's own error rate."""

import pytest

from course_lib.alignment import alignment_error_rate

from .lecture import sources

ALIGNMENTS = [{(i, i * k % 4) for i in range(4)} for k in range(20)]
SURE = [{(i, i) for i in range(4)}] * 20
POSSIBLE = [{(i, i) for i in range(4)} | {(0, 1), (2, 0), (3, 2)}] * 20


def check(answer):
    """The lecture's check of `my_aer` on alignments of ours."""
    cells = sources("01_translation")
    ahead = [*ALIGNMENTS[:-1], {(0, 0), (1, 1), (2, 3)}]
    names = {"ahead": ahead, "sure": SURE, "possible": POSSIBLE, "alignment_error_rate": alignment_error_rate}
    exec(cells["my-aer"].replace("return None", answer), names)
    exec(cells["my-aer-check"], names)


def test_the_exercise_accepts_a_right_answer(capsys):
    check("return 1 - (len(A & S) + len(A & P)) / (len(A) + len(S))")
    assert "Right" in capsys.readouterr().out


@pytest.mark.parametrize(
    "answer",
    [
        "return 1 - len(A & S) / len(S)",  # recall alone
        "return (len(A & S) + len(A & P)) / (len(A) + len(S))",  # the right share, not the wrong one
        "return 1 - 2 * len(A & S) / (len(A) + len(S))",  # as if only sure links were right
        "return 1 - (len(A & S) + len(A & P)) / len(A | S)",
    ],
)
def test_the_exercise_refuses_a_wrong_answer(answer):
    with pytest.raises(AssertionError, match=r"sentence \d+: yours is"):
        check(answer)
