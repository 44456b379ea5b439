"""Every task of every problem set, held to what a task must be: fair to right answers, and sharp on real mistakes."""

import re
from functools import lru_cache
from importlib import import_module

import pytest
import torch

from course_lib.grading import check, seeds
from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.engine import examine, judged_trial
from course_lib.grading.registry import names, problem_set
from course_lib.grading.task import Criterion, Task
from course_lib.grading.trial import attempt, draw, draw_cases
from course_lib.grading.verdict import Verdict

from .each_task import each, group, nothing_forbidden
from .measure import secrets
from .measure.honest import styles
from .measure.mutants import around, in_place
from .measure.mutation import argued
from .sample_class import losses

TASKS = [task for name in names() for task in problem_set(name).tasks]
STYLES = {name: styles(name) for name in names()}
SECRETS = [secrets.secret(number) for number in range(2)]
each_task = each(TASKS)


@lru_cache(maxsize=256)
def student(task: Task, function, secret: bytes) -> Student:
    """`function`, tried on the hidden cases under `secret`: it remembers what came."""
    return local(function)


@lru_cache(maxsize=256)
def hidden(task: Task, function, secret: bytes) -> dict[str, Verdict]:
    """What `function` is told of every criterion of `task`, on the hidden cases under `secret`."""
    tried = student(task, function, secret)
    return {criterion.name: examine(task, criterion, tried, secret) for criterion in task.criteria}


def lost(task: Task, function, secret: bytes = SECRETS[0]) -> dict[str, str]:
    """The criteria that `function` loses on the hidden cases under `secret`, and what was wrong; no hint is sought."""
    tried = student(task, function, secret)
    trials = (judged_trial(task, criterion, tried, secret) for criterion in task.criteria)
    return {trial.criterion.name: trial.says for trial in trials if trial.failed}


@each_task
def test_the_reference_earns_everything(task):
    for secret in SECRETS:
        assert not lost(nothing_forbidden(task), task.reference, secret)


@each_task
def test_a_call_of_the_reference_is_refused(task):
    verdicts = check(task.name, task.reference).verdicts
    for verdict in verdicts:
        assert verdict.points == 0 and "write it yourself" in verdict.message, (
            f"{verdict.criterion}: {verdict.message}. `reference` must call a name in `forbidden`, and look it up in "
            "its module: `numpy.cumsum(…)`. After `from numpy import cumsum` it is not refused."
        )


@pytest.mark.parametrize(
    ("task", "style"),
    [
        pytest.param(task, style, marks=group(task), id=f"{task.name}-{style}")
        for task in TASKS
        for style in STYLES[task.name.partition(".")[0]]
    ],
)
def test_honestly_different_solutions_earn_everything(task, style):
    problem_set_name, _, function = task.name.partition(".")
    solution = getattr(STYLES[problem_set_name][style], function)
    assert solution is not task.reference
    assert not lost(task, solution)


@pytest.mark.parametrize("name", names())
def test_there_are_three_styles_for_every_problem_set(name):
    assert sorted(STYLES[name]) == ["functional", "loops", "objects"], f"tests/problem_sets/{name}/"


@each_task
def test_misconceptions_are_real_and_caught(task):
    assert len(task.misconceptions) >= 5
    task = nothing_forbidden(task)
    everything = {criterion.name for criterion in task.criteria}
    for mistake in task.misconceptions:
        verdicts = hidden(task, mistake.function, SECRETS[0])
        missing = {name for name, verdict in verdicts.items() if not verdict.passed}
        assert mistake.caught_by in missing, f"{mistake.name} is not caught by {mistake.caught_by}, but {missing}"
        for verdict in verdicts.values():  # one hint, wherever it shows; of twins that do the same, both
            assert verdict.passed or mistake.name in verdict.misconception.split(" or "), (mistake.name, verdict)
            assert verdict.passed or mistake.hint in verdict.hint
        of_one_mechanism = missing != everything or mistake.caught_by == task.criteria[0].name
        assert of_one_mechanism, f"{mistake.name} loses everything, though not the first step of the task"
        tried = student(task, mistake.function, SECRETS[1])
        again = attempt(task, task.criterion(mistake.caught_by), tried, SECRETS[1], visible=False)
        assert again.failed, f"{mistake.name} is not caught by {mistake.caught_by} under another secret"


@each_task
def test_the_mistake_of_the_sample_class_loses_what_is_said_of_it(task):
    """And so it does behind the wall, under the same secret, as test_pipeline.py shows."""
    mistakes = import_module(f"tests.problem_sets.{task.name.partition('.')[0]}.mistakes")
    verdicts = hidden(nothing_forbidden(task), getattr(mistakes, task.name.partition(".")[2]), SECRETS[0])
    mistake, criteria = losses(task)
    lost = {name: verdict.misconception for name, verdict in verdicts.items() if not verdict.passed}
    assert lost == dict.fromkeys(criteria, mistake)


