"""The figures of lecture 09: scores with their intervals, and one score of sentences against another."""

from collections.abc import Mapping, Sequence
from itertools import cycle

from course_lib.plots.picture import STYLES, Picture, panels

Point = tuple[float, float]


def intervals(scores: Mapping[str, tuple[float, float, float]], xlabel: str) -> Picture:
    """A point with its interval for each name: (score, low, high), the first on top.

    Raises ValueError for no score.
    """
    if not scores:
        raise ValueError("scores must hold at least one, got none")
    figure, (axis,) = panels(width=6.4, height=0.8 + 0.45 * len(scores))
    for place, (score, low, high) in enumerate(scores.values()):
        axis.errorbar(score, -place, xerr=[[score - low], [high - score]], color=STYLES[0][0], fmt="o", capsize=4)
    axis.set_yticks([-place for place in range(len(scores))], list(scores))
    axis.set(xlabel=xlabel, ylim=(0.6 - len(scores), 0.4))
    told = ", ".join(f"{name} {score:.1f} ({low:.1f} to {high:.1f})" for name, (score, low, high) in scores.items())
    return Picture(figure, f"{xlabel} with intervals: {told}.")


def scatter(groups: Mapping[str, Sequence[Point]], xlabel: str, ylabel: str) -> Picture:
    """A panel of points (x, y) for each group, side by side over the same axes. Raises ValueError for no group."""
    if not groups:
        raise ValueError("groups must hold at least one, got none")
    figure, axes = panels(len(groups), width=3.2, height=3.2)
    for axis, (colour, marker, _), (name, points) in zip(axes, cycle(STYLES), groups.items(), strict=False):
        x, y = zip(*points, strict=True)
        axis.scatter(x, y, s=16, color=colour, marker=marker, alpha=0.5, linewidths=0, label=name)
        axis.set(title=name, xlabel=xlabel, xlim=(-5, 105), ylim=(-0.05, 1.05))
        axis.title.set_fontsize(10)
    axes[0].set_ylabel(ylabel)
    told = ", ".join(
        f"{name} {sum(x for x, _ in points) / len(points):.0f} and {sum(y for _, y in points) / len(points):.2f}"
        for name, points in groups.items()
    )
    return Picture(figure, f"{ylabel} of sentences against {xlabel}; means: {told}.")
