"""ps7.average: the mean of a run's last checkpoints (Vaswani et al. 2017, section 6.1)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases import unfit
from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers, tensor
from course_lib.grading.compare import is_tensor, kind
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.grading.tasks.ps7.precision import precisely
from course_lib.training import averaging

Tensors = dict[str, Tensor]
Checkpoints = dict[str, Tensors]  # by their names, "step_900"
VALUE = "mean"


def reference(checkpoints: Checkpoints, n: int) -> Tensors:
    """The mean of the last n by the course's `average`, each tensor in its own dtype."""
    last = by_step(checkpoints)[-n:]
    mean = averaging.average(last, len(last))
    return {name: mean[name].to(tensor.dtype) for name, tensor in last[-1].items()}


# Wrong versions


def by_step(checkpoints: Checkpoints) -> list[Tensors]:
    """The checkpoints, the oldest first."""
    return [checkpoints[name] for name in sorted(checkpoints, key=lambda name: int(name.removeprefix("step_")))]


def mean_of(tensors: list[Tensor]) -> Tensor:
    """1/n Σ_k θ_k, summed in float64."""
    return (torch.stack([each.double() for each in tensors]).sum(0) / len(tensors)).to(tensors[0].dtype)


def newest(tensors: list[Tensor]) -> Tensor:
    return tensors[-1].clone()


def defined(
    checkpoints: Checkpoints,
    n: int,
    order: Callable[[Checkpoints], list[Tensors]] = by_step,
    choose: Callable[[list[Tensors], int], list[Tensors]] = lambda each, n: each[-n:],
    mean: Callable[[list[Tensor]], Tensor] = mean_of,
    whole: Callable[[list[Tensor]], Tensor] = newest,
) -> Tensors:
    last = choose(order(checkpoints), n)
    every = {name: [each[name] for each in last] for name in last[-1]}
    return {name: (mean if each[0].is_floating_point() else whole)(each) for name, each in every.items()}


def halved_each_time(tensors: list[Tensor]) -> Tensor:
    mean = tensors[0]
    for each in tensors[1:]:
        mean = (mean + each) / 2
    return mean


def of_newest(tensors: list[Tensor]) -> Tensor:
    """The mean of the oldest and the newest alone."""
    return mean_of([tensors[0], tensors[-1]])


def sum_in_its_dtype(tensors: list[Tensor]) -> Tensor:
    total = torch.zeros_like(tensors[0])
    for each in tensors:
        total = total + each
    return total / len(tensors)


def mean_in_float32(tensors: list[Tensor]) -> Tensor:
    return mean_of([each.float() for each in tensors]).to(tensors[0].dtype)


def sum_of(tensors: list[Tensor]) -> Tensor:
    return mean_of(tensors) * len(tensors)


def rounded_mean(tensors: list[Tensor]) -> Tensor:
    return torch.stack([each.double() for each in tensors]).mean(0).to(tensors[0].dtype)


def mean_as_float(tensors: list[Tensor]) -> Tensor:
    return torch.stack([each.float() for each in tensors]).mean(0)


in_order_of_text = partial(defined, order=lambda checkpoints: [checkpoints[name] for name in sorted(checkpoints)])
in_order_of_the_dict = partial(defined, order=lambda checkpoints: list(checkpoints.values()))
the_first = partial(defined, choose=lambda each, n: each[:n])
the_newest = partial(defined, choose=lambda each, n: each[-1:])
all_of_them = partial(defined, choose=lambda each, n: each)
from_below_0 = partial(defined, choose=lambda each, n: each[len(each) - n :])
one_too_many = partial(defined, choose=lambda each, n: each[-n - 1 :])
not_divided = partial(defined, mean=sum_of)
newer_ones_weigh_more = partial(defined, mean=halved_each_time)
ends_alone = partial(defined, mean=of_newest)
whole_numbers_averaged = partial(defined, whole=rounded_mean)
whole_numbers_to_floats = partial(defined, whole=mean_as_float)
whole_numbers_of_the_oldest = partial(defined, whole=lambda tensors: tensors[0].clone())
in_float32 = partial(defined, mean=mean_in_float32)
in_half_precision = partial(defined, mean=sum_in_its_dtype)


