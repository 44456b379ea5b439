"""ps4.multiplicative_score: every decoder state against every encoder state (Luong et al. 2015, "general").

With W in two factors, as in Vaswani et al. (2017), whose queries and keys are U s and V h.
"""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.attention import Multiplicative
from course_lib.grading.cases.numbers import Numbers, count, tensor
from course_lib.grading.declare import criterion, dtype, gradient, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.states import LIBRARY, case, matrix


def reference(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    """e_ij = s_i^⊤ W h_j with W = U^⊤ V: s (batch, i, query), h (batch, j, key), U (rank, query), V (rank, key)."""
    score = Multiplicative(U.shape[1], V.shape[1])
    return functional_call(score, {"W": U.T @ V}, (s, h))


# Mistakes


def same(*given):
    return given[0]


def defined(s, h, U, V, of_s=same, of_h=same, letters="biq,rq,rk,bjk->bij", after=same):
    return after(torch.einsum(letters, of_s(s), U, V, of_h(h)), s, U)


def by_factors(
    s,
    h,
    U,
    V,
    factors=lambda U, V: (U, V),
    query=lambda s, U: s @ U.T,
    key=lambda h, V: h @ V.T,
    compare=lambda q, k: q @ k.mT,
):
    U, V = factors(U, V)
    return compare(query(s, U), key(h, V))


wrong, otherwise = versions(defined), versions(by_factors)
no_matrices = otherwise("one", query=same, key=same)("Your score is the dot product s^⊤h: U and V are missing.")
U_and_V_exchanged = otherwise("one", factors=lambda U, V: (V, U))(
    "You multiply s by V and h by U. U makes the query of s, V the key of h."
)
matrices_turned = otherwise("one", factors=lambda U, V: (U.T, V.T))(
    "You compute U^⊤s and V^⊤h. For rows of states, U s is s @ U.T, and V h is h @ V.T."
)
U_turned = otherwise("one", factors=lambda U, V: (U.T, V))(
    "You compute U^⊤s. For rows of states, U s is s @ U.T; V h of yours is right."
)
V_turned = otherwise("one", factors=lambda U, V: (U, V.T))(
    "You compute V^⊤h. For rows of states, V h is h @ V.T; U s of yours is right."
)
keys_without_V = otherwise("one", key=same)("You compare U s with h itself: V h is the key.")
queries_without_U = otherwise("one", query=same)("You compare s itself with V h: U s is the query.")
divided_by_the_root_of_the_rank = wrong("one", after=lambda e, s, U: e / len(U) ** 0.5)(
    "You divide by the root of the rank, as the Transformer does. Here the score is not scaled."
)
softmax_taken_already = wrong("one", after=lambda e, s, U: e.softmax(-1))(
    "You return weights: each of your rows adds to 1. Here the scores are wanted, before the softmax."
)
each_state_with_one_only = otherwise("each", compare=lambda q, k: (q * k).sum(-1))(
    "You compare s_1 with h_1, s_2 with h_2, …. Every s_i meets every h_j: the result is (batch, i, j)."
)
h_before_s = wrong("each", letters="biq,rq,rk,bjk->bji")(
    "Your result is (batch, j, i): turned. A row belongs to a state s_i, a column to an h_j."
)
the_last_decoder_state_only = wrong(
    "each", of_s=lambda s: s[:, -1:], after=lambda e, s, U: e.expand(-1, s.shape[1], -1)
)("All your rows belong to the last s. Each row has its own s_i.")
the_states_of_the_first_sentence = wrong("batch", of_h=lambda h: h[:1].expand_as(h))(
    "All your sentences look at the encoder states of the first one. Each has its own h."
)
all_sentences_added_up = wrong("batch", letters="biq,rq,rk,cjk->bij")(
    "Each of your sentences meets the sum of all sentences' h. In an einsum, s and h must have the same letter for the "
    "batch."
)

# Cases


def draw(sentences: tuple[int, int], many: bool, alike: bool = True) -> Callable[[Random, int], Case]:
    """A batch between these sizes with one state on each side, or `many`: more words than steps, as many, or fewer.

    `alike`: U and V are square, so that what is turned or exchanged by mistake shows in the numbers.
    """

    def drawn(rng: Random, size: int) -> Case:
        queries = keys = 1
        if many:
            fewer, more = sorted(rng.sample(range(2, 6), 2))
            queries, keys = ((fewer, more), (more, more), (more, fewer), (fewer, fewer))[size % 4]
        query, key, rank = [rng.randint(2, 4)] * 3 if alike else rng.sample(range(2, 6), 3)
        batch = rng.randint(*sentences)
        s, h = tensor(rng, batch, queries, query), tensor(rng, batch, keys, key)
        words = (
            f"{count(batch, 'sentence')}, {count(queries, 'state')} s of size {query} and {keys} h of size {key}, "
            f"U {rank} × {query}, V {rank} × {key}"
        )
        return case(words, query * key * rank, s, h, matrix(rng, rank, query), matrix(rng, rank, key))

    return drawn


TASK = task(
    __name__,
    "The multiplicative score, in two factors",
    returns="scores",
    kind=Numbers,
    criteria=(
        criterion("one", 1, draw((1, 1), many=False), "scores")("One state on each side: (U s)^⊤ (V h)."),
        criterion("each", 1, draw((1, 1), many=True), "scores", visible=3)("Every s_i with every h_j, at [i, j]."),
        criterion("batch", 1, draw((2, 4), many=True, alike=False), "scores")(
            "Several sentences, each with its own states; s, h and the rank of other sizes."
        ),
        gradient(draw((2, 2), many=True), weights_from=2)(
            "It is fit for training: the gradient of what your function computes is right for s, h, U and V; a call "
            "changes none of them."
        ),
        dtype(draw((4, 5), many=False))("The scores have the dtype of s, float64 or float32, and its precision."),
    ),
    forbidden=(*LIBRARY, "course_lib.attention.scores.Multiplicative.project"),
)
