"""Wrong versions of problem set 7 that looked right on every visible case once: each loses now, and where it should."""

from functools import partial

import pytest
import torch

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.cases.numbers import converted
from course_lib.grading.engine import examine
from course_lib.grading.registry import problem_set
from course_lib.problem_sets.ps7 import (
    adam_step,
    average,
    diagnose,
    learning_rate,
    plan_batches,
    runs,
    signs,
    smoothed_loss,
    train,
)
from course_lib.problem_sets.ps7.runs import floor, of_all_words
from course_lib.problem_sets.ps7.signs import against, below, changed, fallen, grown, off
from tests.grading.caught import SECRET, each_row, is_caught, ours
from tests.grading.each_task import nothing_forbidden
from tests.grading.measure import secrets


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
    losses = smoothed_loss.smoothed(z.log_softmax(2), target, 1 - epsilon, epsilon / (z.shape[2] - 1))
    return losses.where(real, 0).sum() / real.sum()


def epsilon_at_most(most):
    return lambda logits, target, lengths, epsilon: smoothed_loss.defined(logits, target, lengths, min(epsilon, most))


def log_p_at_least(least):
    def clamped(logits, target, lengths, epsilon):
        return smoothed_loss.defined(logits.log_softmax(2).clamp(min=least), target, lengths, epsilon)

    return clamped


def gradient_of_zeros_skipped(weights, gradients, state, *settings):
    return adam_step.defined(weights, {k: g for k, g in gradients.items() if g.any()}, state, *settings)


def first_gradient_of_zeros_skipped(weights, gradients, state, *settings):
    kept = {k: g for k, g in gradients.items() if g.any() or k in state}
    return adam_step.defined(weights, kept, state, *settings)


def not_corrected_from(last):
    """No correction from step `last` on."""

    def correct(each, beta, t):
        return adam_step.corrected(each, beta, t) if t < last else each

    return partial(adam_step.defined, correct=correct)


def gradients_clipped_to(norm):
    def clipped(weights, gradients, *rest):
        length = sum(float((g**2).sum()) for g in gradients.values()) ** 0.5
        return adam_step.defined(weights, {k: g * min(1, norm / length) for k, g in gradients.items()}, *rest)

    return clipped


def numbers_with_zero_skipped(weights, gradients, state, *settings):
    moved, kept = adam_step.defined(weights, gradients, state, *settings)
    return {k: torch.where(gradients[k] != 0, w, weights[k]) if k in gradients else w for k, w in moved.items()}, kept


def adam_in_float32(weights, gradients, state, rate, betas, eps):
    moved, kept = dict(weights), dict(state)
    for name, g in gradients.items():
        θ, kept[name] = adam_step.move(
            weights[name].float(),
            g.float(),
            state.get(name) or adam_step.start(g.float(), g),
            *(rate, betas, eps),
        )
        moved[name] = θ.to(g.dtype)
        kept[name] |= {key: kept[name][key].to(g.dtype) for key in "mv"}
    return moved, kept


def means_in_float32(*arguments):
    moved, kept = adam_step.defined(*arguments)
    return moved, {k: now | {key: now[key].float().to(now[key].dtype) for key in "mv"} for k, now in kept.items()}


def gradients_in_float32(weights, gradients, *rest):
    return adam_step.defined(weights, {k: g.float().to(weights[k].dtype) for k, g in gradients.items()}, *rest)


betas_in_float32 = partial(adam_step.defined, correct=lambda each, beta, t: each / (1 - torch.tensor(beta) ** t))
step_in_float32 = partial(adam_step.defined, by=lambda m, v, eps: m.float() / (v.float().sqrt() + eps))
step_in_float16 = partial(adam_step.defined, by=lambda m, v, eps: (m / (v.sqrt() + eps)).half())


def none_for_absent(weights, gradients, *rest):
    found = adam_step.defined(weights, gradients, *rest)
    for name in weights:
        gradients.setdefault(name, None)
    return found


def entries_replaced(weights, gradients, *rest):
    moved, kept = adam_step.defined(weights, gradients, *rest)
    for name in gradients:
        weights[name] = moved[name]
    return weights, kept


