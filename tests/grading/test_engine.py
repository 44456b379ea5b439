"""A verdict says what was seen, on the first case that fails, with the hint if the mistake is known."""

import contextlib
import json
import random
import re
import signal
import statistics
import sys
from dataclasses import replace

import pytest
import torch

from course_lib.grading import Verdicts, check, grade, release, seeds, trial
from course_lib.grading.boundary.proxy import Silence, Student, local
from course_lib.grading.boundary.timelimit import CALL_SECONDS
from course_lib.grading.diagnosis import ALWAYS_THE_SAME, NOTHING, OTHER_KIND, diagnose
from course_lib.grading.engine import examine
from course_lib.grading.task import Case, Criterion, Misconception, Parts, ProblemSet, Task
from course_lib.grading.tasks import names, problem_set
from course_lib.grading.trial import attempt, draw_cases
from course_lib.grading.trial import draw as draw_for


def draw(rng: random.Random, size: int) -> Case:
    numbers = [rng.randint(1, 9) for _ in range(size + 2)]
    return Case((numbers,), f"{len(numbers)} numbers")


def off_by_one(numbers):
    return sum(numbers) + 1


def without_last(numbers):
    return sum(numbers[:-1])


def total(numbers):
    return sum(numbers)


SUM = Criterion("sum", 2, "Everything is added.", draw)
TASK = Task(
    "ps0.total",
    "Total",
    total,
    (SUM, replace(SUM, name="other", points=1)),
    (
        Misconception("off by one", off_by_one, "sum", "You start at 1."),
        Misconception("last forgotten", without_last, "other", "You stop too early."),
    ),
)
KEY = b"1"
CASES = draw_for(TASK, SUM, KEY, visible=False)


def verdict(function, task: Task = TASK, criterion: Criterion = SUM, visible: bool = False):
    return examine(task, criterion, local(function), KEY, visible)


def test_right_earns_the_points_and_wrong_none():
    right = verdict(lambda numbers: sum(reversed(numbers)))
    assert (right.points, right.of, right.passed, right.message, right.hint) == (2, 2, True, "right", None)
    wrong = verdict(lambda numbers: -sum(numbers))
    assert (wrong.points, wrong.of, wrong.passed, wrong.message) == (0, 2, False, "the result is a wrong whole number")
    assert wrong.case == "2 numbers" and wrong.misconception is wrong.hint is None


@pytest.mark.parametrize("mistake", TASK.misconceptions, ids=lambda mistake: mistake.name)
@pytest.mark.parametrize("criterion", TASK.criteria, ids=lambda criterion: criterion.name)
def test_a_known_mistake_is_named_with_its_hint_wherever_it_shows(mistake, criterion):
    seen = verdict(lambda numbers: mistake.function(numbers), criterion=criterion)
    assert (seen.misconception, seen.hint) == (mistake.name, mistake.hint)


def test_a_mistake_on_some_cases_only_is_not_the_known_one():
    assert verdict(lambda numbers: sum(numbers) + (len(numbers) < 4)).hint is None


def test_a_mistake_that_does_not_explain_another_criterion_is_not_named():
    """Right numbers for the one criterion, wrong by one for the other: nobody who is off by one everywhere."""
    other = draw_for(TASK, TASK.criteria[1], KEY, visible=False)
    seen = verdict(lambda numbers: sum(numbers) + any([numbers] == list(case.arguments) for case in other))
    assert seen.passed
    assert verdict(lambda n: sum(n) + all([n] != list(c.arguments) for c in other)).hint is None


def test_one_criterion_alone_speaks_with_caution():
    alone = replace(TASK, criteria=(SUM,))
    assert verdict(off_by_one, alone).hint == "This looks like: off by one. You start at 1."


def test_two_mistakes_that_fit_are_both_named():
    both = replace(TASK, misconceptions=tuple(replace(m, function=off_by_one) for m in TASK.misconceptions))
    seen = verdict(off_by_one, both)
    assert seen.misconception == "off by one or last forgotten"
    assert seen.hint == "Either: You start at 1. Or: You stop too early."


def test_a_mistake_that_cannot_answer_is_passed_over():
    broken = Misconception("breaks", lambda numbers: 1 / 0, "sum", "")
    assert verdict(off_by_one, replace(TASK, misconceptions=(broken, *TASK.misconceptions))).hint == "You start at 1."


