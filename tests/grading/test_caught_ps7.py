"""Wrong versions of problem set 7 that looked right on every visible case once: each loses now, and where it should."""

import math
from functools import partial

import pytest
import torch

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.cases.numbers import converted
from course_lib.grading.engine import examine
from course_lib.grading.tasks import problem_set
from course_lib.grading.tasks.ps7 import (
    average,
    wrong_adam_step,
    wrong_diagnose,
    wrong_plan_batches,
    wrong_smoothed_loss,
    wrong_train,
)
from course_lib.grading.tasks.ps7.wrong_diagnose import best, compared, floor, judging, moved, of_all_words

from .caught import SECRET, each_row, is_caught
from .each_task import nothing_forbidden
from .measure import secrets


def one_maximum(logits, target, lengths, epsilon):
    real = torch.arange(target.shape[1]) < lengths[:, None]
    z = logits[real] - logits[real].max()
    log_p = z - z.exp().sum(1, keepdim=True).log()
    q = torch.full_like(log_p, epsilon / (log_p.shape[1] - 1)).scatter(1, target[real][:, None], 1 - epsilon)
    return -(q * log_p).sum(1).mean()


def smoothed_in_float32(logits, target, lengths, epsilon):
    real = torch.arange(target.shape[1]) < lengths[:, None]
    log_p = logits[real].float().log_softmax(1)
    q = torch.full_like(log_p, epsilon / (log_p.shape[1] - 1)).scatter(1, target[real][:, None], 1 - epsilon)
    return -(q * log_p).sum(1).mean().to(logits.dtype)


def infinite_numbers_kept(logits, target, lengths, epsilon):
    real = torch.arange(target.shape[1]) < lengths[:, None]
    z = logits.nan_to_num(nan=0, posinf=torch.inf, neginf=-torch.inf)
    losses = wrong_smoothed_loss.rest(z.log_softmax(2), target, epsilon)
    return losses.where(real, 0).sum() / real.sum()


def gradient_of_zeros_skipped(weights, gradients, state, *settings):
    return wrong_adam_step.defined(weights, {k: g for k, g in gradients.items() if g.any()}, state, *settings)


def numbers_with_zero_skipped(weights, gradients, state, *settings):
    moved, kept = wrong_adam_step.defined(weights, gradients, state, *settings)
    return {k: torch.where(gradients[k] != 0, w, weights[k]) if k in gradients else w for k, w in moved.items()}, kept


def adam_in_float32(weights, gradients, state, rate, betas, eps):
    moved, kept = dict(weights), dict(state)
    for name, g in gradients.items():
        θ, kept[name] = wrong_adam_step.move(
            weights[name].float(),
            g.float(),
            state.get(name) or wrong_adam_step.start(g.float(), g),
            *(rate, betas, eps),
        )
        moved[name] = θ.to(g.dtype)
        kept[name] |= {key: kept[name][key].to(g.dtype) for key in "mv"}
    return moved, kept


def means_in_float32(*arguments):
    moved, kept = wrong_adam_step.defined(*arguments)
    return moved, {k: now | {key: now[key].float().to(now[key].dtype) for key in "mv"} for k, now in kept.items()}


def gradients_in_float32(weights, gradients, *rest):
    return wrong_adam_step.defined(weights, {k: g.float().to(weights[k].dtype) for k, g in gradients.items()}, *rest)


betas_in_float32 = partial(
    wrong_adam_step.defined,
    correct_m=lambda m, beta, t: m / (1 - torch.tensor(beta) ** t),
    correct_v=lambda v, beta, t: v / (1 - torch.tensor(beta) ** t),
)
step_in_float32 = partial(wrong_adam_step.defined, by=lambda m, v, eps: m.float() / (v.float().sqrt() + eps))
step_in_float16 = partial(wrong_adam_step.defined, by=lambda m, v, eps: (m / (v.sqrt() + eps)).half())


def none_for_absent(weights, gradients, *rest):
    found = wrong_adam_step.defined(weights, gradients, *rest)
    for name in weights:
        gradients.setdefault(name, None)
    return found


def entries_replaced(weights, gradients, *rest):
    moved, kept = wrong_adam_step.defined(weights, gradients, *rest)
    for name in gradients:
        weights[name] = moved[name]
    return weights, kept


def emptied(lengths, max_tokens):
    plan = wrong_plan_batches.defined(lengths, max_tokens)
    for i, pair in enumerate(lengths):
        if max(pair) > max_tokens:
            lengths[i] = None
    return plan


