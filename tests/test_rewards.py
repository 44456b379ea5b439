"""Rewards of one sentence, beside the libraries that others wrote."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.gleu_score import sentence_gleu
from sacrebleu.metrics import BLEU, CHRF

from course_lib.systems.rewards import REWARDS, chrf, constant, gleu, smoothed_bleu

words = st.lists(st.sampled_from("abcd"), max_size=9)
some = st.lists(st.sampled_from("abcd"), min_size=1, max_size=9)


@given(some, some)
def test_gleu_is_nltks(output, reference):
    assert gleu(output, reference) == pytest.approx(sentence_gleu([reference], output))


@given(some, some)
def test_bleu_adds_one_to_each_order_from_two_on_as_sacrebleu_does(output, reference):
    metric = BLEU(smooth_method="add-k", smooth_value=1, tokenize="none")
    expected = metric.sentence_score(" ".join(output), [" ".join(reference)]).score / 100
    if len(output) >= 4:  # sacreBLEU gives 0 where there is no n-gram of an order
        assert smoothed_bleu(output, reference) == pytest.approx(expected)


def test_bleu_of_three_words_by_hand():
    # 3 of 3 words, (1 + 1) of (2 + 1) pairs, (0 + 1) of (1 + 1) triples, (0 + 1) of (0 + 1) fours; 3 words beside 4
    expected = (1 * 2 / 3 * 1 / 2 * 1) ** (1 / 4) * math.exp(1 - 4 / 3)
    assert smoothed_bleu(["a", "b", "a"], ["a", "b", "c", "a"]) == pytest.approx(expected)


@given(some, some)
def test_chrf_is_sacrebleus(output, reference):
    expected = CHRF().sentence_score(" ".join(output), [" ".join(reference)]).score / 100
    assert chrf(output, reference) == pytest.approx(expected)


@given(words, some)
@pytest.mark.parametrize("name", REWARDS)
def test_a_reward_lies_between_0_and_1_and_is_1_for_the_reference(name, output, reference):
    assert 0 <= REWARDS[name](output, reference) <= 1 + 1e-12
    if len(reference) >= 4:
        assert REWARDS[name](reference, reference) == pytest.approx(1)


@given(words, some)
def test_the_constant_reward_knows_nothing_of_the_output(output, reference):
    assert constant(output, reference) == constant(reference, reference) == 1


def test_an_output_that_is_empty_or_shares_no_word_gets_nothing():
    for reward in (smoothed_bleu, gleu, chrf):
        assert reward([], ["a", "b"]) == reward(["c"], ["a", "b"]) == 0


def test_gleu_needs_no_brevity_penalty():
    reference = ["a", "b", "c", "d", "e", "f"]
    assert gleu(reference[:3], reference) < gleu(reference[:5], reference) < gleu(reference, reference) == 1
    assert gleu(reference + ["x"] * 3, reference) < 1
