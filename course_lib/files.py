"""Write a file completely or not at all: first a temporary file beside it, then a rename."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO


@contextlib.contextmanager
def write_atomically(path: str | os.PathLike, mode: str = "w") -> Iterator[IO]:
    """Open a temporary file beside `path` and rename it to `path` when the block ends well.

    `mode` is "w" (UTF-8 text, "\\n" line ends) or "wb" (bytes). If the block raises, `path` is what it was before and
    the temporary file is gone. Parent folders are made. Raises ValueError for another mode.
    """
    if mode not in ("w", "wb"):
        raise ValueError(f'mode must be "w" or "wb", got {mode!r}')
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
    text = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        with os.fdopen(handle, mode, **text) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o666 & ~_umask())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(temporary)
        raise


def _umask() -> int:
    current = os.umask(0)
    os.umask(current)
    return current
