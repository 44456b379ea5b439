"""What a function may use: what is lent to it, and nothing that does the task's work."""

import json
from dataclasses import replace

import pytest

from .toy_task import TASK, verdict

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
    for source in (
        "def helper(numbers): return -1",
        "def helper(numbers, start=0): return start + sum(numbers)",
        "from builtins import sum as helper",
        "",
    ):
        namespace: dict = {}
        exec(f"{source}\ndef double(numbers): return 2 * int(helper(numbers))", namespace)
        before = dict(namespace)
        assert verdict(namespace["double"], task).points == 2, source
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


def by_helper(numbers):
    return 2 * helper(numbers)


def test_what_is_lent_uses_what_is_lent_even_where_a_helper_has_ones_own_form():
    task = replace(TASK, lent=(helper, by_helper), reference=lambda numbers: 3 * sum(numbers))
    namespace: dict = {}
    exec("def helper(numbers, start): return start + sum(numbers)", namespace)
    exec("def by_helper(numbers): raise NotImplementedError", namespace)
    exec("def triple(numbers): return int(helper(numbers, 0) + by_helper(numbers))", namespace)
    assert verdict(namespace["triple"], task).points == 2


def test_forbidden_names_are_refused_while_the_student_runs_and_only_then():
    task = replace(TASK, reference=lambda numbers: json.loads(json.dumps(sum(numbers))), forbidden=("json.loads",))
    seen = verdict(lambda numbers: json.loads(str(sum(numbers))), task)
    assert seen.points == 0 and "write it yourself" in seen.message
    assert verdict(lambda numbers: sum(numbers), task).passed and json.loads("1") == 1
