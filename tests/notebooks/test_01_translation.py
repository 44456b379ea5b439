"""Lecture 01: what it takes from the seeds, what its prose says, and how it judges the reader's own error rate."""

import pytest

from course_lib.alignment import alignment_error_rate

from .lecture import sources

SEEDS = {
    "Straka: y_i depends on all of x and all earlier y, unlike CRF and CTC": (
        "sheep-answer",
        "rows[0][1] < rows[1][1] < rows[2][1] == 1 and rows[2][2] == 0",
    ),
    "Thadani: a language model of n-grams": ("perplexity", "perplexities[1] > perplexities[2] > perplexities[3]"),
    "Thadani: p(T) says which order of words is fluent": ("orders", "rows[0][1] == max(row[1] for row in rows)"),
    "Thadani: alignments are learnt without supervision": (
        "stepper-numbers",
        "np.allclose(haus[:3], [1 / 4, 1 / 2, 4 / 7])",
    ),
    "Thadani: how good an alignment is (AER)": ("aer", "'[picture]' in output and len(rates) == 3"),
    "Thadani: phrases, in two languages, that map to each other": ("phrases", "len(spans) > 1"),
    "Thadani: a phrase table from a large corpus": (
        "table",
        "all(0 < row[2] <= 1 for row in rows) and ('Montag', 'Monday') in {(row[0], row[1]) for row in rows}",
    ),
    "Thadani: phrase-based decoding with a language model": ("weights", "by_weight[0] < 0.7 * by_weight[1]"),
    "Thadani: German puts its verb last": (
        "crossing",
        "scores['change places farther apart'] < 0.8 * scores['stay in order']",
    ),
    "Thadani: translation as a conditional language model": ("bridge", "min(mixed) < 0.85 * min(mixed[0], mixed[-1])"),
}

PROSE = {
    "without any memory each of the 2 · 2 · 1 · 2 sentences gets 1/8": (
        "sheep-answer",
        "len(candidates) == 8 and {probability(y, 0) for y in candidates} == {1 / 8}",
    ),
    "with the word before, das and die and then schlief and schliefen are mixed": (
        "sheep-answer",
        "{y for y in candidates if probability(y, 1) == 1 / 4} == "
        "{(*words, 'dort', verb) for words in (y[:2] for y in GERMAN) for verb in (y[3] for y in GERMAN)}",
    ),
    "with all words before only the two right sentences are left": (
        "sheep-answer",
        "{y for y in candidates if probability(y, 3) > 0} == set(GERMAN)",
    ),
    "nothing is downloaded unless the reader asks for it": (
        "multi30k",
        "not DOWNLOAD_MULTI30K and 'captions' not in globals()",
    ),
    "the warm-up waits for an answer": ("warm-up-aer-check", "'not written yet' in output"),
}

ALIGNMENTS = [{(i, i * k % 4) for i in range(4)} for k in range(20)]
GOLD = [{(i, i) for i in range(4)}] * 20


def check(answer):
    """The lecture's check of `my_aer` on alignments of ours."""
    cells = sources("01_translation")
    ahead = [*ALIGNMENTS[:-1], {(0, 0), (1, 1), (2, 3)}]
    names = {"ahead": ahead, "gold": GOLD, "alignment_error_rate": alignment_error_rate}
    exec(cells["warm-up-aer"].replace("return None", answer), names)
    exec(cells["warm-up-aer-check"], names)


def test_the_warm_up_accepts_a_right_answer(capsys):
    check("return 1 - 2 * len(predicted & sure) / (len(predicted) + len(sure))")
    assert "Right" in capsys.readouterr().out


@pytest.mark.parametrize(
    "answer",
    [
        "return 1 - len(predicted & sure) / len(sure)",  # recall alone
        "return 2 * len(predicted & sure) / (len(predicted) + len(sure))",  # the right share, not the wrong one
        "return 1 - 2 * len(predicted & sure) / len(predicted | sure)",
    ],
)
def test_the_warm_up_refuses_a_wrong_answer(answer):
    with pytest.raises(AssertionError, match=r"sentence \d+: yours is"):
        check(answer)
