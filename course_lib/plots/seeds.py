"""Rows of an experiment, each trained with several seeds: a dot a seed, and the mean."""

from collections.abc import Mapping, Sequence

from course_lib.plots.picture import INK, STYLES, Picture, panels


def by_seed(
    rows: Mapping[str, Sequence[float]], measure: str = "BLEU", base: str | None = None, decimals: int = 1
) -> Picture:
    """A line for each row {name: a value for each seed}: its values as dots, its mean as a stroke.

    The range of the row `base` is shaded; the alt text has so many `decimals`. Raises ValueError where there is no row,
    where one has no value, and for a `base` that is none of them.
    """
    if not rows or not all(map(len, rows.values())):
        raise ValueError(f"rows must hold one or more, each with a value for each seed, got {dict(rows)!r:.80}")
    if base is not None and base not in rows:
        raise ValueError(f"base must be one of the rows {', '.join(rows)}, got {base!r}")
    figure, (axis,) = panels(width=5.6, height=1.2 + 0.3 * len(rows))
    (colour, marker, _), told = STYLES[0], []
    rings = {"color": colour, "markersize": 6, "fillstyle": "none", "markeredgewidth": 1.6}
    if base is not None:
        axis.axvspan(min(rows[base]), max(rows[base]), color=INK, alpha=0.12, linewidth=0)
    for k, (name, values) in enumerate(rows.items()):
        mean = sum(values) / len(values)
        axis.plot(values, [k] * len(values), marker, **rings, zorder=3)
        axis.plot([mean, mean], [k - 0.3, k + 0.3], color=INK, linewidth=2)
        low, high = min(values), max(values)
        told.append(f"{name}: {mean:.{decimals}f} ({low:.{decimals}f} to {high:.{decimals}f})")
    axis.set_yticks(range(len(rows)), rows)
    axis.invert_yaxis()
    axis.set_xlabel(f"{measure}\n(a dot is one seed, a stroke the mean)")
    return Picture(figure, f"{measure} of each row, mean and range of its seeds. {'; '.join(told)}.")
