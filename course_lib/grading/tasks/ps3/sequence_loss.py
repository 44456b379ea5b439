"""ps3.sequence_loss: the cross-entropy of padded sentences, and for a word (Bengio et al. 2003; Straka 2021)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import log
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import case, in_both_dtypes, padded, sentences, tensor
from course_lib.grading.cases.probes import dtypes, seeing
from course_lib.grading.cases.training import training, with_cotangents
from course_lib.grading.task import Case, Misconception, Task
from course_lib.grading.tasks.ps2 import units
from course_lib.grading.tasks.ps3.models import Few
from course_lib.training.losses import cross_entropy

VALUES = "sums per_word"
Losses = tuple[Tensor, Tensor]  # sums (batch), per_word ()


def real(target: Tensor, lengths: Tensor) -> Tensor:
    """Where a word is real (batch, time)."""
    return torch.arange(target.shape[1]) < lengths[:, None]


def reference(logits: Tensor, target: Tensor, lengths: Tensor) -> Losses:
    """−Σ_i log p(y_i) of each sentence, in nats, and the mean of −log p(y_i) over all real words."""
    mask = real(target, lengths)
    each = zip(logits.split(1), target.split(1), mask.split(1), strict=True)
    return torch.stack([cross_entropy(*row, "sum") for row in each]), cross_entropy(logits, target, mask)


# Wrong versions


def log_softmax(z: Tensor) -> Tensor:
    return z.log_softmax(2)


def defined(
    logits: Tensor,
    target: Tensor,
    lengths: Tensor,
    log_p: Callable = log_softmax,
    mask: Callable = real,
    clean: bool = True,
    total: Callable = lambda losses, lengths: losses.sum(1),
    mean: Callable = lambda losses, lengths: losses.sum() / lengths.sum(),
) -> Losses:
    words = mask(target, lengths)
    z = torch.where(words[..., None], logits, 0) if clean else logits
    losses = -log_p(z).gather(2, target[..., None]).squeeze(2)
    losses = torch.where(words, losses, 0)
    return total(losses, lengths), mean(losses, lengths)


def sign_left_out(*arguments) -> Losses:
    return tuple(-each for each in defined(*arguments))


def in_bits(*arguments) -> Losses:
    return tuple(each / log(2) for each in defined(*arguments))


def logits_for_log_p(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: z)


def no_logarithm(*arguments) -> Losses:
    return defined(*arguments, log_p=partial(torch.softmax, dim=2))


def over_the_time(*arguments) -> Losses:
    return defined(*arguments, log_p=partial(torch.log_softmax, dim=1))


def shifted_again(logits: Tensor, target: Tensor, lengths: Tensor) -> Losses:
    return defined(logits[:, :-1], target[:, 1:], lengths - 1)


def overflowing(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: z - z.exp().sum(2, keepdim=True).log())


def underflowing(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: z.softmax(2).log())


def with_epsilon(*arguments) -> Losses:
    return defined(*arguments, log_p=lambda z: (z.softmax(2) + 1e-12).log())


def padding_counted(*arguments) -> Losses:
    return defined(*arguments, mask=lambda target, lengths: torch.ones_like(target, dtype=torch.bool))


def padding_by_product(logits: Tensor, target: Tensor, lengths: Tensor) -> Losses:
    losses = -log_softmax(logits).gather(2, target[..., None]).squeeze(2) * real(target, lengths)
    return losses.sum(1), losses.sum() / lengths.sum()


def padding_in_the_softmax(*arguments) -> Losses:
    return defined(*arguments, clean=False)


def last_word_left_out(*arguments) -> Losses:
    return defined(*arguments, mask=lambda target, lengths: real(target, lengths - 1))


def mean_of_each(*arguments) -> Losses:
    return defined(*arguments, total=lambda losses, lengths: losses.sum(1) / lengths)


def mean_over_places(*arguments) -> Losses:
    return defined(*arguments, mean=lambda losses, lengths: losses.mean())


def mean_of_means(*arguments) -> Losses:
    return defined(*arguments, mean=lambda losses, lengths: (losses.sum(1) / lengths).mean())


def mean_of_sums(*arguments) -> Losses:
    return defined(*arguments, mean=lambda losses, lengths: losses.sum(1).mean())


# Cases


def batch(rng: Random, time: int, lengths: list[int], spread: float = 1.5) -> Case:
    """Sentences of these lengths; at padding any word."""
    size = rng.randint(3, 6)
    logits = tensor(rng, len(lengths), time, size, spread=spread)
    target = torch.tensor([[rng.randrange(size) for _ in range(time)] for _ in lengths])
    return case(sentences(lengths, time), size * time, logits, target, torch.tensor(lengths))


draw = partial(units.one_sentence, batch)


def draw_stable(rng: Random, size: int) -> Case:
    """A word with large logits, or with very negative ones; it is unlikely."""
    made = batch(rng, 1, [1])
    logits, target, lengths = made.arguments
    logits = 10 * logits + (-1) ** size * 2000
    logits[0, 0, target[0, 0]] -= 1000
    return replace(made, arguments=(logits, target, lengths), scale=3000.0)


def draw_batch(rng: Random, size: int) -> Case:
    time, lengths = padded(rng, 6)
    made = batch(rng, time + size % 2, rng.sample(lengths, 3))
    if size % 2:
        made.arguments[0][~real(*made.arguments[1:])] = torch.nan
    return made


TASK = Task(
    name="ps3.sequence_loss",
    title="The loss of padded sentences",
    reference=reference,
    trains=True,
    criteria=(
        Few("word", 1, "The loss of one word, −log p(y) in nats.", draw((1, 1)), probe=seeing(VALUES, "sums")),
        Few("sentence", 1, "A sentence's loss is the sum over its words.", draw((2, 5)), probe=seeing(VALUES, "sums")),
        Few(
            "padding",
            1,
            "Padding counts for nothing, whatever stands there: even NaN.",
            draw((1, 1), (1, 3), nan=True),
            probe=seeing(VALUES, "sums"),
        ),
        Few(
            "per_word",
            1,
            "The loss of a word: over all real words of the batch, each counted alike.",
            draw_batch,
            probe=seeing(VALUES, "per_word"),
        ),
        Few("stable", 1, "Logits of some thousands.", draw_stable, probe=seeing(VALUES, "sums")),
        Few(
            "gradient",
            0.5,
            "Gradients reach the logits of every real word, whatever stands at padding; a call changes no argument.",
            with_cotangents(draw_batch, defined),
            probe=training("logits target lengths", VALUES),
        ),
        Few(
            "dtype",
            0.5,
            "Both have the dtype of the logits, float64 or float32.",
            in_both_dtypes(draw((1, 3))),
            probe=dtypes(VALUES),
        ),
    ),
    misconceptions=(
        Misconception("sign left out", sign_left_out, "word", "You return log p. The loss is −log p: never negative."),
        Misconception("in bits", in_bits, "word", "You take the logarithm of base 2. Nats come from the natural one."),
        Misconception(
            "logits taken for log p",
            logits_for_log_p,
            "word",
            "You sum the logits themselves. They become log-probabilities by log softmax.",
        ),
        Misconception("no logarithm", no_logarithm, "word", "You sum −p. The loss is −log p."),
        Misconception(
            "softmax over the time",
            over_the_time,
            "word",
            "Your softmax runs over the places of the sentence. It runs over the vocabulary, the last dimension.",
        ),
        Misconception(
            "shifted again",
            shifted_again,
            "word",
            "You shift the target by one place. The logits at a place are for the word at that place: the batch is "
            "shifted already.",
        ),
        Misconception(
            "last word left out",
            last_word_left_out,
            "word",
            "You leave out each sentence's last word. It has lengths[b] words, its eos among them.",
        ),
        Misconception(
            "mean of a sentence", mean_of_each, "sentence", "Your `sums` are divided by the length. A sum is not."
        ),
        Misconception("padding counted", padding_counted, "padding", "You count what stands at padding as words."),
        Misconception(
            "padding taken out by a product",
            padding_by_product,
            "padding",
            "You multiply by 0 what you do not want. Padding may be anything, and 0 · NaN is NaN: torch.where picks.",
        ),
        Misconception(
            "mean over all places",
            mean_over_places,
            "per_word",
            "You divide by the number of places, padding included: the more padding, the smaller your loss. Divide by "
            "the number of real words.",
        ),
        Misconception(
            "mean of the sentences' means",
            mean_of_means,
            "per_word",
            "You take each sentence's mean first: so a word of a short sentence counts for more. All real words count "
            "alike.",
        ),
        Misconception(
            "mean of the sums", mean_of_sums, "per_word", "You divide by the number of sentences, not of words."
        ),
        Misconception(
            "exp overflows",
            overflowing,
            "stable",
            "exp(2000) is infinite. Subtract the largest logit before exp: log softmax stays the same.",
        ),
        Misconception(
            "log of 0",
            underflowing,
            "stable",
            "Your probability is so small that it is 0, and its logarithm −∞. Compute log p without p: log_softmax.",
        ),
        Misconception(
            "a small number within the logarithm",
            with_epsilon,
            "stable",
            "With log(p + 1e-12) no loss exceeds 27.6, however wrong the model. Compute log p without p: log_softmax.",
        ),
        Misconception(
            "padding within the softmax",
            padding_in_the_softmax,
            "gradient",
            "Your values are right, but the gradient is NaN where padding is: torch.where gives padding the gradient "
            "0, and on the way back through the softmax 0 · NaN = NaN. Set the logits at padding to 0 first.",
        ),
        Misconception("cut off from the gradient", unfit.cut(defined), "gradient", unfit.CUT),
        Misconception("single precision", unfit.in_single_precision(defined), "dtype", unfit.SINGLE),
    ),
    forbidden=(
        "torch.nn.functional.cross_entropy",
        "torch.nn.functional.nll_loss",
        "torch.nn.modules.loss.CrossEntropyLoss.forward",
        "torch.nn.modules.loss.NLLLoss.forward",
        "torch.ops.aten.nll_loss_forward",
        "torch.ops.aten.nll_loss2d_forward",
        "course_lib.training.losses.cross_entropy",
    ),
)
