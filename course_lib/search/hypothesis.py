"""What a search gives back, and how outputs of different length are compared."""

from collections.abc import Callable
from dataclasses import dataclass

Normalise = Callable[[float, int], float]  # (log p(y | x), |y|) -> the score that outputs are ranked by


@dataclass(frozen=True)
class Hypothesis:
    """An output of a search: its words without eos, its log-probability, the score it is ranked by.

    log p(y | x) = Σ_i log p(y_i | x, y_1 … y_{i−1}), natural logarithm, the eos of a finished one
    included. `length`, |y|, counts that eos too.
    """

    words: tuple[int, ...]
    log_probability: float
    score: float
    finished: bool  # it reached eos

    @property
    def length(self) -> int:
        """|y|: how many probabilities were multiplied."""
        return len(self.words) + self.finished


def plain(log_probability: float, length: int) -> float:
    """log p(y | x) as it is. Each word can only lower it: short outputs are at an advantage."""
    return log_probability


def power(alpha: float) -> Normalise:
    """log p(y | x) / |y|^α; α = 1 is the mean for a word (Cho et al. 2014). Raises ValueError for α < 0."""
    _not_negative(alpha)
    return lambda log_probability, length: log_probability / length**alpha


def gnmt(alpha: float) -> Normalise:
    """log p(y | x) / ((5 + |y|) / 6)^α (Wu et al. 2016, equation 14). Raises ValueError for α < 0."""
    _not_negative(alpha)
    return lambda log_probability, length: log_probability / ((5 + length) / 6) ** alpha


def _not_negative(alpha: float) -> None:
    if not alpha >= 0:
        raise ValueError(f"alpha must be at least 0, got {alpha}")


def ranked(hypotheses: list[Hypothesis]) -> list[Hypothesis]:
    """Best score first; of equals the one that was found first."""
    return sorted(hypotheses, key=lambda hypothesis: -hypothesis.score)
