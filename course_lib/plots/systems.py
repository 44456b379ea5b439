"""The figures of lecture 10: who works when, a matrix of layers, which expert gets which piece, values on one axis."""

from collections.abc import Mapping, Sequence

from jaxtyping import Float
from matplotlib.patches import Rectangle
from torch import Tensor

from course_lib.plots.picture import INK, STYLES, Picture, panels
from course_lib.systems.pipeline import Timetable


def timetable(made: Timetable, words: Sequence[str]) -> Picture:
    """A square for each word of a layer: its tick to the right, its device upwards; layers that read from right to left
    in the second colour. A small dot is a tick in which a device waits.

    Raises ValueError for fewer words than the timetable has.
    """
    if len(words) <= (last := max(each.word for each in made.work)):
        raise ValueError(f"words must be at least {last + 1}, as in the timetable, got {len(words)}")
    figure, (axis,) = panels(width=1.5 + 0.36 * made.ticks, height=0.8 + 0.3 * made.devices)
    for device, row in enumerate(made.grid()):
        for tick, work in enumerate(row):
            if work is None:
                axis.plot(tick + 0.5, device + 0.5, ".", color=INK, markersize=2)
                continue
            colour = STYLES[work.reverse][0]
            axis.add_patch(
                Rectangle((tick + 0.04, device + 0.06), 0.92, 0.88, facecolor=colour, alpha=0.3, edgecolor=colour)
            )
            axis.text(tick + 0.5, device + 0.5, words[work.word], ha="center", va="center", fontsize=8)
    on = [[] for _ in range(made.devices)]
    for each in made.work:
        name = f"layer {each.layer + 1}{' ←' if each.reverse else ''}"
        if name not in on[each.device]:
            on[each.device].append(name)
    axis.set_yticks([k + 0.5 for k in range(made.devices)], [", ".join(names) for names in on])
    axis.set_xticks([k + 0.5 for k in range(made.ticks)], [str(k + 1) for k in range(made.ticks)])
    axis.set(xlim=(0, made.ticks), ylim=(0, made.devices), xlabel="tick")
    axis.grid(visible=False)
    share = f"busy in {100 * made.busy:.0f} % of their time"
    return Picture(figure, f"{made.devices} devices, {made.ticks} ticks, {share}, {sum(made.idle)} ticks of waiting.")


def combination(weights: Float[Tensor, "rows rows"]) -> Picture:
    """The matrix of a DLCL encoder: the row of a layer's input, the column of what it is made of; negative weights in
    the second colour, the size of a square as that of its weight."""
    rows = len(weights)
    figure, (axis,) = panels(width=2.2 + 0.26 * rows, height=0.9 + 0.26 * rows)
    largest = float(weights.abs().max())
    for row in range(rows):
        for column in range(row + 1):
            weight = float(weights[row, column])
            side = 0.9 * (abs(weight) / largest) ** 0.5
            corner = (column + 0.5 - side / 2, row + 0.5 - side / 2)
            axis.add_patch(Rectangle(corner, side, side, color=STYLES[weight < 0][0], linewidth=0))
    every = range(0, rows, 1 if rows < 12 else 4)
    axis.set_xticks([k + 0.5 for k in every], [str(k) for k in every])
    axis.set_yticks([k + 0.5 for k in every], ["output" if k + 1 == rows else str(k + 1) for k in every])
    axis.set(xlim=(0, rows), ylim=(rows, 0), xlabel="made of y of layer (0: the embedding)", ylabel="input of layer")
    axis.set_aspect("equal")
    return Picture(
        figure, f"{rows} rows of weights, the largest {largest:.2f}, a row of the last weights the output's."
    )


def experts(shares: Mapping[str, Sequence[float]]) -> Picture:
    """A row for each piece, a column for each expert: the area of a square is the share of the piece's words that the
    expert gets. Raises ValueError for no piece, and for rows of unequal length."""
    if not shares or len({len(row) for row in shares.values()}) != 1:
        raise ValueError(f"shares must hold one or more rows of equal length, got {dict(shares)!r:.80}")
    columns = len(next(iter(shares.values())))
    figure, (axis,) = panels(width=2.6 + 0.22 * columns, height=0.8 + 0.22 * len(shares))
    for k, row in enumerate(shares.values()):
        for expert, share in enumerate(row):
            side = 0.95 * share**0.5
            corner = (expert + 0.5 - side / 2, k + 0.5 - side / 2)
            axis.add_patch(Rectangle(corner, side, side, color=STYLES[0][0], linewidth=0))
    axis.set_xticks([k + 0.5 for k in range(columns)], [str(k + 1) for k in range(columns)])
    axis.set_yticks([k + 0.5 for k in range(len(shares))], list(shares), fontsize=8)
    axis.set(xlim=(0, columns), ylim=(len(shares), 0), xlabel="expert")
    axis.set_aspect("equal")
    told = (
        f"{name} expert {max(range(columns), key=row.__getitem__) + 1}, {max(row):.2f}" for name, row in shares.items()
    )
    return Picture(figure, f"Each piece's most frequent expert, and its share: {'; '.join(told)}.")


def values(found: Mapping[str, float], xlabel: str, *, log: bool = False) -> Picture:
    """A point for each name, the first on top; `log`: on a logarithmic axis. Raises ValueError for none."""
    if not found:
        raise ValueError("found must hold at least one value, got none")
    figure, (axis,) = panels(width=7, height=0.9 + 0.32 * len(found))
    names, numbers = list(found), list(found.values())
    axis.plot(numbers, range(len(names)), STYLES[0][1], color=STYLES[0][0])
    axis.set_yticks(range(len(names)), names)
    axis.invert_yaxis()
    axis.set(xlabel=xlabel, **({"xscale": "log"} if log else {}))
    if not log:
        axis.set_xlim(left=0)
    axis.margins(0.08)
    return Picture(figure, f"{xlabel}: {', '.join(f'{name} {number:.3g}' for name, number in found.items())}.")