def emptied(lengths, max_tokens):
    plan = plan_batches.defined(lengths, max_tokens)
    for i, pair in enumerate(lengths):
        if max(pair) > max_tokens:
            lengths[i] = None
    return plan


def removed(lengths, max_tokens):
    plan = plan_batches.defined(lengths, max_tokens)
    lengths[:] = [pair for pair in lengths if max(pair) <= max_tokens]
    return plan


def sorted_if_several(lengths, max_tokens):
    plan = plan_batches.defined(lengths, max_tokens)
    if len(plan[0]) > 1:
        lengths.sort()
    return plan


def names_from_below_0(checkpoints, n):
    names = sorted(checkpoints, key=lambda name: int(name[5:]))
    return average.defined({name: checkpoints[name] for name in names[len(names) - n :]}, n)


def averaged_but_for_int64(tensors):
    return average.mean_of(tensors) if tensors[0].dtype != torch.int64 else tensors[-1]


def single_numbers_of_the_newest(tensors):
    return average.mean_of(tensors) if tensors[0].dim() else tensors[-1]


def places_without_all_tokens(lengths, max_tokens):
    batches, _ = plan_batches.defined(lengths, max_tokens)
    sizes = [[[lengths[i][side] for i in batch] for batch in batches] for side in (0, 1)]
    places = sum(len(each) * max(each) for side in sizes for each in side)
    return batches, places - sum(source + target for source, target in lengths)


def within_batches_reversed(lengths, max_tokens):
    batches, padding = plan_batches.defined(lengths, max_tokens)
    return [batch[::-1] for batch in batches], padding


def clipped_to(norm):
    """Gradients clipped to this norm, all together."""

    def clip(gradients):
        length = sum((g**2).sum() for g in gradients.values()) ** 0.5
        return {name: g * min(1.0, norm / float(length)) for name, g in gradients.items()}

    return partial(train.defined, change=clip)


def loss_with_a_dimension(logits, target, lengths, epsilon):
    return smoothed_loss.defined(logits, target, lengths, epsilon)[None]


def averaged_but_for_float64(tensors):
    return average.mean_of(tensors) if tensors[0].dtype != torch.float64 else tensors[-1]


def at_least_two(checkpoints, n):
    return average.defined(checkpoints, max(n, 2))


def one_as_given(checkpoints, n):
    return dict([*checkpoints.values()][-1]) if n == 1 else average.defined(checkpoints, n)


def at_most_three(checkpoints, n):
    return average.defined(checkpoints, min(n, 3))


def cut_off_at(limit):
    def mean(tensors):
        return torch.stack([each.double().clip(-limit, limit) for each in tensors]).mean(0).to(tensors[0].dtype)

    return partial(average.defined, mean=mean)


def cut_off_mean(tensors):
    """Not the weights, but their mean is cut off, in float16 alone, and below its largest."""
    mean = average.mean_of(tensors)
    return mean.clamp(-6e4, 6e4) if mean.dtype == torch.float16 else mean


def put_into_the_dict(checkpoints, n):
    newest = average.by_step(checkpoints)[-1]
    newest.update(average.defined(checkpoints, n))
    return newest


def shallow_copy_added_to(place):
    """A copy of the dict of the checkpoint at this place, not of its tensors, and the others added in place."""

    def averaged(checkpoints, n):
        last = average.by_step(checkpoints)[-n:]
        out = last.pop(place).copy()
        for tensors in last:
            for name, each in tensors.items():
                if each.is_floating_point():
                    out[name] += each
        for name, each in average.by_step(checkpoints)[-1].items():
            out[name] = out[name].div_(len(last) + 1) if each.is_floating_point() else each
        return out

    return averaged


def shares_added_to_the_oldest(checkpoints, n):
    """Each divided before it is added, in the tensors of the oldest."""
    oldest, *others = average.by_step(checkpoints)[-n:]
    out = dict(oldest)
    for name, each in out.items():
        if each.is_floating_point():
            each.div_(len(others) + 1)
            for other in others:
                each.add_(other[name] / (len(others) + 1))
    return average.whole_from([oldest, *others][-1], out)


