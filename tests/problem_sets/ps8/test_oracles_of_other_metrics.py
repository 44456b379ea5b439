"""The references of chrF, the bootstrap, the agreement of raters and the matching against oracles of others."""

import math
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF
from sklearn.metrics import cohen_kappa_score

from course_lib.metrics.significance import SEED, paired_bootstrap, ratio
from course_lib.problem_sets.ps8 import agreement, bootstrap, chrf, greedy_matching

letters = st.text(st.sampled_from("abc. \t"), max_size=14)
long = st.text(st.sampled_from("abc."), min_size=6, max_size=12).map(lambda text: f"{text[:3]} \t{text[3:]}")
written = st.tuples(letters, st.sampled_from("abc.")).map("".join)
points = st.lists(st.tuples(st.integers(1, 5), st.integers(1, 5)), min_size=1, max_size=12)


def vectors(count):
    return st.lists(st.lists(st.floats(0.1, 1), min_size=3, max_size=3), min_size=count, max_size=count)


@given(letters, written, st.sampled_from((1, 2, 3)))
def test_chrf_of_a_sentence_is_sacrebleus(hypothesis, reference, beta):
    expected = CHRF(beta=beta).sentence_score(hypothesis, [reference]).score
    for function in chrf.reference, chrf.defined:
        assert function([hypothesis], [reference], beta) == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(letters, long), min_size=2, max_size=4))
def test_chrf_of_a_corpus_whose_references_are_long_is_sacrebleus(pairs):
    hypotheses, references = map(list, zip(*pairs, strict=True))
    expected = CHRF().corpus_score(hypotheses, [references]).score
    for function in chrf.reference, chrf.defined:
        assert function(hypotheses, references, 2.0) == pytest.approx(expected, abs=1e-9)


@given(st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.integers(3, 6)), min_size=2, max_size=6))
def test_the_p_value_is_that_of_the_paired_bootstrap_with_its_own_resamples(segments):
    a, b = ([(each[k], each[2]) for each in segments] for k in (0, 1))
    drawn = np.random.default_rng(SEED).choice(len(a), size=(50, len(a))).tolist()
    expected = paired_bootstrap(np.array(a), np.array(b), ratio, samples=50)
    differences, wins, p = bootstrap.reference(a, b, drawn)
    assert (len(differences), wins, p) == (50, pytest.approx(expected.wins), pytest.approx(expected.p_value))


@given(points)
def test_both_kappas_are_those_of_scikit_learn(pairs):
    first, second = map(list, zip(*pairs, strict=True))
    observed, chance, kappa, weighted = agreement.reference(first, second)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn says so where a κ is 0 / 0
        expected = [cohen_kappa_score(first, second, weights=w, labels=[1, 2, 3, 4, 5]) for w in (None, "quadratic")]
    assert [kappa, weighted] == pytest.approx(expected, abs=1e-9, nan_ok=True)
    assert math.isnan(kappa) == (len({*first, *second}) == 1)
    assert math.isnan(kappa) or kappa * (1 - chance) == pytest.approx(observed - chance, abs=1e-9)


@given(vectors(2), vectors(3))
def test_the_best_pairs_are_those_of_all_pairs(candidate, reference):
    """The cosines by torch's own function, and the best one of each piece by going through them all."""
    c, r = torch.tensor(candidate), torch.tensor(reference)
    cosines = torch.nn.functional.cosine_similarity(c[:, None], r[None], dim=2).tolist()
    w, v = [1.0, 3.0], [2.0, 0.0, 0.5]
    precision = sum(weight * max(row) for weight, row in zip(w, cosines, strict=True)) / sum(w)
    recall = sum(weight * max(row) for weight, row in zip(v, zip(*cosines, strict=True), strict=True)) / sum(v)
    expected = precision, recall, 2 / (1 / precision + 1 / recall)
    assert greedy_matching.reference(c, r, torch.tensor(w), torch.tensor(v)) == pytest.approx(expected, abs=1e-5)
