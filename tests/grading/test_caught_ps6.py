"""Wrong versions of problem set 6 that looked right once, or were told what they did not do: each gets what is true."""

from math import sqrt

import torch

from course_lib.grading.tasks.ps6 import (
    wrong_attention,
    wrong_decoder_layer,
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


def hiding(hide):
    return lambda *arguments: wrong_attention.defined(*arguments, hide=hide)


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


def close(one, other, tolerance=1e-3):
    return bool((one - other).abs().max() < tolerance)


def scaled(runs, tolerance=1e-3, same=close, heads=slice(None)):
    Q, K, weights = (runs[name][heads] for name in ("queries", "keys", "weights"))
    return same((Q @ K.mT / sqrt(Q.shape[-1])).softmax(-1), weights, *[tolerance] * (same is close))


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


def named(fault):
    return lambda runs: diagnosis()(runs) | {fault}


NEVER, ALWAYS = "{!r} never named".format, "{!r} always named".format
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("attention", hiding(lambda e, mask: e - 20 * ~mask), "mask", "a small number subtracted"),
    ("attention", hiding(lambda e, mask: e - 30.0 * ~mask), "mask", "a small number subtracted"),
    ("attention", hiding(lambda e, mask: e.masked_fill(~mask, -20)), "mask", "a small number filled in"),
    ("attention", hiding(lambda e, mask: torch.where(mask, e, -30.0)), "mask", "a small number filled in"),
    ("attention", hiding(lambda e, mask: e.masked_fill(mask, -torch.inf)), "weights", "mask turned round, with −∞"),
    ("attention", in_float32(wrong_attention.defined), "dtype", None),
    ("masks", up_to_the_first_padding, "cross", None),
    ("masks", up_to_the_first_padding_between, "cross", None),
    ("masks", wrong_masks.at_the_end, "cross", "padding at the end only"),
    ("multi_head", in_float32(wrong_multi_head.defined), "dtype", None),
    ("multi_head", masked_by(lambda mask: mask), "mask", "a mask without an axis for the heads"),
    ("multi_head", masked_by(lambda mask: ~mask[:, None]), "one", "mask turned round"),
    ("encoder_layer", in_float32(wrong_encoder_layer.defined), "small", None),
    ("decoder_layer", in_float32(wrong_decoder_layer.defined), "dtype", None),
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
    ("diagnose", diagnosis(padding=lambda o, r: not torch.equal(o, r[PADDED])), "padding", ALWAYS("padding")),
    ("diagnose", diagnosis(padding=None), "padding", NEVER("padding")),
    ("diagnose", diagnosis(padding=lambda o, r: not close(o.sum(), r[PADDED].sum())), "padding", NEVER("padding")),
    ("diagnose", diagnosis(source=lambda o, r: close(o.mean(), r[SOURCE].mean())), "source", ALWAYS("source order")),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, same=torch.equal)), "scale", ALWAYS("scale")),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, heads=slice(1))), "scale", "the first head only"),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, heads=slice(1, None))), "scale", None),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, tolerance=0.05)), "scale", None),
)


@each_row("ps6", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
