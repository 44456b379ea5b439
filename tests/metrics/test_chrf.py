"""chrF and chrF++ against sacreBLEU, number for number."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF

from course_lib.metrics import chrf as c
from course_lib.metrics.segments import streams

from .pairs import noise, real

texts = st.text(st.sampled_from("ab .,("), max_size=12)
written = texts.filter(str.strip)


@pytest.mark.parametrize(
    "options",
    [{}, {"word_order": 2}, {"beta": 1}, {"beta": 3, "word_order": 1}, {"lowercase": True}, {"character_order": 2}],
    ids=str,
)
def test_corpora_and_sentences_have_sacrebleus_score(options):
    oracle = CHRF(**{name.replace("character_order", "char_order"): value for name, value in options.items()})
    for seed in range(60):
        hypotheses, references = noise(7, seed)
        expected = oracle.corpus_score(hypotheses, streams(references)).score
        assert c.corpus_chrf(hypotheses, references, **options).score == pytest.approx(expected, abs=1e-9)
        for hypothesis, each in zip(hypotheses, references, strict=True):
            expected = oracle.sentence_score(hypothesis, each).score
            assert c.sentence_chrf(hypothesis, each, **options).score == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("word_order", [0, 2])
def test_sentences_of_the_grammar_have_sacrebleus_score(word_order):
    hypotheses, references = real(1000)
    oracle = CHRF(word_order=word_order)
    found = c.segment_chrf(hypotheses, references, word_order=word_order)
    for ours, hypothesis, each in zip(found, hypotheses, references, strict=True):
        assert ours.score == pytest.approx(oracle.sentence_score(hypothesis, each).score, abs=1e-9)
    expected = oracle.corpus_score(hypotheses, streams(references)).score
    assert sum(found).score == pytest.approx(expected, abs=1e-9)
    assert 50 < expected < 95


@given(texts, st.lists(written, min_size=1, max_size=3))
def test_short_texts_have_sacrebleus_score_too(hypothesis, references):
    expected = CHRF(word_order=2).sentence_score(hypothesis, references).score
    assert c.sentence_chrf(hypothesis, references, word_order=2).score == pytest.approx(expected, abs=1e-9)


@given(written, written)
def test_with_beta_1_hypothesis_and_reference_may_change_places(one, other):
    assert c.sentence_chrf(one, [other], beta=1).score == pytest.approx(c.sentence_chrf(other, [one], beta=1).score)


def test_recall_weighs_more_by_default():
    """What leaves half out is worse than what says twice as much: β = 2. With β = 1 they are alike."""
    short, long = c.sentence_chrf("abcdef", ["abcdefghijkl"]), c.sentence_chrf("abcdefghijkl", ["abcdef"])
    assert (short.precision, long.recall) == (1, 1)
    assert short.recall == pytest.approx(long.precision)
    assert short.score < long.score
    assert replace(short, beta=1.0).score == pytest.approx(replace(long, beta=1.0).score)


@given(written)
def test_a_text_that_is_its_reference_has_100_and_an_empty_one_0(text):
    assert c.sentence_chrf(text, [text]).score == pytest.approx(100)
    assert c.sentence_chrf("", [text]).score == 0


@given(texts, st.lists(written, min_size=1, max_size=3))
def test_the_best_reference_counts(hypothesis, references):
    best = max(c.sentence_chrf(hypothesis, [reference]).score for reference in references)
    assert c.sentence_chrf(hypothesis, references).score == best


@given(st.lists(st.tuples(texts, written), min_size=1, max_size=4))
def test_many_at_once_have_the_scores_of_each_alone(pairs):
    parts = [c.sentence_chrf(hypothesis, [reference]) for hypothesis, reference in pairs]
    together = c.chrf_score(np.stack([part.statistics for part in parts]))
    assert together == pytest.approx([part.score for part in parts], abs=1e-9)


def test_punctuation_is_a_word_of_its_own():
    assert c.chrf_words("(so) he, said . don't!") == ["(so", ")", "he", ",", "said", ".", "don't", "!"]


def test_strange_input_is_refused():
    with pytest.raises(ValueError, match="beta must be above 0, character_order at least 1 .*, got 0, 6 and 0"):
        c.corpus_chrf(["a"], [["a"]], beta=0)
    with pytest.raises(ValueError, match="got 2.0, 6 and -1"):
        c.corpus_chrf(["a"], [["a"]], word_order=-1)
    with pytest.raises(ValueError, match="only what is counted and weighted alike adds up"):
        c.sentence_chrf("a", ["a"]) + c.sentence_chrf("a", ["a"], word_order=2)
    with pytest.raises(TypeError, match="references must be a list of references, got one string: 'a b'"):
        c.sentence_chrf("a b", "a b")
