"""The student's kernel in its sandbox runs cells, and comes back after a loop, a crash, a flood; the grader's asks."""

import os
import tempfile
import tracemalloc
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest
import zmq

from course_lib.grading.boundary.proxy import StudentError, local
from course_lib.grading.boundary.timelimit import WAITS
from course_lib.grading.isolation import visible_course
from course_lib.grading.isolation.grader_kernel import GraderKernel
from course_lib.grading.isolation.kernel import Kernel
from course_lib.grading.isolation.limits import Limits
from course_lib.grading.isolation.sandbox import Sandbox
from course_lib.grading.isolation.student_kernel import StudentKernel, surroundings
from course_lib.grading.isolation.warm import Warm

pytestmark = pytest.mark.xdist_group("isolation-kernel")
LIMITS = Limits(call_seconds=2, cell_seconds=3, output_kb=64)


@pytest.fixture(scope="module", params=[True, False], ids=["walled", "trusted"])
def student(request):
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        visible_course.build(Path(folder))
        view = Sandbox(LIMITS, Path(folder), Path(folder), Path(folder))
        warm = Warm(view) if request.param else None  # as nbgrader_hooks/submission.py does
        with StudentKernel(LIMITS, Path(folder), walled=request.param, warm=warm) as made:
            made.run(
                "def double(x): return 2 * x\ndef loops(x):\n    while True: pass\ndef dies(x): import os; os._exit(1)"
            )
            yield made
        if warm:
            assert warm.works
            warm.close()


behind_the_wall = pytest.mark.parametrize("student", [True], ids=["walled"], indirect=True)


@pytest.fixture(scope="module")
def grader(student):
    made = GraderKernel()
    made.begin(LIMITS)
    yield made
    made.close()


def patiently(student: StudentKernel, source: str):
    """Run a cell that ends by itself, however busy the machine is."""
    student.limits = replace(LIMITS, cell_seconds=60)
    try:
        return student.run(source)
    finally:
        student.limits = LIMITS


def text(outputs) -> str:
    return " ".join(o.get("data", {}).get("text/plain", "") + o.get("text", "") + o.get("evalue", "") for o in outputs)


def test_a_kernel_is_ready_once_what_it_shows_is_heard(monkeypatch):
    kernel = Kernel()
    try:
        kernel.start()
        shown, ask, times = kernel.client.iopub_channel.socket, kernel.client.kernel_info, count()
        shown.setsockopt(zmq.UNSUBSCRIBE, b"")

        def asks() -> str:
            if next(times) == 2:
                shown.setsockopt(zmq.SUBSCRIBE, b"")  # the first two answers were not heard
            return ask()

        monkeypatch.setattr(kernel.client, "kernel_info", asks)
        assert kernel.wait() and next(times) >= 3
        assert text(kernel.run("print('now')", 60).outputs) == "now\n" and kernel.heard[1:] == (True, "ok")
    finally:
        kernel.close()


def test_outputs_come_back(student):
    run, said = patiently(student, "print('seen')\n7")
    assert (run.status, said) == ("ok", None) and "seen" in text(run.outputs) and "7" in text(run.outputs)


@pytest.mark.parametrize(
    "kind, source",
    [
        ("after 3 seconds", "while True: pass"),
        ("ended", "import os; os._exit(1)"),
        ("printed", "while True: print('x' * 999)"),
    ],
)
def test_it_comes_back_with_what_it_had(student, kind, source):
    _, said = student.run(source)
    assert kind in said
    assert "14" in text(patiently(student, "double(7)")[0].outputs)


def test_a_test_is_answered_from_the_student(grader, student):
    assert text(grader.test("double(21)", "a", student)) == "42"
    assert text(grader.run("'double' in globals()")) == "False"


def test_a_stuck_call_costs_its_own_test(grader, student):
    assert "no answer within 2 seconds" in text(grader.test("loops(1)", "b", student))
    assert text(grader.test("double(4)", "a", student)) == "8"


NAPS = """
asked = []
def naps(x):
    import time
    asked.append(x) or len(asked) > 1 or time.sleep(10**6)
    return 2 * x
def sleeps(x):
    import time
    time.sleep(10**6)
"""


def test_an_answer_that_is_late_with_little_of_the_processor_is_asked_for_once_more(grader, student):
    grader.begin(replace(LIMITS, call_seconds=1))
    try:
        student.run(NAPS)
        assert text(grader.test("naps(8)", "f", student)) == "16" and grader.unanswered["f"] == 0
        assert "no answer within 1 seconds" in text(grader.test("sleeps(1)", "g", student))
        assert grader.unanswered["g"] == 1
    finally:
        grader.begin(LIMITS)


@behind_the_wall
def test_the_import_of_a_library_does_not_count(grader, student):
    slow = "import time\nend = time.process_time() + 2.5\nwhile time.process_time() < end: pass\n"
    student.run(f"open('slow_library.py', 'w').write({slow!r})")
    student.run("def loads(x):\n    import slow_library\n    return 2 * x")
    patient = "from course_lib.grading.boundary import timelimit; timelimit.WAITS = {}"
    grader.kernel.run(patient.format(10**4), 60)  # however busy the machine is
    try:
        assert text(grader.test("loads(3)", "h", student)) == "6"
    finally:
        grader.kernel.run(patient.format(WAITS), 60)


