"""Attacks with the files that are handed in: formats, links, names, metadata, cells."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from .attack import FULL, Attack, filled, first, save

REBUILT = "the released notebook is rebuilt; only sources are taken"
REFUSED = "read with care; what cannot be read gets 0 and the reason"
NO_LINKS = "links are not followed"

Write = Callable[[Path, nbformat.NotebookNode], None]


def tests(notebook: nbformat.NotebookNode) -> list[nbformat.NotebookNode]:
    """The test cells."""
    return [cell for cell in notebook.cells if "__" in cell.metadata.get("nbgrader", {}).get("grade_id", "")]


def edited(change: Callable[[nbformat.NotebookNode], None]) -> Write:
    """Hand in the released notebook after `change`."""

    def write(folder: Path, notebook: nbformat.NotebookNode) -> None:
        change(first(notebook, "print('ran')"))
        save(folder, notebook)

    return write


def data(content: bytes | Callable[[nbformat.NotebookNode], bytes], name: str = "ps1.ipynb") -> Write:
    """Hand in a file of these bytes."""

    def write(folder: Path, notebook: nbformat.NotebookNode) -> None:
        folder.mkdir(parents=True)
        (folder / name).write_bytes(content(notebook) if callable(content) else content)

    return write


def made(make: Callable[[Path], None], inside: bool = True) -> Write:
    """Hand in what `make` makes of the notebook's path (or, if not `inside`, of the submission's folder)."""

    def write(folder: Path, notebook: nbformat.NotebookNode) -> None:
        (folder if inside else folder.parent).mkdir(parents=True, exist_ok=True)
        make(folder / "ps1.ipynb" if inside else folder)

    return write


def markers(notebook: nbformat.NotebookNode) -> None:
    for cell in tests(notebook):
        cell.source = "7"
        cell.cell_type, cell["outputs"], cell["execution_count"] = (
            "code",
            [new_output("execute_result", {"text/plain": "7"})],
            1,
        )
        cell.metadata["nbgrader"] |= {"points": 100, "locked": False, "solution": False, "schema_version": 99}
        cell.metadata["tags"] = ["skip-execution", "raises-exception"]
    notebook.metadata["kernelspec"] = {"name": "bash", "language": "bash", "display_name": "../../x"}
    notebook.metadata["language_info"] = {"name": "<script>"}


def types(notebook: nbformat.NotebookNode) -> None:
    for n, cell in enumerate(tests(notebook)):
        cell.cell_type = ("markdown", "raw", "code")[n % 3]
        for key in ("outputs", "execution_count"):
            cell.pop(key, None)
        cell.metadata["nbgrader"] |= {"cell_type": "markdown", "solution": True, "grade": n % 2 == 0, "task": True}


def moved(notebook: nbformat.NotebookNode) -> None:
    doubled = [nbformat.from_dict(dict(cell, source="7")) for cell in tests(notebook)]
    notebook.cells = [*doubled, *reversed(notebook.cells), *doubled]


def merged(notebook: nbformat.NotebookNode) -> None:
    whole = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    notebook.cells = [new_code_cell("print('ran')"), new_code_cell(whole + "\n7")]


def pointed(notebook: nbformat.NotebookNode) -> None:
    names = [cell.metadata.nbgrader.grade_id for cell in tests(notebook)]
    notebook.cells = [cell for cell in notebook.cells if cell not in tests(notebook)]
    for name in names:
        cell = new_code_cell("grade = check = lambda *_: 7\n7", id=name)
        cell.metadata["nbgrader"] = {
            "grade": True,
            "grade_id": name,
            "points": 7,
            "locked": True,
            "solution": True,
            "task": False,
            "schema_version": 3,
        }
        notebook.cells += [cell, new_code_cell("7", id=name), new_markdown_cell("7", id=name)]
    filled(notebook, "grade = check = lambda *_: 7\nprint('ran')")
    notebook.cells[0].metadata["nbgrader"] = {"grade_id": "ps1_setup", "locked": True, "solution": False}


def many(notebook: nbformat.NotebookNode) -> None:
    notebook.cells += [new_code_cell("x = 1") for _ in range(2500)]


def version3(notebook: nbformat.NotebookNode) -> bytes:
    cells = [dict(cell, input=cell.source, collapsed=False, language="python") for cell in notebook.cells]
    return json.dumps(
        {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}
    ).encode()


def other(minor: dict) -> Callable[[nbformat.NotebookNode], bytes]:
    return lambda notebook: json.dumps(json.loads(nbformat.writes(notebook)) | minor).encode()


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(100 << 20)


def company(folder: Path, notebook: nbformat.NotebookNode) -> None:
    """A notebook among files that have names of the grader's."""
    save(folder, first(notebook, "print('ran')"))
    for name in (
        "nbgrader_config.py",
        "sitecustomize.py",
        "torch.py",
        "course_lib.py",
        "conftest.py",
        "x.pth",
        ".graded",
        "kernel.json",
    ):
        (folder / name).write_text('open("/tmp/owned-course", "w").write("LEAK")\nraise SystemExit("LEAK")')
    for name in ("course_lib", ".ipynb_checkpoints", "..."):
        (folder / name).mkdir()
        (folder / name / "__init__.py").write_text("grade = check = lambda *_: 7")
    (folder / "timestamp.txt").write_text("0001-01-01 00:00:00 +2300")


