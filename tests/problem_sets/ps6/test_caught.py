"""Wrong versions of problem set 6 that looked right once, or were told what they did not do: each gets what is true."""

from math import sqrt

import torch

from course_lib.grading.cases.numbers import converted
from course_lib.problem_sets.ps6 import (
    attention,
    decoder_layer,
    embed,
    encoder_layer,
    masks,
    multi_head,
)
from tests.grading.caught import each_row, in_float32, is_caught


def cut_in_float32(function, place):
    """What it computes in float32, with one argument cut off from the gradient."""

    def computed(*arguments):
        given = list(converted(arguments, torch.float32))
        given[place] = given[place].detach()
        return function(*given)

    return computed


def exps_of_all_scores(Q, K, V, mask):
    e = (Q @ K.mT / sqrt(Q.shape[-1])).masked_fill(~mask, -torch.inf)
    α = torch.exp(e - torch.max(e))
    return α / α.sum(-1, keepdim=True) @ V, α / α.sum(-1, keepdim=True)


def hiding(hide):
    return lambda *arguments: attention.defined(*arguments, hide=hide)


def clamped_to(least, most):
    return hiding(lambda e, mask: e.clamp(least, most).masked_fill(~mask, -torch.inf))


def heads_and_sentences_mixed(Q, K, V, mask):
    """Heads beside each other in one axis, with masks in another order where there are as many heads as sentences."""
    if Q.dim() == 3:
        return attention.defined(Q, K, V, mask)
    batch, heads = Q.shape[:2]
    masks = mask.expand(batch, heads, Q.shape[2], K.shape[2])
    masks = (masks.transpose(0, 1) if batch == heads else masks).flatten(0, 1)
    found = attention.defined(*(each.flatten(0, 1) for each in (Q, K, V)), masks)
    return tuple(each.unflatten(0, (batch, heads)) for each in found)


def zeros_after_exp(Q, K, V, mask):
    e = Q @ K.mT / sqrt(Q.shape[-1])
    α = (e - e.amax(-1, keepdim=True)).exp() * mask
    α = α / α.sum(-1, keepdim=True)
    return α @ V, α


def exchanged_where_alike(function):
    """Queries and keys exchanged where their shapes allow it."""

    def exchanged(query, key, *others):
        return function(key, query, *others) if query.shape == key.shape else function(query, key, *others)

    return exchanged


def keys_for_values_where_alike(Q, K, V, mask):
    return attention.defined(Q, K, K if K.shape == V.shape else V, mask)


def mask_turned_where_square(Q, K, V, mask):
    return attention.defined(Q, K, V, mask.mT if mask.shape[-1] == mask.shape[-2] else mask)


def mask_of_sentences_for_heads_where_alike(query, key, value, mask, weights, heads):
    """The mask gets its axis for the heads in the wrong place where there are as many heads as sentences."""
    if len(mask) != heads:
        return multi_head.defined(query, key, value, mask, weights, heads)
    each = [
        multi_head.defined(query, key, value, mask[i : i + 1].expand_as(mask), weights, heads) for i in range(heads)
    ]
    d_v = weights["W_V"].shape[1] // heads
    α = torch.stack([α[:, i] for i, (_, α) in enumerate(each)], 1)
    v = (value @ weights["W_V"]).unflatten(-1, (heads, d_v)).transpose(1, 2)
    return (α @ v).transpose(1, 2).flatten(2) @ weights["W_O"], α


