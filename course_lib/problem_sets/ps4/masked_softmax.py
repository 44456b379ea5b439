"""ps4.masked_softmax: from scores to weights over the real words (Bahdanau et al. 2015, equation 6, with a mask)."""

from collections.abc import Callable
from dataclasses import replace
from math import inf
from random import Random

import torch
from torch import Tensor

from course_lib import attention
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers, count, tensor
from course_lib.grading.cases.probes import values_probe
from course_lib.grading.compare import difference
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps4.states import ANYTHING, LIBRARY, NAN, put, rows


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


# Mistakes


def filled(number):
    return lambda e, real: e.masked_fill(~real, number)


def highest(e, real):
    return filled(-inf)(e, real).amax(-1, keepdim=True)


def cleaned(e, real):
    return torch.where(real, e, 0)


def no_sum(total, real):
    return total == 0


def no_real_word(total, real):
    return ~real.any(-1, keepdim=True)


def guarded_exp(e, real, shift=highest, clean=cleaned):
    m = torch.where(real.any(-1, keepdim=True), shift(e, real), 0)
    return torch.where(real, (clean(e, real) - m).exp(), 0)


def defined(e, mask, read=lambda mask: mask, shift=highest, among=-1, clean=cleaned, empty=no_sum):
    real = read(mask).unsqueeze(1).expand_as(e)
    odds = guarded_exp(e, real, shift, clean)
    total = odds.sum(among, keepdim=True)
    nothing = empty(total, real)
    return torch.where(nothing, 0.0, odds / torch.where(nothing, 1, total))


def softmax(e, axis):
    odds = (e - e.amax(axis, keepdim=True)).exp()
    return odds / odds.sum(axis, keepdim=True)


def plain(e, axis):
    return e.exp() / e.exp().sum(axis, keepdim=True)


def guarded(e, axis):
    top = e.amax(axis, keepdim=True)
    return plain(e - top.masked_fill(top.isinf(), 0), axis)


def unguarded(e, mask, hide=lambda e, real: e, weigh=softmax, axis=-1, after=lambda α, real: α):
    """One of the softmaxes above, with the mask before it or after: nothing is done for rows without a real word."""
    real = mask.unsqueeze(1)
    return after(weigh(hide(e, real), axis), real)


def times(α, real):
    return α * real


def divided_again(α, real):
    kept = filled(0)(α, real)
    return kept / kept.sum(-1, keepdim=True).clamp(min=1e-30)


wrong, otherwise = versions(defined), versions(unguarded)
COLUMNS = "Your columns add to 1. Each step i divides its attention among the words j: the last axis."
EMPTY_COLUMNS = f"{COLUMNS} A column whose scores are all −∞ has 0 / 0 for weights: NaN."
softmax_over_the_steps_of_the_decoder = otherwise("softmax", hide=filled(-inf), axis=1, after=filled(0))(COLUMNS)
sum_over_the_steps_of_the_decoder = wrong("softmax", among=1)(COLUMNS)
minus_infinity_and_softmax_over_the_steps_of_the_decoder = otherwise("softmax", hide=filled(-inf), axis=1)(
    EMPTY_COLUMNS
)
minus_infinity_and_exp_over_the_steps_of_the_decoder = otherwise("softmax", hide=filled(-inf), axis=1, weigh=plain)(
    EMPTY_COLUMNS
)


@mistake("softmax")
def a_small_number_added_to_the_sum(e, mask):
    """You add a small number, such as 10⁻⁶, to the sum: the weights of a row add to less than 1. Once its largest score
    is taken away, the sum over the real words is 1 or more, and needs nothing. Where no word is real, put 1 in its
    place."""
    real = mask.unsqueeze(1)
    odds = guarded_exp(e, real)
    return odds / (odds.sum(-1, keepdim=True) + 1e-6)


