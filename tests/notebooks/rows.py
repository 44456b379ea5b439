"""A row of a lecture's tables: a function that runs behind a cell, takes names of the notebook, and asserts."""

import importlib
import linecache
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from inspect import signature
from types import ModuleType
from typing import Any


@dataclass(frozen=True)
class Row:
    """What a figure, table or example of a seed shows, or what the prose says, and how one knows that it is true."""

    says: str
    cell: str
    holds: Callable


def behind(cell: str) -> Callable[[Callable], Callable]:
    """Mark a function as a row: its docstring is true right behind the cell of that id.

    Its arguments are names of the notebook; `output` is what the cell printed or showed, as text, and
    `notebook` holds all names.
    """

    def mark(function: Callable) -> Callable:
        function.cell = cell
        return function

    return mark


def rows_of(module: ModuleType) -> dict[str, Row]:
    """The rows that a module holds, by what they say, in order."""
    marked = (function for function in vars(module).values() if hasattr(function, "cell"))
    return {says: Row(says, each.cell, each) for each in marked for says in [" ".join(each.__doc__.split())]}


def hold(module: str, name: str, notebook: dict[str, Any], output: str) -> None:
    """In the notebook's kernel: call the row of that name. Raises AssertionError that says which of its parts is false,
    and NameError for an argument that the notebook does not have."""
    function = getattr(importlib.import_module(module), name)
    there = notebook | {"output": output, "notebook": notebook}
    for argument in signature(function).parameters:
        if argument not in there:
            raise NameError(f"the notebook has no {argument!r}")
    try:
        function(**{argument: there[argument] for argument in signature(function).parameters})
    except AssertionError as error:
        raise AssertionError(part(error)) from None


def part(error: AssertionError) -> str:
    """The source of the assertion that failed, and its line."""
    failed = traceback.extract_tb(error.__traceback__)[-1]
    lines = (linecache.getline(failed.filename, n) for n in range(failed.lineno, (failed.end_lineno or 0) + 1))
    return f"line {failed.lineno}: {' '.join(' '.join(lines).split())}"