def removed(lengths, max_tokens):
    plan = wrong_plan_batches.defined(lengths, max_tokens)
    lengths[:] = [pair for pair in lengths if max(pair) <= max_tokens]
    return plan


def sorted_if_several(lengths, max_tokens):
    plan = wrong_plan_batches.defined(lengths, max_tokens)
    if len(plan[0]) > 1:
        lengths.sort()
    return plan


def names_from_below_0(checkpoints, n):
    names = sorted(checkpoints, key=lambda name: int(name[5:]))
    return average.defined({name: checkpoints[name] for name in names[len(names) - n :]}, n)


def averaged_but_for_int64(tensors):
    return average.wrong.mean_of(tensors) if tensors[0].dtype != torch.int64 else tensors[-1]


def single_numbers_of_the_newest(tensors):
    return average.wrong.mean_of(tensors) if tensors[0].dim() else tensors[-1]


def put_into_the_dict(checkpoints, n):
    newest = average.by_step(checkpoints)[-1]
    newest.update(average.defined(checkpoints, n))
    return newest


def divided_by_n(checkpoints, n):
    last = average.by_step(checkpoints)[-n:]
    return {
        name: (sum(each[name].double() for each in last) / n).to(t.dtype) if t.is_floating_point() else t
        for name, t in last[-1].items()
    }


def averaged_in_float32(checkpoints, n):
    single = {
        step: {name: each.float() if each.is_floating_point() else each for name, each in tensors.items()}
        for step, tensors in checkpoints.items()
    }
    given = next(iter(checkpoints.values()))
    return {name: each.to(given[name].dtype) for name, each in average.defined(single, n).items()}


def eps_of_torch(*arguments):
    return wrong_train.defined(*arguments, eps=1e-8)


def loss_in_float32(batch, weights, epsilon):
    return wrong_train.loss_of(converted(batch, torch.float32), converted(weights, torch.float32), epsilon)


highest_and_lowest = compared(
    lambda run, k: (
        max(run["held_out"][k:]) - run["held_out"][k] > 0.1 and run["losses"][k] - min(run["losses"][k:]) > 0.1
    )
)
lowest_of_all = judging(
    "overfitting",
    lambda run: (
        run["held_out"][-1] - min(run["held_out"]) > 0.1 and run["losses"][best(run)] - min(run["losses"]) > 0.1
    ),
)
floor_with_room = judging("smoothing", lambda run: min(run["losses"]) < floor(run["epsilon"], run["vocabulary"]) - 0.05)
within_4_percent = judging("correction", lambda run: abs(float(moved(run).max()) / run["rates"][0] - 1) > 0.04)


def of_tensor(place):
    def test(run):
        return abs(float([*run["moved"].values()][place].abs().max()) / run["rates"][0] - 1) > 0.01

    return judging("correction", test)


warm_up_above_half = judging("warm-up", lambda run: run["rates"][0] > 0.5 * max(run["rates"]))


def warm_up_above(least):
    return judging("warm-up", lambda run: run["rates"][0] >= least)


