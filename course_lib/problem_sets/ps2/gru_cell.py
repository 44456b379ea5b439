"""ps2.gru_cell: one step of the gated recurrent unit as the lecture writes it (Thadani, "Gated Recurrent Unit")."""

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
from course_lib.problem_sets.ps2.units import FORBIDDEN, Weights, names, unit, weights
from course_lib.recurrent import GRUCell

VALUES = "r z candidate h"
Step = tuple[Tensor, ...]


def reference(x: Tensor, h: Tensor, weights: Weights) -> Step:
    """r_t, z_t, h̃_t and h_t, each (batch, hidden), from x_t and h_{t−1}."""
    values = {}
    unit(GRUCell, weights).forward(x, (h,), watch=lambda name, value: values.setdefault(name, value))
    return tuple(values[name] for name in VALUES.split())


# Wrong versions


def defined(
    x: Tensor,
    h: Tensor,
    weights: Weights,
    product: Callable = torch.matmul,
    recall: Callable = lambda r, z, h, W: (r * h) @ W,
    mix: Callable = lambda r, z, h, candidate: (1 - z) * h + z * candidate,
    φ: Callable = tanh,
) -> Step:
    r, z = (
        sigmoid(product(x, weights[W_x]) + product(h, weights[W_h]) + weights[b]) for W_x, W_h, b in names("rz")[:2]
    )
    candidate = φ(x @ weights["W_xh"] + recall(r, z, h, weights["W_hh"]) + weights["b_h"])
    return r, z, candidate, mix(r, z, h, candidate)


def columns(*arguments) -> Step:
    return defined(*arguments, product=lambda x, W: W.T @ x)


def reset_after(*arguments) -> Step:
    return defined(*arguments, recall=lambda r, z, h, W: r * (h @ W))


def never_resets(*arguments) -> Step:
    return defined(*arguments, recall=lambda r, z, h, W: h @ W)


def torch_mix(*arguments) -> Step:
    return defined(*arguments, mix=lambda r, z, h, candidate: z * h + (1 - z) * candidate)


def reset_mix(*arguments) -> Step:
    return defined(*arguments, mix=lambda r, z, h, candidate: (1 - z) * (r * h) + z * candidate)


def without_the_old(*arguments) -> Step:
    return defined(*arguments, mix=lambda r, z, h, candidate: z * candidate)


def exchanged(*arguments) -> Step:
    return defined(
        *arguments,
        recall=lambda r, z, h, W: (z * h) @ W,
        mix=lambda r, z, h, candidate: (1 - r) * h + r * candidate,
    )


def listed_as_written(*arguments) -> Step:
    r, z, *others = defined(*arguments)
    return z, r, *others


def as_torch(*arguments) -> Step:
    return defined(
        *arguments,
        recall=lambda r, z, h, W: r * (h @ W),
        mix=lambda r, z, h, candidate: z * h + (1 - z) * candidate,
    )


def all_sigmoid(*arguments) -> Step:
    return defined(*arguments, φ=sigmoid)


def candidate_transposed(x: Tensor, h: Tensor, weights: Weights) -> Step:
    return defined(x, h, weights | {"W_hh": weights["W_hh"].t()})


def transposed(x: Tensor, h: Tensor, weights: Weights) -> Step:
    return defined(x, h, weights | {W_h: weights[W_h].t() for _, W_h, _ in names("rz")})


def without_bias(x: Tensor, h: Tensor, weights: Weights) -> Step:
    return defined(x, h, weights | {b: torch.zeros_like(weights[b]) for _, _, b in names("rz")})


def state_constant(x: Tensor, h: Tensor, weights: Weights) -> Step:
    return defined(x, h.detach(), weights)


def state_overwritten(x: Tensor, h: Tensor, weights: Weights) -> Step:
    values = defined(x, h, weights)
    h.data.copy_(values[-1])
    return values


def zeros(x: Tensor, h: Tensor, weights: Weights) -> Step:
    return tuple(torch.zeros_like(h) for _ in VALUES.split())


def given_back(x: Tensor, h: Tensor, weights: Weights) -> Step:
    return h, h, h, h


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

