"""What all figures share: a picture with alt text that follows the page's theme, its panels, the styles of its lines.

Lines differ in colour, marker and dash. The colours stand out from a white and from a black page, and can be told apart
by colour-blind readers (after Okabe and Ito); text, axes and grid have the page's own colour, without a ground.
"""

import hashlib
import html
import io
import re
from collections.abc import Mapping, Sequence
from itertools import cycle

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import LogLocator, NullFormatter

STYLES = [("#0072B2", "o", "-"), ("#D55E00", "s", "--"), ("#00805E", "^", "-."), ("#A65690", "D", ":")]
INK = "#010203"  # stands for the page's colour of text until the picture is written
SETTINGS = {"font.size": 10, "svg.hashsalt": "course", "svg.fonttype": "path"} | dict.fromkeys(
    ("axes.edgecolor", "axes.labelcolor", "xtick.color", "ytick.color", "grid.color", "text.color"), INK
)


class Picture:
    """A figure as a notebook shows it: SVG within the page, with `alt`, which readers hear who cannot see it."""

    def __init__(self, figure: Figure, alt: str):
        self.figure, self.alt = figure, alt
        for text in figure.findobj(Text):
            text.set_color(INK)

    def _repr_html_(self) -> str:
        written = io.BytesIO()
        with matplotlib.rc_context(SETTINGS):
            self.figure.savefig(written, format="svg", transparent=True, metadata={"Date": None})
        svg = written.getvalue().decode()
        svg = svg[svg.index("<svg") :].replace(INK, "currentColor")
        own = hashlib.sha256(svg.encode()).hexdigest()[:8]  # names are the page's: two pictures must not share any
        svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{own}-", svg)
        label = f'role="img" aria-label="{html.escape(self.alt)}" style="max-width: 100%; height: auto"'
        return svg.replace("<svg", f"<svg {label}", 1)

    def __repr__(self) -> str:
        return self.alt


def panels(n: int = 1, width: float = 4.8, height: float = 3.8) -> tuple[Figure, Sequence[Axes]]:
    """A figure of `n` plain panels side by side, each `width` by `height` inches, and its panels."""
    with matplotlib.rc_context(SETTINGS):
        figure = Figure(figsize=(width * n, height), layout="constrained")
        axes = figure.subplots(1, n, squeeze=False)[0]
    for axis in axes:
        axis.grid(alpha=0.15)
        axis.set_axisbelow(True)
        axis.spines[["top", "right"]].set_visible(False)
    return figure, axes


def draw_lines(
    axis: Axes, lines: Mapping[str, tuple[Sequence[float], Sequence[float]]], marks: int | None = None
) -> dict[str, Line2D]:
    """Each line, {name: (x, y)}, in a style of its own (after the last style the first again); what was drawn, by name.

    With `marks` about so many of its points are marked, else all.
    """
    drawn = {}
    for (colour, marker, dash), (name, (x, y)) in zip(cycle(STYLES), lines.items(), strict=False):
        every = None if marks is None else max(1, len(y) // marks)
        style = {"color": colour, "marker": marker, "linestyle": dash, "markersize": 5, "markevery": every}
        (drawn[name],) = axis.plot(x, y, **style, label=name)
    return drawn


def logarithmic(axis: Axes) -> None:
    """Make the horizontal axis a logarithmic one of numbers with ticks at 1, 2 and 5 of every power of ten."""
    axis.set_xscale("log")
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.xaxis.set_major_formatter("{x:,.0f}")
    axis.xaxis.set_minor_formatter(NullFormatter())


def legend_beside(axis: Axes) -> None:
    """The legend to the right of the panel."""
    axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
