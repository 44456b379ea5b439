"""Is a difference between two systems more than chance? Resampling of segments, for any metric whose parts add up.

`statistics` (segment, column) hold what adds over segments (`statistics(segment_bleu(…))`), `score` makes scores (…) of
sums (…, column): `bleu_score`, `chrf_score`, or `ratio` for means. The same seed gives sacreBLEU's resamples.

    bootstrap (Efron; Koehn 2004): test sets of n segments, drawn from the n segments with replacement
    approximate randomisation (Noreen 1989; Riezler and Maxwell 2005): each segment's two outputs swapped or not
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Bool, Float, Shaped

Score = Callable[[np.ndarray], np.ndarray]
Statistics = Shaped[np.ndarray, "_segments _columns"]  # numbers; of two systems equally many
SEED = 12345  # sacreBLEU's
BLOCK = 500  # samples that are summed at a time
SAME = 1e-9  # scores that differ by no more are equal: they are sums in another order


def statistics(parts: Sequence) -> Float[np.ndarray, "segment column"]:
    """The `statistics` of each segment's parts, a row each."""
    return np.stack([part.statistics for part in parts])


def ratio(sums: np.ndarray) -> np.ndarray | np.floating:
    """Σ value / Σ weight of two columns: the score of a metric that is a mean, such as a human rating or accuracy.

    `np.stack([values, np.ones_like(values)], axis=1)` are the statistics of a plain mean.
    """
    return sums[..., 0] / sums[..., 1]


@dataclass(frozen=True)
class Interval:
    """Where the score of a system lies if the test set had been another: mean of the resamples and their quantiles."""

    score: float  # on the test set itself
    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """(high − low) / 2: what sacreBLEU prints after ±."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class PairedTest:
    """System B against system A.

    p is how often chance alone makes a difference as large as this one: by swaps to either side; by the bootstrap,
    whose differences are centred in size, hardly ever to the other side, so that it is about half as large.
    """

    difference: float  # score of B − score of A
    p_value: float
    samples: int


@dataclass(frozen=True)
class PairedBootstrap(PairedTest):
    """`PairedTest` and Koehn's own figures: in what share of the resamples B scores higher, lower, or equal."""

    wins: float
    losses: float
    ties: float
    low: float  # of the middle 95 % of the differences B − A
    high: float


def resampled_sums(statistics: Statistics, samples: int = 1000, seed: int = SEED) -> Float[np.ndarray, "sample column"]:
    """The sums over each of the resamples, n segments drawn from n with replacement.

    Raises ValueError for no segment, no sample, and a number that is none.
    """
    statistics = _checked("statistics", statistics)
    if samples < 1:
        raise ValueError(f"samples must be at least 1, got {samples}")
    drawn = np.random.default_rng(seed).choice(len(statistics), size=(samples, len(statistics)))
    times = np.stack([np.bincount(row, minlength=len(statistics)) for row in drawn])  # (sample, segment)
    return times.astype(float) @ statistics


