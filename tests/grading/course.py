"""A course folder of its own, where nbgrader's real command line runs with nobody's settings and nobody's gradebook."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nbformat

from course_lib.maintain.student_zip import course_files

from .forks import Nbgrader

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
GRADED = ("nbgrader_config.py", "solutions/", "assignments/")


def clean_environment(home: Path, **more: str) -> dict[str, str]:
    """This process's environment without anybody's Jupyter, IPython, Python or course settings; `home` is the home."""
    home.mkdir(parents=True, exist_ok=True)
    foreign = ("JUPYTER", "IPYTHON", "PYTHON", "PYTEST", "COURSE", "XDG", "VIRTUAL_ENV", "CONDA", "GIT_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
    folders = {"JUPYTER_CONFIG_DIR": ".jupyter", "JUPYTER_DATA_DIR": ".jupyter-data", "IPYTHONDIR": ".ipython"}
    own = {name: str(home / folder) for name, folder in folders.items()}
    return kept | own | {"HOME": str(home), "USERPROFILE": str(home), "OMP_NUM_THREADS": "1"} | more


def run(*command: str | Path, cwd: Path, env: dict[str, str], fails: bool = False) -> str:
    """What `command` prints; raises AssertionError with all of it if it fails (or, where it should, if it does not)."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=env,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
    )
    return checked(command, done.returncode, done.stdout, fails)


def checked(command: Iterable[str | Path], code: int, printed: str, fails: bool) -> str:
    """What a command `printed`, if it ended with such a `code` as it should."""
    assert (code != 0) == fails, f"{' '.join(map(str, command))} ended with {code}:\n{printed}"
    return printed


def copy_tree(source: Path, target: Path, *only: str) -> None:
    """Copy the course's own files (those whose names start with one of `only`, if any) from `source` to `target`."""
    for name in course_files(source):
        if not only or name.startswith(only):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source / name, target / name)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below `folder` with its bytes."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


@lru_cache(maxsize=1)
def started() -> Nbgrader:
    """nbgrader, for all courses of this process that have no library of their own."""
    return Nbgrader(clean_environment(Path(tempfile.gettempdir())))


@dataclass(frozen=True)
class Grade:
    """One grade cell of one student, as the gradebook has it."""

    name: str
    auto: float | None
    manual: float | None
    waiting: bool
    of: float

    @property
    def score(self) -> float:
        return (self.auto or 0.0) if self.manual is None else self.manual


@dataclass(frozen=True)
class Course:
    """The course in `folder`; `create` copies there what grading needs, or with `whole` every file of a fresh clone.

    A fresh clone makes its gradebook itself; the others begin with an empty one. `server` is the URL of a gradebook
    that is no file, where the course's configuration names one.
    """

    folder: Path
    server: str = ""

    @classmethod
    def create(cls, folder: Path, whole: bool = False) -> "Course":
        copy_tree(ROOT, folder, *(() if whole else GRADED))
        if not whole:
            (folder / "gradebook.db").write_bytes(empty_gradebook())
        return cls(folder)

    @property
    def environment(self) -> dict[str, str]:
        """An environment whose home lies beside the course; a course that has a library of its own runs that."""
        own = {"PYTHONPATH": str(self.folder)} if (self.folder / "course_lib").is_dir() else {}
        return clean_environment(self.folder.with_name(self.folder.name + "-home"), **own)

    def nbgrader(self, *arguments: str, fails: bool = False) -> str:
        """What `nbgrader …` prints, run in the course's folder; raises AssertionError with all of it if it fails (or,
        where it should, if it does not).

        A course that has a library of its own starts the program, the others a fork of one that has started.
        """
        command, environment = [str(BIN / "nbgrader"), *arguments], self.environment
        if "PYTHONPATH" in environment:
            return run(*command, cwd=self.folder, env=environment, fails=fails)
        return checked(command, *started().run(command, self.folder, environment), fails)

    @property
    def db_url(self) -> str:
        """Where the gradebook lies."""
        return self.server or f"sqlite:///{self.folder / 'gradebook.db'}"

    def secret(self) -> bytes:
        """The secret of this course's hidden cases."""
        return bytes.fromhex((self.folder / ".course_secret").read_text())

    def gradebook(self):
        """The gradebook, as a context."""
        from nbgrader.api import Gradebook

        return Gradebook(self.db_url)

    def grades(self, problem_set: str) -> dict[str, dict[str, Grade]]:
        """For every student whose work is in the gradebook, every grade cell by its name."""
        with self.gradebook() as book:
            return {
                submission.student.id: {
                    g.name: Grade(g.name, g.auto_score, g.manual_score, bool(g.needs_manual_grade), g.max_score)
                    for notebook in submission.notebooks
                    for g in notebook.grades
                }
                for submission in book.assignment_submissions(problem_set)
            }

    def comments(self, problem_set: str) -> dict[str, list]:
        """For every student whose work is in the gradebook, all comments with the names of their cells."""
        with self.gradebook() as book:
            return {
                submission.student.id: sorted((c.name, c.comment) for n in submission.notebooks for c in n.comments)
                for submission in book.assignment_submissions(problem_set)
            }

    def outputs(self, problem_set: str) -> dict[str, list]:
        """What every graded notebook holds and shows, by student."""
        return {
            path.parts[-3]: [(cell.source, cell.get("outputs")) for cell in nbformat.read(path, 4).cells]
            for path in self.folder.glob(f"autograded/*/{problem_set}/{problem_set}.ipynb")
        }

    def feedback(self, student: str, problem_set: str) -> Path:
        """Where the student's feedback lies."""
        return self.folder / "feedback" / student / problem_set / f"{problem_set}.html"


@lru_cache(maxsize=1)
def empty_gradebook() -> bytes:
    """A gradebook as nbgrader makes it, which asks another program for its version: that takes seconds."""
    with tempfile.TemporaryDirectory() as folder:
        course = Course(Path(folder, "course"))
        copy_tree(ROOT, course.folder, "nbgrader_config.py")
        course.nbgrader("db", "student", "list")
        return (course.folder / "gradebook.db").read_bytes()
