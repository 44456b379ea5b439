"""Cases of ps3.training_step, and how its three values are looked at."""

from collections.abc import Callable
from random import Random

import torch

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted
from course_lib.grading.cases.precision import precision
from course_lib.grading.cases.probes import Probe, called, dtype
from course_lib.grading.cases.training import named_tensors
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case, Parts
from course_lib.grading.tasks.ps3 import forced_scores
from course_lib.grading.tasks.ps3 import wrong_training_step as wrong
from course_lib.grading.tasks.ps3.models import model_weights

VALUES = "loss norm updated"
VOCABULARY = forced_scores.VOCABULARY


def draw(reach: tuple[float, float], ragged: bool = False) -> Callable[[Random, int], Case]:
    """Two pairs, and a max_norm so many times the norm of their gradient: below 1, it is clipped.

    `ragged`: targets of two lengths.
    """

    def arguments(rng: Random) -> tuple:
        bos, eos, *words = rng.sample(range(1, VOCABULARY), VOCABULARY - 1)
        most = rng.randint(2, 4)
        lengths = [(rng.randint(1, 3), m) for m in (most, most - (1 + rng.randrange(most)) * ragged)]
        pairs = [tuple(rng.choices(words, k=n) for n in each) for each in lengths]
        weights = model_weights(rng, VOCABULARY)
        norm = wrong.norm_of(wrong.gradients_of(pairs, weights, bos, eos, wrong.loss_of)[2]).item()
        rate, max_norm = round(rng.uniform(0.5, 2), 2), round(norm * rng.uniform(*reach), 2)
        return pairs, weights, bos, eos, rate, max_norm, norm

    def fits(pairs, weights, bos, eos, rate, max_norm, norm) -> bool:
        return 1 < norm < 5

    def drawn(rng: Random, size: int) -> Case:
        *made, norm = until(lambda: arguments(rng), fits)
        lengths = " and ".join(f"{len(x)} → {len(y)}" for x, y in made[0])
        longest = "is clipped" if made[-1] < norm else "is short enough"
        return Case(tuple(made), f"pairs of {lengths} words, a gradient that {longest}", scale=4.0, terms=10)

    return drawn


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the three values; a number may be a tensor or none."""

    def probe(function: Callable, case: Case) -> Parts:
        values = called(function, case.arguments, VALUES.split())
        return Parts((name, plain(values[name])) for name in wanted.split())

    return probe


def precise_weights(function: Callable, case: Case) -> Parts:
    """The probe that looks at the dtypes of the new weights and at their precision.

    What is wrong in float32, too, is for other criteria. Raises StudentError where one is missing.
    """
    found, right = (
        dict(named_tensors(["updated"], (called(each, case.arguments, VALUES.split())["updated"],)))
        for each in (function, wrong.defined)
    )
    for name in right:
        if name not in found:
            raise StudentError(
                f"there is no tensor {name}: updated has a dict for each part, its tensors named as the old ones"
            )
    precise = {f"the precision of {name}": precision(right[name], found[name], case) for name in right}
    return Parts({f"the dtype of {name}": dtype(each) for name, each in found.items()} | precise)


def plain(value: object) -> object:
    """A number as a tensor without dimensions, in float32."""
    if isinstance(value, (int, float)) or is_tensor(value) and value.numel() == 1 and value.dim() <= 1:
        return torch.as_tensor(value, dtype=torch.float32).reshape(())
    return converted(value, torch.float32)


UNCLIPPED, CLIPPED = (1.5, 3.0), (0.3, 0.6)
