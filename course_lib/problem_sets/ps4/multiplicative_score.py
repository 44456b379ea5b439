"""ps4.multiplicative_score: every decoder state against every encoder state (Luong et al. 2015, "general").

With W in two factors, as in Vaswani et al. (2017), whose queries and keys are U s and V h.
"""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.attention import Multiplicative
from course_lib.grading.cases.numbers import Numbers, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.states import LIBRARY, case, count, matrix


def reference(s: Tensor, h: Tensor, U: Tensor, V: Tensor) -> Tensor:
    """e_ij = s_i^⊤ W h_j with W = U^⊤ V: s (batch, i, query), h (batch, j, key), U (rank, query), V (rank, key)."""
    score = Multiplicative(U.shape[1], V.shape[1])
    return functional_call(score, {"W": U.T @ V}, (s, h))


# Mistakes


def defined(s, h, U, V, letters="biq,rq,rk,bjk->bij"):
    return torch.einsum(letters, s, U, V, h)


def by_factors(s, h, U, V, query=lambda s, U: s @ U.T, key=lambda h, V: h @ V.T, compare=lambda q, k: q @ k.mT):
    return compare(query(s, U), key(h, V))


wrong, otherwise = versions(defined), versions(by_factors)


@mistake("one")
def no_matrices(s, h, U, V):
    """Your score is the dot product s^⊤h: U and V are missing."""
    return s @ h.mT


@mistake("one")
def U_and_V_exchanged(s, h, U, V):
    """You multiply s by V and h by U. U makes the query of s, V the key of h."""
    return by_factors(s, h, V, U)


@mistake("one")
def matrices_turned(s, h, U, V):
    """You compute U^⊤s and V^⊤h. For rows of states, U s is s @ U.T, and V h is h @ V.T."""
    return by_factors(s, h, U.T, V.T)


U_turned = otherwise("one", query=lambda s, U: s @ U)(
    "You compute U^⊤s. For rows of states, U s is s @ U.T; V h of yours is right."
)
V_turned = otherwise("one", key=lambda h, V: h @ V)(
    "You compute V^⊤h. For rows of states, V h is h @ V.T; U s of yours is right."
)
keys_without_V = otherwise("one", key=lambda h, V: h)("You compare U s with h itself: V h is the key.")
queries_without_U = otherwise("one", query=lambda s, U: s)("You compare s itself with V h: U s is the query.")


@mistake("one")
def divided_by_the_root_of_the_rank(s, h, U, V):
    """You divide by the root of the rank, as the Transformer does. Here the score is not scaled."""
    return defined(s, h, U, V) / len(U) ** 0.5


@mistake("one")
def softmax_taken_already(*given):
    """You return weights: each of your rows adds to 1. Here the scores are wanted, before the softmax."""
    return defined(*given).softmax(-1)


each_state_with_one_only = otherwise("each", compare=lambda q, k: (q * k).sum(-1))(
    "You compare s_1 with h_1, s_2 with h_2, …. Every s_i meets every h_j: the result is (batch, i, j)."
)
h_before_s = wrong("each", letters="biq,rq,rk,bjk->bji")(
    "Your result is (batch, j, i): turned. A row belongs to a state s_i, a column to an h_j."
)


@mistake("each")
def the_last_decoder_state_only(s, *others):
    """All your rows belong to the last s. Each row has its own s_i."""
    return defined(s[:, -1:], *others).expand(-1, s.shape[1], -1)


@mistake("batch")
def the_states_of_the_first_sentence(s, h, U, V):
    """All your sentences look at the encoder states of the first one. Each has its own h."""
    return defined(s, h[:1].expand_as(h), U, V)


all_sentences_added_up = wrong("batch", letters="biq,rq,rk,cjk->bij")(
    "Each of your sentences meets the sum of all sentences' h. In an einsum, s and h have one letter for the batch."
)

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


TASK = task(
    __name__,
    "The multiplicative score, in two factors",
    returns="scores",
    kind=Numbers,
    criteria=(
        criterion("one", 1, draw((1, 1), many=False), "scores")("One state on each side: (U s)^⊤ (V h)."),
        criterion("each", 1, draw((1, 1), many=True), "scores")("Every s_i with every h_j, at [i, j]."),
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
