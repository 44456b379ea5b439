"""The grader's side of the boundary: a student's function as the engine calls it, through data alone."""

import contextlib
import re
from collections.abc import Callable
from typing import Any

from course_lib.grading.boundary.absent import refusals, standing_in_for_imports
from course_lib.grading.boundary.codec import NotData, decode, encode
from course_lib.grading.boundary.student_side import Objects, get_ready
from course_lib.grading.boundary.timelimit import CALL_SECONDS, TimeUp, time_limit

UNWRITTEN = "unwritten"
ITS_OWN = re.compile(r"^$|raise|NotImplementedError")  # a line that raises the error itself, or is not known
RAISED = "it raised an error"


class StudentError(Exception):
    """The student's work gave no value: what to tell its author, in one line and without a path.

    `hidden` is what may be told where the case is hidden: nothing that the student's code chose. `kind` is the
    exception's type, UNWRITTEN for a stub, or "silence" and "late" where there was no answer; `raises` says whether
    their code raised it.
    """

    def __init__(self, says: str, hidden: str | None = None, kind: str = "", text: str | None = None) -> None:
        super().__init__(says)
        self.hidden = says if hidden is None else hidden
        self.kind, self.raises = kind, False
        self.raised = kind, says if text is None else text  # what it is, wherever it was raised


class Silence(dict):
    """In place of an answer, from our own side: why there is none. What a student sends is never of this type."""

    def __init__(self, why: str, lasting: bool = True) -> None:
        super().__init__(error=["Unreachable", why])
        self.lasting = lasting  # False where another try may be answered


class Student:
    """Something of a student's that can be called, asked for attributes, given parameters, and pulled gradients from.

    `send` takes a request and gives the answer, in this process or across the sandbox's wall. Every method raises
    StudentError where the student's code raises, does not answer, or answers with what is no data. `memory` keeps what
    the engine has seen of it; whoever makes a Student gives it a memory no longer than its code stays the same.
    """

    def __init__(self, send: Callable[[dict], dict], target: int, memory: dict | None = None) -> None:
        self._send, self._target = send, target
        self.memory: dict = {} if memory is None else memory

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._ask("call", arguments=arguments, keywords=keywords)

    def attribute(self, name: str) -> Any:
        return self._ask("attribute", name=name)

    def load(self, parameters: dict) -> None:
        self._ask("load", parameters=parameters)

    def pull(self, arguments: tuple, cotangents: Any, names: list[str]) -> list:
        """Gradients of Σ output·cotangent for every floating tensor within the arguments, in their order.

        They are taken on the student's side; 0 for a tensor that no output depends on. The outputs have these `names`.
        """
        return self._ask("pull", arguments=arguments, cotangents=cotangents, names=names)

    def leaves(self, arguments: tuple, asking: bool = False) -> tuple[tuple, list[bool], list[bool]]:
        """The arguments after a call, and of each whether a tensor in it asks for a gradient, and holds one.

        If `asking`, all floating tensors ask for it before the call.
        """
        return self._ask("leaves", arguments=arguments, asking=asking)

    def forbid(self, names: tuple[str, ...]) -> None:
        """Names (dotted) that may not do the work: they raise while the student's code runs."""
        ask(self._send, "forbid", names=names)

    def lend(self, sources: dict[str, str], names: tuple[str, ...]) -> None:
        """Functions, by name and source; those of these `names` stand in for the student's own in each call."""
        ask(self._send, "lend", sources=sources, names=names)

    def _ask(self, do: str, **fields: Any) -> Any:
        return ask(self._send, do, target=self, **fields)


def ask(send: Callable[[dict], dict], do: str, **fields: Any) -> Any:
    """One request and the value of its answer; a number of an object comes back as a Student."""
    answer = send({"do": do, "fields": {key: encode(value, _number) for key, value in fields.items()}})
    if isinstance(answer, Silence):
        raise StudentError(answer["error"][1], kind="silence" if answer.lasting else "late")
    try:
        if "error" in answer:
            kind, text, *line = answer["error"]
            error = explain(str(kind)[:300], str(text)[:300], *line)
            error.raises = error.kind not in ("", "NoGradient")
            raise error
        return decode(answer["value"], lambda number: Student(send, number))
    except NotData as error:
        raise StudentError(f"it returned {error}", "it returned what is no plain data") from None
    except (KeyError, TypeError, ValueError, AttributeError):
        raise StudentError("it returned something malformed") from None


def local(function: Any, seconds: float = CALL_SECONDS) -> Student:
    """`function` behind the boundary but in this process: for `check`, and for tests; what is behind it stays there."""
    if isinstance(function, Student):
        return function
    objects = Objects({})
    get_ready()
    objects.refused = refusals(function)

    def send(request: dict) -> dict:
        try:
            limit = time_limit(seconds) if request["do"] != "forbid" else contextlib.nullcontext()  # imports are ours
            with limit, standing_in_for_imports(function):
                return objects.answer(request)
        except TimeUp:
            return Silence(f"it gave no answer within {seconds:g} seconds")

    return Student(send, objects.hold(function))


def explain(kind: str, text: str, number: int = 0, source: str = "") -> StudentError:
    """An exception in words: its type, the first line of what it says, and the student's own line that raised it.

    On hidden cases the words are ours, whatever was raised.
    """
    if kind == "NotImplementedError" and ITS_OWN.search(str(source)):  # torch raises it for a dtype that it cannot take
        return StudentError("this is not written yet", RAISED, kind=UNWRITTEN)
    if kind == "NotData":
        no_function = "it is no function" if "not a function" in text else None
        says = f"it is {text}" if no_function else f"it returned {text}"
        return StudentError(says, no_function or "it returned what is no plain data")
    if kind == "Delegated":
        return StudentError(text, RAISED, kind)
    if kind == "NoGradient":
        return StudentError(f"its result has no gradient: {text}", "its result has no gradient", kind, text)
    number = number if type(number) is int and 0 < number < 1000 else 0
    where = f" in line {number} of its cell" if number else ""
    says = f"it raised {kind}{where}" + (f": {text}" if text else "")
    return StudentError(says + (f" ({str(source)[:120]})" if source else ""), RAISED, kind, text)


def _number(value: Any) -> int:
    if isinstance(value, Student):
        return value._target
    raise NotData(f"a value of type {type(value).__name__}, which is not plain data")
