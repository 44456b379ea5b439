"""The notebooks of a skeleton: every kind of cell that a lecture or a problem set has, once."""

import re

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.grading.cells import grade_id, id_, is_test_cell, with_test_cells
from course_lib.grading.task import ProblemSet, Task

METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
FOLDED = {"jupyter": {"source_hidden": True}}
READ_ONLY = {"deletable": False, "editable": False}


def lecture(number: str, title: str) -> nbformat.NotebookNode:
    """Lecture `number` ("04"): aims, a folded setup cell, a section, exercises of three degrees, a summary."""
    return _notebook(
        _text(
            "title",
            f"# Lecture {number} · {title}\n\nunwritten: say in three sentences what this lecture asks.\n\n"
            "When you have worked through it you can\n\n- unwritten: name what the reader can do then.",
        ),
        _code(
            "setup",
            "import course_lib\nfrom course_lib.folded import Folded\nfrom course_lib.widgets import predict\n\n"
            'print("course", course_lib.__version__)',
            FOLDED,
        ),
        _text(
            "part-example",
            "## 1 · Running sums\n\nunwritten: write the sections.\n\n$$y_i = x_1 + \\dots + x_i$$\n\n"
            "> **Predict.** What are the running sums of 1, 2, 3? Write them down before you go on.",
        ),
        _code(
            "example",
            "sums, total = [], 0\nfor x in (1, 2, 3):\n    total += x  # the formula\n    sums.append(total)\n"
            "print(sums)",
        ),
        _text("example-answer", "**Answer.** 1, 3 and 6: each is the one before it and one more number."),
        _text(
            "exercises",
            "## 2 · Exercises\n\nOne star: pen and paper, or two lines of code. Two stars: think, then check by "
            "computer. Three stars: a small\nprogram. Work in a new cell (press <kbd>Esc</kbd>, then <kbd>B</kbd>). "
            "Below each exercise\na solution is folded: click its three dots to see the program, and *Result* to see "
            "what it gives.",
        ),
        _text(
            "exercise-easy",
            "### ★ 1 · By hand\n\nunwritten: write an easy exercise.\n\nWhat are the running sums of 2, 2, 2?",
        ),
        _code("solution-easy", "# Solution of exercise 1\nFolded(str([2, 2 + 2, 2 + 2 + 2]))", FOLDED),
        _text(
            "exercise-medium",
            "### ★★ 2 · Twice\n\nunwritten: write an exercise that makes one think.\n\n"
            "What are the running sums of the running sums?",
        ),
        _code(
            "solution-medium", "# Solution of exercise 2\nFolded(str([sum(sums[: i + 1]) for i in range(3)]))", FOLDED
        ),
        _text(
            "exercise-hard",
            "### ★★★ 3 · Back again\n\nunwritten: write a hard exercise.\n\nFind the numbers from their sums.",
        ),
        _code(
            "solution-hard",
            "# Solution of exercise 3\nFolded(str([b - a for a, b in zip([0, *sums], sums, strict=False)]))",
            FOLDED,
        ),
        _text(
            "summary",
            "## Summary\n\n- unwritten: say what to keep.\n\n"
            "## Sources\n\nunwritten: name the lectures and papers that this one follows.",
        ),
    )


def problem_set(problem: ProblemSet) -> nbformat.NotebookNode:
    """A notebook for the tasks of `problem` in solutions/, with its test cells and a question that a person reads."""
    by_hand, number, name = 2, len(problem.tasks) + 1, f"{problem.name}_question"
    cells = [
        _text(
            "title",
            f"# {problem.title}\n\nunwritten: say what this set is about.\n\n"
            "- Write your code where it says `your turn`. Add cells of your own wherever you like.\n"
            "- Below each exercise every criterion has its own test cell. Run it: it tries your function on a few "
            "visible cases and\n  says what it saw. The grade comes from the same criteria on other cases.\n"
            f"- {stated(by_tests(problem), by_hand)}, {by_hand:g} by a person who reads your answer at the end.",
        ),
        _code(
            f"{problem.name}_setup",
            f'from course_lib.grading import check, grade, release\n\nrelease("{problem.name}", {problem.release})',
            READ_ONLY | _graded(f"{problem.name}_setup", locked=True),
        ),
        *(cell for place, task in enumerate(problem.tasks, start=1) for cell in exercise(task, place)),
        _text(
            "part-question", f"## {number} · A question ({by_hand} points)\n\nunwritten: ask it, and add its rubric."
        ),
        _text(
            name, "unwritten: give a model answer.", {"deletable": False} | _graded(name, solution=True, points=by_hand)
        ),
    ]
    return with_test_cells(_notebook(*cells), problem)


