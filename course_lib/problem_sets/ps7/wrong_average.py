"""The mean of a run's last checkpoints as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from functools import partial

import torch
from torch import Tensor

Tensors = dict[str, Tensor]
Checkpoints = dict[str, Tensors]  # by their names, "step_900"


def by_step(checkpoints: Checkpoints) -> list[Tensors]:
    """The checkpoints, the oldest first."""
    return [checkpoints[name] for name in sorted(checkpoints, key=lambda name: int(name.removeprefix("step_")))]


def mean_of(tensors: list[Tensor]) -> Tensor:
    """1/n Σ_k θ_k, summed in float64."""
    return (sum_of_doubles(tensors) / len(tensors)).to(tensors[0].dtype)


def sum_of_doubles(tensors: list[Tensor]) -> Tensor:
    return torch.stack([each.double() for each in tensors]).sum(0)


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


def near_the_newest(checkpoints: Checkpoints, n: int) -> Tensors:
    """Those whose steps are less than 100 n below the newest."""
    steps = {name: int(name.removeprefix("step_")) for name in checkpoints}
    return defined({name: checkpoints[name] for name in steps if max(steps.values()) - steps[name] < 100 * n}, n)


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
whole_numbers_averaged = partial(defined, whole=mean_of)
whole_numbers_to_floats = partial(defined, whole=mean_as_float)
whole_numbers_of_the_oldest = partial(defined, whole=lambda tensors: tensors[0].clone())
in_float32 = partial(defined, mean=mean_in_float32)
in_half_precision = partial(defined, mean=sum_in_its_dtype)


def divided_by_n(checkpoints: Checkpoints, n: int) -> Tensors:
    """The sum divided by n, however many there are."""
    return defined(checkpoints, n, mean=lambda tensors: (sum_of_doubles(tensors) / n).to(tensors[0].dtype))


def whole_from(choose: Callable[[Checkpoints], Tensors]) -> Callable[[Checkpoints, int], Tensors]:
    """What is no float is that of the checkpoint chosen."""

    def wrong(checkpoints: Checkpoints, n: int) -> Tensors:
        whole = {name: each.clone() for name, each in choose(checkpoints).items() if not each.is_floating_point()}
        return defined(checkpoints, n) | whole

    return wrong


whole_numbers_of_the_last_given = whole_from(lambda checkpoints: [*checkpoints.values()][-1])
whole_numbers_of_the_last_name = whole_from(lambda checkpoints: checkpoints[max(checkpoints)])


def whole_numbers_left_out(*arguments) -> Tensors:
    return {name: each for name, each in defined(*arguments).items() if each.is_floating_point()}


def summed_in_place(checkpoints: Checkpoints, n: int) -> Tensors:
    """The sum made in the newest checkpoint's own tensors."""
    found = defined(checkpoints, n)
    for name, each in by_step(checkpoints)[-1].items():
        if each.is_floating_point():
            each.copy_(found[name])
    return found
