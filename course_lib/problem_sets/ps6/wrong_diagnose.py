"""Diagnoses of a Transformer that are wrong in the ways that people get them wrong."""

from collections.abc import Callable
from math import sqrt

import torch

from course_lib.problem_sets.ps6.translators import FAULTS, Runs, defined, near, scale


def never(fault: str) -> Callable[[Runs], set[str]]:
    """A diagnosis in which this fault is not looked for, or not in a way that ever finds it."""
    return lambda seen: defined(seen) - {fault}


def always(fault: str) -> Callable[[Runs], set[str]]:
    """A diagnosis in which rounding, say, or numbers that have nothing to do with it are taken for this fault."""
    return lambda seen: defined(seen) | {fault}


def exact(seen: Runs) -> set[str]:
    """Numbers compared exactly: rounding makes them all different."""
    return {"causal", "padding", "scale"}


def order_taken_for_change(seen: Runs) -> set[str]:
    """Outputs that change with the order of the source taken for a fault."""
    return defined(seen, source_order=lambda seen: not near(seen["source in another order"], seen["outputs"]))


def exchanged_back(seen: Runs) -> set[str]:
    """Rows 0 and 1 put back in their places, and all rows compared."""

    def test(seen: Runs) -> bool:
        rows = seen["target words 0 and 1 exchanged"]
        return near(torch.cat([rows[[1, 0]], rows[2:]]), seen["outputs"])

    return defined(seen, target_order=test)


def cut_the_same(seen: Runs) -> set[str]:
    """Outputs that do not change when the target is cut taken for a fault."""
    return defined(seen, causal=lambda seen: near(seen["target cut"], seen["outputs"][: len(seen["target cut"])]))


def first_row(seen: Runs) -> set[str]:
    return defined(seen, causal=lambda seen: not near(seen["target cut"][0], seen["outputs"][0]))


def of_query(number: int) -> Callable[[Runs], set[str]]:
    """One query alone looked at."""

    def test(seen: Runs) -> bool:
        return scale(seen | {name: seen[name][:, [number]] for name in ("queries", "weights")})

    return lambda seen: defined(seen, scale=test)


def mean_difference(seen: Runs) -> set[str]:
    """Weights that are wrong by 0.01 in the mean."""

    def test(seen: Runs) -> bool:
        Q, K = seen["queries"], seen["keys"]
        return bool(((Q @ K.mT / sqrt(Q.shape[-1])).softmax(-1) - seen["weights"]).abs().mean() > 0.01)

    return defined(seen, scale=test)


def exchange_for_causal(seen: Runs) -> set[str]:
    """Outputs after the exchanged words that change taken for a missing causal mask."""
    return defined(seen, causal=lambda seen: not near(seen["target words 0 and 1 exchanged"][2:], seen["outputs"][2:]))


def padding_the_same(seen: Runs) -> set[str]:
    return defined(seen, padding=lambda seen: near(seen["source padded"], seen["outputs"]))


def undivided_only(seen: Runs) -> set[str]:
    return defined(seen, scale=lambda seen: near((seen["queries"] @ seen["keys"].mT).softmax(-1), seen["weights"]))


def first_head(seen: Runs) -> set[str]:
    heads = {name: seen[name][:1] for name in ("queries", "keys", "weights")}
    return defined(seen, scale=lambda seen: scale(heads))


def by_all_heads(seen: Runs) -> set[str]:
    """The root of d_model, the width of all heads together, taken for that of d_k."""

    def test(seen: Runs) -> bool:
        Q, K = seen["queries"], seen["keys"]
        return not near((Q @ K.mT / sqrt(len(Q) * Q.shape[-1])).softmax(-1), seen["weights"])

    return defined(seen, scale=test)


def sides_exchanged(seen: Runs) -> set[str]:
    other = {"source order": "target order", "target order": "source order"}
    return {other.get(fault, fault) for fault in defined(seen)}


def only_the_first(seen: Runs) -> set[str]:
    return set(sorted(defined(seen), key=FAULTS.index)[:1])
