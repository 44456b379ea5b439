"""One submission graded: text in, the graded notebook out, in whatever process on whatever machine.

It knows no gradebook and no folder of the course: what it needs of them is in `Material`, which is plain data.
"""

import os
import platform
import resource
import time
from dataclasses import dataclass, field
from multiprocessing import util
from pathlib import Path
from shutil import rmtree

import nbformat

from course_lib.grading import seeds
from course_lib.grading.cells import is_test_cell
from course_lib.grading.isolation import leftovers, visible_course
from course_lib.grading.isolation.grader_kernel import GraderKernel
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import Sandbox
from course_lib.grading.isolation.student_kernel import StudentKernel
from course_lib.grading.isolation.warm import Warm, libraries
from course_lib.grading.nbgrader_hooks import intake, outputs
from course_lib.grading.nbgrader_hooks.execute import Execution, disk_is_full, hidden, walled
from course_lib.grading.nbgrader_hooks.rebuild import Known, as_known, rebuilt


@dataclass(frozen=True)
class Released:
    """A notebook of a problem set: as students received it, and what the gradebook knows of its cells."""

    text: str
    cells: dict[str, Known]
    kernelspec: dict | None = None


@dataclass(frozen=True)
class Material:
    """What all submissions of a run are graded with; no sandbox may read the folders `course` and `exchange`."""

    notebooks: dict[str, Released]
    files: dict[str, bytes]
    secret: bytes = field(repr=False)
    limits: Limits = Limits()
    trusted: bool = False
    course: str = "/nonexistent"
    exchange: str = "/usr/local/share/nbgrader/exchange"  # nbgrader's own, where all hand in on a JupyterHub


@dataclass(frozen=True)
class Graded:
    """The graded notebook, what of it failed by an error of ours, and a line for each cell of how it went."""

    text: str
    failures: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def grade(material: Material, submitted: dict[str, str]) -> dict[str, Graded]:
    """Each notebook of a submission, graded; `ungraded` where the grader fails on it.

    Raises OSError where the disk is full.
    """
    return {name: _grade(material, material.notebooks[name], text) for name, text in submitted.items()}


def ungraded(released: Released, submitted: str, error: Exception) -> Graded:
    """A notebook on which the grader failed: nothing of it was executed, and no test has a score."""
    failure = f"{type(error).__name__}: {error}"
    try:
        notebook = _as_graded(released, submitted)
    except Exception:  # noqa: BLE001  it may be this that fails
        notebook = _as_graded(released, nbformat.writes(intake.refused("the grader failed on it").notebook))
    for test in filter(is_test_cell, notebook.cells):
        test.outputs = [outputs.no_score("the grader failed")]
    return Graded(nbformat.writes(notebook), (failure,), (f"the grader failed: {failure}",))


def _grade(material: Material, released: Released, submitted: str) -> Graded:
    try:
        return _executed(material, released, submitted)
    except Exception as error:  # noqa: BLE001  whatever a submission makes of us, it ends with a notebook
        if disk_is_full(error):
            raise
        return ungraded(released, submitted, error)


def _as_graded(released: Released, submitted: str) -> nbformat.NotebookNode:
    """The released notebook with the student's work, as it is executed."""
    notebook = rebuilt(nbformat.reads(released.text, 4), nbformat.reads(submitted, 4), released.cells)
    as_known(notebook, released.cells)
    if released.kernelspec:
        notebook.metadata["kernelspec"] = released.kernelspec
    return notebook


def _executed(material: Material, released: Released, submitted: str) -> Graded:
    began = time.monotonic()
    place = Workplace.of(material)
    notebook = _as_graded(released, submitted)
    limits, grader = material.limits, GraderKernel.ready()
    with StudentKernel(limits, place.library, place.files, place.hidden, place.walled, place.warm) as student:
        grader.begin(limits)
        execution = Execution(limits, grader, student)
        execution.run(notebook)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    where = f"in process {os.getpid()} of {platform.node()}, which had {memory} MB at most"
    end = f"{time.monotonic() - began:.2f} s together, {where}"
    return Graded(nbformat.writes(notebook), tuple(execution.failures), (*execution.lines, end))


class Workplace:
    """What the kernels of this process find as files: the visible part of the course, the problem set's own files."""

    current: "Workplace | None" = None

    @classmethod
    def of(cls, material: Material) -> "Workplace":
        """The place for this material: kept from one submission to the next."""
        if cls.current is None or cls.current.material != material or not cls.current.library.exists():
            if cls.current is not None:
                cls.current.close()
            cls.current = cls(material)
        return cls.current

    def __init__(self, material: Material) -> None:
        self.material, self.folder = material, leftovers.folder()
        self.close = util.Finalize(None, self._close, exitpriority=0)  # also where this is a worker
        self.folder.chmod(0o711)
        self.library = self.folder / "library"
        self.library.mkdir(mode=0o755)
        visible_course.build(self.library)
        for name, data in material.files.items():
            path = self.folder / "files" / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        self.files = tuple(self.folder / "files" / name for name in sorted(material.files))
        self.hidden = hidden(Path(material.course), Path(material.exchange))
        self.walled, self.warm = walled(material.trusted), None
        if self.walled:
            locked = (
                cell.source for each in material.notebooks.values() for cell in each.cells.values() if cell.locked
            )
            view = Sandbox(material.limits, self.folder, self.folder, self.library, self.files, self.hidden)
            self.warm = Warm(view, libraries(locked))
        self._use(material.secret)

    def _close(self) -> None:
        if self.warm:
            self.warm.close()
        rmtree(self.folder, True)

    def _use(self, secret: bytes) -> None:
        """Let the grader's kernel find this secret, which nobody else can read."""
        try:
            known = seeds.secret()
        except RuntimeError:
            known = None
        if known != secret:
            path = self.folder / "secret"
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
                file.write(secret.hex())
            os.environ["COURSE_SECRET"] = str(path)
            GraderKernel.end()