def divided_by_n(checkpoints: Checkpoints, n: int) -> Tensors:
    """The sum divided by n, however many there are."""
    return defined(checkpoints, n, mean=lambda tensors: mean_of(tensors) * len(tensors) / n)


def whole_numbers_left_out(*arguments) -> Tensors:
    return {name: each for name, each in defined(*arguments).items() if each.is_floating_point()}


def summed_in_place(checkpoints: Checkpoints, n: int) -> Tensors:
    """The sum made in the newest checkpoint's own tensors."""
    found = defined(checkpoints, n)
    for name, each in by_step(checkpoints)[-1].items():
        if each.is_floating_point():
            each.copy_(found[name])
    return found


# Cases


def draw(
    count: int,
    n: int,
    steps: Callable[[Random], list[int]],
    dtype: torch.dtype = torch.float32,
    whole: bool = False,
) -> Callable[[Random, int], Case]:
    """So many checkpoints, of which the last n count."""

    def drawn(rng: Random, size: int) -> Case:
        part = 3 if dtype == torch.float64 else 1  # a third of a float32 is none itself
        names = rng.sample(("embedding.E", "layer.0.W_q", "layer.0.W_k", "layer.1.W_q", "norm.g"), 2 + size % 2)
        shapes = {name: rng.choice(((3,), (2, 2), (2, 3))) for name in names}
        at = steps(rng)[:count]
        made = {f"step_{s}": {name: tensor(rng, *shape).to(dtype) / part for name, shape in shapes.items()} for s in at}
        if whole:
            for step in at:
                made[f"step_{step}"] |= {
                    "steps": torch.tensor(step),
                    "seen": torch.tensor([rng.randint(0, 9) for _ in range(3)]),
                }
        return Case(
            (made, n), f"checkpoints of the steps {', '.join(map(str, at))}, the last {n}", scale=4.0, terms=count
        )

    return drawn


def in_order(rng: Random) -> list[int]:
    """Steps of equally many digits, the oldest first."""
    first = rng.randint(1, 5) * 100
    return [first + 50 * k for k in range(6)]


def shuffled(rng: Random) -> list[int]:
    """Steps of different numbers of digits, in any order: neither the newest nor the two newest stand last."""
    steps = rng.sample((800, 900, 1000, 1100, 1200), 5)
    return steps if steps[-1] < 1100 else shuffled(rng)


def draw_large(rng: Random, size: int) -> Case:
    """Numbers whose sum is too large for float16."""
    made = {
        f"step_{100 * (k + 1)}": {"W_q": torch.tensor([rng.uniform(2.5, 6) * 1e4 for _ in range(3)]).half()}
        for k in range(3)
    }
    return Case((made, 3), "three checkpoints in float16 with numbers of some ten thousands")


def draw_dtypes(rng: Random, size: int) -> Case:
    dtype = (torch.float64, torch.float16, torch.float32)[size % 3]
    return replace(draw(3, 2, in_order, dtype)(rng, size), scale=1.0)


# What is seen