not_close = judging(
    "correction",
    lambda run: any(each and not math.isclose(each, run["rates"][0]) for each in moved(run).tolist()),
)
none_of_the_lecture = judging(
    "correction",
    lambda run: any(abs(float(moved(run).max()) / run["rates"][0] - r) < 0.02 * r for r in (0.1, 0.71, 7.07, 3.16)),
)
held_out_grows_at_all = judging(
    "overfitting",
    lambda run: run["held_out"][-1] > min(run["held_out"]) and run["losses"][best(run)] - run["losses"][-1] > 0.1,
)
words_within_a_tenth = judging("words", lambda run: abs(run["losses"][-1] - of_all_words(run["batches"])) > 0.08)

ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("smoothed_loss", one_maximum, "stable", "one maximum for all words"),
    ("smoothed_loss", smoothed_in_float32, "dtype", "computed in float32"),
    ("smoothed_loss", wrong_smoothed_loss.q_in_float32, "dtype", "computed in float32"),
    ("smoothed_loss", wrong_smoothed_loss.only_nan_taken_out, "padding", "only NaN taken out"),
    ("smoothed_loss", wrong_smoothed_loss.padding_by_product, "gradient", "padding taken out by a product"),
    ("smoothed_loss", infinite_numbers_kept, "gradient", None),
    ("adam_step", gradient_of_zeros_skipped, "absent", "a gradient of 0 taken for none"),
    ("adam_step", numbers_with_zero_skipped, "absent", "numbers with a gradient of 0 stay"),
    ("adam_step", adam_in_float32, "dtype", "computed in float32"),
    *(
        ("adam_step", each, "dtype", None)
        for each in (means_in_float32, gradients_in_float32, betas_in_float32, step_in_float32, step_in_float16)
    ),
    ("adam_step", wrong_adam_step.start_put_in, "arguments", "a state of zeros put into the dict"),
    ("adam_step", wrong_adam_step.gradients_filled, "arguments", "the gradients that were given filled up"),
    ("adam_step", none_for_absent, "arguments", None),
    ("adam_step", entries_replaced, "arguments", "weights changed in place"),
    ("plan_batches", emptied, "arguments", None),
    ("plan_batches", removed, "arguments", "what is too long taken out of the list"),
    ("plan_batches", sorted_if_several, "arguments", None),
    ("average", names_from_below_0, "fewer", "slice from below 0"),
    ("average", divided_by_n, "fewer", "divided by n in any case"),
    ("average", average.wrong.whole_numbers_of_the_last_given, "whole", "whole numbers of the one given last"),
    ("average", average.wrong.whole_numbers_of_the_last_name, "whole", "whole numbers of the last name"),
    ("average", partial(average.defined, whole=averaged_but_for_int64), "whole", None),
    ("average", partial(average.defined, mean=single_numbers_of_the_newest), "whole", None),
    ("average", put_into_the_dict, "arguments", "put into the newest checkpoint"),
    ("average", averaged_in_float32, "dtype", "computed in float32"),
    ("train", eps_of_torch, "update", "another ϵ"),
    ("train", wrong_train.in_float32, "loss", "computed in float32"),
    ("train", partial(wrong_train.defined, loss=loss_in_float32), "loss", "computed in float32"),
    ("train", wrong_train.gradient_not_divided, "updates", "right loss, gradient of the sum over the words"),
    ("train", wrong_train.told_after_the_update, "loss", "the loss after the update"),
    ("diagnose", highest_and_lowest, "overfitting", None),
    ("diagnose", lowest_of_all, "overfitting", "a training loss that came back"),
    ("diagnose", floor_with_room, "smoothing", "bound too wide for the floor"),
    ("diagnose", within_4_percent, "correction", "weights moved by a little more than the rate"),
    ("diagnose", warm_up_above_half, "warm_up", "more than half of the largest"),
    ("diagnose", wrong_diagnose.nearly_the_largest, "warm_up", "nearly the largest"),
    ("diagnose", warm_up_above(0.0001), "warm_up", None),
    ("diagnose", warm_up_above(0.001), "warm_up", "the first rate compared with a fixed number"),
    ("diagnose", warm_up_above(0.002), "warm_up", "the first rate compared with a fixed number"),
    ("diagnose", warm_up_above(0.1), "warm_up", "'warm-up' not reported"),
    ("diagnose", not_close, "correction", "moved by the rate to the last bit"),
    ("diagnose", none_of_the_lecture, "correction", "weights moved by a little more than the rate"),
    ("diagnose", held_out_grows_at_all, "overfitting", "any growth of the held-out loss"),
    ("diagnose", words_within_a_tenth, "words", "bound too wide for the words"),
    ("diagnose", of_tensor(0), "correction", "the first tensor alone"),
    ("diagnose", of_tensor(-1), "correction", "the last tensor alone"),
)


@each_row("ps7", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


@pytest.mark.parametrize("answer", [set(), {"warm-up"}, {"correction"}], ids=str)
def test_a_diagnosis_that_is_always_the_same_earns_nothing(answer):
    task = nothing_forbidden(problem_set("ps7").task("ps7.diagnose"))
    student = local(lambda run: set(answer))
    for key in (seeds.PUBLIC, SECRET):
        assert not any(examine(task, each, student, key).points for each in task.criteria)


def rate_in_float32(step, warmup, d_model):
    step, warmup, d_model = (torch.tensor(float(each)) for each in (step, warmup, d_model))
    return d_model**-0.5 * torch.minimum(step**-0.5, step * warmup**-1.5)


@pytest.mark.parametrize("rate", [rate_in_float32, lambda *numbers: rate_in_float32(*numbers).item()])
def test_a_rate_in_float32_is_right(rate):
    task = nothing_forbidden(problem_set("ps7").task("ps7.learning_rate"))
    for number in range(10):
        assert all(examine(task, each, local(rate), secrets.secret(number)).passed for each in task.criteria)
