"""What is kept of a cell's outputs: text and pictures. Nothing in them can run in a reader's browser."""

import base64
import binascii
import re

from nbformat import NotebookNode
from nbformat.v4 import new_output

ANSI = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[@-_]")
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
PATHS = re.compile(r"(?<![\w<])(?:/[\w.@+-]+){2,}/?")
MAX_TEXT = 20_000


def students(output: NotebookNode) -> NotebookNode | None:
    """An output of the student's kernel, made harmless; an error keeps its name and message."""
    if output.output_type == "stream":
        return new_output("stream", name="stderr" if output.name == "stderr" else "stdout", text=plain(output.text))
    if output.output_type == "error":
        return failure(plain(output.ename)[:100], plain(output.evalue)[:2_000])
    data = {}
    if isinstance(output.data.get("text/plain"), str):
        data["text/plain"] = plain(output.data["text/plain"])
    if (picture := image(output.data.get("image/png"))) is not None:
        data["image/png"] = picture
    return new_output("display_data", data=data) if data else None


def graders(outputs: list[NotebookNode], points: float) -> list[NotebookNode]:
    """The outputs of a test cell: its score, once, from 0 to `points`, or an error: nothing else may count."""
    scores = [output for output in outputs if output.output_type == "execute_result"]
    try:
        (score,) = scores
        if not 0 <= float(score.data["text/plain"]) <= points:
            raise ValueError
        return scores
    except (ValueError, KeyError):
        errors = [f"{o.ename}: {o.evalue}" for o in outputs if o.output_type == "error"]
        return [
            failure(
                "NoScore", f"the test gave no score ({'; '.join(errors) or 'nothing came'}): this is not your fault"
            )
        ]


def failure(name: str, message: str) -> NotebookNode:
    """An error output of one line."""
    return new_output("error", ename=name, evalue=message, traceback=[f"{name}: {message}"])


def plain(text: object) -> str:
    """Text without terminal codes, control characters and paths, cut to a sensible length."""
    text = text if isinstance(text, str) else str(text)
    text = PATHS.sub("<path>", CONTROL.sub("", ANSI.sub("", text[: 2 * MAX_TEXT])))
    return text if len(text) <= MAX_TEXT else text[:MAX_TEXT] + "\n[cut here]"


def image(data: object) -> str | None:
    """Base64 of a PNG, or None for anything else."""
    try:
        raw = base64.b64decode(data, validate=False) if isinstance(data, str) else b""
    except (binascii.Error, ValueError):
        return None
    return base64.b64encode(raw).decode() if raw.startswith(b"\x89PNG\r\n\x1a\n") else None
