"""The figures of lecture 09: scores with intervals, differences by chance, one score against another, TER's edits."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, cycle

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from course_lib.metrics.significance import SAME
from course_lib.metrics.ter import DELETE, INSERT, MATCH, SUBSTITUTE, edit_path, shifted
from course_lib.plots.picture import INK, STYLES, Picture, panels

Point = tuple[float, float]
CHARACTER = 0.085  # inches that a letter takes
SAID = {DELETE: "deletion", INSERT: "insertion", SUBSTITUTE: "substitution", MATCH: ""}


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
        axis.scatter(x, y, s=18, facecolors="none", edgecolors=colour, marker=marker, linewidths=1, label=name)
        axis.set(title=name, xlabel=xlabel, xlim=(-5, 105), ylim=(-0.05, 1.05))
        axis.title.set_fontsize(10)
    axes[0].set_ylabel(ylabel)
    told = ", ".join(
        f"{name} {sum(x for x, _ in points) / len(points):.0f} and {sum(y for _, y in points) / len(points):.2f}"
        for name, points in groups.items()
    )
    return Picture(figure, f"{ylabel} of sentences against {xlabel}; means: {told}.")


def by_chance(
    resampled: Sequence[float], swapped: Sequence[float], observed: float, middle: tuple[float, float], xlabel: str
) -> Picture:
    """Two histograms of differences over the same axes: of resamples, with the ends of their `middle` part, and of
    swaps, in another colour where they are at least as large as the `observed` one, to either side.

    Raises ValueError where one of them is empty.
    """
    if not (len(resampled) and len(swapped)):
        raise ValueError(
            f"resampled and swapped must hold at least one difference each, got {len(resampled)} and {len(swapped)}"
        )
    resampled, swapped, (low, high) = np.asarray(resampled), np.asarray(swapped), middle
    as_large = np.abs(swapped) >= abs(observed) - SAME
    figure, (left, right) = panels(2, width=4.4, height=3.4)
    right.sharey(left)
    bins = _bins(np.concatenate([resampled, swapped, [observed, -observed]]), observed)
    for axis, title, parts in (
        (left, "resampled test sets", [resampled]),
        (right, "swapped outputs", [swapped[~as_large], swapped[as_large]]),
    ):
        weights = [np.full(len(part), 100 / sum(map(len, parts))) for part in parts]
        colours = [colour for colour, _, _ in STYLES[: len(parts)]]
        axis.hist(parts, bins, weights=weights, stacked=True, histtype="stepfilled", color=colours)
        axis.axvline(0, color=INK, linewidth=1, linestyle=":", label="no difference")
        axis.axvline(observed, color=INK, linewidth=1.5, label="observed difference")
        axis.set_title(title, fontsize=10)
        axis.set_xlabel(xlabel)
    left.axvspan(low, high, facecolor=STYLES[0][0], alpha=0.3, label="middle 95 %")
    for end in middle:
        left.axvline(end, color=STYLES[0][0], linewidth=1)
    right.axvline(-observed, color=INK, linewidth=1.5, linestyle="--", label="as large, to the other side")
    left.set_ylabel("share of the samples (%)")
    handles = {
        label: handle for axis in (left, right) for handle, label in zip(*axis.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    share = 100 * as_large.mean()
    return Picture(
        figure,
        f"{xlabel}, observed {observed:.1f}. Left, resampled test sets: mean {resampled.mean():.1f}, the middle 95 % "
        f"from {low:.1f} to {high:.1f}. Right, swapped outputs: mean {swapped.mean():.1f}, {share:.1f} % at least as "
        "large as the observed difference, to either side.",
    )


def _bins(values: np.ndarray, observed: float, count: int = 45) -> np.ndarray:
    """About `count` bins over the values, equally wide, with edges at 0 and, unless it is next to 0, at ±`observed`."""
    width = np.ptp(values) / count or 1.0
    if whole := round(abs(observed) / width):
        width = abs(observed) / whole
    return width * np.arange(np.floor(values.min() / width), np.ceil(values.max() / width) + 1)


def shift_and_edits(output: Sequence[str], reference: Sequence[str], block: tuple[int, int], to: int) -> Picture:
    """TER's edits in three rows of words: the output with a frame around `block`, the output after its shift (see
    `ter.shifted`), and below it, word under word, the reference; between these two the name of each edit."""
    moved = shifted(output, block, to)
    columns = [
        (_word(moved, step.hypothesis), SAID[step.operation], _word(reference, step.reference))
        for step in edit_path(moved, reference)
    ]
    middles = _middles([max(map(len, column)) for column in columns])
    above = list(zip(output, _middles([*map(len, output)]), strict=True))
    below = [(word, middle) for (word, _, _), middle in zip(columns, middles, strict=True) if word]
    figure, (axis,) = panels(width=CHARACTER * (middles[-1] + 10) + 1, height=2.3)
    axis.set(xlim=(0, middles[-1] + 7), ylim=(-0.4, 3.4), xticks=[])
    axis.set_yticks([3, 1.7, 0], ["output", "after the shift", "reference"], fontsize=8)
    axis.tick_params(length=0)
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)
    for row, first, height in ((above, block[0], 3), (below, to, 1.7)):
        for word, middle in row:
            axis.text(middle, height, word, ha="center", va="center")
        _frame(axis, row[first : first + block[1] - block[0]], height, STYLES[0][0])
    ends = [_centre(row[first : first + block[1] - block[0]]) for row, first in ((above, block[0]), (below, to))]
    axis.annotate("", (ends[1], 2.05), (ends[0], 2.65), arrowprops={"arrowstyle": "->", "color": STYLES[0][0]})
    side = 1 if ends[0] <= ends[1] else -1  # where the arrow is not
    axis.text(ends[1] + side, 2.35, "shift", ha="left" if side > 0 else "right", va="center", fontsize=8)
    for (word, said, meant), middle in zip(columns, middles, strict=True):
        axis.text(middle, 0, meant, ha="center", va="center")
        axis.text(middle, 0.85, said, ha="center", va="center", fontsize=8)
        if not said:
            axis.plot([middle, middle], [1.25, 0.4], color=INK, linewidth=0.8, alpha=0.6)
            continue
        for text, height in ((word, 1.7), (meant, 0)):
            if text:
                _frame(axis, [(text, middle)], height, STYLES[1][0])
    told = ", ".join(" for ".join(filter(None, (word, meant))) + f": {said}" for word, said, meant in columns if said)
    return Picture(
        figure, f"{' '.join(output)}. Shift of {' '.join(output[slice(*block)])}: {' '.join(moved)}. {told}."
    )


def _word(words: Sequence[str], at: int | None) -> str:
    return "" if at is None else words[at]


def _middles(widths: Sequence[int]) -> list[float]:
    """The middles of words so wide, side by side with two letters between them."""
    return [end - width / 2 - 1 for end, width in zip(accumulate(width + 2 for width in widths), widths, strict=True)]


def _ends(words: Sequence[tuple[str, float]]) -> tuple[float, float]:
    """Where words begin and end that stand side by side, each with its middle."""
    (first, left), (last, right) = words[0], words[-1]
    return left - len(first) / 2 - 0.5, right + len(last) / 2 + 0.5


def _centre(words: Sequence[tuple[str, float]]) -> float:
    return sum(_ends(words)) / 2


def _frame(axis: Axes, words: Sequence[tuple[str, float]], height: float, colour: str) -> None:
    left, right = _ends(words)
    axis.add_patch(Rectangle((left, height - 0.33), right - left, 0.66, fill=False, edgecolor=colour, linewidth=1.5))
