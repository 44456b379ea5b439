"""What is accepted of a submission, before nbgrader opens it: one regular file that is a notebook, read with care.

From `submitted/<student>/<set>/` a clean notebook goes to `received/<student>/<set>/`, and that is graded. It holds
cells with a type, a source, an id and a grade_id, and nothing else. Links are not followed. A submission that cannot be
read becomes a notebook that says why: its author gets 0 and the reason, and the run goes on.
"""

import json
import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.utils import parse_utc

from course_lib.files import write_atomically
from course_lib.grading.nbgrader_hooks import links

MAX_FILE = 20 << 20  # bytes of a notebook
MAX_CELLS = 2_000
MAX_SOURCE = 1 << 20  # characters of all cells together
MAX_PARTS = 500_000  # lists, objects and values of a file: an empty list costs two letters, and memory for thirty
MAX_ENTRIES = 1_000  # files looked at in a folder
SECRET = re.compile(r"[0-9a-f]{128}")
CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


class Unreadable(ValueError):
    """Why a submission cannot be graded, for its author to read."""


@dataclass(frozen=True)
class Received:
    """A clean notebook, and what was set right or went wrong on the way."""

    notebook: nbformat.NotebookNode
    notes: tuple[str, ...] = ()
    data: bytes | None = None  # what it was made from, if it could be read


def receive(folder: Path, name: str, known: set[str]) -> Received:
    """The notebook `name` from a submission's folder; never raises for what a student may have put there.

    If no file has the right name, the one with the most cells of the assignment (`known` grade_ids) is taken.
    """
    try:
        path, note = find(folder, name, known)
        data = read(path)
        return Received(clean(parse(data)), note, data)
    except Unreadable as error:
        return refused(str(error))
    except Exception as error:  # noqa: BLE001  it cannot be worse than unreadable
        return refused(f"it could not be read ({type(error).__name__})")


def refused(reason: str) -> Received:
    """A notebook that says why there is no other."""
    notice = new_markdown_cell(f"**This submission could not be graded:** {reason}.", id="notice")
    about = {"refused": reason}  # of the notebook, where nothing of a student's gets
    return Received(new_notebook(cells=[notice], metadata={"course": about}), (f"could not be read: {reason}",))


def find(folder: Path, name: str, known: set[str]) -> tuple[Path, tuple[str, ...]]:
    """The file to grade, and a note if it had another name."""
    if folder.is_symlink() or folder.parent.is_symlink():
        raise Unreadable("the folder is a link")
    if os.path.lexists(folder / f"{name}.ipynb"):
        return folder / f"{name}.ipynb", ()
    try:
        with os.scandir(folder) as entries:
            files = sorted(
                e.name for e, _ in zip(entries, range(MAX_ENTRIES), strict=False) if e.name.endswith(".ipynb")
            )
    except OSError as error:
        raise Unreadable(f"the folder cannot be opened ({error.strerror})") from None
    scored = []
    for file in files:
        try:
            cells = clean(parse(read(folder / file))).cells
            scored.append((sum(c.metadata.get("nbgrader", {}).get("grade_id") in known for c in cells), file))
        except Unreadable:
            continue
    if not scored or max(scored)[0] == 0:
        raise Unreadable(f"there is no notebook {name}.ipynb in it")
    return folder / max(scored)[1], (f"the notebook was named {max(scored)[1]!r}",)


