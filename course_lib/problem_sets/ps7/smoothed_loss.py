"""ps7.smoothed_loss: cross-entropy with label smoothing, over padded sentences (Szegedy et al. 2016; Li)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from math import inf, nan
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import Numbers, case, converted, sentences, tensor, time_and_lengths
from course_lib.grading.cases.probes import in_either_dtype, returned_values
from course_lib.grading.cases.training import OF, GradientProbe, has_nan
from course_lib.grading.compare import HONEST, is_tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps3 import sequence_loss
from course_lib.training import losses


def reference(logits: Tensor, target: Tensor, lengths: Tensor, epsilon: float) -> Tensor:
    """The mean over the real words of −Σ_v q(v) log p(v), with q(y) = 1 − ε and q(v) = ε / (n − 1) for the others.

    The library spreads ε' over all n words, the right one among them: that is the same for ε' = ε n / (n − 1).
    """
    n = logits.shape[2]
    return losses.cross_entropy(logits, target, real(target, lengths), smoothing=epsilon * n / (n - 1))


# Mistakes


def real(target, lengths):
    """Where a word is real (batch, time)."""
    return torch.arange(target.shape[1]) < lengths[:, None]


def smoothed(log_p, target, own, others):
    """−own · log p(y) − others · Σ log p(v) over the other words v, at each place."""
    q = torch.full_like(log_p, others).scatter(2, target[..., None], own)
    return -(q * log_p).sum(2)


def defined(
    logits,
    target,
    lengths,
    epsilon,
    own=lambda e, n: 1 - e,
    others=lambda e, n: e / (n - 1),
    rows=smoothed,
    log_p=lambda z: z.log_softmax(2),
    mask=real,
    clean=True,
    mean=lambda losses, lengths: losses.sum() / lengths.sum(),
):
    words, n = mask(target, lengths), logits.shape[2]
    z = torch.where(words[..., None], logits, 0) if clean else logits
    losses = rows(log_p(z), target, own(epsilon, n), others(epsilon, n))
    return mean(torch.where(words, losses, 0), lengths)


def everywhere(target, lengths):
    return torch.ones_like(target, dtype=torch.bool)


wrong = versions(defined)
a_share_for_the_right_word_too = wrong("word", own=lambda e, n: 1 - e + e / n, others=lambda e, n: e / n)(
    "You give ε / n to all n words, the right one among them, as torch does. Here the right word keeps 1 − ε, and ε is "
    "shared by the n − 1 others."
)
divided_by_n = wrong("word", others=lambda e, n: e / n)(
    "Each other word gets ε / n from you. There are n − 1 others: your q does not add to 1."
)
ε_not_shared = wrong("word", others=lambda e, n: e)(
    "Every other word gets ε from you. They share it: ε / (n − 1) each."
)
a_share_for_the_right_word_on_top = wrong("word", own=lambda e, n: 1 - e + e / (n - 1))(
    "The right word keeps 1 − ε + ε / (n − 1) from you, so q adds to more than 1. It keeps 1 − ε."
)
nothing_taken_from_the_right_word = wrong("word", own=lambda e, n: 1)(
    "The right word keeps 1 from you, so q adds to 1 + ε. It keeps 1 − ε."
)
ε_and_the_rest_exchanged = wrong("word", own=lambda e, n: e, others=lambda e, n: (1 - e) / (n - 1))(
    "You give ε to the right word and 1 − ε to the others. It is the other way round."
)
the_other_words_left_out = wrong("word", others=lambda e, n: 0)(
    "You multiply the loss of the right word by 1 − ε, and that is all. The other words count, too, with ε / (n − 1) "
    "each."
)
not_smoothed = wrong("word", own=lambda e, n: 1, others=lambda e, n: 0)("You never use ε: this is the plain loss.")
sign_left_out = wrong("word", own=lambda e, n: e - 1, others=lambda e, n: -e / (n - 1))(
    "You return Σ q log p. The loss is −Σ q log p: never negative."
)


def mixed(log_p, target, own, others):
    """−log Σ q(v) p(v)."""
    p = log_p.exp()
    word = p.gather(2, target[..., None]).squeeze(2)
    return -(own * word + others * (p.sum(2) - word)).log()


mixed_inside_of_the_logarithm = wrong("word", rows=mixed)(
    "You take −log Σ q p. The loss is −Σ q log p: first the logarithm of each p, then the sum."
)
softmax_over_the_time = wrong("word", log_p=partial(torch.log_softmax, dim=1))(
    "Your softmax runs over the places of the sentence. It runs over the vocabulary, the last dimension."
)
sum_of_all = wrong("mean", mean=lambda losses, lengths: losses.sum())(
    "You add up the losses. Divide by the number of words."
)
mean_of_the_sums = wrong("mean", mean=lambda losses, lengths: losses.sum(1).mean())(
    "You divide by the number of sentences, not of words."
)
padding_counted = wrong("gradient", mask=everywhere, mean=lambda losses, lengths: losses.mean())(
    "You count what stands at padding as words. Leave it out, in the sum and in the number of words."
)


@mistake("gradient")
def the_other_words_counted_at_padding(logits, target, lengths, epsilon):
    """At padding you leave out the part of the right word, but not that of the other words. Both are to go."""

    def rows(log_p, target, own, others):
        word = own * -log_p.gather(2, target[..., None]).squeeze(2)
        return smoothed(log_p, target, own, others) - torch.where(real(target, lengths), 0, word)

    return defined(logits, target, lengths, epsilon, rows=rows, mask=everywhere)


def mean_of_products(losses, lengths):
    return (losses * real(losses, lengths)).sum() / lengths.sum()


padding_taken_out_by_a_product = wrong("gradient", mask=everywhere, mean=mean_of_products)(
    "Your loss is NaN where padding is NaN: a product with 0 does not take it out, because 0 · NaN is NaN. Choose the "
    "real places, by torch.where, masked_fill or an index."
)


@mistake("gradient")
def only_NaN_taken_out(logits, *rest):
    """Your loss is NaN where padding is infinite, and right where it is NaN. Leave out these places, whatever stands
    there."""
    return padding_taken_out_by_a_product(logits.masked_fill(logits.isnan(), 0), *rest)


mean_over_all_places = wrong("padding", mean=lambda losses, lengths: losses.mean())(
    "You divide by the number of places, padding included: the more padding, the smaller your loss. Divide by the "
    "number of real words."
)
mean_of_sentence_means = wrong("padding", mean=lambda losses, lengths: (losses.sum(1) / lengths).mean())(
    "You take each sentence's mean first: so a word of a short sentence counts for more. All real words count alike."
)
OVERFLOW = (
    "Your loss is infinite or NaN: on the way an exp or a probability leaves the range of floats. Compute log p "
    "without exp of the logits themselves, and without p: log_softmax."
)
exp_of_the_logits = wrong("stable", log_p=lambda z: (z.exp() / z.exp().sum(2, keepdim=True)).log())(OVERFLOW)
log_of_0 = wrong("stable", log_p=lambda z: z.softmax(2).log())(OVERFLOW)
one_maximum_for_all_words = wrong("stable", log_p=lambda z: (z := z - z.max()) - z.exp().sum(2, keepdim=True).log())(
    "You subtract the largest logit of the whole batch. Where a word's logits lie far below it, its exps are all 0: "
    "subtract each word's own largest logit, or take log_softmax."
)
a_probability_that_is_never_0 = wrong("stable", log_p=lambda z: (z.softmax(2) + 1e-12).log())(
    "For a very unlikely word you take −log p = 27.6, as for p = 1e-12. Compute log p by log_softmax."
)
padding_within_the_softmax = wrong("gradient", clean=False)(
    "Your values are right, but the gradient is NaN where padding is. You take padding out after the softmax: its "
    "gradient there is 0, and on the way back through the softmax 0 · NaN = NaN. Set the logits at padding to 0 before "
    "the softmax, by masked_fill (a product leaves NaN), or leave these places out."
)


@mistake("dtype")
def computed_in_float32(logits, *rest):
    """Your loss is a float64, but less precise than that: is something on the way a float32, as torch.zeros(…)? Convert
    to no dtype but that of the logits."""
    return defined(logits.float(), *rest).to(logits.dtype)


a_tensor_with_a_dimension = wrong("gradient", mean=lambda losses, lengths: (losses.sum() / lengths.sum()).reshape(1))(
    "Your values are right, but come in a tensor of shape (1,). It is to have no dimensions: is there a keepdim, or "
    "[None]?"
)
a_float = wrong("gradient", mean=lambda losses, lengths: (losses.sum() / lengths.sum()).item())(
    "Your values are right, but you return a float, through which no gradient passes. Return the tensor, without "
    "item() or float(…)."
)

# Cases

LARGE = 1000 / 3  # times numbers that are float32: what comes of it in float64 is no float32


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


def q_in_float32(*given):
    def rows(log_p, target, own, others):
        return -(torch.full(log_p.shape, others).scatter(2, target[..., None], own) * log_p).sum(2)

    return defined(*given, rows=rows)


def draw_precise(rng: Random, size: int) -> Case:
    """A sentence whose logits are some hundreds, every other time with all digits of a float64: its loss needs them.

    `terms`: less precise than a float64 is all that is off by less than a thousandth.
    """

    def drawn() -> tuple:
        made = draw((1, 3))(rng, size)
        return (replace(made, arguments=(LARGE * made.arguments[0].double(), *made.arguments[1:])),)

    def shows(made: Case) -> bool:
        right, rounded = (function(*made.arguments).item() for function in (defined, q_in_float32))
        return abs(rounded - right) > 10 * HONEST * (1 + right)

    (made,) = until(drawn, shows)
    arguments = converted(made.arguments, torch.float32) if size % 2 else made.arguments
    return replace(made, arguments=arguments, scale=1.0, terms=300)


def draw_batch(rng: Random, size: int) -> Case:
    """Three sentences; at padding stand numbers, NaN, or NaN and infinite numbers, in turn."""
    time, lengths = time_and_lengths(rng, 6)
    made = batch(rng, time + size % 2, lengths)
    padding = ~real(*made.arguments[1:3])
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
        loss = returned_values(function, arguments, ["loss"])["loss"]
        if isinstance(loss, float):
            loss = torch.tensor(loss, dtype=arguments[0].dtype)
        return Parts(loss=loss.reshape(()) if is_tensor(loss) and loss.numel() == 1 else loss)

    return in_either_dtype(seen, case.arguments)


@dataclass(frozen=True)
class numbers(GradientProbe):
    """The probe `training`, which excuses no gradient that is NaN somewhere."""

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        gradients = [each for name, each in got.items() if name.startswith(OF)] if isinstance(got, Parts) else []
        return got if has_nan(gradients) else super().excuse(function, case, expected, got)


TASK = task(
    __name__,
    "The loss with label smoothing",
    returns="loss",
    kind=partial(Numbers, graded=2),  # each case of random numbers shows what is wrong
    criteria=(
        criterion("word", 1.5, draw((1, 1)), value)("The smoothed loss of one word."),
        criterion("plain", 0.5, draw_plain, value)("With ε = 0 it is the plain loss."),
        criterion("mean", 0.5, draw_full, value)("The mean over all words."),
        criterion("padding", 1.5, draw_batch, value, visible=3, graded=3)(
            "Over the real words of sentences of several lengths, each counted alike; padding counts for nothing, "
            "whatever stands there: even NaN or ±inf."
        ),
        criterion("stable", 1, draw_stable, value)("Logits of some thousands."),
        gradient(draw_batch, probe=numbers, least=30.0, visible=3, graded=3)(
            "The gradient of your loss reaches the logits of every real word and is NaN nowhere, whatever stands at "
            "padding; a call changes no argument."
        ),
        dtype(draw_precise, visible=3, graded=3)(
            "It has the dtype of the logits, float64 or float32, and where it is right its precision."
        ),
    ),
    forbidden=(
        *sequence_loss.TASK.forbidden,
        "torch.ops.aten.cross_entropy_loss",
        "torch.nn.functional.kl_div",
        "torch.nn.modules.loss.KLDivLoss.forward",
        "torch.ops.aten.kl_div",
    ),
)
