"""ps2.gru_cell: one step of the gated recurrent unit as the lecture writes it (Thadani, "Gated Recurrent Unit")."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor, sigmoid, tanh

from course_lib.grading.cases.numbers import Numbers, case, sizes, tensor
from course_lib.grading.cases.probes import dtypes_and_values
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights, names, unit, weights
from course_lib.recurrent import GRUCell

VALUES = "r z candidate h"


def reference(x: Tensor, h: Tensor, weights: Weights) -> tuple[Tensor, ...]:
    """r_t, z_t, h̃_t and h_t, each (batch, hidden), from x_t and h_{t−1}."""
    values = {}
    unit(GRUCell, weights).forward(x, (h,), watch=lambda name, value: values.setdefault(name, value))
    return tuple(values[name] for name in VALUES.split())


# Mistakes


def reset_before(r, z, h, W):
    return (r * h) @ W


def reset_behind(r, z, h, W):
    return r * (h @ W)


def mix_as_torch(r, z, h, candidate):
    return z * h + (1 - z) * candidate


def defined(
    x,
    h,
    weights,
    product=torch.matmul,
    recall=reset_before,
    mix=lambda r, z, h, candidate: (1 - z) * h + z * candidate,
    φ=tanh,
    gives=lambda *values: values,
):
    r, z = (
        sigmoid(product(x, weights[W_x]) + product(h, weights[W_h]) + weights[b]) for W_x, W_h, b in names("rz")[:2]
    )
    candidate = φ(x @ weights["W_xh"] + recall(r, z, h, weights["W_hh"]) + weights["b_h"])
    return gives(r, z, candidate, mix(r, z, h, candidate))


wrong = versions(defined)
products_for_columns = wrong("gates", product=lambda x, W: W.T @ x)(units.COLUMNS)
update_gate_first = wrong("gates", gives=lambda r, z, *others: (z, r, *others))(
    "What you return first is the update gate. Here the order is r, z, h̃, h."
)


@mistake("gates")
def transposed_recurrent_matrices(x, h, weights):
    """Your recurrent matrices are turned. The lecture's W^⊤h is for a column h; here h is a row: h @ W."""
    return defined(x, h, weights | {W_h: weights[W_h].t() for _, W_h, _ in names("rz")})


@mistake("order")
def matrix_of_the_candidate_transposed(x, h, weights):
    """Your gates are right, but W_hh is turned in the candidate. r ⊙ h is a row here: (r * h) @ W_hh."""
    return defined(x, h, weights | {"W_hh": weights["W_hh"].t()})


@mistake("bias")
def biases_left_out(x, h, weights):
    """You leave out the biases b_r, b_z and b_h."""
    return defined(x, h, weights | {b: torch.zeros_like(weights[b]) for _, _, b in names("rz")})


update_gate_of_torch = wrong("start", mix=mix_as_torch)(
    "You let z weigh the old state, as torch does. In h_t = (1 − z) ⊙ h + z ⊙ h̃ it weighs the new."
)
gates_exchanged = wrong(
    "start", recall=lambda r, z, h, W: (z * h) @ W, mix=lambda r, z, h, candidate: (1 - r) * h + r * candidate
)("You mix with r and reset with z. The reset gate r acts within the candidate, the update gate z mixes.")
candidate_through_a_sigmoid = wrong("start", φ=sigmoid)(units.SIGMOID)
reset_gate_not_applied = wrong("reset", recall=lambda r, z, h, W: h @ W)(
    "Your candidate sees all of h. The reset gate r ⊙ h takes away what it should not see."
)
reset_after_the_product = wrong("order", recall=reset_behind)(
    "You compute r ⊙ (h @ W_hh), as torch does. The lecture's unit computes (r ⊙ h) @ W_hh: it resets units of h "
    "before they are mixed."
)
unit_of_torch = wrong("order", recall=reset_behind, mix=mix_as_torch)(
    "This is the unit that torch computes. The lecture's resets h before the product with W_hh, and lets z weigh the "
    "candidate."
)
reset_state_kept = wrong("update", mix=lambda r, z, h, candidate: (1 - z) * (r * h) + z * candidate)(
    "You keep a share of r ⊙ h. The reset acts within the candidate only: what stays is a share of h itself."
)
old_state_left_out = wrong("update", mix=lambda r, z, h, candidate: z * candidate)(
    "Your new state is z ⊙ h̃ alone: the share 1 − z of the old state is missing."
)


@mistake("gates", units.UNWRITTEN)
def nothing_but_zeros(x, h, weights):
    return (torch.zeros_like(h),) * 4


@mistake("gates")
def h_given_back(x, h, weights):
    """You return h as you were given it: this is not written yet."""
    return h, h, h, h


@mistake("gradient", units.NO_GRADIENT.format(name="h"))
def h_cut_off(x, h, weights):
    return defined(x, h.detach(), weights)


@mistake("gradient", units.OVERWRITTEN.format(name="h"))
def h_overwritten(x, h, weights):
    values = defined(x, h, weights)
    h.data.copy_(values[-1])
    return values


# Cases


def draw(
    state: bool = True, bias: bool = False, alter: Callable[[Weights], Weights] = lambda weights: {}
) -> Callable[[Random, int], Case]:
    """A step with h and the biases if wanted, else 0; `alter` gives weights that replace those drawn."""

    def drawn(rng: Random, size: int) -> Case:
        (inputs, hidden), batch = sizes(rng), 1 + size % 3
        x, h = tensor(rng, batch, inputs), tensor(rng, batch, hidden, spread=float(state))
        given = weights(rng, inputs, hidden, "rz", bias=bias)
        words = f"a batch of {batch}, x of size {inputs}, h of size {hidden}"
        return case(words, inputs + hidden + 1, x, h, given | alter(given))

    return drawn


def diagonal(weights: Weights) -> Weights:
    """Every unit reads its own state only: then it makes no difference where the reset is applied."""
    return {W_h: weights[W_h].diagonal().diag() for _, W_h, _ in names("rz")}


def unrecurrent(weights: Weights) -> Weights:
    """Neither the gates nor the candidate read h: only the mixture does."""
    return {W_h: torch.zeros_like(weights[W_h]) for _, W_h, _ in names("rz")}


draw_all = draw(bias=True)

TASK = task(
    __name__,
    "The GRU cell, reset before the product",
    returns=VALUES,
    kind=Numbers,
    criteria=(
        criterion("gates", 0.5, draw(), "r z")("The gates r and z read x and h."),
        criterion("bias", 0.5, draw(state=False, bias=True), "r z candidate")(
            "The gates and the candidate have their biases."
        ),
        criterion("start", 0.5, draw(state=False), "candidate h")(
            "From an empty state: the candidate, and how much of it z takes."
        ),
        criterion("reset", 1, draw(alter=diagonal), "candidate")(
            "The reset gate says how much of h the candidate sees (here W_rh, W_zh and W_hh are diagonal)."
        ),
        criterion("order", 1, draw(), "candidate")("The reset comes before the matrix product."),
        criterion("update", 1, draw(alter=unrecurrent), "h")(
            "z weighs the candidate, 1 − z the old state (here W_rh, W_zh and W_hh are 0)."
        ),
        criterion("together", 0.5, draw_all, VALUES)("All four values of a step in the middle of a sentence."),
        gradient(draw_all, weights_from=2)(
            "It is fit for training: gradients reach x, h and every weight, and a call changes none of them."
        ),
        dtype(draw_all, looks=dtypes_and_values)(
            "What you return has the dtype of what you are given, float64 or float32."
        ),
    ),
    forbidden=FORBIDDEN,
)
