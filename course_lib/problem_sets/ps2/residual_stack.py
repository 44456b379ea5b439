"""ps2.residual_stack: layers over layers with residual connections (He et al. 2015; Thadani, "Scaling up")."""

from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.numbers import Numbers, case, count, sentences, sizes, tensor, time_and_lengths
from course_lib.grading.cases.probes import dtypes_and_values
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps2 import run_layer as layer
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights, network, weights

BOTH = "outputs finals"


def reference(x: Tensor, lengths: Tensor, layers: list[Weights]) -> tuple[Tensor, Tensor]:
    """The top layer's outputs (batch, time, hidden), and every layer's final state (layers, batch, hidden)."""
    deep = network([[each] for each in layers], residual=True)
    outputs, (h,) = units.read(deep, x, lengths)
    return outputs, h


# Mistakes


def upper(below, y, depth):
    """What a layer adds to what it reads, from the second on."""
    return below + y if depth else y


def alone(below, y, depth):
    return y


def defined(
    x,
    lengths,
    layers,
    read=lambda x, lengths, given, depth: layer.defined(x, lengths, given),
    join=upper,
    gives=lambda *both: both,
):
    finals = []
    for depth, given in enumerate(layers):
        y, final = read(x, lengths, given, depth)
        x = join(x, y, depth)
        finals.append(final)
    return gives(x, torch.stack(finals))


wrong = versions(defined)
added_around_the_first_layer = wrong("bottom", join=lambda below, y, depth: below + y if below.shape == y.shape else y)(
    "You add x to the first layer's output where both are equally wide. Residual connections begin at the second "
    "layer: how wide x happens to be must not decide it."
)
no_residual_connections = wrong("residual", join=alone)(
    "You stack the layers plainly: from the second on, add each layer's input to its output."
)


def squashed(x, lengths, given, depth):
    W_xh = given["W_xh"]  # φ(x W + h W_hh + b + x) = φ(x (W + 1) + h W_hh + b)
    return layer.defined(x, lengths, given | {"W_xh": W_xh + torch.eye(len(W_xh)).to(W_xh)} if depth else given)


added_within_the_unit = wrong("residual", read=squashed, join=alone)(
    "You add the input within φ, which squashes it again. Added after it, it passes unchanged, and so does its "
    "gradient."
)


def fed_back(x, lengths, given, depth):
    def summed(x, h, given):
        return x + layer.softsign_unit(x, h, given)

    return layer.defined(x, lengths, given, step=summed if depth else layer.softsign_unit)


sum_fed_back = wrong("time", read=fed_back, join=alone)(
    "Your next time step starts from the sum with the input. The sum goes to the layer above; what the unit carries on "
    "is its own h."
)


@mistake("deep")
def always_the_output_of_the_first_layer(x, lengths, layers):
    """Every layer of yours adds the first layer's output. What it adds is what it reads: the sum below it."""
    bottom, _ = layer.defined(x, lengths, layers[0])
    return defined(x, lengths, layers, join=lambda below, y, depth: upper(bottom, y, depth))


@mistake("final")
def final_states_taken_from_the_sums(x, lengths, layers):
    """Your final states are outputs, with the input added. A final state is the unit's own h, from which it could read
    on."""
    outputs = [defined(x, lengths, layers[: depth + 1])[0] for depth in range(len(layers))]
    return outputs[-1], torch.stack([layer.last(each, lengths) for each in outputs])


lengths_for_the_first_layer_only = wrong(
    "batch", read=lambda x, lengths, given, depth: layer.defined(x, layer.full(x) if depth else lengths, given)
)("Your upper layers read the padding. It is as long in every layer.")
final_states_top_first = wrong("final", gives=lambda outputs, finals: (outputs, finals.flip(0)))(
    "Your final states begin with the top layer's. The bottom layer's comes first."
)
the_final_state_of_the_top_only = wrong("final", gives=lambda outputs, finals: (outputs, finals[-1]))(
    "You return the top layer's final state only. Every layer has one: stack them, bottom first."
)


@mistake("gradient")
def layers_taken_from_the_list_of_the_caller(x, lengths, layers):
    """You take the layers out of the list that you were given: the caller has none left. Go through it."""
    return defined(x, lengths, [layers.pop(0) for _ in range(len(layers))])


padding_within_the_product = wrong(
    "gradient", read=lambda x, lengths, given, depth: layer.padding_within_the_product(x, lengths, given)
)(layer.NAN)

# Cases


def stack(rng: Random, time: int, lengths: list[int], depth: int, fits: bool = False) -> Case:
    """`depth` layers over sentences of these lengths; x is as wide as the hidden state only if it `fits`."""
    inputs, hidden = sizes(rng)
    inputs = hidden if fits else inputs
    x = tensor(rng, len(lengths), time, inputs)
    layers = [weights(rng, width, hidden) for width in [inputs] + [hidden] * (depth - 1)]
    words = f"{count(depth, 'layer')}, {sentences(lengths, time)}"
    return case(words, (inputs + 2 * hidden + 1) * time * depth, x, torch.tensor(lengths), layers)


def draw_bottom(rng: Random, size: int) -> Case:
    n = rng.randint(1, 3)
    return stack(rng, n, [n], depth=1, fits=size % 2 == 1)


def draw_two(rng: Random, size: int) -> Case:
    return stack(rng, 1, [1], depth=2)


def draw_final(rng: Random, size: int) -> Case:
    return stack(rng, 1, [1], depth=2 - size % 2)


def draw_time(rng: Random, size: int) -> Case:
    n = rng.randint(2, 5)
    return stack(rng, n, [n], depth=2)


def draw_deep(rng: Random, size: int) -> Case:
    return stack(rng, 1, [1], depth=rng.randint(3, 4))


def draw_batch(rng: Random, size: int) -> Case:
    return stack(rng, *time_and_lengths(rng, 5), depth=2)


def draw_nan(rng: Random, size: int) -> Case:
    """A padded batch; every second padding is no number."""
    made = draw_batch(rng, size)
    if size % 2:
        for row, n in zip(*made.arguments[:2], strict=True):
            row[n:] = torch.nan
    return made


TASK = task(
    __name__,
    "Deep, with residual connections",
    returns=BOTH,
    kind=Numbers,
    criteria=(
        criterion("bottom", 0.5, draw_bottom, "outputs")(
            "One layer: nothing is added around it, not even where the sizes agree."
        ),
        criterion("residual", 1, draw_two, "outputs")("A second layer's input is added to its output."),
        criterion("time", 1, draw_time, "outputs")(
            "Within a layer the state is carried as ever: the sum goes upwards only."
        ),
        criterion("deep", 0.5, draw_deep, "outputs")("Each layer adds its own input."),
        criterion("final", 0.5, draw_final, "finals")("Every layer's own final state, bottom first."),
        criterion("batch", 0.5, draw_batch, BOTH)("A padded batch."),
        gradient(draw_nan, weights_from=2)(
            "Gradients reach every token and every layer's weights, whatever stands at padding; a call changes no "
            "argument, nor the list."
        ),
        dtype(draw_two, looks=dtypes_and_values)("The outputs have the dtype of x, float64 or float32."),
    ),
    lent=(layer.run_layer,),
    forbidden=FORBIDDEN,
)
