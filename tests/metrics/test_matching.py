"""Greedy matching against bert-score on the same vectors, and by our own encoders."""

import math
from functools import cache

import pytest
import torch
from bert_score.utils import get_idf_dict, greedy_cos_idf
from hypothesis import given
from hypothesis import strategies as st

from course_lib.checkpoints import load
from course_lib.metrics import matching as m
from course_lib.search.ensemble import Ensemble
from course_lib.translator import Translator

sizes = st.tuples(st.integers(1, 6), st.integers(1, 6), st.integers(1, 5), st.integers(0, 10**6))


def vectors(sizes):
    """Random vectors and weights of two sentences."""
    n, k, d, seed = sizes
    generator = torch.Generator().manual_seed(seed)
    candidate, reference = torch.randn(n, d, generator=generator), torch.randn(k, d, generator=generator)
    weights = [(torch.rand(length, generator=generator) + 0.01).tolist() for length in (n, k)]
    return candidate, reference, *weights


def bert_scores(candidate, reference, candidate_weights, reference_weights) -> list[float]:
    """P, R and F of bert-score. It writes into what it is given, and takes two pieces for a sentence without words."""
    sides = []
    for side, weights in ((reference, reference_weights), (candidate, candidate_weights)):
        sides += [side[None].clone(), torch.ones(1, len(side)), torch.tensor([weights], dtype=torch.float32)]
    return [value.item() for value in greedy_cos_idf(*sides)]


@given(sizes.filter(lambda sizes: 2 not in sizes[:2]))
def test_precision_recall_and_f1_are_bert_scores(sizes):
    found = m.greedy_matching(*vectors(sizes))
    expected = bert_scores(*vectors(sizes))
    assert [found.precision, found.recall] == pytest.approx(expected[:2], abs=1e-5)
    if expected[0] + expected[1] > 0.1:  # near 0 the ratio of two small sums is anything
        assert found.f1 == pytest.approx(expected[2], abs=1e-4)


@given(sizes)
def test_each_piece_is_matched_with_the_most_similar_one(sizes):
    """The published formula, by loops."""
    candidate, reference, w, v = vectors(sizes)
    found = m.greedy_matching(candidate, reference, w, v)

    def cos(x, y):
        return sum(a * b for a, b in zip(x, y, strict=True)) / math.hypot(*x) / math.hypot(*y)

    table = [[cos(x, y) for y in reference.tolist()] for x in candidate.tolist()]
    assert found.similarity.tolist() == [pytest.approx(row, abs=1e-5) for row in table]
    P = sum(weight * max(row) for weight, row in zip(w, table, strict=True)) / sum(w)
    R = sum(weight * max(column) for weight, column in zip(v, zip(*table, strict=True), strict=True)) / sum(v)
    assert (found.precision, found.recall) == pytest.approx((P, R), abs=1e-5)
    for j, i in enumerate(found.of_candidate):
        assert table[j][i] == pytest.approx(max(table[j]), abs=1e-5)
    for i, j in enumerate(found.of_reference):
        assert table[j][i] == pytest.approx(max(row[i] for row in table), abs=1e-5)


@given(sizes)
def test_precision_and_recall_change_places_with_the_sentences(sizes):
    candidate, reference, w, v = vectors(sizes)
    one, other = m.greedy_matching(candidate, reference, w, v), m.greedy_matching(reference, candidate, v, w)
    assert (one.precision, one.recall) == pytest.approx((other.recall, other.precision), abs=1e-6)
    assert m.greedy_matching(candidate * 7, candidate).f1 == pytest.approx(1, abs=1e-5), "length does not count"


def test_a_piece_of_weight_0_counts_for_nothing_and_can_be_matched():
    candidate, reference = torch.eye(3)[:2], torch.eye(3)[1:]
    found = m.greedy_matching(candidate, reference, [1.0, 0.0], [1.0, 1.0])
    assert (found.precision, found.recall) == (0, 0.5)
    assert m.greedy_matching(candidate, reference, [0.0, 1.0], [1.0, 0.0]).f1 == 1


def test_where_one_side_is_empty_all_is_0():
    for candidate, reference in ((torch.zeros(0, 3), torch.eye(3)), (torch.eye(3), torch.zeros(0, 3))):
        found = m.greedy_matching(candidate, reference)
        assert (found.precision, found.recall, found.f1, found.of_candidate) == (0, 0, 0, [])


