"""How far a metric and people agree: Pearson's r. For orders see scipy.stats: spearmanr, kendalltau."""

from collections.abc import Sequence

import numpy as np

Values = Sequence[float | int] | np.ndarray


def pearson(x: Values, y: Values) -> float:
    """r = Σ (x − x̄)(y − ȳ) / √(Σ (x − x̄)² Σ (y − ȳ)²): how near to a line. NaN where x or y is constant.

    Raises ValueError for unequally many values, fewer than two, and a value that is no finite number.
    """
    x, y = _checked(x, y)
    dx, dy = x - x.mean(), y - y.mean()
    return _divided((dx * dy).sum(), np.sqrt((dx**2).sum() * (dy**2).sum()))


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
