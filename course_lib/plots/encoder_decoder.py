"""The figures of lecture 04: losses and probabilities in lines, BLEU against the length of the source."""

from collections.abc import Mapping, Sequence
from statistics import fmean

from course_lib.plots.picture import Picture, draw_lines, legend_beside, logarithmic, panels

Points = Sequence[tuple[float, float | Sequence[float]]]


def curves(lines: Mapping[str, Points], xlabel: str, ylabel: str, *, log: bool = False) -> Picture:
    """Lines through (x, y) points, each with its name; `log`: over a logarithmic axis of x.

    Where a y is several numbers, those of several runs, the line goes through their mean and their range is shaded;
    the label of x says so.
    Raises ValueError for no line, or one without a point.
    """
    if not lines or not all(lines.values()):
        raise ValueError(f"lines must hold one or more, each with a point, got {dict(lines)!r:.80}")
    figure, (axis,) = panels(width=7.6, height=3.6)
    runs = {name: [(x, y if isinstance(y, Sequence) else [y]) for x, y in points] for name, points in lines.items()}
    means = {name: [(x, fmean(y)) for x, y in points] for name, points in runs.items()}
    told = _told({len(y) for points in runs.values() for _, y in points})
    axis.set(xlabel=f"{xlabel}\n{told}".strip(), ylabel=ylabel)
    drawn = draw_lines(axis, {name: tuple(zip(*points, strict=True)) for name, points in means.items()})
    for name, points in runs.items():
        if any(len(y) > 1 for _, y in points):
            x, y = zip(*points, strict=True)
            colour = drawn[name].get_color()
            axis.fill_between(x, [*map(min, y)], [*map(max, y)], color=colour, alpha=0.15, linewidth=0)
    if log:
        logarithmic(axis)
    legend_beside(axis)
    ends = ", ".join(f"{name} from {points[0][1]:.2f} to {points[-1][1]:.2f}" for name, points in means.items())
    return Picture(figure, f"{ylabel} against {xlabel} {told}".rstrip() + f": {ends}.")


def _told(numbers: set[int]) -> str:
    """What a line over so many runs shows: "" where each has one."""
    few, many = min(numbers), max(numbers)
    said = f"{many} runs" if few == many else f"{few} to {many} runs"
    return f"(mean of {said}; shaded: lowest to highest)" if many > 1 else ""


def bleu_by_length(systems: Mapping[str, Sequence[Sequence[Mapping[str, float]]]]) -> Picture:
    """BLEU of sentences of similar length: of each system's runs the rows {"from", "to", "all"}, in tokens of the
    source, the same in each run."""
    bins, lines = {}, {}
    for name, runs in systems.items():
        lines[name] = []
        for rows in zip(*runs, strict=True):
            middle = (rows[0]["from"] + rows[0]["to"]) / 2
            bins[middle] = f"{rows[0]['from']}–{rows[0]['to']}"
            lines[name].append((middle, [row["all"] for row in rows]))
    picture = curves(lines, "tokens of the source", "BLEU")
    axis = picture.figure.axes[0]
    axis.set_xticks(list(bins), list(bins.values()), fontsize=8)
    axis.set_ylim(0, 100)
    return picture
