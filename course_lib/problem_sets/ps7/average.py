"""ps7.average: the mean of a run's last checkpoints (Vaswani et al. 2017, section 6.1)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial, reduce
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers, converted, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.unfit import in_single_precision
from course_lib.grading.compare import is_tensor, kind
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.training import averaging

Tensors = dict[str, Tensor]
Checkpoints = dict[str, Tensors]  # by their names, "step_900"


def reference(checkpoints: Checkpoints, n: int) -> Tensors:
    """The mean of the last n by the course's `average`, each tensor in its own dtype, none of them a given one."""
    last = by_step(checkpoints)[-n:]
    mean = averaging.average(last, len(last))
    return {name: mean[name].to(tensor.dtype, copy=True) for name, tensor in last[-1].items()}


# Mistakes


def by_step(checkpoints):
    """The checkpoints, the oldest first."""
    return [checkpoints[name] for name in sorted(checkpoints, key=lambda name: int(name.removeprefix("step_")))]


def mean_of(tensors, n=0):
    """1/n Σ_k θ_k, summed in float64; n is how many they are, if it is not given."""
    return (torch.stack([each.double() for each in tensors]).sum(0) / (n or len(tensors))).to(tensors[0].dtype)


def defined(
    checkpoints,
    n,
    order=by_step,
    choose=lambda each, n: each[-n:],
    mean=mean_of,
    whole=lambda tensors: tensors[-1].clone(),
):
    last = choose(order(checkpoints), n)
    every = {name: [each[name] for each in last] for name in last[-1]}
    return {name: (mean if each[0].is_floating_point() else whole)(each) for name, each in every.items()}


wrong = versions(defined)
not_divided = wrong("mean", mean=lambda tensors: mean_of(tensors) * len(tensors))(
    "You add the checkpoints up. Divide by how many they are."
)


@mistake("last")
def steps_near_the_newest(checkpoints, n):
    """You take checkpoints whose steps lie near the newest. Steps may lie at any distance: take the newest n."""
    steps = {name: int(name.removeprefix("step_")) for name in checkpoints}
    return defined({name: checkpoints[name] for name in steps if max(steps.values()) - steps[name] < 100 * n}, n)


newer_ones_weigh_more = wrong("mean", mean=partial(reduce, lambda mean, each: (mean + each) / 2))(
    "You take the mean of the mean so far and the next one: the newest weighs half. All weigh alike."
)
the_oldest_and_the_newest_alone = wrong("mean", mean=lambda tensors: mean_of([tensors[0], tensors[-1]]))(
    "You use two of the checkpoints alone. All n count."
)
the_newest_alone = wrong("mean", choose=lambda each, n: each[-1:])("You return the newest checkpoint as it is.")
in_the_order_of_text = wrong("last", order=lambda checkpoints: [checkpoints[name] for name in sorted(checkpoints)])(
    'You sort the names as text: "step_1000" comes before "step_900". Sort by the number.'
)
in_the_order_given = wrong("last", order=lambda checkpoints: [*checkpoints.values()])(
    "You take the last n as they are given. They may be given in any order: sort by the step."
)
the_first_n = wrong("last", choose=lambda each, n: each[:n])("You take the oldest n. Take the newest.")
all_of_them = wrong("last", choose=lambda each, n: each)("You take the mean of all checkpoints, whatever n is.")
one_too_many = wrong("last", choose=lambda each, n: each[-n - 1 :])("You take n + 1 checkpoints.")


@mistake("fewer")
def divided_by_n_in_any_case(checkpoints, n):
    """You divide by n also where there are fewer. Divide by how many you add."""
    return defined(checkpoints, n, mean=partial(mean_of, n=n))