def excuses(task: Task) -> list[Criterion]:
    """The criteria that excuse wrong values."""
    return [criterion for criterion in task.criteria if hasattr(criterion.probe, "excuse")]


@each(filter(excuses, TASKS))
def test_a_wrong_value_costs_neither_the_gradient_nor_the_arguments(task):
    """What such a criterion asks, the gradient of the function's own values, is right; without values it is lost."""
    task = nothing_forbidden(task)
    for criterion in excuses(task):
        for mistake in task.misconceptions:
            trial = attempt(task, criterion, student(task, mistake.function, SECRETS[0]), SECRETS[0], visible=False)
            valued = not any(isinstance(outcome, StudentError) for outcome in trial.outcomes)
            assert bool(trial.failed) == (mistake.caught_by == criterion.name) or not valued, (mistake.name, trial.says)


CAUGHT_BY = {"detached": "gradient", "changed in place": "gradient", "in float32": "dtype", "in float64": "dtype"}


@each(task for task in TASKS if task.trains)
def test_a_task_that_trains_tests_every_gradient_and_both_float_dtypes(task):
    """An argument cut off from the gradient, or changed by a call, costs a criterion; so does another dtype.

    But not an argument of which it is argued that no gradient is to flow into it.
    """
    problem = task.name.partition(".")[0]
    right = argued(problem)
    example = draw(task, task.criteria[0], SECRETS[0], visible=False)[0].arguments
    mutants = [m for m in around("", task.reference, example, trains=True) if m.change in CAUGHT_BY]
    assert {mutant.change for mutant in mutants} == CAUGHT_BY.keys()
    for mutant in mutants:
        if all((task.name, style, mutant.line, mutant.change) in right for style in STYLES[problem]):
            continue
        wanted = task.criterion(CAUGHT_BY[mutant.change])
        tried = student(nothing_forbidden(task), mutant.function, SECRETS[0])
        assert attempt(nothing_forbidden(task), wanted, tried, SECRETS[0], visible=False).failed, mutant.place


STAY = ("ps1", "ps3", "ps4", "ps5", "ps7", "ps8")  # whose text says that arguments stay as they were


def stay(task: Task) -> bool:
    """Whether the task asks that arguments stay as they were."""
    return task.name.startswith(STAY) or any(criterion.name == "arguments" for criterion in task.criteria)


@each(filter(stay, TASKS))
def test_a_call_that_changes_an_argument_costs_points(task):
    example = draw(task, task.criteria[0], SECRETS[0], visible=False)[0].arguments
    for place, argument in enumerate(example):
        if isinstance(argument, (list, dict, torch.Tensor)) and len(argument):
            missing = lost(nothing_forbidden(task), in_place(task.reference, place))
            assert missing and missing.keys() <= {"arguments", "gradient"}, (place, missing)


@each_task
def test_a_constant_answer_earns_next_to_nothing(task):
    task = nothing_forbidden(task)
    answers = [
        criterion.probe(task.reference, case)
        for criterion in task.criteria
        for case in draw(task, criterion, SECRETS[0], visible=False)[:3]
    ]
    for answer in answers:
        missing = lost(task, lambda *_, answer=answer: answer)
        earned = sum(criterion.points for criterion in task.criteria if criterion.name not in missing)
        assert earned <= 0.15 * task.points


@each_task
def test_an_untouched_cell_earns_nothing(task):
    def untouched(*_):
        raise NotImplementedError

    verdicts = hidden(nothing_forbidden(task), untouched, SECRETS[0])
    assert verdicts.keys() == {criterion.name for criterion in task.criteria}
    assert not any(verdict.passed for verdict in verdicts.values())
    assert {verdict.message for verdict in verdicts.values()} == {"this is not written yet"}


@each_task
def test_hidden_cases_are_others_than_the_visible_and_the_same_each_time(task):
    draw_again = draw_cases.__wrapped__  # without its memory
    for criterion in task.criteria:
        drawn = [draw(task, criterion, key, visible=False) for key in (seeds.PUBLIC, *SECRETS)]
        drawn.append(draw_again(criterion, seeds.seed(SECRETS[0], task.name, criterion.name), criterion.graded))
        public, first, other, again = (repr([case.arguments for case in cases]) for cases in drawn)
        assert first == again and len({public, first, other}) == 3


@each_task
def test_feedback_on_hidden_cases_shows_no_expected_value(task):
    for mistake in task.misconceptions:
        for verdict in hidden(nothing_forbidden(task), mistake.function, SECRETS[0]).values():
            if not verdict.passed:
                shown = f"{verdict.message} {verdict.case}"
                assert not re.search(r"; expected |Traceback|/\w+/", shown), shown
