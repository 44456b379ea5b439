"""Wrong versions of ps6.diagnose that looked right once, or were told what they did not do: each gets what is true."""

from math import sqrt

import torch

from tests.grading.caught import each_row, is_caught

SOURCE, TARGET, CUT, PADDED = (
    "source in another order",
    "target words 0 and 1 exchanged",
    "target cut",
    "source padded",
)


def close(one, other, tolerance=1e-3):
    return bool((one - other).abs().max() < tolerance)


def not_above(one, other):
    """abs() is forgotten."""
    return bool((one - other < 1e-3).all())


def not_below(one, other):
    return not_above(other, one)


def near_somewhere(one, other):
    """any() in place of all()."""
    return bool(((one - other).abs() < 1e-6).any())


def compared_by(near):
    """The text's five tests with this comparison, which forgets the sign."""
    return diagnosis(
        source=lambda o, r: near(r[SOURCE], o),
        target=lambda o, r: near(r[TARGET][2:], o[2:]),
        causal=lambda o, r: not near(r[CUT], o[: len(r[CUT])]),
        padding=lambda o, r: not near(r[PADDED], o),
    )


def near_in_the_mean(one, other, tolerance):
    return bool((one - other).abs().mean() < tolerance)


def scaled(runs, tolerance=1e-3, same=close, heads=slice(None)):
    Q, K, weights = (runs[name][heads] for name in ("queries", "keys", "weights"))
    return same((Q @ K.mT / sqrt(Q.shape[-1])).softmax(-1), weights, *[tolerance] * (same is not torch.equal))


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


def by(divisor):
    """A right diagnosis but for the number that scores are divided by."""
    return diagnosis(
        scale=lambda o, r: not close((r["queries"] @ r["keys"].mT / divisor(o, r)).softmax(-1), r["weights"])
    )


def all_rows_another(o, runs):
    return bool(((kept(runs) - runs[CUT]).abs().amax(-1) > 1e-3).all())


within_two_hundredths = diagnosis(
    source=lambda o, r: close(o, r[SOURCE], 0.02),
    target=lambda o, r: close(o[2:], r[TARGET][2:], 0.02),
    causal=lambda o, r: not close(kept(r), r[CUT], 0.02),
    padding=lambda o, r: not close(o, r[PADDED], 0.02),
    scale=lambda o, r: not scaled(r, tolerance=0.02),
)


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


TOO_SMALL = "changes too small to be seen"
NEVER, ALWAYS, BY_SUMS = "{} never named".format, "{} always named".format, "sums compared for {}".format
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
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
        ("diagnose", diagnosis(target=test), "target", "target order found only without a causal mask")
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
    ("diagnose", diagnosis(causal=lambda o, r: not close(o[0], r[CUT][0])), "causal", "not all rows"),
    ("diagnose", diagnosis(padding=lambda o, r: not torch.equal(o, r[PADDED])), "padding", ALWAYS("padding")),
    ("diagnose", diagnosis(padding=None), "padding", NEVER("padding")),
    ("diagnose", diagnosis(padding=lambda o, r: not close(o.sum(), r[PADDED].sum())), "padding", BY_SUMS("padding")),
    ("diagnose", diagnosis(source=lambda o, r: close(o.mean(), r[SOURCE].mean())), "source", BY_SUMS("the source")),
    *(
        ("diagnose", diagnosis(**{name: test}), name, f"one number compared for {'the ' * (name != 'padding')}{name}")
        for name, test in (
            ("source", lambda o, r: near_somewhere(o, r[SOURCE])),
            ("target", lambda o, r: near_somewhere(o[2:], r[TARGET][2:])),
            ("padding", lambda o, r: not near_somewhere(o, r[PADDED])),
        )
    ),
    ("diagnose", diagnosis(causal=lambda o, r: not near_somewhere(kept(r), r[CUT])), "causal", NEVER("causal")),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, same=torch.equal)), "scale", ALWAYS("scale")),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, heads=slice(1))), "scale", "the first head only"),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(r, heads=slice(1, None))), "scale", None),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(of_query(r, 0))), "scale", "the first query only"),
    (
        "diagnose",
        diagnosis(scale=lambda o, r: not scaled(r, tolerance=0.05)),
        "scale",
        "weights that are a little wrong",
    ),
    ("diagnose", diagnosis(scale=lambda o, r: not scaled(of_query(r, -1))), "scale", "the last query only"),
    (
        "diagnose",
        diagnosis(scale=lambda o, r: not scaled(r, 0.01, near_in_the_mean)),
        "scale",
        "weights that are a little wrong",
    ),
    ("diagnose", diagnosis(causal=lambda o, r: not close(o[:2], r[CUT][:2])), "causal", "not all rows"),
    ("diagnose", diagnosis(target=lambda o, r: close(o, r[SOURCE])), "target", None),
    ("diagnose", diagnosis(causal=all_rows_another), "causal", "not all rows"),
    ("diagnose", by(lambda o, r: sqrt(o.shape[-1])), "scale", "d_model for d_k"),
    ("diagnose", by(lambda o, r: sqrt(o.shape[-1] / len(r["queries"]))), "scale", "d_model by heads"),
    ("diagnose", compared_by(not_above), "source", "what falls taken for rounding"),
    ("diagnose", compared_by(not_below), "target", "what rises taken for rounding"),
    *(("diagnose", within_two_hundredths, name, TOO_SMALL) for name in ("source", "target", "causal", "padding")),
)


@each_row("ps6", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
