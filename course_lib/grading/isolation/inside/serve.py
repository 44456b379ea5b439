"""Runs in the student's kernel while a test runs in the grader's: answers requests until the grader hangs up."""

import socket
import sys

from course_lib.grading.boundary.messages import Closed, receive, send
from course_lib.grading.boundary.student_side import Objects
from course_lib.grading.stand_in import StandIns

LARGEST = 1 << 30  # bytes of a request


def prepare() -> None:
    """Before the student's first cell: absent modules can be imported, and `exit()` in a cell ends nothing."""
    from IPython import get_ipython

    sys.meta_path.append(StandIns())
    get_ipython().ask_exit = lambda: None


def serve(path: str, names: dict) -> None:
    """Answer from `names` over the grader's socket at `path`; an interrupt ends what runs, and is the answer."""
    objects = Objects(names)
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(path)
        while True:
            try:
                request = receive(line, LARGEST)
            except Closed:
                return
            try:
                answer = objects.answer(request)
            except KeyboardInterrupt:
                answer = {"error": ["KeyboardInterrupt", ""]}
            send(line, answer)