softmax_over_the_sentences = otherwise("softmax", hide=filled(-inf), axis=0)(
    "You divide by a sum over the batch: sentences know nothing of each other. The axis is the last."
)
softmax_over_the_whole_sentence_pair = wrong(
    "softmax", among=(1, 2), shift=lambda e, real: highest(e, real).amax(1, keepdim=True)
)("All weights of a sentence add to 1 together. Each row has a sum of its own.")

MISSING = "Words that are not real get a share of your weights: the mask is missing."
LATE = "You set weights to 0 after the softmax: those that are left add to less than 1. Mask before it."
LARGE = "And exp(1000) is infinite: take the row's largest score away first."
no_mask = otherwise("mask")(MISSING)
mask_after_the_softmax = otherwise("mask", after=filled(0))(LATE)
plain_softmax = otherwise("mask", weigh=plain)(f"{MISSING} {LARGE}")
plain_softmax_over_the_steps_of_the_decoder = otherwise("softmax", weigh=plain, axis=1)(
    f"{COLUMNS} After that, see to the mask and to large scores."
)
mask_after_a_plain_softmax = otherwise("mask", weigh=plain, after=filled(0))(f"{LATE} {LARGE}")
plain_softmax_multiplied_by_the_mask = otherwise("mask", weigh=plain, after=times)(f"{LATE} {LARGE}")
softmax_multiplied_by_the_mask = otherwise("mask", after=times)(LATE)
score_0_first_and_the_mask_after_the_softmax = otherwise("mask", hide=filled(0), after=filled(0))(LATE)
softmax_with_a_guard_multiplied_by_the_mask = otherwise("mask", weigh=guarded, after=times)(LATE)
a_score_in_place_of_none_and_divided_again = otherwise("stable", hide=filled(0), after=divided_again)(
    "Words that are not real still have a score, 0 or −100, say, when you take the largest away. In a row of real "
    "scores near −1000 it is the largest, and every real exp is 0. Look for the largest among the real words."
)
a_score_of_minus_1000_in_place_of_none = otherwise("stable", hide=filled(-1e3), after=filled(0))(
    "You give words that are not real a score of about −1000. Real ones may be as low: then those get a share. Nothing "
    "finite is sure to be low enough but the lowest number of the dtype; −∞ is."
)


@mistake("stable")
def plain_exp_multiplied_by_the_mask(e, mask):
    """exp(1000) is infinite: take the row's largest score away first. Do not multiply by 0 what you do not want: 0 ·
    NaN is NaN; torch.where picks. And where no word is real, you divide 0 by 0."""
    odds = e.exp() * mask.unsqueeze(1)
    return odds / odds.sum(-1, keepdim=True)


score_0_in_place_of_none = otherwise("mask", hide=filled(0))(
    "You set the scores of words that are not real to 0, but exp(0) = 1. Their exp must be 0."
)
scores_multiplied_by_the_mask = otherwise("mask", hide=times)(
    "You multiply the scores by the mask. A score of 0 still has exp(0) = 1, and 0 · NaN is NaN."
)
scores_multiplied_by_the_mask_and_low_ones_added = otherwise(
    "padding", hide=lambda e, real: e * real + torch.where(real, 0, -1e9), after=times
)(
    "You multiply the scores by the mask, but 0 · NaN and 0 · ∞ are NaN: masked_fill or torch.where puts another "
    "number in the place of such a score."
)
score_0_in_place_of_none_unless_all = otherwise(
    "mask", hide=filled(0), after=lambda α, real: α * real.any(-1, keepdim=True)
)("You set the scores of words that are not real to 0, but exp(0) = 1. Their exp must be 0.")
mask_inverted = wrong("mask", read=lambda mask: ~mask)(
    "You leave out the words that are real. The mask is True where a word is real."
)
mask_read_as_a_length = wrong("mask", read=lambda mask: torch.arange(mask.shape[1]) < mask.sum(1, keepdim=True))(
    "You take as many words as are real from the left. The mask says which: they may stand anywhere."
)
the_mask_of_the_first_sentence = wrong("mask", read=lambda mask: mask[:1].expand_as(mask))(
    "All your sentences have the first one's mask. Each has its own."
)
exp_of_large_scores = wrong("stable", shift=lambda e, real: e.new_zeros(1))(
    "exp(1000) is infinite, and exp(−1000) is 0. Take the row's largest score away first: the weights stay the same."
)
ONE = (
    "You take one and the same number away from several rows: in a row far below it every exp is 0. Take each row's "
    "own largest score."
)


