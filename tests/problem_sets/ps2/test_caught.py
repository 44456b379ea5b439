"""Wrong versions of problem set 2 that looked right, or earned points as stubs: each loses now, and where it should."""

import pytest
import torch

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.engine import examine
from course_lib.grading.registry import problem_set
from course_lib.problem_sets.ps2 import diagnose, gru_cell, lstm_cell, residual_stack, run_layer
from tests.grading.caught import SECRET, each_row, is_caught
from tests.grading.each_task import group


def read(x, lengths, weights, recurrent=True):
    h, outputs = x.new_zeros(len(x), len(weights["b_h"])), []
    for t in range(x.shape[1]):
        real = (t < lengths)[:, None]
        u = x[:, t] @ weights["W_xh"] + weights["b_h"] + (h @ weights["W_hh"] if recurrent else 0)
        h = torch.where(real, u / (1 + u.abs()), h)
        outputs.append(torch.where(real, h, torch.zeros_like(h)))
    return torch.stack(outputs, 1), h


def padding_times_0(x, lengths, weights):
    return read(x * (torch.arange(x.shape[1]) < lengths[:, None])[..., None], lengths, weights)


def state_0_at_padding(x, lengths, weights):
    outputs, _ = run_layer.defined(x, lengths, weights)
    return outputs, outputs[:, -1]


def nan_to_num(x, lengths, weights):
    return read(torch.nan_to_num(x), lengths, weights)


def without_recurrence(x, lengths, weights):
    real = torch.arange(x.shape[1])[None] < lengths[:, None]
    return read(torch.where(real[:, :, None], x, torch.zeros_like(x)), lengths, weights, recurrent=False)


def told_by_zeros(x, lengths, weights):
    """A vector of zeros taken for padding."""
    words = (x.nan_to_num() != 0).any(2).sum(1).clamp(min=1)
    return read(
        torch.where((torch.arange(x.shape[1]) < lengths[:, None])[..., None], x, 0), lengths.minimum(words), weights
    )


def sorted_twice(descending):
    """The order that sorts the sentences is taken for the way back, too."""

    def run(x, lengths, weights):
        order = lengths.argsort(descending=descending)
        return tuple(each[order] for each in run_layer.defined(x[order], lengths[order], weights))

    return run


def padding_written(x, lengths, weights):
    with torch.no_grad():
        for b, n in enumerate(lengths.tolist()):
            x[b, n:] = 0
    return read(x, lengths, weights)


def no_layer(x, lengths, weights):
    return x.new_zeros(*x.shape[:2], weights["b_h"].shape[0]), x.new_zeros(x.shape[0], weights["b_h"].shape[0])


def old_memory_overwritten(x, h, c, weights):
    values = lstm_cell.defined(x, h, c, weights)
    with torch.no_grad():
        c.copy_(values[4])
    return values


def old_state_overwritten(x, h, weights):
    values = gru_cell.defined(x, h, weights)
    h.data.mul_(0).add_(values[-1].data)
    return values


def with_test(**instead):
    return lambda *runs: diagnose.defined(*runs, **instead)


def overwritten(alone, changed, batch):
    faults = diagnose.defined(alone, changed, batch)
    batch["outputs"].zero_()
    alone.clear()
    return faults


def off(one, other):
    return bool((one - other).abs().max() > 1e-4) if one.numel() else False


def rows_0_and_2(alone, changed, batch):
    return any(off(batch["final"][b], batch["outputs"][b, int(batch["lengths"][b]) - 1]) for b in (0, 2))


def last_column(alone, changed, batch):
    padded = batch["lengths"] < batch["outputs"].shape[1]
    return off(batch["outputs"][padded, -1], torch.zeros_like(batch["outputs"][padded, -1]))


def just_behind_the_end(alone, changed, batch):
    rows = zip(batch["outputs"], batch["lengths"].tolist(), strict=True)
    return any(off(row[n : n + 1], torch.zeros_like(row[n : n + 1])) for row, n in rows)


def sum_is_not_0(alone, changed, batch):
    rows = zip(batch["outputs"], batch["lengths"].tolist(), strict=True)
    return any(float(row[n:].sum().abs()) > 1e-4 for row, n in rows)


def padded_rows(alone, changed, batch):
    rows = zip(batch["outputs"], batch["lengths"].tolist(), batch["final"], strict=True)
    return any(off(end, row[n - 1]) for row, n, end in rows if n < len(row))


def token_0(alone, changed, batch):
    return off(alone["outputs"][0, 0], batch["outputs"][1, 0])


def every_token(alone, changed, batch):
    rows = zip(alone["outputs"][0], batch["outputs"][1], strict=False)
    return all(off(one, other) for one, other in rows)


def sums(alone, changed, batch):
    n = alone["outputs"].shape[1]
    return abs(float(alone["outputs"].sum() - batch["outputs"][1, :n].sum())) > 1e-6


def above_a_twentieth(alone, changed, batch):
    rows = zip(batch["outputs"], batch["lengths"].tolist(), strict=True)
    return any(bool((row[n:].abs() > 0.05).any()) for row, n in rows)


def mean_difference(alone, changed, batch):
    n = alone["outputs"].shape[1]
    return float((alone["outputs"][0] - batch["outputs"][1, :n]).abs().mean()) > 0.01


