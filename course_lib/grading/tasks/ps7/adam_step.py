"""ps7.adam_step: one step of Adam (Kingma and Ba 2015, algorithm 1; Zhao, "Training", with the sign of m put right)."""

from functools import partial

import torch
from torch import nn

from course_lib.grading.cases import unfit
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.numbers import Numbers, in_both_dtypes
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.task import Misconception, Task
from course_lib.grading.tasks.ps7 import wrong_adam_step as wrong
from course_lib.grading.tasks.ps7.updates import draw, draw_precise, new, of_several_ages, of_two_ages, older
from course_lib.grading.tasks.ps7.wrong_adam_step import State, Updated, Weights
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
        Few("later", 1.5, "The weights after a later step.", draw(older), probe=seeing(VALUES, "weights")),
        Few("eps", 0.5, "A large ε.", draw(older, eps=1.0), probe=seeing(VALUES, "weights")),
        Few("ages", 0.5, "Each weight counts its own steps.", draw(of_two_ages), probe=seeing(VALUES, VALUES)),
        Few(
            "absent",
            1,
            "A weight without a gradient stays as it is, and so does its state, if it has one; a gradient of 0 is one.",
            draw(of_several_ages, absent=2, zeros=True),
            probe=seeing(VALUES, VALUES),
        ),
        Few(
            "arguments",
            0.5,
            "Weights, gradients and state that were given are afterwards as they were.",
            draw(older),
            probe=leaving("weights gradients state rate betas eps"),
        ),
        Few(
            "dtype",
            0.5,
            "New weights and means have the dtype of the old weights, float64 or float32, and its precision.",
            in_both_dtypes(draw_precise),
            probe=precisely(VALUES, wrong.defined, judged=("weights",)),
        ),
    ),
    misconceptions=(
        Misconception("upwards", wrong.upwards, "first", "You add the step: the loss grows. Subtract it."),
        Misconception(
            "minus the gradient in m",
            wrong.sign_of_the_gradient,
            "means",
            "Your m takes the gradient with a minus: β_1 m − (1 − β_1) g. A mean adds: β_1 m + (1 − β_1) g. With the "
            "minus the first step goes uphill.",
        ),
        Misconception(
            "no bias correction",
            wrong.not_corrected,
            "first",
            "You do not correct m and v. They start at 0 and are too small at first: divide by 1 − β^t.",
        ),
        Misconception(
            "m not corrected",
            wrong.m_not_corrected,
            "first",
            "You correct v alone. m, too, starts at 0 and is too small at first.",
        ),
        Misconception(
            "v not corrected",
            wrong.v_not_corrected,
            "first",
            "You correct m alone. v, too, starts at 0 and is too small at first.",
        ),
        Misconception(
            "corrected with the old t",
            wrong.one_step_behind,
            "first",
            "You correct with the number of steps before this one: in the first step that divides by 0. Count this "
            "step, too.",
        ),
        Misconception(
            "one step too many counted",
            wrong.one_step_ahead,
            "first",
            "You correct with t + 1 where t counts this step already: the first step has t = 1.",
        ),
        Misconception(
            "multiplied by the correction",
            wrong.multiplied,
            "first",
            "You multiply by 1 − β^t: m and v become smaller still. Divide by it.",
        ),
        Misconception(
            "β times t",
            wrong.product_for_power,
            "later",
            "You correct by 1 − β · t. It is 1 − β^t, a power.",
        ),
        Misconception(
            "always corrected as in the first step",
            wrong.always_the_first_step,
            "later",
            "You divide by 1 − β in every step. Divide by 1 − β^t: the correction wears off.",
        ),
        Misconception(
            "corrected means kept",
            wrong.corrected_ones_kept,
            "means",
            "You keep the corrected m̂ and v̂ for the next step: they are corrected again there. Keep m and v.",
        ),
        Misconception(
            "β and 1 − β exchanged",
            wrong.shares_exchanged,
            "means",
            "You give β to the new gradient and 1 − β to the old mean. The old mean keeps β.",
        ),
        Misconception(
            "β_1 and β_2 exchanged",
            wrong.betas_exchanged,
            "means",
            "You take β_1 for v and β_2 for m. It is the other way round.",
        ),
        Misconception(
            "square of m for the mean of squares",
            wrong.mean_squared,
            "means",
            "Your v is a mean of m². It is a mean of g².",
        ),
        Misconception("not squared", wrong.not_squared, "means", "Your v is a mean of |g|. It is a mean of g²."),
        Misconception(
            "no root", wrong.no_root, "first", "You divide by v̂. Divide by its square root: then the step has no unit."
        ),
        Misconception(
            "the gradient in place of m",
            wrong.gradient_for_m,
            "later",
            "You move by g / (√v̂ + ε). It is m̂, the corrected mean of the gradients, in place of g.",
        ),
        Misconception(
            "begun with the first gradient",
            wrong.begun_with_the_gradient,
            "first",
            "Your m and v begin as the first gradient and its square. They begin as 0; the correction is for that.",
        ),
        Misconception(
            "ε inside the root",
            wrong.eps_inside_the_root,
            "eps",
            "You take √(v̂ + ε). ε is added to the root.",
        ),
        Misconception(
            "ε before the correction",
            wrong.eps_before_the_correction,
            "eps",
            "You add ε to √v and correct afterwards. Correct v first, then add ε to its root.",
        ),
        Misconception("ε left out", wrong.eps_left_out, "eps", "You never use the `eps` that you are given."),
        Misconception(
            "one t for all weights",
            wrong.one_age_for_all,
            "ages",
            "You count steps of the run. A weight without a gradient has no step: each counts its own.",
        ),
        Misconception(
            "no gradient taken for a gradient of 0",
            wrong.absent_as_zero,
            "absent",
            "You move weights that have no gradient, as if it were 0: their m moves them on. They stay as they are.",
        ),
        Misconception(
            "a gradient of 0 taken for none",
            wrong.zero_as_absent,
            "absent",
            "You leave a weight as it is where its gradient is 0. A weight without a gradient is one that is not in "
            "`gradients`: with a gradient of 0, m and v are means of one number more, and m moves the weight on.",
        ),
        Misconception(
            "numbers with a gradient of 0 stay",
            wrong.zeros_stay,
            "absent",
            "Numbers of a weight whose gradient is 0 stay where they are with you. Their m moves them on.",
        ),
        Misconception(
            "weights without a gradient left out",
            wrong.absent_left_out,
            "absent",
            "You return only the weights that have a gradient, and their state. Return all.",
        ),
        Misconception(
            "t counted without a gradient",
            wrong.absent_ages,
            "absent",
            "A weight without a gradient stays as it was, but you count the step in its t.",
        ),
        Misconception(
            "means changed in place",
            wrong.means_in_place,
            "arguments",
            "You change m and v that you were given, by mul_, add_, *= or +=. Make new ones.",
        ),
        Misconception(
            "weights changed in place",
            wrong.weights_in_place,
            "arguments",
            "You change the weights that you were given, by -=, sub_ or .data. Make new ones: w - step.",
        ),
        Misconception(
            "the state that was given changed",
            wrong.state_put_in,
            "arguments",
            "You put the new state into the dict that you were given. Make a new one, for its inner dicts, too.",
        ),
        Misconception(
            "single precision",
            unfit.in_single_precision(wrong.defined),
            "dtype",
            "You were given float64 and return float32. torch.zeros(…) makes float32; torch.zeros_like(w) has the "
            "dtype of w.",
        ),
        Misconception(
            "computed in float32",
            wrong.in_float32,
            "dtype",
            "Your weights are float64, but were computed in float32 on the way: their last digits are lost.",
        ),
    ),
    forbidden=(
        "torch.optim.Optimizer.__init__",
        "torch.optim.adam.adam",
        "torch.optim.adam._to_scalar",  # what its versions call, by whatever name a student has saved them
        "torch._fused_adam_",
        "torch._fused_adamw_",
    ),
)
