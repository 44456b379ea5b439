"""The line between the kernels: whatever the student's side sends, the grader's gets a value or an error in words."""

import json
import os
import socket
import struct
import threading
import time

import pytest

from course_lib.grading.boundary.grader_side import Line, free_names
from course_lib.grading.boundary.messages import Closed, receive, send
from course_lib.grading.boundary.proxy import Student, StudentError, ask, local
from course_lib.grading.engine import examine
from course_lib.grading.registry import problem_set

HEAD = struct.Struct(">Q")
TASK = problem_set("ps1").tasks[0]


def packed(data) -> bytes:
    data = data if isinstance(data, bytes) else json.dumps(data).encode()
    return HEAD.pack(len(data)) + data


@pytest.fixture
def line(tmp_path):
    """A line whose other side sends `line.says` at once, and then what comes on it is never read."""
    made = Line(os.getuid(), 0.5, 1 << 20)
    made.ours, theirs = socket.socketpair()
    made.socket, made.state, made.listener, made.seconds, made.left = made.ours, "open", None, 5.0, 5.0
    made.theirs = theirs
    yield made
    made.ours.close()
    theirs.close()


ANSWERS = [
    *(
        1,
        7.5,
        True,
        None,
        "error",
        "value",
        [],
        {},
        ["error"],
        {"error": None},
        {"error": 7},
        {"error": "ab"},
        {"error": []},
    ),
    *(
        {"error": ["a", "b", "c"]},
        {"error": {"a": 1, "b": 2}},
        {"error": [[[]], {}]},
        {"value": {}},
        {"value": {"a": 1, "b": 2}},
    ),
    *({"value": {"handle": "0"}}, {"value": {"handle": 0.5}}, {"value": {"tensor": ["float32", [3], "AAAA"]}}),
    *({"value": {"tensor": ["float32", [2**62, 2**62, 0], ""]}}, {"value": {"tensor": ["float32", [-1], ""]}}),
    *(
        {"value": {"tensor": ["__class__", [], ""]}},
        {"value": {"tensor": ["float32", [True], "AAAAAA=="]}},
        {"value": {"bytes": "#"}},
    ),
    *(
        {"value": {"dict": [[{"list": []}, 1]]}},
        {"value": {"set": [{"list": []}]}},
        {"value": {"float": "7"}},
        {"value": 10**400},
    ),
    *(b"", b"{", b"\xff", b"9" * 5000, b"[" * 10**5, b'{"error": ' + b"[" * 900 + b"]" * 900 + b"}"),
    b'{"value": ' + b"[" * 900 + b"]" * 900 + b"}",
]


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda a: repr(a)[:40])
def test_a_malformed_answer_is_an_error_of_the_student(line, answer):
    line.theirs.sendall(packed(answer))
    with pytest.raises(StudentError):
        ask(line.send, "name", name="f")


VALUES = [
    *(
        1,
        7.5,
        True,
        None,
        "1",
        {"float": "nan"},
        {"list": []},
        {"dict": []},
        {"bytes": "AAAA"},
        {"handle": 10**9},
        {"handle": -1},
    ),
    *(
        {"tensor": ["float32", [], "AADgQA=="]},
        {"list": [{"tuple": [{"handle": 0}, {"float": "inf"}]}]},
        "\ud800<script>",
    ),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda v: repr(v)[:40])
def test_any_value_in_place_of_every_answer_earns_nothing(value):
    student = Student(lambda request: {"value": value}, 0)
    for criterion in TASK.criteria:
        verdict = examine(TASK, criterion, student, b"1")
        assert verdict.points == 0
        json.dumps(verdict._repr_mimebundle_(), ensure_ascii=False)


def test_a_dripping_answer_ends_with_the_calls_time(line):
    def drip():
        line.theirs.sendall(HEAD.pack(1000))
        for _ in range(100):
            time.sleep(0.05)
            try:
                line.theirs.sendall(b" ")
            except OSError:
                return

    thread = threading.Thread(target=drip)
    thread.start()
    assert line.send({"do": "name"}) == {"error": ["Unreachable", "it gave no answer within 0.5 seconds"]}
    line.ours.close()
    thread.join()


@pytest.mark.parametrize(("processor", "starved"), [(time.monotonic, False), (float, True)], ids=["busy", "waiting"])
def test_an_answer_that_is_late_says_whether_the_processor_was_lacking(line, processor, starved):
    line.processor = processor
    assert "no answer within 0.5 seconds" in line.send({})["error"][1]
    assert line.starved is starved


