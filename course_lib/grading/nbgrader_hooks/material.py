"""What submissions are graded with, as plain data, and a fingerprint of what tests them.

A grade holds as long as the fingerprint is the same. What nbgrader_config.py says of limits and trust is not in it: a
grade that should follow a change of these is made again with `--force`.
"""

import hashlib
import json
from dataclasses import fields
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry
from nbgrader.converters import NbGraderException
from nbgrader.coursedir import CourseDirectory
from traitlets import TraitError

import course_lib
from course_lib.grading import seeds
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.nbgrader_hooks.execute import IsolatedExecute
from course_lib.grading.nbgrader_hooks.rebuild import Known
from course_lib.grading.nbgrader_hooks.submission import Material, Released


def of(directory: CourseDirectory, settings: IsolatedExecute) -> Material:
    """Of the gradebook, the release, the secret and nbgrader_config.py, all that grading needs."""
    name = directory.assignment_id
    folder = Path(directory.format_path(directory.release_directory, ".", name))
    files = [path for path in sorted(folder.glob("*")) if path.is_file() and not path.is_symlink()]
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        try:
            found = gradebook.find_assignment(name).notebooks
        except MissingEntry:
            raise NbGraderException(
                f"{name} is not in the gradebook: run `nbgrader generate_assignment {name}`"
            ) from None
        notebooks = {
            notebook.name: Released(
                nbformat.writes(nbformat.read(folder / f"{notebook.name}.ipynb", 4)),
                known(notebook),
                json.loads(notebook.kernelspec) if notebook.kernelspec else None,
            )
            for notebook in found
        }
    return Material(
        notebooks,
        {path.name: path.read_bytes() for path in files if path.suffix != ".ipynb"},
        seeds.secret(),
        limits(settings),
        settings.trust_submissions,
        str(directory.root),
        settings.config.Exchange.get("root") or Material.exchange,
    )


def limits(settings: IsolatedExecute) -> Limits:
    """The limits that nbgrader_config.py sets; raises TraitError for one that there is not, or that cannot be."""
    there = [field.name for field in fields(Limits)]
    if unknown := sorted(settings.limits.keys() - {*there}, key=str):
        got = ", ".join(map(str, unknown))
        raise TraitError(f"c.IsolatedExecute.limits must name limits out of {', '.join(there)}, got {got}")
    try:
        return Limits(**settings.limits)
    except ValueError as error:
        raise TraitError(f"c.IsolatedExecute.limits: {error}") from None


def known(notebook) -> dict[str, Known]:
    """What the gradebook knows of a notebook's cells, by their names."""
    points = {cell.name: float(cell.max_score) for cell in (*notebook.grade_cells, *notebook.task_cells)}
    return {
        cell.name: Known(cell.source, bool(cell.locked), cell.cell_type, points.get(cell.name), cell.checksum)
        for cell in notebook.source_cells
    }


def fingerprint(directory: CourseDirectory) -> str:
    """A hash of what tests: the test cells in the gradebook, the course's code, the secret."""
    digest = hashlib.sha256(seeds.fingerprint(seeds.secret()).encode())
    with Gradebook(directory.db_url, directory.course_id) as gradebook:
        try:
            for notebook in gradebook.find_assignment(directory.assignment_id).notebooks:
                for cell in sorted(notebook.source_cells, key=lambda cell: cell.name):
                    digest.update(f"{cell.name}\0{cell.source}\0".encode())
        except MissingEntry:
            return ""
    digest.update(course())
    return digest.hexdigest()


def course() -> bytes:
    """A hash of the course's code."""
    folder, found = Path(course_lib.__file__).parent, hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        if "widgets" not in path.parts:
            found.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return found.digest()


def digest(folder: str) -> str:
    """A hash of the notebooks that were received in `folder`."""
    found = hashlib.sha256()
    for path in sorted(filter(Path.is_file, Path(folder).glob("[!.]*"))):
        found.update(path.name.encode() + path.read_bytes())
    return found.hexdigest()
