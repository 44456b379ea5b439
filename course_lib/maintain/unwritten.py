"""What of the course is unwritten: the sentences behind "unwritten: ", each with its file and its place there."""

import re
from collections.abc import Iterator
from pathlib import Path

import nbformat

from course_lib.maintain.student_zip import course_files

MADE = ("assignments/", "lectures/00_start.ipynb", "course_lib/maintain/")  # repeat others; the last has templates
MARK = re.compile(r"\bunwritten: ")
END = re.compile(r'(?<=[.!?])(?=[\s")*|]|$)|"""|\s\|')  # of a sentence, a docstring, a table's cell


def unwritten(root: Path) -> list[str]:
    """Every place of the course at `root` that says "unwritten: …", in order, none twice.

    It is "file, cell id: sentence" in a notebook and "file, line number: sentence" elsewhere. A sentence goes on in the
    next line, of the same comment or paragraph, until it ends.
    """
    names = [name for name in course_files(root) if not name.startswith((*MADE, "tests/test_skeleton.py"))]
    texts = {
        name: (root / name).read_text(encoding="utf-8")
        for name in names
        if name.endswith((".py", ".md", ".ipynb", ".toml"))
    }
    return list(
        dict.fromkeys(place for name, text in texts.items() if MARK.search(text) for place in places(name, text))
    )


def places(name: str, text: str) -> Iterator[str]:
    """The places of one file."""
    if name.endswith(".ipynb"):
        for cell in nbformat.reads(text, 4).cells:
            for _, says in sentences(cell.source):
                yield f"{name}, cell {cell.id}: {says}"
    else:
        for line, says in sentences(text):
            yield f"{name}, line {line}: {says}"


def sentences(text: str) -> Iterator[tuple[int, str]]:
    """Each sentence behind the mark, and the number of its line."""
    lines = text.splitlines()
    for number, line in enumerate(lines, start=1):
        for mark in MARK.finditer(line):
            says, comment = line[mark.end() :], "#" in line[: mark.start()]
            for following in map(str.strip, lines[number:]):
                another = not following or following.startswith(("- ", "* ", "| ", "@", "$"))
                if END.search(says) or another or following.startswith("#") != comment:
                    break
                says += f" {following.lstrip('# ')}"
            says = END.split(says, maxsplit=1)[0].strip()
            outside = says.count(")") > says.count("(")  # the sentence stands in parentheses
            yield number, says[: says.rindex(")")] if outside else says
