"""Tables as a lecture shows them: numbers to the right, pieces in boxes, a caption."""

import html
from collections.abc import Iterable, Sequence

BOX = "display: inline-block; border: 1px solid; border-radius: 3px; padding: 0 3px; margin: 1px 2px; white-space: pre"
CELL = "text-align: {}; vertical-align: top; max-width: none; white-space: normal"
Cell = str | int | float | Sequence[str]


class Table:
    """Rows under a header. A cell is a text, a number, or a sequence of pieces, each of which gets a box.

    Raises ValueError if a row is longer or shorter than the header.
    """

    def __init__(self, header: Sequence[str], rows: Iterable[Sequence[Cell]], caption: str = ""):
        self.header, self.rows, self.caption = list(header), [list(row) for row in rows], caption
        for row in self.rows:
            if len(row) != len(self.header):
                raise ValueError(f"a row has {len(row)} cells, expected {len(self.header)}: {row!r:.80}")

    def _repr_html_(self) -> str:
        columns = list(zip(*self.rows, strict=True)) or [()] * len(self.header)
        sides = ["right" if all(isinstance(cell, int | float) for cell in column) else "left" for column in columns]
        head = "".join(
            f'<th scope="col" style="{CELL.format(side)}">{html.escape(name)}</th>'
            for name, side in zip(self.header, sides, strict=True)
        )
        body = "".join(
            "<tr>"
            + "".join(f'<td style="{CELL.format(s)}">{_html(c)}</td>' for c, s in zip(row, sides, strict=True))
            + "</tr>"
            for row in self._texts()
        )
        caption = f'<caption style="text-align: left">{html.escape(self.caption)}</caption>' if self.caption else ""
        return f'<table style="margin-left: 0">{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'

    def __repr__(self) -> str:
        lines = ([cell if isinstance(cell, str) else " ".join(cell) for cell in row] for row in self._texts())
        return "\n".join(map(" | ".join, [self.header, *lines]))

    def _texts(self) -> list[list[str | Sequence[str]]]:
        """The rows with their numbers written: `1,234`, and the floats of a column with equally many decimals."""
        decimals = [
            max((len(f"{c:.4g}".partition(".")[2]) for c in column if isinstance(c, float)), default=0)
            for column in zip(*self.rows, strict=True)
        ]
        return [[_number(c, n) for c, n in zip(row, decimals, strict=True)] for row in self.rows]


def _number(cell: Cell, decimals: int) -> str | Sequence[str]:
    return f"{cell:,.{decimals}f}" if isinstance(cell, float) else f"{cell:,}" if isinstance(cell, int) else cell


def _html(cell: str | Sequence[str]) -> str:
    if isinstance(cell, str):
        return html.escape(cell)
    return "".join(f'<span style="{BOX}">{html.escape(piece)}</span>' for piece in cell)
