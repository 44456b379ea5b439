"""What a lecture needs: a paragraph of its first cell, from contents.toml, above how to work."""

import textwrap

import nbformat

from course_lib.maintain.links import unlinked

NEEDS, BELOW = "**What you need.** ", "**How to work.** "
WIDTH = 120


def needed(notebook: nbformat.NotebookNode, needs: str) -> None:
    """Write `needs` into the first cell of `notebook`, above "How to work" or at its end; a paragraph of old goes."""
    title = notebook.cells[0]
    paragraphs = [each for each in unlinked(title.source).split("\n\n") if not each.startswith(NEEDS)]
    place = next((n for n, each in enumerate(paragraphs) if each.startswith(BELOW)), len(paragraphs))
    if needs:
        paragraphs.insert(place, textwrap.fill(NEEDS + needs, WIDTH, break_long_words=False, break_on_hyphens=False))
    title.source = "\n\n".join(paragraphs)
