"""ps7.adam_step: one step of Adam (Kingma and Ba 2015, algorithm 1; Li, with the sign of m put right)."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Tensor, nn

from course_lib.grading.cases.isolate import alternate, until
from course_lib.grading.cases.numbers import Numbers, converted, in_both_dtypes, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.unfit import in_single_precision
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.training import adam

Weights = dict[str, Tensor]
State = dict[str, dict[str, Any]]  # of a weight: "t" int, "m" and "v" tensors
Updated = tuple[Weights, State]


def reference(
    weights: Weights, gradients: Weights, state: State, rate: float, betas: tuple[float, float], eps: float
) -> Updated:
    """The weights after the step and the state, by the course's Adam, whose state has other names."""
    own = {name: nn.Parameter(θ.clone()) for name, θ in weights.items()}
    optimizer = adam.Adam(own.values(), rate, betas, eps)
    for name, θ in own.items():
        θ.grad = gradients.get(name)
        if now := state.get(name):
            step = torch.tensor(float(now["t"]))
            optimizer.state[θ] = {"step": step, "exp_avg": now["m"], "exp_avg_sq": now["v"]}
    optimizer.step()
    kept = {name: optimizer.state[θ] for name, θ in own.items() if optimizer.state[θ]}
    return {name: θ.detach() for name, θ in own.items()}, {
        name: {"t": int(now["step"]), "m": now["exp_avg"], "v": now["exp_avg_sq"]} for name, now in kept.items()
    }


# Mistakes


def mean(old, beta, new):
    return beta * old + (1 - beta) * new


def corrected(each, beta, t):
    return each / (1 - beta**t)


def start(θ, g):
    """The state before the first step."""
    return {"t": 0, "m": torch.zeros_like(θ), "v": torch.zeros_like(θ)}


def move(
    θ,
    g,
    now,
    rate,
    betas,
    eps,
    first=mean,
    second=lambda v, beta, g, m: mean(v, beta, g**2),
    correct=corrected,
    correct_m=True,
    correct_v=True,
    use=lambda m, g: m,
    by=lambda m, v, eps: m / (v.sqrt() + eps),
    count=lambda t: t,
    sign=-1,
    keep_corrected=False,
):
    """A weight after the step, and its state."""
    t = now["t"] + 1
    m = first(now["m"], betas[0], g)
    v = second(now["v"], betas[1], g, m)
    m_hat = correct(use(m, g), betas[0], count(t)) if correct_m else use(m, g)
    v_hat = correct(v, betas[1], count(t)) if correct_v else v
    kept = {"t": t, "m": m_hat, "v": v_hat} if keep_corrected else {"t": t, "m": m, "v": v}
    return θ + sign * rate * by(m_hat, v_hat, eps), kept


def defined(weights, gradients, state, rate, betas, eps, take=lambda g, θ, state: g, started=start, **parts):
    moved, kept = dict(weights), dict(state)
    for name, g in take(gradients, weights, state).items():
        now = state.get(name) or started(weights[name], g)
        moved[name], kept[name] = move(weights[name], g, now, rate, betas, eps, **parts)
    return moved, kept