def highest_of_all(e, real):
    return e[real].max() if real.any() else e.new_zeros(1)


def highest_of_the_sentence(e, real):
    return highest(e, real).amax(1, keepdim=True)


one_shift_for_several_rows = wrong("stable", shift=highest_of_all)(ONE)
one_shift_for_several_rows_and_0_divided_by_0 = wrong("stable", shift=highest_of_all, empty=no_real_word)(ONE)
one_shift_for_the_rows_of_a_sentence = wrong("stable", shift=highest_of_the_sentence)(ONE)
one_shift_for_the_rows_of_a_sentence_and_0_divided_by_0 = wrong(
    "stable", shift=highest_of_the_sentence, empty=no_real_word
)(ONE)


def mean(e, real):
    return filled(0)(e, real).sum(-1, keepdim=True) / real.sum(-1, keepdim=True).clamp(min=1)


def first(e, real):
    place = real.int().argmax(-1, keepdim=True)
    return torch.where(real.any(-1, keepdim=True), e.gather(-1, place), 0)


AWAY = (
    "You take each row's {} away. Another one may be 1000 above it, and exp(1000) is infinite. Take the largest away: "
    "no exp is more than 1."
)
mean_taken_away = wrong("stable", shift=mean)(AWAY.format("mean"))
smallest_score_taken_away = wrong("stable", shift=lambda e, real: filled(inf)(e, real).amin(-1, keepdim=True))(
    AWAY.format("smallest score")
)
first_score_taken_away = wrong("stable", shift=first)(AWAY.format("first score"))


def at_most_10_below(e, real):
    """The scores, those cut off that lie more than 10 below the row's largest."""
    return torch.maximum(cleaned(e, real), highest(e, real) - 10)


gaps_cut_off = wrong("stable", clean=at_most_10_below)(
    "You cut off scores that lie far below the row's largest, at −10, say. exp(−10) is 0.00005, and exp(−20) far less: "
    "what lies further below must weigh less. Nothing overflows there: exp of a low number is 0."
)
ALL = "You look for the largest score among all words. It may be one that is not real: mask first."
shift_by_a_word_that_is_not_real = wrong("padding", shift=lambda e, real: e.amax(-1, keepdim=True))(ALL)


@mistake("padding", ALL)
def shift_by_any_word_and_a_mask_after_it(e, mask):
    real = mask.unsqueeze(1)
    m = torch.where(real.any(-1, keepdim=True), e.detach().amax(-1, keepdim=True), 0)
    odds = (filled(-inf)(e, real) - m).exp()
    total = odds.sum(-1, keepdim=True)
    return odds / torch.where(no_real_word(total, real), 1, total)


@mistake("padding")
def exp_multiplied_by_the_mask(e, mask):
    """You multiply by 0 what you do not want. It may be NaN or infinite, and 0 · NaN is NaN: torch.where picks."""
    odds = (e - highest(e, mask.unsqueeze(1)).clamp(min=-1e30)).exp() * mask.unsqueeze(1)
    total = odds.sum(-1, keepdim=True)
    return odds / total.masked_fill(total == 0, 1)


nothing_to_divide = otherwise("nothing", hide=filled(-inf))(
    "Where no word is real, your weights are NaN: so are −∞ − (−∞), which comes of scores that are all −∞, and 0 / 0, "
    "which comes of exps that are all 0. Each weight is 0 there."
)
minus_infinity_and_exp_of_large_scores = otherwise("stable", hide=filled(-inf), weigh=plain)(
    "exp(1000) is infinite: take the row's largest score away first. And where no word is real, you divide 0 by 0."
)
equal_shares_of_nothing = otherwise("nothing", hide=filled(-1e9))(
    "Where no word is real, each of your words has the same weight, as it has where all scores are equally low. It is "
    "0 there."
)