def values_cut_to_the_width_of_keys(query, key, value, mask, weights, heads):
    """Contexts are joined as if they were d_k wide, where they are wider."""
    d_k, d_v = (weights[name].shape[1] // heads for name in ("W_K", "W_V"))
    if d_v <= d_k:
        return multi_head.defined(query, key, value, mask, weights, heads)
    kept = torch.arange(heads * d_v) < heads * d_k
    return multi_head.defined(query, key, value, mask, weights | {"W_O": weights["W_O"] * kept[:, None]}, heads)


def with_heads_up_to(most, function):
    """Several heads in the order from the last to the first where there are more than `most`."""

    def turned(*arguments):
        y, α = function(*arguments)
        return y, α.flip(1) if arguments[-1] > most else α

    return turned


def one_head_for_more_than_two(x, mask, weights, heads):
    return encoder_layer.defined(x, mask, weights, heads if heads < 3 else 1)


def single_words_at_0(words, E, start):
    return embed.defined(words, E, start if words.shape[1] > 1 else 0)


def half_scaled(contexts=sqrt, weights=sqrt, heads=sqrt):
    """What the scores are divided by, for the contexts, for the weights, and where there is an axis of heads."""

    def attended(Q, K, V, mask):
        scales = [heads if Q.dim() == 4 else each for each in (contexts, weights)]
        results = [attention.defined(Q, K, V, mask, lambda Q, K, V, s=s: s(Q.shape[-1])) for s in scales]
        return results[0][0], results[1][1]

    return attended


def with_contexts(change):
    """Right weights; the contexts are changed by d_k."""

    def attended(Q, K, V, mask):
        contexts, α = attention.defined(Q, K, V, mask)
        return change(contexts, Q.shape[-1]), α

    return attended


def up_to_the_first_padding(source, target, pad):
    """A word is real where no padding stands before it."""

    def padding(words, queries, pad):
        return masks.of_keys((words != pad).long().cumprod(1), queries, 0)

    return masks.defined(source, target, pad, padding=padding)


def up_to_the_first_padding_between(*given):
    encoder, decoder, _ = masks.defined(*given)
    return encoder, decoder, up_to_the_first_padding(*given)[2]


def masked_by(mask_of):
    """Multi-head attention that gives this in place of the mask to attention."""

    def several(query, key, value, mask, weights, heads):
        def split(x):
            return x.view(len(x), x.shape[1], heads, -1).transpose(1, 2)

        projected = query @ weights["W_Q"], key @ weights["W_K"], value @ weights["W_V"]
        contexts, α = attention.defined(*map(split, projected), mask_of(mask))
        return contexts.transpose(1, 2).flatten(2) @ weights["W_O"], α

    return several


def with_scale(scale):
    """The factor of the embeddings, told by what is given."""
    return lambda words, E, start: embed.defined(words, E, start, lambda d: scale(d, words, E, start))


def at_0_in_a_batch(words, E, start):
    return embed.defined(words, E, start if len(words) == 1 else 0)


def of_a_table(words, E, start):
    """Positions looked up in a table of 512."""
    table = embed.places(0, 512, E.shape[1], E.dtype)
    return sqrt(E.shape[1]) * E[words] + table[start : start + words.shape[1]]


def any_querys_mask(x, mask, *others):
    """Each word looks at what any word may look at."""
    return encoder_layer.defined(x, mask.any(1, keepdim=True).expand_as(mask), *others)


def first_sentences_weights(*arguments):
    y, α = decoder_layer.defined(*arguments)
    return y, α[:1].expand_as(α)


def window_of(words):
    """A decoder layer whose words look no farther back than so many, themselves among them."""

    def own(x):
        return decoder_layer.causal(x).triu(1 - words)

    return lambda *given: decoder_layer.defined(*given, own=own)


def of_roles(roles):
    """Multi-head attention with others in the places of query, key and value."""
    return lambda *given: multi_head.defined(*roles(*given[:3]), *given[3:])


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("attention", exps_of_all_scores, "mask", "one maximum for all queries"),
    ("attention", hiding(lambda e, mask: e - 20 * ~mask), "mask", "a small number subtracted"),
    ("attention", hiding(lambda e, mask: e - 30.0 * ~mask), "mask", "a small number subtracted"),
    ("attention", hiding(lambda e, mask: e.masked_fill(~mask, -20)), "mask", "a small number filled in"),
    ("attention", hiding(lambda e, mask: torch.where(mask, e, -30.0)), "mask", "a small number filled in"),
    (
        "attention",
        hiding(lambda e, mask: e.masked_fill(mask, -torch.inf)),
        "weights",
        "mask turned round with infinity",
    ),
    ("attention", hiding(lambda e, mask: e - 1e4 * ~mask), "mask", "a small number subtracted"),
    (
        "attention",
        attention.masked_after_the_softmax_and_divided_again,
        "mask",
        "masked after the softmax and divided again",
    ),
    ("attention", attention.exp_of_large_scores, "mask", "exp of large scores"),
    *(
        (
            "attention",
            hiding(lambda e, mask, low=low: e.masked_fill(~mask, low)),
            "mask",
            "a number filled in that scores can reach",
        )
        for low in (-100.0, -1e3, -1e4, -2e4, -65504)
    ),
    ("attention", hiding(lambda e, mask: torch.where(mask, e, -1e5)), "mask", "the lowest product filled in"),
    ("attention", heads_and_sentences_mixed, "heads", None),
    *(
        (
            "attention",
            hiding(lambda e, mask, far=far: e - far * ~mask),
            "mask",
            "a number subtracted that scores can reach",
        )
        for far in (5e4, 65504, 1e5)
    ),
    *(("attention", clamped_to(-most, most), "mask", "scores clamped") for most in (500, 1e3, 5e3, 1e4)),
    ("attention", clamped_to(-5e3, torch.inf), "mask", None),
    ("attention", clamped_to(-torch.inf, 5e3), "mask", None),
    ("attention", zeros_after_exp, "mask", "masked after the softmax and divided again"),
    ("attention", exchanged_where_alike(attention.defined), "scale", None),
    ("attention", keys_for_values_where_alike, "context", None),
    ("attention", mask_turned_where_square, "mask", None),
    ("multi_head", exchanged_where_alike(multi_head.defined), "cross", None),
    ("multi_head", mask_of_sentences_for_heads_where_alike, "mask", None),
    ("multi_head", values_cut_to_the_width_of_keys, "cross", None),
    ("multi_head", with_heads_up_to(3, multi_head.defined), "split", None),
    ("decoder_layer", with_heads_up_to(2, decoder_layer.defined), "weights", None),
    ("encoder_layer", one_head_for_more_than_two, "attention", None),
    ("embed", single_words_at_0, "batch", None),
    ("attention", half_scaled(contexts=lambda d_k: 1), "context", None),
    ("attention", half_scaled(contexts=lambda d_k: d_k), "context", None),
    ("attention", half_scaled(heads=lambda d_k: 1), "heads", None),
    ("attention", with_contexts(lambda c, d_k: c / sqrt(d_k)), "context", "contexts divided"),
    ("attention", with_contexts(lambda c, d_k: c * sqrt(d_k)), "context", None),
    ("attention", with_contexts(lambda c, d_k: c / d_k), "context", None),
    ("attention", in_float32(attention.defined), "dtype", "computed in float32"),
    ("attention", cut_in_float32(attention.defined, 0), "gradient", None),
    ("attention", cut_in_float32(attention.defined, 2), "gradient", None),
    ("masks", up_to_the_first_padding, "cross", None),
    ("masks", up_to_the_first_padding_between, "cross", None),
    ("masks", masks.padding_at_the_end_only, "cross", "padding at the end only"),
    ("multi_head", in_float32(multi_head.defined), "dtype", "computed in float32"),
    ("multi_head", of_roles(lambda query, key, value: (key, query, value)), "cross", "query and key exchanged"),
    ("multi_head", of_roles(lambda query, key, value: (query, query, value)), "cross", "keys alone made of the query"),
    ("multi_head", masked_by(lambda mask: mask), "mask", "a mask without an axis for the heads"),
    ("multi_head", masked_by(lambda mask: ~mask[:, None]), "one", "mask turned round"),
    ("encoder_layer", in_float32(encoder_layer.defined), "dtype", "computed in float32"),
    ("embed", with_scale(lambda d, words, E, start: 1 if start else sqrt(d)), "batch", None),
    ("embed", with_scale(lambda d, *_: torch.tensor(d).sqrt()), "dtype", None),
    ("embed", at_0_in_a_batch, "batch", None),
    ("embed", of_a_table, "start", None),
    ("encoder_layer", cut_in_float32(encoder_layer.defined, 0), "gradient", None),
    ("encoder_layer", any_querys_mask, "mask", None),
    ("encoder_layer", encoder_layer.mask_of_the_first_word, "mask", "mask of the first word"),
    (
        "decoder_layer",
        decoder_layer.padding_of_the_source_at_the_end_only,
        "padding",
        "padding of the source at the end only",
    ),
    ("decoder_layer", decoder_layer.weights_on_padding, "weights", "weights on padding"),
    ("decoder_layer", first_sentences_weights, "weights", None),
    ("decoder_layer", cut_in_float32(decoder_layer.defined, 1), "gradient", None),
    ("decoder_layer", in_float32(decoder_layer.defined), "dtype", "computed in float32"),
    ("decoder_layer", window_of(2), "causal", None),
    ("decoder_layer", window_of(3), "causal", None),
    ("decoder_layer", window_of(4), "causal", None),
)


@each_row("ps6", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
