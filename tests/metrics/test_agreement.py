"""Agreement against scikit-learn, NLTK, the package krippendorff and published examples."""

import math

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from nltk.metrics.agreement import AnnotationTask
from sklearn.metrics import cohen_kappa_score

from course_lib.metrics import agreement as a

labels = st.integers(1, 5)
two_raters = st.lists(st.tuples(labels, labels), min_size=2, max_size=20).map(
    lambda pairs: list(zip(*pairs, strict=True))
)


def tables(missing: bool):
    """Ratings of 2 to 4 raters for 2 to 8 items."""
    cell = st.one_of(st.none(), labels) if missing else labels
    sizes = st.tuples(st.integers(2, 4), st.integers(2, 8))
    return sizes.flatmap(
        lambda size: st.lists(st.lists(cell, min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0])
    )


@given(two_raters, st.sampled_from(a.WEIGHTS))
def test_cohens_kappa_is_scikit_learns(ratings, weights):
    assume(len({label for row in ratings for label in row}) > 1)
    expected = cohen_kappa_score(*ratings, weights=weights)
    assert a.cohen_kappa(*ratings, weights) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@given(two_raters, st.sampled_from(a.WEIGHTS))
def test_weights_are_steps_along_all_categories_not_only_those_that_occur(ratings, weights):
    assume(len({label for row in ratings for label in row}) > 1)
    expected = cohen_kappa_score(*ratings, weights=weights, labels=[1, 2, 3, 4, 5])
    assert a.cohen_kappa(*ratings, weights, range(1, 6)) == pytest.approx(expected, abs=1e-9, nan_ok=True)


def test_kappa_worked_by_hand():
    """Of 50 items both say yes to 20 and no to 15: p_o = .7, p_e = .5 · .6 + .5 · .4 = .5, κ = .2/.5."""
    first, second = ["yes"] * 25 + ["no"] * 25, ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert a.observed_agreement(first, second) == pytest.approx(0.7)
    assert a.cohen_kappa(first, second) == pytest.approx(0.4)
    assert a.cohen_kappa(first, second, "quadratic") == pytest.approx(0.4), "two categories are one step apart"


FLEISS = """
0 0 0 0 14   0 2 6 4 2   0 0 3 5 6   0 3 9 2 0   2 2 8 1 1
7 7 0 0 0    3 2 6 3 0   2 5 3 2 2   6 5 2 1 0   0 2 2 3 7
"""


def test_fleiss_kappa_of_a_published_table():
    """Ten items, 14 raters, five categories: the worked example of the Wikipedia article "Fleiss' kappa", .210."""
    assert a.fleiss_kappa(np.array(FLEISS.split(), int).reshape(10, 5)) == pytest.approx(0.210, abs=5e-4)


@given(tables(missing=False))
def test_fleiss_kappa_is_nltks_pi_of_many_raters(ratings):
    """Siegel and Castellan's K, which NLTK calls multi-π, is the same formula."""
    assume(len({label for row in ratings for label in row}) > 1)
    task = AnnotationTask([(str(r), str(i), label) for r, row in enumerate(ratings) for i, label in enumerate(row)])
    assert a.fleiss_kappa(a.category_counts(ratings)) == pytest.approx(task.pi(), abs=1e-9)


@given(tables(missing=True), st.sampled_from(a.LEVELS))
def test_krippendorffs_alpha_is_that_of_the_package(ratings, level):
    data = np.array(ratings, float)
    paired = data[:, (~np.isnan(data)).sum(0) > 1]
    assume(len(np.unique(paired[~np.isnan(paired)])) > 1)
    expected = krippendorff.alpha(reliability_data=data, level_of_measurement=level)
    assert a.krippendorff_alpha(ratings, level) == pytest.approx(expected, abs=1e-9)
    assert a.krippendorff_alpha(data.tolist(), level) == pytest.approx(expected, abs=1e-9), "NaN is missing, like None"


KRIPPENDORFF = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_krippendorffs_own_example(level, alpha):
    """Krippendorff 2011, "Computing Krippendorff's alpha-reliability", example C: four observers, twelve units."""
    rows = [line.split() for line in KRIPPENDORFF.strip().splitlines()]
    ratings = [[None if label == "." else int(label) for label in row] for row in rows]
    assert a.krippendorff_alpha(ratings, level) == pytest.approx(alpha, abs=5e-4)


