"""BLEU against sacreBLEU, number for number, and against what its definition promises."""

import itertools
import logging
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as SacreBLEU

from course_lib.metrics import bleu as b
from course_lib.metrics.segments import streams

from .pairs import noise, pairs, real, references, tokens

logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it warns of sentences without effective order
SMOOTHINGS = [("none", None), ("floor", None), ("floor", 0.3), ("add-k", None), ("add-k", 0.5), ("exp", None)]


def same(ours: b.BLEU, theirs) -> None:
    """All parts. sacreBLEU adds k to the counts that it returns: its precisions are compared, not those counts."""
    assert ours.score == pytest.approx(theirs.score, abs=1e-9)
    assert ours.brevity_penalty == pytest.approx(theirs.bp, abs=1e-12)
    assert [100 * p for p in ours.precisions] == pytest.approx(theirs.precisions, abs=1e-9)
    assert (ours.hypothesis_length, ours.reference_length) == (theirs.sys_len, theirs.ref_len)
    if ours.smoothing != "add-k":
        assert (list(ours.matches), list(ours.totals)) == (theirs.counts, theirs.totals)


@pytest.mark.parametrize("effective", [False, True])
@pytest.mark.parametrize(("smoothing", "value"), SMOOTHINGS)
def test_corpora_and_sentences_have_sacrebleus_score_and_parts(smoothing, value, effective):
    oracle = SacreBLEU(smooth_method=smoothing, smooth_value=value, effective_order=effective, force=True)
    options = {"smoothing": smoothing, "smoothing_value": value, "effective_order": effective}
    for seed in range(60):
        hypotheses, texts = noise(random.Random(seed).randrange(1, 9), seed)
        same(b.corpus_bleu(hypotheses, texts, **options), oracle.corpus_score(hypotheses, streams(texts)))
        for hypothesis, each in zip(hypotheses, texts, strict=True):
            same(b.sentence_bleu(hypothesis, each, **options), oracle.sentence_score(hypothesis, each))


def test_sentences_of_the_grammar_have_sacrebleus_score_with_all_readings():
    hypotheses, texts = real(1000)
    assert max(map(len, texts)) > 1
    oracle = SacreBLEU(effective_order=True)
    for hypothesis, each, ours in zip(
        hypotheses, texts, b.segment_bleu(hypotheses, texts, effective_order=True), strict=True
    ):
        same(ours, oracle.sentence_score(hypothesis, each))
    corpus = b.corpus_bleu(hypotheses, texts)
    same(corpus, SacreBLEU().corpus_score(hypotheses, streams(texts)))
    assert 20 < corpus.score < 90


@pytest.mark.parametrize("options", [{"tokenizer": "intl"}, {"tokenizer": "char"}, {"lowercase": True}, {"order": 2}])
def test_tokenizer_case_and_order_are_sacrebleus(options):
    hypotheses, texts = noise(200, 5)
    theirs = {"tokenizer": "tokenize", "order": "max_ngram_order"}
    oracle = SacreBLEU(**{theirs.get(name, name): value for name, value in options.items()})
    found = b.corpus_bleu(hypotheses, texts, **options)
    same(found, oracle.corpus_score(hypotheses, streams(texts)))
    assert found.score != b.corpus_bleu(hypotheses, texts).score


@given(pairs, st.booleans())
def test_tokens_are_taken_as_they_are(corpus, lowercase):
    hypotheses, texts = map(list, zip(*corpus, strict=True))
    joined = [" ".join(hypothesis) for hypothesis in hypotheses], [[" ".join(text) for text in each] for each in texts]
    assert b.corpus_bleu(hypotheses, texts, tokenizer=None, lowercase=lowercase) == b.corpus_bleu(
        *joined, tokenizer="none", lowercase=lowercase
    )


def test_a_matched_word_counts_no_more_often_than_a_reference_has_it():
    """The example of Papineni et al. 2002, section 2.1: 2/7, not 7/7."""
    hypothesis = ["the", "the", "the", "the", "the", "the", "the"]
    texts = [["the", "cat", "is", "on", "the", "mat"], ["there", "is", "a", "cat", "on", "the", "mat"]]
    assert b.clipped(hypothesis, texts, 1) == {("the",): 2}
    assert b.count(hypothesis, texts).precisions[0] == pytest.approx(2 / 7)
    assert b.clipped(hypothesis, [texts[1], texts[1]], 1) == {("the",): 1}, "the maximum, not the sum"


@pytest.mark.parametrize(
    ("length", "lengths", "closest"), [(12, (12, 15, 17), 12), (9, (8, 10), 8), (9, (10, 8), 8), (20, (3, 4), 4)]
)
def test_the_closest_reference_length_counts_and_of_two_the_shorter(length, lengths, closest):
    assert b.closest_length(length, lengths) == closest


def test_brevity_costs_nothing_from_the_references_length_on():
    assert b.brevity_penalty([0, 1, 9, 10, 11], 10).tolist() == pytest.approx(
        [0, np.exp(-9), np.exp(1 - 10 / 9), 1, 1], abs=1e-15
    )