wrong = versions(defined)
upwards = wrong("first", sign=1)("You add the step: the loss grows. Subtract it.")
minus_the_gradient_in_m = wrong("means", first=lambda m, beta, g: beta * m - (1 - beta) * g)(
    "Your m takes the gradient with a minus: β_1 m − (1 − β_1) g. A mean adds: β_1 m + (1 − β_1) g. With the minus the "
    "first step goes uphill."
)
no_bias_correction = wrong("first", correct_m=False, correct_v=False)(
    "You do not correct m and v. They start at 0 and are too small at first: divide by 1 − β^t."
)
m_not_corrected = wrong("first", correct_m=False)("You correct v alone. m, too, starts at 0 and is too small at first.")
v_not_corrected = wrong("first", correct_v=False)("You correct m alone. v, too, starts at 0 and is too small at first.")
corrected_with_the_old_t = wrong("first", count=lambda t: t - 1)(
    "You correct with the number of steps before this one: in the first step that divides by 0. Count this step, too."
)
one_step_too_many_counted = wrong("first", count=lambda t: t + 1)(
    "You correct with t + 1 where t counts this step already: the first step has t = 1."
)
multiplied_by_the_correction = wrong("first", correct=lambda each, beta, t: each * (1 - beta**t))(
    "You multiply by 1 − β^t: m and v become smaller still. Divide by it."
)
β_times_t = wrong("later", correct=lambda each, beta, t: each / (1 - beta * t))(
    "You correct by 1 − β · t. It is 1 − β^t, a power."
)
always_corrected_as_in_the_first_step = wrong("later", count=lambda t: 1)(
    "You divide by 1 − β in every step. Divide by 1 − β^t: the correction wears off."
)
corrected_means_kept = wrong("means", keep_corrected=True)(
    "You keep the corrected m̂ and v̂ for the next step: they are corrected again there. Keep m and v."
)
shares_exchanged = wrong(
    "means", first=lambda m, beta, g: mean(m, 1 - beta, g), second=lambda v, beta, g, m: mean(v, 1 - beta, g**2)
)("You give β to the new gradient and 1 − β to the old mean. The old mean keeps β.")
share_1_minus_β_1_forgotten = wrong("means", first=lambda m, beta, g: beta * m + g)(
    "Your m is β_1 m + g. g has the share 1 − β_1."
)
share_1_minus_β_2_forgotten = wrong("means", second=lambda v, beta, g, m: beta * v + g**2)(
    "Your v is β_2 v + g². g² has the share 1 − β_2."
)
both_shares_forgotten = wrong(
    "means", first=lambda m, beta, g: beta * m + g, second=lambda v, beta, g, m: beta * v + g**2
)("You add g and g² as they are. They have the shares 1 − β_1 and 1 − β_2.")


@mistake("means")
def β_1_and_β_2_exchanged(weights, gradients, state, rate, betas, eps):
    """You take β_1 for v and β_2 for m. It is the other way round."""
    return defined(weights, gradients, state, rate, betas[::-1], eps)


square_of_m_for_the_mean_of_squares = wrong("means", second=lambda v, beta, g, m: mean(v, beta, m**2))(
    "Your v is a mean of m². It is a mean of g²."
)
not_squared = wrong("means", second=lambda v, beta, g, m: mean(v, beta, g.abs()))(
    "Your v is a mean of |g|. It is a mean of g²."
)
no_root = wrong("first", by=lambda m, v, eps: m / (v + eps))("You divide by v̂. Divide by its square root.")
the_gradient_in_place_of_m = wrong("later", use=lambda m, g: g, correct_m=False)(
    "You move by g / (√v̂ + ϵ). It is m̂, the corrected mean of the gradients, in place of g."
)
begun_with_the_first_gradient = wrong("first", started=lambda θ, g: {"t": 0, "m": g, "v": g**2})(
    "Your m and v begin as the first gradient and its square. They begin as 0; the correction is for that."
)
epsilon_inside_the_root = wrong("eps", by=lambda m, v, eps: m / (v + eps).sqrt())(
    "You take √(v̂ + ϵ). ϵ is added to the root."
)


@mistake("eps")
def epsilon_before_the_correction(weights, gradients, state, rate, betas, eps):
    """You add ϵ to √v and correct afterwards. Correct v first, then add ϵ to its root."""
    moved, kept = defined(weights, gradients, state, rate, betas, eps)
    for name in gradients:
        t, m, v = (kept[name][key] for key in "tmv")
        moved[name] = weights[name] - rate * corrected(m, betas[0], t) * (1 - betas[1] ** t) ** 0.5 / (v.sqrt() + eps)
    return moved, kept


