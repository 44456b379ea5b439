"""The page of terms and symbols, made from glossary.toml: each with the section that introduces it."""

import tomllib
from collections.abc import Callable
from pathlib import Path

import nbformat

from course_lib.maintain.notebooks import METADATA
from course_lib.reader.contents import ROOT, START

TOLD = ROOT / "course_lib/reader/glossary.toml"
TITLE = f"""# Glossary

Terms and symbols of the lectures, in a sentence each. The last column leads to the section that introduces it; there
stands more. Back to the [start page]({Path(START).name})."""

Where = Callable[[str, str], str]  # ("05", "2") → what to click: its section, or the lecture's beginning for "0"


def entries() -> dict[str, list[dict[str, str]]]:
    """The terms, in the order of the alphabet, and the symbols, in that of the lectures."""
    told = tomllib.loads(TOLD.read_text(encoding="utf-8"))
    return {
        "Terms": sorted(told["term"], key=lambda entry: entry["term"].lower()),
        "Symbols": sorted(told["symbol"], key=lambda entry: tuple(map(int, entry["at"].split(".")))),
    }


def glossary_page(where: Where) -> nbformat.NotebookNode:
    """The notebook: a table of terms and a table of symbols."""
    cells = [nbformat.v4.new_markdown_cell(TITLE, id="title")]
    for title, listed in entries().items():
        rows = [f"| {_bold(entry['term'])} | {entry['says']} | {where(*entry['at'].split('.'))} |" for entry in listed]
        table = "\n".join([f"## {title}", "", "| | | introduced in |", "| :-- | :-- | :-- |", *rows])
        cells.append(nbformat.v4.new_markdown_cell(table, id=title.lower()))
    return nbformat.v4.new_notebook(cells=cells, metadata=METADATA)


def _bold(term: str) -> str:
    return term.replace("|", "\\vert ") if term.startswith("$") else f"**{term}**"
