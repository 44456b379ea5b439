"""A known mistake is named wherever it shows and explains all that is seen; nothing is run more often to find it."""

from dataclasses import replace

import pytest

from course_lib.grading import check, seeds
from course_lib.grading.boundary.proxy import Silence, Student, local
from course_lib.grading.diagnosis import ALWAYS_THE_SAME, NOTHING, OTHER_KIND, diagnose
from course_lib.grading.engine import examine
from course_lib.grading.registry import problem_set
from course_lib.grading.task import Misconception
from course_lib.grading.trial import attempt
from course_lib.grading.trial import draw as draw_for

from .toy_task import KEY, SUM, TASK, off_by_one, total, verdict


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


def test_what_is_got_ready_before_the_first_call_takes_no_time_from_the_hint(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])

    class Slow(Student):
        def forbid(self, names):  # imports what is forbidden
            now[0] += 1000.0
            super().forbid(names)

    student = local(off_by_one)
    assert examine(TASK, SUM, Slow(student._send, student._target), KEY).hint == "You start at 1."