def test_a_mistake_that_raises_is_named_where_the_same_is_raised():
    breaks = Misconception("breaks", lambda numbers: numbers["a"], "sum", "A list has no names.")
    task = replace(TASK, misconceptions=(breaks, *TASK.misconceptions))
    assert verdict(lambda numbers: numbers["b"], task).hint == "A list has no names."
    assert verdict(lambda numbers: 1 / 0, task).hint is None
    assert verdict(lambda numbers: numbers.b, task).hint is None


def misfit(says: str, value):
    """The function `value` whose sizes do not fit where there are more than three numbers."""

    def function(numbers):
        if len(numbers) > 3:
            raise RuntimeError(says)
        return value(numbers)

    return function


@pytest.mark.parametrize(
    ("value", "theirs", "named"), [(off_by_one, off_by_one, True), (total, total, False), (off_by_one, total, False)]
)
def test_torch_may_complain_in_other_words_where_a_wrong_value_speaks_as_well(value, theirs, named):
    """Sizes that do not fit are told by every operation in words of its own; alone they tell nothing."""
    mistake = Misconception("sizes", misfit("shapes cannot be multiplied", value), "sum", "You start at 1.")
    seen = verdict(misfit("einsum(): does not broadcast", theirs), replace(TASK, misconceptions=(mistake,)))
    assert not seen.passed and seen.hint == ("You start at 1." if named else None)


@pytest.mark.parametrize("answer", [0, None, set(), []], ids=repr)
def test_a_stub_is_told_that_it_is_one(answer):
    zero = Misconception("zero", lambda numbers: 0, "sum", "You give 0.")
    task = replace(TASK, misconceptions=(zero, *TASK.misconceptions))
    assert verdict(lambda numbers: answer, task).hint == (NOTHING if answer is None else ALWAYS_THE_SAME)


def test_a_missing_return_is_told_wherever_several_values_are_expected():
    assert {verdict.hint for verdict in check("ps2.gru_cell", lambda *_: None).verdicts} == {NOTHING}


@pytest.mark.parametrize("name", ["ps2.gru_cell", "ps1.wordpiece_gain"])
def test_what_never_returns_the_right_kind_is_told_so(name):
    task, stub = problem_set(name[:3]).task(name), local(lambda *_: "")
    trials = [attempt(task, criterion, stub, seeds.PUBLIC, True) for criterion in task.criteria]
    assert diagnose(task, trials, seeds.PUBLIC, True) == (None, OTHER_KIND)


def counted(calls: list):
    def function(numbers):
        calls.append(numbers)
        return sum(numbers) + 1

    return function


def test_each_criterion_is_run_once_however_often_it_is_needed_for_a_hint():
    calls: list = []
    student = local(counted(calls))
    for _ in range(2):
        for criterion in TASK.criteria:
            assert examine(TASK, criterion, student, KEY).hint == "You start at 1."
    assert len(calls) == sum(criterion.graded for criterion in TASK.criteria)


def test_a_function_that_gives_no_answer_is_not_asked_for_a_hint_and_not_for_ever():
    asked = []

    def silent(request):
        asked.append(request["do"])
        return Silence("it gave no answer within 5 seconds")

    student = Student(silent, 0)
    criteria = tuple(replace(SUM, name=name) for name in "abcd")
    task = replace(TASK, criteria=criteria)
    seen = [examine(task, criterion, student, KEY) for criterion in criteria]
    assert [each.message for each in seen[:2]] == ["it gave no answer within 5 seconds"] * 2
    assert [each.message for each in seen[2:]] == ["it gave no answer in 2 tests before"] * 2
    assert len(asked) == 2 and not any(each.hint for each in seen)


def test_a_slow_function_is_not_run_more_often_for_a_hint(monkeypatch):
    clock = iter(range(0, 10**6, 1000))
    monkeypatch.setattr("time.monotonic", lambda: next(clock))  # each look at it is a thousand seconds later
    calls: list = []
    assert verdict(counted(calls)).hint is None and len(calls) == SUM.graded


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
    says = verdict(lambda numbers: torch.tensor(numbers).softmax(0), visible=True).message
    assert says.startswith("it raised NotImplementedError in line 2") and "not implemented for 'Long'" in says


