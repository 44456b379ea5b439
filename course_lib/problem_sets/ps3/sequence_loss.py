"""ps3.sequence_loss: the cross-entropy of padded sentences, and for a word (Bengio et al. 2003; Straka 2021)."""

from functools import partial

import torch
from torch import Tensor

from course_lib.grading.cases import unfit
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Misconception, Task
from course_lib.problem_sets.ps3 import wrong_sequence_loss as wrong
from course_lib.problem_sets.ps3.cases_sequence_loss import (
    VALUES,
    beside_others,
    draw,
    draw_batch,
    draw_certain,
    draw_full,
    draw_padding,
    draw_stable,
    sums,
)
from course_lib.problem_sets.ps3.models import Few
from course_lib.training.losses import cross_entropy


def reference(logits: Tensor, target: Tensor, lengths: Tensor) -> wrong.Losses:
    """−Σ_i log p(y_i) of each sentence, in nats, and the mean of −log p(y_i) over all real words."""
    mask = wrong.real(target, lengths)
    each = zip(logits.split(1), target.split(1), mask.split(1), strict=True)
    return torch.stack([cross_entropy(*row, "sum") for row in each]), cross_entropy(logits, target, mask)


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
            draw_certain,
            visible=3,
            graded=3,
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
            "words counted by their loss",
            wrong.counted_by_the_loss,
            "per_word",
            "You count the words whose loss is not 0. A word that is certain loses exactly 0 and is a word like the "
            "others. Count by `lengths`.",
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
            "log of 0 and of ∞",
            wrong.underflowing,
            "stable",
            "Your loss of an unlikely word is infinite: the p within the logarithm is so small that it is 0, or the "
            "sum of exp so large that it is ∞. Take each place's largest logit away first, or use log_softmax.",
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