slice_from_below_0 = wrong("fewer", choose=lambda each, n: each[len(each) - n :])(
    "Where there are fewer than n, your slice begins at len − n, which is below 0 then: Python counts it from the end. "
    "A slice [-n:] takes all."
)
whole_numbers_averaged = wrong("whole", whole=mean_of)(
    "You take the mean of whole numbers, too. Take those of the newest."
)
whole_numbers_made_floats = wrong("whole", whole=lambda tensors: torch.stack([t.float() for t in tensors]).mean(0))(
    "Your whole numbers are floats. Take the newest checkpoint's, as they are."
)
whole_numbers_of_the_oldest = wrong("whole", whole=lambda tensors: tensors[0].clone())(
    "You take the whole numbers of the oldest of the n. Take the newest."
)


def whole_from(checkpoint, mean):
    """The mean with what is no float in this checkpoint."""
    return mean | {name: each.clone() for name, each in checkpoint.items() if not each.is_floating_point()}


@mistake("whole")
def whole_numbers_of_the_one_given_last(checkpoints, n):
    """You take the whole numbers of the checkpoint that is given last. Take the newest."""
    return whole_from([*checkpoints.values()][-1], defined(checkpoints, n))


@mistake("whole")
def whole_numbers_of_the_last_name(checkpoints, n):
    """You take the whole numbers of the last name as text, "step_900" after "step_1000". Take the newest."""
    return whole_from(checkpoints[max(checkpoints)], defined(checkpoints, n))


@mistake("whole")
def whole_numbers_left_out(*given):
    """You leave tensors of whole numbers out. Every name of the checkpoint is in the mean."""
    return {name: each for name, each in defined(*given).items() if each.is_floating_point()}


summed_in_float16 = wrong("precision", mean=lambda tensors: sum(tensors, torch.zeros_like(tensors[0])) / len(tensors))(
    "You add in float16, where nothing is larger than 65504: the sum is infinite. Add in float64."
)


LIMIT = (
    "You keep numbers within float16's range: your mean has none above 60000 or 65504, though the weights have. A "
    "float32 may be larger: do not cut numbers off, and do not go through float16."
)


def cut_off_at(limit):
    return lambda tensors: mean_of([each.clamp(-limit, limit) for each in tensors])


cut_off_at_60000 = wrong("precision", mean=cut_off_at(60000))(LIMIT)
cut_off_at_65504 = wrong("precision", mean=cut_off_at(65504))(LIMIT)


def mean_put_into(place):
    """The mean, which the checkpoint at this place of the last n holds afterwards."""

    def averaged(checkpoints, n):
        found = defined(checkpoints, n)
        for name, each in by_step(checkpoints)[-n:][place].items():
            if each.is_floating_point():
                each.copy_(found[name])
        return found

    return averaged


NEW = (
    "The {} holds the mean afterwards. Make a new dict, of new tensors: update, out[name] = …, +=, add_ and div_ "
    "change what is given."
)
put_into_the_newest_checkpoint = mistake("arguments", NEW.format("newest checkpoint"))(mean_put_into(-1))
put_into_the_oldest_checkpoint = mistake("arguments", NEW.format("oldest of the n checkpoints"))(mean_put_into(0))


def added_up_in(place, divided):
    """The sum in the tensors of the checkpoint at this place of the last n, in their dtype; if `divided`, the mean."""

    def averaged(checkpoints, n):
        last = by_step(checkpoints)[-n:]
        others = [each for each in last if each is not last[place]]
        out = dict(last[place])
        for name, each in out.items():
            if each.is_floating_point():
                for other in others:
                    each += other[name]
                out[name] = each.div_(len(last)) if divided else each / len(last)
        return whole_from(last[-1], out)

    return averaged


