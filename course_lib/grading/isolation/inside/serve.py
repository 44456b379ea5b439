"""Runs in the student's kernel while a test runs in the grader's: answers requests until the grader hangs up."""

import importlib.abc
import socket
import sys

from course_lib.grading.boundary.messages import Closed, receive, send
from course_lib.grading.boundary.student_side import Objects

MOST = 1 << 30


class NotWhileGraded(importlib.abc.MetaPathFinder):
    """Says of the course's own modules, where Python would only say that they are missing, why they are."""

    def find_spec(self, name, path=None, target=None):
        if name.startswith("course_lib."):
            raise ImportError(f"{name} is not available while graded", name=name)
        return None


def prepare() -> None:
    """Before the student's first cell."""
    sys.meta_path.append(NotWhileGraded())


def serve(path: str, names: dict) -> None:
    """Answer from `names` over the grader's socket at `path`; an interrupt ends what runs, and is the answer."""
    objects = Objects(names)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        while True:
            try:
                request = receive(line, MOST)
            except Closed:
                return
            try:
                answer = objects.answer(request)
            except KeyboardInterrupt:
                answer = {"error": ["KeyboardInterrupt", ""]}
            send(line, answer)
