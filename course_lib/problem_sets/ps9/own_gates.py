"""The balance loss judged by the gates that a function itself gives: wrong gates cost their own criteria alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.probes import shaped, values_probe
from course_lib.grading.compare import difference
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
        x, W_g, *_ = case.arguments
        return shaped(both(function, case), {"gates": (*x.shape[:2], W_g.shape[1]), "loss": ()})

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The right outcome in place of a loss that is right for its own gates, unless these are nearly equal."""
        if not isinstance(got, Parts):
            return got
        x, W_g, noise, real, k = case.arguments
        if not self.same(function, case, "gates", got, (x, W_g, noise, torch.ones_like(real), k)):
            return got
        if self.honest(got, case, real):
            return expected
        right = difference(Parts(gates=expected["gates"]), Parts(gates=got["gates"]), case) is None
        return (Parts if right else OwnParts)(got | {"gates": expected["gates"]})

    def honest(self, got: Parts, case: Case, real: Tensor) -> bool:
        """Whether the loss is right for its own gates, which are not nearly equal."""
        own = squared_variation(importance(got["gates"], real))
        return bool(own > 0.01) and difference(Parts(loss=own), Parts(loss=got["loss"]), case) is None

    def same(self, function: Callable, case: Case, name: str, got: Parts, arguments: tuple) -> bool:
        """Whether the function gives the same of that name for other arguments."""
        try:
            others = self(function, replace(case, arguments=arguments))
        except StudentError:
            return False
        return difference(Parts({name: others[name]}), Parts({name: got[name]}), case) is None


class of_real_words(of_own_gates):
    """The probe that asks for gates everywhere, and for a loss that padding does not change: a wrong one costs its own
    criterion."""

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The right outcome where the loss is right for its own gates, or follows from the real words and is wrong
        without padding, too."""
        excused = super().excuse(function, case, expected, got)
        if excused is expected or not isinstance(got, Parts):
            return excused
        x, W_g, noise, real, k = case.arguments
        everywhere = (x, W_g, noise, torch.ones_like(real), k)
        moved = (torch.where(real.unsqueeze(2), x, 1 - x), W_g, noise, real, k)
        follows = self.same(function, case, "gates", got, everywhere) and self.same(function, case, "loss", got, moved)
        others = everywhere, (-x, W_g, -noise, real, k), (x.flip(-1), W_g, noise, real, k)
        constant = all(self.same(function, case, "loss", got, each) for each in others)
        words = (x[real].unsqueeze(0), W_g, noise[real].unsqueeze(0), real[real].unsqueeze(0), k)
        without = all(self.right(function, case, each) for each in (everywhere, words))
        return expected if follows and not constant and not without else excused

    def right(self, function: Callable, case: Case, arguments: tuple) -> bool:
        """Whether the loss that the function gives for other arguments is right for its own gates."""
        try:
            return self.honest(self(function, replace(case, arguments=arguments)), case, arguments[3])
        except StudentError:
            return False
