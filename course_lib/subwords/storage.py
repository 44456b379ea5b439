"""A learned tokenizer as a JSON file."""

import json
import os
from pathlib import Path

from course_lib.files import write_atomically


def save(path: str | os.PathLike, kind: str, content: dict) -> None:
    """Write `content` with its `kind` ("BPE", …), completely or not at all."""
    with write_atomically(path) as file:
        json.dump({"kind": kind, **content}, file, ensure_ascii=False, indent=0)


def load(path: str | os.PathLike, kind: str, keys: set[str]) -> dict:
    """The content saved under `kind`. Raises ValueError if the file holds something else than its `keys`."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(content, dict) or content.pop("kind", None) != kind or set(content) != keys:
        raise ValueError(f"{path} does not hold a {kind} with {sorted(keys)}")
    return content
