"""The figures of lecture 08: an ablation table as dots, and BLEU against the cost of a training."""

import math
from collections.abc import Mapping, Sequence

from course_lib.plots.picture import INK, STYLES, Picture, panels


def ablations(
    tables: Mapping[str, Mapping[str, Mapping[str, float]]],
    base: Mapping[str, float],
    measure: str = "BLEU",
    seeds: Mapping[str, Sequence[float]] | None = None,
) -> Picture:
    """A panel for each table {group: {change: score}}: a dot for each change, a line at the score `base[table]`.

    Where `seeds` has the scores of the base with several seeds, the base ± their range is shaded: a dot in it may be
    chance. Raises ValueError for a table without a row.
    """
    if not tables or not all(any(groups.values()) for groups in tables.values()):
        raise ValueError(f"tables must hold one or more, each with a row, got {dict(tables)!r:.80}")
    rows = max(sum(map(len, groups.values())) for groups in tables.values())
    figure, axes = panels(len(tables), width=4.8, height=1 + 0.27 * rows)
    told = []
    for axis, (name, groups) in zip(axes, tables.items(), strict=True):
        labels, k = [], 0
        for (group, changes), (colour, marker, _) in zip(groups.items(), STYLES * len(groups), strict=False):
            for change, score in changes.items():
                axis.plot([base[name], score], [k, k], color=colour, linewidth=1)
                axis.plot(score, k, color=colour, marker=marker, markersize=7)
                labels.append(f"{group} {change}")
                k += 1
        if seeds and name in seeds:
            apart = max(seeds[name]) - min(seeds[name])
            axis.axvspan(base[name] - apart, base[name] + apart, color=INK, alpha=0.12, linewidth=0)
        axis.axvline(base[name], color=INK, linewidth=1)
        axis.set_yticks(range(k), labels)
        axis.set(title=f"{name} (line: base, {base[name]:.1f})", xlabel=measure)
        axis.title.set_fontsize(10)
        axis.invert_yaxis()
        scores = [score for changes in groups.values() for score in changes.values()]
        told.append(f"{name}: base {base[name]:.1f}, {len(scores)} changes from {min(scores):.1f} to {max(scores):.1f}")
    return Picture(figure, f"{measure} of each change beside the base. {'; '.join(told)}.")


def bleu_against_flops(tables: Mapping[str, Sequence[tuple[str, float, float]]], mark: str = "Transformer") -> Picture:
    """A panel for each table of (system, FLOPs, BLEU), the FLOPs on a logarithmic axis; those whose name begins with
    `mark` are filled. Numbers stand at the points, names beside the last panel. Raises ValueError for an empty table.
    """
    if not tables or not all(tables.values()):
        raise ValueError(f"tables must hold one or more, each with a point, got {dict(tables)!r:.80}")
    names = list(dict.fromkeys(name for points in tables.values() for name, _, _ in points))
    figure, axes = panels(len(tables), width=5.2, height=3.8)
    drawn = {}
    for axis, (title, points) in zip(axes, tables.items(), strict=True):
        for name, flops, bleu in points:
            own = name.startswith(mark)
            colour, marker, _ = STYLES[1 if own else 0]
            (drawn[name],) = axis.plot(
                flops, bleu, color=colour, marker=marker, markersize=8, linestyle="none",
                fillstyle="full" if own else "none", label=f"{names.index(name) + 1}  {name}",
            )  # fmt: skip
            offset, side = ((-6, 4), "right") if _has_right_neighbour(flops, bleu, points) else ((6, 4), "left")
            axis.annotate(f"{names.index(name) + 1}", (flops, bleu), offset, textcoords="offset points", ha=side)
        axis.set(title=title, xlabel="floating-point operations of the training", ylabel="BLEU", xscale="log")
        axis.margins(0.12)
    axes[-1].legend(
        handles=[drawn[name] for name in names], loc="center left", bbox_to_anchor=(1, 0.5), frameon=False, fontsize=9
    )
    best = {title: max(points, key=lambda point: point[2]) for title, points in tables.items()}
    told = "; ".join(
        f"{title}: best {name}, {bleu:.1f} with {flops:.1e}" for title, (name, flops, bleu) in best.items()
    )
    return Picture(figure, f"BLEU against training operations. {told}.")


def _has_right_neighbour(flops: float, bleu: float, points: Sequence[tuple[str, float, float]]) -> bool:
    """Whether another point lies so near on the right that a number there would touch it: a tenth of both ranges."""
    _, x, y = zip(*points, strict=True)
    across, up = math.log(max(x) / min(x)), max(y) - min(y)
    return any(
        0 < math.log(other / flops) < across / 10 and abs(score - bleu) < up / 10
        for other, score in zip(x, y, strict=True)
    )
