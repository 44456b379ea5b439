"""A verdict says what was seen, on the first case that fails; `check` shows it and `grade` counts it."""

import contextlib
import json
import math
import random
import re
import signal
import statistics
import sys
from dataclasses import replace

import pytest
import torch

from course_lib.grading import Verdicts, check, grade, release, seeds, trial
from course_lib.grading.boundary.forbid import Delegated
from course_lib.grading.boundary.proxy import Silence, Student, local
from course_lib.grading.boundary.timelimit import CALL_SECONDS
from course_lib.grading.engine import examine
from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Case, Parts, ProblemSet
from course_lib.grading.trial import draw as draw_for
from course_lib.grading.trial import draw_cases

from .toy_task import CASES, KEY, SUM, TASK, draw, off_by_one, total, verdict


def test_right_earns_the_points_and_wrong_none():
    right = verdict(lambda numbers: sum(reversed(numbers)))
    assert (right.points, right.of, right.passed, right.message, right.hint) == (2, 2, True, "right", None)
    wrong = verdict(lambda numbers: -sum(numbers))
    assert (wrong.points, wrong.of, wrong.passed, wrong.message) == (0, 2, False, "the result is a wrong whole number")
    assert wrong.case == "2 numbers" and wrong.misconception is wrong.hint is None


def test_a_criterion_for_which_no_time_was_left_is_tried_again():
    student = Student(lambda request: Silence("its answers took too long", lasting=False), 0)
    assert verdict(student).message == "its answers took too long" and not student.memory


def test_the_limit_of_a_student_s_call_does_not_stop_what_is_right_on_a_busy_machine(monkeypatch):
    assert trial.OURS_SECONDS > 10 * CALL_SECONDS
    monkeypatch.setattr(trial, "OURS_SECONDS", 0.02)

    def waits(numbers):
        signal.sigtimedwait([], 1)
        return sum(numbers)

    with pytest.raises(RuntimeError, match="the reference of ps0.slow fails on sum: it gave no answer within 0.02"):
        verdict(total, replace(TASK, name="ps0.slow", reference=waits))


def test_an_endless_loop_is_stopped_with_the_words_of_grading():
    def loops(numbers):
        while True:
            with contextlib.suppress(Exception):
                len(numbers)

    seen = examine(TASK, SUM, local(loops, seconds=0.2), KEY)
    assert seen.message == "it gave no answer within 0.2 seconds" and seen.points == 0


def raises(error):
    def function(numbers):
        raise error

    return function


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (raises(NotImplementedError("your turn")), "this is not written yet"),
        (
            raises(ValueError("no such pair\nsecond line")),
            "it raised ValueError in line {line} of its cell: no such pair",
        ),
        (raises(KeyError()), "it raised KeyError in line {line} of its cell"),
        (raises(SystemExit(3)), "it raised SystemExit in line {line} of its cell: 3"),
        (lambda: 0, "it raised TypeError: "),
        (lambda numbers: print, "the result is an object that is no plain data"),
        (lambda numbers: [object()], "the result is a list of 1"),
        (lambda numbers: 10**5000, "it returned a whole number of more than"),
        (raises(ValueError("\x1b[31m\x00 \ud800")), r"it raised ValueError in line {line} of its cell: \x1b[31m\x00"),
        (5, "it is "),
        (None, "it is "),
        (torch.zeros(2), "it is "),
    ],
)
def test_no_value_is_told_in_one_line_without_a_path(function, says):
    seen = verdict(function, visible=True)
    line = raises.__code__.co_firstlineno + 2
    assert seen.points == 0 and seen.message.startswith(says.format(line=line))
    assert "\n" not in seen.message and "/" not in seen.message and len(seen.message) < 400


def test_what_torch_does_not_implement_is_not_told_as_a_stub():
    def of_whole_numbers(numbers):
        return torch.tensor(numbers).softmax(0)

    says, line = verdict(of_whole_numbers, visible=True).message, of_whole_numbers.__code__.co_firstlineno + 1
    assert says.startswith(f"it raised NotImplementedError in line {line} ") and "not implemented for 'Long'" in says


