"""What a reader leaves behind: my_course.json beside the notebooks, which stays when a notebook is cleared."""

import json
from pathlib import Path

from course_lib.files import write_atomically

FILE = "my_course.json"


def load(section: str, folder: Path | None = None) -> dict:
    """A section of the record in `folder` (the notebook's own, if none is given); empty where nothing is kept.

    A file that cannot be read counts as empty: it costs a reader a guess, not a lecture.
    """
    return _whole(_path(folder)).get(section, {})


def keep(section: str, entries: dict, folder: Path | None = None) -> None:
    """Add these entries to a section; None takes one out. A file that cannot be read is kept beside as .broken."""
    path = _path(folder)
    whole = _whole(path)
    if not whole and path.exists() and path.read_bytes().strip() not in (b"", b"{}"):
        path.replace(path.with_name(f"{FILE}.broken"))
    section_now = {key: value for key, value in (whole.get(section, {}) | entries).items() if value is not None}
    with write_atomically(path) as file:
        json.dump(whole | {section: section_now}, file, indent=1, ensure_ascii=False, sort_keys=True)


def _path(folder: Path | None) -> Path:
    return (folder or Path.cwd()) / FILE


def _whole(path: Path) -> dict:
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {key: value for key, value in read.items() if isinstance(value, dict)} if isinstance(read, dict) else {}
