"""ps2.residual_stack: layers over layers with residual connections (He et al. 2015; Thadani, "Scaling up")."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import Numbers, case, padded, sentences, sizes, tensor
from course_lib.grading.cases.probes import dtypes_and_values, seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps2.layers import NAN, Read, full, last, softsign_unit
from course_lib.problem_sets.ps2.layers import defined as layer
from course_lib.problem_sets.ps2.layers import padding_in_the_product as with_padding
from course_lib.problem_sets.ps2.run_layer import run_layer
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights, network, weights

VALUES = "outputs finals"
Layers = list[Weights]


def reference(x: Tensor, lengths: Tensor, layers: Layers) -> Read:
    """The top layer's outputs (batch, time, hidden), and every layer's final state (layers, batch, hidden)."""
    deep = network([[each] for each in layers], residual=True)
    outputs, (h,) = units.read(deep, x, lengths)
    return outputs, h


# Wrong versions


def above_the_first(below: Tensor, y: Tensor, depth: int) -> Tensor:
    return below + y if depth else y


def defined(
    x: Tensor,
    lengths: Tensor,
    layers: Layers,
    read: Callable[..., Read] = lambda x, lengths, given, depth: layer(x, lengths, given),
    join: Callable = above_the_first,
) -> Read:
    finals = []
    for depth, given in enumerate(layers):
        y, final = read(x, lengths, given, depth)
        x = join(x, y, depth)
        finals.append(final)
    return x, torch.stack(finals)


def wherever_it_fits(*arguments) -> Read:
    return defined(*arguments, join=lambda below, y, depth: below + y if below.shape == y.shape else y)


def plain(*arguments) -> Read:
    return defined(*arguments, join=lambda below, y, depth: y)


def inside_the_unit(*arguments) -> Read:
    def read(x: Tensor, lengths: Tensor, given: Weights, depth: int) -> Read:
        W_xh = given["W_xh"]  # φ(x W + h W_hh + b + x) = φ(x (W + 1) + h W_hh + b)
        return layer(x, lengths, given | {"W_xh": W_xh + torch.eye(len(W_xh)).to(W_xh)} if depth else given)

    return defined(*arguments, read=read, join=lambda below, y, depth: y)


def fed_back(*arguments) -> Read:
    def summed(x: Tensor, h: Tensor, given: Weights) -> Tensor:
        return x + softsign_unit(x, h, given)

    def read(x: Tensor, lengths: Tensor, given: Weights, depth: int) -> Read:
        return layer(x, lengths, given, step=summed if depth else softsign_unit)

    return defined(*arguments, read=read, join=lambda below, y, depth: y)


def from_the_bottom(x: Tensor, lengths: Tensor, layers: Layers) -> Read:
    bottom, _ = layer(x, lengths, layers[0])
    return defined(x, lengths, layers, join=lambda below, y, depth: bottom + y if depth else y)


def finals_of_the_sums(x: Tensor, lengths: Tensor, layers: Layers) -> Read:
    outputs = [defined(x, lengths, layers[: depth + 1])[0] for depth in range(len(layers))]
    return outputs[-1], torch.stack([last(each, lengths) for each in outputs])


def lengths_below_only(*arguments) -> Read:
    return defined(*arguments, read=lambda x, lengths, given, depth: layer(x, full(x) if depth else lengths, given))


def padding_in_the_product(*arguments) -> Read:
    return defined(*arguments, read=lambda x, lengths, given, depth: with_padding(x, lengths, given))


def top_first(*arguments) -> Read:
    outputs, finals = defined(*arguments)
    return outputs, finals.flip(0)


def top_only(*arguments) -> Read:
    outputs, finals = defined(*arguments)
    return outputs, finals[-1]


def taken_from_the_list(x: Tensor, lengths: Tensor, layers: Layers) -> Read:
    y, final = layer(x, lengths, layers.pop(0))
    finals = [final]
    while layers:
        above, final = layer(y, lengths, layers.pop(0))
        y = y + above
        finals.append(final)
    return y, torch.stack(finals)


# Cases


def stack(rng: Random, time: int, lengths: list[int], depth: int, fits: bool = False) -> Case:
    """`depth` layers over sentences of these lengths; x is as wide as the hidden state only if it `fits`."""
    inputs, hidden = sizes(rng)
    inputs = hidden if fits else inputs
    x = tensor(rng, len(lengths), time, inputs)
    layers = [weights(rng, width, hidden) for width in [inputs] + [hidden] * (depth - 1)]
    words = f"{depth} layer{'s' * (depth > 1)}, {sentences(lengths, time)}"
    return case(words, (inputs + 2 * hidden + 1) * time * depth, x, torch.tensor(lengths), layers)


def draw_bottom(rng: Random, size: int) -> Case:
    n = rng.randint(1, 3)
    return stack(rng, n, [n], depth=1, fits=size % 2 == 1)


def draw_two(rng: Random, size: int) -> Case:
    return stack(rng, 1, [1], depth=2)


def draw_time(rng: Random, size: int) -> Case:
    n = rng.randint(2, 5)
    return stack(rng, n, [n], depth=2)


def draw_deep(rng: Random, size: int) -> Case:
    return stack(rng, 1, [1], depth=rng.randint(3, 4))


def draw_batch(rng: Random, size: int) -> Case:
    return stack(rng, *padded(rng, 5), depth=2)


def draw_nan(rng: Random, size: int) -> Case:
    """A padded batch; every second padding is no number."""
    made = draw_batch(rng, size)
    if size % 2:
        for row, n in zip(*made.arguments[:2], strict=True):
            row[n:] = torch.nan
    return made


outputs = seeing(VALUES, "outputs")

TASK = Task(
    name="ps2.residual_stack",
    title="Deep, with residual connections",
    reference=reference,
    trains=True,
    lent=(run_layer,),
    criteria=(
        Numbers(
            "bottom",
            0.5,
            "One layer: nothing is added around it, not even where the sizes agree.",
            draw_bottom,
            probe=outputs,
        ),
        Numbers("residual", 1, "A second layer's input is added to its output.", draw_two, probe=outputs),
        Numbers(
            "time",
            1,
            "Within a layer the state is carried as ever: the sum goes upwards only.",
            draw_time,
            probe=outputs,
        ),
        Numbers("deep", 0.5, "Each layer adds its own input.", draw_deep, probe=outputs),
        Numbers("final", 0.5, "Every layer's own final state, bottom first.", draw_two, probe=seeing(VALUES, "finals")),
        Numbers("batch", 0.5, "A padded batch.", draw_batch, probe=seeing(VALUES, VALUES)),
        *fit_for_training(
            "x lengths layers",
            VALUES,
            defined,
            gradient=(
                "Gradients reach every token and every layer's weights, whatever stands at padding; a call changes no "
                "argument, nor the list.",
                draw_nan,
            ),
            looks=dtypes_and_values,
            dtype=("The outputs have the dtype of x, float64 or float32.", draw_two),
        ),
    ),
    misconceptions=(
        Misconception(
            "added around the first layer",
            wherever_it_fits,
            "bottom",
            "You add x to the first layer's output where both are equally wide. Residual connections begin at the "
            "second layer: how wide x happens to be must not decide it.",
        ),
        Misconception(
            "no residual connections",
            plain,
            "residual",
            "You stack the layers plainly: from the second on, add each layer's input to its output.",
        ),
        Misconception(
            "added within the unit",
            inside_the_unit,
            "residual",
            "You add the input within φ, which squashes it again. Added after it, it passes unchanged, and so does its "
            "gradient.",
        ),
        Misconception(
            "sum fed back",
            fed_back,
            "time",
            "Your next time step starts from the sum with the input. The sum goes to the layer above; what the unit "
            "carries on is its own h.",
        ),
        Misconception(
            "always the first layer's output",
            from_the_bottom,
            "deep",
            "Every layer of yours adds the first layer's output. What it adds is what it reads: the sum below it.",
        ),
        Misconception(
            "final states taken from the sums",
            finals_of_the_sums,
            "final",
            "Your final states are outputs, with the input added. A final state is the unit's own h, from which it "
            "could read on.",
        ),
        Misconception(
            "lengths for the first layer only",
            lengths_below_only,
            "batch",
            "Your upper layers read the padding. It is as long in every layer.",
        ),
        Misconception(
            "final states top first",
            top_first,
            "final",
            "Your final states begin with the top layer's. The bottom layer's comes first.",
        ),
        Misconception(
            "the top's final state only",
            top_only,
            "final",
            "You return the top layer's final state only. Every layer has one: stack them, bottom first.",
        ),
        Misconception(
            "layers taken from the caller's list",
            taken_from_the_list,
            "gradient",
            "You take the layers out of the list that you were given: the caller has none left. Go through it.",
        ),
        Misconception("padding within the product", padding_in_the_product, "gradient", NAN),
        *unfit.mistakes(defined, weights_from=2),
    ),
    forbidden=FORBIDDEN,
)
