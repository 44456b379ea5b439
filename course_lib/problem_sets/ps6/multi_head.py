"""ps6.multi_head: several attentions side by side (Vaswani et al. 2017, section 3.2.2)."""

from collections.abc import Callable, Sequence
from math import sqrt
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.attention import MultiHeadAttention
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import count, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6 import layers, lent
from course_lib.problem_sets.ps6.attention import defined as attend
from course_lib.problem_sets.ps6.layers import Few, Weights, case, everything, linear, projections, some

BOTH = "outputs weights"


def reference(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor, weights: Weights, heads: int
) -> tuple[Tensor, Tensor]:
    """The outputs (batch, query, d_model) and the weights (batch, heads, query, key); mask (batch, query, key)."""
    config = layers.config(weights, heads)
    model = MultiHeadAttention(config.d_model, heads, d_k=config.d_k, d_v=config.d_v)
    return functional_call(model, linear(weights), (query, key, value, mask.unsqueeze(1)))


# Mistakes


def defined(
    query,
    key,
    value,
    mask,
    weights,
    heads,
    times=lambda x, W: x @ W,
    split=lambda x, heads: x.unflatten(2, (heads, -1)).transpose(1, 2),
    scale=lambda Q, K, V: sqrt(Q.shape[-1]),
    shown=lambda mask, heads: mask.unsqueeze(1),
    join=lambda contexts: contexts.transpose(1, 2).flatten(2),
    back=lambda contexts, W, times: times(contexts, W),
    roles=lambda query, key, value: (query, key, value),
    gives=lambda outputs, α: (outputs, α),
):
    read = zip(roles(query, key, value), ("W_Q", "W_K", "W_V"), strict=True)
    Q, K, V = (split(times(x, weights[name]), heads) for x, name in read)
    contexts, α = attend(Q, K, V, shown(mask, heads), scale=scale)
    return gives(back(join(contexts), weights["W_O"], times), α)


wrong = versions(defined)
W_O_left_out = wrong("one", back=lambda contexts, W, times: contexts)(
    "You return the heads side by side. They still go through W_O: only there do the heads meet."
)
weights_before_outputs = wrong("one", gives=lambda outputs, α: (α, outputs))(
    "You return the weights first. The outputs come first, then the weights."
)
matrices_turned = wrong("one", times=lambda x, W: x @ W.T)(
    "You multiply by the transposed matrices. Rows are multiplied by W from the right: x @ W."
)


@mistake("one")
def W_Q_and_W_K_exchanged(query, key, value, mask, weights, heads):
    """You make queries with W_K and keys with W_Q."""
    return defined(query, key, value, mask, weights | {"W_Q": weights["W_K"], "W_K": weights["W_Q"]}, heads)


not_scaled = wrong("one", scale=lambda *_: 1.0)("Your scores are not divided by √d_k. attention of exercise 1 does it.")
weights_averaged_over_the_heads = wrong("one", gives=lambda outputs, α: (outputs, α.mean(1)))(
    "You return the mean of the heads' weights. Those of every head are wanted: (batch, heads, query, key)."
)


@mistake("split")
def divided_by_the_root_of_the_whole_width(query, *others):
    """You divide the scores by √d_model. A head's queries and keys are d_k wide."""
    return defined(query, *others, scale=lambda *_: sqrt(query.shape[2]))


@mistake("split")
def one_head_for_all(query, key, value, mask, weights, heads):
    """You run a single attention over all columns. Each head takes its own d_k columns, and has weights of its own."""
    outputs, α = defined(query, key, value, mask, weights, 1)
    return outputs, α.expand(-1, heads, -1, -1)


