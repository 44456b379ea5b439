"""What a test has seen of a function holds until another cell of the student's has run, and no longer."""

import contextlib
import socket
import threading

import pytest

from course_lib.grading.boundary.grader_side import Line
from course_lib.grading.boundary.messages import Closed, receive, send
from course_lib.grading.boundary.student_side import Objects
from course_lib.grading.engine import examine

from .toy_task import KEY, SUM, TASK

WRITTEN = "total = lambda numbers: calls.append(1) or sum(numbers) + 1"


@pytest.fixture
def notebook(tmp_path):
    """Names of a student's, and a way to open the line to them, at a version."""
    names: dict = {"calls": []}
    exec(WRITTEN, names)
    line, threads = Line(0, 5.0, 1 << 20), []

    def answer(path: str) -> None:
        objects = Objects(names)
        with socket.socket(socket.AF_UNIX) as other, contextlib.suppress(Closed, OSError):
            other.connect(path)
            while True:
                send(other, objects.answer(receive(other, 1 << 20)))

    @contextlib.contextmanager
    def opened(version: int):
        path, namespace = str(tmp_path / "line"), {}
        line.listen(path)
        threads.append(threading.Thread(target=answer, args=(path,)))
        threads[-1].start()
        line.open(namespace, "total", 30.0, version)
        yield namespace["total"]
        line.close(namespace)

    yield names, opened
    for thread in threads:
        thread.join(5)


def test_each_criterion_is_run_once_over_all_test_cells(notebook):
    names, opened = notebook
    for criterion in TASK.criteria:
        with opened(1) as total:
            assert examine(TASK, criterion, total, KEY).hint == "You start at 1."
    assert len(names["calls"]) == sum(criterion.graded for criterion in TASK.criteria)


def test_a_function_written_anew_is_seen_anew(notebook):
    names, opened = notebook
    with opened(1) as total:
        assert not examine(TASK, SUM, total, KEY).passed
    names["total"] = sum
    with opened(2) as total:
        assert examine(TASK, SUM, total, KEY).passed
