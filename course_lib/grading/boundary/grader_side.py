"""Runs in the grader's kernel: names of the student's in a test cell stand for what lies behind the sandbox's wall."""

import ast
import builtins
import contextlib
import math
import os
import socket
from collections.abc import Callable
from functools import partial
from typing import Any

from course_lib.grading.boundary.messages import Closed, read, receive_bytes, send
from course_lib.grading.boundary.proxy import Silence, Student, StudentError, ask
from course_lib.grading.boundary.timelimit import WAITS, Stopwatch

OURS = {"check", "grade", "release"}  # never the student's, whatever is wrong with this kernel


class Line:
    """The line to a student's kernel, for a test or several. `state` is "open", or why there are no answers on it.

    `came` says how the last test went: see `close`.
    """

    def __init__(self, owner: int, call_seconds: float, answer_bytes: int) -> None:
        self.owner, self.call_seconds, self.answer_bytes = owner, call_seconds, answer_bytes
        self.seconds = self.left = 0.0
        self.bytes_left = answer_bytes
        self.processor: Callable[[], float] = float  # of the student's kernel: see `open`
        self.starved = False
        self.state, self.socket, self.listener, self.bound = "closed", None, None, set()
        self.came = ""
        self.version, self.memory = 0, {}

    def listen(self, path: str) -> None:
        """Make the socket that the student's kernel calls, in a folder where only we write."""
        self.hang_up()
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        if os.getuid() == 0:
            os.chown(path, self.owner, self.owner)
        self.listener.listen(1)

    def open(
        self, namespace: dict, source: str, seconds: float, version: int = 0, processor: Callable[[], float] = float
    ) -> None:
        """Wait for the call, unless the line is open still, and bind in `namespace` the student's names.

        These are the names that `source` uses and that `namespace` lacks. The call may take `seconds`: the student's
        kernel first imports what gradients need. All answers together may take `seconds` and `answer_bytes`; what this
        side does between them does not count, nor does waiting for a
        busy machine: `processor` gives the seconds of the processor that the student's kernel has used.
        What was seen of the student's functions is kept until `version` changes: it counts the cells that the
        student's kernel has run.
        """
        if version != self.version:
            self.version, self.memory = version, {}
        self.seconds = self.left = seconds
        self.bytes_left, self.starved = self.answer_bytes, False
        self.processor = processor
        if self.socket is None:
            self.listener.settimeout(WAITS * seconds)
            try:
                self.socket, _ = self.listener.accept()
                self.state = "open"
            except TimeoutError:
                self.state = "your notebook's kernel did not answer"
        self.bound = {name for name in free_names(source) if name not in namespace}
        namespace.update({name: self.resolve(name) for name in self.bound})

    def run(self, shell: Any, source: str) -> None:
        """Run a test cell in IPython's `shell`, whose names are bound, and leave the line open if all was answered."""
        try:
            shell.run_cell(source, store_history=False)
        finally:
            self.came = self.close(shell.user_ns, keep=True)

    def close(self, namespace: dict, keep: bool = False) -> str:
        """Forget the names, and hang up, unless there are answers and the line is to `keep` open for the next test.

        "answered", "silent", or "starved": too late, with little of the processor.
        """
        for name in self.bound:
            namespace.pop(name, None)
        state = self.state
        if not (keep and state == "open"):
            self.hang_up()
        return "answered" if state == "open" else "starved" if self.starved else "silent"

    def hang_up(self) -> None:
        """There are no more tests for the kernel that called."""
        for each in (self.socket, self.listener):
            if each is not None:
                each.close()
        self.state, self.socket, self.listener = "closed", None, None

    def refuse(self, namespace: dict, source: str, why: str) -> None:
        """There is no kernel to call: let the names say why."""
        self.hang_up()
        self.state = why
        self.bound = {name for name in free_names(source) if name not in namespace}
        namespace.update({name: self.resolve(name) for name in self.bound})

    def send(self, request: dict) -> dict:
        """A request's answer; an error that says why there is none."""
        lasting = True
        if self.state == "open":
            clock, limit = Stopwatch(self.processor), min(self.call_seconds, max(self.left, 0.001))
            try:
                return self._answer(request, clock, limit)
            except TimeoutError:
                self.starved = clock.processor() < limit / 2
                self.state = f"it gave no answer within {self.call_seconds:g} seconds"
                if limit < self.call_seconds:
                    self.state = f"its answers took more than {self.seconds:g} seconds together"
                    lasting = False
            except Closed as error:
                self.state = f"your notebook's kernel ended ({error})"
            except OSError:
                self.state = "your notebook's kernel ended"
            finally:
                self.left -= clock.seconds()
        return Silence(self.state, lasting)

    def _answer(self, request: dict, clock: Stopwatch, limit: float) -> Any:
        """What comes within `limit`. Before its answer the other side says what imports took: that is forgiven."""
        self.socket.settimeout(WAITS * limit)
        send(self.socket, request)
        while True:
            data = receive_bytes(self.socket, self.bytes_left, lambda: clock.left(limit))
            self.bytes_left -= len(data)
            answer = read(data)
            took = answer.get("imports") if isinstance(answer, dict) else None
            if not (type(took) is float and math.isfinite(took)):
                return answer
            clock.forgive(took)

    def resolve(self, name: str) -> Any:
        """What the student calls `name`; where there is none, something that says so when it is called."""
        try:
            found = ask(self.send, "name", name=name)
        except StudentError as error:
            missing = StudentError(f"it raised NameError: {name} is not defined", kind="NameError")
            return Student(partial(_raise, missing if error.kind == "NameError" else error), 0)
        if isinstance(found, Student):
            found.memory = self.memory
        return found


def _raise(error: StudentError, request: dict) -> dict:
    raise error


def free_names(source: str) -> list[str]:
    """The names that `source` reads without defining them, builtins and ours aside."""
    names = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)]
    own = {node.id for node in names if not isinstance(node.ctx, ast.Load)} | set(dir(builtins)) | OURS
    return sorted({node.id for node in names} - own)