def test_the_first_case_that_fails_is_told_whatever_comes_later():
    def breaks_later(numbers):
        return 1 // (len(numbers) < 4)

    seen = verdict(breaks_later)
    assert (seen.message, seen.case) == ("the result is a wrong whole number", "2 numbers")
    assert verdict(lambda numbers: sum(numbers) // (len(numbers) < 4)).case == "4 numbers"


def test_endless_recursion_is_an_error_like_others():
    def down(numbers):
        return down(numbers)

    assert verdict(down, visible=True).message.startswith("it raised RecursionError in line ")


def test_the_line_of_their_own_that_raised_is_shown_and_no_frame_of_a_library():
    def deep(numbers):
        return statistics.mean([]) + sum(numbers)

    seen = verdict(deep, visible=True)
    assert seen.message.startswith(
        f"it raised StatisticsError in line {deep.__code__.co_firstlineno + 1} of its cell: "
    )
    assert seen.message.endswith("(return statistics.mean([]) + sum(numbers))")


def secretive(numbers):
    raise type(f"Saw{sum(numbers)}", (Exception,), {})(f"saw {numbers}")


@pytest.mark.parametrize(
    "tells",
    [
        lambda numbers: secretive(numbers),
        lambda numbers: {}[f"saw {numbers}"],
        lambda numbers: f"saw {numbers}",
        lambda numbers: [f"saw {numbers}"],
        lambda numbers: {f"saw {numbers}": 1},
        lambda numbers: 1000 * sum(numbers),
        lambda numbers: type("Saw" + "x".join(map(str, numbers)), (), {})(),
        lambda numbers: (_ for _ in ()).throw(NotImplementedError(f"saw {numbers}")),
    ],
)
def test_nothing_that_a_function_raises_or_returns_carries_a_hidden_case_into_feedback(tells):
    seen = verdict(tells)
    told = json.dumps(seen._repr_mimebundle_())
    assert seen.points == 0 and not re.search(r"[sS]aw|000", told)
    assert seen.arguments is None


def one_of(numbers):
    """Numbers from 0 to 3, which an input decides."""
    return sum(numbers) % 4


def raises_a_kind(numbers):
    raise (KeyError, NameError, ArithmeticError, NotImplementedError)[one_of(numbers)]


def raises_in_a_line(numbers):
    at = one_of(numbers)
    if at == 0:
        raise ValueError
    if at == 1:
        raise ValueError
    raise ValueError


def refused_by_name(numbers):
    raise Delegated(f"refused math.{'abcd'[one_of(numbers)]}")


class Remembers:
    """Says on visible cases what it saw on hidden ones."""

    def __init__(self) -> None:
        self.seen = 0

    def __call__(self, numbers):
        self.seen = self.seen or sum(numbers)
        exec("\n" * self.seen + f"raise {('KeyError', 'LookupError', 'ValueError')[self.seen % 3]}")


@pytest.mark.parametrize("make", [lambda: raises_a_kind, lambda: raises_in_a_line, lambda: refused_by_name, Remembers])
def test_what_an_error_on_a_hidden_case_is_told_as_no_input_decides(monkeypatch, make):
    monkeypatch.setattr(trial, "refusal", lambda name: f"refused {name}")
    task = replace(TASK, forbidden=("math.a", "math.b", "math.c", "math.d"))
    for name in "abcd":
        monkeypatch.setattr(math, name, None, raising=False)
    messages = {examine(task, SUM, local(make()), str(key).encode()).message for key in range(12)}
    (message,) = messages
    assert message.partition(":")[0] == "it raised an error, as it does on the visible cases"


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (NotImplementedError, "this is not written yet"),
        (NameError("x"), "it raised an error, as it does on the visible cases: a name in it is not defined"),
        (ImportError("y"), "it raised an error, as it does on the visible cases: what it imports is not available"),
        (KeyError("z"), "it raised an error, as it does on the visible cases"),
    ],
)
def test_an_error_that_is_the_same_for_all_inputs_is_told_on_hidden_cases(error, says):
    assert verdict(raises(error)).message.startswith(says)


def test_an_error_on_hidden_cases_alone_is_told_as_such():
    known = [case.arguments[0] for case in draw_for(TASK, SUM, seeds.PUBLIC, visible=True)]

    def careless(numbers):
        return {tuple(each): sum(each) for each in known}[tuple(numbers)]

    assert verdict(careless).message == "it raised an error, and raises none on the visible cases"


def test_an_answer_forged_as_ours_carries_nothing_either():
    for kind in "Unreachable", "Delegated", "NotData", "NotImplementedError", "ValueError", "Saw":
        student = Student(lambda request, kind=kind: {"error": [kind, "Saw 1 2 3", 5, "Saw"]}, 0)
        assert "Saw" not in verdict(student).message


def test_the_failing_case_can_be_tried_again():
    seen = verdict(off_by_one, visible=True)
    assert off_by_one(*seen.arguments) != sum(*seen.arguments)
    assert seen.case == f"2 numbers: numbers = {seen.arguments[0]}"
    whole = check(first.name, first.misconceptions[0].function)
    assert whole.arguments == next(v.arguments for v in whole.verdicts if not v.passed)


def test_a_function_gets_copies():
    def spoils(numbers):
        total = sum(numbers)
        numbers.clear()
        return total

    before = repr(CASES)
    assert verdict(spoils).passed and repr(CASES) == before


def test_what_it_prints_and_warns_goes_nowhere(capfd):
    def noisy(numbers):
        print("here", numbers)
        print("there", file=sys.stderr)
        return sum(numbers)

    assert verdict(noisy).passed
    assert capfd.readouterr() == ("", "")


def test_visible_cases_show_themselves_and_hidden_ones_do_not():
    hidden, visible = verdict(off_by_one), verdict(off_by_one, visible=True)
    numbers = repr(CASES[0].arguments[0])
    assert numbers in visible.case and f"expected {sum(CASES[0].arguments[0])}" in visible.message
    assert numbers not in hidden.case and "expected" not in hidden.message