def divided_by_n(checkpoints, n):
    last = average.by_step(checkpoints)[-n:]
    return {
        name: (sum(each[name].double() for each in last) / n).to(t.dtype) if t.is_floating_point() else t
        for name, t in last[-1].items()
    }


def added_to_the_newest(checkpoints, n):
    """double() makes no new tensor of what is a float64."""
    *older, newest = average.by_step(checkpoints)[-n:]
    out = {name: each.double() if each.is_floating_point() else each.clone() for name, each in newest.items()}
    for tensors in older:
        for name, each in tensors.items():
            if each.is_floating_point():
                out[name] += each
    count = len(older) + 1
    return {name: (out[name] / count).to(t.dtype) if t.is_floating_point() else out[name] for name, t in newest.items()}


def mean_that_runs(tensors):
    """m_k = m_{k−1} + (θ_k − m_{k−1}) / k, in the dtype that is given."""
    mean = tensors[0]
    for k, each in enumerate(tensors[1:], start=2):
        mean = mean + (each - mean) / k
    return mean


def averaged_in_float32(checkpoints, n):
    single = {
        step: {name: each.float() if each.is_floating_point() else each for name, each in tensors.items()}
        for step, tensors in checkpoints.items()
    }
    given = next(iter(checkpoints.values()))
    return {name: each.to(given[name].dtype) for name, each in average.defined(single, n).items()}


def eps_of_torch(*arguments):
    return train.defined(*arguments, eps=1e-8)


def by_first_batch(batches, weights, accumulate, epsilon, warmup):
    """The rate of the batch with which an update begins."""
    rate = lambda step, warmup, weights: train.rate_of(1 + (step - 1) * accumulate, warmup, weights)  # noqa: E731
    return train.defined(batches, weights, accumulate, epsilon, warmup, rate=rate)


def highest_since(losses, k):
    return max(losses[k:]) - losses[-1] > 0.1


def with_monotone(name, sign):
    """Overfitting where the losses of this name go one way from the lowest held-out loss on."""

    def one_way(run):
        each = run[name][run["held_out"].index(min(run["held_out"])) :]
        return all(sign * (after - before) > 0 for before, after in zip(each, each[1:], strict=False))

    return lambda run: diagnose.defined(run) - ({"overfitting"} if not one_way(run) else set())


def rise_from_0(step, warmup, d_model):
    rise = (step - 1) * warmup**-1.5
    return d_model**-0.5 * (rise if step <= warmup else step**-0.5)


def loss_in_float32(batch, weights, epsilon):
    return train.loss_of(converted(batch, torch.float32), converted(weights, torch.float32), epsilon)


def correction_by(bound):
    """A step that is off by more than `bound`, whatever the rate is."""
    return partial(diagnose.defined, correction=lambda run: abs(runs.farthest(run) - run["rates"][0]) > bound)


def of_numbers(choose):
    """Some numbers of `moved` alone, which are to be there."""
    return partial(diagnose.defined, correction=lambda run: any(off(run, each, by=0.01) for each in choose(run)))


def above_0(run):
    m = torch.cat([each.flatten() for each in run["moved"].values()])
    return m[m > 0].tolist()


def of_two(run):
    return [abs(each) for m in [*run["moved"].values()][:2] for each in m[m != 0].tolist()]


def relative_correction(bound):
    return partial(diagnose.defined, correction=lambda run: off(run, runs.farthest(run), by=bound))


def words_by(bound):
    return partial(diagnose.defined, words=against(of_all_words, by=bound))


def floor_with_room(bound, limit=floor, losses=lambda run: run["losses"]):
    return partial(diagnose.defined, smoothing=below(lambda *of: limit(*of) - bound, losses))


def warm_up_unless(larger):
    """No rate is larger than the first, by some test of "larger"."""
    return partial(
        diagnose.defined, warm_up=lambda run: not any(larger(each, run["rates"][0]) for each in run["rates"][1:])
    )


