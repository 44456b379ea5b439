"""ps7.smoothed_loss: cross-entropy with label smoothing, over padded sentences (Szegedy et al. 2016; Zhao)."""

from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import case, padded, sentences, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.grading.tasks.ps2 import units
from course_lib.grading.tasks.ps3 import sequence_loss
from course_lib.grading.tasks.ps3.models import Few
from course_lib.grading.tasks.ps7 import wrong_smoothed_loss as wrong
from course_lib.training import losses

VALUE = "loss"


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
    logits -= 1000 * torch.nn.functional.one_hot(target, logits.shape[2])
    return replace(made, arguments=(logits, target, lengths, epsilon), scale=3000.0)


def draw_precise(rng: Random, size: int) -> Case:
    """A sentence whose logits lie near 3000: a float32 has a few digits of them, a float64 all."""
    made = draw((1, 3))(rng, size)
    logits = 3000 + made.arguments[0].double()
    return replace(made, arguments=(logits.float() if size % 2 else logits, *made.arguments[1:]), scale=100.0, terms=2)


def draw_batch(rng: Random, size: int) -> Case:
    """Three sentences; what stands at padding is NaN in every second batch."""
    time, lengths = padded(rng, 6)
    made = batch(rng, time + size % 2, lengths)
    if size % 2:
        made.arguments[0][~wrong.real(*made.arguments[1:3])] = torch.nan
    return made


def draw_full(rng: Random, size: int) -> Case:
    """Two sentences without padding."""
    time = rng.randint(2, 4)
    return batch(rng, time, [time, time])


OVERFLOW = (
    "Your loss is infinite or NaN: on the way an exp or a probability leaves the range of floats. Compute log p "
    "without exp of the logits themselves, and without p: log_softmax."
)