class Letters:
    """As much of a tokenizer as bert-score asks for: a letter is a piece."""

    model_max_length = 512

    def encode(self, text, **_):
        return [*map(ord, text)]


@given(st.lists(st.text("abcd", min_size=1, max_size=5), min_size=1, max_size=6), st.text("abcdxyz", max_size=6))
def test_idf_is_bert_scores(references, asked):
    expected = get_idf_dict(references, Letters(), nthreads=0)
    assert m.Idf(references)(asked) == pytest.approx([expected[ord(letter)] for letter in asked])


def test_rescaling_puts_the_baseline_at_0_and_1_at_1():
    assert m.rescaled(0.83, 0.83) == 0
    assert m.rescaled(1.0, 0.83) == 1
    assert m.rescaled(0.8, 0.83) < 0


@cache
def translator(name: str):
    return load(name)


@pytest.mark.parametrize("name", ["fixed", "attention", "transformer"])
def test_the_encoder_of_a_translator_tells_what_is_like_what(name):
    pieces, states = m.encoder_states(translator(name), "The cat sleeps.")
    assert (pieces[-1], len(pieces)) == ("</s>", len(states))
    assert states.isfinite().all()
    same = m.match_sentences(translator(name), "The cat sleeps.", "The cat sleeps.")[2]
    other = m.match_sentences(translator(name), "The cat sleeps.", "The cat sleeps now.")[2]
    far = m.match_sentences(translator(name), "The cat sleeps.", "We bought seven houses.")[2]
    assert same.f1 == pytest.approx(1, abs=1e-5)
    assert same.f1 > other.f1 > far.f1


def test_the_states_are_those_that_the_decoder_looks_at():
    attention = translator("attention")
    with torch.no_grad():
        memory = attention.model.encode(*attention.read(["The cat sleeps."]))
    assert torch.equal(m.encoder_states(attention, "The cat sleeps.")[1], memory.h[0])
    transformer = translator("transformer")
    _, states = m.encoder_states(transformer, "The cat sleeps.")
    with torch.no_grad():
        memory = transformer.model.encode(*transformer.read(["The cat sleeps."]))
        expected = transformer.model.decoder.remember(states[None])
    for ours, theirs in zip(expected, memory.layers, strict=True):
        assert all(torch.allclose(x, y, atol=1e-6) for x, y in zip(ours, theirs, strict=True))


def test_the_end_of_a_sentence_weighs_nothing_and_idf_weighs_the_rest():
    pieces, _, found = m.match_sentences(translator("attention"), "The cat sleeps.", "A cat sleeps.")
    best = found.similarity.amax(1)
    assert found.precision == pytest.approx(float(best[:-1].mean()), abs=1e-6)

    def idf(pieces):
        return [float(piece != ".</w>") for piece in pieces]

    weighted = m.match_sentences(translator("attention"), "The cat sleeps.", "A cat sleeps.", idf)[2]
    kept = [k for k, piece in enumerate(pieces) if piece not in (".</w>", "</s>")]
    assert weighted.precision == pytest.approx(float(best[kept].mean()), abs=1e-6)
    assert len(kept) == len(pieces) - 2


def test_a_model_without_an_encoder_of_its_own_is_refused():
    one = translator("attention")
    both = Translator(Ensemble([one.model, one.model]), one.tokenizer, one.vocabulary, words=one.words)
    with pytest.raises(TypeError, match="translator must hold a model with an encoder, got Ensemble"):
        m.encoder_states(both, "The cat sleeps.")


def test_strange_input_is_refused():
    with pytest.raises(
        ValueError, match=r"reference_weights must be 2 numbers, none below 0 and not all 0, got \[1.0\]"
    ):
        m.greedy_matching(torch.eye(2), torch.eye(2), None, [1.0])
    for weights in ([0.0, 0.0], [-1.0, 2.0], [math.nan, 1.0]):
        with pytest.raises(ValueError, match="candidate_weights must be 2 numbers, none below 0 and not all 0"):
            m.greedy_matching(torch.eye(2), torch.eye(2), weights)
    with pytest.raises(ValueError, match="baseline must be below 1, got 1.0"):
        m.rescaled(1.0, 1.0)
    with pytest.raises(ValueError, match="references must hold at least one sentence, got none"):
        m.Idf([])
