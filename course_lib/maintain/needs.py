"""What a lecture needs, and how long it takes: two paragraphs of its first cell, above how to work."""

import textwrap

import nbformat

from course_lib.maintain.links import unlinked
from course_lib.reader.minutes import minutes, told

NEEDS, LONG, BELOW = "**What you need.** ", "**How long.** ", "**How to work.** "
MAY = "(*may*)"
WIDTH = 120


def needed(notebook: nbformat.NotebookNode, needs: str) -> None:
    """Write `needs`, from contents.toml, and the minutes into the first cell of `notebook`, above "How to work" or at
    its end; paragraphs of old go."""
    title, spent = notebook.cells[0], minutes(notebook)
    paragraphs = [each for each in unlinked(title.source).split("\n\n") if not each.startswith((NEEDS, LONG))]
    place = next((n for n, each in enumerate(paragraphs) if each.startswith(BELOW)), len(paragraphs))
    marked = any(MAY in cell.source for cell in notebook.cells[1:])
    left_out = f", what is folded, and the parts marked {MAY}, which can be left out at first reading"
    long = (
        f"{LONG}About {told(spent.must)} to read. Another {told(spent.may)} are for the exercises"
        f"{left_out if marked else ' and what is folded'}."
    )
    written = [NEEDS + needs, long] if needs else [long]
    options = {"break_long_words": False, "break_on_hyphens": False}
    paragraphs[place:place] = [textwrap.fill(each, WIDTH, **options) for each in written]
    title.source = "\n\n".join(paragraphs)
