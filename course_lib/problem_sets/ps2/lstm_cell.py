"""ps2.lstm_cell: one step of an LSTM with peepholes, every gate to be seen (Gers, Schraudolph and Schmidhuber 2002)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor, sigmoid, tanh

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import Numbers, case, sizes, tensor
from course_lib.grading.cases.probes import dtypes_and_values, seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights, names, weights

VALUES = "f i o candidate c h"
Step = tuple[Tensor, ...]


def reference(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    """f_t, i_t, o_t, c̃_t, c_t and h_t, each (batch, hidden), from x_t, h_{t−1} and c_{t−1}.

    f_t = σ(W_fx^⊤ x_t + W_fh^⊤ h_{t−1} + p_f ⊙ c_{t−1} + b_f),  i_t likewise,  c_t = f_t ⊙ c_{t−1} + i_t ⊙ c̃_t,
    o_t = σ(W_ox^⊤ x_t + W_oh^⊤ h_{t−1} + p_o ⊙ c_t + b_o),  h_t = o_t ⊙ tanh(c_t)
    """
    return step(x, h, c, weights)


def step(*arguments) -> Step:
    """What may not do the student's work."""
    return defined(*arguments)


# Wrong versions


def defined(
    x: Tensor,
    h: Tensor,
    c: Tensor,
    weights: Weights,
    product: Callable = torch.matmul,
    φ: Callable = tanh,
    remember: Callable = lambda f, i, c, candidate: f * c + i * candidate,
    peek: Callable = lambda old, new: new,
    show: Callable = tanh,
) -> Step:
    sums = {b[2:]: product(x, weights[W_x]) + product(h, weights[W_h]) + weights[b] for W_x, W_h, b in names("fio")}
    f, i = (sigmoid(sums[g] + weights[f"p_{g}"] * c) for g in "fi")
    candidate = φ(sums["h"])
    new = remember(f, i, c, candidate)
    o = sigmoid(sums["o"] + weights["p_o"] * peek(c, new))
    return f, i, o, candidate, new, o * show(new)


def columns(*arguments) -> Step:
    return defined(*arguments, product=lambda x, W: W.T @ x)


def listed_as_torch(*arguments) -> Step:
    f, i, *others = defined(*arguments)
    return i, f, *others


def listed_as_stacked(*arguments) -> Step:
    f, i, o, candidate, c, h = defined(*arguments)
    return i, f, candidate, o, c, h


def h_before_c(*arguments) -> Step:
    *gates, c, h = defined(*arguments)
    return *gates, h, c


def states_exchanged(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, c, h, weights)


def exchanged(*arguments) -> Step:
    return defined(*arguments, remember=lambda f, i, c, candidate: i * c + f * candidate)


def never_forgets(*arguments) -> Step:
    return defined(*arguments, remember=lambda f, i, c, candidate: c + i * candidate)


def always_writes(*arguments) -> Step:
    return defined(*arguments, remember=lambda f, i, c, candidate: f * c + candidate)


def unsquashed(*arguments) -> Step:
    return defined(*arguments, show=lambda c: c)


def all_sigmoid(*arguments) -> Step:
    return defined(*arguments, φ=sigmoid)


def peeks_at_the_old(*arguments) -> Step:
    return defined(*arguments, peek=lambda old, new: old)


def transposed(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, h, c, weights | {W_h: weights[W_h].t() for _, W_h, _ in names("fio")})


def without_bias(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, h, c, weights | {b: torch.zeros_like(weights[b]) for _, _, b in names("fio")})


def without_peepholes(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, h, c, weights | {f"p_{g}": torch.zeros_like(weights["b_h"]) for g in "fio"})


def memory_constant(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, h, c.detach(), weights)