epsilon_makes_no_difference = wrong("eps", by=lambda m, v, eps: m / v.sqrt())(
    "With a large `eps` your step is as long as without one, in all cases tried. ϵ is added to √v̂."
)
the_larger_of_the_root_and_epsilon = wrong("eps", by=lambda m, v, eps: m / v.sqrt().clamp(min=eps))(
    "You divide by the larger of √v̂ and ϵ. Divide by their sum."
)
SEVERAL_AGES = (
    "You correct a weight with the t of another one. Each counts its own steps: those in which it had a gradient."
)


@mistake("ages", SEVERAL_AGES)
def one_t_for_all_weights(weights, gradients, state, *settings):
    oldest = max((now["t"] for now in state.values()), default=0)
    aged = {name: (state.get(name) or start(θ, θ)) | {"t": oldest} for name, θ in weights.items()}
    moved, kept = defined(weights, gradients, aged, *settings)
    return moved, {name: now for name, now in kept.items() if name in gradients or name in state}


@mistake("ages", SEVERAL_AGES)
def one_t_for_all_that_have_a_gradient(weights, gradients, state, *settings):
    moved, kept = one_t_for_all_weights(weights, gradients, state, *settings)
    return moved, kept | {name: now for name, now in state.items() if name not in gradients}


def zeros_filled_in(gradients, weights, state):
    return {name: gradients.get(name, torch.zeros_like(θ)) for name, θ in weights.items()}


@mistake("absent")
def a_state_of_all_in_the_first_step(weights, gradients, state, *settings):
    """In the first step you begin a state for every weight. One that has no gradient has had no step: it has none."""
    moved, kept = defined(weights, gradients, state, *settings)
    return moved, kept if state else {name: start(θ, θ) for name, θ in weights.items()} | kept


no_gradient_taken_for_a_gradient_of_0 = wrong("absent", take=zeros_filled_in)(
    "You move weights that have no gradient, as if it were 0: their m moves them on. They stay as they are."
)
a_gradient_of_0_taken_for_none = wrong(
    "absent", take=lambda gradients, *_: {name: g for name, g in gradients.items() if g.any()}
)(
    "You leave a weight as it is where its gradient is 0. A weight without a gradient is one that is not in "
    "`gradients`: with a gradient of 0, m and v are means of one number more, and m moves the weight on."
)
a_first_gradient_of_0_taken_for_none = wrong(
    "absent", take=lambda gradients, _, state: {name: g for name, g in gradients.items() if name in state or g.any()}
)("You keep no state of a weight whose first gradient is 0. It has had a step: its t is 1, its m and v are 0.")


@mistake("absent")
def numbers_with_a_gradient_of_0_stay(weights, gradients, *rest):
    """Numbers of a weight whose gradient is 0 stay where they are with you. Their m moves them on."""
    moved, kept = defined(weights, gradients, *rest)
    return moved | {name: torch.where(g == 0, weights[name], moved[name]) for name, g in gradients.items()}, kept


@mistake("absent")
def weights_without_a_gradient_left_out(weights, gradients, *rest):
    """You return only the weights that have a gradient, and their state. Return all."""
    moved, kept = defined(weights, gradients, *rest)
    return {name: moved[name] for name in gradients}, {name: kept[name] for name in gradients}


@mistake("absent")
def t_counted_without_a_gradient(weights, gradients, *rest):
    """A weight without a gradient stays as it was, but you count the step in its t."""
    moved, kept = defined(weights, gradients, *rest)
    return moved, {name: now | {"t": now["t"] + (name not in gradients)} for name, now in kept.items()}


@mistake("arguments")
def means_changed_in_place(weights, gradients, state, *settings):
    """You change m and v that you were given, by mul_, add_, *= or +=. Make new ones."""
    moved, kept = defined(weights, gradients, state, *settings)
    for name in state.keys() & gradients.keys():
        for key in "mv":
            state[name][key].copy_(kept[name][key])
    return moved, kept