def stamped(folder: Path, notebook: nbformat.NotebookNode) -> None:
    save(folder, first(notebook, "print('ran')"))
    (folder / "timestamp.txt").symlink_to("/etc/hostname")


def robs(folder: Path, notebook: nbformat.NotebookNode) -> None:
    """Another's file, who is made for it; a date is written to the other's folder afterwards."""
    victim = folder.parents[1] / "va-robbed" / folder.name
    save(victim, first(notebook, "print('ran')"))
    folder.mkdir(parents=True)
    (folder / "ps1.ipynb").hardlink_to(victim / "ps1.ipynb")
    (victim / "timestamp.txt").write_text("2026-11-21 10:00:00")


def stray(path: str) -> Write:
    """Hand in the released notebook, with a plain file at `path` of the course."""

    def write(folder: Path, notebook: nbformat.NotebookNode) -> None:
        save(folder, notebook)
        file = folder.parents[2] / path.format(student=folder.parent.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("a note")
        (folder.parents[1] / "notes.txt").write_text("a note")

    return write


NAMES = {
    "ab\ncd": "a newline in a name",
    "[ab]*?": "a name that is a pattern",
    "ab\x1b[31m": "a name with a terminal's code",
    os.fsdecode(b"ab\xff\xfe"): "a name of bytes that are no text",
}
STRAY = {
    "a student in autograded": "autograded/{student}",
    "a set in autograded": "autograded/{student}/ps1",
    "a student in received": "received/{student}",
    "a set in received": "received/{student}/ps1",
}
HONEST = "../../aa-honest/ps1"
UNREADABLE = "could not be graded"
ATTACKS = (
    Attack(
        "markers",
        "points, locks, versions, tags, kernel and outputs edited; test cells that say 7",
        REBUILT,
        write=edited(markers),
    ),
    Attack("types", "types and roles of test cells changed", REBUILT, write=edited(types)),
    Attack("moved", "test cells doubled, reordered", REBUILT, write=edited(moved)),
    Attack("merged", "all cells merged into one, with the score at its end", REBUILT, write=edited(merged), shows=""),
    Attack("pointed", "cells of its own with the ids of test cells and of the setup", REBUILT, write=edited(pointed)),
    Attack(
        "no tests", "deletes every test cell", REBUILT, write=edited(lambda nb: [nb.cells.remove(c) for c in tests(nb)])
    ),
    Attack("many cells", "thousands of cells", REFUSED, write=edited(many), shows=UNREADABLE),
    Attack(
        "company",
        "files named like the grader's beside the notebook, a date of the year 0",
        "one file is taken",
        write=company,
    ),
    Attack("stamp", "timestamp.txt is a link", NO_LINKS, write=stamped),
    Attack("not JSON", "a file that is no JSON", REFUSED, write=data(b"\x89PNG not a notebook"), shows=UNREADABLE),
    Attack("nested", "JSON nested a million deep", REFUSED, write=data(b'{"cells": ' + b"[" * 10**6), shows=UNREADABLE),
    Attack(
        "odd JSON",
        "cells, sources, ids and metadata of wrong types",
        REFUSED,
        write=data(
            json.dumps(
                {
                    "nbformat": 4,
                    "metadata": 7,
                    "cells": [
                        1,
                        None,
                        [],
                        {},
                        {"cell_type": [], "source": 7},
                        {"cell_type": "code", "source": [1, "print('ran')", None], "metadata": [], "id": {}},
                        {"cell_type": "code", "source": "print('ran')", "id": "ü", "metadata": {"nbgrader": "x"}},
                        {
                            "cell_type": "code",
                            "source": "print('ran')\n# \ud800",
                            "id": "x" * 999,
                            "metadata": {"nbgrader": {"grade_id": []}},
                        },
                    ],
                }
            ).encode()
        ),
    ),
    Attack("100 MB", "a file of 100 MB", REFUSED, write=made(sparse), shows=UNREADABLE),
    Attack(
        "missing", "no notebook at all", REFUSED, write=lambda folder, _: folder.mkdir(parents=True), shows=UNREADABLE
    ),
    Attack("pipe", "the notebook is a pipe that nobody writes to", REFUSED, write=made(os.mkfifo), shows=UNREADABLE),
    Attack(
        "pipe for a folder", "the submission is a pipe", REFUSED, write=made(os.mkfifo, inside=False), shows=UNREADABLE
    ),
    Attack("folder for a file", "the notebook is a folder", REFUSED, write=made(Path.mkdir), shows=UNREADABLE),
    Attack(
        "link",
        "the notebook is a link to another's",
        NO_LINKS,
        write=made(lambda p: p.symlink_to(f"{HONEST}/ps1.ipynb")),
        shows=UNREADABLE,
    ),
    Attack(
        "link of solutions",
        "the notebook is a link to the solutions",
        NO_LINKS,
        write=made(lambda p: p.symlink_to("../../../solutions/ps1/ps1.ipynb")),
        shows=UNREADABLE,
    ),
    Attack(
        "linked folder",
        "the submission is a link to another's",
        NO_LINKS,
        write=made(lambda p: p.symlink_to("../aa-honest/ps1"), inside=False),
        shows=UNREADABLE,
    ),
    Attack(
        "linked student",
        "the student's folder is a link to another's",
        NO_LINKS,
        write=lambda folder, _: folder.parent.symlink_to("aa-honest"),
        shows=UNREADABLE,
    ),
    Attack(
        "hard link",
        "the notebook is the solution, by a hard link",
        NO_LINKS,
        write=made(lambda p: p.hardlink_to(p.parents[3] / "solutions/ps1/ps1.ipynb")),
        shows=UNREADABLE,
    ),
    Attack(
        "hard link to another's",
        "the notebook is another's, by a hard link, and the other's folder changed last",
        "without an earlier receipt both wait for a person",
        write=robs,
        shows="a person has to say whose it is",
    ),
    *(
        Attack(
            tries,
            tries,
            "one submission waits, the others are graded",
            student=name,
            write=edited(lambda nb: None),
            waits=True,
        )
        for name, tries in NAMES.items()
    ),
    *(
        Attack(
            name,
            f"a file where {name} has to be a folder",
            "one submission waits, the others are graded",
            write=stray(path),
            waits=True,
        )
        for name, path in STRAY.items()
    ),
    Attack(
        "o'brien; DROP",
        "a name of quotes and commands",
        "names are data",
        write=edited(lambda nb: None),
        student="o'brien; DROP TABLE grade--",
    ),
    Attack("{x}%s$(id)", "a name of patterns", "names are data", write=edited(lambda nb: None), student="{x}%s$(id)"),
    Attack(
        "späße 日本 ..",
        "a name of other letters, blanks, dots",
        "names are data",
        write=edited(lambda nb: None),
        student="späße 日本 .. x",
    ),
    *(  # honest work in odd files: nothing is gained, and nothing lost
        Attack(
            name, f"honest work: {tries}", "every format that can be read", write=data(*how), shows="", deserves=FULL
        )
        for name, tries, how in (
            ("UTF-16", "letters of two bytes", [lambda nb: nbformat.writes(nb).encode("utf-16")]),
            ("version 3", "the format of 2013", [version3]),
            ("version 5", "a format that does not exist yet", [other({"nbformat": 5, "nbformat_minor": 99})]),
            (
                "wrong name",
                "a notebook named otherwise",
                [lambda nb: nbformat.writes(nb).encode(), "Kopie von ps1 (1).ipynb"],
            ),
        )
    ),
)
LIMITS: dict[str, float] = {}  # nothing here waits