def of_tensors(function: Callable) -> Callable[..., Tensors]:
    """`function`, whose calls raise StudentError for what is no dict of tensors."""

    def calling(*arguments) -> Tensors:
        mean = function(*arguments)
        if not isinstance(mean, dict) or not all(map(is_tensor, mean.values())):
            of = f" in which {wrong[0]!r} is {kind(mean[wrong[0]])}" if (wrong := no_tensors(mean)) else ""
            raise StudentError(f"it returned {kind(mean)}{of}, expected is a dict of tensors by name")
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
        Few("mean", 1, "The mean, tensor by tensor.", draw(3, 3, in_order)),
        Few("last", 1, "Of the last n of the run, in whatever order they are given.", draw(5, 2, shuffled)),
        Few(
            "fewer",
            0.5,
            "Of all, where there are fewer than n.",
            alternate(draw(3, 5, in_order), draw(2, 4, in_order), draw(1, 3, in_order)),
        ),
        Few("whole", 0.5, "Whole numbers are those of the newest.", draw(3, 3, in_order, whole=True)),
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
            "Each tensor has the dtype that it has in the checkpoints, and its precision.",
            draw_dtypes,
            probe=dtypes,
        ),
    ),
    misconceptions=(
        Misconception("not divided", not_divided, "mean", "You add the checkpoints up. Divide by how many they are."),
        Misconception(
            "newer ones weigh more",
            newer_ones_weigh_more,
            "mean",
            "You take the mean of the mean so far and the next one: the newest weighs half. All weigh alike.",
        ),
        Misconception(
            "the oldest and the newest alone", ends_alone, "mean", "You use two of the checkpoints alone. All n count."
        ),
        Misconception("the newest alone", the_newest, "mean", "You return the newest checkpoint as it is."),
        Misconception(
            "in the order of text",
            in_order_of_text,
            "last",
            'You sort the names as text: "step_1000" comes before "step_900". Sort by the number.',
        ),
        Misconception(
            "in the order given",
            in_order_of_the_dict,
            "last",
            "You take the last n as they are given. They may be given in any order: sort by the step.",
        ),
        Misconception("the first n", the_first, "last", "You take the oldest n. Take the newest."),
        Misconception("all of them", all_of_them, "last", "You take the mean of all checkpoints, whatever n is."),
        Misconception("one too many", one_too_many, "last", "You take n + 1 checkpoints."),
        Misconception(
            "divided by n in any case",
            divided_by_n,
            "fewer",
            "You divide by n also where there are fewer. Divide by how many you add.",
        ),
        Misconception(
            "slice from below 0",
            from_below_0,
            "fewer",
            "Where there are fewer than n, your slice begins at len − n, which is below 0 then: Python counts it from "
            "the end. A slice [-n:] takes all.",
        ),
        Misconception(
            "whole numbers averaged",
            whole_numbers_averaged,
            "whole",
            "You take the mean of whole numbers, too. They count something: take the newest.",
        ),
        Misconception(
            "whole numbers made floats",
            whole_numbers_to_floats,
            "whole",
            "Your whole numbers are floats. Take the newest checkpoint's, as they are.",
        ),
        Misconception(
            "whole numbers of the oldest",
            whole_numbers_of_the_oldest,
            "whole",
            "You take the whole numbers of the oldest of the n. Take the newest.",
        ),
        Misconception(
            "whole numbers left out",
            whole_numbers_left_out,
            "whole",
            "You leave tensors of whole numbers out. Every name of the checkpoint is in the mean.",
        ),
        Misconception(
            "summed in float16",
            in_half_precision,
            "precision",
            "You add in float16, where nothing is larger than 65504: the sum is infinite. Add in float64.",
        ),
        Misconception(
            "summed in place",
            summed_in_place,
            "arguments",
            "You put the mean into the tensors of the newest checkpoint, by +=, add_ or div_. Make new ones.",
        ),
        Misconception(
            "single precision",
            unfit.in_single_precision(defined),
            "dtype",
            "You return float32 whatever you were given. Give each tensor its dtype back, by to(…).",
        ),
        Misconception(
            "computed in float32",
            in_float32,
            "dtype",
            "You add in float32 what is given in float64: its last digits are lost. Add in float64.",
        ),
    ),
    forbidden=(
        "course_lib.training.averaging.average",
        "torch.optim.swa_utils.AveragedModel.__init__",
        *(f"torch.optim.swa_utils.get_swa_{kind}" for kind in ("avg_fn", "multi_avg_fn")),
    ),
)
