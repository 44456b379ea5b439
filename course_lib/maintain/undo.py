"""Several files written as a whole: if anything fails on the way, all of them are again what they were."""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def all_or_nothing(*paths: Path) -> Iterator[None]:
    """If the block raises, each of these files and folders is again what it was, or gone if it was not there."""
    with tempfile.TemporaryDirectory() as folder:
        kept = {path: Path(folder, str(place)) for place, path in enumerate(paths)}
        for path, copy in kept.items():
            _copy(path, copy)
        try:
            yield
        except BaseException:
            for path, copy in kept.items():
                _remove(path)
                _copy(copy, path)
            raise


def _copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target)
    elif source.exists():
        shutil.copy2(source, target)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
