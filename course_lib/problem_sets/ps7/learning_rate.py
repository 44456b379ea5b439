"""ps7.learning_rate: warm-up, then the inverse square root (Vaswani et al. 2017, section 5.3; Li)."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from random import Random
from typing import Any

from course_lib.grading.cases.isolate import alternate
from course_lib.grading.compare import is_tensor
from course_lib.grading.declare import criterion, task, versions
from course_lib.grading.task import Case, Criterion
from course_lib.training import schedules


def reference(step: int, warmup: int, d_model: int) -> float:
    """1/√(d_model · warmup) · min(step / warmup, √(warmup / step))."""
    return schedules.inverse_square_root(warmup)(step) / sqrt(d_model * warmup)


# Mistakes


def defined(
    step,
    warmup,
    d_model,
    rise=lambda step, warmup: step / warmup,
    fall=lambda step, warmup: sqrt(warmup / step),
    peak=lambda warmup, d_model: 1 / sqrt(d_model * warmup),
    count=lambda step: step,
    warming=lambda step, warmup: step <= warmup,
):
    step = count(step)
    return peak(warmup, d_model) * (rise if warming(step, warmup) else fall)(step, warmup)


wrong = versions(defined)
counted_from_0 = wrong("rise", count=lambda step: step - 1)(
    "You count steps from 0, so the first step learns nothing. They are counted from 1."
)
counted_from_0_in_the_warm_up = wrong("rise", rise=lambda step, warmup: (step - 1) / warmup)(
    "In the warm-up you count steps from 0, so the first step learns nothing. They are counted from 1."
)
one_step_ahead = wrong("rise", count=lambda step: step + 1)("You add 1 to the step. Steps are counted from 1.")
the_larger_of_both = wrong("rise", warming=lambda step, warmup: step > warmup)(
    "You take the larger of the two expressions: it falls first and rises for ever. Take the smaller one."
)
a_root_in_the_rise = wrong("rise", rise=lambda step, warmup: sqrt(step / warmup))(
    "Your rate rises as √step. Up to the end of the warm-up it grows by the same amount at each step."
)
no_warm_up = wrong("rise", rise=lambda step, warmup: sqrt(warmup / step))(
    "Your rate falls from step 1 on: it has no warm-up."
)
the_same_rate_all_through_the_warm_up = wrong("rise", rise=lambda step, warmup: 1.0)(
    "Your rate stays the same all through the warm-up. It grows from nearly 0."
)
peak_of_1 = wrong("rise", peak=lambda warmup, d_model: 1.0)(
    "Your rate is 1 at its peak. There it is 1 / √(d_model · warmup)."
)
warm_up_not_in_the_peak = wrong("rise", peak=lambda warmup, d_model: 1 / sqrt(d_model))(
    "Your rate at its peak is 1 / √d_model. It is 1 / √(d_model · warmup)."
)
never_falls = wrong("fall", fall=lambda step, warmup: 1.0)(
    "Your rate stays at its peak after the warm-up. From there on it falls."
)
falls_as_one_over_step = wrong("fall", fall=lambda step, warmup: warmup / step)(
    "Your rate falls as 1 / step: four times as many steps give a quarter. They give half."
)
steps_of_the_warm_up_not_counted = wrong("fall", fall=lambda step, warmup: sqrt(warmup / (step - warmup)))(
    "In the fall you count the steps since the end of the warm-up. All steps count."
)
steps_counted_anew_after_the_warm_up = wrong("fall", fall=lambda step, warmup: 1 / sqrt(step - warmup + 1))(
    "In the fall you count steps anew, from 1 at the end of the warm-up. All steps count."
)
times_the_root_of_the_width = wrong("width", peak=lambda warmup, d_model: sqrt(d_model / warmup))(
    "You multiply by √d_model. Divide: a wide model has a smaller rate."
)
divided_by_the_width = wrong("width", peak=lambda warmup, d_model: 1 / (d_model * sqrt(warmup)))(
    "You divide by d_model. Divide by its square root."
)
width_ignored = wrong("width", peak=lambda warmup, d_model: 1 / sqrt(warmup))("You never use d_model.")

# Cases

SINGLE = 1e3  # times the 10⁻⁹ of the engine: a rate that was computed in float32 is right, too


def case(step: int, warmup: int, d_model: int) -> Case:
    words = f"step {step}, warm-up {warmup}, d_model {d_model}"
    return Case((step, warmup, d_model), words, scale=SINGLE * defined(step, warmup, d_model))


def draw_rise(rng: Random, size: int, width: int = 1) -> Case:
    """A step before the end of the warm-up, the first one among them."""
    warmup = rng.choice((4, 10, 400, 4000)) + size
    return case(rng.randint(2, warmup - 1) if size % 2 else 1, warmup, width)


def draw_peak(rng: Random, size: int) -> Case:
    """The last step of the warm-up."""
    warmup = rng.randint(2, 5000) if size else 1
    return case(warmup, warmup, 1)


def draw_fall(rng: Random, size: int, width: int = 1) -> Case:
    """A step after the warm-up, soon or a million steps later; in some cases there is no warm-up but step 1."""
    warmup = rng.randint(2, 4000) if size % 3 else 1
    later = 1_000_000 if size % 3 == 1 else rng.choice((2, 7, 300))
    return case(warmup + later + size, warmup, width)


def of_width(draw: Callable) -> Callable[[Random, int], Case]:
    return lambda rng, size: draw(rng, size, width=rng.choice((4, 64, 200, 512)))


def number(function: Callable, case: Case) -> Any:
    """What the function returns; of a tensor with one number, that number."""
    value = function(*case.arguments)
    return value.item() if is_tensor(value) and value.numel() == 1 else value


TASK = task(
    __name__,
    "The learning rate over time",
    kind=partial(Criterion, visible=4, graded=6, probe=number),
    criteria=(
        criterion("rise", 1, draw_rise)("Up to the end of the warm-up it grows by the same amount at each step."),
        criterion("peak", 0.5, draw_peak)("In the last step of the warm-up it is largest."),
        criterion("fall", 1, draw_fall)("Then it is inversely proportional to the square root of the step."),
        criterion("width", 1, alternate(of_width(draw_rise), of_width(draw_fall)))(
            "The wider the model, the smaller it is."
        ),
    ),
    forbidden=("course_lib.training.schedules.inverse_square_root",),
)
