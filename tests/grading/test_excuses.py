"""Excuses are for mistakes, not for want of work: what knows nothing of a task earns no more than a constant may."""

import pytest
import torch

from course_lib.grading.boundary.proxy import local
from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.engine import examine
from course_lib.grading.registry import names, problem_set
from course_lib.problem_sets.ps6 import attention

from .each_task import each, nothing_forbidden
from .measure.secrets import secret

MOST = 0.15  # of a task's points
ATTENTION = nothing_forbidden(problem_set("ps6").task("ps6.attention"))


def earned(task, function):
    """The points of `function` on the hidden cases, and the criteria that it loses."""
    student = local(function)
    verdicts = {criterion.name: examine(task, criterion, student, secret(0)) for criterion in task.criteria}
    return sum(each.points for each in verdicts.values()), {name for name, each in verdicts.items() if not each.passed}


def with_weights(weights):
    """Attention with weights that are computed of the mask alone."""

    def attended(Q, K, V, mask):
        α = weights(mask.expand(*Q.shape[:-1], K.shape[-2])).to(Q.dtype)
        α = α / α.sum(-1, keepdim=True)
        return α @ V, α

    return attended


WITHOUT_WORK = {
    "the same weights everywhere": torch.ones_like,
    "the same weights for all keys that are shown": lambda mask: mask,
    "the first key": lambda mask: torch.arange(mask.shape[-1]).eq(0).expand(mask.shape),
    "later keys more": lambda mask: (1.0 + torch.arange(mask.shape[-1])).expand(mask.shape),
    "keys by the query's place": lambda mask: 0.1 + torch.ones(mask.shape).tril(),
}


@pytest.mark.parametrize("weights", WITHOUT_WORK.values(), ids=WITHOUT_WORK)
def test_weights_that_no_query_is_compared_for_earn_next_to_nothing(weights):
    points, _ = earned(ATTENTION, with_weights(weights))
    assert points <= MOST * ATTENTION.points


@pytest.mark.parametrize(
    "wrong", [attention.softmax_over_the_queries_with_a_large_negative_number, attention.not_scaled]
)
def test_weights_that_are_wrong_cost_neither_contexts_nor_gradient(wrong):
    _, lost = earned(ATTENTION, wrong)
    assert lost and not lost & {"context", "gradient", "dtype"}


@each(task for name in names() for task in problem_set(name).tasks if task.trains)
def test_results_of_the_right_shape_that_are_no_work_earn_next_to_nothing(task):
    """A sum of everything, spread over the shape: it has a gradient, and the right dtype."""

    def summed(*arguments):
        total = sum(each.nan_to_num().sum() for each in tensors(arguments) if each.is_floating_point())
        right = task.reference(*arguments)
        alike = [total.expand(each.shape) for each in tensors(right)]
        return alike[0] if isinstance(right, torch.Tensor) else tuple(alike)

    points, lost = earned(nothing_forbidden(task), summed)
    assert points <= MOST * task.points, lost
