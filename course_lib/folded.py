"""The result of an exercise's solution, folded: a lecture that is run from top to bottom does not give it away."""

import html
from typing import Any


class Folded:
    """Texts and objects with an HTML form (tables, pictures), shown below each other after a click on `summary`."""

    def __init__(self, *shown: Any, summary: str = "Result"):
        self.shown, self.summary = shown, summary

    def _repr_html_(self) -> str:
        parts = [f"<p>{html.escape(part)}</p>" if isinstance(part, str) else part._repr_html_() for part in self.shown]
        return f"<details><summary>{html.escape(self.summary)}</summary>{''.join(parts)}</details>"

    def __repr__(self) -> str:
        return "\n".join([self.summary, *map(str, self.shown)])
