"""Contexts, and heads, judged by what the function itself gives: wrong weights cost their own criterion alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.probes import shaped, values_probe
from course_lib.grading.compare import difference
from course_lib.grading.task import Case, OwnParts, Parts

VALUES = "contexts weights"
both = values_probe(VALUES, VALUES)


def attention_of(function: Callable, case: Case) -> Parts:
    """The contexts and weights; raises StudentError for what are no tensors of the right shapes."""
    Q, K, V, _ = case.arguments
    last = {"contexts": V.shape[-1], "weights": K.shape[-2]}
    return shaped(both(function, case), {name: (*Q.shape[:-1], size) for name, size in last.items()})


def attends(function: Callable, case: Case, α: Tensor) -> bool:
    """Whether every query has a weight that is not 0, and other queries have others: not without work.

    Asked with the mask turned round, too, as some mistakes read it.
    """
    Q, K, V, mask = case.arguments

    def changes(mask: Tensor) -> bool:
        ours, others = (
            attention_of(function, replace(case, arguments=(q, K, V, mask)))["weights"] for q in (Q, Q.flip(-2))
        )
        return difference(ours, others, case) is not None

    try:
        return bool(α.any(-1).all()) and (changes(mask) or changes(~mask))
    except StudentError:
        return False


class of_attention:
    """The probe that asks for contexts and weights; what is excused is right for what the function itself gives."""

    proves = True

    def __call__(self, function: Callable, case: Case) -> Parts:
        return attention_of(function, case)


class of_own_weights(of_attention):
    """The probe that asks for contexts that are weights · V, with the weights that the function returns."""

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The outcome with the right weights, and with the right contexts if they are those of its own weights."""
        if not isinstance(got, Parts):
            return got
        V, α = case.arguments[2], got["weights"]
        own = Parts(contexts=α.to(V) @ V)
        if attends(function, case, α) and difference(own, Parts(contexts=got["contexts"]), case) is None:
            return expected
        right = difference(Parts(weights=expected["weights"]), Parts(weights=α), case) is None
        return (Parts if right else OwnParts)(got | {"weights": expected["weights"]})


class of_each_head(of_attention):
    """The probe that asks of every head for what the function gives for this head alone, without an axis of heads."""

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The right outcome in place of one that is what the function gives for each head alone."""
        if not isinstance(got, Parts):
            return got
        Q, K, V, mask = case.arguments
        own_mask = mask[:, 0].expand(-1, Q.shape[2], -1)
        try:
            alone = [
                attention_of(function, replace(case, arguments=(Q[:, head], K[:, head], V[:, head], own_mask.clone())))
                for head in range(Q.shape[1])
            ]
        except StudentError:
            return got
        own = Parts((name, torch.stack([each[name] for each in alone], 1)) for name in got)
        if attends(function, case, got["weights"]) and difference(own, got, case) is None:
            return expected
        return got if difference(expected, own, case) is None else OwnParts(got)
