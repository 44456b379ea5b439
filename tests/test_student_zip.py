"""The student's zip: everything a student needs, nothing of the grader's, and ps1 can be worked from it alone."""

import re
import shutil
import subprocess
import tomllib
import zipfile
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from course_lib.grading import cells
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.registry import names, problem_set
from course_lib.maintain.kernels import through_files
from course_lib.maintain.student_zip import TOP, course_files, student_files, write_zip

from .grading.course import BIN, ROOT, clean_environment, run
from .grading.sample_class import solved, worked

pytestmark = pytest.mark.xdist_group("student_zip")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory) -> Path:
    """The course as a student unpacks it."""
    folder = tmp_path_factory.mktemp("student")
    write_zip(ROOT, folder / "course.zip")
    shutil.unpack_archive(folder / "course.zip", folder)
    return folder / TOP


def at_home(unpacked: Path) -> dict[str, str]:
    return clean_environment(unpacked.parent / "home", PYTHONPATH=str(unpacked))


def test_it_holds_what_a_student_needs_and_nothing_of_the_graders(unpacked):
    held = {path.relative_to(unpacked).as_posix() for path in unpacked.rglob("*") if path.is_file()}
    assert {"README.md", "LICENSE", "environment.yml", "pyproject.toml", "Makefile", ".ci/constraints.txt"} <= held
    assert {f"assignments/{name}/{name}.ipynb" for name in names()} <= held
    assert {name for name in course_files(ROOT) if name.startswith("lectures/")} <= held
    assert "course_lib/grading/__init__.py" in held
    foreign = r"solutions|tests|gradebook|secret|nbgrader|isolation|maintain|__pycache__|\.ipynb_checkpoints|\.git"
    assert not [name for name in held if re.search(foreign, name)]


def test_every_licence_that_setuptools_looks_for_is_in_it(unpacked):
    """setuptools will refuse a pattern that no file has."""
    named = tomllib.loads((unpacked / "pyproject.toml").read_text(encoding="utf-8"))["project"]["license-files"]
    assert named and all(any(unpacked.glob(pattern)) for pattern in named)


def test_its_readme_is_for_students_and_says_the_limits_of_grading(unpacked):
    text = (unpacked / "README.md").read_text(encoding="utf-8")
    assert text == (ROOT / "lectures/README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 45 and "make test" not in text
    assert [step for step in re.findall(r"(?m)^\d\. \*\*(\w+)", text)] == [
        *("Install", "Open", "Lecture", "Problem", "Validate", "Hand")
    ]
    assert not re.search(r"(?m)^c\.IsolatedExecute\.limits", (ROOT / "nbgrader_config.py").read_text())  # as they come
    limits = Limits()
    said = [limits.call_seconds, limits.cell_seconds, limits.notebook_seconds, limits.memory_mb // 1024]
    assert re.findall(r"(\d+) (?:seconds|for a|for the|GB)", text) == [f"{limit:g}" for limit in said]
    assert all((unpacked / folder).is_dir() for folder in re.findall(r"`(\w+)/`", text))


def test_its_makefile_has_what_works_there(unpacked):
    """The course's own `make lab`, and nothing that needs tests, solutions or git."""
    targets = re.findall(r"(?m)^([a-z]+):", (unpacked / "Makefile").read_text(encoding="utf-8"))
    assert targets == ["lab", "clean"]
    assert re.findall(r"make (\w+)", (unpacked / "README.md").read_text(encoding="utf-8")) == ["lab"]
    opened = [
        subprocess.run(
            ["make", "--no-print-directory", "-n", "lab", "VENV=none"],  # which `make test` would print
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for folder in (unpacked, ROOT)
    ]
    assert opened[0] == opened[1] and "jupyter lab" in opened[0] and "about 2 GB" in opened[0]
    assert "--quiet" not in opened[0]  # pip shows how far it is


def test_the_same_files_make_the_same_bytes(tmp_path):
    for name in "first.zip", "second.zip":
        write_zip(ROOT, tmp_path / name)
    assert (tmp_path / "first.zip").read_bytes() == (tmp_path / "second.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "first.zip") as packed:
        listed = [entry.filename for entry in packed.infolist()]
    assert listed == sorted(f"{TOP}/{name}" for name in student_files(ROOT))


def test_without_git_it_takes_what_is_not_ignored(tmp_path):
    for name in [
        "README.md",
        "lectures/01.ipynb",
        "lectures/.ipynb_checkpoints/01.ipynb",
        "course_lib/a.py",
        "kept.txt",
    ]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / ".gitignore").write_text("# made by Jupyter\n.ipynb_checkpoints/\n*.db\n")
    (tmp_path / "gradebook.db").write_text("grades")
    assert course_files(tmp_path) == [".gitignore", "README.md", "course_lib/a.py", "kept.txt", "lectures/01.ipynb"]


def test_a_missing_file_is_named_and_nothing_is_written(tmp_path):
    (tmp_path / "README.md").write_text("a course")
    with pytest.raises(FileNotFoundError, match=r"LICENSE, environment\.yml"):
        write_zip(tmp_path, tmp_path / "dist" / "course.zip")
    assert not (tmp_path / "dist").exists()


def solve(folder: Path, name: str) -> nbformat.NotebookNode:
    """The set's notebook in `folder`, solved in one of the three styles."""
    return worked(folder / f"{name}.ipynb", solved(problem_set(name), f"{name}.functional"))


@pytest.fixture(scope="module")
def executed(unpacked):
    """`executed(notebook, folder)` is a notebook after its run in `folder`. All run in one kernel, which has imported
    nothing but from the zip, and is emptied before each."""
    place = {"metadata": {"path": unpacked}}
    files = through_files(unpacked.parent)
    client = NotebookClient(nbformat.v4.new_notebook(), kernel_name="python3", resources=place, config=files)
    with client.setup_kernel(env=at_home(unpacked)):

        def execute(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
            client.nb = notebook
            notebook.cells.insert(0, nbformat.v4.new_code_cell(f"%reset -f\n%cd -q {folder}"))
            for number, cell in enumerate(notebook.cells):
                client.execute_cell(cell, number)
            return notebook

        yield execute


@pytest.mark.parametrize("name", names())
def test_the_problem_set_can_be_worked_from_it_alone(unpacked, executed, name):
    """Solved, every cell runs and every check passes, with the library of the zip."""
    folder = unpacked / "assignments" / name
    work = solve(folder, name)
    work.cells.append(nbformat.v4.new_code_cell("import course_lib\nprint(course_lib.__file__)"))
    work = executed(work, folder)
    assert work.cells[-1].outputs[0].text.strip() == str(unpacked / "course_lib" / "__init__.py")
    results = {cell.id: cell.outputs[-1].data for cell in work.cells if cells.is_test_cell(cell)}
    scores = {cell: float(data["text/plain"]) for cell, data in results.items()}
    assert scores == {cell.id: cell.metadata.nbgrader.points for cell in work.cells if cells.is_test_cell(cell)}
    assert len(scores) == sum(len(task.criteria) for task in problem_set(name).tasks)


def test_validate_tells_the_solved_notebook_from_the_untouched(unpacked):
    """It runs the same checks and reads the same scores in every set: one shows it."""
    name = names()[0]
    folder = unpacked / "assignments" / name
    nbformat.write(solve(folder, name), folder / "solved.ipynb")
    command = (BIN / "nbgrader", "validate", "solved.ipynb", f"{name}.ipynb")
    said = run(*command, cwd=folder, env=at_home(unpacked))
    assert re.findall("Success!|VALIDATION FAILED ON", said) == ["Success!", "VALIDATION FAILED ON"], said
