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
    for key, value in content.items():
        if not _holds(key, value):
            raise ValueError(f"{path} does not hold a {kind}: its {key} are {value!r:.60}")
    return content


def _holds(key: str, value: object) -> bool:
    """Whether the value is what a tokenizer has under that key: text, a list of texts, or of pairs of texts."""
    if key == "merges":
        return _texts(value, list) and all(len(pair) == 2 and _texts(pair, str) for pair in value)
    return isinstance(value, str) or _texts(value, str)


def _texts(value: object, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(each, kind) for each in value)