def test_names_have_the_order_of_the_categories():
    words = ["bad", "fair", "good"]
    ratings = [[0, 1, 2, 2, 0, 1], [0, 2, 2, 1, 0, 1]]
    named = [[words[label] for label in row] for row in ratings]
    assert a.krippendorff_alpha(named, "ordinal", words) == a.krippendorff_alpha(ratings, "ordinal")
    assert a.krippendorff_alpha(named, "nominal") == a.krippendorff_alpha(ratings, "nominal")
    assert a.cohen_kappa(*named, "quadratic", words) == a.cohen_kappa(*ratings, "quadratic")
    assert a.category_counts(named, words).tolist() == [
        [2, 0, 0],
        [0, 1, 1],
        [0, 0, 2],
        [0, 1, 1],
        [2, 0, 0],
        [0, 2, 0],
    ]


@given(tables(missing=False), st.randoms())
def test_the_order_of_raters_and_items_changes_nothing(ratings, random):
    items = list(range(len(ratings[0])))
    random.shuffle(items)
    turned = [[row[i] for i in items] for row in reversed(ratings)]
    for level in a.LEVELS:
        assert a.krippendorff_alpha(ratings, level) == pytest.approx(
            a.krippendorff_alpha(turned, level), abs=1e-9, nan_ok=True
        )
    fleiss = [a.fleiss_kappa(a.category_counts(table)) for table in (ratings, turned)]
    assert fleiss[0] == pytest.approx(fleiss[1], abs=1e-9, nan_ok=True)


def test_who_always_agrees_has_1_and_who_follows_chance_has_about_0():
    random = np.random.default_rng(4)
    same = random.integers(1, 5, size=60).tolist()
    strangers = random.integers(1, 5, size=(2, 4000)).tolist()
    for measure in (
        a.cohen_kappa,
        lambda x, y: a.cohen_kappa(x, y, "linear"),
        lambda x, y: a.fleiss_kappa(a.category_counts([x, y])),
        lambda x, y: a.krippendorff_alpha([x, y]),
        lambda x, y: a.krippendorff_alpha([x, y], "ordinal"),
    ):
        assert measure(same, same) == pytest.approx(1)
        assert measure(*strangers) == pytest.approx(0, abs=0.08)  # five standard errors of about 1/√4000


def test_with_one_label_nothing_can_be_said():
    assert math.isnan(a.cohen_kappa([1, 1], [1, 1]))
    assert math.isnan(a.fleiss_kappa(np.array([[3, 0], [3, 0]])))
    assert math.isnan(a.krippendorff_alpha([[1, 1], [1, None]]))
    assert math.isnan(a.krippendorff_alpha([[1, None], [None, 2]])), "no item was rated twice"


def test_strange_input_is_refused():
    with pytest.raises(ValueError, match="same items, at least one, got 2 and 1"):
        a.cohen_kappa([1, 2], [1])
    with pytest.raises(ValueError, match="same items, at least one, got 0 and 0"):
        a.observed_agreement([], [])
    for gap in (None, math.nan):
        with pytest.raises(ValueError, match=f"second must label every item, got {gap} at 1"):
            a.cohen_kappa([1, 2], [1, gap])
    with pytest.raises(ValueError, match='weights must be None, "linear" or "quadratic", got \'square\''):
        a.cohen_kappa([1], [1], "square")
    with pytest.raises(ValueError, match=r"among the categories \[1, 2\], got 3"):
        a.cohen_kappa([1, 3], [1, 2], categories=[1, 2])
    with pytest.raises(ValueError, match=r"equally many raters, 2 or more, got \[2, 3\]"):
        a.fleiss_kappa(np.array([[2, 0], [1, 2]]))
    with pytest.raises(ValueError, match=r"equally many raters, 2 or more, got \[1\]"):
        a.fleiss_kappa(np.array([[1, 0], [0, 1]]))
    with pytest.raises(ValueError, match=r"every rater must have as many items .*, got \[1, 2\]"):
        a.krippendorff_alpha([[1, 2], [1]])
    with pytest.raises(ValueError, match="level must be one of nominal, ordinal, interval, got 'ratio'"):
        a.krippendorff_alpha([[1], [1]], "ratio")
    with pytest.raises(TypeError, match="level \"interval\" needs numbers, got 'bad'"):
        a.krippendorff_alpha([["bad", "good"], ["bad", "bad"]], "interval")
