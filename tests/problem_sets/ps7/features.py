"""What the cases of problem set 7 show."""

from itertools import pairwise

import torch

from course_lib.problem_sets.ps7 import adam_step, average, diagnose, plan_batches, runs, signs, train


def left_out(lengths, max_tokens):
    return any(max(pair) > max_tokens for pair in lengths)


def several_batches(lengths, max_tokens):
    return len(plan_batches.defined(lengths, max_tokens)[0]) > 1


def far_apart(checkpoints, n):
    """Whether the newest two are 100 n steps apart."""
    *_, second, newest = sorted(int(name.removeprefix("step_")) for name in checkpoints)
    return newest - second > 100 * n


def of(checkpoints):
    """All tensors of the checkpoints."""
    return [each for tensors in checkpoints.values() for each in tensors.values()]


def long_gradient(batches, weights, accumulate, epsilon, warmup):
    """Whether the gradient of the first batch is longer than 1."""
    own = {name: w.clone().requires_grad_() for name, w in weights.items()}
    with torch.enable_grad():
        gradients = train.gradients_of(train.loss_of(batches[0], own, epsilon), own)
    return sum(float((g**2).sum()) for g in gradients.values()) > 1


def change(name, sign):
    """By how much these losses have grown (or fallen, for −1) since the best evaluation."""
    return lambda run: sign * (run[name][-1] - run[name][runs.best(run)])


def between(low, high, number):
    return lambda run: low < number(run) < high


def blank(batches, *others):
    """Whether a real word has x = 0."""
    return any(not x[row, t].any() for x, _, lengths in batches for row, n in enumerate(lengths) for t in range(n))


GROWS, FALLS = change("held_out", 1), change("losses", -1)


def turns(name, sign):
    """Whether a run with the fault has losses that go the other way once between the best evaluation and the last."""
    return lambda run: (
        diagnose.overfitting(run)
        and any(sign * (after - before) < 0 for before, after in pairwise(run[name][runs.best(run) :]))
    )


def relative(rise, name):
    """A change of more than 0.1 that is less than a tenth of the loss at the best evaluation."""
    return lambda run: 0.1 < rise(run) < 0.1 * run[name][runs.best(run)]


def moves_by(factor):
    return lambda run: runs.moved_times(run, factor)


def tensors(run):
    """By how much each tensor moved in step 1."""
    return [*run["moved"].values()]


def under(run, of=lambda run: min(run["losses"])):
    """How far the least training loss is below the lowest smoothed loss, or what else of the losses."""
    return runs.floor(run["epsilon"], run["vocabulary"]) - of(run)


def moved_down(run):
    """Whether a weight moved by the rate, but not up."""
    return any(bool((abs(each / run["rates"][0] + 1) < 1e-3).any()) for each in run["moved"].values())


def faulty(fault):
    test = getattr(diagnose, fault.replace("-", "_"))
    return {f"{fault} is there": test, f"{fault} is not there": lambda run: not test(run)}


