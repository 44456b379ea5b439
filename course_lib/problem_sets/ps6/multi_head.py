"""ps6.multi_head: several attentions side by side (Vaswani et al. 2017, section 3.2.2)."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

from torch import Tensor
from torch.func import functional_call

from course_lib.attention import MultiHeadAttention
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps6 import layers, lent
from course_lib.problem_sets.ps6 import wrong_multi_head as wrong
from course_lib.problem_sets.ps6.layers import Few, Weights, case, everything, linear, projections, some

VALUES = "outputs weights"
NAMES = "query key value mask weights heads"


def reference(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor, weights: Weights, heads: int
) -> tuple[Tensor, Tensor]:
    """The outputs (batch, query, d_model) and the weights (batch, heads, query, key); mask (batch, query, key)."""
    config = layers.config(weights, heads)
    model = MultiHeadAttention(config.d_model, heads, d_k=config.d_k, d_v=config.d_v)
    return functional_call(model, linear(weights), (query, key, value, mask.unsqueeze(1)))


# Cases


def draw(
    heads: Sequence[tuple[int, int]] = ((2, 3), (4, 5)),
    own: bool = True,
    batch: tuple[int, int] = (1, 1),
    masked: bool = False,
) -> Callable[[Random, int], Case]:
    """So many heads, case by case, and sentences.

    `own`: query, key and value are the same words, and every matrix is square, so that what is turned or exchanged by
    mistake shows in the numbers. Else sizes differ; but in every other case there are as many queries as keys.
    """

    def drawn(rng: Random, size: int) -> Case:
        several, sentences = rng.randint(*heads[size % len(heads)]), rng.randint(*batch)
        d_k, d_v = (rng.randint(2, 3),) * 2 if own else rng.sample(range(1, 4), 2)
        d_model = several * d_k if own else several * (d_k + 1) + 1  # no multiple of the heads
        queries, keys = rng.sample(range(3, 6), 2)
        if size % 2:
            keys = queries
        query = tensor(rng, sentences, queries, d_model)
        key, value = (tensor(rng, sentences, keys, d_model) for _ in range(2))
        if own:
            key, value, keys = query.clone(), query.clone(), queries
        mask = some(rng, sentences, queries, keys) if masked else everything(sentences, queries, keys)
        given = projections(rng, d_model, several * d_k, several * d_v)
        words = (
            f"query {tuple(query.shape)}, key {tuple(key.shape)}, {several} head{'s' * (several > 1)}, d_k {d_k}, "
            f"d_v {d_v}, {'a mask' if masked else 'all may look at all'}"
        )
        return case(words, d_model * 4, query, key, value, mask, given, several)

    return drawn


both = seeing(VALUES, VALUES)

TASK = Task(
    name="ps6.multi_head",
    title="Multi-head attention",
    reference=reference,
    trains=True,
    lent=(lent.attention,),
    criteria=(
        Few("one", 1, "One head: the four projections around an attention.", draw(heads=((1, 1),)), probe=both),
        Few(
            "split",
            1,
            "The weights of several heads: each has columns of W_Q and W_K to itself, next to each other.",
            draw(),
            probe=seeing(VALUES, "weights"),
        ),
        Few(
            "join",
            1,
            "The outputs of several heads: side by side, head_1 first, then times W_O.",
            draw(),
            probe=seeing(VALUES, "outputs"),
        ),
        Few(
            "cross",
            1,
            "Keys and values are others than the queries, and d_k is not d_v.",
            draw(own=False),
            probe=both,
        ),
        Few(
            "mask",
            1,
            "Several sentences, each with a mask that holds for all its heads.",
            draw(heads=((2, 3),), batch=(2, 3), masked=True),
            probe=both,
        ),
        *fit_for_training(
            NAMES,
            VALUES,
            wrong.defined,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right for query, key, value "
                "and every weight; a call changes no argument.",
                draw(own=False, batch=(2, 2), masked=True),
            ),
            dtype=("Outputs and weights have the dtype of the query, float64 or float32, and its precision.", draw()),
            kind=Few,
            looks=partial(precisely, defined=wrong.defined),
        ),
    ),
    misconceptions=(
        Misconception(
            "W_O left out",
            wrong.without_output,
            "one",
            "You return the heads side by side. They still go through W_O: only there do the heads meet.",
        ),
        Misconception(
            "weights before outputs",
            wrong.weights_first,
            "one",
            "You return the weights first. The outputs come first, then the weights.",
        ),
        Misconception(
            "matrices turned",
            wrong.turned,
            "one",
            "You multiply by the transposed matrices. Rows are multiplied by W from the right: x @ W.",
        ),
        Misconception(
            "W_Q and W_K exchanged",
            wrong.exchanged,
            "one",
            "You make queries with W_K and keys with W_Q.",
        ),
        Misconception(
            "not scaled",
            wrong.unscaled,
            "one",
            "Your scores are not divided by √d_k. attention of exercise 1 does it.",
        ),
        Misconception(
            "weights averaged over the heads",
            wrong.mean_weights,
            "one",
            "You return the mean of the heads' weights. Those of every head are wanted: (batch, heads, query, key).",
        ),
        Misconception(
            "divided by the root of d_model",
            wrong.by_the_model,
            "split",
            "You divide the scores by √d_model. A head's queries and keys are d_k wide.",
        ),
        Misconception(
            "one head for all",
            wrong.one_head,
            "split",
            "You run a single attention over all columns. Each head takes its own d_k columns, and has weights of its "
            "own.",
        ),
        Misconception(
            "split by reshape alone",
            wrong.split_by_reshape,
            "split",
            "Your reshape to (batch, heads, time, d_k) mixes words: it cuts the numbers in the order in which they "
            "lie. Make (batch, time, heads, d_k) of them, then exchange two axes.",
        ),
        Misconception(
            "every h-th column",
            wrong.every_nth_column,
            "split",
            "Your head takes every h-th column. It takes d_k columns next to each other: reshape to (…, heads, d_k).",
        ),
        Misconception(
            "joined by reshape alone",
            wrong.joined_by_reshape,
            "join",
            "Your reshape of (batch, heads, query, d_v) mixes words. Exchange two axes first: (batch, query, heads, "
            "d_v).",
        ),
        Misconception(
            "joined number by number",
            wrong.joined_in_turn,
            "join",
            "You put the first numbers of all heads side by side, then the second ones. A head's d_v numbers stay "
            "together.",
        ),
        Misconception(
            "keys made of the query",
            wrong.to_itself,
            "cross",
            "You make keys of the query. Keys are made of key, and values of value.",
        ),
        Misconception(
            "keys alone made of the query",
            wrong.keys_of_query,
            "cross",
            "You make keys of the query. They are made of key.",
        ),
        Misconception(
            "query and key exchanged",
            wrong.roles_exchanged,
            "cross",
            "You make queries of key and keys of query.",
        ),
        Misconception(
            "values made of the keys",
            wrong.values_of_keys,
            "cross",
            "You make the values of key. They are made of value.",
        ),
        Misconception(
            "mask turned round",
            wrong.inverted,
            "one",
            "You turn the mask round. True says that a query may look; attention of exercise 1 takes it so, too.",
        ),
        Misconception(
            "a mask without an axis for the heads",
            wrong.without_axis,
            "mask",
            "Your scores are (batch, heads, query, key), and your mask (batch, query, key): torch takes its sentences "
            "for heads. Give it an axis of size 1 for the heads: mask.unsqueeze(1).",
        ),
        Misconception("no mask", wrong.unmasked, "mask", "Your heads do not get the mask."),
        Misconception(
            "the first sentence's mask",
            wrong.first_mask,
            "mask",
            "All your sentences have the first one's mask. Each has its own.",
        ),
        Misconception(
            "masks repeated in another order",
            wrong.repeated_in_turn,
            "mask",
            "You repeat the masks for the heads, but not in the order of the heads: some heads of a sentence get "
            "another sentence's. An axis of size 1 does it without copies: mask.unsqueeze(1).",
        ),
        *unfit.mistakes(wrong.defined, weights_from=4),
        *layers.imprecise(wrong.defined, "outputs"),
    ),
    forbidden=layers.ATTENTION,
)
