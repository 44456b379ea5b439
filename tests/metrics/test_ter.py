"""Edit distance against NLTK and its own path; TER against sacreBLEU over a corpus."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.metrics import edit_distance
from sacrebleu.metrics import TER

from course_lib.metrics import ter as t
from course_lib.metrics.segments import streams

from .pairs import noise, real, tokens


@given(tokens, tokens)
def test_the_distance_is_nltks_and_the_path_is_as_long(hypothesis, reference):
    edits = t.word_edits(hypothesis, reference)
    assert edits.edits == edit_distance(hypothesis, reference)
    path = t.edit_path(hypothesis, reference)
    assert sum(step.operation != t.MATCH for step in path) == edits.edits


@given(tokens, tokens)
def test_the_path_makes_the_hypothesis_into_the_reference(hypothesis, reference):
    path = t.edit_path(hypothesis, reference)
    assert [s.hypothesis for s in path if s.hypothesis is not None] == list(range(len(hypothesis)))
    assert [s.reference for s in path if s.reference is not None] == list(range(len(reference)))
    for step in path:
        i, j = step.hypothesis, step.reference
        assert (i is None, j is None) == (step.operation == t.INSERT, step.operation == t.DELETE)
        if i is not None and j is not None:
            assert step.operation == (t.MATCH if hypothesis[i] == reference[j] else t.SUBSTITUTE)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "operations"),
    [
        ("the black cat sleeps", "the cat sleeps", ["match", "delete", "match", "match"]),
        ("a", "b a", ["insert", "match"]),
        ("a b", "c", ["delete", "substitute"]),
        ("c", "a b", ["insert", "substitute"]),
    ],
)
def test_paths_worked_by_hand(hypothesis, reference, operations):
    """Of equally short paths, from the end: a substitution before a deletion or an insertion."""
    assert [step.operation for step in t.edit_path(hypothesis.split(), reference.split())] == operations


@pytest.mark.parametrize("case_sensitive", [False, True])
def test_ter_of_a_corpus_is_the_sum_of_its_segments(case_sensitive):
    for hypotheses, references in (noise(60, 3), real(60)):
        oracle = TER(case_sensitive=case_sensitive)
        expected = oracle.corpus_score(hypotheses, streams(references))
        found = t.corpus_ter(hypotheses, references, case_sensitive=case_sensitive)
        assert found.score == pytest.approx(expected.score, abs=1e-9)
        assert (found.edits, found.reference_length) == pytest.approx((expected.num_edits, expected.ref_length))


def test_a_block_that_is_moved_costs_one_edit():
    hypothesis, reference = "yesterday the cat slept", "the cat slept yesterday"
    assert t.corpus_ter([hypothesis], [[reference]]).score == 100 / 4
    assert t.word_edits(hypothesis.split(), reference.split()).score == 200 / 4


def test_text_that_is_not_cut_is_refused():
    with pytest.raises(TypeError, match="reference must be a list of tokens, got one string: 'the cat'"):
        t.word_edits(["the", "cat"], "the cat")


def test_a_shift_moves_a_block_and_keeps_the_rest_in_order():
    assert t.shifted("abcd", (0, 2), 1) == [*"cabd"]
    assert t.shifted("abcd", (2, 4), 0) == [*"cdab"]
    for block, to in ((1, 1), 0), ((2, 5), 0), ((0, 2), 3), ((-1, 1), 0):
        with pytest.raises(ValueError, match=r"block and to must lie within 4 words, got \("):
            t.shifted("abcd", block, to)


def test_more_than_100_is_possible_and_nothing_for_nothing_is_0():
    assert t.word_edits(["a", "b", "c"], ["x"]).score == 300
    assert t.word_edits([], []).score == 0
    assert t.word_edits(["a"], []).score == 100


@given(st.lists(st.tuples(tokens, tokens.filter(bool)), min_size=1, max_size=5))
def test_rates_add_up_by_their_statistics(pairs):
    parts = [t.word_edits(hypothesis, reference) for hypothesis, reference in pairs]
    edits, length = sum(part.statistics for part in parts)
    assert sum(parts).score == pytest.approx(edits / length)
