"""A small class that worked on a problem set: its notebooks are the released one with the solution cells filled in."""

import ast
import contextlib
import importlib
import io
from pathlib import Path
from types import ModuleType

import nbformat

from course_lib.files import write_atomically
from course_lib.grading import cells as test_cells
from course_lib.grading.boundary.proxy import local
from course_lib.grading.cells import grade_id, id_
from course_lib.grading.engine import examine
from course_lib.grading.task import ProblemSet, Task
from course_lib.grading.verdict import Verdict

from .course import ROOT

STYLES = ("loops", "functional", "objects")
ANSWER = "I choose the second, for the reasons that a person will read here."
ASSIGNMENTS, SOLUTIONS = ROOT / "assignments", ROOT / "solutions"
Sources = dict[str, str]  # a solution cell's grade_id → what the student wrote there; other cells stay untouched


def function_source(module: ModuleType, name: str) -> str:
    """The source of `name` in `module` with everything of the module that it needs, in the module's order."""
    text = Path(module.__file__).read_text(encoding="utf-8")
    nodes = [(node, defined(node)) for node in ast.parse(text).body]
    needed, before = {name}, set()
    while needed != before:
        before = needed
        used = [node for node, names in nodes if names & needed]
        needed = needed | {n.id for node in used for n in ast.walk(node) if isinstance(n, ast.Name)}
    return "\n\n".join(source_of(text, node) for node, names in nodes if names & needed)


def defined(node: ast.stmt) -> set[str]:
    """The names that a statement of a module gives."""
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return {node.name}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def source_of(text: str, node: ast.stmt) -> str:
    """The lines of `text` that `node` fills, decorators included."""
    first = min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def solved(problem: ProblemSet, folder: str) -> Sources:
    """Every task's cell filled with its function in tests/problem_sets/<module>.py, each cell complete in itself."""
    module = importlib.import_module(f"tests.problem_sets.{folder}")
    names = {grade_id(task): task.name.partition(".")[2] for task in problem.tasks}
    return {cell: function_source(module, name) for cell, name in names.items() if hasattr(module, name)}


def losses(task: Task) -> tuple[str, set[str]]:
    """The mistake that the function of `task` in tests/problem_sets/psN/mistakes.py is taken for, and what it loses."""
    problem, _, name = task.name.partition(".")
    mistake, criteria = getattr(importlib.import_module(f"tests.problem_sets.{problem}.mistakes"), name).loses
    return mistake, set(criteria.split())


def students(problem: ProblemSet) -> dict[str, Sources]:
    """What each student of the class programmed: three right in different styles, then one of each kind of trouble."""
    right = solved(problem, f"{problem.name}.loops")
    cells = list(right)
    return {
        **{style: solved(problem, f"{problem.name}.{style}") for style in STYLES},
        "partial": {cell: right[cell] for cell in cells[: len(cells) // 2]},
        "wrong": solved(problem, f"{problem.name}.mistakes"),
        "empty": {},
        "syntax": right | {cells[0]: right[cells[0]].replace("):", ")", 1)},
    }


def fill(notebook: nbformat.NotebookNode, sources: Sources) -> nbformat.NotebookNode:
    """`notebook` with `sources` in its solution cells; raises ValueError if it lacks one of them."""
    cells = {id_(cell): cell for cell in notebook.cells}
    if unknown := sources.keys() - cells.keys():
        raise ValueError(f"sources must name solution cells of the notebook, got {sorted(unknown)}")
    for name, source in sources.items():
        cells[name].source = source
    return notebook


def read_by_a_person(cell: nbformat.NotebookNode) -> bool:
    """True for a question in text, which a person grades."""
    about = cell.metadata.get("nbgrader", {})
    return cell.cell_type == "markdown" and bool(about.get("grade") and about.get("solution"))


def worked(released: Path, sources: Sources) -> nbformat.NotebookNode:
    """The notebook `released` with `sources` filled in, and every question in text answered if there are any."""
    notebook = fill(nbformat.read(released, 4), sources)
    questions = map(id_, filter(read_by_a_person, notebook.cells)) if sources else ()
    return fill(notebook, dict.fromkeys(questions, ANSWER))


def submission(folder: Path, student: str, name: str) -> Path:
    """Where a student's notebook lies in the course at `folder`."""
    return folder / "submitted" / student / name / f"{name}.ipynb"


def instructor(name: str) -> Sources:
    """The code of every solution cell in the instructor's own notebook."""
    cells = nbformat.read(SOLUTIONS / name / f"{name}.ipynb", 4).cells
    written = [cell for cell in cells if cell.cell_type == "code" and cell.metadata.get("nbgrader", {}).get("solution")]
    return {id_(cell): cell.source for cell in written}


def build(folder: Path, name: str, hand_in: dict[str, Sources]) -> None:
    """Write submitted/<student>/ps1/ps1.ipynb below `folder` for every student in `hand_in`."""
    for student, sources in hand_in.items():
        with write_atomically(submission(folder, student, name)) as file:
            nbformat.write(worked(ASSIGNMENTS / name / f"{name}.ipynb", sources), file)


def expected(problem: ProblemSet, notebook: Path, secret: bytes) -> dict[str, Verdict | None]:
    """What each grade cell of the submitted `notebook` deserves, by grade_id, from the engine in this process.

    Its cells run one after another; one that does not compile defines nothing. None: no such function.
    """
    namespace: dict = {}
    for cell in nbformat.read(notebook, 4).cells:
        if cell.cell_type == "code" and not test_cells.is_test_cell(cell):
            with contextlib.suppress(SyntaxError), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(cell.source, "<student>", "exec"), namespace)
    verdicts: dict[str, Verdict | None] = {}
    for task in problem.tasks:
        function = namespace.get(task.name.partition(".")[2])
        student = local(function)
        for criterion in task.criteria:
            verdict = examine(task, criterion, student, secret) if function else None
            verdicts[grade_id(task, criterion)] = verdict
    return verdicts


def points(verdicts: dict[str, Verdict | None]) -> dict[str, float]:
    """The points of every grade cell."""
    return {name: verdict.points if verdict else 0.0 for name, verdict in verdicts.items()}
