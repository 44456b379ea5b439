"""Tables as a lecture shows them: numbers to the right, pieces in boxes, a caption."""

import html
import math
import re
from collections.abc import Iterable, Sequence
from numbers import Integral, Real

from course_lib.notation import as_html

BOX = "display: inline-block; border: 1px solid; border-radius: 3px; padding: 0 3px; margin: 1px 2px; white-space: pre"
CELL = "text-align: {}; vertical-align: baseline; max-width: none; white-space: {}; font-variant-numeric: tabular-nums"
SHORT = 12  # characters of a text of up to three words that stays on one line
NUMBER = re.compile(
    r"[-+−]?[\d,]*\.?\d+(?:e[-+]?\d+)?(?: ?%|M)?|[-+]?inf|nan|10\^-?\d+|[–—?]?"
)  # a text that is one, or none
Cell = str | Real | Sequence[str]


class Table:
    """Rows under a header. A cell is a text, a number, or a sequence of pieces, each of which gets a box.

    Numbers, also those written as text, stand on the right; minus signs, powers and indices are set as formulas.
    Columns of floats have `decimals`, or else those that matter. A short text is never broken into lines. Raises
    ValueError if a row is longer or shorter than the header.
    """

    def __init__(
        self, header: Sequence[str], rows: Iterable[Sequence[Cell]], caption: str = "", decimals: int | None = None
    ):
        self.header, self.rows, self.caption = list(header), [list(row) for row in rows], caption
        self.decimals = decimals
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(f"a row has {len(row)} cells, expected {len(self.header)}: {row!r:.80}")

    def _repr_html_(self) -> str:
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.header)
        sides = ["right" if all(map(_is_number, column)) else "left" for column in columns]
        head = "".join(
            f'<th scope="col" style="{_style(side, name)}">{as_html(name)}</th>'
            for name, side in zip(self.header, sides, strict=True)
        )
        body = "".join(
            "<tr>"
            + "".join(f'<td style="{_style(s, c)}">{_html(c)}</td>' for c, s in zip(row, sides, strict=True))
            + "</tr>"
            for row in self._texts()
        )
        caption = f'<caption style="text-align: left">{as_html(self.caption)}</caption>' if self.caption else ""
        return f'<table style="margin-left: 0">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'

    def __repr__(self) -> str:
        lines = ([cell if isinstance(cell, str) else " ".join(cell) for cell in row] for row in self._texts())
        return "\n".join(map(" | ".join, [self.header, *lines]))

    def _texts(self) -> list[list[str | Sequence[str]]]:
        """The rows with their numbers written, column by column."""
        columns = [_written(column, self.decimals) for column in zip(*self.rows, strict=True)]
        return [list(row) for row in zip(*columns, strict=True)]


def _written(column: Sequence[Cell], decimals: int | None) -> list[str | Sequence[str]]:
    """Whole numbers as `1,234`; where a column holds floats, all its numbers with equally many decimals.

    If `decimals` is None, the largest has three significant digits (and a decimal below 1,000), or four if that writes
    all of them exactly; zeros that end all numbers are left out, as long as a decimal is left. A number that would read
    as zero and is not is written as `1.2e-05`.
    """
    if not any(isinstance(cell, Real) and not isinstance(cell, Integral) for cell in column):
        return [f"{cell:,}" if isinstance(cell, Real) else cell for cell in column]
    if decimals is not None:
        return [f"{cell:z,.{decimals}f}" if isinstance(cell, Real) else cell for cell in column]
    numbers = [float(cell) for cell in column if isinstance(cell, Real)]
    largest = max((abs(number) for number in numbers if math.isfinite(number)), default=0) or 1.0
    decimals = max(2 - math.floor(math.log10(largest)), int(largest < 1000))
    exact = all(math.isclose(number, round(number, decimals + 1)) for number in numbers if math.isfinite(number))
    needed = decimals + exact
    while needed and all(f"{number:.{needed}f}".endswith(("0", "n", "f")) for number in numbers):
        needed -= 1
    decimals = needed or decimals
    return [_number(cell, decimals) if isinstance(cell, Real) else cell for cell in column]


def _number(value: Real, decimals: int) -> str:
    text = f"{value:z,.{decimals}f}"
    return text if value == 0 or math.isnan(value) or float(text.replace(",", "")) else f"{value:.1e}"


def _is_number(cell: Cell) -> bool:
    return isinstance(cell, Real) or (isinstance(cell, str) and bool(NUMBER.fullmatch(cell)))


def _style(side: str, cell: str | Sequence[str]) -> str:
    short = isinstance(cell, str) and len(cell) <= SHORT and len(cell.split()) <= 3
    return CELL.format(side, "nowrap" if short else "normal")


def _html(cell: str | Sequence[str]) -> str:
    if isinstance(cell, str):
        return as_html(cell)
    return "".join(f'<span style="{BOX}">{html.escape(piece)}</span>' for piece in cell)