def test_the_first_case_that_fails_is_told_whatever_comes_later():
    def breaks_later(numbers):
        return 1 // (len(numbers) < 4)

    seen = verdict(breaks_later)
    assert (seen.message, seen.case) == ("the result is a wrong whole number", "2 numbers")
    assert verdict(lambda numbers: sum(numbers) // (len(numbers) < 4)).case == "4 numbers"


def test_endless_recursion_is_an_error_like_others():
    def down(numbers):
        return down(numbers)

    assert verdict(down).message.startswith("it raised RecursionError in line ")


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


USES = """
import torch
import course_lib.recurrent as networks
from course_lib import recurrent
from course_lib.corpora import stories
from course_lib.recurrent import mask_from_lengths
"""
USED = "mask_from_lengths(torch.tensor(numbers), 9) and 1"


@pytest.mark.parametrize(
    ("body", "points"), [("sum(numbers)", 2), (USED, 0), (f"networks.{USED}", 0), (f"recurrent.{USED}", 0)]
)
def test_what_is_not_there_while_graded_may_be_imported_and_not_used(body, points):
    namespace: dict = {}
    exec(f"{USES}def total(numbers): return {body}", namespace)
    before = dict(namespace)
    seen = verdict(namespace["total"], visible=True)
    assert seen.points == points and namespace == before
    assert seen.passed or seen.message.endswith("mask_from_lengths may not do this task's work: write it yourself")


def test_a_refusal_is_told_in_the_same_words_while_graded():
    task = replace(TASK, forbidden=("json.loads",))
    for visible in True, False:
        seen = verdict(lambda numbers: json.loads(str(sum(numbers))), task, visible=visible)
        assert seen.message == "json.loads may not do this task's work: write it yourself"


def helper(numbers):
    import math

    return math.fsum(numbers) // 1


def test_a_mistake_in_an_earlier_task_costs_nothing_here_and_more_than_it_lends_is_allowed():
    task = replace(TASK, lent=(helper,), reference=lambda numbers: 2 * sum(numbers))
    written = {
        "def helper(numbers): return -1": 2,
        "def helper(numbers, start=0): return start + sum(numbers)": 2,
        "from builtins import sum as helper": 2,
        "": 2,
    }
    for source, points in written.items():
        namespace: dict = {}
        exec(f"{source}\ndef double(numbers): return 2 * int(helper(numbers))", namespace)
        before = dict(namespace)
        assert verdict(namespace["double"], task).points == points, source
        assert namespace == before, "what is lent is taken back"
    exec("def helper(numbers, start): return start + sum(numbers)", namespace)
    exec("def double(numbers): return 2 * helper(numbers, 0)", namespace)
    assert verdict(namespace["double"], task).points == 2


def test_a_mistake_after_a_call_of_what_is_lent_is_told_as_it_is():
    task = replace(TASK, lent=(helper,), reference=lambda numbers: 2 * sum(numbers))
    namespace: dict = {}
    exec("def helper(numbers): raise NotImplementedError", namespace)
    exec("def double(numbers): return helper(numbers)[0]", namespace)
    assert (
        "it raised TypeError in line 1 of its cell: 'float'" in verdict(namespace["double"], task, visible=True).message
    )


def test_an_object_of_the_students_stands_in_for_what_is_lent():
    task = replace(TASK, lent=(helper,), reference=lambda numbers: 2 * sum(numbers))
    namespace: dict = {}
    exec("class helper:\n    total = sum", namespace)
    exec("def double(numbers): return helper.total(numbers)", namespace)
    assert verdict(namespace["double"], task, visible=True).message.startswith("the result is ")


def other(numbers):
    return 2


def test_a_helper_of_ones_own_form_stands_beside_what_is_lent():
    task = replace(TASK, lent=(helper, other), reference=lambda numbers: 2 * sum(numbers))
    namespace: dict = {}
    exec("def other(numbers): raise NotImplementedError", namespace)
    exec("def helper(numbers, start): return start + sum(numbers)", namespace)
    exec("def double(numbers): return other(numbers) * helper(numbers, 0)", namespace)
    assert verdict(namespace["double"], task).points == 2


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
    assert seen.points == 0 and "wrong in every other criterion" in seen.message


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
