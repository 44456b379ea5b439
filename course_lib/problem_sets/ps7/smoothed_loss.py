"""ps7.smoothed_loss: cross-entropy with label smoothing, over padded sentences (Szegedy et al. 2016; Li)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import inf, nan
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, converted, padded, sentences, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import called, in_either_dtype
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.compare import HONEST, is_tensor
from course_lib.grading.task import Case, Parts, Task
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps3 import sequence_loss
from course_lib.problem_sets.ps3.models import Few
from course_lib.problem_sets.ps7 import wrong_smoothed_loss as wrong
from course_lib.problem_sets.ps7.gradients import numbers
from course_lib.problem_sets.ps7.mistakes_smoothed_loss import MISTAKES
from course_lib.training import losses

NAMES, VALUE = "logits target lengths epsilon", "loss"
LARGE = 1000 / 3  # times numbers that are float32: what comes of it in float64 is no float32


def reference(logits: Tensor, target: Tensor, lengths: Tensor, epsilon: float) -> Tensor:
    """The mean over the real words of −Σ_v q(v) log p(v), with q(y) = 1 − ε and q(v) = ε / (n − 1) for the others.

    The library spreads ε' over all n words, the right one among them: that is the same for ε' = ε n / (n − 1).
    """
    n = logits.shape[2]
    return losses.cross_entropy(logits, target, wrong.real(target, lengths), smoothing=epsilon * n / (n - 1))


# Cases


def batch(rng: Random, time: int, lengths: list[int], epsilon: float | None = None) -> Case:
    """Sentences of these lengths; at padding any word."""
    size = rng.randint(3, 6)
    epsilon = rng.choice((0.1, 0.2, 0.3)) if epsilon is None else epsilon
    logits = tensor(rng, len(lengths), time, size, spread=1.5)
    target = torch.tensor([[rng.randrange(size) for _ in range(time)] for _ in lengths])
    words = f"{sentences(lengths, time)}, {size} words in the vocabulary, ε = {epsilon}"
    return case(words, size * time, logits, target, torch.tensor(lengths), epsilon)


draw = partial(units.one_sentence, batch)
draw_plain = units.one_sentence(partial(batch, epsilon=0.0), (1, 3))


def draw_stable(rng: Random, size: int) -> Case:
    """Two sentences of a word each, one with large logits, one with very negative ones; both are unlikely."""
    made = batch(rng, 1, [1, 1])
    logits, target, lengths, epsilon = made.arguments
    logits = 10 * logits + (-1) ** size * torch.tensor([2000.0, -2000.0])[:, None, None]
    logits -= 4000 * torch.nn.functional.one_hot(target, logits.shape[2])
    return replace(made, arguments=(logits, target, lengths, epsilon), scale=6000.0)


def draw_precise(rng: Random, size: int) -> Case:
    """A sentence whose logits are some hundreds, every other time with all digits of a float64: its loss needs them.

    `terms`: less precise than a float64 is all that is off by less than a thousandth.
    """

    def drawn() -> tuple:
        made = draw((1, 3))(rng, size)
        return replace(made, arguments=(LARGE * made.arguments[0].double(), *made.arguments[1:])), made.words

    def shows(made: Case, _: str) -> bool:
        right, rounded = (function(*made.arguments).item() for function in (wrong.defined, wrong.q_in_float32))
        return abs(rounded - right) > 10 * HONEST * (1 + right)

    made, _ = until(drawn, shows)
    arguments = converted(made.arguments, torch.float32) if size % 2 else made.arguments
    return replace(made, arguments=arguments, scale=1.0, terms=300)


def draw_batch(rng: Random, size: int) -> Case:
    """Three sentences; at padding stand numbers, NaN, or NaN and infinite numbers, in turn."""
    time, lengths = padded(rng, 6)
    made = batch(rng, time + size % 2, lengths)
    padding = ~wrong.real(*made.arguments[1:3])
    if strange := ([], [nan], [inf, -inf, nan])[size % 3]:
        shape = made.arguments[0][padding].shape
        made.arguments[0][padding] = torch.tensor((strange * shape.numel())[: shape.numel()]).reshape(shape)
    return made


def draw_full(rng: Random, size: int) -> Case:
    """Two sentences without padding, every other time with a large ε."""
    time = rng.randint(2, 4)
    return batch(rng, time, [time, time], rng.choice((0.55, 0.6, 0.65)) if size % 2 else None)


def value(function: Callable, case: Case) -> Parts:
    """The probe that looks at the loss, also where it is a float or a tensor (1,): that costs "gradient" or "dtype"."""

    def seen(arguments: tuple) -> Parts:
        loss = called(function, arguments, [VALUE])[VALUE]
        if isinstance(loss, float):
            loss = torch.tensor(loss, dtype=arguments[0].dtype)
        return Parts({VALUE: loss.reshape(()) if is_tensor(loss) and loss.numel() == 1 else loss})

    return in_either_dtype(seen, case.arguments)


GRADIENT, DTYPE = fit_for_training(
    NAMES,
    VALUE,
    wrong.defined,
    gradient=(
        "The gradient of your loss reaches the logits of every real word and is NaN nowhere, whatever stands at "
        "padding; a call changes no argument.",
        draw_batch,
    ),
    dtype=("It has the dtype of the logits, float64 or float32, and where it is right its precision.", draw_precise),
    kind=partial(Few, visible=3, graded=3),
    looks=partial(precisely, defined=wrong.defined),
)

TASK = Task(
    name="ps7.smoothed_loss",
    title="The loss with label smoothing",
    reference=reference,
    trains=True,
    criteria=(
        Few("word", 1.5, "The smoothed loss of one word.", draw((1, 1)), probe=value),
        Few("plain", 0.5, "With ε = 0 it is the plain loss.", draw_plain, probe=value),
        Few("mean", 0.5, "The mean over all words.", draw_full, probe=value),
        Few(
            "padding",
            1.5,
            "Over the real words of sentences of several lengths, each counted alike; padding counts for nothing, "
            "whatever stands there: even NaN or ±inf.",
            draw_batch,
            visible=3,
            graded=3,
            probe=value,
        ),
        Few("stable", 1, "Logits of some thousands.", draw_stable, probe=value),
        replace(GRADIENT, probe=numbers(NAMES, VALUE, wrong.defined)),
        DTYPE,
    ),
    misconceptions=MISTAKES,
    forbidden=(
        *sequence_loss.TASK.forbidden,
        "torch.ops.aten.cross_entropy_loss",
        "torch.nn.functional.kl_div",
        "torch.nn.modules.loss.KLDivLoss.forward",
        "torch.ops.aten.kl_div",
    ),
)
