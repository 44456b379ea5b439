"""ps4.multiplicative_score: every decoder state against every encoder state (Luong et al. 2015, "general").

With W in two factors, as in Vaswani et al. (2017), whose queries and keys are U s and V h.
"""

from collections.abc import Callable
from functools import partial
from random import Random

from torch import Tensor
from torch.func import functional_call

from course_lib.attention import Multiplicative
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import Numbers, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps4 import scores, states
from course_lib.problem_sets.ps4.scores import product
from course_lib.problem_sets.ps4.states import case, count, matrix

VALUES = "scores"


def reference(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    """e_ij = s_i^⊤ W h_j with W = U^⊤ V: s (batch, i, query), h (batch, j, key), U (rank, query), V (rank, key)."""
    score = Multiplicative(U.shape[1], V.shape[1])
    return functional_call(score, {"W": U.T @ V}, (s, h))


# Cases


def draw(sentences: tuple[int, int], many: bool, alike: bool = True) -> Callable[[Random, int], Case]:
    """A batch between these sizes with one state on each side, or `many`, as many on both in every second case.

    `alike`: U and V are square, so that what is turned or exchanged by mistake shows in the numbers.
    """

    def drawn(rng: Random, size: int) -> Case:
        queries = keys = 1
        if many:
            queries, keys = rng.sample(range(2, 6), 2)
            queries = keys if size % 2 else queries
        query, key, rank = [rng.randint(2, 4)] * 3 if alike else rng.sample(range(2, 6), 3)
        batch = rng.randint(*sentences)
        s, h = tensor(rng, batch, queries, query), tensor(rng, batch, keys, key)
        words = (
            f"{count(batch, 'sentence')}, {count(queries, 'state')} s of size {query} and {keys} h of size {key}, "
            f"U {rank} × {query}, V {rank} × {key}"
        )
        return case(words, query * key * rank, s, h, matrix(rng, rank, query), matrix(rng, rank, key))

    return drawn


value = seeing(VALUES, VALUES)

TASK = Task(
    name="ps4.multiplicative_score",
    title="The multiplicative score, in two factors",
    reference=reference,
    trains=True,
    criteria=(
        Numbers("one", 1, "One state on each side: (U s)^⊤ (V h).", draw((1, 1), many=False), probe=value),
        Numbers("each", 1, "Every s_i with every h_j, at [i, j].", draw((1, 1), many=True), probe=value),
        Numbers(
            "batch",
            1,
            "Several sentences, each with its own states; s, h and the rank of other sizes.",
            draw((2, 4), many=True, alike=False),
            probe=value,
        ),
        *fit_for_training(
            "s h U V",
            VALUES,
            product,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right for s, h, U and V; a "
                "call changes none of them.",
                draw((2, 2), many=True),
            ),
            dtype=("The scores have the dtype of s, float64 or float32, and its precision.", draw((4, 5), many=False)),
            looks=partial(precisely, defined=product),
        ),
    ),
    misconceptions=(
        Misconception(
            "no matrices",
            scores.plain,
            "one",
            "Your score is the dot product s^⊤h: U and V are missing.",
        ),
        Misconception(
            "U and V exchanged",
            scores.exchanged,
            "one",
            "You multiply s by V and h by U. U makes the query of s, V the key of h.",
        ),
        Misconception(
            "matrices turned",
            scores.turned,
            "one",
            "You compute U^⊤s and V^⊤h. For rows of states, U s is s @ U.T, and V h is h @ V.T.",
        ),
        Misconception(
            "U turned",
            scores.queries_turned,
            "one",
            "You compute U^⊤s. For rows of states, U s is s @ U.T; V h of yours is right.",
        ),
        Misconception(
            "V turned",
            scores.keys_turned,
            "one",
            "You compute V^⊤h. For rows of states, V h is h @ V.T; U s of yours is right.",
        ),
        Misconception("keys without V", scores.only_queries, "one", "You compare U s with h itself: V h is the key."),
        Misconception("queries without U", scores.only_keys, "one", "You compare s itself with V h: U s is the query."),
        Misconception(
            "divided by √rank",
            scores.scaled,
            "one",
            "You divide by the root of the rank, as the Transformer does. Here the score is not scaled.",
        ),
        Misconception(
            "softmax taken already",
            scores.normalised,
            "one",
            "You return weights: each of your rows adds to 1. Here the scores are wanted, before the softmax.",
        ),
        Misconception(
            "each state with one only",
            scores.side_by_side,
            "each",
            "You compare s_1 with h_1, s_2 with h_2, …. Every s_i meets every h_j: the result is (batch, i, j).",
        ),
        Misconception(
            "h before s",
            scores.keys_first,
            "each",
            "Your result is (batch, j, i): turned. A row belongs to a state s_i, a column to an h_j.",
        ),
        Misconception(
            "the last decoder state only",
            scores.last_query,
            "each",
            "All your rows belong to the last s. Each row has its own s_i.",
        ),
        Misconception(
            "the first sentence's states",
            scores.first_sentence,
            "batch",
            "All your sentences look at the encoder states of the first one. Each has its own h.",
        ),
        Misconception(
            "all sentences added up",
            scores.added_up,
            "batch",
            "Each of your sentences meets the sum of all sentences' h. In an einsum, s and h have one letter for the "
            "batch.",
        ),
        *unfit.mistakes(product, weights_from=2),
    ),
    forbidden=(*states.LIBRARY, "course_lib.attention.scores.Multiplicative.project"),
)