def test_cases_follow_from_the_seed():
    assert draw_cases(SUM, 1, 5) == tuple(draw(random.Random(f"1/{size}"), size) for size in range(5))
    assert draw_cases(SUM, 2, 5) != draw_cases(SUM, 1, 5) and draw_cases(SUM, 1, 3) == draw_cases(SUM, 1, 5)[:3]
    seed = seeds.seed(KEY, TASK.name, SUM.name)
    assert draw_cases(SUM, seed, SUM.graded) == CASES and draw_for(TASK, SUM, KEY, True) == CASES[: SUM.visible]


def test_the_score_is_what_nbgrader_reads():
    for function, score in (lambda numbers: sum(numbers), "2"), (off_by_one, "0"):
        bundle = verdict(function)._repr_mimebundle_()
        assert bundle["text/plain"] == score == repr(verdict(function))
        told = json.loads(json.dumps(bundle["application/vnd.course.verdict+json"]))
        assert (told["task"], told["criterion"], told["points"]) == ("ps0.total", "sum", float(score))


def test_what_a_probe_excuses_costs_nothing_and_is_told_in_no_message():
    """Of the length and the sum, this criterion judges the sum, and the length is seen for the sake of hints alone."""

    class Lenient:
        def __call__(self, function, case):
            return Parts(length=function(*case.arguments)[0], sum=function(*case.arguments)[1])

        def excuse(self, function, case, expected, got):
            return Parts(got | {"length": expected["length"]})

    task = replace(
        TASK, reference=lambda n: [len(n), sum(n)], criteria=(replace(SUM, probe=Lenient()),), misconceptions=()
    )
    assert verdict(lambda n: [0, sum(n)], task, task.criteria[0]).passed
    assert verdict(lambda n: [0, 0], task, task.criteria[0]).message == "sum is a wrong whole number"


def test_what_a_probe_excuses_is_earned_only_by_who_gets_something_right():
    class Any:
        def __call__(self, function, case):
            return Parts(result=function(*case.arguments))

        def excuse(self, function, case, expected, got):
            return expected

    lenient = replace(SUM, name="lenient", probe=Any())
    task = replace(TASK, criteria=(lenient, SUM, replace(SUM, name="one", draw=lambda *_: Case(([1],), "one"))))
    assert verdict(lambda n: n[0], task, lenient).passed  # right in "one"
    seen = verdict(lambda n: 0, task, lenient)
    assert seen.points == 0 and "only when at least one criterion that looks at the results passes" in seen.message


first = problem_set(names()[0]).tasks[0]


def test_check_shows_every_criterion_or_one():
    whole = check(first.name, first.reference)
    assert isinstance(whole, Verdicts) and [v.criterion for v in whole.verdicts] == [c.name for c in first.criteria]
    assert all(v.criterion in repr(whole) and v.criterion in whole._repr_html_() for v in whole.verdicts)
    one = check(first.name, first.criteria[0].name, lambda *_: None)
    assert one.seed == "public" and one.points == 0 and one.criterion == first.criteria[0].name


def test_grade_needs_the_secret_and_says_which_it_was(monkeypatch, tmp_path):
    function = first.misconceptions[0].function
    monkeypatch.delenv("COURSE_SECRET", raising=False)
    with pytest.raises(RuntimeError, match="only where nbgrader grades"):
        grade(first.name, first.criteria[0].name, function)
    seeds.make_secret(tmp_path / "secret")
    monkeypatch.setenv("COURSE_SECRET", str(tmp_path / "secret"))
    seen = grade(first.name, first.misconceptions[0].caught_by, function)
    assert seen.points == 0 and seen.seed == seeds.fingerprint(seeds.secret())
    assert seen == grade(first.name, first.misconceptions[0].caught_by, function)


@pytest.mark.parametrize("call", [check, grade])
def test_unknown_names_are_answered_with_those_there_are(call):
    criterion = first.criteria[0].name
    for task, named, says in (
        ("ps99.x", criterion, r"problem set must be one of .*ps1.* got 'ps99'"),
        (f"{first.name}x", criterion, rf"task must be one of {first.name}"),
        (first.name, "beauty", rf"criterion must be one of {criterion}.* got 'beauty'"),
    ):
        with pytest.raises(ValueError, match=says):
            call(task, named, sum)


def test_a_stale_release_is_named(capsys):
    current = problem_set("ps1").release
    release("ps1", current)
    said = capsys.readouterr().out
    assert f"release {current}" in said and "course 0." in said and "What you wrote" not in said
    for number, take in (current - 1, "newer notebook"), (current + 1, "newer course"):
        release("ps1", number)
        assert take in capsys.readouterr().out


def test_a_problem_set_adds_its_tasks_up():
    assert TASK.points == 3 and ProblemSet("ps0", "Nothing", 1, (TASK,)).task("ps0.total") is TASK
