"""ps2.lstm_cell: one step of long short-term memory, with every gate to be seen (Thadani, "Long short-term memory")."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor, sigmoid, tanh

from course_lib.grading.cases.numbers import Numbers, case, sizes, tensor
from course_lib.grading.cases.probes import seeing
from course_lib.grading.task import Case, Misconception, Task
from course_lib.grading.tasks.ps2.units import FORBIDDEN, Weights, names, unit, weights
from course_lib.recurrent import LSTMCell

VALUES = "f i o candidate c h"
Step = tuple[Tensor, ...]


def reference(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    """f_t, i_t, o_t, c̃_t, c_t and h_t, each (batch, hidden), from x_t, h_{t−1} and c_{t−1}."""
    values = {}
    unit(LSTMCell, weights).forward(x, (h, c), watch=lambda name, value: values.setdefault(name, value))
    return tuple(values[name] for name in VALUES.split())


# Wrong versions


def defined(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    weights: Weights,
    φ: Callable = tanh,
    remember: Callable = lambda f, i, c, candidate: f * c + i * candidate,
    show: Callable = tanh,
) -> Step:
    sums = [x @ weights[W_x] + h @ weights[W_h] + weights[b] for W_x, W_h, b in names("fio")]
    f, i, o = map(sigmoid, sums[:3])
    candidate = φ(sums[3])
    c = remember(f, i, c, candidate)
    return f, i, o, candidate, c, o * show(c)


def listed_as_torch(*arguments) -> Step:
    f, i, *others = defined(*arguments)
    return i, f, *others


def exchanged(*arguments) -> Step:
    return defined(*arguments, remember=lambda f, i, c, candidate: i * c + f * candidate)


def never_forgets(*arguments) -> Step:
    return defined(*arguments, remember=lambda f, i, c, candidate: c + i * candidate)


def unsquashed(*arguments) -> Step:
    return defined(*arguments, show=lambda c: c)


def all_sigmoid(*arguments) -> Step:
    return defined(*arguments, φ=sigmoid)


def transposed(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, h, c, weights | {W_h: weights[W_h].t() for _, W_h, _ in names("fio")})


def without_bias(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, h, c, weights | {b: torch.zeros_like(weights[b]) for _, _, b in names("fio")})


# Cases


def draw(state: str = "", bias: bool = False) -> Callable[[Random, int], Case]:
    """A step in which only the states named in `state` ("hc"), and the biases if wanted, are not 0."""

    def drawn(rng: Random, size: int) -> Case:
        (inputs, hidden), batch = sizes(rng), 1 + size % 3
        x = tensor(rng, batch, inputs)
        h, c = (tensor(rng, batch, hidden, spread=float(name in state)) for name in "hc")
        words = f"a batch of {batch}, x of size {inputs}, h and c of size {hidden}"
        return case(words, inputs + hidden + 1, x, h, c, weights(rng, inputs, hidden, "fio", bias=bias))

    return drawn


TASK = Task(
    name="ps2.lstm_cell",
    title="The LSTM cell, gate by gate",
    reference=reference,
    criteria=(
        Numbers("gates", 0.5, "From an empty state: f, i and o, in this order.", draw(), probe=seeing(VALUES, "f i o")),
        Numbers(
            "recurrent",
            1,
            "The gates and the candidate read h, too, through the matrices as they are given.",
            draw("h"),
            probe=seeing(VALUES, "f i o candidate"),
        ),
        Numbers(
            "bias",
            1,
            "The gates and the candidate have their biases.",
            draw(bias=True),
            probe=seeing(VALUES, "f i o candidate"),
        ),
        Numbers(
            "write",
            1,
            "What an empty memory cell takes up: the candidate, as much as the input gate lets in.",
            draw(),
            probe=seeing(VALUES, "candidate c"),
        ),
        Numbers(
            "memory",
            1,
            "What the memory cell keeps: as much as the forget gate leaves.",
            draw("c"),
            probe=seeing(VALUES, "c"),
        ),
        Numbers("hidden", 1, "What the output gate shows of the memory cell.", draw(), probe=seeing(VALUES, "h")),
        Numbers(
            "together",
            0.5,
            "All six values of a step in the middle of a sentence.",
            draw("hc", bias=True),
            probe=seeing(VALUES, VALUES),
        ),
    ),
    misconceptions=(
        Misconception(
            "gates listed in torch's order",
            listed_as_torch,
            "gates",
            "What you return first is the input gate. torch lists i before f; here the order is f, i, o, c̃, c, h.",
        ),
        Misconception(
            "transposed recurrent matrices",
            transposed,
            "recurrent",
            "Your recurrent matrices are turned. The slide's W^⊤h is for a column h; here h is a row: h @ W.",
        ),
        Misconception("biases left out", without_bias, "bias", "You leave out the biases b_f, b_i, b_o and b_h."),
        Misconception(
            "candidate through a sigmoid",
            all_sigmoid,
            "write",
            "Your candidate goes through σ like a gate. It is content, not a gate: tanh lets it be negative, too.",
        ),
        Misconception(
            "forget and input gate exchanged",
            exchanged,
            "write",
            "Your forget gate weighs the candidate and your input gate the old memory: it is the other way round.",
        ),
        Misconception(
            "forget gate not applied",
            never_forgets,
            "memory",
            "You add to the old memory cell without forgetting: c_{t−1} is weighed by f_t before anything is added.",
        ),
        Misconception(
            "tanh missing on the output",
            unsquashed,
            "hidden",
            "The output gate shows tanh(c_t), not c_t itself: the cell may grow beyond 1, what it shows may not.",
        ),
    ),
    forbidden=FORBIDDEN,
)
