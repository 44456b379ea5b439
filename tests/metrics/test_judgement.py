"""Ratings by people against scipy and against figures worked by hand."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from course_lib.metrics import judgement as j
from course_lib.metrics.judgement import Rating

record = st.builds(
    Rating, st.sampled_from(["Ann", "Ben", "Cem"]), st.integers(0, 3), st.sampled_from("xyz"), st.integers(0, 100)
)
records = st.lists(record, min_size=1, max_size=15)
once = st.lists(record, min_size=1, max_size=15, unique_by=lambda r: (r.rater, r.item, r.system))


def scores(ratings, **wanted) -> list[float]:
    """Of the ratings with these fields."""
    return [r.score for r in ratings if all(getattr(r, name) == value for name, value in wanted.items())]


@given(records)
def test_a_systems_mean_is_the_mean_over_its_items(ratings):
    expected = {}
    for system in {rating.system for rating in ratings}:
        items = [given for item in range(4) if (given := scores(ratings, system=system, item=item))]
        expected[system] = np.mean([np.mean(given) for given in items])
    found = j.mean_scores(ratings)
    assert found == pytest.approx(expected)
    assert list(found.values()) == sorted(found.values(), reverse=True)


@given(records)
def test_standardised_scores_are_each_raters_z_scores(ratings):
    found = j.standardised(ratings)
    for rater in {rating.rater for rating in ratings}:
        given = scores(ratings, rater=rater)
        expected = scipy.stats.zscore(given, ddof=1) if len(set(given)) > 1 else np.zeros(len(given))
        assert scores(found, rater=rater) == pytest.approx(expected.tolist(), abs=1e-9)


def test_direct_assessment_takes_a_raters_strictness_out():
    """Ann is strict and saw the good system alone; Ben is mild and saw the bad one, and both saw a third."""
    ratings = [Rating("Ann", i, "good", 50 + i) for i in range(5)] + [
        Rating("Ann", i, "third", 30 + i) for i in range(5)
    ]
    ratings += [Rating("Ben", i, "bad", 70 + i) for i in range(5)] + [
        Rating("Ben", i, "third", 90 + i) for i in range(5)
    ]
    assert list(j.mean_scores(ratings)) == ["bad", "third", "good"]
    assert list(j.direct_assessment(ratings)) == ["good", "third", "bad"]


def test_a_rater_with_one_score_for_all_says_nothing():
    assert [rating.score for rating in j.standardised([Rating("Ann", i, "x", 0.1) for i in range(3)])] == [0, 0, 0]


@given(once)
def test_every_comparison_is_seen_from_both_sides(ratings):
    found = j.comparisons(ratings)
    pairs = {
        (p, q) for p in ratings for q in ratings if p.system != q.system and (p.rater, p.item) == (q.rater, q.item)
    }
    for (a, b), c in found.items():
        other = found[b, a]
        assert (c.wins, c.losses, c.ties) == (other.losses, other.wins, other.ties)
        assert c.wins == sum(p.score > q.score for p, q in pairs if (p.system, q.system) == (a, b))
        assert c.ties == sum(p.score == q.score for p, q in pairs if (p.system, q.system) == (a, b))
    assert sum(c.wins + c.losses + c.ties for c in found.values()) == len(pairs)


def test_win_rates_worked_by_hand():
    scores = [{"x": 3, "y": 1, "z": 1}, {"x": 2, "y": 3, "z": 1}, {"x": 2, "y": 1}]
    ratings = [Rating("Ann", item, name, score) for item, sheet in enumerate(scores) for name, score in sheet.items()]
    assert j.win_rates(ratings) == pytest.approx({"x": (2 / 3 + 1) / 2, "y": (1 / 3 + 1) / 2, "z": 0})
    assert j.win_rates(ratings, "half") == pytest.approx(
        {"x": (2 / 3 + 1) / 2, "y": (1 / 3 + 1.5 / 2) / 2, "z": (0 + 0.5 / 2) / 2}
    )


@given(once)
def test_with_ties_by_half_two_systems_share_1(ratings):
    two = [rating for rating in ratings if rating.system in "xy"]
    if rates := j.win_rates(two, "half"):
        assert sum(rates.values()) == pytest.approx(1)


@given(once, st.randoms())
def test_the_order_of_the_records_changes_nothing(ratings, shuffle):
    turned = shuffle.sample(ratings, len(ratings))
    for function in (j.mean_scores, j.direct_assessment, j.win_rates):
        assert function(turned) == pytest.approx(function(ratings), abs=1e-9)


def test_gnmts_improvement_is_of_the_way_from_phrases_to_people():
    """Wu et al. 2016, table 10, English to Spanish: 4.885, 5.428, 5.504: 87 %."""
    assert j.relative_improvement(4.885, 5.428, 5.504) == pytest.approx(0.877, abs=5e-4)
    with pytest.raises(ValueError, match="human must differ from baseline, got 5 for both"):
        j.relative_improvement(5, 6, 5)


def test_strange_input_is_refused():
    for score in (math.nan, math.inf):
        with pytest.raises(ValueError, match=f"score must be a finite number, got {score} in Rating"):
            Rating("Ann", 1, "x", score)
    twice = [Rating("Ann", 1, "x", 1), Rating("Ann", 1, "x", 2)]
    for function in (j.comparisons, j.win_rates):
        with pytest.raises(ValueError, match=r"each output once for each rater, got twice: Rating\(rater='Ann'"):
            function(twice)
    with pytest.raises(ValueError, match='ties must be "ignored" or "half", got \'both\''):
        j.win_rates(twice[:1], "both")
