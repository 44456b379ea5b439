"""Cases of ps3.training_step, and how its three values are looked at."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.cases.arguments import after_call
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted
from course_lib.grading.cases.precision import dtypes_and_precision
from course_lib.grading.cases.probes import Probe, called, left_alone
from course_lib.grading.cases.training import named_tensors
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps3 import forced_scores
from course_lib.problem_sets.ps3 import wrong_training_step as wrong
from course_lib.problem_sets.ps3.models import model_weights

ARGUMENTS = "pairs weights bos eos rate max_norm"
VALUES = "loss norm updated"
VOCABULARY = forced_scores.VOCABULARY
Reach = tuple[float, float]  # max_norm as a multiple of the norm, from … to
UNCLIPPED, CLIPPED = (1.5, 3.0), (0.2, 0.4)
NEAR = {UNCLIPPED: (1.1, 1.2), CLIPPED: (0.8, 0.9)}


def draw(far: Reach, ragged: bool = False, asking: bool = False) -> Callable[[Random, int], Case]:
    """Two pairs, and a max_norm so many times the norm of their gradient: below 1, it is clipped.

    Every second max_norm is near the norm, on the same side of it as the `far` one, and the rate such that rate · norm
    lies on the other side. `ragged`: targets of two lengths, every second time one is empty. `asking`: every second
    time the weights that are given ask for gradients.
    """
    clips = far == CLIPPED

    def arguments(rng: Random, size: int) -> tuple:
        bos, eos, *words = rng.sample(range(1, VOCABULARY), VOCABULARY - 1)
        most = rng.randint(2, 4)
        lengths = [(rng.randint(1, 3), m) for m in (most, rng.randrange(most) * (1 - size % 2) if ragged else most)]
        pairs = [tuple(rng.choices(words, k=n) for n in each) for each in lengths]
        weights = model_weights(rng, VOCABULARY)
        gradients = wrong.gradients_of(pairs, weights, bos, eos, wrong.loss_of)[2]
        norm, largest = wrong.norm_of(gradients).item(), wrong.largest(gradients).item()
        rates, reach = ((0.2, 0.6) if clips else (1.5, 2), NEAR[far]) if size % 2 else ((0.5, 2), far)
        rate, max_norm = round(rng.uniform(*rates), 2), round(norm * rng.uniform(*reach), 2)
        cut = size % 2 == 1 or not clips or largest > 1.2 * max_norm  # who cuts single numbers off cuts one
        return pairs, weights, bos, eos, rate, max_norm, norm, cut

    def fits(pairs, weights, bos, eos, rate, max_norm, norm, cut) -> bool:
        return 1 < norm < 5 and abs(max_norm - 1) > 0.05 and cut

    def drawn(rng: Random, size: int) -> Case:
        *made, norm, _ = until(lambda: arguments(rng, size), fits)
        lengths = " and ".join(f"{len(x)} → {len(y)}" for x, y in made[0])
        longest = "is clipped" if made[-1] < norm else "is short enough"
        asks = asking and size % 2 == 1
        text = f"pairs of {lengths} words, a gradient that {longest}" + ", weights with requires_grad" * asks
        return Case(tuple(made), text, scale=4.0, terms=10, extra=asks)

    return drawn


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the three values; a number may be a tensor or none."""

    def probe(function: Callable, case: Case) -> Parts:
        values = called(function, case.arguments, VALUES.split())
        return Parts((name, plain(values[name])) for name in wanted.split())

    return probe


def as_they_were(function: Callable, case: Case) -> Parts:
    """The probe that looks at the arguments as a call leaves them; if `case.extra`, of weights that ask for gradients.

    A call that raises an error because they ask shows nothing: what was copied by clone alone has no .grad then.
    """
    student = function if isinstance(function, Student) else local(function)
    seen = left_alone(ARGUMENTS, VALUES)(student, case)
    if not case.extra:
        return seen
    try:
        return after_call(ARGUMENTS, student, case.arguments, asking=True)
    except StudentError as error:
        if not error.raises:
            raise
        return Parts(seen | {"after the call, requires_grad of weights": True})


def precise_weights(function: Callable, case: Case) -> Parts:
    """The probe that looks at the dtypes of the new weights and at their precision.

    What the numbers are is for other criteria. Raises StudentError where a tensor is missing.
    """

    def see(arguments: tuple, function: Callable = function) -> dict[str, torch.Tensor]:
        return dict(named_tensors(["updated"], (called(function, arguments, VALUES.split())["updated"],)))

    found = see(case.arguments)
    for name in see(case.arguments, wrong.defined):
        if name not in found:
            raise StudentError(
                f"there is no tensor {name}: updated has a dict for each part, its tensors named as the old ones"
            )
    return dtypes_and_precision(see, found, partial(see, function=wrong.defined), case)


def plain(value: object) -> object:
    """A number as a tensor without dimensions, in float32."""
    if isinstance(value, (int, float)) or is_tensor(value) and value.numel() == 1 and value.dim() <= 1:
        return torch.as_tensor(value, dtype=torch.float32).reshape(())
    return converted(value, torch.float32)