def read(path: Path) -> bytes:
    """The bytes of a regular file of sensible size; a link is not followed, a pipe is not waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise Unreadable(
            f"{path.name} is a link" if path.is_symlink() else f"{path.name} cannot be opened ({error.strerror})"
        ) from None
    if not stat.S_ISREG((about := os.fstat(handle)).st_mode):
        os.close(handle)
        raise Unreadable(f"{path.name} is not a regular file")
    with os.fdopen(handle, "rb") as file:
        if about.st_size > MAX_FILE:
            raise Unreadable(f"{path.name} has {about.st_size >> 20} MB, at most {MAX_FILE >> 20} are read")
        data = file.read(MAX_FILE)
    if about.st_nlink > 1 and (reason := links.refusal(path, about, data)):
        raise Unreadable(reason)
    return data


def parse(data: bytes) -> dict:
    """The notebook as plain JSON, of any format that Jupyter knows."""
    if not data.strip():
        raise Unreadable("the notebook is empty")
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError:
        raise Unreadable("the notebook is not UTF-8 text") from None
    if parts(text) > MAX_PARTS:
        raise Unreadable(f"the notebook has more than {MAX_PARTS:,} parts")
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise Unreadable("the notebook is not JSON") from None
    if isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):  # format 3 and older
        sheets = [sheet for sheet in notebook["worksheets"] if isinstance(sheet, dict)]
        notebook["cells"] = [cell for sheet in sheets for cell in sheet.get("cells") or ()]
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells"), list):
        raise Unreadable("the file is JSON, but not a notebook")
    return notebook


def parts(text: str) -> int:
    """How many lists, objects, values and strings JSON has, at most: counted without a look into its strings."""
    text = text.replace("\\\\", "").replace('\\"', "")  # now each quote mark begins or ends a string
    quotes = text.count('"')
    outside = text if quotes > 2 * MAX_PARTS else "".join(text.split('"')[::2])
    return quotes // 2 + sum(map(outside.count, ",[{"))


def clean(notebook: dict) -> nbformat.NotebookNode:
    """The cells with their type, source, id and grade_id; what is no cell is left out."""
    if len(notebook["cells"]) > MAX_CELLS:
        raise Unreadable(f"the notebook has {len(notebook['cells'])} cells, at most {MAX_CELLS} are read")
    cells = [cell for n, raw in enumerate(notebook["cells"]) if (cell := clean_cell(raw, f"own-{n}")) is not None]
    if (total := sum(len(cell.source) for cell in cells)) > MAX_SOURCE:
        raise Unreadable(f"its cells have {total:,} characters, at most {MAX_SOURCE:,} are read")
    seen: set[str] = set()
    for n, cell in enumerate(cells):
        if cell["id"] in seen:
            cell["id"] = f"again-{n}"
        seen.add(cell["id"])
    return new_notebook(cells=cells)


def clean_cell(raw: object, number: str) -> nbformat.NotebookNode | None:
    """A cell with the id it has, or else `number`: the same bytes give the same notebook."""
    if not isinstance(raw, dict):
        return None
    source = raw.get("source", raw.get("input", ""))
    source = "".join(line for line in source if isinstance(line, str)) if isinstance(source, list) else source
    if not isinstance(source, str):
        return None
    source = source.encode("utf-8", "replace").decode()  # a lone surrogate cannot be stored
    make = new_code_cell if raw.get("cell_type") == "code" else new_markdown_cell
    own = raw.get("id")
    cell = make(source, id=own if isinstance(own, str) and CELL_ID.fullmatch(own) else number)
    about = raw.get("metadata")
    about = about.get("nbgrader") if isinstance(about, dict) else None
    if isinstance(about, dict) and isinstance(about.get("grade_id"), str):
        cell.metadata["nbgrader"] = {"grade_id": about["grade_id"][:200]}
    return cell


def timestamp(folder: Path) -> str | None:
    """When it was handed in, as its timestamp.txt says; None if there is none that is a date."""
    try:
        text = read(folder / "timestamp.txt")[:100].decode("ascii").strip()
        return text if parse_utc(text) else None
    except Exception:  # noqa: BLE001  nbgrader and the parsers behind it raise many things
        return None


def secret(folder: Path) -> str | None:
    """What nbgrader's exchange has added, so that only its author finds the feedback; None if nothing fits."""
    try:
        text = read(folder / "submission_secret.txt")[:200].decode("ascii")
    except (Unreadable, UnicodeDecodeError):
        return None
    return text if SECRET.fullmatch(text) else None


def write(received: Received, folder: Path, name: str, **notes: str | None) -> None:
    """Put a clean notebook where nbgrader reads it, and beside it each note, `timestamp` in timestamp.txt."""
    with write_atomically(folder / f"{name}.ipynb") as file:
        nbformat.write(received.notebook, file)
    for note, text in notes.items():
        if text:
            with write_atomically(folder / f"{note}.txt") as file:
                file.write(text)
        else:
            (folder / f"{note}.txt").unlink(missing_ok=True)
    if received.data is not None:
        links.give_receipt(folder, received.data)