def highest_without_gradient(e, real):
    return highest(e, real).detach()


def same(e, real):
    return e


def finite(e, real):
    return torch.where(e.isfinite(), e, 0)


WITHIN = (
    "Your values are right, but the gradient is NaN where a score is: torch.where gives it the gradient 0, and on the "
    "way back through exp 0 · NaN = NaN. Set such scores to a number before you compute with them."
)
padding_within_the_exponent = wrong("gradient", clean=same)(WITHIN)
padding_within_the_exponent_beside_a_detached_shift = wrong("gradient", clean=same, shift=highest_without_gradient)(
    WITHIN
)
LEFT = (
    "Your values are right, but the gradient is NaN where a score that is not real is very large: its exp is infinite, "
    "and on the way back 0 · ∞ = NaN. You put a number in the place of NaN, of ∞ perhaps, and this score is left. Put "
    "one in the place of every score that is not real: the mask says which."
)
large_padding_within_the_exponent = wrong("gradient", clean=finite)(LEFT)
large_padding_within_the_exponent_beside_a_detached_shift = wrong(
    "gradient", clean=finite, shift=highest_without_gradient
)(LEFT)


@mistake("gradient")
def scores_filled_in_place(e, mask):
    """You write into the scores, which belong to the caller. masked_fill without _ makes a new tensor."""
    with torch.no_grad():
        e.masked_fill_(~mask.unsqueeze(1), -inf)
    return defined(e, mask)


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
    *kinds: str, batch: tuple[int, int] = (1, 3), levels: tuple[int, ...] = (0,), pads: tuple[float, ...] = ()
) -> Callable[[Random, int], Case]:
    """Sentences that are "full", "padded" or of "nothing" real, each in turn, so many of them."""

    def drawn(rng: Random, size: int) -> Case:
        words = rng.randint(3, 5)
        length = {"full": lambda: words, "padded": lambda: rng.randint(1, words - 1), "nothing": lambda: 0}
        sentences = rng.randint(*batch)
        return scores(rng, [length[kinds[(size + b) % len(kinds)]]() for b in range(sentences)], words, levels, pads)

    return drawn


def draw_far_below(rng: Random, size: int) -> Case:
    """Real scores near −1000, those that are not real far below them: without a mask, too, these weigh nothing.

    The real words come first: a mask that is read as a length is the same here.
    """
    words = rng.randint(3, 5)
    made = scores(rng, [words], words, levels=(-1000,))
    e, mask = made.arguments
    mask[:, (real := rng.randint(1, words - 1)) :] = False
    e[..., real:] = -1e30
    return replace(made, words=f"1 sentence, {e.shape[1]} × {words} scores near −1000, {real} of {words} words real")


def draw_far_apart(rng: Random, size: int) -> Case:
    """Real scores that lie 1000 apart within each row; in one the first is the largest, in one the last."""
    words, queries = rng.randint(3, 5), rng.randint(2, 4)
    e = tensor(rng, 1, queries, words)
    highest = rng.sample([0, words - 1, *(rng.randrange(words) for _ in range(queries - 2))], queries)
    for row, place in zip(e[0], highest, strict=True):
        levels = [rng.choice((0.0, -1000.0)) for _ in range(words)]
        levels[place], levels[place - 1] = 1000.0, -1000.0
        row += torch.tensor(levels)
    mask = torch.ones(1, words, dtype=torch.bool)
    text = f"1 sentence, {queries} × {words} scores, 1000 apart within each row, every word real"
    return Case((e, mask), text, scale=float(e.abs().max()), terms=words)