@mistake("arguments")
def weights_changed_in_place(weights, gradients, *rest):
    """The weights that you were given are changed afterwards: the dict (by weights[name] = …), or its tensors (by -=,
    sub_ or .data). Make a new dict, of new tensors: w - step."""
    moved, kept = defined(weights, gradients, *rest)
    for name in gradients:
        weights[name].copy_(moved[name])
    return moved, kept


@mistake("arguments")
def the_state_that_was_given_changed(weights, gradients, state, *settings):
    """You put the new state into the dict that you were given. Make a new one, for its inner dicts, too."""
    moved, kept = defined(weights, gradients, state, *settings)
    state.update(kept)
    return moved, state


@changing("arguments", defined)
def a_state_of_zeros_put_into_the_dict(weights, gradients, state, *settings):
    """For a weight that begins you put a state of zeros into the dict that you were given. Make a new dict."""
    state.update({name: start(weights[name], g) for name, g in gradients.items() if name not in state})


@changing("arguments", defined)
def the_gradients_that_were_given_filled_up(weights, gradients, *rest):
    """You put zeros into the dict of gradients that you were given. Make a new dict."""
    gradients.update(zeros_filled_in(gradients, weights, {}))


single_precision = mistake(
    "dtype",
    "You were given float64 and return float32. torch.zeros(…) makes float32; torch.zeros_like(w) has the dtype of w.",
)(in_single_precision(defined))


@mistake("dtype")
def computed_in_float32(weights, gradients, state, *settings):
    """Your weights and means are float64, but less precise than that: is something on the way a float32?"""
    single = defined(*(converted(each, torch.float32) for each in (weights, gradients, state)), *settings)
    return converted(single, next(iter(weights.values())).dtype)


# Cases

Ages = Callable[[Random], list[int]]  # the steps that each weight has had
NAMES = ("W_q", "W_k", "W_v", "b", "E")
BETAS = ((0.9, 0.98), (0.8, 0.95), (0.7, 0.9))
SMALL = 1e-9
LARGE = 1000 / 3  # times numbers that are float32: what comes of it in float64 is no float32


def gradient(rng: Random, θ: Tensor) -> Tensor:
    """Numbers between 0.2 and 2, of either sign."""
    numbers = [rng.choice((-1, 1)) * rng.uniform(0.2, 2) for _ in range(θ.numel())]
    return torch.tensor(numbers).reshape(θ.shape)


def history(rng: Random, θ: Tensor, t: int, betas: tuple[float, float]) -> dict:
    """m and v as t steps leave them."""
    now = start(θ, θ)
    for _ in range(t):
        _, now = move(θ, gradient(rng, θ), now, 0.1, betas, SMALL)
    return now


def draw(ages: Ages, eps: float = 0.0, absent: int = 0, zeros: int = 0, length: float = 1.0) -> Callable:
    """A step of a weight for each of the ages, the steps that it has had; the last `absent` ones have no gradient.

    `eps`: the most that ϵ is, if not small. `zeros`: so many of the first weights have a gradient of 0, and so
    has a number of the next one. `length`: times the gradients of this step.
    """

    def drawn(rng: Random, size: int) -> Case:
        steps, betas = ages(rng), BETAS[size % len(BETAS)]
        names = rng.sample(NAMES, len(steps))
        shapes = [rng.choice(((3,), (2, 3), (2, 2))) for _ in steps]
        weights = {name: tensor(rng, *shape) for name, shape in zip(names, shapes, strict=True)}
        state = {name: history(rng, weights[name], t, betas) for name, t in zip(names, steps, strict=True) if t}
        given = names[: len(names) - absent]
        gradients = {name: length * gradient(rng, weights[name]) for name in rng.sample(given, len(given))}
        if zeros:
            for name in names[:zeros]:
                gradients[name].zero_()
            gradients[names[zeros]].view(-1)[rng.randrange(3)] = 0
        constant = round(rng.uniform(0.5, 1) * eps, 2) if eps else SMALL
        rate = round(rng.uniform(0.3, 1), 2)
        words = f"steps that the weights have had: {', '.join(map(str, steps))}; with a gradient: {len(given)}"
        words += f" ({zeros} of them 0)" * bool(zeros)
        return Case((weights, gradients, state, rate, betas, constant), words, scale=4.0, terms=10)

    return drawn


