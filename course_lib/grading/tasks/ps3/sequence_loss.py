"""ps3.sequence_loss: the cross-entropy of padded sentences, and for a word (Bengio et al. 2003; Straka 2021)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import case, padded, sentences, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.compare import misfit
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.grading.tasks.ps2 import units
from course_lib.grading.tasks.ps3 import wrong_sequence_loss as wrong
from course_lib.grading.tasks.ps3.models import Few
from course_lib.training.losses import cross_entropy

VALUES = "sums per_word"


def reference(logits: Tensor, target: Tensor, lengths: Tensor) -> wrong.Losses:
    """−Σ_i log p(y_i) of each sentence, in nats, and the mean of −log p(y_i) over all real words."""
    mask = wrong.real(target, lengths)
    each = zip(logits.split(1), target.split(1), mask.split(1), strict=True)
    return torch.stack([cross_entropy(*row, "sum") for row in each]), cross_entropy(logits, target, mask)


# Cases


def batch(rng: Random, time: int, lengths: list[int], spread: float = 1.5) -> Case:
    """Sentences of these lengths; at padding any word."""
    size = rng.randint(3, 6)
    logits = tensor(rng, len(lengths), time, size, spread=spread)
    target = torch.tensor([[rng.randrange(size) for _ in range(time)] for _ in lengths])
    return case(sentences(lengths, time), size * time, logits, target, torch.tensor(lengths))


draw = partial(units.one_sentence, batch)


def draw_padding(rng: Random, size: int) -> Case:
    """One word, and behind it logits that are NaN, or infinite: −∞ for the word that stands there, ∞ for the others.

    Every third time several sentences, with any finite logits behind the shorter ones.
    """
    if size % 3 == 2:
        return batch(rng, *padded(rng, 6))
    made = batch(rng, time := rng.randint(2, 4), [1])
    logits, target, _ = made.arguments
    logits[:, 1:] = torch.inf if size % 3 else torch.nan
    for place in range(1, time) if size % 3 else ():
        logits[0, place, target[0, place]] = -torch.inf
    return made


def draw_stable(rng: Random, size: int) -> Case:
    """An unlikely word with large logits, or with very negative ones; or two words, the logits of which lie far apart.

    Each of two is certain: so neither a mean nor a word that is left out shows, but a sum of exp that is 0.
    """
    if size % 3 == 2:
        made = batch(rng, 2, [2])
        logits, target, lengths = made.arguments
        logits = 10 * logits + rng.choice((-1, 1)) * torch.tensor([[[2000.0], [-2000.0]]])
        logits.scatter_add_(2, target[..., None], torch.full((1, 2, 1), 1000.0))
        return replace(made, arguments=(logits, target, lengths), words=f"{made.words}, far apart", scale=3000.0)
    made = batch(rng, 1, [1])
    logits, target, lengths = made.arguments
    logits = 10 * logits + (-1) ** (size % 3) * 2000
    logits[0, 0, target[0, 0]] -= 1000
    return replace(made, arguments=(logits, target, lengths), scale=3000.0)


def draw_full(rng: Random, size: int) -> Case:
    """Sentences of one length: several numbers to be precise, and no padding."""
    return batch(rng, time := rng.randint(2, 3), [time] * 5)


def draw_batch(rng: Random, size: int) -> Case:
    time, lengths = padded(rng, 6)
    made = batch(rng, time + size % 2, lengths)
    if size % 2:
        made.arguments[0][~wrong.real(*made.arguments[1:])] = torch.nan
    return made


sums = seeing(VALUES, "sums")


def beside_others(function: Callable, case: Case) -> Parts:
    """The probe that looks at the sums; of several sentences only at what each loses more in the batch than alone.

    So a sum that is wrong for one sentence costs nothing more in a batch.
    """
    *rows, lengths = case.arguments
    seen = looked_at(function, case)
    if len(lengths) == 1:
        return seen
    alone = []
    for b, n in enumerate(lengths.tolist()):
        arguments = (*(each[b : b + 1, :n] for each in rows), lengths[b : b + 1])
        alone.append(looked_at(function, replace(case, arguments=arguments))["sums"])
    return Parts({"what a sentence loses more in the batch than alone": seen["sums"] - torch.cat(alone)})


def looked_at(function: Callable, case: Case) -> Parts:
    """The sums; raises StudentError if they are not one for each sentence."""
    seen = sums(function, case)
    if says := misfit(case.arguments[-1], seen["sums"], "sums"):
        raise StudentError(says)
    return seen


TASK = Task(
    name="ps3.sequence_loss",
    title="The loss of padded sentences",
    reference=reference,
    trains=True,
    criteria=(
        Few("word", 1, "The loss of one word, −log p(y) in nats.", draw((1, 1)), probe=sums),
        Few("sentence", 1, "A sentence's loss is the sum over its words.", draw((2, 5)), probe=sums),
        Few(
            "padding",
            1,
            "Padding counts for nothing, whatever stands there, even NaN or infinite; nor do other sentences.",
            draw_padding,
            visible=3,
            graded=3,
            probe=beside_others,
        ),
        Few(
            "per_word",
            1,
            "The loss of a word: over all real words of the batch, each counted alike.",
            draw_batch,
            probe=seeing(VALUES, "per_word"),
        ),
        Few("stable", 1, "Logits of some thousands.", draw_stable, visible=3, graded=3, probe=sums),
        *fit_for_training(
            "logits target lengths",
            VALUES,
            wrong.defined,
            gradient=(
                "Gradients reach the logits of every real word, whatever stands at padding; a call changes no "
                "argument.",
                draw_batch,
            ),
            dtype=("Both have the dtype of the logits, float64 or float32, and its precision.", draw_full),
            kind=Few,
            looks=partial(precisely, defined=wrong.defined),
        ),
    ),
    misconceptions=(
        Misconception(
            "sign left out", wrong.sign_left_out, "word", "You return log p. The loss is −log p: never negative."
        ),
        Misconception(
            "in bits", wrong.in_bits, "word", "You take the logarithm of base 2. Nats come from the natural one."
        ),
        Misconception(
            "logits taken for log p",
            wrong.logits_for_log_p,
            "word",
            "You sum the logits themselves. They become log-probabilities by log softmax.",
        ),
        Misconception("no logarithm", wrong.no_logarithm, "word", "You sum −p. The loss is −log p."),
        Misconception(
            "softmax over the time",
            wrong.over_the_time,
            "word",
            "Your softmax runs over the places of the sentence. It runs over the vocabulary, the last dimension.",
        ),
        Misconception(
            "shifted again",
            wrong.shifted_again,
            "word",
            "You shift the target by one place. The logits at a place are for the word at that place: the batch is "
            "shifted already.",
        ),
        Misconception(
            "shifted again, and divided by all words",
            wrong.shifted_and_divided_by_all,
            "word",
            "You shift the target by one place. The logits at a place are for the word at that place: the batch is "
            "shifted already.",
        ),
        Misconception(
            "last word left out",
            wrong.last_word_left_out,
            "word",
            "You leave out each sentence's last word. It has lengths[b] words, its eos among them.",
        ),
        Misconception(
            "mean of a sentence", wrong.mean_of_each, "sentence", "Your `sums` are divided by the length. A sum is not."
        ),
        Misconception(
            "padding counted", wrong.padding_counted, "padding", "You count what stands at padding as words."
        ),
        Misconception(
            "no mask",
            wrong.no_mask,
            "padding",
            "You never use `lengths`: what stands at padding counts like words, in both losses. Leave it out.",
        ),
        Misconception(
            "padding taken out by a product",
            wrong.padding_by_product,
            "padding",
            "Your loss is NaN where padding is NaN: a product with 0 does not take it out, because 0 · NaN is NaN. "
            "Choose the real places, by torch.where, masked_fill or an index.",
        ),
        Misconception(
            "NaN replaced by a number",
            wrong.nan_replaced,
            "padding",
            "You mend padding that is NaN, but not padding that is infinite: its loss is infinite or NaN, and 0 · ∞ is "
            "NaN. Choose the real places, whatever stands at the others, by torch.where, masked_fill or an index.",
        ),
        Misconception(
            "mean over all places",
            wrong.mean_over_places,
            "per_word",
            "You divide by the number of places, padding included: the more padding, the smaller your loss. Divide by "
            "the number of real words.",
        ),
        Misconception(
            "mean of the sentences' means",
            wrong.mean_of_means,
            "per_word",
            "You take each sentence's mean first: so a word of a short sentence counts for more. All real words count "
            "alike.",
        ),
        Misconception(
            "mean of the sums", wrong.mean_of_sums, "per_word", "You divide by the number of sentences, not of words."
        ),
        Misconception(
            "exp overflows",
            wrong.overflowing,
            "stable",
            "exp(2000) is infinite. Subtract the largest logit before exp: log softmax stays the same.",
        ),
        Misconception(
            "one largest logit for several places",
            wrong.shifted_together,
            "stable",
            "You take one and the same number away at several places. At a place whose logits lie far below it every "
            "exp is 0, and log 0 is −∞. Take each place's own largest logit away.",
        ),
        Misconception(
            "quotient of exps",
            wrong.quotient_of_exps,
            "stable",
            "You divide exp by a sum of exp. For large logits that is ∞/∞, for very negative ones 0/0: NaN. Compute "
            "log p without exp of the logits themselves: log_softmax.",
        ),
        Misconception(
            "log of 0",
            wrong.underflowing,
            "stable",
            "Your probability is so small that it is 0, and its logarithm −∞. Compute log p without p: log_softmax.",
        ),
        Misconception(
            "a small number within the logarithm",
            wrong.with_epsilon,
            "stable",
            "With log(p + 1e-12) no loss exceeds 27.6, however wrong the model. Compute log p without p: log_softmax.",
        ),
        Misconception(
            "padding within the softmax",
            wrong.padding_in_the_softmax,
            "gradient",
            "Your values are right, but the gradient is NaN where padding is. You take padding out after the softmax: "
            "its gradient there is 0, and on the way back through the softmax 0 · NaN = NaN. Set the logits at padding "
            "to 0 before the softmax, or leave these places out.",
        ),
        *unfit.mistakes(wrong.defined, returned=VALUES),
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
