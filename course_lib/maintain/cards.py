"""The card of a new lecture in contents.toml: what the start page says of it."""

from pathlib import Path

from course_lib.files import write_atomically

FILE = "course_lib/reader/contents.toml"
CARD = """

["{number}"]
does = "unwritten: say what a reader can do after it."
needs = "unwritten: say what a reader must know before it."
"""


def add(root: Path, number: str) -> None:
    """Give lecture `number` ("09") a card without a picture; one that is there stays."""
    path = root / FILE
    text = path.read_text(encoding="utf-8")
    if f'["{number}"]' not in text:
        with write_atomically(path) as file:
            file.write(text.rstrip() + CARD.format(number=number))
