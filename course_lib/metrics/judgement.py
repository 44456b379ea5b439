"""What people say of translations: Likert scales, direct assessment, ranking. From records of who rated what how.

A Likert scale has a few steps, each with a meaning: GNMT's raters used 0 (nonsense) to 6 (perfect) (Wu et al. 2016).
Direct assessment asks for 0 to 100 and takes each rater's own strictness out (Graham et al. 2013). Ranking asks only
which of two outputs is better (Callison-Burch et al. 2007 and the workshops after it).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import permutations
from statistics import fmean, stdev


@dataclass(frozen=True)
class Rating:
    """One rater's score for one system's output of one item (a sentence). Raises ValueError for a score that is NaN."""

    rater: str
    item: str | int
    system: str
    score: float

    def __post_init__(self):
        if not math.isfinite(self.score):
            raise ValueError(f"score must be a finite number, got {self.score} in {self}")


@dataclass(frozen=True)
class Comparisons:
    """How often one system's output was rated higher than another's of the same item by the same rater, and so on."""

    wins: int = 0
    losses: int = 0
    ties: int = 0


def mean_scores(ratings: Iterable[Rating]) -> dict[str, float]:
    """The mean score of each system over its items: several ratings of one output are averaged first, so that an output
    that many rated weighs no more. The best system first, equals by name."""
    outputs: dict[tuple[str, str | int], list[float]] = defaultdict(list)
    for rating in ratings:
        outputs[rating.system, rating.item].append(rating.score)
    systems: dict[str, list[float]] = defaultdict(list)
    for (system, _), scores in outputs.items():
        systems[system].append(fmean(scores))
    return _best_first({system: fmean(scores) for system, scores in systems.items()})


def standardised(ratings: Sequence[Rating]) -> list[Rating]:
    """The ratings as z = (score − mean) / standard deviation, both of that rater's scores (with n − 1 below).

    0 for a rater who gave one score only, which says nothing.
    """
    scores: dict[str, list[float]] = defaultdict(list)
    for rating in ratings:
        scores[rating.rater].append(rating.score)
    middle = {rater: fmean(given) for rater, given in scores.items()}
    spread = {rater: stdev(given) if len(set(given)) > 1 else math.inf for rater, given in scores.items()}
    return [replace(r, score=(r.score - middle[r.rater]) / spread[r.rater]) for r in ratings]


def direct_assessment(ratings: Sequence[Rating]) -> dict[str, float]:
    """The mean z-score of each system, the best first: who rated strictly or with small steps counts like others."""
    return mean_scores(standardised(ratings))


def comparisons(ratings: Iterable[Rating]) -> dict[tuple[str, str], Comparisons]:
    """For each ordered pair of systems: where one rater scored both on one item, how often the first got more.

    Raises ValueError where a rater rated an output twice.
    """
    sheets: dict[tuple[str, str | int], dict[str, float]] = defaultdict(dict)
    for rating in ratings:
        sheet = sheets[rating.rater, rating.item]
        if rating.system in sheet:
            raise ValueError(f"ratings must hold each output once for each rater, got twice: {rating}")
        sheet[rating.system] = rating.score
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sheet in sheets.values():
        for a, b in permutations(sheet, 2):
            counts[a, b]["wins" if sheet[a] > sheet[b] else "losses" if sheet[a] < sheet[b] else "ties"] += 1
    return {pair: Comparisons(**found) for pair, found in counts.items()}


def win_rates(ratings: Iterable[Rating], ties: str = "ignored") -> dict[str, float]:
    """The probability that a system beats another one, drawn from those it was compared with; the best first.

        rate(a) = mean_b wins(a, b) / (wins(a, b) + wins(b, a))    (Koehn 2012)

    With `ties` "half" each tie is half a win for both; "ignored" leaves ties out, and a pair with nothing else. A
    system without comparisons has no rate. Raises ValueError for other `ties`, and as `comparisons`.
    """
    if ties not in ("ignored", "half"):
        raise ValueError(f'ties must be "ignored" or "half", got {ties!r}')
    share = 0.5 if ties == "half" else 0.0
    rates: dict[str, list[float]] = defaultdict(list)
    for (system, _), c in comparisons(ratings).items():
        if decided := c.wins + c.losses + 2 * share * c.ties:
            rates[system].append((c.wins + share * c.ties) / decided)
    return _best_first({system: fmean(found) for system, found in rates.items()})


def relative_improvement(baseline: float, system: float, human: float) -> float:
    """(system − baseline) / (human − baseline): how much of the way from the baseline to people a system goes.

    Raises ValueError where baseline and people are rated alike.
    """
    if human == baseline:
        raise ValueError(f"human must differ from baseline, got {human} for both")
    return (system - baseline) / (human - baseline)


def _best_first(scores: dict[str, float]) -> dict[str, float]:
    return dict(sorted(scores.items(), key=lambda entry: (-entry[1], entry[0])))
