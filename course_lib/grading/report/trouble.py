"""Which limit or refusal stands behind a verdict. On hidden cases the words are the grader's own, so they can be read.

What a student's code says stands behind "it raised"; its own words are in no verdict on hidden cases.
"""

import builtins

from nbformat import NotebookNode

from course_lib.grading.boundary.forbid import refusal
from course_lib.grading.nbgrader_hooks.outputs import OURS
from course_lib.grading.task import Task
from course_lib.grading.trial import KINDS

TIME = "took too long"
ENDED = "ended the kernel: memory, processes, sys.exit or a crash"
OUTPUT = "printed too much"
REFUSED = "used what may not do the work"
SIGNS = (  # how our messages begin: in verdicts, then in the cells that a student wrote
    ("it gave no answer", TIME),
    ("its answers took more than", TIME),
    ("the notebook's time was used up", TIME),
    ("your notebook's kernel did not answer", TIME),
    ("your notebook's kernel ended", ENDED),
    ("the notebook's kernel ended too often", ENDED),
    ("it was stopped after", TIME),
    ("it ended the notebook's kernel", ENDED),
    ("it was stopped because it printed", OUTPUT),
    ("the notebook's outputs together are too large", OUTPUT),
)


def of_verdict(message: str, task: Task) -> str | None:
    """The limit or refusal that a verdict's message tells of, or None."""
    if message in map(refusal, task.forbidden) or message.endswith(KINDS["Delegated"]):
        return REFUSED
    return _of_ours(message)


def of_cell(outputs: list[NotebookNode]) -> str | None:
    """What a student's cell ran into: a limit, or the name of the error that ended it; None if it ended well."""
    for output in reversed(outputs):
        if output.output_type != "error":
            continue
        if output.ename in OURS:
            return _of_ours(output.evalue)
        own = getattr(builtins, output.ename, None)
        known = isinstance(own, type) and issubclass(own, BaseException)
        return f"raised {output.ename}" if known else "raised an error of its own"
    return None


def _of_ours(message: str) -> str | None:
    return next((kind for begins, kind in SIGNS if message.startswith(begins)), None)