SAME_TENSORS = (
    "You add up in the tensors of a checkpoint. dict(…) and copy() make a new dict, but of the same tensors: +=, add_ "
    "and div_ change them. Begin with zeros in float64, which hold large sums of float16, too."
)
sum_in_the_oldest_checkpoint = mistake("arguments", SAME_TENSORS)(added_up_in(0, divided=False))
sum_in_the_newest_checkpoint = mistake("arguments", SAME_TENSORS)(added_up_in(-1, divided=False))
mean_in_the_oldest_checkpoint = mistake("arguments", SAME_TENSORS)(added_up_in(0, divided=True))
mean_in_the_newest_checkpoint = mistake("arguments", SAME_TENSORS)(added_up_in(-1, divided=True))


single_precision = mistake(
    "dtype", "You return float32 whatever you were given. Give each tensor its dtype back, by to(…)."
)(in_single_precision(defined))
computed_in_float32 = wrong(
    "dtype", mean=lambda tensors: mean_of([each.float() for each in tensors]).to(tensors[0].dtype)
)("You return float64, but less precise than that: is something on the way a float32? Add in float64.")

# Cases


def draw(
    count: int, n: int, steps: Callable[[Random], list[int]], dtype: torch.dtype = torch.float32
) -> Callable[[Random, int], Case]:
    """So many checkpoints, of which the last n count."""

    def drawn(rng: Random, size: int) -> Case:
        part = 3 if dtype == torch.float64 else 1  # a third of a float32 is none itself
        names = rng.sample(("embedding.E", "layer.0.W_q", "layer.0.W_k", "layer.1.W_q", "norm.g"), 2 + size % 2)
        shapes = {name: rng.choice(((3,), (2, 2), (2, 3))) for name in names}
        at = steps(rng)[:count]
        made = {f"step_{s}": {name: tensor(rng, *shape).to(dtype) / part for name, shape in shapes.items()} for s in at}
        words = f"checkpoints of the steps {', '.join(map(str, at))}, the last {n}"
        return Case((made, n), words, scale=4.0, terms=count)

    return drawn


def draw_doubles(rng: Random, size: int) -> Case:
    """Three in float64, with numbers so short that their mean in float32 is right: how precise it is asks "dtype"."""
    made = draw(3, 3, in_order)(rng, size)
    checkpoints, n = converted(made.arguments, torch.float64)
    short = {at: {name: 3 * (w * 64).round() / 64 for name, w in each.items()} for at, each in checkpoints.items()}
    return replace(made, arguments=(short, n), words=f"{made.words}, in float64", scale=12.0)


def draw_whole(rng: Random, size: int) -> Case:
    """Three with tensors that are no floats, and one of a single number; the newest is neither given last nor last as
    text."""
    new, old = rng.choice((1000, 1100, 1200)), sorted(rng.sample((600, 700, 800, 900), 2), reverse=bool(size % 2))
    made = draw(3, 3, lambda rng: [old[0], new, old[1]])(rng, size)
    for step in (new, *old):
        made.arguments[0][f"step_{step}"] |= {
            "steps": torch.tensor(step),
            "seen": torch.tensor([rng.randint(0, 9) for _ in range(3)], dtype=torch.int32),
            "mask": torch.tensor([step == new, step != new]),
            "temperature": tensor(rng),
        }
    return made


def in_order(rng: Random) -> list[int]:
    """Steps of equally many digits, the oldest first."""
    first = rng.randint(1, 5) * 100
    return [first + 50 * k for k in range(6)]


def shuffled(rng: Random) -> list[int]:
    """Steps of three, four and five digits, in any order: neither the newest nor the two newest stand last.

    The newest lie far apart: which they are no distance tells.
    """
    steps = rng.sample((800, 900, 1000, rng.choice((1300, 1400)), rng.choice((10100, 10200))), 5)
    return steps if steps[-1] < 1100 else shuffled(rng)


def draw_large(rng: Random, size: int) -> Case:
    """Numbers whose sum is too large for float16; the last ones change their sign: their differences are, too.

    The first ones, and so their mean, lie near the largest that float16 has.
    """
    each = [[rng.uniform(6.2, 6.5) * 1e4, *(rng.uniform(3.5, 6) * 1e4 for _ in range(2))] for _ in range(3)]
    signs = [torch.tensor([1, 1, (-1) ** k]) for k in range(3)]
    made = {f"step_{100 * k + 100}": {"W_q": (torch.tensor(each[k]) * signs[k]).half()} for k in range(3)}
    return Case((made, 3), "three checkpoints in float16 with numbers of some ten thousands")


