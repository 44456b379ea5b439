"""ps7.average: the mean of a run's last checkpoints (Vaswani et al. 2017, section 6.1)."""

from collections.abc import Callable
from functools import partial
from typing import Any

from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases import unfit
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers
from course_lib.grading.cases.precision import precisely
from course_lib.grading.compare import is_tensor, kind
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.problem_sets.ps7 import wrong_average as wrong
from course_lib.problem_sets.ps7.checkpoints import (
    draw,
    draw_doubles,
    draw_dtypes,
    draw_large,
    draw_whole,
    in_order,
    shuffled,
)
from course_lib.problem_sets.ps7.wrong_average import Checkpoints, Tensors, by_step, defined
from course_lib.training import averaging

VALUE = "mean"


def reference(checkpoints: Checkpoints, n: int) -> Tensors:
    """The mean of the last n by the course's `average`, each tensor in its own dtype, none of them a given one."""
    last = by_step(checkpoints)[-n:]
    mean = averaging.average(last, len(last))
    return {name: mean[name].to(tensor.dtype, copy=True) for name, tensor in last[-1].items()}


# What is seen


def of_tensors(function: Callable) -> Callable[..., Tensors]:
    """`function`, whose calls raise StudentError for what is no dict of tensors."""

    def calling(*arguments) -> Tensors:
        mean = function(*arguments)
        if not isinstance(mean, dict) or not all(map(is_tensor, mean.values())):
            of = f" in which {strange[0]!r} is {kind(mean[strange[0]])}" if (strange := no_tensors(mean)) else ""
            raise StudentError(f"it returned {kind(mean)}{of}, not a dict of tensors by name")
        return mean

    return calling


def no_tensors(mean: Any) -> list:
    """The keys of a dict whose values are no tensors."""
    return [name for name, each in mean.items() if not is_tensor(each)] if isinstance(mean, dict) else []


def values(function: Callable, case: Case) -> Parts:
    """The tensors; a float in place of another float is for the criterion "dtype"."""
    checkpoints, _ = case.arguments
    given = next(iter(checkpoints.values()))
    mean = of_tensors(function)(*case.arguments)

    def seen(name: str, each: Tensor) -> Tensor:
        as_given = name in given and given[name].is_floating_point() and each.is_floating_point()
        return each.to(given[name].dtype) if as_given else each

    return Parts({VALUE: {name: seen(name, each) for name, each in mean.items()}})


def dtypes(function: Callable, case: Case) -> Parts:
    """The dtypes, and whether each tensor is as precise as its own."""
    return precisely(VALUE, defined)(of_tensors(function), case)


Few = partial(Numbers, visible=3, graded=4, probe=values)