def number_0(alone, changed, batch):
    rows = zip(batch["outputs"], batch["lengths"].tolist(), batch["final"], strict=True)
    return any(abs(float(end[0] - row[n - 1, 0])) > 1e-6 for row, n, end in rows)


def no_leak_without_memory(*runs):
    found = diagnose.defined(*runs)
    return found - {"leak"} if "memory" in found else found


def of_one_row(test, place):
    """The test of the row at that place among those in order of length."""

    def tested(alone, changed, batch):
        row = batch["lengths"].argsort()[place : place + 1]
        return test(alone, changed, {name: value[row] for name, value in batch.items()})

    return tested


def final_stays(alone, changed, batch):
    return not off(alone["final"], changed["final"])


def any_number(alone, changed, batch):
    return bool(((alone["outputs"] - changed["outputs"])[0, 1:].abs() < 1e-4).any())


def finals_squeezed(x, lengths, layers):
    outputs, finals = residual_stack.defined(x, lengths, layers)
    return outputs, finals.squeeze(0)


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("run_layer", nan_to_num, "gradient", "numbers in place of nan and inf"),
    ("run_layer", padding_times_0, "gradient", "padding within the product"),
    ("run_layer", state_0_at_padding, "final", "final state from the last column of the outputs"),
    ("run_layer", without_recurrence, "carry", "state not carried"),
    ("run_layer", told_by_zeros, "together", None),
    ("run_layer", sorted_twice(descending=True), "together", "sentences sorted twice"),
    ("run_layer", sorted_twice(descending=False), "together", None),
    ("run_layer", padding_written, "gradient", "padding of x set to 0 in place"),
    ("run_layer", no_layer, "one", "nothing but zeros"),
    ("lstm_cell", lambda x, h, c, weights: (torch.zeros_like(h),) * 6, "gates", "nothing but zeros"),
    ("lstm_cell", lambda x, h, c, weights: lstm_cell.defined(x, h, c.detach(), weights), "gradient", "c cut off"),
    ("lstm_cell", old_memory_overwritten, "gradient", "c overwritten"),
    ("gru_cell", lambda x, h, weights: gru_cell.defined(x, h.detach(), weights), "gradient", "h cut off"),
    ("gru_cell", old_state_overwritten, "gradient", "h overwritten"),
    ("gru_cell", lambda x, h, weights: (h, h, h, h), "gates", "h given back"),
    ("residual_stack", finals_squeezed, "final", None),
    ("diagnose", overwritten, "arguments", None),
    ("diagnose", with_test(final=rows_0_and_2), "final", "the final state of the second sentence not looked at"),
    (
        *("diagnose", with_test(padding=of_one_row(diagnose.padding, 0))),
        *("padding", "padding of the shortest sentence"),
    ),
    ("diagnose", with_test(padding=of_one_row(diagnose.padding, 1)), "padding", None),
    (
        *("diagnose", with_test(final=of_one_row(diagnose.final, 0))),
        *("final", "final state of the shortest sentence"),
    ),
    ("diagnose", with_test(padding=last_column), "padding", "only the padding of the last column looked at"),
    (
        "diagnose",
        with_test(padding=just_behind_the_end),
        "padding",
        "only the first padding of each sentence looked at",
    ),
    ("diagnose", with_test(padding=sum_is_not_0), "padding", "padding added up"),
    (
        "diagnose",
        with_test(final=padded_rows),
        "final",
        "only the final states of padded sentences looked at",
    ),
    ("diagnose", with_test(leak=token_0), "leak", "a leak behind the first token missed"),
    ("diagnose", with_test(leak=every_token), "leak", "a leak behind the first token missed"),
    ("diagnose", with_test(padding=above_a_twentieth), "padding", "padding on average"),
    ("diagnose", with_test(leak=mean_difference), "leak", "leak on average"),
    ("diagnose", with_test(leak=sums), "leak", "leak of the first unit"),
    ("diagnose", with_test(final=number_0), "final", "final state of the first unit"),
    ("diagnose", no_leak_without_memory, "several", None),
    ("diagnose", with_test(memory=final_stays), "several", "final states compared"),
    ("diagnose", with_test(memory=any_number), "memory", "one number that stays is enough"),
)


@each_row("ps2", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


def constant_zeros(x, h, c, weights):
    """Zeros that a gradient passes through."""
    return ((h + c) * 0,) * 6


STUBS = (
    ("lstm_cell", lambda x, h, c, weights: (torch.zeros_like(h),) * 6),
    ("lstm_cell", lambda x, h, c, weights: (h, h, h, c, c, h)),
    ("lstm_cell", constant_zeros),
    ("gru_cell", lambda x, h, weights: (h, h, h, h)),
    ("run_layer", no_layer),
)


@pytest.mark.parametrize(
    ("task", "function"),
    [
        pytest.param(task, function, marks=group(task), id=f"{task.name}-{i}")
        for i, (name, function) in enumerate(STUBS)
        for task in [problem_set("ps2").task(f"ps2.{name}")]
    ],
)
def test_a_stub_earns_nothing_for_its_gradient_or_dtype(task, function):
    student = local(function)
    for key in (seeds.PUBLIC, SECRET):
        assert not any(examine(task, each, student, key).points for each in task.criteria)