def test_what_imports_take_is_forgiven_and_is_no_answer(line):
    asked = []

    def processor() -> float:
        """Much, from when it is asked for the second time: once the limit has passed. Then the answer comes."""
        asked.append(1)
        if len(asked) == 2:
            line.theirs.sendall(packed({"value": 1}))
        return 100.0 if len(asked) > 1 else 0.0

    line.processor = processor
    line.theirs.sendall(packed({"imports": 3600.0}))
    assert line.send({}) == {"value": 1} and len(asked) > 1
    for odd in ({"imports": "much"}, {"imports": True}, b'{"imports": NaN}', b'{"imports": 1e999}'):
        line.theirs.sendall(packed(odd))
        assert "value" not in line.send({})


def test_answers_that_are_slow_together_end_with_the_tests_time(line):
    line.seconds = line.left = 0.2
    line.theirs.sendall(packed({"value": 1}))
    assert line.send({}) == {"value": 1}
    assert "took more than 0.2 seconds together" in line.send({})["error"][1]
    assert "took more than 0.2 seconds together" in line.send({})["error"][1]


@pytest.mark.parametrize("length", [1 << 20 | 1, 1 << 40, (1 << 64) - 1])
def test_an_announced_length_is_not_waited_for(line, length):
    line.theirs.sendall(HEAD.pack(length))
    assert "bytes" in line.send({})["error"][1]


def test_a_message_of_too_many_parts_is_not_read():
    ours, theirs = socket.socketpair()
    data = b"[" + b"0," * 4_000_001 + b"0]"
    thread = threading.Thread(target=lambda: theirs.sendall(HEAD.pack(len(data)) + data))
    thread.start()
    with ours, theirs, pytest.raises(Closed, match="parts"):
        try:
            receive(ours, 1 << 30)
        finally:
            thread.join()


def test_a_message_comes_back_whole():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        send(ours, {"a": [1, None, "\ud800ü"]})
        assert receive(theirs, 1000, lambda: 1.0) == {"a": [1, None, "\ud800ü"]}


def test_check_and_grade_are_never_asked_of_the_student():
    assert free_names('check("x", f)\ngrade("x", "y", f, len(g))\nh = g') == ["f", "g"]


def test_what_stands_behind_the_line_is_asked_directly():
    asked = []
    student = Student(lambda request: asked.append(request["do"]) or {"value": None}, 0)
    assert local(student) is student
    local(student).forbid(("a.b",))
    assert asked == ["forbid"]


def test_a_line_that_nobody_calls_says_so(tmp_path):
    line, names = Line(os.getuid(), 0.1, 1 << 20), {}
    line.listen(str(tmp_path / "line"))
    line.open(names, "f(1)", 0.1)
    with pytest.raises(StudentError, match="did not answer"):
        names["f"](1)
    assert line.close(names) == "silent" and names == {}


class Shell:
    """What runs a cell, as IPython's does."""

    def __init__(self) -> None:
        self.user_ns: dict = {}

    def run_cell(self, source: str, **_) -> None:
        exec(source, self.user_ns)


def test_the_line_stays_open_for_the_next_test_and_no_name_of_the_last_one_does(tmp_path):
    line, shell, path = Line(os.getuid(), 5.0, 1 << 20), Shell(), str(tmp_path / "line")
    line.listen(path)
    theirs = socket.socket(socket.AF_UNIX)
    theirs.connect(path)
    for name in ("f", "g"):
        theirs.sendall(packed({"value": {"handle": 0}}))
        line.open(shell.user_ns, name, 5.0)
        assert name in shell.user_ns
        line.run(shell, name)
        assert line.came == "answered" and name not in shell.user_ns
    line.hang_up()
    theirs.settimeout(5)
    while theirs.recv(1 << 16):
        pass  # what was asked, then the end
    theirs.close()


def test_after_a_test_without_an_answer_the_line_is_closed(tmp_path):
    line, shell, path = Line(os.getuid(), 0.1, 1 << 20), Shell(), str(tmp_path / "line")
    line.listen(path)
    with socket.socket(socket.AF_UNIX) as theirs:
        theirs.connect(path)
        line.open(shell.user_ns, "f", 0.1)
        line.run(shell, "f")
        assert line.came == "silent" or line.came == "starved"
        assert line.socket is line.listener is None