TASK = Task(
    name="ps7.average",
    title="The mean of the last checkpoints",
    reference=reference,
    criteria=(
        Few("mean", 1, "The mean, tensor by tensor.", alternate(draw(3, 3, in_order), draw_doubles)),
        Few(
            "last",
            1,
            "Of the last n of the run, in whatever order they are given.",
            alternate(*(draw(5, n, shuffled) for n in (2, 1, 4))),
        ),
        Few(
            "fewer",
            0.5,
            "Of all, where there are fewer than n.",
            alternate(draw(3, 5, in_order), draw(2, 4, in_order), draw(1, 3, in_order)),
        ),
        Few("whole", 0.5, "What is no float is that of the newest; one number that is a float has a mean.", draw_whole),
        Few("precision", 1, "Large numbers in float16.", draw_large),
        Few(
            "arguments",
            0.5,
            "The checkpoints are afterwards as they were.",
            draw(3, 2, in_order),
            probe=leaving("checkpoints n"),
        ),
        Few(
            "dtype",
            0.5,
            "Each tensor has the dtype that it has in the checkpoints, and where it is right its precision.",
            draw_dtypes,
            probe=dtypes,
        ),
    ),
    misconceptions=(
        Misconception(
            "not divided", wrong.not_divided, "mean", "You add the checkpoints up. Divide by how many they are."
        ),
        Misconception(
            "steps near the newest",
            wrong.near_the_newest,
            "last",
            "You take checkpoints whose steps lie near the newest. Steps may lie at any distance: take the newest n.",
        ),
        Misconception(
            "newer ones weigh more",
            wrong.newer_ones_weigh_more,
            "mean",
            "You take the mean of the mean so far and the next one: the newest weighs half. All weigh alike.",
        ),
        Misconception(
            "the oldest and the newest alone",
            wrong.ends_alone,
            "mean",
            "You use two of the checkpoints alone. All n count.",
        ),
        Misconception("the newest alone", wrong.the_newest, "mean", "You return the newest checkpoint as it is."),
        Misconception(
            "in the order of text",
            wrong.in_order_of_text,
            "last",
            'You sort the names as text: "step_1000" comes before "step_900". Sort by the number.',
        ),
        Misconception(
            "in the order given",
            wrong.in_order_of_the_dict,
            "last",
            "You take the last n as they are given. They may be given in any order: sort by the step.",
        ),
        Misconception("the first n", wrong.the_first, "last", "You take the oldest n. Take the newest."),
        Misconception("all of them", wrong.all_of_them, "last", "You take the mean of all checkpoints, whatever n is."),
        Misconception("one too many", wrong.one_too_many, "last", "You take n + 1 checkpoints."),
        Misconception(
            "divided by n in any case",
            wrong.divided_by_n,
            "fewer",
            "You divide by n also where there are fewer. Divide by how many you add.",
        ),
        Misconception(
            "slice from below 0",
            wrong.from_below_0,
            "fewer",
            "Where there are fewer than n, your slice begins at len − n, which is below 0 then: Python counts it from "
            "the end. A slice [-n:] takes all.",
        ),
        Misconception(
            "whole numbers averaged",
            wrong.whole_numbers_averaged,
            "whole",
            "You take the mean of whole numbers, too. Take those of the newest.",
        ),
        Misconception(
            "whole numbers made floats",
            wrong.whole_numbers_to_floats,
            "whole",
            "Your whole numbers are floats. Take the newest checkpoint's, as they are.",
        ),
        Misconception(
            "whole numbers of the oldest",
            wrong.whole_numbers_of_the_oldest,
            "whole",
            "You take the whole numbers of the oldest of the n. Take the newest.",
        ),
        Misconception(
            "whole numbers of the one given last",
            wrong.whole_numbers_of_the_last_given,
            "whole",
            "You take the whole numbers of the checkpoint that is given last. Take the newest.",
        ),
        Misconception(
            "whole numbers of the last name",
            wrong.whole_numbers_of_the_last_name,
            "whole",
            'You take the whole numbers of the last name as text, "step_900" after "step_1000". Take the newest.',
        ),
        Misconception(
            "whole numbers left out",
            wrong.whole_numbers_left_out,
            "whole",
            "You leave tensors of whole numbers out. Every name of the checkpoint is in the mean.",
        ),
        Misconception(
            "summed in float16",
            wrong.in_half_precision,
            "precision",
            "You add in float16, where nothing is larger than 65504: the sum is infinite. Add in float64.",
        ),
        Misconception(
            "put into the newest checkpoint",
            wrong.summed_in_place,
            "arguments",
            "The newest checkpoint holds the mean afterwards. Make a new dict, of new tensors: update, out[name] = …, "
            "+=, add_ and div_ change what is given.",
        ),
        Misconception(
            "single precision",
            unfit.in_single_precision(defined),
            "dtype",
            "You return float32 whatever you were given. Give each tensor its dtype back, by to(…).",
        ),
        Misconception(
            "computed in float32",
            wrong.in_float32,
            "dtype",
            "You return float64, but less precise than that: is something on the way a float32? Add in float64.",
        ),
    ),
    forbidden=(
        "course_lib.training.averaging.average",
        "torch.optim.swa_utils.AveragedModel.__init__",
        *(f"torch.optim.swa_utils.get_swa_{kind}" for kind in ("avg_fn", "multi_avg_fn")),
    ),
)