def exercise(task: Task, number: int) -> list[nbformat.NotebookNode]:
    """The text and the solution cell of a task that is exercise `number`; its test cells are made from the task."""
    function = task.name.partition(".")[2]
    return [
        _text(
            f"part-{function}",
            f"## {number} · {task.title} ({task.points:g} points)\n\nunwritten: write the exercise.\n\nReturn "
            "$y_i = x_1 + \\dots + x_i$ for each $i$. Leave the list as it is.\n\n"
            "*Predict first:* the example's last number.",
        ),
        _code(
            grade_id(task),
            f"def {function}(numbers: list[int]) -> list[int]:\n"
            '    """The sum of the numbers so far, at each of them.\n\n'
            f"    >>> {function}([1, 2, 3])\n    [1, 3, 6]\n"
            '    """\n    ### BEGIN SOLUTION\n    return [sum(numbers[: i + 1]) for i in range(len(numbers))]\n'
            "    ### END SOLUTION",
            {"deletable": False} | _graded(grade_id(task), solution=True),
        ),
    ]


def with_exercise(notebook: nbformat.NotebookNode, problem: ProblemSet) -> nbformat.NotebookNode:
    """`notebook` of a set whose last task is new: with that exercise behind the others, and the points that it gives.

    What comes behind it gets the next number. Raises ValueError if the text does not state the points.
    """
    *others, new = problem.tasks
    places = [place for place, cell in enumerate(notebook.cells) if is_test_cell(cell) and _of(cell, others[-1])]
    if not places:
        raise ValueError(
            f"{problem.name}.ipynb must have the test cells of {others[-1].name}; `make release` makes them"
        )
    before, behind = notebook.cells[: places[-1] + 1], notebook.cells[places[-1] + 1 :]
    for cell in behind:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"(?m)^## (\d+)(?= · )", lambda found: f"## {int(found[1]) + 1}", cell.source)
    old, told = by_tests(problem) - new.points, 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            pattern = rf"\b([\d.]+) points: {re.escape(f'{old:g}')} are given by the tests"
            cell.source, found = re.subn(
                pattern, lambda found: stated(old + new.points, float(found[1]) - old), cell.source
            )
            told += found
    if told != 1:
        raise ValueError(f'the text of {problem.name}.ipynb must say once "… points: {old:g} are given by the tests"')
    notebook.cells = [*before, *exercise(new, len(problem.tasks)), *behind]
    return with_test_cells(notebook, problem)


def by_tests(problem: ProblemSet) -> float:
    """The points that the tests of `problem` give."""
    return sum(task.points for task in problem.tasks)


def stated(tests: float, by_hand: float) -> str:
    """How a notebook states its points."""
    return f"{tests + by_hand:g} points: {tests:g} are given by the tests"


def _of(cell: nbformat.NotebookNode, task: Task) -> bool:
    return id_(cell).rpartition("__")[0] == grade_id(task)


def _graded(name: str, solution: bool = False, locked: bool = False, points: float | None = None) -> dict:
    about = {"grade": points is not None, "grade_id": name, "locked": locked, "solution": solution}
    return {"nbgrader": about | {"schema_version": 3, "task": False} | ({"points": points} if points else {})}


def _text(name: str, source: str, metadata: dict | None = None) -> nbformat.NotebookNode:
    return new_markdown_cell(source, id=name, metadata=metadata or {})


def _code(name: str, source: str, metadata: dict | None = None) -> nbformat.NotebookNode:
    return new_code_cell(source, id=name, metadata=metadata or {})


def _notebook(*cells: nbformat.NotebookNode) -> nbformat.NotebookNode:
    return new_notebook(cells=list(cells), metadata=METADATA)