split_by_reshape_alone = wrong("split", split=lambda x, heads: x.reshape(len(x), heads, x.shape[1], -1))(
    "Your reshape to (batch, heads, time, d_k) mixes words: it cuts the numbers in the order in which they lie. Make "
    "(batch, time, heads, d_k) of them, then exchange two axes."
)
columns_taken_in_turn = wrong("split", split=lambda x, heads: x.unflatten(2, (-1, heads)).permute(0, 3, 1, 2))(
    "Your head takes every h-th column. It takes d_k columns next to each other: reshape to (…, heads, d_k)."
)
joined_by_reshape_alone = wrong("join", join=lambda contexts: contexts.reshape(len(contexts), contexts.shape[2], -1))(
    "Your reshape of (batch, heads, query, d_v) mixes words. Exchange two axes first: (batch, query, heads, d_v)."
)
joined_number_by_number = wrong("join", join=lambda contexts: contexts.permute(0, 2, 3, 1).flatten(2))(
    "You put the first numbers of all heads side by side, then the second ones. A head's d_v numbers stay together."
)
keys_made_of_the_query = wrong("cross", roles=lambda query, key, value: (query, query, query))(
    "You make keys of the query. Keys are made of key, and values of value."
)
keys_alone_made_of_the_query = wrong("cross", roles=lambda query, key, value: (query, query, value))(
    "You make keys of the query. They are made of key."
)
query_and_key_exchanged = wrong("cross", roles=lambda query, key, value: (key, query, value))(
    "You make queries of key and keys of query."
)
values_made_of_the_keys = wrong("cross", roles=lambda query, key, value: (query, key, key))(
    "You make the values of key. They are made of value."
)
mask_turned_round = wrong("one", shown=lambda mask, heads: ~mask.unsqueeze(1))(
    "You turn the mask round. True says that a query may look; attention of exercise 1 takes it so, too."
)
a_mask_without_an_axis_for_the_heads = wrong("mask", shown=lambda mask, heads: mask)(
    "Your scores are (batch, heads, query, key), and your mask (batch, query, key): torch takes its sentences for "
    "heads. Give it an axis of size 1 for the heads: mask.unsqueeze(1)."
)
no_mask = wrong("mask", shown=lambda mask, heads: torch.ones_like(mask).unsqueeze(1))("Your heads do not get the mask.")
mask_of_the_first_sentence = wrong("mask", shown=lambda mask, heads: mask[:1].unsqueeze(1))(
    "All your sentences have the first one's mask. Each has its own."
)
masks_repeated_in_another_order = wrong(
    "mask", shown=lambda mask, heads: mask.repeat(heads, 1, 1).unflatten(0, (len(mask), heads))
)(
    "You repeat the masks for the heads, but not in the order of the heads: some heads of a sentence get another "
    "sentence's. An axis of size 1 does it without copies: mask.unsqueeze(1)."
)

# Cases


def draw(
    heads: Sequence[tuple[int, int]] = ((2, 3), (4, 5)),
    own: bool = True,
    batch: tuple[int, int] = (1, 1),
    masked: bool = False,
) -> Callable[[Random, int], Case]:
    """So many heads, case by case, and sentences.

    `own`: query, key and value are the same words, and every matrix is square, so that what is turned or exchanged by
    mistake shows in the numbers. Else sizes differ; but in every other case there are as many queries as keys, and
    d_v is larger than d_k; in the others it is smaller. Masks of `own` words differ, and in every other case there are
    as many sentences as heads.
    """

    def drawn(rng: Random, size: int) -> Case:
        several, sentences = rng.randint(*heads[size % len(heads)]), rng.randint(*batch)
        if own and masked:
            sentences = several if size % 2 else 5 - several
        d_k, d_v = (rng.randint(2, 3),) * 2 if own else sorted(rng.sample(range(1, 4), 2), reverse=size % 2 == 0)
        d_model = several * d_k if own else several * (d_k + 1) + 1  # no multiple of the heads
        queries, keys = rng.sample(range(3, 6), 2)
        if size % 2:
            keys = queries
        query = tensor(rng, sentences, queries, d_model)
        key, value = (tensor(rng, sentences, keys, d_model) for _ in range(2))
        if own:
            key, value, keys = query.clone(), query.clone(), queries
        mask = everything(sentences, queries, keys)
        if masked:
            (mask,) = until(lambda: (some(rng, sentences, queries, keys),), lambda m: not torch.equal(m[0], m[1]))
        given = projections(rng, d_model, several * d_k, several * d_v)
        words = (
            f"query {tuple(query.shape)}, key {tuple(key.shape)}, {count(several, 'head')}, d_k {d_k}, "
            f"d_v {d_v}, {'a mask' if masked else 'all may look at all'}"
        )
        return case(words, d_model * 4, query, key, value, mask, given, several)

    return drawn


TASK = task(
    __name__,
    "Multi-head attention",
    returns=BOTH,
    kind=Few,
    criteria=(
        criterion("one", 1, draw(heads=((1, 1),)), BOTH)("One head: the four projections around an attention."),
        criterion("split", 1, draw(), "weights")(
            "The weights of several heads: each has columns of W_Q and W_K to itself, next to each other."
        ),
        criterion("join", 1, draw(), "outputs")(
            "The outputs of several heads: side by side, head_1 first, then times W_O."
        ),
        criterion("cross", 1, draw(own=False), BOTH)(
            "Keys and values are others than the queries, and d_k is not d_v."
        ),
        criterion("mask", 1, draw(heads=((2, 3),), batch=(2, 3), masked=True), BOTH)(
            "Several sentences, each with a mask that holds for all its heads."
        ),
        gradient(draw(own=False, batch=(2, 2), masked=True), weights_from=4)(
            "It is fit for training: the gradient of what your function computes is right for query, key, value and "
            "every weight; a call changes no argument."
        ),
        dtype(draw(), inexact="outputs")(
            "Outputs and weights have the dtype of the query, float64 or float32, and its precision."
        ),
    ),
    lent=(lent.attention,),
    forbidden=layers.ATTENTION,
)
