"""Mistakes as students write them, in other operations than the course's own wrong versions, get their names."""

import pytest
import torch
from torch.nn.functional import linear

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.diagnosis import explanations
from course_lib.grading.registry import problem_set
from course_lib.grading.trial import attempt
from tests.problem_sets.ps3.functional import forced_scores


def exchanged_by_einsum(s, h, coverage, weights):
    keys = torch.einsum("bjk,rk->bjr", h, weights["W_2"])
    query = torch.einsum("bq,rq->br", s, weights["W_1"])
    return torch.einsum(
        "bjr,r->bj", torch.tanh(keys + query[:, None] + coverage[..., None] * weights["w"]), weights["v"]
    )


def exchanged_by_linear(s, h, coverage, weights):
    sums = linear(s, weights["W_1"])[:, None] + linear(h, weights["W_2"])
    return torch.tanh(sums + torch.einsum("bj,r->bjr", coverage, weights["w"])) @ weights["v"]


def letters_swapped(s, h, U, V):
    return torch.einsum("biq,qr,kr,bjk->bij", s, U, V, h)


def one_letter_for_both(s, h, U, V):
    return torch.einsum("biq,rq,rk,bik->bi", s, U, V, h)


def other_way_round(s, h, U, V):
    return torch.einsum("biq,rq,rk,bjk->bij", s, V, U, h)


def over_rows_with_infinity(e, mask):
    odds = torch.exp(torch.where(mask[:, None], e, -torch.inf))
    return odds / torch.sum(odds, 1)[:, None]


def over_columns_with_infinity(e, mask):
    e = torch.where(mask[:, None], e, -torch.inf)
    return torch.exp(e - torch.logsumexp(e, 1)[:, None])


def training_step(pairs, weights, bos, eos, rate, max_norm, backwards=1, asks=False, emptied=False, late=False):
    """Loss, norm and new weights of a student who writes a loop, with a mistake where one is asked for."""
    own = weights if asks else {p: {n: w.clone() for n, w in part.items()} for p, part in weights.items()}
    flat = [w.requires_grad_() for part in own.values() for w in part.values()]
    words = sum(len(y) + 1 for _, y in pairs)
    for _ in range(backwards):
        loss = -forced_scores(pairs, own, bos, eos)[1].sum() / words
        loss.backward()
    if emptied:
        torch._foreach_zero_([w.grad for w in flat])
    norm = torch.stack([w.grad.norm() for w in flat]).norm()
    factor = 1.0 if late else min(1.0, max_norm / max(norm, 1e-9))
    updated = {p: {n: (w - rate * factor * w.grad).detach() for n, w in part.items()} for p, part in own.items()}
    return loss, norm, updated


def with_mistake(**made):
    return lambda *arguments: training_step(*arguments, **made)


ROWS = (
    ("ps4.additive_score", exchanged_by_einsum, "W_1 and W_2 exchanged"),
    ("ps4.additive_score", exchanged_by_linear, "W_1 and W_2 exchanged"),
    ("ps4.multiplicative_score", letters_swapped, "matrices turned"),
    ("ps4.multiplicative_score", one_letter_for_both, "each state with one only"),
    ("ps4.multiplicative_score", other_way_round, "U and V exchanged"),
    ("ps4.masked_softmax", over_rows_with_infinity, "minus infinity and exp over the steps of the decoder"),
    ("ps4.masked_softmax", over_columns_with_infinity, "minus infinity and softmax over the steps of the decoder"),
    ("ps3.training_step", with_mistake(backwards=2), "gradient counted twice"),
    ("ps3.training_step", with_mistake(emptied=True), "gradient set to 0"),
    ("ps3.training_step", with_mistake(late=True), "not clipped"),
    ("ps3.training_step", with_mistake(asks=True), "given weights that ask for gradients and hold them"),
    ("ps3.training_step", with_mistake(), None),
)


@pytest.mark.parametrize(("name", "function", "mistake"), ROWS, ids=[f"{name}-{mistake}" for name, _, mistake in ROWS])
def test_a_mistake_in_the_students_own_operations_is_named(name, function, mistake):
    task = problem_set(name.partition(".")[0]).task(name)
    student = local(function)
    trials = [attempt(task, criterion, student, seeds.PUBLIC, visible=True) for criterion in task.criteria]
    assert any(trial.failed for trial in trials) is (mistake is not None)
    assert mistake is None or mistake in [each.name for each in explanations(task, trials, seeds.PUBLIC, visible=True)]