def alike(*bounds: int) -> Ages:
    """One weight or two that had so many steps, as many each; without bounds none."""
    return lambda rng: [rng.randint(*bounds) if bounds else 0] * rng.randint(1, 2)


def of_each(*bounds: tuple[int, ...]) -> Ages:
    """A weight for each of the bounds of its steps; without bounds it is a new one."""
    return lambda rng: [rng.randint(*each) if each else 0 for each in bounds]


draw_absent = draw(of_each((4, 6), (), (1, 3), (1, 3), ()), absent=2, zeros=2)


def draw_precise(rng: Random, size: int) -> Case:
    """A later and a first step with numbers of some hundreds, every other time with all digits of a float64.

    No new weight is near 0, where an old one and its move nearly cancel: honest numerics differ most there. `terms`:
    less precise than a float64 is all that is off by less than a thousandth.
    """

    def drawn() -> tuple[Case]:
        made = draw(of_each((2, 6), ()))(rng, size)
        weights, gradients, state, rate, *rest = converted(made.arguments, torch.float64)
        weights, gradients = ({name: LARGE * each for name, each in given.items()} for given in (weights, gradients))
        state = {name: {"t": now["t"], "m": LARGE * now["m"], "v": LARGE**2 * now["v"]} for name, now in state.items()}
        return (replace(made, arguments=(weights, gradients, state, LARGE * rate, *rest), scale=3.0, terms=300),)

    def decidable(made: Case) -> bool:
        moved, _ = defined(*made.arguments)
        return min(float(each.abs().min()) for each in moved.values()) > 10

    (made,) = until(drawn, decidable)
    return replace(made, arguments=converted(made.arguments, torch.float32 if size % 2 else torch.float64))


TASK = task(
    __name__,
    "One step of Adam",
    returns="weights state",
    kind=partial(Numbers, graded=3),
    criteria=(
        criterion("first", 1, draw(alike()), "weights")("The weights after their first step."),
        criterion("means", 1, draw(alike(2, 6)), "state")("The new state: t, m and v, not corrected."),
        criterion("later", 1.5, alternate(draw(alike(2, 6)), draw(alike(10, 14), length=50)), "weights")(
            "The weights after a later step."
        ),
        criterion("eps", 0.5, alternate(*(draw(alike(2, 6), eps=most) for most in (1.0, 10.0))), "weights")(
            "A large ϵ."
        ),
        criterion("ages", 0.5, draw(of_each((4, 6), (0, 3))), "weights state")("Each weight counts its own steps."),
        criterion("absent", 1, alternate(draw_absent, draw(of_each((), (), ()), absent=1, zeros=1)), "weights state")(
            "A weight without a gradient stays as it is, and so does its state, if it has one; a gradient of 0 counts "
            "as a gradient."
        ),
        arguments(0.5, draw(of_each((2, 6), (), (1, 3), ()), absent=2))(
            "Weights, gradients and state that were given are afterwards as they were."
        ),
        criterion("dtype", 0.5, in_both_dtypes(draw_precise), precisely("weights state", defined, also="float16"))(
            "New weights and means have the dtype of the old weights, float64 or float32, and those that are right its "
            "precision."
        ),
    ),
    forbidden=(
        "torch.optim.Optimizer.__init__",
        "torch.optim.adam.adam",
        "torch.optim.adam._to_scalar",  # what its versions call, by whatever name a student has saved them
        "torch._fused_adam_",
        "torch._fused_adamw_",
    ),
)
