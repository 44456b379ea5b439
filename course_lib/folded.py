"""The result of an exercise's solution, folded: a lecture that is run from top to bottom does not give it away."""

import html
from itertools import groupby
from typing import Any

from course_lib.notation import as_html


class Folded:
    """Texts and objects with an HTML form (tables, pictures), shown below each other after a click on `summary`.

    Texts in a row are lines of one paragraph.
    """

    def __init__(self, *shown: Any, summary: str = "Result"):
        self.shown, self.summary = shown, summary

    def _repr_html_(self) -> str:
        parts = []
        for are_lines, group in groupby(self.shown, key=lambda part: isinstance(part, str)):
            if are_lines:
                parts.append(f"<p>{'<br>'.join(map(as_html, group))}</p>")
            else:
                parts += [part._repr_html_() for part in group]
        return f"<details><summary>{html.escape(self.summary)}</summary>{''.join(parts)}</details>"

    def __repr__(self) -> str:
        return "\n".join([self.summary, *map(str, self.shown)])
