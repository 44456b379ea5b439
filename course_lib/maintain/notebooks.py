"""The notebooks of a skeleton: every kind of cell that a lecture or a problem set has, once."""

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from course_lib.grading.cells import grade_id, with_test_cells
from course_lib.grading.task import ProblemSet

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
            f"# Lecture {number} · {title}\n\nunwritten: the question of this lecture, in three sentences.\n\n"
            "When you have worked through it you can\n\n- unwritten: what.",
        ),
        _code(
            "setup",
            'import course_lib\nfrom course_lib.folded import Folded\n\nprint("course", course_lib.__version__)',
            FOLDED,
        ),
        _text(
            "part-example",
            "## 1 · Running sums\n\nunwritten: the sections.\n\n$$y_i = x_1 + \\dots + x_i$$\n\n"
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
            "computer. Three stars: a small\nprogram. Work in a new cell (press <kbd>B</kbd>). Below each exercise "
            "a solution is folded: click its three\ndots to see the program, and *Result* to see what it gives."
            "\n\n### ★ 1 · By hand\n\nunwritten: an exercise.\n\n"
            "What are the running sums of 2, 2, 2?",
        ),
        _code("solution-easy", "# Solution of exercise 1\nFolded(str([2, 2 + 2, 2 + 2 + 2]))", FOLDED),
        _text(
            "exercise-medium",
            "### ★★ 2 · Twice\n\nunwritten: an exercise.\n\nWhat are the running sums of the running sums?",
        ),
        _code(
            "solution-medium", "# Solution of exercise 2\nFolded(str([sum(sums[: i + 1]) for i in range(3)]))", FOLDED
        ),
        _text(
            "exercise-hard", "### ★★★ 3 · Back again\n\nunwritten: an exercise.\n\nFind the numbers from their sums."
        ),
        _code(
            "solution-hard",
            "# Solution of exercise 3\nFolded(str([b - a for a, b in zip([0, *sums], sums, strict=False)]))",
            FOLDED,
        ),
        _text("summary", "## Summary\n\n- unwritten: what to keep.\n\n## Sources\n\nunwritten: lectures and papers."),
    )


def problem_set(problem: ProblemSet) -> nbformat.NotebookNode:
    """A notebook for the tasks of `problem` in solutions/, with its test cells and a question that a person reads."""
    points, by_hand = sum(task.points for task in problem.tasks), 2
    cells = [
        _text(
            "title",
            f"# {problem.title}\n\nunwritten: what this set is about.\n\n"
            "- Write your code where it says `your turn`. Add cells of your own wherever you like.\n"
            "- Below each exercise every criterion has its own test cell. Run it: it tries your function on a few "
            "visible cases and\n  says what it saw. The grade comes from the same criteria on other cases.\n"
            f"- {points + by_hand:g} points: {points:g} are given by the tests, {by_hand:g} by a person who reads your "
            "answer at the end.",
        ),
        _code(
            f"{problem.name}_setup",
            f'from course_lib.grading import check, grade, release\n\nrelease("{problem.name}", {problem.release})',
            READ_ONLY | _graded(f"{problem.name}_setup", locked=True),
        ),
    ]
    for number, task in enumerate(problem.tasks, start=1):
        cells += [
            _text(
                f"part-{number}",
                f"## {number} · {task.title} ({task.points:g} points)\n\nunwritten: the exercise.\n\nReturn "
                "$y_i = x_1 + \\dots + x_i$ for each $i$.\n\n*Predict first:* the example's last number.",
            ),
            _code(
                grade_id(task),
                f"def {task.name.partition('.')[2]}(numbers: list[int]) -> list[int]:\n"
                '    """The sum of the numbers so far, at each of them.\n\n'
                f"    >>> {task.name.partition('.')[2]}([1, 2, 3])\n    [1, 3, 6]\n"
                '    """\n    ### BEGIN SOLUTION\n    return [sum(numbers[: i + 1]) for i in range(len(numbers))]\n'
                "    ### END SOLUTION",
                {"deletable": False} | _graded(grade_id(task), solution=True),
            ),
        ]
    question, name = len(problem.tasks) + 1, f"{problem.name}_question"
    cells += [
        _text(f"part-{question}", f"## {question} · A question ({by_hand} points)\n\nunwritten: it, and its rubric."),
        _text(name, "unwritten: a model answer.", {"deletable": False} | _graded(name, solution=True, points=by_hand)),
    ]
    return with_test_cells(_notebook(*cells), problem)


def _graded(name: str, solution: bool = False, locked: bool = False, points: float | None = None) -> dict:
    about = {"grade": points is not None, "grade_id": name, "locked": locked, "solution": solution}
    return {"nbgrader": about | {"schema_version": 3, "task": False} | ({"points": points} if points else {})}


def _text(name: str, source: str, metadata: dict | None = None) -> nbformat.NotebookNode:
    return new_markdown_cell(source, id=name, metadata=metadata or {})


def _code(name: str, source: str, metadata: dict | None = None) -> nbformat.NotebookNode:
    return new_code_cell(source, id=name, metadata=metadata or {})


def _notebook(*cells: nbformat.NotebookNode) -> nbformat.NotebookNode:
    return new_notebook(cells=list(cells), metadata=METADATA)
