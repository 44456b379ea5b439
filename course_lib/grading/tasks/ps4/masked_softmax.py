"""ps4.masked_softmax: from scores to weights over the real words (Bahdanau et al. 2015, equation 6, with a mask)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor

from course_lib import attention
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import Numbers, tensor
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.grading.tasks.ps4 import softmax, states
from course_lib.grading.tasks.ps4.states import ANYTHING, NAN, count, put, rows

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


# Cases


def scores(
    rng: Random, lengths: list[int], words: int, levels: tuple[int, ...] = (0,), pads: tuple[float, ...] = ()
) -> Case:
    """Scores of sentences with so many real words, each row around a level; `pads`: what stands at the others."""
    queries = words if rng.random() < 0.5 else rng.randint(2, 5)
    e, mask = tensor(rng, len(lengths), queries, words), rows(rng, lengths, words)
    chosen = [rng.choice(levels) for _ in range(len(lengths) * queries)]
    chosen[: len(levels)] = levels
    e += torch.tensor(chosen, dtype=e.dtype).reshape(len(lengths), queries, 1)
    scale = float(e.abs().max())
    put(rng, pads, e, mask.unsqueeze(1).expand_as(e))
    real = ", ".join(map(str, lengths))
    text = f"{count(len(lengths), 'sentence')}, {queries} × {words} scores, {real} of {words} words real"
    return Case((e, mask), text, scale=max(1.0, scale), terms=words)


def draw(
    *kinds: str, count: tuple[int, int] = (1, 3), levels: tuple[int, ...] = (0,), pads: tuple[float, ...] = ()
) -> Callable[[Random, int], Case]:
    """Sentences that are "full", "padded" or of "nothing" real, each in turn, so many of them."""

    def drawn(rng: Random, size: int) -> Case:
        words = rng.randint(3, 5)
        length = {"full": lambda: words, "padded": lambda: rng.randint(1, words - 1), "nothing": lambda: 0}
        batch = rng.randint(*count)
        return scores(rng, [length[kinds[(size + b) % len(kinds)]]() for b in range(batch)], words, levels, pads)

    return drawn


value = seeing(VALUES, VALUES)


def draw_all(rng: Random, size: int) -> Case:
    return scores(rng, [rng.randint(1, 2), 0, 3], 3, pads=NAN)


COLUMNS = "Your columns add to 1. Each step i divides its attention among the words j: the last axis."
EMPTY_COLUMNS = f"{COLUMNS} A column whose scores are all −∞ has 0 / 0 for weights: NaN."
LATE = "You set weights to 0 after the softmax: those that are left add to less than 1. Mask before it."
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
            draw("full", count=(2, 3), levels=(1000, -1000, 0)),
            probe=value,
        ),
        Numbers(
            "padding",
            1,
            "Words that are not real may have any score, even NaN or infinite.",
            draw("padded", pads=ANYTHING),
            probe=value,
        ),
        Numbers("nothing", 1, "Where no word is real, every weight is 0.", draw("nothing", "full"), probe=value),
        *fit_for_training(
            "e mask",
            VALUES,
            softmax.defined,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right, also where scores that "
                "are not real are NaN; a call changes no argument.",
                draw_all,
            ),
            dtype=("The weights have the dtype of the scores, float64 or float32.", draw("full", "padded")),
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
        Misconception(
            "mask after the softmax",
            softmax.masked_afterwards,
            "mask",
            LATE,
        ),
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
            "You take the largest of all scores away from every row: in a row far below it every exp is 0. Take each "
            "row's own.",
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
