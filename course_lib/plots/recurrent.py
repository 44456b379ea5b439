"""The figures of lecture 03: gradients against distance, losses, accuracies, beliefs along a sentence."""

from collections.abc import Mapping, Sequence
from itertools import cycle

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from course_lib.notation import as_mathtext
from course_lib.plots.picture import INK, STYLES, Picture, draw_lines, legend_beside, panels

Lines = Mapping[str, Sequence[float]]
LABEL = {"textcoords": "offset points", "ha": "center", "va": "bottom"}


def gradients(norms: Lines, expected: Lines | None = None, called: str = "") -> Picture:
    """Gradient norms against distance (entry k: distance k), relative to distance 0, on a logarithmic scale.

    `expected` are lines to compare with, thin, each in the colour of the line of its name; `called` names them all.
    """
    figure, axis = _panel("distance k, in words", "gradient at x(T − k), relative to that at x(T)")
    relative = {name: [float(value) / float(values[0]) for value in values] for name, values in norms.items()}
    _lines(axis, relative)
    for (colour, _, _), name in zip(cycle(STYLES), relative, strict=False):
        if name in (expected or {}):
            axis.plot(expected[name], color=colour, linewidth=2, linestyle=(0, (1, 1.5)), label=f"{name}: {called}")
    legend_beside(axis)
    axis.set_yscale("log")
    far = ", ".join(f"{name} {values[-1]:.0e}" for name, values in relative.items())
    return Picture(figure, f"Gradient norms against distance. Left at the largest distance: {far}.")


def losses(
    runs: Lines, held_out: Mapping[str, Mapping[int, float]], window: int = 10, chance: float | None = None
) -> Picture:
    """Losses: lines in training, each the mean of the last `window` steps; marks on new text, {step: loss} of each run.

    `chance` is a level to compare with.
    """
    figure, axis = _panel("training step", "loss (nats)")
    means = {
        name: [sum(values[step : step + window]) / window for step in range(len(values) - window + 1)]
        for name, values in runs.items()
    }
    for (colour, marker, dash), (name, values) in zip(cycle(STYLES), means.items(), strict=False):
        axis.plot(range(window, window + len(values)), values, color=colour, linestyle=dash, label=name)
        new = held_out.get(name, {})
        axis.plot(new.keys(), new.values(), marker, color=colour, markersize=6, label=f"{name}, new text")
    legend_beside(axis)
    if chance is not None:
        _level(axis, chance, "guessing")
    ends = ", ".join(f"{name} from {values[0]:.2f} to {values[-1]:.2f}" for name, values in means.items())
    new = ", ".join(f"{name} {list(values.values())[-1]:.2f}" for name, values in held_out.items())
    return Picture(figure, f"Training losses: {ends}. At the end on new text: {new}.")


def accuracies(rows: Mapping[str, Mapping[str, float]], xlabel: str, chance: float) -> Picture:
    """Accuracies `rows[model][condition]` as groups of bars, beside the level of guessing."""
    figure, axis = _panel(xlabel, "accuracy")
    conditions, width = list(next(iter(rows.values()))), 0.8 / len(rows)
    hatches = cycle(["", "//", "..", "xx"])
    for k, ((colour, _, _), (name, values), hatch) in enumerate(
        zip(cycle(STYLES), rows.items(), hatches, strict=False)
    ):
        places = [i + (k - (len(rows) - 1) / 2) * width for i in range(len(conditions))]
        heights = [values[condition] for condition in conditions]
        bars = axis.bar(places, heights, 0.92 * width, color=colour, hatch=hatch, edgecolor="white", label=name)
        for bar, height in zip(bars, heights, strict=True):  # no number stands on the line of guessing
            above = chance if chance - 0.05 < height < chance else height
            axis.annotate(f"{height:.2f}", (bar.get_x() + bar.get_width() / 2, above), (0, 2), fontsize=8, **LABEL)
    axis.set_xticks(range(len(conditions)), map(as_mathtext, conditions))
    axis.set_ylim(0, 1.1)
    _level(axis, chance, "guessing")
    legend_beside(axis)
    listed = "; ".join(f"{name}: " + ", ".join(f"{c} {v:.2f}" for c, v in row.items()) for name, row in rows.items())
    return Picture(figure, f"Accuracy by {xlabel}. {listed}.")


def belief(words: Sequence[str], lines: Lines, ylabel: str) -> Picture:
    """A probability after each of some words of a sentence."""
    figure, axis = _panel("", ylabel)
    _lines(axis, lines)
    _level(axis, 0.5)
    axis.set_xticks(range(len(words)), words, rotation=40, ha="right", rotation_mode="anchor")
    axis.set_ylim(-0.05, 1.05)
    ends = ", ".join(f"{name} {values[-1]:.2f}" for name, values in lines.items())
    return Picture(figure, f"{ylabel} after: {', '.join(words)}. At the end: {ends}.")


def shares(lines: Lines, xlabel: str, ylabel: str, start: int = 0, chance: float = 0.5) -> Picture:
    """Shares between 0 and 1 against a whole number that begins at `start`, beside the level of guessing."""
    figure, axis = _panel(xlabel, ylabel)
    _lines(axis, lines, start)
    axis.set_ylim(-0.05, 1.05)
    _level(axis, chance, "guessing")
    ends = ", ".join(f"{name} from {values[0]:.2f} to {values[-1]:.2f}" for name, values in lines.items())
    return Picture(figure, f"{ylabel} against {xlabel}: {ends}.")


def states(groups: Mapping[str, Sequence[Sequence[float]]], title: str) -> Picture:
    """Points in a plane, each group with its own mark: the first two principal components of states."""
    figure, axis = _panel("first principal component", "second principal component")
    for (colour, marker, _), (name, points) in zip(cycle(STYLES), groups.items(), strict=False):
        axis.plot(*zip(*points, strict=True), marker, color=colour, markersize=5, alpha=0.7, label=name)
    legend_beside(axis)
    axis.set_title(title, fontsize=10)
    counts = ", ".join(f"{len(points)} {name}" for name, points in groups.items())
    return Picture(figure, f"{title}: {counts}.")


def _panel(xlabel: str, ylabel: str) -> tuple[Figure, Axes]:
    figure, (axis,) = panels(width=7.6, height=3.6)
    axis.set(xlabel=xlabel, ylabel=ylabel)
    return figure, axis


def _lines(axis: Axes, lines: Lines, start: int = 0) -> None:
    """The lines over the whole numbers from `start` on, and a legend."""
    draw_lines(axis, {name: (range(start, start + len(values)), values) for name, values in lines.items()}, marks=10)
    legend_beside(axis)


def _level(axis: Axes, value: float, name: str | None = None) -> None:
    axis.axhline(value, color=INK, alpha=0.7, linewidth=1, label=name)
    if name:
        legend_beside(axis)
