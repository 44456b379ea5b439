"""ps4.masked_softmax: from scores to weights over the real words (Bahdanau et al. 2015, equation 6, with a mask)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from course_lib import attention
from course_lib.grading.cases import unfit
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.compare import difference
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.problem_sets.ps4 import softmax, states
from course_lib.problem_sets.ps4.cases_masked_softmax import draw, draw_all, draw_far_apart, draw_far_below
from course_lib.problem_sets.ps4.states import ANYTHING

VALUES = "weights"


def reference(e: Tensor, mask: Tensor) -> Tensor:
    """α_ij = exp(e_ij) / Σ_k exp(e_ik) over real words: e (batch, i, j), mask (batch, j); 0 at the others."""
    return attention.masked_softmax(e, mask.unsqueeze(1))


def masked_softmax(e, mask):
    """What the exercises after this one may use: its source is lent to them, so it stands alone."""
    import torch

    real = mask.unsqueeze(1)
    e = torch.where(real, e, 0)
    odds = torch.where(real, torch.exp(e - e.masked_fill(~real, -1e30).amax(2, keepdim=True).clamp(min=-1e29)), 0)
    total = odds.sum(2, keepdim=True)
    return odds / torch.where(total == 0, 1, total)


# Criteria

value = seeing(VALUES, VALUES)


def whatever_stands_there(function: Callable, case: Case) -> Parts:
    """The probe that looks at the weights; where nothing is real, only at whether they depend on the scores."""
    e, mask = case.arguments
    seen = value(function, case)
    if mask.any():
        return seen
    other = value(function, replace(case, arguments=(torch.zeros_like(e), mask)))
    return Parts(
        {'"where no word is real, the weights do not depend on the scores"': difference(other, seen, case) is None}
    )


COLUMNS = "Your columns add to 1. Each step i divides its attention among the words j: the last axis."
EMPTY_COLUMNS = f"{COLUMNS} A column whose scores are all −∞ has 0 / 0 for weights: NaN."
LATE = "You set weights to 0 after the softmax: those that are left add to less than 1. Mask before it."
FAR_APART = "Another one may be 1000 above it, and exp(1000) is infinite. Take the largest away: no exp is more than 1."
LARGE = "And exp(1000) is infinite: take the row's largest score away first."

TASK = Task(
    name="ps4.masked_softmax",
    title="From scores to weights",
    reference=reference,
    trains=True,
    criteria=(
        Numbers("softmax", 1, "Every word is real: each row adds to 1.", draw("full", count=(2, 3)), probe=value),
        Numbers(
            "mask",
            1.5,
            "Words that are not real have weight 0, wherever they stand, and the others add to 1.",
            draw("padded", "full", count=(2, 3)),
            probe=value,
        ),
        Numbers(
            "stable",
            1.5,
            "Large scores, of either sign: exp does not overflow, and no sum becomes 0.",
            alternate(draw("full", count=(2, 3), levels=(1000, -1000, 0)), draw_far_below, draw_far_apart),
            visible=3,
            graded=6,
            probe=value,
        ),
        Numbers(
            "padding",
            1,
            "Words that are not real may have any score, even NaN or infinite.",
            alternate(draw("padded", pads=ANYTHING), draw("nothing", count=(1, 2), pads=ANYTHING)),
            visible=4,
            graded=8,
            probe=whatever_stands_there,
        ),
        Numbers(
            "nothing",
            1,
            "Where no word is real, every weight is 0.",
            draw("nothing", "full", count=(2, 3)),
            probe=value,
        ),
        *fit_for_training(
            "e mask",
            VALUES,
            softmax.defined,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right, also where scores that "
                "are not real are NaN; a call changes no argument.",
                draw_all,
            ),
            dtype=(
                "The weights have the dtype of the scores, float64 or float32, and its precision.",
                draw("full", "padded", levels=(1000,)),
            ),
            looks=partial(precisely, defined=softmax.defined),
        ),
    ),
    misconceptions=(
        *(
            Misconception(name, function, "softmax", hint)
            for name, function, hint in (
                ("softmax over the decoder's steps", softmax.over_the_queries, COLUMNS),
                ("sum over the decoder's steps", softmax.shifted_over_the_queries, COLUMNS),
                ("−∞ and softmax over the decoder's steps", softmax.infinite_over_the_queries, EMPTY_COLUMNS),
                ("−∞ and exp over the decoder's steps", softmax.plain_infinite_over_the_queries, EMPTY_COLUMNS),
            )
        ),
        Misconception(
            "softmax over the sentences",
            softmax.over_the_sentences,
            "softmax",
            "You divide by a sum over the batch: sentences know nothing of each other. The axis is the last.",
        ),
        Misconception(
            "softmax over the whole sentence pair",
            softmax.over_everything,
            "softmax",
            "All weights of a sentence add to 1 together. Each row has a sum of its own.",
        ),
        Misconception(
            "no mask",
            softmax.unmasked,
            "mask",
            "Words that are not real get a share of your weights: the mask is missing.",
        ),
        Misconception("mask after the softmax", softmax.masked_afterwards, "mask", LATE),
        Misconception(
            "plain softmax",
            softmax.plain,
            "mask",
            "Words that are not real get a share of your weights: the mask is missing. " + LARGE,
        ),
        Misconception(
            "plain softmax over the decoder's steps",
            softmax.plain_over_the_queries,
            "softmax",
            f"{COLUMNS} After that, see to the mask and to large scores.",
        ),
        Misconception("mask after a plain softmax", softmax.plain_masked_afterwards, "mask", f"{LATE} {LARGE}"),
        Misconception("plain softmax multiplied by the mask", softmax.plain_times_mask, "mask", f"{LATE} {LARGE}"),
        Misconception("softmax multiplied by the mask", softmax.times_mask, "mask", LATE),
        Misconception("score 0 first, and the mask after the softmax", softmax.zero_then_masked, "mask", LATE),
        Misconception("softmax with a guard, multiplied by the mask", softmax.guarded_times_mask, "mask", LATE),
        Misconception(
            "a score in place of none, the mask after it, divided again",
            softmax.zero_then_divided,
            "stable",
            "Words that are not real still have a score, 0 or −100, say, when you take the largest away. In a row of "
            "real scores near −1000 it is the largest, and every real exp is 0. Look for the largest among the real "
            "words.",
        ),
        Misconception(
            "score −1000 in place of none",
            softmax.minus_a_thousand,
            "stable",
            "You give words that are not real a score of about −1000. Real ones may be as low: then those get a share. "
            "Nothing finite is sure to be low enough but the lowest number of the dtype; −∞ is.",
        ),
        Misconception(
            "plain exp multiplied by the mask",
            softmax.plain_product,
            "stable",
            "exp(1000) is infinite: take the row's largest score away first. Do not multiply by 0 what you do not "
            "want: 0 · NaN is NaN; torch.where picks. And where no word is real, you divide 0 by 0.",
        ),
        Misconception(
            "score 0 in place of none",
            softmax.score_zero,
            "mask",
            "You set the scores of words that are not real to 0, but exp(0) = 1. Their exp must be 0.",
        ),
        Misconception(
            "scores multiplied by the mask",
            softmax.product_of_scores,
            "mask",
            "You multiply the scores by the mask. A score of 0 still has exp(0) = 1, and 0 · NaN is NaN.",
        ),
        Misconception(
            "mask inverted",
            softmax.inverted,
            "mask",
            "You leave out the words that are real. The mask is True where a word is real.",
        ),
        Misconception(
            "mask read as a length",
            softmax.from_the_left,
            "mask",
            "You take as many words as are real from the left. The mask says which: they may stand anywhere.",
        ),
        Misconception(
            "the first sentence's mask",
            softmax.first_sentence,
            "mask",
            "All your sentences have the first one's mask. Each has its own.",
        ),
        Misconception(
            "exp of large scores",
            softmax.unstable,
            "stable",
            "exp(1000) is infinite, and exp(−1000) is 0. Take the row's largest score away first: the weights stay the "
            "same.",
        ),
        Misconception(
            "one shift for all rows",
            softmax.shifted_together,
            "stable",
            "You take one and the same number away from several rows: in a row far below it every exp is 0. Take each "
            "row's own largest score.",
        ),
        *(
            Misconception(f"{what} taken away", function, "stable", f"You take each row's {what} away. {FAR_APART}")
            for what, function in (
                ("mean", softmax.shifted_by_the_mean),
                ("smallest score", softmax.shifted_by_the_smallest),
                ("first score", softmax.shifted_by_the_first),
            )
        ),
        Misconception(
            "shift by a word that is not real",
            softmax.shifted_with_padding,
            "padding",
            "You look for the largest score among all words. It may be one that is not real: mask first.",
        ),
        Misconception(
            "exp multiplied by the mask",
            softmax.product_of_odds,
            "padding",
            "You multiply by 0 what you do not want. It may be NaN or infinite, and 0 · NaN is NaN: torch.where picks.",
        ),
        Misconception(
            "minus infinity everywhere",
            softmax.minus_infinity,
            "nothing",
            "Where no word is real, all your scores are −∞, and 0 / 0 is NaN.",
        ),
        Misconception(
            "minus infinity, and exp of large scores",
            softmax.plain_infinite,
            "stable",
            "exp(1000) is infinite: take the row's largest score away first. And where no word is real, all your "
            "scores are −∞, and 0 / 0 is NaN.",
        ),
        Misconception(
            "equal shares of nothing",
            softmax.minus_a_billion,
            "nothing",
            "Where no word is real, all your scores are equally low, and each gets the same share. It is 0.",
        ),
        Misconception(
            "padding within the exponent",
            softmax.padding_in_the_exponent,
            "gradient",
            "Your values are right, but the gradient is NaN where a score is: torch.where gives it the gradient 0, and "
            "on the way back through exp 0 · NaN = NaN. Set such scores to a number before you compute with them.",
        ),
        Misconception(
            "scores filled in place",
            softmax.filled_in_place,
            "gradient",
            "You write into the scores, which belong to the caller. masked_fill without _ makes a new tensor.",
        ),
        *unfit.mistakes(softmax.defined),
    ),
    forbidden=(
        *states.LIBRARY,
        *(f"torch.{name}" for name in ("softmax", "_softmax", "_log_softmax", "_safe_softmax", "_masked_softmax")),
        "torch.sparse.softmax",
        "torch._scaled_dot_product_flash_attention_for_cpu",  # with unit vectors for keys, it weighs them as e says
    ),
)