NESTED = """
kernel = get_ipython().kernel
def part(name):
    lists = b'{"a": [' + b"[]," * 1_500_000 + b"[]]}"
    parts = kernel.session.msg_header("stream"), kernel.get_parent()["header"], {}, {}
    parts = [json.dumps(part, default=str).encode() for part in parts]
    if name < 4: parts[name] = lists
    frames = [b"<IDS|MSG>", kernel.session.sign(parts), *parts]
    kernel.iopub_socket.send_multipart(frames + [lists] * (name == 4))
"""


@pytest.mark.parametrize("part", range(5), ids=["header", "parent", "metadata", "content", "buffers"])
def test_a_message_of_millions_of_lists_is_not_parsed_whatever_part_they_are_in(student, part):
    student.run(f"import json{NESTED}")
    tracemalloc.start()
    try:
        run, _ = student.run(f"part({part})")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert run.status == "flood" and peak < 20 << 20  # parsed, they are 96 MB
    assert "14" in text(patiently(student, "double(7)")[0].outputs)


def test_a_message_of_countless_frames_is_not_read_to_its_end(student):
    source = "get_ipython().kernel.iopub_socket.send_multipart([b'<IDS|MSG>'] + [b''] * 200_000)"
    tracemalloc.start()
    try:
        run, _ = student.run(source)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert run.status == "flood" and peak < 20 << 20


def test_a_call_that_ends_the_kernel_costs_its_own_test(grader, student):
    assert "kernel ended" in text(grader.test("dies(1)", "c", student))
    assert text(grader.test("double(5)", "a", student)) == "10"


def test_a_student_does_not_stand_in_for_the_grader(grader, student):
    student.run("grade = check = lambda *_: 7")
    assert "is not defined" in text(grader.test("grade('x', 'y', double)", "d", student))


def test_names_are_asked_anew_in_each_test(grader, student):
    student.run("def later(x): return 'one'")
    assert text(grader.test("later(1)", "e", student)) == "'one'"
    student.run("def later(x): return 'two'")
    assert text(grader.test("later(1)", "e", student)) == "'two'"


def test_the_graders_kernel_comes_back_with_its_locked_cells_when_it_used_too_much(student):
    made = GraderKernel()
    made.begin(Limits(call_seconds=2, cell_seconds=3, grader_mb=700))
    try:
        made.run("known = 20")
        with pytest.raises(RuntimeError, match="used too much memory"):
            made.test("kept = bytearray(b'x') * (900 << 20); import time; time.sleep(60)", "e", student)
        assert text(made.test("double(known + 1)", "e", student)) == "42"
    finally:
        made.close()


def test_an_exit_in_a_cell_ends_nothing(student):
    starts = student.starts
    for source in ("exit()", "quit()", "import sys; sys.exit()"):
        student.run(source)
    assert "4" in text(student.run("double(2)")[0].outputs) and student.starts == starts


@behind_the_wall
def test_what_is_absent_can_be_imported_and_not_used(student):
    run, _ = student.run("import transformers\nfrom course_lib.subwords import BPE\nclass Mine(BPE): pass\n'imported'")
    assert "imported" in text(run.outputs)
    for use in ("BPE.learn({}, 1)", "Mine()", "transformers.pipeline('x')"):
        assert "may not do this task's work: write it yourself" in text(student.run(use)[0].outputs)


ABSENT = {  # where a function uses what is absent while graded
    "a module": "import nltk; return nltk.ngrams('abc', 2)",
    "a name of one": "from nltk.util import ngrams; return ngrams('abc', 2)",
    "a module under another name": "import nltk.util as other; return other.ngrams('abc', 2)",
    "of the course": "from course_lib.subwords import BPE; return BPE.learn({}, 1)",
    "imported before": "return known.ngrams('abc', 2)",
}


@behind_the_wall
@pytest.mark.parametrize("use", ABSENT)
def test_check_refuses_what_is_absent_in_the_same_words(student, use):
    source, names = f"import nltk as known\ndef uses(): {ABSENT[use]}", {"__name__": "__main__"}
    exec(source, names)
    with pytest.raises(StudentError, match="may not do this task's work: write it yourself") as refused:
        local(names["uses"])()
    student.run(source)
    assert str(refused.value) in text(student.run("uses()")[0].outputs)


def test_nothing_of_our_environment_surrounds_the_sandbox(monkeypatch):
    monkeypatch.setenv("COURSE_SECRET", "x")
    assert surroundings() == {"PATH": os.environ["PATH"]}


def test_a_kernels_folders_are_its_own(student):
    assert student.kernel.line.stat().st_uid == os.getuid()
    assert not student.walled or os.getuid() != 0 or student.kernel.sockets.stat().st_uid == 0


def test_tests_behind_each_other_cost_one_request_each_and_a_cell_between_them_is_run(grader, student, monkeypatch):
    asked = {grader.kernel: 0, student.kernel: 0}
    for kernel in asked:
        send = kernel.send
        monkeypatch.setattr(kernel, "send", lambda *a, k=kernel, send=send: asked.update({k: asked[k] + 1}) or send(*a))
    assert text(grader.test("double(1)", "i", student)) == "2"
    first = dict(asked)
    for number in range(2, 5):
        assert text(grader.test(f"double({number})", "i", student)) == str(2 * number)
    assert [asked[kernel] - first[kernel] for kernel in asked] == [3, 0]
    assert text(patiently(student, "double(50)")[0].outputs) == "100"
    assert text(grader.test("double(6)", "i", student)) == "12"


def test_a_kernel_that_ends_between_two_tests_costs_the_second_and_comes_back(grader, student):
    assert text(grader.test("double(1)", "j", student)) == "2"
    student.kill()
    assert "kernel ended" in text(grader.test("double(1)", "j", student))
    assert text(grader.test("double(1)", "j", student)) == "2"