def state_constant(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return defined(x, h.detach(), c, weights)


def memory_overwritten(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    values = defined(x, h, c, weights)
    c.data.copy_(values[4])
    return values


def zeros(x: Tensor, h: Tensor, c: Tensor, weights: Weights) -> Step:
    return tuple(torch.zeros_like(h) for _ in VALUES.split())


# Cases


def draw(state: str = "", bias: bool = False, peepholes: bool = False) -> Callable[[Random, int], Case]:
    """A step in which only the states named in `state` ("hc"), and biases and peepholes if wanted, are not 0."""

    def drawn(rng: Random, size: int) -> Case:
        (inputs, hidden), batch = sizes(rng), 1 + size % 3
        x = tensor(rng, batch, inputs)
        h, c = (tensor(rng, batch, hidden, spread=float(name in state)) for name in "hc")
        given = weights(rng, inputs, hidden, "fio", bias=bias)
        given |= {f"p_{g}": tensor(rng, hidden, spread=float(peepholes)) for g in "fio"}
        words = f"a batch of {batch}, x of size {inputs}, h and c of size {hidden}"
        return case(words, inputs + hidden + 2, x, h, c, given)

    return drawn


draw_all = draw("hc", bias=True, peepholes=True)


TASK = Task(
    name="ps2.lstm_cell",
    title="The LSTM cell with peepholes, gate by gate",
    reference=reference,
    trains=True,
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
            0.5,
            "The gates and the candidate have their biases.",
            draw(bias=True),
            probe=seeing(VALUES, "f i o candidate"),
        ),
        Numbers(
            "peepholes",
            1,
            "f and i look at the memory cell before the step, o at the one after it.",
            draw("c", peepholes=True),
            probe=seeing(VALUES, "f i o"),
        ),
        Numbers(
            "write",
            0.5,
            "What an empty memory cell takes up: the candidate, as much as the input gate lets in.",
            draw(),
            probe=seeing(VALUES, "candidate c"),
        ),
        Numbers(
            "memory",
            0.5,
            "What the memory cell keeps: as much as the forget gate leaves.",
            draw("c"),
            probe=seeing(VALUES, "c"),
        ),
        Numbers("hidden", 0.5, "What the output gate shows of the memory cell.", draw(), probe=seeing(VALUES, "h")),
        Numbers("together", 0.5, "All six values in the middle of a sentence.", draw_all, probe=seeing(VALUES, VALUES)),
        *fit_for_training(
            "x h c weights",
            VALUES,
            defined,
            gradient=(
                "It is fit for training: gradients reach x, h, c and every weight, and a call changes none of them.",
                draw_all,
            ),
            looks=dtypes_and_values,
            dtype=("What you return has the dtype of what you are given, float64 or float32.", draw_all),
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
            "values listed as torch stacks them",
            listed_as_stacked,
            "gates",
            "You return i, f, c̃, o, the order in which torch stacks them; here it is f, i, o, c̃, c, h.",
        ),
        Misconception(
            "hidden state before memory cell",
            h_before_c,
            "hidden",
            "You return h before c, as torch does. Here the memory cell c stands before what it shows, h.",
        ),
        Misconception(
            "h and c exchanged",
            states_exchanged,
            "memory",
            "You read from c and remember h. The second argument is h, which the gates read; the third is c.",
        ),
        Misconception("products for columns", columns, "gates", units.COLUMNS),
        Misconception(
            "transposed recurrent matrices",
            transposed,
            "recurrent",
            "Your recurrent matrices are turned. The lecture's W^⊤h is for a column h; here h is a row: h @ W.",
        ),
        Misconception("biases left out", without_bias, "bias", "You leave out the biases b_f, b_i, b_o and b_h."),
        Misconception(
            "peepholes left out",
            without_peepholes,
            "peepholes",
            "Your gates do not look at the memory cell: p ⊙ c is missing within the σ of f, i and o.",
        ),
        Misconception(
            "output gate looks at the old memory",
            peeks_at_the_old,
            "peepholes",
            "Your output gate looks at c_{t−1}. It decides what is shown of c_t, so c_t is what it looks at.",
        ),
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
            "input gate not applied",
            always_writes,
            "write",
            "You add the whole candidate to the memory cell: i_t says how much of it.",
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
        Misconception("nothing but zeros", zeros, "gates", units.UNWRITTEN),
        Misconception("c cut off", memory_constant, "gradient", units.NO_GRADIENT.format(name="c")),
        Misconception("h cut off", state_constant, "gradient", units.NO_GRADIENT.format(name="h")),
        Misconception("c overwritten", memory_overwritten, "gradient", units.OVERWRITTEN.format(name="c")),
        *unfit.mistakes(defined, weights_from=3),
    ),
    forbidden=(*FORBIDDEN, f"{__name__}.step"),
)
