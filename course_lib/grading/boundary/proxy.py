"""The grader's side of the boundary: a student's function as the engine calls it, through data alone."""

from collections.abc import Callable
from typing import Any

from course_lib.grading.boundary.codec import NotData, decode, encode
from course_lib.grading.boundary.student_side import Objects


class StudentError(Exception):
    """The student's work gave no value: what to tell its author, in one line and without a path."""


class Student:
    """Something of a student's that can be called, asked for attributes, given parameters, and pulled gradients from.

    `send` takes a request and gives the answer, in this process or across the sandbox's wall. Every method raises
    StudentError where the student's code raises, does not answer, or answers with what is no data.
    """

    def __init__(self, send: Callable[[dict], dict], target: int) -> None:
        self._send, self._target = send, target

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._ask("call", arguments=arguments, keywords=keywords)

    def attribute(self, name: str) -> Any:
        return self._ask("attribute", name=name)

    def load(self, parameters: dict) -> None:
        self._ask("load", parameters=parameters)

    def pull(self, arguments: tuple, cotangents: Any) -> list:
        """Gradients of Σ output·cotangent for each floating argument, taken on the student's side."""
        return self._ask("pull", arguments=arguments, cotangents=cotangents)

    def forbid(self, names: tuple[str, ...]) -> None:
        """Names (dotted) that may not do the work: they raise while the student's code runs."""
        ask(self._send, "forbid", names=names)

    def _ask(self, do: str, **fields: Any) -> Any:
        return ask(self._send, do, target=self, **fields)


def ask(send: Callable[[dict], dict], do: str, **fields: Any) -> Any:
    """One request and the value of its answer; a number of an object comes back as a Student."""
    answer = send({"do": do, "fields": {key: encode(value, _number) for key, value in fields.items()}})
    try:
        if "error" in answer:
            kind, text = (str(part)[:300] for part in answer["error"])
            raise StudentError(explain(kind, text))
        return decode(answer["value"], lambda number: Student(send, number))
    except NotData as error:
        raise StudentError(f"it returned {error}") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise StudentError("it returned something malformed") from None


def local(function: Any) -> Student:
    """`function` behind the boundary but in this process: for `check`, and for tests; what is behind it stays there."""
    if isinstance(function, Student):
        return function
    objects = Objects({})
    return Student(objects.answer, objects.hold(function))


def explain(kind: str, text: str) -> str:
    """An exception in words: its type, and the first line of what it says."""
    if kind == "NotImplementedError":
        return "this is not written yet"
    if kind == "NotData":
        return f"it is {text}" if "not a function" in text else f"it returned {text}"
    if kind == "Unreachable":
        return text
    return f"it raised {kind}" + (f": {text}" if text else "")


def _number(value: Any) -> int:
    if isinstance(value, Student):
        return value._target
    raise NotData(f"a value of type {type(value).__name__}, which is not plain data")
