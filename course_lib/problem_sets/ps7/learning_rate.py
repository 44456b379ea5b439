"""ps7.learning_rate: warm-up, then the inverse square root (Vaswani et al. 2017, section 5.3; Li)."""

from collections.abc import Callable
from functools import partial
from math import sqrt
from random import Random
from typing import Any

from course_lib.grading.cases.isolate import alternate
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.training import schedules


def reference(step: int, warmup: int, d_model: int) -> float:
    """1/√(d_model · warmup) · min(step / warmup, √(warmup / step))."""
    return schedules.inverse_square_root(warmup)(step) / sqrt(d_model * warmup)


# Wrong versions


def defined(
    step: int,
    warmup: int,
    d_model: int,
    rise: Callable[[int, int], float] = lambda step, warmup: step / warmup,
    fall: Callable[[int, int], float] = lambda step, warmup: sqrt(warmup / step),
    peak: Callable[[int, int], float] = lambda warmup, d_model: 1 / sqrt(d_model * warmup),
    count: Callable[[int], int] = lambda step: step,
    warming: Callable[[int, int], bool] = lambda step, warmup: step <= warmup,
) -> float:
    step = count(step)
    return peak(warmup, d_model) * (rise if warming(step, warmup) else fall)(step, warmup)


def with_peak(peak: Callable[[int, int], float]) -> Callable[..., float]:
    return partial(defined, peak=peak)


counted_from_0 = partial(defined, count=lambda step: step - 1)
one_step_ahead = partial(defined, count=lambda step: step + 1)
larger_of_both = partial(defined, warming=lambda step, warmup: step > warmup)
root_in_the_rise = partial(defined, rise=lambda step, warmup: sqrt(step / warmup))
no_warmup = partial(defined, rise=lambda step, warmup: sqrt(warmup / step))
held = partial(defined, rise=lambda step, warmup: 1.0)
never_falls = partial(defined, fall=lambda step, warmup: 1.0)
falls_as_1_over_step = partial(defined, fall=lambda step, warmup: warmup / step)
falls_from_warmup_on = partial(defined, fall=lambda step, warmup: sqrt(warmup / (step - warmup)))
falls_anew = partial(defined, fall=lambda step, warmup: 1 / sqrt(step - warmup + 1))
peak_of_1 = with_peak(lambda warmup, d_model: 1.0)
warmup_not_in_the_peak = with_peak(lambda warmup, d_model: 1 / sqrt(d_model))
times_root_of_width = with_peak(lambda warmup, d_model: sqrt(d_model / warmup))
divided_by_width = with_peak(lambda warmup, d_model: 1 / (d_model * sqrt(warmup)))
width_ignored = with_peak(lambda warmup, d_model: 1 / sqrt(warmup))


# Cases


SINGLE = 1e3  # times the 10⁻⁹ of the engine: a rate that was computed in float32 is right, too


def case(step: int, warmup: int, d_model: int) -> Case:
    words = f"step {step}, warm-up {warmup}, d_model {d_model}"
    return Case((step, warmup, d_model), words, scale=SINGLE * defined(step, warmup, d_model))


def number(function: Callable, case: Case) -> Any:
    """What the function returns; of a tensor with one number, that number."""
    value = function(*case.arguments)
    return value.item() if is_tensor(value) and value.numel() == 1 else value


def draw_rise(rng: Random, size: int, width: int = 1) -> Case:
    """A step before the end of the warm-up, the first one among them."""
    warmup = rng.choice((4, 10, 400, 4000)) + size
    return case(rng.randint(2, warmup - 1) if size % 2 else 1, warmup, width)


def draw_peak(rng: Random, size: int) -> Case:
    """The last step of the warm-up."""
    warmup = rng.randint(2, 5000) if size else 1
    return case(warmup, warmup, 1)


def draw_fall(rng: Random, size: int, width: int = 1) -> Case:
    """A step after the warm-up, soon or much later; in some cases there is no warm-up but step 1."""
    warmup = rng.randint(2, 4000) if size % 3 else 1
    return case(warmup + rng.choice((2, 7, 300, 100_000)) + size, warmup, width)


def of_width(draw: Callable) -> Callable[[Random, int], Case]:
    return lambda rng, size: draw(rng, size, width=rng.choice((4, 64, 200, 512)))


Few = partial(Criterion, visible=4, graded=6, probe=number)

TASK = Task(
    name="ps7.learning_rate",
    title="The learning rate over time",
    reference=reference,
    criteria=(
        Few("rise", 1, "Up to the end of the warm-up it grows by the same amount at each step.", draw_rise),
        Few("peak", 0.5, "In the last step of the warm-up it is largest.", draw_peak),
        Few("fall", 1, "Then it is inversely proportional to the square root of the step.", draw_fall),
        Few("width", 1, "The wider the model, the smaller it is.", alternate(of_width(draw_rise), of_width(draw_fall))),
    ),
    misconceptions=(
        Misconception(
            "counted from 0",
            counted_from_0,
            "rise",
            "You count steps from 0, so the first step learns nothing. They are counted from 1.",
        ),
        Misconception("one step ahead", one_step_ahead, "rise", "You add 1 to the step. Steps are counted from 1."),
        Misconception(
            "the larger of both",
            larger_of_both,
            "rise",
            "You take the larger of the two expressions: it falls first and rises for ever. Take the smaller one.",
        ),
        Misconception(
            "a root in the rise",
            root_in_the_rise,
            "rise",
            "Your rate rises as √step. Up to the end of the warm-up it grows by the same amount at each step.",
        ),
        Misconception(
            "no warm-up",
            no_warmup,
            "rise",
            "Your rate falls from step 1 on: it has no warm-up.",
        ),
        Misconception(
            "the same rate all through the warm-up",
            held,
            "rise",
            "Your rate stays the same all through the warm-up. It grows from nearly 0.",
        ),
        Misconception(
            "peak of 1",
            peak_of_1,
            "rise",
            "Your rate is 1 at its peak. There it is 1 / √(d_model · warmup).",
        ),
        Misconception(
            "warm-up not in the peak",
            warmup_not_in_the_peak,
            "rise",
            "Your rate at its peak is 1 / √d_model. It is 1 / √(d_model · warmup).",
        ),
        Misconception(
            "never falls", never_falls, "fall", "Your rate stays at its peak after the warm-up. From there on it falls."
        ),
        Misconception(
            "falls as 1 / step",
            falls_as_1_over_step,
            "fall",
            "Your rate falls as 1 / step: four times as many steps give a quarter. They give half.",
        ),
        Misconception(
            "steps of the warm-up not counted",
            falls_from_warmup_on,
            "fall",
            "In the fall you count the steps since the end of the warm-up. All steps count.",
        ),
        Misconception(
            "steps counted anew after the warm-up",
            falls_anew,
            "fall",
            "In the fall you count steps anew, from 1 at the end of the warm-up. All steps count.",
        ),
        Misconception(
            "times the root of the width",
            times_root_of_width,
            "width",
            "You multiply by √d_model. Divide: a wide model has a smaller rate.",
        ),
        Misconception(
            "divided by the width", divided_by_width, "width", "You divide by d_model. Divide by its square root."
        ),
        Misconception("width ignored", width_ignored, "width", "You never use d_model."),
    ),
    forbidden=("course_lib.training.schedules.inverse_square_root",),
)
