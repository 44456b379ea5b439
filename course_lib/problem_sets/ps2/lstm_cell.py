"""ps2.lstm_cell: one step of an LSTM with peepholes, every gate to be seen (Gers, Schraudolph and Schmidhuber 2002)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor, sigmoid, tanh

from course_lib.grading.cases.numbers import Numbers, case, sizes, tensor
from course_lib.grading.cases.probes import dtypes_and_values
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
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


# Mistakes


def defined(
    x,
    h,
    c,
    weights,
    product=torch.matmul,
    φ=tanh,
    remember=lambda f, i, c, candidate: f * c + i * candidate,
    peek=lambda old, new: new,
    show=tanh,
    gives=lambda *values: values,
):
    sums = {b[2:]: product(x, weights[W_x]) + product(h, weights[W_h]) + weights[b] for W_x, W_h, b in names("fio")}
    f, i = (sigmoid(sums[g] + weights[f"p_{g}"] * c) for g in "fi")
    candidate = φ(sums["h"])
    new = remember(f, i, c, candidate)
    o = sigmoid(sums["o"] + weights["p_o"] * peek(c, new))
    return gives(f, i, o, candidate, new, o * show(new))


wrong = versions(defined)
gates_listed_in_the_order_of_torch = wrong("gates", gives=lambda f, i, *others: (i, f, *others))(
    "What you return first is the input gate. torch lists i before f; here the order is f, i, o, c̃, c, h."
)
values_listed_as_torch_stacks_them = wrong("gates", gives=lambda f, i, o, candidate, c, h: (i, f, candidate, o, c, h))(
    "You return i, f, c̃, o, the order in which torch stacks them; here it is f, i, o, c̃, c, h."
)
hidden_state_before_memory_cell = wrong("hidden", gives=lambda *values: (*values[:4], values[5], values[4]))(
    "You return h before c, as torch does. Here the memory cell c stands before what it shows, h."
)


@mistake("memory")
def h_and_c_exchanged(x, h, c, weights):
    """You read from c and remember h. The second argument is h, which the gates read; the third is c."""
    return defined(x, c, h, weights)


products_for_columns = wrong("gates", product=lambda x, W: W.T @ x)(units.COLUMNS)


@mistake("recurrent")
def transposed_recurrent_matrices(x, h, c, weights):
    """Your recurrent matrices are turned. The lecture's W^⊤h is for a column h; here h is a row: h @ W."""
    return defined(x, h, c, weights | {W_h: weights[W_h].t() for _, W_h, _ in names("fio")})


@mistake("bias")
def biases_left_out(x, h, c, weights):
    """You leave out the biases b_f, b_i, b_o and b_h."""
    return defined(x, h, c, weights | {b: torch.zeros_like(weights[b]) for _, _, b in names("fio")})


@mistake("peepholes")
def peepholes_left_out(x, h, c, weights):
    """Your gates do not look at the memory cell: p ⊙ c is missing within the σ of f, i and o."""
    return defined(x, h, c, weights | {f"p_{g}": torch.zeros_like(weights["b_h"]) for g in "fio"})


output_gate_looks_at_the_old_memory = wrong("peepholes", peek=lambda old, new: old)(
    "Your output gate looks at c_{t−1}. It decides what is shown of c_t, so c_t is what it looks at."
)
candidate_through_a_sigmoid = wrong("write", φ=sigmoid)(units.SIGMOID)
forget_and_input_gate_exchanged = wrong("write", remember=lambda f, i, c, candidate: i * c + f * candidate)(
    "Your forget gate weighs the candidate and your input gate the old memory: it is the other way round."
)
input_gate_not_applied = wrong("write", remember=lambda f, i, c, candidate: f * c + candidate)(
    "You add the whole candidate to the memory cell: i_t says how much of it."
)
forget_gate_not_applied = wrong("memory", remember=lambda f, i, c, candidate: c + i * candidate)(
    "You add to the old memory cell without forgetting: c_{t−1} is weighed by f_t before anything is added."
)
tanh_missing_on_the_output = wrong("hidden", show=lambda c: c)(
    "The output gate shows tanh(c_t), not c_t itself: the cell may grow beyond 1, what it shows may not."
)


@mistake("gates", units.UNWRITTEN)
def nothing_but_zeros(x, h, c, weights):
    return (torch.zeros_like(h),) * 6


@mistake("gradient", units.NO_GRADIENT.format(name="c"))
def c_cut_off(x, h, c, weights):
    return defined(x, h, c.detach(), weights)


@mistake("gradient", units.NO_GRADIENT.format(name="h"))
def h_cut_off(x, h, c, weights):
    return defined(x, h.detach(), c, weights)


@mistake("gradient", units.OVERWRITTEN.format(name="c"))
def c_overwritten(x, h, c, weights):
    values = defined(x, h, c, weights)
    c.data.copy_(values[4])
    return values


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


TASK = task(
    __name__,
    "The LSTM cell with peepholes, gate by gate",
    returns=VALUES,
    kind=Numbers,
    criteria=(
        criterion("gates", 0.5, draw(), "f i o")("From an empty state: f, i and o, in this order."),
        criterion("recurrent", 1, draw("h"), "f i o candidate")(
            "The gates and the candidate read h, too, through the matrices as they are given."
        ),
        criterion("bias", 0.5, draw(bias=True), "f i o candidate")("The gates and the candidate have their biases."),
        criterion("peepholes", 1, draw("c", peepholes=True), "f i o")(
            "f and i look at the memory cell before the step, o at the one after it."
        ),
        criterion("write", 0.5, draw(), "candidate c")(
            "What an empty memory cell takes up: the candidate, as much as the input gate lets in."
        ),
        criterion("memory", 0.5, draw("c"), "c")("What the memory cell keeps: as much as the forget gate leaves."),
        criterion("hidden", 0.5, draw(), "h")("What the output gate shows of the memory cell."),
        criterion("together", 0.5, draw_all, VALUES)("All six values in the middle of a sentence."),
        gradient(draw_all, weights_from=3)(
            "It is fit for training: gradients reach x, h, c and every weight, and a call changes none of them."
        ),
        dtype(draw_all, looks=dtypes_and_values)(
            "What you return has the dtype of what you are given, float64 or float32."
        ),
    ),
    forbidden=(*FORBIDDEN, f"{__name__}.step"),
)
