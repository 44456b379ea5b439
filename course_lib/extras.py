"""Packages that a part of the course needs alone: an extra in pyproject.toml brings them, and an error says which."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(extra: str) -> Iterator[None]:
    """Around the imports of what the `extra` brings. Raises ModuleNotFoundError, which says what to install."""
    try:
        yield
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"{error.name} is not installed. In the course's folder: "
            f"pip install -c .ci/constraints.txt -e '.[{extra}]'",
            name=error.name,
        ) from error
