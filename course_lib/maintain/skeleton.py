"""The skeleton of a lecture or a problem set: `make new NAME=04_encoder_decoder`, `make new NAME=ps3`.

What it makes works: a small example stands wherever something is unwritten. `unwritten` lists these places, and a test
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
from course_lib.maintain import notebooks
from course_lib.maintain.student_zip import course_files

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = Path(__file__).parent / "templates"
LECTURE = {f"{rows}.py": f"tests/notebooks/{rows}_{{name}}.py" for rows in ("seeds", "prose")}
PROBLEM_SET = {
    "set.py": "course_lib/problem_sets/{name}/__init__.py",
    "task.py": "course_lib/problem_sets/{name}/running_sums.py",
    "mistakes.py": "tests/problem_sets/{name}/mistakes.py",
    "styles.py": "tests/problem_sets/{name}/__init__.py",
    **{f"{style}.py": f"tests/problem_sets/{{name}}/{style}.py" for style in ("loops", "functional", "objects")},
}
MADE = ("assignments/", "course_lib/maintain/")  # the release repeats solutions/; here lie the templates themselves


def unwritten(root: Path) -> list[str]:
    """Every place of the course at `root` that says "unwritten: …", as "file: …", in order."""
    names = [name for name in course_files(root) if not name.startswith((*MADE, "tests/test_skeleton.py"))]
    kinds = (".py", ".md", ".ipynb")
    texts = {name: (root / name).read_text(encoding="utf-8") for name in names if name.endswith(kinds)}
    return [
        f"{name}: {found.strip()}"
        for name, text in texts.items()
        for found in re.findall(r'\bunwritten: ([^\\"|)\n]+)', text)
    ]


def make(name: str) -> None:
    """Write the skeleton of the lecture "04_encoder_decoder", or of the problem set "ps3", into this course.

    Raises ValueError for another kind of name, FileExistsError if a file of it is there.
    """
    if re.fullmatch(r"ps[1-9]\d*", name):
        _make_problem_set(name)
    elif re.fullmatch(r"\d\d(_[a-z0-9]+)+", name):
        _make_lecture(name)
    else:
        raise ValueError(f'name must be a lecture, "04_encoder_decoder", or a problem set, "ps3"; got {name!r}')


def _make_lecture(name: str) -> None:
    number, title = name[:2], name[3:].replace("_", " ").capitalize()
    path = Path("lectures", f"{name}.ipynb")
    _copy(LECTURE, path, name=name, number=number)
    with write_atomically(ROOT / path) as file:
        nbformat.write(notebooks.lecture(number, title), file)
    _add_row(f"| [{number} {title}]({path.as_posix()}) | unwritten: the module | |")
    _tell_git(*(target.format(name=name) for target in LECTURE.values()), path.as_posix())


def _make_problem_set(name: str) -> None:
    number = name.removeprefix("ps")
    path = Path("solutions", name, f"{name}.ipynb")
    _copy(PROBLEM_SET, path, name=name, number=number)
    _add_problem_set(name, lecture=f"{int(number) + 1:02}")
    importlib.invalidate_caches()
    with write_atomically(ROOT / path) as file:
        nbformat.write(notebooks.problem_set(problem_set(name)), file)
    subprocess.run([sys.executable, "-m", "nbgrader", "generate_assignment", name], cwd=ROOT, check=True)
    _tell_git(
        *(target.format(name=name) for target in PROBLEM_SET.values()), f"solutions/{name}", f"assignments/{name}"
    )


def _copy(templates: dict[str, str], *others: Path, name: str, number: str) -> None:
    """Write the filled-in `templates` below the course, if none of them and none of the `others` is there."""
    targets = {template: ROOT / target.format(name=name) for template, target in templates.items()}
    for path in (*targets.values(), *(ROOT / other for other in others)):
        if path.exists():
            raise FileExistsError(f"{name} cannot be made: {path.relative_to(ROOT)} is there already")
    for template, path in targets.items():
        text = (
            (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8").replace("ps0", name).replace("NUMBER", number)
        )
        with write_atomically(path) as file:
            file.write(text)


def _add_row(row: str) -> None:
    """Put `row` at the end of the README's table of lectures."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    last = max(number for number, line in enumerate(lines) if line.startswith("| ["))
    _write_readme([*lines[: last + 1], row, *lines[last + 1 :]])


def _add_problem_set(name: str, lecture: str) -> None:
    """Put a link to the problem set behind its lecture in the README's table, or into a row of its own."""
    link = f"[{name}](assignments/{name}/{name}.ipynb)"
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.startswith(f"| [{lecture} ") and line.endswith("| |"):
            lines[number] = line[:-1] + f"{link} |"
            return _write_readme(lines)
    return _add_row(f"| | | {link} |")


def _write_readme(lines: list[str]) -> None:
    with write_atomically(ROOT / "README.md") as file:
        file.write("\n".join(lines) + "\n")


def _tell_git(*names: str) -> None:
    """Let git list the new files, so that the tests and the students' zip see them; nothing is committed."""
    if (ROOT / ".git").exists():
        subprocess.run(["git", "add", "--intent-to-add", *names], cwd=ROOT, check=True)


def main(arguments: list[str]) -> None:
    """Make the skeleton that is named, and say what is unwritten."""
    if len(arguments) != 1:
        raise SystemExit("make new NAME=04_encoder_decoder, or make new NAME=ps3")
    try:
        make(arguments[0])
    except (ValueError, FileExistsError) as error:
        raise SystemExit(str(error)) from None
    print("unwritten:", *unwritten(ROOT), sep="\n  ")


if __name__ == "__main__":
    main(sys.argv[1:])