def correction_with_signs(run):
    """Whether a number that is not 0 is not the rate, with a tolerance of 1 %."""
    return any(off(run, each, by=0.01) for each in signs.numbers(run) if each)


def sorted_list(run):
    return sorted(diagnose.defined(run))


def four_characters(checkpoints, n):
    """The step taken from the last four characters of a name."""
    names = sorted(checkpoints, key=lambda name: int(name[-4:].strip("_step")))
    return average.defined(checkpoints, n, order=lambda given: [given[name] for name in names])


def gradient_clamped(logits, *rest):
    """The gradient of the logits is kept between −0.1 and 0.1 on its way back."""
    given = logits.clone()
    if given.requires_grad:
        given.register_hook(lambda g: g.clamp(-0.1, 0.1))
    return smoothed_loss.defined(given, *rest)


def constant_after(last):
    return lambda step, warmup, d_model: learning_rate.defined(min(step, max(last, warmup)), warmup, d_model)


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("smoothed_loss", one_maximum, "stable", "one maximum for all words"),
    *(("smoothed_loss", epsilon_at_most(most), "mean", None) for most in (0.3, 0.5)),
    ("smoothed_loss", log_p_at_least(-1000), "stable", None),
    ("smoothed_loss", smoothed_in_float32, "dtype", "computed in float32"),
    ("smoothed_loss", smoothed_loss.q_in_float32, "dtype", "computed in float32"),
    ("smoothed_loss", smoothed_loss.only_NaN_taken_out, "padding", "only NaN taken out"),
    ("smoothed_loss", smoothed_loss.padding_taken_out_by_a_product, "gradient", "padding taken out by a product"),
    ("smoothed_loss", gradient_clamped, "gradient", None),
    ("smoothed_loss", infinite_numbers_kept, "gradient", None),
    ("adam_step", gradient_of_zeros_skipped, "absent", "a gradient of 0 taken for none"),
    ("adam_step", first_gradient_of_zeros_skipped, "absent", "a first gradient of 0 taken for none"),
    *(("adam_step", each, "later", None) for each in (not_corrected_from(10), gradients_clipped_to(5))),
    ("adam_step", adam_step.the_larger_of_the_root_and_epsilon, "eps", "the larger of the root and epsilon"),
    ("adam_step", adam_step.a_state_of_all_in_the_first_step, "absent", "a state of all in the first step"),
    ("adam_step", numbers_with_zero_skipped, "absent", "numbers with a gradient of 0 stay"),
    ("adam_step", adam_in_float32, "dtype", "computed in float32"),
    *(
        ("adam_step", each, "dtype", None)
        for each in (means_in_float32, gradients_in_float32, betas_in_float32, step_in_float32, step_in_float16)
    ),
    ("adam_step", adam_step.a_state_of_zeros_put_into_the_dict, "arguments", "a state of zeros put into the dict"),
    (
        "adam_step",
        adam_step.the_gradients_that_were_given_filled_up,
        "arguments",
        "the gradients that were given filled up",
    ),
    ("adam_step", none_for_absent, "arguments", None),
    ("adam_step", entries_replaced, "arguments", "weights changed in place"),
    ("smoothed_loss", loss_with_a_dimension, "gradient", "a tensor with a dimension"),
    ("smoothed_loss", smoothed_loss.a_float, "gradient", "a float"),
    ("plan_batches", plan_batches.ties_by_the_target_alone, "ties", "ties by the target alone"),
    ("plan_batches", plan_batches.ties_by_the_shorter_side, "ties", "ties by the shorter side"),
    (
        "plan_batches",
        partial(plan_batches.defined, key=lambda s, t, i: (max(s, t), s + t, i)),
        "ties",
        "ties by the shorter side",
    ),
    ("plan_batches", partial(plan_batches.defined, key=lambda s, t, i: (max(s, t), t, -s, i)), "ties", None),
    ("plan_batches", places_without_all_tokens, "padding", "tokens of all pairs"),
    ("plan_batches", plan_batches.places_of_all_pairs, "padding", "places of all pairs"),
    ("plan_batches", plan_batches.padding_first, "padding", "padding first"),
    ("plan_batches", plan_batches.padding_of_each_batch, "padding", "padding of each batch"),
    ("plan_batches", plan_batches.batches_alone, "padding", "batches alone"),
    ("plan_batches", plan_batches.batches_in_reverse, "order", "batches in reverse"),
    ("plan_batches", within_batches_reversed, "order", None),
    ("plan_batches", emptied, "arguments", None),
    ("plan_batches", removed, "arguments", "what is too long taken out of the list"),
    ("plan_batches", sorted_if_several, "arguments", None),
    ("average", average.steps_near_the_newest, "last", "steps near the newest"),
    ("average", names_from_below_0, "fewer", "slice from below 0"),
    ("average", shallow_copy_added_to(0), "arguments", "mean in the oldest checkpoint"),
    ("average", shallow_copy_added_to(-1), "arguments", "mean in the newest checkpoint"),
    ("average", shares_added_to_the_oldest, "arguments", "put into the oldest checkpoint"),
    ("average", divided_by_n, "fewer", "divided by n in any case"),
    ("average", average.whole_numbers_of_the_one_given_last, "whole", "whole numbers of the one given last"),
    ("average", average.whole_numbers_of_the_last_name, "whole", "whole numbers of the last name"),
    ("average", partial(average.defined, whole=averaged_but_for_int64), "whole", None),
    ("average", partial(average.defined, mean=single_numbers_of_the_newest), "whole", None),
    ("average", partial(average.defined, mean=averaged_but_for_float64), "mean", None),
    *(("average", each, "last", None) for each in (at_least_two, one_as_given, at_most_three)),
    ("average", cut_off_at(6e4), "precision", "cut off at 60000"),
    ("average", cut_off_at(65504), "precision", "cut off at 65504"),
    ("average", partial(average.defined, mean=cut_off_mean), "precision", None),
    ("average", put_into_the_dict, "arguments", "put into the newest checkpoint"),
    ("average", averaged_in_float32, "dtype", "computed in float32"),
    ("average", added_to_the_newest, "arguments", None),
    ("average", partial(average.defined, mean=mean_that_runs), "precision", None),
    *(("diagnose", correction_by(bound), "correction", "an absolute bound for the step") for bound in (1e-6, 1e-5)),
    ("diagnose", of_numbers(above_0), "correction", "only weights that went up"),
    ("diagnose", of_numbers(of_two), "correction", "what moved in the first two tensors alone"),
    ("diagnose", diagnose.what_moved_in_the_first_tensor_alone, "correction", "what moved in the first tensor alone"),
    ("diagnose", diagnose.what_moved_in_the_last_tensor_alone, "correction", "what moved in the last tensor alone"),
    ("diagnose", relative_correction(0.03), "correction", "weights moved by nearly the rate"),
    *(("diagnose", words_by(bound), "words", "bound too wide for the words") for bound in (0.015, 0.02, 0.1)),
    ("average", four_characters, "last", None),
    *(
        ("diagnose", warm_up_unless(lambda rate, first, by=by: rate > first + by), "warm_up", name)
        for by, name in ((by, "an absolute bound for the rates") for by in (1e-8, 1e-6, 1e-5))
    ),
    (
        "diagnose",
        partial(diagnose.defined, warm_up=lambda run: max(run["rates"][:3]) <= run["rates"][0]),
        "warm_up",
        None,
    ),
    ("diagnose", partial(diagnose.defined, correction=correction_with_signs), "correction", "signs kept"),
    (
        "diagnose",
        diagnose.the_largest_number_without_abs,
        "correction",
        "the largest number without abs",
    ),
    *(
        ("diagnose", floor_with_room(0.005, limit), "smoothing", name)
        for limit, name in (
            (signs.one_probability, "the floor of one probability"),
            (signs.one_other_word, "the floor of one other word"),
        )
    ),
    (
        "diagnose",
        floor_with_room(0.005, losses=lambda run: [signs.mean_loss(run)]),
        "smoothing",
        "the mean of the losses",
    ),
    (
        "diagnose",
        partial(diagnose.defined, words=against(signs.mean_of_means, by=0.005)),
        "words",
        "mean of batch means",
    ),
    ("diagnose", diagnose.signs_taken_away_in_place, "arguments", "signs taken away in place"),
    *(("diagnose", floor_with_room(bound), "smoothing", "bound too wide for the floor") for bound in (0.02, 0.05)),
    ("diagnose", partial(diagnose.defined, overfitting=changed(grown(0.12), fallen(0.12))), "overfitting", None),
    ("diagnose", diagnose.since_the_first_rise, "overfitting", "since the first rise"),
    (
        "diagnose",
        partial(diagnose.defined, overfitting=changed(losses=highest_since)),
        "overfitting",
        "the training loss since its highest",
    ),
    ("diagnose", diagnose.the_floor_of_the_other_words, "smoothing", "the floor of the other words"),
    ("diagnose", with_monotone("held_out", 1), "overfitting", "held out losses that always grow"),
    ("diagnose", with_monotone("losses", -1), "overfitting", "training losses that always fall"),
    ("train", clipped_to(1.0), "updates", "gradients clipped"),
    ("train", clipped_to(1.0), "rest", "gradients clipped"),
    ("train", eps_of_torch, "update", "another epsilon"),
    (
        "train",
        partial(train.defined, count=lambda batch: int((batch[0].abs().sum(-1) > 0).sum())),
        "words",
        "weighed by words whose x is not 0",
    ),
    ("train", by_first_batch, "updates", "the first batch of each update counted"),
    ("learning_rate", constant_after(100_000), "fall", None),
    ("learning_rate", rise_from_0, "rise", "counted from 0 in the warm up"),
    ("train", train.computed_in_float32, "loss", "computed in float32"),
    ("train", partial(train.defined, loss=loss_in_float32), "loss", "computed in float32"),
    (
        "train",
        train.right_loss_but_gradient_of_the_sum_over_the_words,
        "updates",
        "right loss but gradient of the sum over the words",
    ),
    ("train", train.the_loss_after_the_update, "loss", "the loss after the update"),
    (
        "diagnose",
        partial(diagnose.defined, warm_up=lambda run: max(run["rates"][1], run["rates"][-1]) <= run["rates"][0]),
        "warm_up",
        None,
    ),
    ("diagnose", diagnose.the_loss_of_the_first_batch, "words", "the loss of the first batch"),
)


