"""The mistakes that people make in ps7.smoothed_loss, each with its hint."""

from course_lib.grading.cases import unfit
from course_lib.grading.task import Misconception
from course_lib.problem_sets.ps7 import wrong_smoothed_loss as wrong

OVERFLOW = (
    "Your loss is infinite or NaN: on the way an exp or a probability leaves the range of floats. Compute log p "
    "without exp of the logits themselves, and without p: log_softmax."
)
MISTAKES = (
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
        "a share for the right word on top",
        wrong.share_on_top,
        "word",
        "The right word keeps 1 − ε + ε / (n − 1) from you, so q adds to more than 1. It keeps 1 − ε.",
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
        "gradient",
        "You count what stands at padding as words. Leave it out, in the sum and in the number of words.",
    ),
    Misconception(
        "the other words counted at padding",
        wrong.rest_at_padding,
        "gradient",
        "At padding you leave out the part of the right word, but not that of the other words. Both are to go.",
    ),
    Misconception(
        "padding taken out by a product",
        wrong.padding_by_product,
        "gradient",
        "Your loss is NaN where padding is NaN: a product with 0 does not take it out, because 0 · NaN is NaN. "
        "Choose the real places, by torch.where, masked_fill or an index.",
    ),
    Misconception(
        "only NaN taken out",
        wrong.only_nan_taken_out,
        "gradient",
        "Your loss is NaN where padding is infinite, and right where it is NaN. Leave out these places, whatever "
        "stands there.",
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
        "exp of the logits",
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
        "a probability that is never 0",
        wrong.with_epsilon,
        "stable",
        "For a very unlikely word you take −log p = 27.6, as for p = 1e-12. Compute log p by log_softmax.",
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
        "Your loss is a float64, but less precise than that: is something on the way a float32, as torch.zeros(…)? "
        "Convert to no dtype but that of the logits.",
    ),
    Misconception(
        "a tensor of shape (1,)",
        wrong.of_one_number,
        "gradient",
        "Your values are right, but come in a tensor of shape (1,). It is to have no dimensions: is there a keepdim, "
        "or [None]?",
    ),
    Misconception(
        "a float",
        wrong.as_float,
        "gradient",
        "Your values are right, but you return a float, through which no gradient passes. Return the tensor, without "
        "item() or float(…).",
    ),
    *unfit.mistakes(wrong.defined),
)
