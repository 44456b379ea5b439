"""ps3.sequence_loss: the cross-entropy of padded sentences, and for a word (Bengio et al. 2003; Straka 2021)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import log
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import case, sentences, tensor
from course_lib.grading.cases.probes import shaped, values_probe
from course_lib.grading.compare import difference
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps3.models import Few, in_no_order
from course_lib.training.losses import cross_entropy

VALUES = "sums per_word"


def real(target: Tensor, lengths: Tensor) -> Tensor:
    """Where a word is real (batch, time)."""
    return torch.arange(target.shape[1]) < lengths[:, None]


def reference(logits: Tensor, target: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
    """−Σ_i log p(y_i) of each sentence, in nats, and the mean of −log p(y_i) over all real words."""
    mask = real(target, lengths)
    each = zip(logits.split(1), target.split(1), mask.split(1), strict=True)
    return torch.stack([cross_entropy(*row, "sum") for row in each]), cross_entropy(logits, target, mask)


# Mistakes


def log_softmax(z):
    return z.log_softmax(2)


def defined(
    logits,
    target,
    lengths,
    log_p=log_softmax,
    mask=real,
    clean=lambda z, words: torch.where(words[..., None], z, 0),
    hide=lambda losses, words: torch.where(words, losses, 0),
    total=lambda losses, lengths: losses.sum(1),
    mean=lambda losses, lengths: losses.sum() / lengths.sum(),
):
    words = mask(target, lengths)
    losses = hide(-log_p(clean(logits, words)).gather(2, target[..., None]).squeeze(2), words)
    return total(losses, lengths), mean(losses, lengths)


def everywhere(target, lengths):
    return torch.ones_like(target, dtype=torch.bool)


def log_of_quotient(z):
    """log softmax by exp, as large as it may become."""
    return z - z.exp().sum(2, keepdim=True).log()


wrong = versions(defined)
sign_left_out = wrong("word", log_p=lambda z: -log_softmax(z))("You return log p. The loss is −log p: never negative.")


@mistake("word")
def in_bits(*given):
    """You take the logarithm of base 2. Nats come from the natural one."""
    return tuple(each / log(2) for each in defined(*given))


logits_taken_for_log_p = wrong("word", log_p=lambda z: z)(
    "You sum the logits themselves. They become log-probabilities by log softmax."
)
no_logarithm = wrong("word", log_p=lambda z: z.softmax(2))("You sum −p. The loss is −log p.")
softmax_over_the_time = wrong("word", log_p=lambda z: z.log_softmax(1))(
    "Your softmax runs over the places of the sentence. It runs over the vocabulary, the last dimension."
)
SHIFTED = (
    "You shift the target by one place. The logits at a place are for the word at that place: the batch is shifted "
    "already."
)


@mistake("word", SHIFTED)
def shifted_again(logits, target, lengths):
    return defined(logits[:, :-1], target[:, 1:], lengths - 1)


@mistake("word", SHIFTED)
def shifted_again_and_divided_by_all_words(logits, target, lengths):
    sums, _ = shifted_again(logits, target, lengths)
    return sums, sums.sum() / lengths.sum()


last_word_left_out = wrong("word", mask=lambda target, lengths: real(target, lengths - 1))(
    "You leave out each sentence's last word. It has lengths[b] words, its eos among them."
)
mean_of_a_sentence = wrong("sentence", total=lambda losses, lengths: losses.sum(1) / lengths)(
    "Your `sums` are divided by the length. A sum is not."
)
padding_counted = wrong("padding", mask=everywhere)("You count what stands at padding as words.")
no_mask = wrong("padding", mask=everywhere, mean=lambda losses, lengths: losses.mean())(
    "You never use `lengths`: what stands at padding counts like words, in both losses. Leave it out."
)
padding_taken_out_by_a_product = wrong("padding", clean=lambda z, words: z, hide=torch.mul)(
    "Your loss is NaN where padding is NaN: a product with 0 does not take it out, because 0 · NaN is NaN. Choose the "
    "real places, by torch.where, masked_fill or an index."
)
NaN_replaced_by_a_number = wrong("padding", clean=lambda z, words: z.nan_to_num(), hide=torch.mul)(
    "You mend padding that is NaN, but not padding that is infinite: its loss is infinite or NaN, and 0 · ∞ is NaN. "
    "Choose the real places, whatever stands at the others, by torch.where, masked_fill or an index."
)
mean_over_all_places = wrong("per_word", mean=lambda losses, lengths: losses.mean())(
    "You divide by the number of places, padding included: the more padding, the smaller your loss. Divide by the "
    "number of real words."
)
mean_of_the_means_of_sentences = wrong("per_word", mean=lambda losses, lengths: (losses.sum(1) / lengths).mean())(
    "You take each sentence's mean first: so a word of a short sentence counts for more. All real words count alike."
)
mean_of_the_sums = wrong("per_word", mean=lambda losses, lengths: losses.sum(1).mean())(
    "You divide by the number of sentences, not of words."
)
words_counted_by_their_loss = wrong("per_word", mean=lambda losses, lengths: losses.sum() / (losses != 0).sum())(
    "You count the words whose loss is not 0. A word that is certain loses exactly 0 and is a word like the others. "
    "Count by `lengths`."
)
exp_overflows = wrong("stable", log_p=log_of_quotient)(
    "exp(2000) is infinite. Subtract the largest logit before exp: log softmax stays the same."
)


one_largest_logit_for_several_places = wrong("stable", log_p=lambda z: log_of_quotient(z - z.max().detach()))(
    "You take one and the same number away at several places. At a place whose logits lie far below it every exp is 0, "
    "and log 0 is −∞. Take each place's own largest logit away."
)
quotient_of_exps = wrong("stable", log_p=lambda z: (z.exp() / z.exp().sum(2, keepdim=True)).log())(
    "You divide exp by a sum of exp. For large logits that is ∞/∞, for very negative ones 0/0: NaN. Compute log p "
    "without exp of the logits themselves: log_softmax."
)
log_of_0_and_of_infinity = wrong("stable", log_p=lambda z: z.softmax(2).log())(
    "Your loss of an unlikely word is infinite: the p within the logarithm is so small that it is 0, or the sum of exp "
    "so large that it is ∞. Take each place's largest logit away first, or use log_softmax."
)
a_small_number_within_the_logarithm = wrong("stable", log_p=lambda z: (z.softmax(2) + 1e-12).log())(
    "With log(p + 1e-12) no loss exceeds 27.6, however wrong the model. Compute log p without p: log_softmax."
)
padding_within_the_softmax = wrong("gradient", clean=lambda z, words: z)(
    "Your values are right, but the gradient is NaN where padding is: the logits there are still NaN within your "
    "softmax, and on the way back through it 0 · NaN = NaN. A product with 0 does not take NaN out. Put 0 in their "
    "place before the softmax, by masked_fill or torch.where, or leave these places out."
)
NaN_alone_replaced = wrong("gradient", clean=lambda z, words: torch.where(z.isnan(), 0, z))(
    "Your values are right, but the gradient is NaN where padding is infinite: you put a number in the place of NaN "
    "alone. Put 0 in the place of all padding before the softmax, whatever stands there."
)

# Cases

CERTAIN = 60.0  # a logit whose word has p = 1 beside small ones; its exp is no overflow


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
        return batch(rng, *in_no_order(rng))
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
    time, lengths = in_no_order(rng)
    made = batch(rng, time + size % 2, lengths)
    if size % 2:
        made.arguments[0][~real(*made.arguments[1:])] = torch.nan
    return made


def draw_endless(rng: Random, size: int) -> Case:
    """A batch; where padding is NaN, it is infinite behind the first sentence."""
    made = draw_batch(rng, size)
    logits, _, lengths = made.arguments
    if size % 2:
        logits[0, lengths[0] :] = torch.inf
    return made


def draw_certain(rng: Random, size: int) -> Case:
    """A batch with a word that is so likely that it loses exactly 0; every third time of sentences of one word.

    In the others the mean of the sentences' means clearly differs.
    """

    def certain() -> tuple[Case]:
        made = batch(rng, 1, [1] * 3) if size % 3 == 2 else draw_batch(rng, size)
        logits, target, _ = made.arguments
        b = rng.randrange(len(target))
        logits[b, 0, target[b, 0]] = CERTAIN
        return (replace(made, scale=CERTAIN),)

    def fits(made: Case) -> bool:
        right, means = (each(*made.arguments)[1] for each in (defined, mean_of_the_means_of_sentences))
        return size % 3 == 2 or difference(right, means, replace(made, scale=3 * CERTAIN)) is not None

    return until(certain, fits)[0]


def beside_others(function: Callable, case: Case) -> Parts:
    """The probe that looks at the sums; of several sentences only at their sums in the batch − those alone.

    So a sum that is wrong for one sentence costs nothing more in a batch.
    """
    *rows, lengths = case.arguments
    seen = sums_of(function, case)
    if len(lengths) == 1:
        return seen
    alone = []
    for b, n in enumerate(lengths.tolist()):
        arguments = (*(each[b : b + 1, :n] for each in rows), lengths[b : b + 1])
        alone.append(sums_of(function, replace(case, arguments=arguments))["sums"])
    return Parts({"sums of the batch − sums of each sentence alone": seen["sums"] - torch.cat(alone)})


def sums_of(function: Callable, case: Case) -> Parts:
    """The sums; raises StudentError if they are not one for each sentence."""
    return shaped(values_probe(VALUES, "sums")(function, case), {"sums": case.arguments[-1].shape})


TASK = task(
    __name__,
    "The loss of padded sentences",
    returns=VALUES,
    kind=Few,
    criteria=(
        criterion("word", 1, draw((1, 1)), "sums")("The loss of one word, −log p(y) in nats."),
        criterion("sentence", 1, draw((2, 5)), "sums")("A sentence's loss is the sum over its words."),
        criterion("padding", 1, draw_padding, beside_others, visible=3, graded=3)(
            "Padding counts for nothing, whatever stands there, even NaN or infinite; nor do other sentences."
        ),
        criterion("per_word", 1, draw_certain, "per_word", visible=3, graded=3)(
            "The loss of a word: over all real words of the batch, each counted alike."
        ),
        criterion("stable", 1, draw_stable, "sums", visible=3, graded=3)("Logits of some thousands."),
        gradient(draw_endless, each=True)(
            "Gradients reach the logits of every real word, whatever stands at padding; a call changes no argument."
        ),
        dtype(draw_full)("Both have the dtype of the logits, float64 or float32, and its precision."),
    ),
    forbidden=(
        *(f"torch.nn.functional.{name}" for name in ("cross_entropy", "nll_loss")),
        *(f"torch.nn.modules.loss.{name}Loss.forward" for name in ("CrossEntropy", "NLL")),
        *(f"torch.ops.aten.nll_{name}_forward" for name in ("loss", "loss2d")),
        "course_lib.training.losses.cross_entropy",
    ),
)
