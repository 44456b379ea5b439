"""The card of a new lecture in contents.toml: what the start page says of it."""

from pathlib import Path

from course_lib.files import write_atomically

FILE = "course_lib/reader/contents.toml"


def add(root: Path, number: str) -> None:
    """Give lecture `number` ("09") a card without a picture; one that is there stays."""
    path = root / FILE
    text = path.read_text(encoding="utf-8")
    if f'["{number}"]' not in text:
        with write_atomically(path) as file:
            file.write(f'{text.rstrip()}\n\n["{number}"]\ndoes = "unwritten: say what a reader can do after it."\n')
