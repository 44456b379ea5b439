"""One more task in a problem set that is there: `make new NAME=ps8.second`."""

import ast
import builtins
import importlib
import re
from keyword import iskeyword
from pathlib import Path

import nbformat

from course_lib.files import write_atomically
from course_lib.grading.registry import PACKAGE, names
from course_lib.maintain import notebooks
from course_lib.maintain.templates import class_name, filled

STYLES = ("functional", "loops", "objects", "mistakes")


def texts(root: Path, name: str) -> dict[Path, str]:
    """The files of the course at `root` that hold the example task under the name "ps8.second", as they must be then.

    They are its module, the set's __init__.py with it in MODULES, the three styles and the mistakes. Raises ValueError
    for another kind of name and for a set that is not there, FileExistsError if the name is taken.
    """
    problem, _, function = name.partition(".")
    _refuse_other_names(name)
    package, tests = root / "course_lib/problem_sets" / problem, root / "tests/problem_sets" / problem
    module, init = package / f"{function}.py", package / "__init__.py"
    if module.exists():
        raise FileExistsError(f"{name} cannot be made: {module.relative_to(root)} is there already")
    solutions = {tests / f"{style}.py": (tests / f"{style}.py").read_text(encoding="utf-8") for style in STYLES}
    code = "\n\n".join(cell.source for cell in _notebook(root, problem).cells if cell.cell_type == "code")
    for where, text in {**solutions, _path(root, problem): code}.items():
        if taken := {function, class_name(function)} & bound(text):
            raise FileExistsError(f"{name} cannot be made: {where.relative_to(root)} has {taken.pop()!r} already")
    return {
        module: filled("task.py", problem, function),
        init: with_module(init.read_text(encoding="utf-8"), f"{PACKAGE}.{problem}", function),
        **{path: with_solution(text, filled(path.name, problem, function)) for path, text in solutions.items()},
    }


def add_exercise(root: Path, problem: str) -> None:
    """Write the exercise of a set's last task into its notebook, behind the others."""
    importlib.invalidate_caches()
    changed = importlib.reload(importlib.import_module(f"{PACKAGE}.{problem}")).PROBLEM_SET
    notebook = notebooks.with_exercise(_notebook(root, problem), changed)
    with write_atomically(_path(root, problem)) as file:
        nbformat.write(notebook, file)


def _path(root: Path, problem: str) -> Path:
    return root / "solutions" / problem / f"{problem}.ipynb"


def _notebook(root: Path, problem: str) -> nbformat.NotebookNode:
    return nbformat.read(_path(root, problem), 4)


def _refuse_other_names(name: str) -> None:
    problem, _, function = name.partition(".")
    if problem not in names():
        raise ValueError(
            f"{name} cannot be made: there is no problem set {problem!r}; `make new NAME={problem}` makes it"
        )
    if not re.fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", function) or iskeyword(function) or hasattr(builtins, function):
        raise ValueError(
            f"{name} cannot be made: the name of a task must be that of a function, in small letters and none of "
            f'Python\'s own, as "{problem}.running_sums"; got {function!r}'
        )


def bound(source: str) -> set[str]:
    """The names that a module or a notebook's code gives at its top level."""
    found: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        else:
            found |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return found


def with_solution(text: str, template: str) -> str:
    """The module `text` with what the template holds below its docstring."""
    _, _, solution = template.partition("\n")
    return f"{text.rstrip()}\n\n\n{solution.strip()}\n"


def with_module(text: str, package: str, module: str) -> str:
    """A set's __init__.py with one more `module`, imported and last in MODULES.

    Raises ValueError if it does not have `from <package> import …` and `MODULES = (…)`.
    """
    lines = text.splitlines()
    imports = [n for n in ast.parse(text).body if isinstance(n, ast.ImportFrom) and n.module == package]
    tuples = [n for n in ast.parse(text).body if isinstance(n, ast.Assign) and ast.unparse(n.targets) == "MODULES"]
    if len(imports) != 1 or len(tuples) != 1 or not isinstance(tuples[0].value, ast.Tuple):
        raise ValueError(f"__init__.py of the set must have one `from {package} import …` and one `MODULES = (…)`")
    imported = sorted([*(ast.unparse(alias) for alias in imports[0].names), module])
    listed = [*map(ast.unparse, tuples[0].value.elts), module]
    for node, begin, entries, close in (
        (tuples[0], "MODULES = (", listed, ")"),  # the later one first: it leaves the lines above as they are
        (imports[0], f"from {package} import ", imported, ""),
    ):
        line = begin + ", ".join(entries) + close
        if node.lineno != node.end_lineno or len(line) > 120:
            line = "\n".join([begin.rstrip("(") + "(", *(f"    {entry}," for entry in entries), ")"])
        lines[node.lineno - 1 : node.end_lineno] = line.splitlines()
    return "\n".join(lines) + "\n"
