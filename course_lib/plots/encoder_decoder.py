"""The figures of lecture 04: losses and probabilities in lines, BLEU against the length of the source."""

from collections.abc import Mapping, Sequence

from course_lib.plots.picture import Picture, draw_lines, legend_beside, logarithmic, panels

Points = Sequence[tuple[float, float]]


def curves(
    lines: Mapping[str, Points],
    xlabel: str,
    ylabel: str,
    *,
    log: bool = False,
    ranges: Mapping[str, Sequence[tuple[float, float]]] | None = None,
) -> Picture:
    """Lines through (x, y) points, each with its name; `log`: over a logarithmic axis of x.

    `ranges` {name: (lowest, highest) at each of its points} are shaded behind the lines. Raises ValueError for no line,
    or one without a point.
    """
    if not lines or not all(lines.values()):
        raise ValueError(f"lines must hold one or more, each with a point, got {dict(lines)!r:.80}")
    figure, (axis,) = panels(width=7.6, height=3.6)
    axis.set(xlabel=xlabel, ylabel=ylabel)
    drawn = draw_lines(axis, {name: tuple(zip(*points, strict=True)) for name, points in lines.items()})
    for name, both in (ranges or {}).items():
        x = [at for at, _ in lines[name]]
        axis.fill_between(x, *zip(*both, strict=True), color=drawn[name].get_color(), alpha=0.15, linewidth=0)
    if log:
        logarithmic(axis)
    legend_beside(axis)
    ends = ", ".join(f"{name} from {points[0][1]:.2f} to {points[-1][1]:.2f}" for name, points in lines.items())
    return Picture(figure, f"{ylabel} against {xlabel}: {ends}.")


def bleu_by_length(results: Mapping[str, Sequence[Mapping[str, float]]], score: str = "all") -> Picture:
    """BLEU of sentences of similar length: of each system rows {"from", "to", `score`}, in tokens of the source."""
    lines = {name: [((row["from"] + row["to"]) / 2, row[score]) for row in rows] for name, rows in results.items()}
    picture = curves(lines, "tokens of the source", "BLEU")
    axis = picture.figure.axes[0]
    bins = {(row["from"] + row["to"]) / 2: f"{row['from']}–{row['to']}" for rows in results.values() for row in rows}
    axis.set_xticks(list(bins), list(bins.values()), fontsize=8)
    axis.set_ylim(0, 100)
    return picture
