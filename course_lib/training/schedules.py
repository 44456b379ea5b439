"""The learning rate over time: a schedule maps a step (1, 2, …) to the factor of the learning rate.

Attention is found suddenly, and may be found late: a rate that falls before then can keep it from being found. So
`constant_then_linear` holds the full rate for as long as it is told to.
"""

from collections.abc import Callable

Schedule = Callable[[int], float]


def constant(step: int) -> float:
    """1, always."""
    return 1.0


def constant_then_linear(hold: int, total: int) -> Schedule:
    """1 up to step `hold`, then in a straight line down to 0 at step `total` + 1: all of `total` steps learn.

    Raises ValueError unless 0 ≤ hold ≤ total and total ≥ 1.
    """
    if not 0 <= hold <= total or total < 1:
        raise ValueError(f"hold must lie in 0..total and total be at least 1, got hold={hold}, total={total}")
    return lambda step: 1.0 if step <= hold else max(0.0, (total + 1 - step) / (total + 1 - hold))


def warmed_up(schedule: Schedule, warmup: int) -> Schedule:
    """min(1, step / warmup) · schedule(step); with a warmup of 0 the schedule itself. Raises ValueError below 0."""
    if warmup < 0:
        raise ValueError(f"warmup must be at least 0, got {warmup}")
    return (lambda step: min(1.0, step / warmup) * schedule(step)) if warmup else schedule


def inverse_square_root(warmup: int) -> Schedule:
    """min(step / warmup, √(warmup / step)): linearly up to 1 at step `warmup`, then down as 1/√step.

    The shape of Vaswani et al. 2017, section 5.3, with the rate's maximum as its unit. Raises ValueError for a warmup
    below 1.
    """
    if warmup < 1:
        raise ValueError(f"warmup must be at least 1, got {warmup}")
    return lambda step: min(step / warmup, (warmup / step) ** 0.5)
