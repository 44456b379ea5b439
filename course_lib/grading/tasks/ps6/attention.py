"""ps6.attention: softmax(Q K^⊤ / √d_k) V with a mask (Vaswani et al. 2017, equation 1)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor

from course_lib.attention import ScaledDotProduct
from course_lib.grading.cases import unfit
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.grading.tasks.ps6 import layers
from course_lib.grading.tasks.ps6 import wrong_attention as wrong
from course_lib.grading.tasks.ps6.layers import Few, case, everything, some

VALUES = "contexts weights"


def reference(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """The contexts (…, query, d_v) and the weights (…, query, key); `mask` is True where a query may look at a key."""
    return ScaledDotProduct()(Q, K, V, mask)


# Cases


def draw(
    wide: bool = False,
    masked: bool = False,
    batch: tuple[int, int] = (1, 1),
    heads: bool = False,
    far: bool = False,
) -> Callable[[Random, int], Case]:
    """So many sentences; `wide`: d_k > 1, and not the number of keys nor d_v; `heads`: Q, K and V have an axis more.

    `far`: in every other case hidden keys have scores near 25, the others near −45.
    """

    def drawn(rng: Random, size: int) -> Case:
        apart = far and size % 2
        queries, keys, d_v = until(lambda: rng.sample(range(3, 7), 3), lambda queries, keys, d_v: keys > 3 or not apart)
        d_k = rng.choice([d for d in range(2, 9) if d not in (queries, keys, d_v)]) if wide else 1
        sentences, several = rng.randint(*batch), rng.randint(2, 3)
        shape = (sentences, several) if heads else (sentences,)
        Q, K, V = (tensor(rng, *shape, *each) for each in ((queries, d_k), (keys, d_k), (keys, d_v)))
        mask = some(rng, sentences, queries, keys) if masked else everything(sentences, queries, keys)
        if heads:
            mask = mask[:, :1].unsqueeze(1)
        Q = 1.5 * Q
        if apart:
            mask = alike(rng, sentences, queries, keys)
            Q, K = 10 + 0.2 * Q, 0.1 * K + torch.where(mask[:, 0].unsqueeze(-1), -4.5, 2.5)
        said = ", ".join([f"Q {tuple(Q.shape)}", f"K {tuple(K.shape)}", f"V {tuple(V.shape)}"])
        seen = (
            "every query may look at every key" if mask.all() else f"the mask is False in {int((~mask).sum())} places"
        )
        seen += ", where the scores are large" * apart
        return case(f"{said}, {seen}", d_k + keys, Q, K, V, mask)

    return drawn


def alike(rng: Random, batch: int, queries: int, keys: int) -> Tensor:
    """A mask that is the same for all queries of a sentence: it hides two keys or more, and shows two or more."""
    mask = torch.zeros(batch, queries, keys, dtype=torch.bool)
    for sentence in mask:
        sentence[:, rng.sample(range(keys), rng.randint(2, keys - 2))] = True
    return mask


both = seeing(VALUES, VALUES)
INVERTED = "You hide the keys where the mask is True. True says that a query may look."
COLUMNS = "Your columns add to 1. Each query divides its attention among the keys: the softmax runs over the last axis."

TASK = Task(
    name="ps6.attention",
    title="Scaled dot-product attention",
    reference=reference,
    trains=True,
    criteria=(
        Few(
            "weights",
            1,
            "The weights where d_k is 1: softmax over the keys.",
            draw(batch=(2, 3)),
            probe=seeing(VALUES, "weights"),
        ),
        Few(
            "scale",
            1,
            "The weights where d_k is larger: the scores are divided by √d_k.",
            draw(wide=True),
            probe=seeing(VALUES, "weights"),
        ),
        Few(
            "context",
            1,
            "Each context is the sum of the values, each times its weight.",
            draw(batch=(1, 2)),
            probe=seeing(VALUES, "contexts"),
        ),
        Few(
            "mask",
            1,
            "A query has weight 0 at keys that it may not look at, and the others add to 1.",
            draw(masked=True, batch=(2, 3), far=True),
            probe=both,
        ),
        Few(
            "heads",
            1,
            "One more axis before the last two: heads, for which the mask is the same.",
            draw(masked=True, batch=(2, 2), heads=True),
            probe=both,
        ),
        *fit_for_training(
            "Q K V mask",
            VALUES,
            wrong.defined,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right for Q, K and V; a call "
                "changes no argument.",
                draw(wide=True, masked=True, batch=(2, 2)),
            ),
            dtype=("Contexts and weights have the dtype of Q, float64 or float32, and its precision.", draw(wide=True)),
            kind=Few,
            looks=partial(precisely, defined=wrong.defined),
        ),
    ),
    misconceptions=(
        Misconception("softmax over the queries", wrong.over_the_queries, "weights", COLUMNS),
        Misconception(
            "softmax over the queries, with a large negative number",
            wrong.over_the_queries_without_nan,
            "weights",
            COLUMNS,
        ),
        Misconception(
            "weights before contexts",
            wrong.weights_first,
            "weights",
            "You return the weights first. The contexts come first, then the weights.",
        ),
        Misconception(
            "scores returned",
            wrong.scores_for_weights,
            "weights",
            "You return the scores. The weights are wanted: after the softmax.",
        ),
        Misconception(
            "not scaled",
            wrong.unscaled,
            "scale",
            "You do not divide the scores by √d_k. The wider Q and K are, the larger are their products, and the "
            "closer is the softmax to picking one key.",
        ),
        Misconception("divided by d_k", wrong.by_the_width, "scale", "You divide by d_k. Divide by its square root."),
        Misconception(
            "divided by the root of d_v",
            wrong.by_the_values,
            "scale",
            "You divide by √d_v, the width of the values. The products are sums over the width of Q and K.",
        ),
        Misconception(
            "divided by the root of the number of keys",
            wrong.by_the_keys,
            "scale",
            "You divide by the root of the number of keys: that is another axis of K. d_k is the last one.",
        ),
        Misconception(
            "weights divided by √d_k",
            wrong.scaled_weights,
            "scale",
            "You divide the weights: they no longer add to 1. The scores are divided, before the softmax.",
        ),
        Misconception(
            "mean of the values",
            wrong.plain_average,
            "context",
            "Your context is the mean of all values. The weights say how much each counts.",
        ),
        Misconception(
            "the best value only",
            wrong.best_key,
            "context",
            "Your context is the value with the largest weight. It is the sum of all values, each times its weight.",
        ),
        Misconception(
            "keys in place of values",
            wrong.keys_for_values,
            "context",
            "Your contexts add up keys. Keys are compared with queries; what a query gets are the values, V.",
        ),
        Misconception("no mask", wrong.unmasked, "mask", "You do not use the mask."),
        Misconception(
            "mask turned round",
            wrong.inverted,
            "mask",
            INVERTED,
        ),
        Misconception(
            "mask turned round, with −∞",
            wrong.inverted_with_infinity,
            "weights",
            f"{INVERTED} And a query that may look at no key has 0 / 0 for weights.",
        ),
        Misconception(
            "masked after the softmax",
            wrong.masked_afterwards,
            "mask",
            "You set weights to 0 after the softmax: those that are left add to less than 1. Mask the scores.",
        ),
        Misconception(
            "hidden scores are 0",
            wrong.score_zero,
            "mask",
            "Your hidden scores are 0 or nearly so. That is a score like any other: exp(0) is 1. Fill in −∞, or −1e9.",
        ),
        Misconception(
            "a small number filled in",
            wrong.filled_in,
            "mask",
            "What you fill in for hidden scores is not low enough: where the other scores are lower, hidden keys get "
            "the weight. Fill in −∞, or −1e9.",
        ),
        Misconception(
            "a small number subtracted",
            wrong.lowered,
            "mask",
            "What you take off hidden scores is not enough: where they are large, hidden keys get weight. Fill in −∞, "
            "or −1e9, whatever the score was.",
        ),
        Misconception(
            "one mask for all queries",
            wrong.first_querys_mask,
            "mask",
            "All your queries have the first one's mask. Each has a row of its own.",
        ),
        Misconception(
            "softmax over axis 2",
            wrong.axis_from_the_front,
            "heads",
            "Your softmax runs over axis 2: with heads, these are the queries. Count from the end: the keys are −1.",
        ),
        Misconception(
            "width taken from axis 2",
            wrong.width_from_the_front,
            "heads",
            "You divide by the root of Q's size along axis 2: with heads, that is how many queries there are. Count "
            "from the end: d_k is the size along −1.",
        ),
        Misconception(
            "axes 1 and 2 exchanged",
            wrong.turned_from_the_front,
            "heads",
            "You exchange axes 1 and 2 of K: with heads, these are heads and keys. Exchange the last two, −2 and −1.",
        ),
        Misconception(
            "scaled in place",
            wrong.scaled_in_place,
            "gradient",
            "You change Q, which belongs to the caller: /= writes into it, as does a method whose name "
            "ends in _. Q / … makes a new tensor.",
        ),
        Misconception(
            "weights cut off from the gradient",
            wrong.weights_cut,
            "gradient",
            "No gradient passes from the contexts to Q and K: is there a detach?",
        ),
        *unfit.mistakes(wrong.defined),
    ),
    forbidden=layers.ATTENTION,
)