TASK = Task(
    name="ps7.smoothed_loss",
    title="The loss with label smoothing",
    reference=reference,
    trains=True,
    criteria=(
        Few("word", 1.5, "The smoothed loss of one word.", draw((1, 1)), probe=seeing(VALUE, VALUE)),
        Few("plain", 0.5, "With ε = 0 it is the plain loss.", draw_plain, probe=seeing(VALUE, VALUE)),
        Few("mean", 0.5, "The mean over all words.", draw_full, probe=seeing(VALUE, VALUE)),
        Few(
            "padding",
            1.5,
            "Over the real words of sentences of several lengths, each counted alike; padding counts for nothing, "
            "whatever stands there: even NaN.",
            draw_batch,
            probe=seeing(VALUE, VALUE),
        ),
        Few("stable", 1, "Logits of some thousands.", draw_stable, probe=seeing(VALUE, VALUE)),
        *fit_for_training(
            "logits target lengths epsilon",
            VALUE,
            wrong.defined,
            gradient=(
                "Gradients reach the logits of every real word, whatever stands at padding; a call changes no "
                "argument.",
                draw_batch,
            ),
            dtype=("It has the dtype of the logits, float64 or float32, and its precision.", draw_precise),
            kind=Few,
            looks=partial(precisely, defined=wrong.defined),
        ),
    ),
    misconceptions=(
        Misconception(
            "a share for the right word, too",
            wrong.evenly,
            "word",
            "You give ε / n to all n words, the right one among them, as torch does. Here the right word keeps 1 − ε, "
            "and ε is shared by the n − 1 others.",
        ),
        Misconception(
            "divided by n",
            wrong.own_share_twice,
            "word",
            "Each other word gets ε / n from you. There are n − 1 others: your q does not add to 1.",
        ),
        Misconception(
            "ε not shared",
            wrong.not_divided,
            "word",
            "Every other word gets ε from you. They share it: ε / (n − 1) each.",
        ),
        Misconception(
            "nothing taken from the right word",
            wrong.nothing_taken,
            "word",
            "The right word keeps 1 from you, so q adds to 1 + ε. It keeps 1 − ε.",
        ),
        Misconception(
            "ε and 1 − ε exchanged",
            wrong.exchanged,
            "word",
            "You give ε to the right word and 1 − ε to the others. It is the other way round.",
        ),
        Misconception(
            "the other words left out",
            wrong.others_left_out,
            "word",
            "You multiply the loss of the right word by 1 − ε, and that is all. The other words count, too, with "
            "ε / (n − 1) each.",
        ),
        Misconception("not smoothed", wrong.not_smoothed, "word", "You never use ε: this is the plain loss."),
        Misconception(
            "sign left out",
            wrong.sign_left_out,
            "word",
            "You return Σ q log p. The loss is −Σ q log p: never negative.",
        ),
        Misconception(
            "mixed inside of the logarithm",
            wrong.inside_the_logarithm,
            "word",
            "You take −log Σ q p. The loss is −Σ q log p: first the logarithm of each p, then the sum.",
        ),
        Misconception(
            "softmax over the time",
            wrong.over_the_time,
            "word",
            "Your softmax runs over the places of the sentence. It runs over the vocabulary, the last dimension.",
        ),
        Misconception("sum of all", wrong.sum_of_all, "mean", "You add up the losses. Divide by the number of words."),
        Misconception(
            "mean of the sums", wrong.mean_of_sums, "mean", "You divide by the number of sentences, not of words."
        ),
        Misconception(
            "padding counted",
            wrong.padding_counted,
            "padding",
            "You count what stands at padding as words. Leave it out, in the sum and in the number of words.",
        ),
        Misconception(
            "the other words counted at padding",
            wrong.rest_at_padding,
            "padding",
            "At padding you leave out the part of the right word, but not that of the other words. Both are to go.",
        ),
        Misconception(
            "padding taken out by a product",
            wrong.padding_by_product,
            "padding",
            "Your loss is NaN where padding is NaN: a product with 0 does not take it out, because 0 · NaN is NaN. "
            "Choose the real places, by torch.where, masked_fill or an index.",
        ),
        Misconception(
            "mean over all places",
            wrong.mean_over_places,
            "padding",
            "You divide by the number of places, padding included: the more padding, the smaller your loss. Divide by "
            "the number of real words.",
        ),
        Misconception(
            "mean of the sentences' means",
            wrong.mean_of_means,
            "padding",
            "You take each sentence's mean first: so a word of a short sentence counts for more. All real words count "
            "alike.",
        ),
        Misconception(
            "quotient of exps",
            wrong.quotient_of_exps,
            "stable",
            OVERFLOW,
        ),
        Misconception(
            "log of 0",
            wrong.underflowing,
            "stable",
            OVERFLOW,
        ),
        Misconception(
            "one maximum for all words",
            wrong.one_maximum,
            "stable",
            "You subtract the largest logit of the whole batch. Where a word's logits lie far below it, its exps are "
            "all 0: subtract each word's own largest logit, or take log_softmax.",
        ),
        Misconception(
            "a small number within the logarithm",
            wrong.with_epsilon,
            "stable",
            "With log(p + 1e-12) no −log p exceeds 27.6, however wrong the model. Compute log p by log_softmax.",
        ),
        Misconception(
            "padding within the softmax",
            wrong.padding_in_the_softmax,
            "gradient",
            "Your values are right, but the gradient is NaN where padding is. You take padding out after the softmax: "
            "its gradient there is 0, and on the way back through the softmax 0 · NaN = NaN. Set the logits at padding "
            "to 0 before the softmax, or leave these places out.",
        ),
        Misconception(
            "computed in float32",
            wrong.in_float32,
            "dtype",
            "Your loss is a float64, but was computed in float32 on the way: its last digits are lost. Convert "
            "nothing, or to the dtype of the logits.",
        ),
        *unfit.mistakes(wrong.defined),
    ),
    forbidden=(*sequence_loss.TASK.forbidden, "torch.ops.aten.cross_entropy_loss"),
)
