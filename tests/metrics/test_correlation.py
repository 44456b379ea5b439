"""Correlations against scipy."""

import math
import warnings

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from course_lib.metrics import correlation as c

few = st.integers(0, 4)  # so that values are often equal
pairs = st.lists(st.tuples(few, few), min_size=2, max_size=15).map(lambda rows: np.array(rows, float).T)
FUNCTIONS = {c.pearson: scipy.stats.pearsonr, c.spearman: scipy.stats.spearmanr, c.kendall: scipy.stats.kendalltau}


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
@given(pairs)
def test_correlations_are_scipys(function, rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant input
        expected = FUNCTIONS[function](*rows)[0]
    assert function(*rows) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(st.lists(few, min_size=1, max_size=15))
def test_equal_values_share_the_mean_of_their_ranks(values):
    assert c.ranks(values).tolist() == scipy.stats.rankdata(values).tolist()


@given(pairs)
def test_pairwise_accuracy_is_the_share_of_pairs_in_the_right_order(rows):
    metric, human = rows
    told = [(i, j) for i in range(len(human)) for j in range(i) if human[i] != human[j]]
    right = sum((metric[i] - metric[j]) * (human[i] - human[j]) > 0 for i, j in told)
    expected = right / len(told) if told else math.nan
    assert c.pairwise_accuracy(metric, human) == pytest.approx(expected, nan_ok=True)


def test_one_outlier_makes_a_line_and_no_order():
    """Four systems alike, in no order, and one far below: Pearson's r is nearly 1 (Mathur et al. 2020)."""
    metric, human = [30.0, 30.5, 31, 30.2, 5], [0.2, 0.0, 0.1, 0.3, -2]
    assert c.pearson(metric, human) > 0.95
    assert c.pearson(metric[:4], human[:4]) < 0
    assert c.kendall(metric, human) < 0.3


def test_strange_input_is_refused():
    for function in (*FUNCTIONS, c.pairwise_accuracy):
        with pytest.raises(ValueError, match=r"at least two, got shapes \(2,\) and \(3,\)"):
            function([1, 2], [1, 2, 3])
        with pytest.raises(ValueError, match=r"at least two, got shapes \(1,\) and \(1,\)"):
            function([1], [1])
        with pytest.raises(ValueError, match="y must hold finite numbers, got nan"):
            function([1, 2], [1, math.nan])
