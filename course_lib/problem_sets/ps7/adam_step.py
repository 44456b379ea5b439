"""ps7.adam_step: one step of Adam (Kingma and Ba 2015, algorithm 1; Li, with the sign of m put right)."""

from functools import partial

import torch
from torch import nn

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers, in_both_dtypes
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.task import Task
from course_lib.problem_sets.ps7 import wrong_adam_step as wrong
from course_lib.problem_sets.ps7.mistakes_adam_step import MISTAKES
from course_lib.problem_sets.ps7.updates import (
    draw,
    draw_precise,
    much_older,
    new,
    of_all_kinds,
    of_several_ages,
    of_two_ages,
    older,
)
from course_lib.problem_sets.ps7.wrong_adam_step import State, Updated, Weights
from course_lib.training import adam

VALUES = "weights state"


def reference(
    weights: Weights, gradients: Weights, state: State, rate: float, betas: tuple[float, float], eps: float
) -> Updated:
    """The weights after the step and the state, by the course's Adam, whose state has other names."""
    own = {name: nn.Parameter(θ.clone()) for name, θ in weights.items()}
    optimizer = adam.Adam(own.values(), rate, betas, eps)
    for name, θ in own.items():
        θ.grad = gradients.get(name)
        if now := state.get(name):
            step = torch.tensor(float(now["t"]))
            optimizer.state[θ] = {"step": step, "exp_avg": now["m"], "exp_avg_sq": now["v"]}
    optimizer.step()
    kept = {name: optimizer.state[θ] for name, θ in own.items() if optimizer.state[θ]}
    return {name: θ.detach() for name, θ in own.items()}, {
        name: {"t": int(now["step"]), "m": now["exp_avg"], "v": now["exp_avg_sq"]} for name, now in kept.items()
    }


Few = partial(Numbers, graded=3)

TASK = Task(
    name="ps7.adam_step",
    title="One step of Adam",
    reference=reference,
    criteria=(
        Few("first", 1, "The weights after their first step.", draw(new), probe=seeing(VALUES, "weights")),
        Few("means", 1, "The new state: t, m and v, not corrected.", draw(older), probe=seeing(VALUES, "state")),
        Few(
            "later",
            1.5,
            "The weights after a later step.",
            alternate(draw(older), draw(much_older, length=50)),
            probe=seeing(VALUES, "weights"),
        ),
        Few(
            "eps",
            0.5,
            "A large ϵ.",
            alternate(draw(older, eps=1.0), draw(older, eps=10.0)),
            probe=seeing(VALUES, "weights"),
        ),
        Few("ages", 0.5, "Each weight counts its own steps.", draw(of_two_ages), probe=seeing(VALUES, VALUES)),
        Few(
            "absent",
            1,
            "A weight without a gradient stays as it is, and so does its state, if it has one; a gradient of 0 counts "
            "as a gradient.",
            draw(of_several_ages, absent=2, zeros=2),
            probe=seeing(VALUES, VALUES),
        ),
        Few(
            "arguments",
            0.5,
            "Weights, gradients and state that were given are afterwards as they were.",
            draw(of_all_kinds, absent=2),
            probe=leaving("weights gradients state rate betas eps"),
        ),
        Few(
            "dtype",
            0.5,
            "New weights and means have the dtype of the old weights, float64 or float32, and those that are right its "
            "precision.",
            in_both_dtypes(draw_precise),
            probe=precisely(VALUES, wrong.defined, also="float16"),
        ),
    ),
    misconceptions=MISTAKES,
    forbidden=(
        "torch.optim.Optimizer.__init__",
        "torch.optim.adam.adam",
        "torch.optim.adam._to_scalar",  # what its versions call, by whatever name a student has saved them
        "torch._fused_adam_",
        "torch._fused_adamw_",
    ),
)
