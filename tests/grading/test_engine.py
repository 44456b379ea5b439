"""A verdict says what was seen, on the first case that fails, with the hint if the mistake is known."""

import json
import random
import sys
from dataclasses import replace

import pytest
import torch

from course_lib.grading import Verdicts, check, grade, release, seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.engine import draw_cases, examine
from course_lib.grading.task import Case, Criterion, Misconception, ProblemSet, Task
from course_lib.grading.tasks import names, problem_set


def draw(rng: random.Random, size: int) -> Case:
    numbers = [rng.randint(1, 9) for _ in range(size + 2)]
    return Case((numbers,), f"{len(numbers)} numbers")


def off_by_one(numbers):
    return sum(numbers) + 1


def without_last(numbers):
    return sum(numbers[:-1])


SUM = Criterion("sum", 2, "Everything is added.", draw)
TASK = Task(
    "ps0.total",
    "Total",
    sum,
    (SUM, replace(SUM, name="other", points=1)),
    (
        Misconception("off by one", off_by_one, "sum", "You start at 1."),
        Misconception("last forgotten", without_last, "other", "You stop too early."),
    ),
)
CASES = draw_cases(SUM, 1, 5)


def verdict(function, task: Task = TASK, criterion: Criterion = SUM, reveal: bool = False):
    return examine(task, criterion, local(function), CASES, reveal)


def test_right_earns_the_points_and_wrong_none():
    right = verdict(lambda numbers: sum(reversed(numbers)))
    assert (right.points, right.of, right.passed, right.message, right.hint) == (2, 2, True, "right", None)
    wrong = verdict(lambda numbers: 0)
    assert (wrong.points, wrong.of, wrong.passed, wrong.message) == (0, 2, False, "the result is 0")
    assert wrong.case == "2 numbers" and wrong.misconception is wrong.hint is None


@pytest.mark.parametrize(
    ("function", "mistake"), [(off_by_one, TASK.misconceptions[0]), (without_last, TASK.misconceptions[1])]
)
def test_a_known_mistake_is_named_with_its_hint(function, mistake):
    seen = verdict(lambda numbers: function(numbers))
    assert (seen.misconception, seen.hint) == (mistake.name, mistake.hint)


def test_a_mistake_on_some_cases_only_is_not_the_known_one():
    seen = verdict(lambda numbers: sum(numbers) + (len(numbers) < 4))
    assert seen.points == 0 and seen.hint is None


def test_of_two_mistakes_with_the_same_values_the_criterions_own_is_named():
    both = replace(TASK, misconceptions=tuple(replace(m, function=off_by_one) for m in TASK.misconceptions))
    assert verdict(off_by_one, both).misconception == "off by one"
    assert verdict(off_by_one, both, both.criteria[1]).misconception == "last forgotten"


def test_a_mistake_that_cannot_answer_is_passed_over():
    broken = Misconception("breaks", lambda numbers: 1 / 0, "sum", "")
    assert verdict(off_by_one, replace(TASK, misconceptions=(broken, *TASK.misconceptions))).hint == "You start at 1."


def raises(error):
    def function(numbers):
        raise error

    return function


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (raises(NotImplementedError("your turn")), "this is not written yet"),
        (raises(ValueError("no such pair\nsecond line")), "it raised ValueError: no such pair"),
        (raises(KeyError()), "it raised KeyError"),
        (raises(SystemExit(3)), "it raised SystemExit: 3"),
        (lambda: 0, "it raised TypeError: "),
        (lambda numbers: print, "the result is an object that is no plain data"),
        (lambda numbers: [object()], "the result is a list of 1"),
        (lambda numbers: 10**5000, "it returned a whole number of more than"),
        (lambda numbers: numbers[99], "it raised IndexError: list index out of range"),
        (raises(ValueError("\x1b[31mred\x00 \ud800")), r"it raised ValueError: \x1b[31mred\x00 \ud800"),
        (5, "it is "),
        (None, "it is "),
        (torch.zeros(2), "it is "),
    ],
)
def test_no_value_is_told_in_one_line_without_a_path(function, says):
    seen = verdict(function)
    assert seen.points == 0 and seen.message.startswith(says)
    assert "\n" not in seen.message and "/" not in seen.message and len(seen.message) < 400


def test_the_first_case_that_fails_is_told_whatever_comes_later():
    def breaks_later(numbers):
        return 1 // (len(numbers) < 4)

    seen = verdict(breaks_later)
    assert (seen.message, seen.case) == ("the result is 1", "2 numbers")
    assert verdict(lambda numbers: sum(numbers) // (len(numbers) < 4)).case == "4 numbers"


def test_endless_recursion_is_an_error_like_others():
    def down(numbers):
        return down(numbers)

    assert verdict(down).message.startswith("it raised RecursionError")


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
    hidden, visible = verdict(off_by_one), verdict(off_by_one, reveal=True)
    numbers = repr(CASES[0].arguments[0])
    assert numbers in visible.case and f"expected {sum(CASES[0].arguments[0])}" in visible.message
    assert numbers not in hidden.case and "expected" not in hidden.message


def test_cases_follow_from_the_seed():
    assert draw_cases(SUM, 1, 5) == CASES == tuple(draw(random.Random(f"1/{size}"), size) for size in range(5))
    assert draw_cases(SUM, 2, 5) != CASES and draw_cases(SUM, 1, 3) == CASES[:3]


def test_the_score_is_what_nbgrader_reads():
    for function, score in (lambda numbers: sum(numbers), "2"), (off_by_one, "0"):
        bundle = verdict(function)._repr_mimebundle_()
        assert bundle["text/plain"] == score == repr(verdict(function))
        told = json.loads(json.dumps(bundle["application/vnd.course.verdict+json"]))
        assert (told["task"], told["criterion"], told["points"]) == ("ps0.total", "sum", float(score))


def test_forbidden_names_are_refused_while_the_student_runs_and_only_then():
    task = replace(TASK, reference=lambda numbers: json.loads(json.dumps(sum(numbers))), forbidden=("json.loads",))
    seen = verdict(lambda numbers: json.loads(str(sum(numbers))), task)
    assert seen.points == 0 and "write it yourself" in seen.message
    assert verdict(lambda numbers: sum(numbers), task).passed and json.loads("1") == 1


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
