"""The balance loss judged by the gates that a function itself gives: wrong gates cost their own criteria alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.probes import values_probe
from course_lib.grading.compare import difference, misfit
from course_lib.grading.task import Case, OwnParts, Parts

NAMES = "gates loss"
both = values_probe(NAMES, NAMES)


def importance(g: Tensor, real: Tensor) -> Tensor:
    """How much the real words together rely on each expert."""
    return g[real].sum(0)


def squared_variation(total: Tensor) -> Tensor:
    """Variance / mean², the variance over all of `total`."""
    return total.var(correction=0) / total.mean().square()


class of_own_gates:
    """The probe that asks for the loss of the gates that the function returns: wrong gates cost their own criterion.

    The gates must not depend on which words are real.
    """

    proves = True

    def __call__(self, function: Callable, case: Case) -> Parts:
        seen = both(function, case)
        x, W_g, *_ = case.arguments
        for name, shape in (("gates", (*x.shape[:2], W_g.shape[1])), ("loss", ())):
            if says := misfit(x.new_empty(shape), seen[name], name):
                raise StudentError(says)
        return seen

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The right outcome in place of a loss that is right for its own gates, unless these are nearly equal."""
        if not isinstance(got, Parts):
            return got
        x, W_g, noise, real, k = case.arguments
        try:
            without_padding = self(function, replace(case, arguments=(x, W_g, noise, torch.ones_like(real), k)))
        except StudentError:
            return got
        if difference(Parts(gates=without_padding["gates"]), Parts(gates=got["gates"]), case):
            return got
        own = squared_variation(importance(got["gates"], real))
        if own > 0.01 and difference(Parts(loss=own), Parts(loss=got["loss"]), case) is None:
            return expected
        right = difference(Parts(gates=expected["gates"]), Parts(gates=got["gates"]), case) is None
        return (Parts if right else OwnParts)(got | {"gates": expected["gates"]})
