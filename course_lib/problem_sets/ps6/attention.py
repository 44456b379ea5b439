"""ps6.attention: softmax(Q K^⊤ / √d_k) V with a mask (Vaswani et al. 2017, equation 1)."""

from functools import partial

from torch import Tensor

from course_lib.attention import ScaledDotProduct
from course_lib.grading.cases import unfit
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Misconception, Task
from course_lib.problem_sets.ps6 import layers
from course_lib.problem_sets.ps6 import wrong_attention as wrong
from course_lib.problem_sets.ps6.attention_cases import draw
from course_lib.problem_sets.ps6.layers import Few
from course_lib.problem_sets.ps6.own_weights import VALUES, both, of_each_head, of_own_weights


def reference(Q: Tensor, K: Tensor, V: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
    """The contexts (…, query, d_v) and the weights (…, query, key); `mask` is True where a query may look at a key."""
    return ScaledDotProduct()(Q, K, V, mask)


NOT_LOW = (
    "What you fill in for hidden scores is not low enough: where the other scores are lower, hidden keys get the "
    "weight. Fill in −∞, or −1e9."
)
NOT_LOWERED = (
    "What you take off hidden scores is not enough: where they are large, hidden keys get weight. Fill in −∞, or −1e9, "
    "whatever the score was."
)
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
            draw(wide=True, batch=(1, 2)),
            probe=of_own_weights(),
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
            "One more axis before the last two, heads: each gives what it gives alone, and the mask holds for all.",
            draw(wide=True, masked=True, batch=(2, 2), heads=True),
            probe=of_each_head(),
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
            "contexts divided by √d_k",
            wrong.scaled_contexts,
            "context",
            "You divide the contexts by √d_k. Only the scores are divided, before the softmax.",
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
            "masked after the softmax, and divided again",
            wrong.masked_and_divided,
            "mask",
            "You set hidden keys to 0 after exp, and divide by what is left. Where a hidden score is far larger than "
            "the others nothing is left: 0 / 0. Mask the scores, before softmax or the largest score is taken.",
        ),
        Misconception(
            "exp of large scores",
            wrong.exponentials,
            "mask",
            "Your exp overflows: in float32 exp(89) is infinite, and ∞ / ∞ and 0 · ∞ are no numbers. softmax subtracts "
            "the largest score first; hide scores before that.",
        ),
        Misconception(
            "one maximum for all queries",
            wrong.with_one_maximum,
            "mask",
            "You subtract the largest score of the whole batch. Where a query's scores lie far below it, its exps are "
            "all 0: subtract each query's own largest score, or take softmax.",
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
            NOT_LOW,
        ),
        Misconception("a number filled in that scores can reach", wrong.filled_in_far_below, "mask", NOT_LOW),
        Misconception(
            "a small number subtracted",
            wrong.lowered,
            "mask",
            NOT_LOWERED,
        ),
        Misconception("a number subtracted that scores can reach", wrong.lowered_far, "mask", NOT_LOWERED),
        Misconception(
            "scores clamped",
            wrong.clamped,
            "mask",
            "Large scores that differ give equal weights: do you clamp them? softmax subtracts the largest score: "
            "nothing overflows.",
        ),
        Misconception(
            "one mask for all queries",
            wrong.first_querys_mask,
            "mask",
            "All your queries have the first one's mask. Each has a row of its own.",
        ),
        Misconception(
            "softmax over axis 1",
            wrong.axis_1,
            "heads",
            "Your softmax runs over axis 1: these are the queries, and with heads the heads. Count from the end: the "
            "keys are −1.",
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
        *layers.imprecise(wrong.defined, "contexts"),
    ),
    forbidden=layers.ATTENTION,
)
