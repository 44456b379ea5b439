"""Wrong versions of problem set 6 that looked right once, or were told what they did not do: each gets what is true."""

from math import sqrt

import torch

from course_lib.grading.cases.numbers import converted
from course_lib.grading.tasks.ps6 import (
    wrong_attention,
    wrong_decoder_layer,
    wrong_embed,
    wrong_encoder_layer,
    wrong_masks,
    wrong_multi_head,
)

from .caught import each_row, in_float32, is_caught

SOURCE, TARGET, CUT, PADDED = (
    "source in another order",
    "target words 0 and 1 exchanged",
    "target cut",
    "source padded",
)


def cut_in_float32(function, place):
    """What it computes in float32, with one argument cut off from the gradient."""

    def computed(*arguments):
        given = list(converted(arguments, torch.float32))
        given[place] = given[place].detach()
        return function(*given)

    return computed


def hiding(hide):
    return lambda *arguments: wrong_attention.defined(*arguments, hide=hide)


def half_scaled(contexts=sqrt, weights=sqrt, heads=sqrt):
    """What the scores are divided by, for the contexts, for the weights, and where there is an axis of heads."""

    def attention(Q, K, V, mask):
        scales = [heads if Q.dim() == 4 else each for each in (contexts, weights)]
        results = [wrong_attention.defined(Q, K, V, mask, lambda Q, K, V, s=s: s(Q.shape[-1])) for s in scales]
        return results[0][0], results[1][1]

    return attention


def with_contexts(change):
    """Right weights; the contexts are changed by d_k."""

    def attention(Q, K, V, mask):
        contexts, α = wrong_attention.defined(Q, K, V, mask)
        return change(contexts, Q.shape[-1]), α

    return attention


def up_to_the_first_padding(source, target, pad):
    """A word is real where no padding stands before it."""

    def padding(words, queries, pad):
        return wrong_masks.of_keys((words != pad).long().cumprod(1), queries, 0)

    return wrong_masks.defined(source, target, pad, padding=padding)


def up_to_the_first_padding_between(*given):
    encoder, decoder, _ = wrong_masks.defined(*given)
    return encoder, decoder, up_to_the_first_padding(*given)[2]


def masked_by(mask_of):
    """Multi-head attention that gives this in place of the mask to attention."""

    def multi_head(query, key, value, mask, weights, heads):
        def split(x):
            return x.view(len(x), x.shape[1], heads, -1).transpose(1, 2)

        projected = query @ weights["W_Q"], key @ weights["W_K"], value @ weights["W_V"]
        contexts, α = wrong_attention.defined(*map(split, projected), mask_of(mask))
        return contexts.transpose(1, 2).flatten(2) @ weights["W_O"], α

    return multi_head


def with_scale(scale):
    """The factor of the embeddings, told by what is given."""
    return lambda words, E, start: wrong_embed.defined(words, E, start, lambda d: scale(d, words, E, start))


def at_0_in_a_batch(words, E, start):
    return wrong_embed.defined(words, E, start if len(words) == 1 else 0)


def of_a_table(words, E, start):
    """Positions looked up in a table of 512."""
    table = wrong_embed.places(0, 512, E.shape[1], E.dtype)
    return sqrt(E.shape[1]) * E[words] + table[start : start + words.shape[1]]


def any_querys_mask(x, mask, *others):
    """Each word looks at what any word may look at."""
    return wrong_encoder_layer.defined(x, mask.any(1, keepdim=True).expand_as(mask), *others)


def first_sentences_weights(*arguments):
    y, α = wrong_decoder_layer.defined(*arguments)
    return y, α[:1].expand_as(α)


def of_roles(roles):
    """Multi-head attention with others in the places of query, key and value."""
    return lambda *given: wrong_multi_head.defined(*roles(*given[:3]), *given[3:])


def close(one, other, tolerance=1e-3):
    return bool((one - other).abs().max() < tolerance)


def scaled(runs, tolerance=1e-3, same=close, heads=slice(None)):
    Q, K, weights = (runs[name][heads] for name in ("queries", "keys", "weights"))
    return same((Q @ K.mT / sqrt(Q.shape[-1])).softmax(-1), weights, *[tolerance] * (same is close))


def of_query(runs, number):
    """Of queries and their weights only those of this query."""
    return runs | {name: runs[name][:, [number]] for name in ("queries", "weights")}