def test_a_perfect_corpus_of_short_sentences_has_bleu_0_without_effective_order():
    assert b.corpus_bleu(["a b c", "d e"], [["a b c"], ["d e"]]).score == 0
    assert b.corpus_bleu(["a b c", "d e"], [["a b c"], ["d e"]], effective_order=True).score == pytest.approx(100)
    assert b.corpus_bleu(["a b c d"], [["a b c d"]]).score == pytest.approx(100)


def test_exponential_smoothing_halves_with_each_order_without_matches():
    parts = b.BLEU(matches=(3, 0, 0, 0), totals=(6, 5, 4, 3), hypothesis_length=6, reference_length=6)
    assert parts.precisions == pytest.approx((3 / 6, 1 / (2 * 5), 1 / (4 * 4), 1 / (8 * 3)))


@pytest.mark.parametrize(("smoothing", "value"), SMOOTHINGS)
def test_what_matches_nothing_and_what_is_empty_have_bleu_0(smoothing, value):
    for hypothesis in ("x y z u v", ""):
        parts = b.sentence_bleu(hypothesis, ["a b c d e"], smoothing=smoothing, smoothing_value=value)
        assert (parts.score, parts.precisions) == (0, (0, 0, 0, 0))


@given(tokens.filter(lambda words: len(words) > 3), references)
def test_a_sentence_that_is_one_of_its_references_has_bleu_100(hypothesis, texts):
    assert b.count(hypothesis, [*texts, hypothesis]).score == pytest.approx(100)


@given(pairs)
def test_the_order_of_references_and_of_sentences_changes_nothing(corpus):
    def counted(corpus):
        return sum(b.count(hypothesis, texts) for hypothesis, texts in corpus)

    turned = [(hypothesis, texts[::-1]) for hypothesis, texts in reversed(corpus)]
    assert counted(corpus) == counted(turned)


@given(tokens, references, st.lists(st.sampled_from("abcd"), min_size=1, max_size=9))
def test_one_more_reference_never_takes_a_match_away(hypothesis, texts, more):
    fewer, all_of_them = b.count(hypothesis, texts), b.count(hypothesis, [*texts, more])
    assert all(x <= y for x, y in zip(fewer.matches, all_of_them.matches, strict=True))
    assert all_of_them.totals == fewer.totals


@given(pairs)
def test_a_score_stays_between_0_and_100_and_falls_with_brevity(corpus):
    for (smoothing, value), effective in itertools.product(SMOOTHINGS, (False, True)):
        chosen = {"smoothing": smoothing, "smoothing_value": value, "effective_order": effective}
        parts = sum(b.count(hypothesis, texts, **chosen) for hypothesis, texts in corpus)
        assert 0 <= parts.score <= 100 + 1e-9
        assert replace(parts, reference_length=parts.reference_length + 5).score <= parts.score + 1e-9


@given(st.lists(pairs, min_size=1, max_size=4), st.sampled_from(SMOOTHINGS), st.booleans())
def test_many_corpora_at_once_have_the_scores_of_each_alone(corpora, smoothing, effective):
    parts = [sum(b.count(h, texts) for h, texts in corpus) for corpus in corpora]
    method, value = smoothing
    together = b.bleu_score(np.stack([part.statistics for part in parts]), method, value, effective)
    alone = [replace(part, smoothing=method, smoothing_value=value, effective_order=effective).score for part in parts]
    assert together == pytest.approx(alone, abs=1e-9)


def test_parts_that_were_counted_otherwise_do_not_add_up():
    parts = b.count(["a"], [["a"]])
    for other in (
        b.count(["a"], [["a"]], order=2),
        replace(parts, smoothing="none"),
        replace(parts, smoothing_value=2),
    ):
        with pytest.raises(ValueError, match="only what is counted and smoothed alike adds up"):
            parts + other
    with pytest.raises(TypeError):
        parts + 1


def test_strange_settings_are_refused():
    with pytest.raises(ValueError, match="smoothing must be one of none, floor, add-k, exp, got 'nist'"):
        b.corpus_bleu(["a"], [["a"]], smoothing="nist")
    with pytest.raises(ValueError, match="smoothing must be one of"):
        b.precisions([1], [1], "nist")
    with pytest.raises(ValueError, match="smoothing_value must be above 0 or None, got 0"):
        b.corpus_bleu(["a"], [["a"]], smoothing="add-k", smoothing_value=0)
    with pytest.raises(ValueError, match="order must be at least 1, got 0"):
        b.corpus_bleu(["a"], [["a"]], order=0)
    with pytest.raises(ValueError, match="tokenizer must be None or one of none, zh, 13a, .*, got '14a'"):
        b.corpus_bleu(["a"], [["a"]], tokenizer="14a")
    with pytest.raises(TypeError, match="references must be a list of references, got one string: 'a b'"):
        b.sentence_bleu("a b", "a b")
