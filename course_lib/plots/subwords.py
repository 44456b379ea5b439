"""The figures of lecture 02: how vocabularies grow, and what their size costs."""

from collections.abc import Mapping, Sequence
from itertools import accumulate, combinations, cycle

import numpy as np
from matplotlib.axes import Axes

from course_lib.plots.picture import INK, STYLES, Picture, draw_lines, logarithmic, panels

Curve = tuple[Sequence[float], Sequence[float]]


def vocabulary_growth(types: Mapping[str, Curve], unseen: Mapping[str, Curve]) -> Picture:
    """Two panels over the running words read: how many are distinct, and the share (%) of new text's words unseen."""
    figure, (left, right) = panels(2)
    _curves(left, types, "running words read (thousands)", "distinct words", legend="lower right")
    _curves(right, unseen, "running words read (thousands)", "unknown among the words of new text (%)")
    right.set_ylim(0, 100)
    last = ", ".join(
        f"{name} {y[-1]:,} distinct, {unseen[name][1][-1]:.0f} % unknown" for name, (_, y) in types.items()
    )
    return Picture(
        figure, f"Left: distinct words grow with the text. Right: unknown words fall slowly. At the end: {last}."
    )


def unknown_against_vocabulary(unknown: Mapping[str, Curve]) -> Picture:
    """The share (%) of new text's words that are unknown, over the size of the word list."""
    figure, (axis,) = panels()
    _curves(axis, unknown, "words on the list (log scale)", "unknown among the words of new text (%)")
    logarithmic(axis)
    ends = ", ".join(f"{name} from {y[0]:.0f} to {y[-1]:.0f} %" for name, (_, y) in unknown.items())
    return Picture(figure, f"Fewer words are unknown the longer the list of words is, but never none: {ends}.")


def length_against_vocabulary(
    length: Mapping[str, Curve], words: Mapping[str, tuple[float, float]], rare: Mapping[str, Curve]
) -> Picture:
    """Two panels over the vocabulary's size: pieces in a sentence (a star for `words`), rare pieces (%)."""
    figure, (left, right) = panels(2)
    _curves(left, length, "vocabulary size (pieces, log scale)", "pieces in a sentence (mean)")
    _curves(right, rare, "vocabulary size (pieces, log scale)", "pieces seen less than 10 times (%)")
    for (colour, _, _), (x, y) in zip(cycle(STYLES), words.values(), strict=False):
        left.plot(x, y, "*", color=colour, markersize=14, markeredgecolor=INK)
    left.annotate("word lists", (x, y), (10, 0), textcoords="offset points", va="center")
    for axis in (left, right):
        logarithmic(axis)
    right.set_ylim(0, 100)
    ends = ", ".join(f"{name} from {y[0]:.0f} to {y[-1]:.0f} pieces" for name, (_, y) in length.items())
    return Picture(figure, f"Left: sentences get shorter as the vocabulary grows, {ends}. Right: more pieces get rare.")


def segmentation_lattice(text: str, p: Mapping[str, float], best: Sequence[str]) -> Picture:
    """Every piece of `p` that fits in `text`, a line from its beginning to its end; those of the `best` cut are thick.

    Pieces of one character lie on the ground, longer ones are arcs above it.
    """
    figure, (axis,) = panels(width=9, height=3)
    axis.axis("off")
    ends = list(accumulate(map(len, best)))
    path = set(zip([0, *ends], ends, strict=False))
    t = np.linspace(0, 1, 50)
    for i, j in combinations(range(len(text) + 1), 2):
        if (piece := text[i:j]) in p:
            height, chosen = (j - i) * (j - i > 1), (i, j) in path
            colour, width = (STYLES[1][0], 3) if chosen else (INK, 1)
            axis.plot(i + t * (j - i), 4 * height * t * (1 - t), color=colour, linewidth=width)
            where = {"xytext": (0, -15), "textcoords": "offset points", "ha": "center"}
            axis.annotate(f"{piece} {p[piece]:g}", ((i + j) / 2, height), **where)
    axis.plot(range(len(text) + 1), [0] * (len(text) + 1), "o", color=INK)
    axis.set_ylim(-1, None)
    return Picture(figure, f"All pieces that fit in {text}, from beginning to end; the best way: {' + '.join(best)}.")


def _curves(axis: Axes, curves: Mapping[str, Curve], xlabel: str, ylabel: str, legend: str = "best") -> None:
    """Each curve in a style of its own, named in a legend."""
    draw_lines(axis, curves)
    axis.set(xlabel=xlabel, ylabel=ylabel)
    axis.legend(loc=legend, frameon=False)
    axis.set_ylim(bottom=0)
