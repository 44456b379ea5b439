"""What all figures share: a picture with alt text that follows the page's theme, its panels, the styles of its lines.

Lines differ in colour, marker and dash; a marked point tells its numbers under the mouse. The colours stand out from a
white and from a black page, and can be told apart by colour-blind readers (after Okabe and Ito); text, axes and grid
have the page's own colour, without a ground.
"""

import hashlib
import html
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, pairwise

import matplotlib
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from course_lib.notation import as_mathtext

STYLES = [  # colour, marker, line: six that can be told apart, also without colours
    ("#0072B2", "o", "-"),
    ("#D55E00", "s", "--"),
    ("#00805E", "^", "-."),
    ("#A65690", "D", ":"),
    ("#8A6F00", "v", (0, (8, 2))),
    ("#66727F", "P", (0, (3, 1, 1, 1, 1, 1))),
]
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
        svg = svg[svg.index("<svg") :].replace(INK, "currentColor").replace("</svg>", f"{_told(self.figure)}</svg>")
        own = hashlib.sha256(svg.encode()).hexdigest()[:8]  # names are the page's: two pictures must not share any
        svg = re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{own}-", svg)
        label = f'role="img" aria-label="{html.escape(self.alt)}" style="max-width: 100%; height: auto"'
        return svg.replace("<svg", f"<svg {label}", 1)

    def __repr__(self) -> str:
        return self.alt


def _told(figure: Figure) -> str:
    """For each marked point of a line a circle without colour, with what a browser shows under the mouse."""
    width, height = 72 * figure.get_size_inches()
    circles = []
    for axis in figure.axes:
        for line in (line for line in axis.lines if line.get_marker() not in ("", " ", "None", None)):
            every = line.get_markevery() or 1
            for x, y in list(zip(*line.get_data(), strict=True))[::every]:
                across, up = figure.transFigure.inverted().transform(axis.transData.transform((x, y)))
                if not (0 <= across <= 1 and 0 <= up <= 1):
                    continue
                name = "" if line.get_label().startswith("_") else f"{line.get_label()}: "
                said = html.escape(f"{name}{_read(axis.xaxis, x)}, {_read(axis.yaxis, y)}")
                at = f'cx="{across * width:.1f}" cy="{(1 - up) * height:.1f}"'
                circles.append(f'<circle {at} r="8" fill="none" pointer-events="all"><title>{said}</title></circle>')
    return "".join(circles)


def _read(axis: Axis, value: float) -> str:
    """A value as it is read on an axis: "beam size k 5", or the words that stand there."""
    written = axis.get_major_formatter()
    if isinstance(written, FuncFormatter) and (words := written(value)):  # of ticks that have words
        return f"{axis.get_label_text()} {words}".strip()
    return f"{axis.get_label_text()} {value:,.4g}".strip().replace("-", "−")


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
    axis: Axes,
    lines: Mapping[str, tuple[Sequence[float], Sequence[float]]],
    marks: int | None = None,
    colour: str | None = None,
) -> dict[str, Line2D]:
    """Each line, {name: (x, y)}, in a style of its own (after the last style the first again); what was drawn, by name.

    About `marks` points of each are marked, else all where they are 25 at most, and about 12 of more. Where x counts
    something the ticks are whole numbers, those of the points if these are few. `colour`: one for all lines.
    """
    drawn = {}
    for (own, marker, dash), (name, (x, y)) in zip(cycle(STYLES), lines.items(), strict=False):
        every = max(1, len(y) // (marks or (12 if len(y) > 25 else len(y))))
        style = {"color": colour or own, "marker": marker, "linestyle": dash, "markersize": 5, "markevery": every}
        (drawn[name],) = axis.plot(x, y, **style, label=name)
    whole_ticks(axis, {float(at) for x, _ in lines.values() for at in x})
    return drawn


def whole_ticks(axis: Axes, values: Iterable[float]) -> None:
    """Ticks of a linear horizontal axis on which `values` stand: at these where they are few whole numbers, and at
    whole numbers where they are many."""
    values = sorted(values)
    if not values or not all(float(value).is_integer() for value in values):
        return
    gaps = [after - before for before, after in pairwise(values)]
    if len(values) <= 8 and min(gaps, default=0) > 0.03 * (values[-1] - values[0]):
        axis.set_xticks(values)
    else:
        axis.xaxis.set_major_locator(MaxNLocator(integer=True))


def logarithmic(axis: Axes) -> None:
    """Make the horizontal axis a logarithmic one of numbers with ticks at 1, 2 and 5 of every power of ten, or at the
    powers alone where they are more than three."""
    axis.set_xscale("log")
    low, high = axis.get_xlim()
    axis.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if high < 3000 * low else (1,)))
    axis.xaxis.set_major_formatter("{x:,.10g}")
    axis.xaxis.set_minor_formatter(NullFormatter())


def legend_beside(axis: Axes) -> None:
    """The legend to the right of the panel, indices in its names set as formulas."""
    for text in axis.legend(loc="center left", bbox_to_anchor=(1, 0.5), frameon=False).get_texts():
        text.set_text(as_mathtext(text.get_text()))