def kept(runs):
    return runs["outputs"][: len(runs[CUT])]


def put_back(outputs):
    return torch.cat([outputs[[1, 0]], outputs[2:]])


def diagnosis(**tests):
    """A right diagnosis but for these tests, of the outputs and of all runs; None: not written yet."""
    right = {
        "source": lambda o, runs: close(o, runs[SOURCE]),
        "target": lambda o, runs: close(o[2:], runs[TARGET][2:]),
        "causal": lambda o, runs: not close(kept(runs), runs[CUT]),
        "padding": lambda o, runs: not close(o, runs[PADDED]),
        "scale": lambda o, runs: not scaled(runs),
    }
    names = {"source": "source order", "target": "target order"}

    def diagnose(runs):
        return {names.get(name, name) for name, test in (right | tests).items() if test and test(runs["outputs"], runs)}

    return diagnose


def exactly(runs):
    o = runs["outputs"]
    found = {
        "source order": torch.equal(o, runs[SOURCE]),
        "target order": torch.equal(o[2:], runs[TARGET][2:]),
        "causal": not torch.equal(kept(runs), runs[CUT]),
        "padding": not torch.equal(o, runs[PADDED]),
        "scale": not scaled(runs, same=torch.equal),
    }
    return {fault for fault, there in found.items() if there}


def named(fault):
    return lambda runs: diagnosis()(runs) | {fault}