@each_row("ps7", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


def rate_in_float32(step, warmup, d_model):
    step, warmup, d_model = (torch.tensor(float(each)) for each in (step, warmup, d_model))
    return d_model**-0.5 * torch.minimum(step**-0.5, step * warmup**-1.5)


@pytest.mark.parametrize("rate", [rate_in_float32, lambda *numbers: rate_in_float32(*numbers).item()])
def test_a_rate_in_float32_is_right(rate):
    task = nothing_forbidden(problem_set("ps7").task("ps7.learning_rate"))
    for number in range(10):
        assert all(examine(task, each, local(rate), secrets.secret(number)).passed for each in task.criteria)


SLIPS_OF_FORM = (  # a function that is right but for the form of what it returns, and what that may cost
    ("smoothed_loss", loss_with_a_dimension, {"gradient"}),
    ("smoothed_loss", smoothed_loss.a_float, {"gradient", "dtype"}),
    ("plan_batches", plan_batches.padding_first, {"padding"}),
    ("plan_batches", plan_batches.padding_of_each_batch, {"padding"}),
    ("plan_batches", plan_batches.batches_alone, {"padding"}),
    ("diagnose", sorted_list, {"several"}),
)


@pytest.mark.parametrize(("name", "function", "costs"), SLIPS_OF_FORM)
def test_a_slip_of_form_costs_what_asks_for_the_form(name, function, costs):
    task = nothing_forbidden(problem_set("ps7").task(f"ps7.{name}"))
    for key, visible in ((seeds.PUBLIC, True), (SECRET, False)):
        lost = {each.name for each in task.criteria if not examine(task, each, ours(function), key, visible).passed}
        assert lost == costs
