"""One sentence for several widgets: what the reader gives to one of them, the others read, too."""

from typing import Protocol

import traitlets


class Reader(Protocol):
    """A widget that shows a sentence: SentenceCutter, AttentionHeatmap, BeamStepper."""

    text: str

    def read(self, text: str) -> None:
        """Show another sentence. Raises ValueError and changes nothing if it is refused."""


def together(*widgets: Reader) -> None:
    """Let these widgets show one sentence: when one of them has read another, all others read it.

    If one of them refuses it, all go back to the sentence before, and the ValueError reaches who asked. They begin with
    the sentence of the first. Raises ValueError for fewer than two, and as `read` if one refuses that sentence.
    """
    if len(widgets) < 2:
        raise ValueError(f"widgets must be two or more, got {len(widgets)}")

    def share(change: traitlets.Bunch) -> None:
        nonlocal shared
        text, before = change["new"], shared
        if text == shared:  # one of the others reads what this is about
            return
        shared = text
        try:
            tell(text)
        except ValueError:
            shared = before
            tell(before)
            raise

    def tell(text: str) -> None:
        for widget in widgets:
            if widget.text != text:
                widget.read(text)

    shared = widgets[0].text
    tell(shared)
    for widget in widgets:
        widget.observe(share, "text")