NEVER, ALWAYS = "{!r} never named".format, "{!r} always named".format
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("attention", hiding(lambda e, mask: e - 20 * ~mask), "mask", "a small number subtracted"),
    ("attention", hiding(lambda e, mask: e - 30.0 * ~mask), "mask", "a small number subtracted"),
    ("attention", hiding(lambda e, mask: e.masked_fill(~mask, -20)), "mask", "a small number filled in"),
    ("attention", hiding(lambda e, mask: torch.where(mask, e, -30.0)), "mask", "a small number filled in"),
    ("attention", hiding(lambda e, mask: e.masked_fill(mask, -torch.inf)), "weights", "mask turned round, with −∞"),
    ("attention", hiding(lambda e, mask: e - 1e4 * ~mask), "mask", "a small number subtracted"),
    ("attention", wrong_attention.masked_and_divided, "mask", "masked after the softmax, and divided again"),
    ("attention", wrong_attention.exponentials, "mask", "exp of large scores"),
    ("attention", half_scaled(contexts=lambda d_k: 1), "context", None),
    ("attention", half_scaled(contexts=lambda d_k: d_k), "context", None),
    ("attention", half_scaled(heads=lambda d_k: 1), "heads", None),
    ("attention", with_contexts(lambda c, d_k: c / sqrt(d_k)), "context", "contexts divided by √d_k"),
    ("attention", with_contexts(lambda c, d_k: c * sqrt(d_k)), "context", None),
    ("attention", with_contexts(lambda c, d_k: c / d_k), "context", None),
    ("attention", in_float32(wrong_attention.defined), "dtype", "computed in float32"),
    ("attention", cut_in_float32(wrong_attention.defined, 0), "gradient", None),
    ("attention", cut_in_float32(wrong_attention.defined, 2), "gradient", None),
    ("masks", up_to_the_first_padding, "cross", None),
    ("masks", up_to_the_first_padding_between, "cross", None),
    ("masks", wrong_masks.at_the_end, "cross", "padding at the end only"),
    ("multi_head", in_float32(wrong_multi_head.defined), "dtype", "computed in float32"),
    ("multi_head", of_roles(lambda query, key, value: (key, query, value)), "cross", "keys made of the query"),
    ("multi_head", of_roles(lambda query, key, value: (query, query, value)), "cross", "keys made of the query"),
    ("multi_head", masked_by(lambda mask: mask), "mask", "a mask without an axis for the heads"),
    ("multi_head", masked_by(lambda mask: ~mask[:, None]), "one", "mask turned round"),
    ("encoder_layer", in_float32(wrong_encoder_layer.defined), "dtype", "computed in float32"),
    ("embed", with_scale(lambda d, words, E, start: 1 if start else sqrt(d)), "batch", None),
    ("embed", with_scale(lambda d, *_: torch.tensor(d).sqrt()), "dtype", None),
    ("embed", at_0_in_a_batch, "batch", None),
    ("embed", of_a_table, "start", None),
    ("encoder_layer", cut_in_float32(wrong_encoder_layer.defined, 0), "gradient", None),
    ("encoder_layer", any_querys_mask, "mask", None),
    ("encoder_layer", wrong_encoder_layer.first_words_mask, "mask", "the first word's mask"),
    ("decoder_layer", wrong_decoder_layer.at_the_end, "padding", "padding of the source at the end only"),
    ("decoder_layer", wrong_decoder_layer.weights_on_padding, "weights", "weights on padding"),
    ("decoder_layer", first_sentences_weights, "weights", None),
    ("decoder_layer", cut_in_float32(wrong_decoder_layer.defined, 1), "gradient", None),
    ("decoder_layer", in_float32(wrong_decoder_layer.defined), "dtype", "computed in float32"),
    ("diagnose", exactly, "source", "numbers compared exactly"),
    ("diagnose", diagnosis(scale=None), "scale", NEVER("scale")),
    ("diagnose", diagnosis(scale=lambda o, r: not close(r["weights"].sum(-1), torch.ones(1))), "scale", NEVER("scale")),
    ("diagnose", diagnosis(source=None), "source", NEVER("source order")),
    ("diagnose", diagnosis(source=lambda o, r: torch.equal(o, r[SOURCE])), "source", NEVER("source order")),
    ("diagnose", diagnosis(target=None), "target", NEVER("target order")),
    ("diagnose", diagnosis(target=lambda o, r: close(o, r[TARGET])), "target", NEVER("target order")),
    ("diagnose", diagnosis(target=lambda o, r: torch.equal(o[2:], r[TARGET][2:])), "target", NEVER("target order")),
    ("diagnose", diagnosis(target=lambda o, r: close(o[:2], r[TARGET][:2])), "target", NEVER("target order")),
    ("diagnose", diagnosis(target=lambda o, r: close(o[1], r[TARGET][1])), "target", NEVER("target order")),
    ("diagnose", diagnosis(target=lambda o, r: close(o[1:], r[TARGET][1:])), "target", NEVER("target order")),
    *(
        ("diagnose", diagnosis(target=test), "target", "'target order' found without a causal mask only")
        for test in (
            lambda o, r: close(put_back(o), r[TARGET]),
            lambda o, r: close(o[1], r[TARGET][0]),
            lambda o, r: close(o.sort(0).values, r[TARGET].sort(0).values),
        )
    ),
    ("diagnose", named("target order"), "target", ALWAYS("target order")),
    ("diagnose", diagnosis(target=lambda o, r: not close(o[-1], r[CUT][-1])), "target", ALWAYS("target order")),
    ("diagnose", diagnosis(causal=lambda o, r: not torch.equal(kept(r), r[CUT])), "causal", ALWAYS("causal")),
    ("diagnose", diagnosis(causal=lambda o, r: not close(o[0], r[TARGET][0])), "causal", ALWAYS("causal")),
    ("diagnose", diagnosis(causal=lambda o, r: o.shape != r[CUT].shape), "causal", ALWAYS("causal")),
    ("diagnose", diagnosis(causal=lambda o, r: not close(o[-len(r[CUT]) :], r[CUT])), "causal", ALWAYS("causal")),
    ("diagnose", diagnosis(causal=None), "causal", NEVER("causal")),
    ("diagnose", diagnosis(causal=lambda o, r: not close(o[0], r[CUT][0])), "causal", "the first row only"),
    ("diagnose", diagnosis(padding=lambda o, r: not torch.equal(o, r[PADDED])), "padding", ALWAYS("padding")),
    ("diagnose", diagnosis(padding=None), "padding", NEVER("padding")),
    ("diagnose", diagnosis(padding=lambda o, r: not close(o.sum(), r[PADDED].sum())), "padding", NEVER("padding")),
    ("diagnose", diagnosis(source=lambda o, r: close(o.mean(), r[SOURCE].mean())), "source", ALWAYS("source order")),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, same=torch.equal)), "scale", ALWAYS("scale")),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, heads=slice(1))), "scale", "the first head only"),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, heads=slice(1, None))), "scale", None),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(of_query(r, 0))), "scale", "the first query only"),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, tolerance=0.05)), "scale", None),
)


@each_row("ps6", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
