"""Kneser-Ney against a case worked by hand, NLTK's recursion, and the laws of probability."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.lm import KneserNeyInterpolated

from course_lib.ngrams import BOS, EOS, NgramModel

words = st.sampled_from("abcd")
sentences = st.lists(st.lists(words, max_size=6), min_size=1, max_size=8)
TEXT = [line.split() for line in ("the dog saw the cat", "the cat saw a dog", "a dog slept", "the dog slept", "a cat")]


def test_bigrams_worked_by_hand():
    """Bigrams <s>a twice, ab, ac, b</s>, c</s>: five kinds; </s> follows two words, a, b, c one each; |V| + 1 = 5."""
    model = NgramModel([["a", "b"], ["a", "c"]], order=2, discount=0.75)
    rest = 0.75 * 4 / 5 * 1 / 5
    unigram = {"a": 0.25 / 5 + rest, "b": 0.25 / 5 + rest, "c": 0.25 / 5 + rest, EOS: 1.25 / 5 + rest, "z": rest}
    for word, probability in unigram.items():
        assert model.probability(word, ["z"]) == pytest.approx(probability)
    assert model.probability("b", ["a"]) == pytest.approx((1 - 0.75) / 2 + 0.75 * 2 / 2 * unigram["b"])
    assert model.probability("a", [BOS]) == pytest.approx((2 - 0.75) / 2 + 0.75 * 1 / 2 * unigram["a"])
    assert model.probability(EOS, ["a"]) == pytest.approx(0.75 * unigram[EOS])


@pytest.mark.parametrize("order", [2, 3, 4])
def test_the_recursion_is_nltks(order):
    """NLTK ends in the share of continuations, undiscounted: handed our unigrams instead, all the rest compares."""
    model = NgramModel(TEXT, order)
    nltk = KneserNeyInterpolated(order, discount=0.75)
    padded = [[BOS] * (order - 1) + sentence + [EOS] for sentence in TEXT]
    ngrams = [
        [tuple(s[end - n + 1 : end + 1]) for end in range(order - 1, len(s)) for n in range(1, order + 1)]
        for s in padded
    ]
    nltk.fit(ngrams, vocabulary_text=[word for sentence in padded for word in sentence])
    unseen = ("never seen",) * order
    nltk.estimator.unigram_score = lambda word: model.probability(word, unseen)
    for sentence in padded:
        for end in range(order - 1, len(sentence)):
            for word in model.vocabulary:
                history = tuple(sentence[end - order + 1 : end])
                assert model.probability(word, history) == pytest.approx(nltk.score(word, history))


@given(
    text=sentences, order=st.integers(1, 4), history=st.lists(st.sampled_from(["a", "b", "c", BOS, "z"]), max_size=5)
)
def test_probabilities_sum_to_one_after_any_history(text, order, history):
    model = NgramModel(text, order)
    assert sum(model.probability(word, history) for word in [*model.vocabulary, "never seen"]) == pytest.approx(1)
    assert model.probability("never seen", history) > 0


@given(text=sentences, order=st.integers(1, 4), sentence=st.lists(st.sampled_from("abz"), max_size=6))
def test_a_sentence_is_the_product_of_its_words(text, order, sentence):
    model = NgramModel(text, order)
    padded = [BOS] * (order - 1) + sentence + [EOS]
    product = math.prod(model.probability(padded[end], padded[:end]) for end in range(order - 1, len(padded)))
    assert model.log_probability(sentence) == pytest.approx(math.log(product))
    half = len(sentence) // 2
    first, history = model.extend((BOS,) * (order - 1), sentence[:half])
    second, history = model.extend(history, [*sentence[half:], EOS])
    assert first + second == pytest.approx(model.log_probability(sentence))
    assert len(history) == order - 1


def test_perplexity_falls_with_the_order_and_knows_its_own_text_best():
    own = [NgramModel(TEXT, order).perplexity(TEXT) for order in (1, 2, 3)]
    assert own == sorted(own, reverse=True)
    assert own[-1] < NgramModel(TEXT, 3).perplexity([sentence[::-1] for sentence in TEXT])
    model, size = NgramModel(TEXT, 2), sum(len(sentence) + 1 for sentence in TEXT)
    assert model.perplexity(TEXT) == pytest.approx(math.exp(-sum(map(model.log_probability, TEXT)) / size))


@pytest.mark.parametrize(
    "text, options, message",
    [
        ([], {}, "at least one, got none"),
        (TEXT, {"order": 0}, "got 0 and 0.75"),
        (TEXT, {"discount": 1.0}, "got 3 and 1.0"),
    ],
)
def test_what_cannot_be_is_refused(text, options, message):
    with pytest.raises(ValueError, match=message):
        NgramModel(text, **options)


def test_no_sentences_have_no_perplexity():
    with pytest.raises(ValueError, match="sentences must hold at least one, got none"):
        NgramModel(TEXT, 2).perplexity([])