def draw_larger(rng: Random, size: int) -> Case:
    """Numbers in float32 that are too large for float16, of either sign, beside small ones."""
    made = draw(3, 3, in_order)(rng, size)
    for step in made.arguments[0].values():
        for each in step.values():
            each.view(-1)[:2] = torch.tensor([rng.uniform(1, 4) * 1e5, -rng.uniform(1, 4) * 1e5])
    return replace(made, words=f"{made.words}, in float32 with numbers of some hundred thousands")


def draw_dtypes(rng: Random, size: int) -> Case:
    dtype = (torch.float64, torch.float16, torch.float32)[size % 3]
    return replace(draw(3, 2, in_order, dtype)(rng, size), scale=1.0)


def of_tensors(function: Callable) -> Callable[..., Tensors]:
    """`function`, whose calls raise StudentError for what is no dict of tensors."""

    def calling(*arguments: Any) -> Tensors:
        mean = function(*arguments)
        strange = [key for key, each in mean.items() if not is_tensor(each)] if isinstance(mean, dict) else []
        if not isinstance(mean, dict) or strange:
            of = f" in which {strange[0]!r} is {kind(mean[strange[0]])}" if strange else ""
            raise StudentError(f"it returned {kind(mean)}{of}, not a dict of tensors by name")
        return mean

    return calling


def values(function: Callable, case: Case) -> Parts:
    """The tensors; a float in place of another float is for the criterion "dtype"."""
    checkpoints, _ = case.arguments
    given = next(iter(checkpoints.values()))
    mean = of_tensors(function)(*case.arguments)

    def seen(name: str, each: Tensor) -> Tensor:
        as_given = name in given and given[name].is_floating_point() and each.is_floating_point()
        return each.to(given[name].dtype) if as_given else each

    return Parts(mean={name: seen(name, each) for name, each in mean.items()})


def dtypes(function: Callable, case: Case) -> Parts:
    """The dtypes, and whether each tensor is as precise as its own."""
    return precisely("mean", defined)(of_tensors(function), case)


TASK = task(
    __name__,
    "The mean of the last checkpoints",
    kind=partial(Numbers, visible=3, graded=4, probe=values),
    criteria=(
        criterion("mean", 1, alternate(draw(3, 3, in_order), draw_doubles))("The mean, tensor by tensor."),
        criterion("last", 1, alternate(*(draw(5, n, shuffled) for n in (2, 1, 4))))(
            "Of the last n of the run, in whatever order they are given."
        ),
        criterion("fewer", 0.5, alternate(*(draw(count, count + 2, in_order) for count in (3, 2, 1))))(
            "Of all, where there are fewer than n."
        ),
        criterion("whole", 0.5, draw_whole)(
            "What is no float is that of the newest; one number that is a float has a mean."
        ),
        criterion("precision", 1, alternate(draw_large, draw_larger))(
            "Large numbers in float16, and in float32 larger ones than float16 has."
        ),
        arguments(0.5, alternate(draw(3, 2, in_order), draw(3, 2, in_order, torch.float64)))(
            "The checkpoints are afterwards as they were."
        ),
        criterion("dtype", 0.5, draw_dtypes, dtypes)(
            "Each tensor has the dtype that it has in the checkpoints, and where it is right its precision."
        ),
    ),
    forbidden=(
        "course_lib.training.averaging.average",
        "torch.optim.swa_utils.AveragedModel.__init__",
        *(f"torch.optim.swa_utils.get_swa_{kind}" for kind in ("avg_fn", "multi_avg_fn")),
    ),
)