SECRETS = {"diagnose": 50, "train": 50}
FEATURES = {
    ("plan_batches", "order"): {"several batches": several_batches},
    ("plan_batches", "too_long"): {
        "a pair that is left out": left_out,
        "a pair that just fits": lambda lengths, max_tokens: any(max(pair) == max_tokens for pair in lengths),
    },
    ("plan_batches", "padding"): {"a pair that is left out": left_out, "several batches": several_batches},
    ("average", "mean"): {
        "float64": lambda checkpoints, n: all(each.dtype == torch.float64 for each in of(checkpoints))
    },
    ("average", "precision"): {
        "a mean above 60000 in float16": lambda checkpoints, n: any(
            each.dtype == torch.float16 and (each > 60000).any() for each in average.defined(checkpoints, n).values()
        ),
        "a mean above 65504 in float32, and one below −65504": lambda checkpoints, n: any(
            each.dtype == torch.float32 and each.max() > 65504 and each.min() < -65504
            for each in average.defined(checkpoints, n).values()
        ),
    },
    ("average", "arguments"): {
        "float64": lambda checkpoints, n: all(each.dtype == torch.float64 for each in of(checkpoints))
    },
    ("average", "last"): {
        "the newest lie far apart": far_apart,
        "one of several": lambda checkpoints, n: n == 1 < len(checkpoints),
        "a step of five digits": lambda checkpoints, n: any(len(name) == len("step_10000") for name in checkpoints),
        "four of more": lambda checkpoints, n: n == 4 < len(checkpoints),
    },
    ("learning_rate", "fall"): {
        "a million steps": lambda step, warmup, d_model: step > 1_000_000,
        "soon after the warm-up": lambda step, warmup, d_model: step < warmup + 400,
    },
    ("smoothed_loss", "mean"): {"ε above 0.5": lambda logits, target, lengths, epsilon: epsilon > 0.5},
    ("smoothed_loss", "stable"): {
        "log p below −2000": lambda logits, target, *_: bool(
            (logits.log_softmax(2).gather(2, target[..., None]) < -2000).any()
        ),
    },
    ("adam_step", "later"): {
        "step 10 or later": lambda *step: all(now["t"] >= 10 for now in step[2].values()),
        "a gradient longer than 5": lambda *step: all(float(g.norm()) > 5 for g in step[1].values()),
    },
    ("adam_step", "eps"): {
        "ϵ larger than every root": lambda *step: all(
            float(adam_step.corrected(now["v"], step[4][1], now["t"]).max()) ** 0.5 < step[5]
            for now in adam_step.defined(*step)[1].values()
        ),
    },
    ("adam_step", "absent"): {
        "a first gradient of 0": lambda *step: any(not g.any() and k not in step[2] for k, g in step[1].items()),
        "a first step of all, and a weight without a gradient": lambda *step: (
            not step[2] and len(step[1]) < len(step[0])
        ),
        "a later gradient of 0": lambda *step: any(not g.any() and k in step[2] for k, g in step[1].items()),
    },
    ("train", "words"): {"a real word whose x is 0": blank},
    ("train", "updates"): {"a gradient longer than 1": long_gradient},
    ("train", "rest"): {"a gradient longer than 1": long_gradient},
    ("diagnose", "warm_up"): faulty("warm-up")
    | {
        "a constant rate": lambda run: len({*run["rates"]}) == 1,
        "rates below 10⁻⁸ that rise": lambda run: not diagnose.warm_up(run) and max(run["rates"]) < 1e-8,
    },
    ("diagnose", "correction"): faulty("correction")
    | {f"weights moved by {factor:.3g} times the rate": moves_by(factor) for factor in runs.FACTORS}
    | {
        "weights moved down by the rate": moved_down,
        "a first rate below 10⁻⁶": lambda run: diagnose.correction(run) and run["rates"][0] < 1e-6,
        "no weight went up": lambda run: diagnose.correction(run) and all(each.max() <= 0 for each in tensors(run)),
        "corrected, no weight went up": lambda run: not diagnose.correction(run) and max(signs.numbers(run)) <= 0,
        "corrected, no weight went down": lambda run: not diagnose.correction(run) and min(signs.numbers(run)) >= 0,
        "all but the last tensor stay": lambda run: (
            diagnose.correction(run) and not any(each.any() for each in tensors(run)[:-1])
        ),
        "the last tensor stays": lambda run: diagnose.correction(run) and not tensors(run)[-1].any(),
    },
    ("diagnose", "smoothing"): faulty("smoothing")
    | {
        "a loss below the floor, the mean above it": lambda run: under(run) > 0 > under(run, of=signs.mean_loss),
        "a loss just below the floor": lambda run: 0.01 < under(run) < 0.015,
        "a loss just above the floor": lambda run: 0.01 < -under(run) < 0.015,
    },
    ("diagnose", "words"): faulty("words")
    | {
        "right losses of batches that differ": lambda run: (
            not diagnose.words(run) and len({loss for loss, _ in run["batches"]}) > 1
        ),
        "a loss that is little off": lambda run: (
            0.01 < abs(run["losses"][-1] - runs.of_all_words(run["batches"])) < 0.015
        ),
    },
    ("diagnose", "overfitting"): faulty("overfitting")
    | {
        "the held-out loss grows by 0.11 to 0.115": between(0.11, 0.115, GROWS),
        "the training loss falls by 0.11 to 0.115": between(0.11, 0.115, FALLS),
        "the held-out loss grows by 0.085 to 0.09": between(0.085, 0.09, GROWS),
        "the training loss falls by 0.085 to 0.09": between(0.085, 0.09, FALLS),
        "the held-out loss grows by 0.1 to 0.2": between(0.1, 0.2, GROWS),
        "the training loss falls by 0.1 to 0.2": between(0.1, 0.2, FALLS),
        "the lowest held-out loss is the first": lambda run: diagnose.overfitting(run) and runs.best(run) == 0,
        "a held-out loss that rises on its way down": lambda run: (
            diagnose.overfitting(run) and signs.first_rise(run) < runs.best(run)
        ),
        "a held-out loss that falls on its way up": turns("held_out", 1),
        "a training loss that rises on its way down": turns("losses", -1),
        "the held-out loss grows by less than a tenth of it": relative(GROWS, "held_out"),
        "the training loss falls by less than a tenth of it": relative(FALLS, "losses"),
    },
}
