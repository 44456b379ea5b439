"""The skeleton of a lecture, a problem set or a task: `make new NAME=04_encoder_decoder`, `NAME=ps3`, `NAME=ps3.shift`.

What it makes works: a small example stands wherever something is unwritten. The command lists these places, and a test
fails as long as there is one.
"""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import nbformat

from course_lib.files import write_atomically
from course_lib.grading.registry import problem_set
from course_lib.maintain import added_task, cards, navigation, notebooks, plan, readme
from course_lib.maintain.templates import FIRST, filled
from course_lib.maintain.undo import all_or_nothing
from course_lib.maintain.unwritten import unwritten

ROOT = Path(__file__).resolve().parents[2]
LECTURE = {f"{rows}.py": f"tests/notebooks/{rows}_{{name}}.py" for rows in ("seeds", "prose")}
PROBLEM_SET = {
    "set.py": "course_lib/problem_sets/{name}/__init__.py",
    "task.py": f"course_lib/problem_sets/{{name}}/{FIRST}.py",
    "styles.py": "tests/problem_sets/{name}/__init__.py",
    **{f"{style}.py": f"tests/problem_sets/{{name}}/{style}.py" for style in added_task.STYLES},
}
FOLDERS = ("course_lib/problem_sets/{}", "tests/problem_sets/{}", "solutions/{}", "assignments/{}")
HOW = "course_lib/problem_sets/README.md"


def make(name: str) -> None:
    """Write the skeleton of that name into this course, whole or not at all.

    It is a lecture "04_encoder_decoder", a problem set "ps3", or a task "ps3.shift" of a set that is there. Raises
    ValueError for another kind of name, FileExistsError if something of it is there.
    """
    if re.fullmatch(r"ps[1-9]\d*", name):
        _make_problem_set(name)
    elif re.fullmatch(r"ps[1-9]\d*\..*", name):
        _make_task(name)
    elif re.fullmatch(r"\d\d(_[a-z0-9]+)+", name):
        _make_lecture(name)
    else:
        raise ValueError(
            'name must be a lecture, "04_encoder_decoder", a problem set, "ps3", or a task of a set, "ps3.shift"; '
            f"got {name!r}"
        )


def _make_lecture(name: str) -> None:
    number, title = name[:2], name[3:].replace("_", " ").capitalize()
    path, files = f"lectures/{name}.ipynb", [target.format(name=name) for target in LECTURE.values()]
    _refuse(name, path, *files)
    with all_or_nothing(ROOT / "lectures", *(ROOT / each for each in (*files, "README.md", plan.PAGE, cards.FILE))):
        _copy(LECTURE, name)
        cards.add(ROOT, number)
        with write_atomically(ROOT / path) as file:
            nbformat.write(notebooks.lecture(number, title), file)
        _write_readme(readme.with_lecture(_readme(), number, title, path))
        navigation.write(ROOT)
    _tell_git(path, *files)


def _make_problem_set(name: str) -> None:
    folders = [folder.format(name) for folder in FOLDERS]
    path = f"solutions/{name}/{name}.ipynb"
    _refuse(name, path, *(target.format(name=name) for target in PROBLEM_SET.values()))
    with all_or_nothing(*(ROOT / each for each in (*folders, "lectures", "README.md", plan.PAGE))):
        _copy(PROBLEM_SET, name)
        _write_readme(readme.with_problem_set(_readme(), name))
        importlib.invalidate_caches()
        with write_atomically(ROOT / path) as file:
            nbformat.write(notebooks.problem_set(problem_set(name)), file)
        _release(name)
        navigation.write(ROOT)
        _release(name)  # once more: only a released set gets its links and its last cell
    _tell_git(*folders)


def _make_task(name: str) -> None:
    problem = name.partition(".")[0]
    folders = [folder.format(problem) for folder in FOLDERS]
    texts = added_task.texts(ROOT, name)
    with all_or_nothing(*(ROOT / each for each in (*folders, plan.PAGE))):
        for path, text in texts.items():
            with write_atomically(path) as file:
                file.write(text)
        added_task.add_exercise(ROOT, problem)
        _release(problem)
        navigation.write(ROOT)
    _tell_git(folders[0])


def _refuse(name: str, *paths: str) -> None:
    for path in paths:
        if (ROOT / path).exists():
            raise FileExistsError(f"{name} cannot be made: {path} is there already")


def _copy(templates: dict[str, str], name: str) -> None:
    """Write the filled-in `templates` below the course."""
    for template, target in templates.items():
        with write_atomically(ROOT / target.format(name=name)) as file:
            file.write(filled(template, name))


def _release(problem: str) -> None:
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", "--log-level=ERROR", problem]
    subprocess.run(command, cwd=ROOT, check=True)


def _readme() -> str:
    return (ROOT / "README.md").read_text(encoding="utf-8")


def _write_readme(text: str) -> None:
    with write_atomically(ROOT / "README.md") as file:
        file.write(text)


def _tell_git(*names: str) -> None:
    """Let git list the new files, so that the tests and the students' zip see them; nothing is committed."""
    if (ROOT / ".git").exists():
        subprocess.run(["git", "add", "--intent-to-add", *names], cwd=ROOT, check=True)
        print("git lists the new files now (git add --intent-to-add), for tests look at what it lists; none is staged")


def main(arguments: list[str]) -> None:
    """Make the skeleton that is named, and say what is unwritten."""
    if len(arguments) != 1:
        raise SystemExit("make new NAME=04_encoder_decoder, make new NAME=ps3 or make new NAME=ps3.shift")
    try:
        make(arguments[0])
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        raise SystemExit(str(error)) from None
    if arguments[0].startswith("ps"):
        print(f"how to go on: {HOW}")
        print(f'try it: make test ARGS="tests/grading -k {arguments[0]}"')
    print("unwritten:", *unwritten(ROOT), sep="\n  ")


if __name__ == "__main__":
    main(sys.argv[1:])
