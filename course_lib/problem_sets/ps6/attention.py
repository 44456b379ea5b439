"""ps6.attention: softmax(Q K^⊤ / √d_k) V with a mask (Vaswani et al. 2017, equation 1)."""

from collections.abc import Callable
from dataclasses import replace
from math import inf, sqrt
from random import Random

import torch
from torch import Tensor

from course_lib.attention import ScaledDotProduct
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6.layers import ATTENTION, Few, case, everything, some
from course_lib.problem_sets.ps6.own_weights import VALUES, both, of_each_head, of_own_weights


def reference(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """The contexts (…, query, d_v) and the weights (…, query, key); `mask` is True where a query may look at a key."""
    return ScaledDotProduct()(Q, K, V, mask)


# Mistakes


def filled(number):
    return lambda e, mask: e.masked_fill(~mask, number)


hidden = filled(-inf)


def divided_again(α, mask):
    return α * mask / (α * mask).sum(-1, keepdim=True)


def defined(
    Q,
    K,
    V,
    mask,
    scale=lambda Q, K, V: sqrt(Q.shape[-1]),
    hide=hidden,
    axis=-1,
    after=lambda α, mask: α,
    look=lambda α, V: α @ V,
):
    α = after(hide(Q @ K.mT / scale(Q, K, V), mask).softmax(axis), mask)
    return look(α, V), α


wrong = versions(defined)
COLUMNS = "Your columns add to 1. Each query divides its attention among the keys: the softmax runs over the last axis."
softmax_over_the_queries = wrong("weights", axis=-2)(COLUMNS)
softmax_over_the_queries_with_a_large_negative_number = wrong("weights", axis=-2, hide=filled(-1e9))(COLUMNS)


@mistake("weights")
def weights_before_contexts(*given):
    """You return the weights first. The contexts come first, then the weights."""
    return defined(*given)[::-1]


@mistake("weights")
def scores_returned(Q, K, V, mask):
    """You return the scores. The weights are wanted: after the softmax."""
    return defined(Q, K, V, mask)[0], Q @ K.mT / sqrt(Q.shape[-1])


not_scaled = wrong("scale", scale=lambda *_: 1.0)(
    "You do not divide the scores by √d_k. The wider Q and K are, the larger are their products, and the closer is the "
    "softmax to picking one key."
)
divided_by_d_k = wrong("scale", scale=lambda Q, K, V: Q.shape[-1])("You divide by d_k. Divide by its square root.")
divided_by_the_root_of_d_v = wrong("scale", scale=lambda Q, K, V: sqrt(V.shape[-1]))(
    "You divide by √d_v, the width of the values. The products are sums over the width of Q and K."
)
divided_by_the_root_of_the_number_of_keys = wrong("scale", scale=lambda Q, K, V: sqrt(K.shape[-2]))(
    "You divide by the root of the number of keys: that is another axis of K. d_k is the last one."
)


@mistake("scale")
def weights_divided(Q, *others):
    """You divide the weights: they no longer add to 1. The scores are divided, before the softmax."""
    return not_scaled(Q, *others, after=lambda α, mask: α / sqrt(Q.shape[-1]))


@mistake("context")
def contexts_divided(Q, *others):
    """You divide the contexts by √d_k. Only the scores are divided, before the softmax."""
    contexts, α = defined(Q, *others)
    return contexts / sqrt(Q.shape[-1]), α


mean_of_the_values = wrong("context", look=lambda α, V: V.mean(-2, keepdim=True).expand(*α.shape[:-1], -1))(
    "Your context is the mean of all values. The weights say how much each counts."
)
the_best_value_only = wrong(
    "context", look=lambda α, V: V.gather(-2, α.argmax(-1, keepdim=True).expand(*α.shape[:-1], V.shape[-1]))
)("Your context is the value with the largest weight. It is the sum of all values, each times its weight.")


@mistake("context")
def keys_in_place_of_values(Q, K, V, mask):
    """Your contexts add up keys. Keys are compared with queries; what a query gets are the values, V."""
    return defined(Q, K, K, mask)


no_mask = wrong("mask", hide=lambda e, mask: e)("You do not use the mask.")
INVERTED = "You hide the keys where the mask is True. True says that a query may look."
mask_turned_round = wrong("mask", hide=lambda e, mask: filled(-1e9)(e, ~mask))(INVERTED)
mask_turned_round_with_infinity = wrong("weights", hide=lambda e, mask: hidden(e, ~mask))(
    f"{INVERTED} And a query that may look at no key has 0 / 0 for weights."
)
masked_after_the_softmax = wrong("mask", hide=lambda e, mask: e, after=lambda α, mask: α * mask)(
    "You set weights to 0 after the softmax: those that are left add to less than 1. Mask the scores."
)
masked_after_the_softmax_and_divided_again = wrong("mask", hide=lambda e, mask: e, after=divided_again)(
    "You set hidden keys to 0 after exp, and divide by what is left. Where a hidden score is far larger than the "
    "others nothing is left: 0 / 0. Mask the scores, before softmax or the largest score is taken."
)


@mistake("mask")
def exp_of_large_scores(Q, K, V, mask):
    """Your exp overflows: in float32 exp(89) is infinite, and ∞ / ∞ and 0 · ∞ are no numbers. softmax subtracts the
    largest score first; hide scores before that."""
    α = divided_again((Q @ K.mT / sqrt(Q.shape[-1])).exp(), mask)
    return α @ V, α


@mistake("mask")
def one_maximum_for_all_queries(Q, K, V, mask):
    """You subtract the largest score of the whole batch. Where a query's scores lie far below it, its exps are all 0:
    subtract each query's own largest score, or take softmax."""
    e = hidden(Q @ K.mT / sqrt(Q.shape[-1]), mask)
    odds = (e - e.max()).exp()
    α = odds / odds.sum(-1, keepdim=True)
    return α @ V, α


hidden_scores_are_0 = wrong("mask", hide=lambda e, mask: e * mask)(
    "Your hidden scores are 0 or nearly so. That is a score like any other: exp(0) is 1. Fill in −∞, or −1e9."
)
NOT_LOW = (
    "What you fill in for hidden scores is not low enough: where the other scores are as low, or lower, hidden keys "
    "get weight. Fill in −∞, or −1e9."
)
a_small_number_filled_in = wrong("mask", hide=filled(-20.0))(NOT_LOW)
a_number_filled_in_that_scores_can_reach = wrong("mask", hide=filled(-1e4))(NOT_LOW)
the_lowest_product_filled_in = wrong("mask", hide=filled(-1e5))(NOT_LOW)
NOT_LOWERED = (
    "What you take off hidden scores is not enough: where they are large, hidden keys get weight. Fill in −∞, or −1e9, "
    "whatever the score was."
)
a_small_number_subtracted = wrong("mask", hide=lambda e, mask: e - 20.0 * ~mask)(NOT_LOWERED)
a_number_subtracted_that_scores_can_reach = wrong("mask", hide=lambda e, mask: e - 5e4 * ~mask)(NOT_LOWERED)
scores_clamped = wrong("mask", hide=lambda e, mask: hidden(e.clamp(-5000, 5000), mask))(
    "Large scores that differ give equal weights: do you clamp them? softmax subtracts the largest score: nothing "
    "overflows."
)


@mistake("mask")
def one_mask_for_all_queries(Q, K, V, mask):
    """All your queries have the first one's mask. Each has a row of its own."""
    return defined(Q, K, V, mask[..., :1, :])


softmax_over_axis_1 = wrong("heads", axis=1)(
    "Your softmax runs over axis 1: these are the queries, and with heads the heads. Count from the end: the keys are "
    "−1."
)
softmax_over_axis_2 = wrong("heads", axis=2)(
    "Your softmax runs over axis 2: with heads, these are the queries. Count from the end: the keys are −1."
)
width_taken_from_axis_2 = wrong("heads", scale=lambda Q, K, V: sqrt(Q.shape[2]))(
    "You divide by the root of Q's size along axis 2: with heads, that is how many queries there are. Count from the "
    "end: d_k is the size along −1."
)


@mistake("heads")
def axes_1_and_2_exchanged(Q, K, V, mask):
    """You exchange axes 1 and 2 of K: with heads, these are heads and keys. Exchange the last two, −2 and −1."""
    α = hidden(Q @ K.transpose(1, 2) / sqrt(Q.shape[-1]), mask).softmax(-1)
    return α @ V, α


@mistake("gradient")
def scaled_in_place(Q, *others):
    """You change Q, which belongs to the caller: /= writes into it, as does a method whose name ends in _. Q / … makes
    a new tensor."""
    with torch.no_grad():
        Q /= sqrt(Q.shape[-1])
    return not_scaled(Q, *others)


weights_cut_off_from_the_gradient = wrong("gradient", look=lambda α, V: α.detach() @ V)(
    "No gradient passes from the contexts to Q and K: is there a detach?"
)

# Cases

FAR = 20.0  # the largest number of a case with large scores that counts for a result


def draw(
    wide: bool = False,
    masked: bool = False,
    batch: tuple[int, int] = (1, 1),
    heads: bool = False,
    far: bool = False,
    alike: bool = False,
) -> Callable[[Random, int], Case]:
    """So many sentences; `wide`: d_k > 1, and not the number of keys nor d_v; `heads`: Q, K and V have an axis more.

    In every other case there are as many queries as keys, and heads as sentences, and d_v is d_k if `alike`. `far`: in
    the others, scores are large.
    """

    def drawn(rng: Random, size: int) -> Case:
        apart = far and size % 2
        queries, keys, d_v = until(lambda: rng.sample(range(3, 7), 3), lambda queries, keys, d_v: keys > 3 or not apart)
        if size % 2 != far:
            queries = keys
        d_k = rng.choice([d for d in range(2, 9) if d not in (queries, keys, d_v)]) if wide else 1
        if alike and size % 2:
            d_v = d_k
        sentences = 5 if apart else rng.randint(*batch)
        several = sentences if size % 2 else sentences + 1
        shape = (sentences, several) if heads else (sentences,)
        Q, K, V = (tensor(rng, *shape, *each) for each in ((queries, d_k), (keys, d_k), (keys, d_v)))
        mask = everything(sentences, queries, keys)
        if masked:  # that of sentence 1 is another than that of sentence 0, and turned it is another one
            (mask,) = until(
                lambda: (some(rng, sentences, queries, keys),),
                lambda m: (sentences < 2 or (m[0] != m[1]).any()) and not torch.equal(m, m.mT),
            )
        if heads:
            mask = (mask if size % 2 else mask[:, :1]).unsqueeze(1)
        Q = 1.5 * Q
        if apart:
            mask = the_same_for_all(rng, sentences, queries, keys)
            Q, K = 10 + 0.2 * Q, far_apart(K, mask)
            Q[3, -1] *= -1
            Q[4] = 10.0
        said = ", ".join([f"Q {tuple(Q.shape)}", f"K {tuple(K.shape)}", f"V {tuple(V.shape)}"])
        seen = (
            "every query may look at every key" if mask.all() else f"the mask is False in {int((~mask).sum())} places"
        )
        seen += ", where the scores are large" * apart
        made = case(f"{said}, {seen}", d_k + keys, Q, K, V, mask)
        return replace(made, scale=FAR) if apart else made

    return drawn


def the_same_for_all(rng: Random, batch: int, queries: int, keys: int) -> Tensor:
    """A mask that is the same for all queries of a sentence: it hides two keys or more, and shows two or more."""
    mask = torch.zeros(batch, queries, keys, dtype=torch.bool)
    for sentence in mask:
        sentence[:, rng.sample(range(keys), rng.randint(2, keys - 2))] = True
    return mask


def far_apart(K: Tensor, mask: Tensor) -> Tensor:
    """Keys (batch, key, 1) for queries near 10.

    In sentence 0 shown keys have scores near −45, hidden ones of 20 000 and more; in sentence 1 those that are shown
    are near 200, where exp overflows, those that are hidden near −45; in sentence 2 all are near −45. In sentence 3
    shown keys have scores near −80 000, each another, and hidden ones near 80 000; a query near −10 turns them round.
    In sentence 4 shown keys have the lowest score that there may be, −100 000, for queries that are 10; hidden ones
    have 20 000 and more.
    """
    shown, number = mask[:, 0].unsqueeze(-1), torch.arange(len(K)).view(-1, 1, 1)
    large = 2000 + 200 * torch.arange(K.shape[1]).view(-1, 1)
    scores = torch.where((number == 1) & shown, FAR, torch.where((number == 0) & ~shown, large, -4.5))
    scores = torch.where(number == 3, torch.where(shown, -1, 1) * (5500 + large), scores)
    return torch.where(number == 4, torch.where(shown, -10_000.0, large), scores + 0.1 * K)


TASK = task(
    __name__,
    "Scaled dot-product attention",
    returns=VALUES,
    kind=Few,
    criteria=(
        criterion("weights", 1, draw(batch=(2, 3)), "weights")("The weights where d_k is 1: softmax over the keys."),
        criterion("scale", 1, draw(wide=True), "weights")(
            "The weights where d_k is larger: the scores are divided by √d_k."
        ),
        criterion("context", 1, draw(wide=True, batch=(1, 2), alike=True), of_own_weights())(
            "Each context is the sum of the values, each times its weight."
        ),
        criterion("mask", 1, draw(masked=True, batch=(2, 3), far=True), both)(
            "A query has weight 0 at keys that it may not look at, and the others add to 1."
        ),
        criterion("heads", 1, draw(wide=True, masked=True, batch=(2, 2), heads=True), of_each_head())(
            "One more axis before the last two, heads: each gives what it gives alone, and the mask holds for all."
        ),
        gradient(draw(wide=True, masked=True, batch=(2, 2)))(
            "It is fit for training: the gradient of what your function computes is right for Q, K and V; a call "
            "changes no argument."
        ),
        dtype(draw(wide=True), inexact="contexts")(
            "Contexts and weights have the dtype of Q, float64 or float32, and its precision."
        ),
    ),
    forbidden=ATTENTION,
)
