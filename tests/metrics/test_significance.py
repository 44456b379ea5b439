"""Resampling against sacreBLEU on the same resamples, scipy's exact test, and what chance alone must give."""

import itertools

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU as SacreBLEU
from sacrebleu.metrics import CHRF
from sacrebleu.significance import PairedTest

from course_lib.metrics import bleu_score, chrf_score, segment_bleu, segment_chrf
from course_lib.metrics import significance as s
from course_lib.metrics.segments import streams

from .pairs import real

N = 150
REFERENCES = real(N)[1]
SYSTEMS = {name: real(N, seed)[0] for name, seed in (("a", 0), ("b", 0))}
SYSTEMS["b"] = [texts[0] if k % 9 == 0 else spoilt for k, (spoilt, texts) in enumerate(zip(*real(N), strict=True))]
SYSTEMS["c"] = [hypothesis if k else "" for k, hypothesis in enumerate(SYSTEMS["a"])]  # differs in one sentence
METRICS = {
    "BLEU": (segment_bleu, bleu_score, lambda: SacreBLEU(force=True)),
    "chrF2": (segment_chrf, chrf_score, CHRF),
}


def rows(metric: str, system: str) -> np.ndarray:
    return s.statistics(METRICS[metric][0](SYSTEMS[system], REFERENCES))


def plain(values) -> np.ndarray:
    """The statistics of a mean."""
    return np.stack([np.asarray(values, float), np.ones(len(values))], axis=1)


def sacrebleus(metric: str, other: str, kind: str, samples: int, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "12345")
    named = [(name, SYSTEMS[name]) for name in ("a", other)]
    _, scores = PairedTest(named, {metric: METRICS[metric][2]()}, streams(REFERENCES), kind, samples)()
    return scores[metric]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("other", "abc")
def test_the_paired_bootstrap_is_sacrebleus_on_the_same_resamples(metric, other, monkeypatch):
    """sacreBLEU sums in float32: its scores have seven digits, and the count of the p-value is the same."""
    first, second = sacrebleus(metric, other, "bs", 200, monkeypatch)
    found = s.paired_bootstrap(rows(metric, "a"), rows(metric, other), METRICS[metric][1], samples=200, strict=True)
    assert found.difference == pytest.approx(second.score - first.score, abs=1e-9)
    assert found.p_value == pytest.approx(second.p_value, abs=1e-12)
    interval = s.bootstrap_interval(rows(metric, other), METRICS[metric][1], samples=200)
    assert interval.score == pytest.approx(second.score, abs=1e-9)
    assert interval.mean == pytest.approx(second.mean, abs=1e-3)
    assert interval.half_width == pytest.approx(second.ci, abs=1e-3)


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("other", "abc")
def test_the_randomisation_is_sacrebleus_on_the_same_swaps(metric, other, monkeypatch):
    first, second = sacrebleus(metric, other, "ar", 1000, monkeypatch)
    found = s.paired_permutation(rows(metric, "a"), rows(metric, other), METRICS[metric][1], samples=1000, strict=True)
    assert found.difference == pytest.approx(second.score - first.score, abs=1e-9)
    assert found.p_value == pytest.approx(second.p_value, abs=1e-12)


def test_systems_that_differ_are_told_apart():
    for test in (s.paired_bootstrap, s.paired_permutation):
        assert test(rows("BLEU", "a"), rows("BLEU", "b"), bleu_score).p_value < 0.01
        assert test(rows("BLEU", "a"), rows("BLEU", "c"), bleu_score).p_value > 0.05


@pytest.mark.parametrize("samples", [1, 50, 1000])
def test_a_system_never_differs_from_itself_where_ties_count(samples):
    a = rows("BLEU", "a")
    bootstrap = s.paired_bootstrap(a, a, bleu_score, samples=samples)
    assert (bootstrap.p_value, bootstrap.ties, bootstrap.wins, bootstrap.losses) == (1, 1, 0, 0)
    assert s.paired_permutation(a, a, bleu_score, samples=samples).p_value == 1
    assert s.paired_bootstrap(a, a, bleu_score, samples=samples, strict=True).p_value == 1 / (samples + 1)


def test_one_sentence_that_differs_proves_nothing_where_ties_count():
    """Swapped or not, the difference is as large: chance gives it always. Counted with >, it would give it never."""
    a, c = rows("BLEU", "a"), rows("BLEU", "c")
    assert s.paired_permutation(a, c, bleu_score).p_value == 1
    assert s.paired_permutation(a, c, bleu_score, strict=True).p_value == 1 / 10_001


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=7))
def test_all_swaps_give_scipys_exact_p_value(pairs):
    a, b = np.array(pairs, float).T
    found = s.paired_permutation(plain(a), plain(b), s.ratio, samples=None)

    def mean(x, y, axis):
        return (y - x).mean(axis=axis)

    exact = scipy.stats.permutation_test((a, b), mean, permutation_type="samples", n_resamples=np.inf, vectorized=True)
    assert found.p_value == pytest.approx(exact.pvalue, abs=1e-9)
    assert found.samples == 2 ** len(pairs)


