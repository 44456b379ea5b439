"""How far a metric and people agree: Pearson's r, Spearman's ρ, Kendall's τ_b, and pairs of systems put in order."""

from collections.abc import Sequence

import numpy as np
from jaxtyping import Float

Values = Sequence[float | int] | np.ndarray


def pearson(x: Values, y: Values) -> float:
    """r = Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²): how near to a line. NaN where x or y is constant.

    Raises ValueError for unequally many values, fewer than two, and a value that is no finite number.
    """
    x, y = _checked(x, y)
    dx, dy = x - x.mean(), y - y.mean()
    return _divided((dx * dy).sum(), np.sqrt((dx**2).sum() * (dy**2).sum()))


def ranks(x: Values) -> Float[np.ndarray, " n"]:
    """The place of each value when sorted, from 1; equal values share the mean of their places."""
    x = np.asarray(x, float)
    _, group, size = np.unique(x, return_inverse=True, return_counts=True)
    last = np.cumsum(size)
    return (last - (size - 1) / 2)[group]


def spearman(x: Values, y: Values) -> float:
    """ρ: Pearson's r of the ranks: whether more of x goes with more of y. NaN and errors as `pearson`."""
    x, y = _checked(x, y)
    return pearson(ranks(x), ranks(y))


def kendall(x: Values, y: Values) -> float:
    """τ_b = (C − D) / √((C + D + T_x)(C + D + T_y)) over all pairs (Kendall 1945).

    C pairs stand in the same order in x and in y, D in opposite orders, T_x are equal in x alone, T_y in y alone. NaN
    and errors as `pearson`.
    """
    x, y = _checked(x, y)
    agreed = ordered_x = ordered_y = 0.0
    for i in range(len(x) - 1):
        sign_x, sign_y = np.sign(x[i + 1 :] - x[i]), np.sign(y[i + 1 :] - y[i])
        agreed += (sign_x * sign_y).sum()  # C − D
        ordered_x += (sign_x**2).sum()  # C + D + T_y
        ordered_y += (sign_y**2).sum()  # C + D + T_x
    return _divided(agreed, np.sqrt(ordered_x * ordered_y))


def pairwise_accuracy(metric: Values, human: Values) -> float:
    """The share of the pairs of systems that the metric puts in the same order as people do (Kocmi et al. 2021).

    Pairs that people find equal are left out; one that the metric finds equal is wrong. NaN without a pair. Errors as
    `pearson`.
    """
    x, y = _checked(metric, human)
    i, j = np.triu_indices(len(x), 1)
    told = y[i] != y[j]
    right = np.sign(x[i] - x[j]) == np.sign(y[i] - y[j])
    return float(right[told].mean()) if told.any() else float("nan")


def _checked(x: Values, y: Values) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.asarray(x, float), np.asarray(y, float)
    if x.shape != y.shape or x.ndim != 1 or len(x) < 2:
        raise ValueError(f"x and y must be lists of as many values, at least two, got shapes {x.shape} and {y.shape}")
    for name, values in (("x", x), ("y", y)):
        if not np.isfinite(values).all():
            raise ValueError(f"{name} must hold finite numbers, got {values[~np.isfinite(values)][0]}")
    return x, y


def _divided(above: float, below: float) -> float:
    return float(above / below) if below > 0 else float("nan")