def one_above(rng: Random, least: float, most: float) -> torch.Tensor:
    """Rows of three scores, in each of which one lies `least` to `most` above the others."""
    e = tensor(rng, 1, rng.randint(2, 4), 3)
    for row in e[0]:
        top = rng.randrange(3)
        row[:] = torch.tensor([float(row[top]) - (each != top) * rng.uniform(least, most) for each in range(3)])
    return e


def draw_gaps(rng: Random, size: int) -> Case:
    """In each row all scores but one lie 14 to 30 below it: what is to weigh nothing weighs 0.00005 if they are cut."""
    e = one_above(rng, 14, 30)
    text = f"1 sentence, {e.shape[1]} × 3 scores, one in each row 14 to 30 above the others, every word real"
    return Case((e, torch.ones(1, 3, dtype=torch.bool)), text, terms=3)


def draw_nearly_one(rng: Random, size: int) -> Case:
    """In each row one score lies 4 above the others: the sum is little more than 1, and what is added to it shows.

    In float64, where 10⁻⁶ is no rounding; 10⁻⁷, and what is rounded to float32 on the way, is within what is allowed.
    """
    e = one_above(rng, 4, 4.5)
    text = f"1 sentence, {e.shape[1]} × 3 scores in float64, one in each row 4 above the others, every word real"
    return Case((e.double(), torch.ones(1, 3, dtype=torch.bool)), text, scale=200.0, terms=3)


def draw_all(pads: tuple[float, ...]) -> Callable[[Random, int], Case]:
    """Sentences with words that are not real, one of them without a real word."""
    return lambda rng, size: scores(rng, [rng.randint(1, 2), 0, 3], 3, pads=pads)


def whatever_stands_there(function: Callable, case: Case) -> Parts:
    """The probe that looks at the weights; where nothing is real, only at whether they depend on the scores."""
    (e, mask), see = case.arguments, values_probe("weights", "weights")
    seen = see(function, case)
    if mask.any():
        return seen
    other = see(function, replace(case, arguments=(torch.zeros_like(e), mask)))
    return Parts(
        {'"where no word is real, the weights do not depend on the scores"': difference(other, seen, case) is None}
    )


TASK = task(
    __name__,
    "From scores to weights",
    returns="weights",
    kind=Numbers,
    criteria=(
        criterion("softmax", 1, alternate(draw("full", batch=(2, 3)), draw_nearly_one), "weights")(
            "Every word is real: each row adds to 1."
        ),
        criterion("mask", 1.5, draw("padded", "full", batch=(2, 3)), "weights")(
            "Words that are not real have weight 0, wherever they stand, and the others add to 1."
        ),
        criterion(
            "stable",
            1.5,
            alternate(draw("full", batch=(2, 3), levels=(1000, -1000, 0)), draw_far_below, draw_far_apart, draw_gaps),
            "weights",
            visible=4,
            graded=8,
        )("Large scores, of either sign: exp does not overflow, and no sum becomes 0."),
        criterion(
            "padding",
            1,
            alternate(draw("padded", pads=ANYTHING), draw("nothing", batch=(1, 2), pads=ANYTHING)),
            whatever_stands_there,
            visible=4,
            graded=8,
        )("Words that are not real may have any score, even NaN or infinite."),
        criterion("nothing", 1, draw("nothing", "full", batch=(2, 3)), "weights")(
            "Where no word is real, every weight is 0."
        ),
        gradient(alternate(draw_all(NAN), draw_all((1000.0, torch.nan))))(
            "It is fit for training: the gradient of what your function computes is right, also where scores that are "
            "not real are NaN or very large; a call changes no argument."
        ),
        dtype(draw("full", "padded", levels=(1000,)))(
            "The weights have the dtype of the scores, float64 or float32, and its precision."
        ),
    ),
    forbidden=(
        *LIBRARY,
        *(f"torch.{name}" for name in ("softmax", "_softmax", "_log_softmax", "_safe_softmax", "_masked_softmax")),
        "torch.sparse.softmax",
        "torch._scaled_dot_product_flash_attention_for_cpu",  # with unit vectors for keys, it weighs them as e says
    ),
)