def test_random_swaps_come_near_to_all_of_them():
    """300,000 samples: five standard errors are at most 5 · √(1/4 / 300,000) = 0.0046."""
    random = np.random.default_rng(7)
    a, b = plain(random.normal(size=10)), plain(random.normal(0.4, size=10))
    exact = s.paired_permutation(a, b, s.ratio, samples=None).p_value
    assert 0.01 < exact < 0.99
    assert s.paired_permutation(a, b, s.ratio, samples=300_000).p_value == pytest.approx(exact, abs=0.0046)


def test_the_bootstrap_of_a_mean_has_its_standard_error():
    """σ/√n is what the resamples' means spread by; the middle 95 % reach 1.96 of it to both sides."""
    values = np.random.default_rng(3).normal(50, 10, size=400)
    means = s.ratio(s.resampled_sums(plain(values), samples=20_000))
    assert means.std() == pytest.approx(values.std() / np.sqrt(400), rel=0.03)
    interval = s.bootstrap_interval(plain(values), s.ratio, samples=20_000)
    assert interval.half_width == pytest.approx(1.96 * values.std() / np.sqrt(400), rel=0.04)
    assert interval.low < interval.score < interval.high


def test_resamples_are_the_multisets_that_they_should_be():
    """Two segments: four equally likely draws, and sums of nothing else."""
    sums = s.resampled_sums(np.array([[1.0], [10.0]]), samples=4000)[:, 0]
    counts = {total: int((sums == total).sum()) for total in (2, 11, 20)}
    assert sum(counts.values()) == 4000
    assert counts[11] == pytest.approx(2000, abs=5 * np.sqrt(1000))


@given(st.lists(st.floats(-9, 9), min_size=1, max_size=30), st.sampled_from([0.5, 0.9, 0.95]))
def test_the_middle_leaves_equally_many_out_at_both_ends(values, confidence):
    low, high = s.middle(np.array(values), confidence)
    below, above = sum(value < low for value in values), sum(value > high for value in values)
    assert max(below, above) <= len(values) * (1 - confidence) / 2 + 1e-6
    assert low <= high


def test_differences_are_those_that_the_tests_count():
    """The p-values and the interval again, from the differences; what the swaps move they move to either side."""
    a, b = rows("BLEU", "a"), rows("BLEU", "b")
    d = s.paired_bootstrap(a, b, bleu_score).difference
    drawn, swapped = s.resampled_differences(a, b, bleu_score), s.swapped_differences(a, b, bleu_score, 2000)
    assert (len(drawn), len(swapped)) == (1000, 2000)
    boot, swap = s.paired_bootstrap(a, b, bleu_score), s.paired_permutation(a, b, bleu_score, samples=2000)
    assert s.middle(drawn) == (boot.low, boot.high)
    assert swap.p_value == ((np.abs(swapped) >= abs(d) - s.SAME).sum() + 1) / 2001
    every = s.swapped_differences(plain([1, 2]), plain([4, 2]), s.ratio, None)
    assert sorted(every) == [-1.5, -1.5, 1.5, 1.5]


def test_wins_and_losses_change_places_with_the_systems():
    a, b = plain([1, 2, 3, 4, 5]), plain([2, 1, 4, 4, 6])
    one, other = s.paired_bootstrap(a, b, s.ratio), s.paired_bootstrap(b, a, s.ratio)
    assert (one.wins, one.losses, one.ties) == pytest.approx((other.losses, other.wins, other.ties))
    assert (one.low, one.high, one.p_value) == pytest.approx((-other.high, -other.low, other.p_value))
    assert one.wins + one.losses + one.ties == pytest.approx(1)
    assert one.difference == pytest.approx(0.4)


def test_the_seed_decides():
    a, b = rows("BLEU", "a"), rows("BLEU", "b")
    for test in (s.paired_bootstrap, s.bootstrap_interval):
        given = (a, b) if test is s.paired_bootstrap else (a,)
        again, same, another = (test(*given, bleu_score, samples=50, seed=seed) for seed in (1, 1, 2))
        assert again == same != another


def test_all_swaps_are_all_of_them_once():
    found = s._all_swaps(3).tolist()
    assert sorted(found) == sorted(map(list, itertools.product([False, True], repeat=3)))


def test_strange_input_is_refused():
    a = plain([1, 2])
    for test in (s.paired_bootstrap, s.paired_permutation):
        with pytest.raises(ValueError, match=r"of the same segments, got shapes \(2, 2\) and \(3, 2\)"):
            test(a, plain([1, 2, 3]), s.ratio)
        with pytest.raises(ValueError, match="samples must be at least 1, got 0"):
            test(a, a, s.ratio, samples=0)
        with pytest.raises(ValueError, match="b must hold finite numbers, got nan"):
            test(a, plain([1, np.nan]), s.ratio)
        with pytest.raises(ValueError, match=r"a must be of shape \(segments, columns\), at least 1 .*, got \(0, 2\)"):
            test(plain([]), plain([]), s.ratio)
    with pytest.raises(ValueError, match="segments must be 20 at most, got 21"):
        s.paired_permutation(plain(range(21)), plain(range(21)), s.ratio, samples=None)
    with pytest.raises(ValueError, match=r"confidence must lie between 0 and 1, got 95"):
        s.bootstrap_interval(a, s.ratio, confidence=95.0)
