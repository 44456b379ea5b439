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


@given(pairs)
def test_pearsons_r_is_scipys(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of constant input
        expected = scipy.stats.pearsonr(*rows)[0]
    assert c.pearson(*rows) == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_one_outlier_makes_a_line_and_no_order():
    """Four systems in no order and one far below: Pearson's r is nearly 1 (Mathur et al. 2020), not Kendall's τ."""
    metric, human = [30.0, 30.5, 31, 30.2, 5], [0.2, 0.0, 0.1, 0.3, -2]
    assert c.pearson(metric, human) > 0.95
    assert c.pearson(metric[:4], human[:4]) < 0
    assert scipy.stats.kendalltau(metric, human)[0] < 0.3


def test_strange_input_is_refused():
    with pytest.raises(ValueError, match=r"at least two, got shapes \(2,\) and \(3,\)"):
        c.pearson([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match=r"at least two, got shapes \(1,\) and \(1,\)"):
        c.pearson([1], [1])
    with pytest.raises(ValueError, match="y must hold finite numbers, got nan"):
        c.pearson([1, 2], [1, math.nan])
