"""The Viterbi search against all segmentations, and against SentencePiece."""

from itertools import combinations, pairwise
from math import fsum, inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from course_lib.corpora.stories import stories
from course_lib.subwords import SentencePiece
from course_lib.subwords.viterbi import viterbi


def all_segmentations(text):
    """Every way to cut a text: any set of places between its characters."""
    for n in range(len(text)):
        for places in combinations(range(1, len(text)), n):
            yield tuple(text[i:j] for i, j in pairwise([0, *places, len(text)]))


@given(
    st.text("ab", min_size=1, max_size=7),
    st.dictionaries(st.text("ab", min_size=1, max_size=4), st.floats(-9, -0.01), min_size=1),
)
def test_it_finds_the_best_of_all_segmentations(text, log_p):
    totals = [fsum(log_p.get(piece, -inf) for piece in way) for way in all_segmentations(text)]
    if max(totals) == -inf:
        with pytest.raises(ValueError, match="text cannot be cut"):
            viterbi(text, log_p)
        return
    table = viterbi(text, log_p)
    assert table.best[-1] == pytest.approx(max(totals))
    assert fsum(log_p[piece] for piece in table.pieces) == pytest.approx(max(totals))
    assert "".join(table.pieces) == text


def test_sentencepiece_cuts_the_same():
    lines = stories("en")
    trained = SentencePiece.train(lines[:150], 400)
    log_p = {piece: trained.processor.get_score(trained.processor.piece_to_id(piece)) for piece in trained.vocabulary}
    words = sorted({word for line in lines[:150] for word in line.split()})
    assert len(words) > 300
    for word in words:
        ours, theirs = viterbi("▁" + word, log_p), trained.encode(word)
        assert ours.best[-1] == pytest.approx(fsum(log_p[piece] for piece in theirs), abs=1e-4), word


def test_a_tie_goes_to_the_longest_last_piece():
    log_p = {"a": log(0.1), "b": log(0.1), "c": log(0.1), "ab": log(0.2), "bc": log(0.2)}
    assert viterbi("abc", log_p).pieces == ("a", "bc")


def test_an_empty_text_has_no_pieces():
    assert viterbi("", {}).pieces == ()