TASK = Task(
    name="ps2.gru_cell",
    title="The GRU cell, reset before the product",
    reference=reference,
    trains=True,
    criteria=(
        Numbers("gates", 0.5, "The gates r and z read x and h.", draw(), probe=seeing(VALUES, "r z")),
        Numbers(
            "bias",
            0.5,
            "The gates and the candidate have their biases.",
            draw(state=False, bias=True),
            probe=seeing(VALUES, "r z candidate"),
        ),
        Numbers(
            "start",
            0.5,
            "From an empty state: the candidate, and how much of it z takes.",
            draw(state=False),
            probe=seeing(VALUES, "candidate h"),
        ),
        Numbers(
            "reset",
            1,
            "The reset gate says how much of h the candidate sees (here W_rh, W_zh and W_hh are diagonal).",
            draw(alter=diagonal),
            probe=seeing(VALUES, "candidate"),
        ),
        Numbers(
            "order",
            1,
            "The reset comes before the matrix product.",
            draw(),
            probe=seeing(VALUES, "candidate"),
        ),
        Numbers(
            "update",
            1,
            "z weighs the candidate, 1 − z the old state (here W_rh, W_zh and W_hh are 0).",
            draw(alter=unrecurrent),
            probe=seeing(VALUES, "h"),
        ),
        Numbers(
            "together",
            0.5,
            "All four values of a step in the middle of a sentence.",
            draw_all,
            probe=seeing(VALUES, VALUES),
        ),
        *fit_for_training(
            "x h weights",
            VALUES,
            defined,
            gradient=(
                "It is fit for training: gradients reach x, h and every weight, and a call changes none of them.",
                draw_all,
            ),
            looks=dtypes_and_values,
            dtype=("What you return has the dtype of what you are given, float64 or float32.", draw_all),
        ),
    ),
    misconceptions=(
        Misconception("products for columns", columns, "gates", units.COLUMNS),
        Misconception(
            "update gate first",
            listed_as_written,
            "gates",
            "What you return first is the update gate. Here the order is r, z, h̃, h.",
        ),
        Misconception(
            "transposed recurrent matrices",
            transposed,
            "gates",
            "Your recurrent matrices are turned. The lecture's W^⊤h is for a column h; here h is a row: h @ W.",
        ),
        Misconception(
            "W_hh transposed",
            candidate_transposed,
            "order",
            "Your gates are right, but W_hh is turned in the candidate. r ⊙ h is a row here: (r * h) @ W_hh.",
        ),
        Misconception("biases left out", without_bias, "bias", "You leave out the biases b_r, b_z and b_h."),
        Misconception(
            "torch's update gate",
            torch_mix,
            "start",
            "You let z weigh the old state, as torch does. In h_t = (1 − z) ⊙ h + z ⊙ h̃ it weighs the new.",
        ),
        Misconception(
            "gates exchanged",
            exchanged,
            "start",
            "You mix with r and reset with z. The reset gate r acts within the candidate, the update gate z mixes.",
        ),
        Misconception(
            "candidate through a sigmoid",
            all_sigmoid,
            "start",
            "Your candidate goes through σ like a gate. It is content, not a gate: tanh lets it be negative, too.",
        ),
        Misconception(
            "reset gate not applied",
            never_resets,
            "reset",
            "Your candidate sees all of h. The reset gate r ⊙ h takes away what it should not see.",
        ),
        Misconception(
            "reset after the product",
            reset_after,
            "order",
            "You compute r ⊙ (h @ W_hh), as torch does. The lecture's unit computes (r ⊙ h) @ W_hh: it resets units "
            "of h before they are mixed.",
        ),
        Misconception(
            "torch's unit",
            as_torch,
            "order",
            "This is the unit that torch computes. The lecture's resets h before the product with W_hh, and lets z "
            "weigh the candidate.",
        ),
        Misconception(
            "reset state kept",
            reset_mix,
            "update",
            "You keep a share of r ⊙ h. The reset acts within the candidate only: what stays is a share of h itself.",
        ),
        Misconception(
            "old state left out",
            without_the_old,
            "update",
            "Your new state is z ⊙ h̃ alone: the share 1 − z of the old state is missing.",
        ),
        Misconception("nothing but zeros", zeros, "gates", units.UNWRITTEN),
        Misconception(
            "h given back", given_back, "gates", "You return h as you were given it: this is not written yet."
        ),
        Misconception("h cut off", state_constant, "gradient", units.NO_GRADIENT.format(name="h")),
        Misconception("h overwritten", state_overwritten, "gradient", units.OVERWRITTEN.format(name="h")),
        *unfit.mistakes(defined, weights_from=2),
    ),
    forbidden=FORBIDDEN,
)
