"""What is kept of a cell's outputs: text and pictures of the student's kernel, one score of the grader's."""

import builtins

from nbformat import NotebookNode
from nbformat.v4 import new_output

from course_lib.grading.nbgrader_hooks.sanitize import image, plain

OURS = {"Stopped", "TooMuch", "NoScore"}  # names of errors that tell what the grader did: no student's error has them


def students(output: NotebookNode) -> NotebookNode | None:
    """An output of the student's kernel, made harmless; an error keeps its name and message."""
    if output.output_type == "stream":
        return new_output("stream", name="stderr" if output.name == "stderr" else "stdout", text=plain(output.text))
    if output.output_type == "error":
        name = plain(output.ename)[:100]
        return failure("Exception" if name in OURS else name, plain(output.evalue)[:2_000])
    data = {}
    if isinstance(output.data.get("text/plain"), str):
        data["text/plain"] = plain(output.data["text/plain"])
    if (picture := image(output.data.get("image/png"))) is not None:
        data["image/png"] = picture
    return new_output("display_data", data=data) if data else None


def size(output: NotebookNode) -> int:
    """How many characters an output that is kept has."""
    return sum(map(len, output.get("data", {}).values())) + len(output.get("text", "")) + len(output.get("evalue", ""))


def errors(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Of a solution cell that ran when hidden cases were known: the names of Python's own errors, without a word."""
    names = [output.ename for output in outputs if output.output_type == "error"]
    known = [name for name in names if isinstance(name, str) and isinstance(getattr(builtins, name, None), type)]
    return [failure(name, "this cell's outputs are not shown, for it ran after a test") for name in known[:1]]


def graders(outputs: list[NotebookNode], points: float) -> list[NotebookNode]:
    """The outputs of a test cell: its score, once, from 0 to `points`, or an error: nothing else may count."""
    scores = [output for output in outputs if output.output_type == "execute_result"]
    try:
        (score,) = scores
        if not 0 <= float(score.data["text/plain"]) <= points:
            raise ValueError
        return scores
    except (ValueError, KeyError):
        raised = [f"{o.ename}: {o.evalue}" for o in outputs if o.output_type == "error"]
        return [no_score("; ".join(raised) or "nothing came")]


def no_score(reason: str) -> NotebookNode:
    """What stands in place of a score that could not be had."""
    return failure("NoScore", f"the test gave no score ({plain(reason)[:300]}): ask for it to be graded again")


def has_no_score(test: NotebookNode) -> bool:
    """Whether that is what a test cell has."""
    return any(output.output_type == "error" and output.ename == "NoScore" for output in test.outputs)


def in_short(cell: NotebookNode) -> str:
    """How a cell that was executed went: its score, the name of its error, or how many outputs it has."""
    for output in cell.outputs:
        if output.output_type == "execute_result":
            return plain(output.data.get("text/plain"))[:40]
        if output.output_type == "error":
            return plain(output.ename)[:40]
    return f"{len(cell.outputs)} outputs" if cell.outputs else "done"


def failure(name: str, message: str) -> NotebookNode:
    """An error output of one line."""
    return new_output("error", ename=name, evalue=message, traceback=[f"{name}: {message}"])
