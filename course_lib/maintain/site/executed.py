"""A lecture with its outputs: executed once, and kept until the notebook or the library changes.

What is executed lies in build/site/ under a digest of what it was made of. A kernel where nobody answers shows each
widget as a frame that steps without Python (see course_lib/widgets/base.py), so that no widget's state is to be saved.
"""

import hashlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbconvert.preprocessors import CellExecutionError, ExecutePreprocessor

from course_lib.files import write_atomically
from course_lib.maintain.kernels import through_files
from course_lib.maintain.student_zip import course_files

STUCK = 7200  # seconds after which a single cell counts as endless
NOT_RUN = ("course_lib/maintain/", "course_lib/grading/", "course_lib/problem_sets/")  # no lecture's output has of them


class NotExecuted(RuntimeError):
    """A lecture's cell failed; the message names the lecture and holds the error."""


class _Counting(ExecutePreprocessor):
    """Executes a notebook, and tells `done` of each cell that has been."""

    def __init__(self, done: Callable[[], None], **settings: object):
        super().__init__(**settings)
        self.done = done

    def preprocess_cell(self, cell, resources, index):
        executed = super().preprocess_cell(cell, resources, index)
        self.done()
        return executed


def library_digest(root: Path) -> str:
    """A digest of the library's files and of this Python: it changes with whatever may change an output."""
    digest = hashlib.sha256(sys.version.encode())
    for name in course_files(root):
        if name.startswith("course_lib/") and not name.startswith(NOT_RUN) or name == ".ci/constraints.txt":
            digest.update(f"\n{name}\n".encode())
            digest.update(hashlib.sha256((root / name).read_bytes()).digest())
    return digest.hexdigest()


def digest_of(notebook: nbformat.NotebookNode, library: str, full: bool) -> str:
    """A digest of a notebook's code, the library, and the sizes of its experiments: prose may change."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256(json.dumps([code, library, full]).encode()).hexdigest()[:16]


def executed(
    path: Path, kept: Path, library: str, *, full: bool, done: Callable[[], None] = lambda: None
) -> nbformat.NotebookNode:
    """The notebook `path` with the outputs of its code, from the folder `kept` or executed now.

    `done` is called once for each cell. Raises NotExecuted where a cell fails: a page never shows half a lecture.
    """
    notebook = nbformat.read(path, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    file = kept / f"{path.stem}-{digest_of(notebook, library, full)}.json"
    if not file.is_file():
        outputs = _outputs(path, full, done)
        for old in kept.glob(f"{path.stem}-*.json"):
            if json.loads(old.read_text(encoding="utf-8"))["full"] == full:
                old.unlink()
        file.parent.mkdir(parents=True, exist_ok=True)
        with write_atomically(file) as written:
            json.dump({"full": full, "outputs": outputs}, written)
    else:
        for _ in notebook.cells:
            done()
    outputs = json.loads(file.read_text(encoding="utf-8"))["outputs"]
    for cell, shown in zip(code, outputs, strict=True):
        cell.outputs = [nbformat.from_dict(output) for output in shown]
    return notebook


def _outputs(path: Path, full: bool, done: Callable[[], None]) -> list[list[dict]]:
    """The outputs of each code cell, from a kernel in a copy of the notebook's folder with an empty home."""
    notebook = nbformat.read(path, 4)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name) / path.parent.name
        shutil.copytree(path.parent, folder, ignore=shutil.ignore_patterns(".*", "my_course.json*"))
        settings = {"IPYTHONDIR": f"{name}/ipython", "COURSE_FAST": "0" if full else "1"}
        before = {key: os.environ.get(key) for key in settings}
        os.environ.update(settings)  # which the kernel inherits
        try:
            quiet, files = ["--log-level=ERROR"], through_files(Path(name))
            run = _Counting(done, timeout=STUCK, kernel_name="python3", extra_arguments=quiet, config=files)
            run.preprocess(notebook, {"metadata": {"path": str(folder)}})
        except CellExecutionError as error:
            raise NotExecuted(f"{path.name} could not be executed:\n{error}") from None
        finally:
            for key, value in before.items():
                if value is None:
                    os.environ.pop(key)
                else:
                    os.environ[key] = value
    return [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