def middle(values: Float[np.ndarray, " sample"], confidence: float = 0.95) -> tuple[float, float]:
    """The ends of the middle part of the values: with (1 − confidence)/2 of them, rounded down, cut off at each end."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence}")
    cut = int(len(values) * (1 - confidence) / 2 + SAME)
    ordered = np.sort(values)
    return float(ordered[cut]), float(ordered[len(values) - 1 - cut])


def bootstrap_interval(
    statistics: Statistics, score: Score, *, samples: int = 1000, confidence: float = 0.95, seed: int = SEED
) -> Interval:
    """The score of a system with its bootstrap interval: the middle 95 % of the scores of the resamples."""
    scores = score(resampled_sums(statistics, samples, seed))
    return Interval(float(score(np.sum(statistics, axis=0))), float(scores.mean()), *middle(scores, confidence))


def paired_bootstrap(
    a: Statistics, b: Statistics, score: Score, *, samples: int = 1000, seed: int = SEED, strict: bool = False
) -> PairedBootstrap:
    """Paired bootstrap (Koehn 2004): both systems on the same resamples, d* = score(B*) − score(A*).

        p = (#{|d*| − mean |d*| ≥ |d|} + 1) / (samples + 1)

    The differences are centred, as under the null hypothesis, that there is none. `strict` counts > in place of ≥, as
    sacreBLEU does: equal systems then get the smallest p there is. `wins` is Koehn's: B better in 95 % of the resamples
    is his "95 % significant", one-sided and not centred. Raises ValueError for unequally many segments, none, or no
    samples.
    """
    a, b = _pair(a, b)
    differences = resampled_differences(a, b, score, samples, seed)
    d = _difference(a, b, score)
    p = p_value(np.abs(differences) - np.abs(differences).mean(), abs(d), strict)
    wins, losses = float((differences > SAME).mean()), float((differences < -SAME).mean())
    return PairedBootstrap(d, p, samples, wins, losses, 1 - wins - losses, *middle(differences))


def paired_permutation(
    a: Statistics, b: Statistics, score: Score, *, samples: int | None = 10_000, seed: int = SEED, strict: bool = False
) -> PairedTest:
    """Approximate randomisation: if the systems are alike, a segment's two outputs may be swapped.

        p = (#{|d*| ≥ |d|} + 1) / (samples + 1),  d* after swapping each segment with probability 1/2

    With `samples` None all 2^n swaps are tried, and p = #{|d*| ≥ |d|} / 2^n exactly: for 20 segments at most. `strict`
    as in `paired_bootstrap`. Raises ValueError as that does, and for more segments than can be tried.
    """
    a, b = _pair(a, b)
    differences = swapped_differences(a, b, score, samples, seed)
    d = _difference(a, b, score)
    if samples is None:
        return PairedTest(d, float(_as_large(np.abs(differences), abs(d), strict).mean()), len(differences))
    return PairedTest(d, p_value(np.abs(differences), abs(d), strict), samples)


def resampled_differences(
    a: Statistics, b: Statistics, score: Score, samples: int = 1000, seed: int = SEED
) -> Float[np.ndarray, " sample"]:
    """d* = score(B*) − score(A*) of each resample, which both systems share. Raises as `paired_bootstrap`."""
    a, b = _pair(a, b)
    return score(resampled_sums(b, samples, seed)) - score(resampled_sums(a, samples, seed))


def swapped_differences(
    a: Statistics, b: Statistics, score: Score, samples: int | None = 10_000, seed: int = SEED
) -> Float[np.ndarray, " sample"]:
    """d* = score(B*) − score(A*) after each of the swaps. `samples`, and what is raised, as in `paired_permutation`."""
    a, b = _pair(a, b)
    swapped = _all_swaps(len(a)) if samples is None else _random_swaps(len(a), samples, seed)
    blocks = np.array_split(swapped, len(swapped) // BLOCK + 1)
    moved = np.concatenate([block.astype(float) @ (b - a) for block in blocks])  # what A wins by the swaps, B loses
    return score(b.sum(0) - moved) - score(a.sum(0) + moved)


def p_value(by_chance: Float[np.ndarray, " sample"], observed: float, strict: bool = False) -> float:
    """(#{chance ≥ observed} + 1) / (samples + 1): the test set itself is one of the samples, so p is never 0."""
    return (int(_as_large(by_chance, observed, strict).sum()) + 1) / (len(by_chance) + 1)


def _as_large(by_chance: np.ndarray, observed: float, strict: bool) -> Bool[np.ndarray, " sample"]:
    return by_chance > observed + SAME if strict else by_chance >= observed - SAME


def _difference(a: np.ndarray, b: np.ndarray, score: Score) -> float:
    return float(score(b.sum(0)) - score(a.sum(0)))


def _random_swaps(n: int, samples: int, seed: int) -> Bool[np.ndarray, "sample segment"]:
    if samples < 1:
        raise ValueError(f"samples must be at least 1, got {samples}")
    return ~np.random.default_rng(seed).integers(2, size=(samples, n), dtype=bool)  # sacreBLEU draws what stays


def _all_swaps(n: int) -> Bool[np.ndarray, "sample segment"]:
    if n > 20:
        raise ValueError(f"samples=None tries 2^n swaps: segments must be 20 at most, got {n}")
    return (np.arange(2**n)[:, None] >> np.arange(n) & 1).astype(bool)


def _checked(name: str, statistics: Statistics) -> np.ndarray:
    statistics = np.asarray(statistics, float)
    if statistics.ndim != 2 or not len(statistics):
        raise ValueError(f"{name} must be of shape (segments, columns), at least 1 segment, got {statistics.shape}")
    if not np.isfinite(statistics).all():
        raise ValueError(f"{name} must hold finite numbers, got {statistics[~np.isfinite(statistics)][0]}")
    return statistics


def _pair(a: Statistics, b: Statistics) -> tuple[np.ndarray, np.ndarray]:
    a, b = _checked("a", a), _checked("b", b)
    if a.shape != b.shape:
        raise ValueError(f"a and b must be of the same segments, got shapes {a.shape} and {b.shape}")
    return a, b
