"""ps5.ensemble: several models as one more (the course's search/ensemble.py, here with a weight for each model)."""

from dataclasses import replace
from functools import partial
from random import Random

import torch

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.task import Case, Criterion, Misconception, Task
from course_lib.problem_sets.ps5 import wrong_ensemble as wrong
from course_lib.problem_sets.ps5.tables import Model, count, exact, left, row, table


def reference(models: list[Model], weights: list[float]) -> Model:
    """log p(y | …) = log Σ_m λ_m p_m(y | …) after every beginning."""
    return {beginning: found([model[beginning] for model in models], weights) for beginning in models[0]}


def found(rows: list[list[float]], weights: list[float]) -> list[float]:
    """One row, by torch's log-sum-exp."""
    λ = torch.tensor(weights, dtype=torch.float64)[:, None]
    return torch.logsumexp(torch.tensor(rows, dtype=torch.float64) + λ.log(), 0).tolist()


# Cases

MEAN = (
    *(wrong.averaged_logs, wrong.logs_normalised, wrong.sum_of_all, wrong.probabilities, wrong.largest),
    *(wrong.first_only, wrong.divided_again),
)
WEIGHTS = (wrong.weights_ignored, wrong.weights_backwards)
MISTAKES = (
    *(*MEAN, *WEIGHTS, wrong.first_two, wrong.start_only, wrong.underflowing),
    *(wrong.all_must_agree, wrong.only_where_possible, wrong.not_a_number),
)


AS_PRECISE_AS_FLOAT32 = 10**8  # terms: what is off by a millionth is right; "small" asks for more


def case(models: list[Model], weights: list[float]) -> Case:
    sizes = f"{count(len(models[0]), 'beginning')}, {len(models[0][()]) - 1} words and EOS"
    return Case((models, weights), f"{len(models)} models, {sizes}", terms=AS_PRECISE_AS_FLOAT32)


def precise(models: list[Model], weights: list[float]) -> Case:
    """A case that asks for all digits, also of numbers near 0."""
    return replace(case(models, weights), terms=1, scale=0.01)


shows = partial(isolating(wrong.defined, MISTAKES, case), apart=False)


def shares(rng: Random, models: int) -> list[float]:
    """Weights in hundredths, no two alike, whose sum is 1."""
    while True:
        cuts = sorted(rng.sample(range(10, 91), models - 1))
        parts = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
        if min(parts) >= 10 and len(set(parts)) == models:
            return [part / 100 for part in parts]


@shows(*MEAN)
def draw_mean(rng: Random, size: int) -> tuple:
    return [table(rng, 2 + size % 2, 1) for _ in range(2)], [0.5, 0.5]


@shows(*WEIGHTS, wrong.first_two, free=MEAN)
def draw_weights(rng: Random, size: int) -> tuple:
    return [table(rng, 3, 1) for _ in range(3)], shares(rng, 3)


@shows(wrong.start_only, free=MEAN)
def draw_beginnings(rng: Random, size: int) -> tuple:
    """The second model has them in another order: a row belongs to its beginning, not to its place in the dict."""
    one, other = (table(rng, 2, 2 + size % 2) for _ in range(2))
    return [one, dict(reversed(other.items()))], [0.5, 0.5]


def improbable(rng: Random, words: int, eos: float) -> list[float]:
    """One word that is nearly certain, the others beyond what exp can tell from 0, also of half their logarithms."""
    log_probs = [exact(-rng.uniform(1450, 1600)) for _ in range(words)]
    log_probs.insert(rng.randint(0, words), 0.0)
    return log_probs


shows_digits = partial(isolating(wrong.defined, MISTAKES, precise), apart=False)


@shows_digits(wrong.underflowing, wrong.not_the_largest, wrong.in_float32, free=MEAN)
def draw_small(rng: Random, size: int) -> tuple:
    """Each model is certain of another word."""
    return [table(rng, 3, 1, draw=improbable) for _ in range(2)], [0.5, 0.5]


@shows_digits(wrong.in_float32, wrong.sum_in_float32, free=MEAN)
def draw_digits(rng: Random, size: int) -> tuple:
    """Terms of like size, whose sum needs all digits."""
    return [table(rng, 3, 1) for _ in range(2)], [0.5, 0.5]


def hardly_above_0(rng: Random, words: int, eos: float) -> list[float]:
    """One word that is certain, others whose probabilities a float64 holds with a few digits only."""
    return [0.0, *(exact(-rng.uniform(735, 742)) for _ in range(words))]


@shows_digits(wrong.digits_lost, wrong.underflowing, free=MEAN)
def draw_hardly_above_0(rng: Random, size: int) -> tuple:
    return [table(rng, 3, 1, draw=hardly_above_0) for _ in range(2)], [0.5, 0.5]


@shows(wrong.all_must_agree, wrong.only_where_possible, free=MEAN)
def draw_impossible_for_one(rng: Random, size: int) -> tuple:
    return [table(rng, 3, 1, draw=partial(row, possible=0.6)) for _ in range(2)], [0.5, 0.5]


@shows(wrong.not_a_number, free=MEAN)
def draw_impossible_for_all(rng: Random, size: int) -> tuple:
    return [table(rng, 3, 1, eos=lambda _: 0.0) for _ in range(2)], [0.5, 0.5]


@shows(wrong.changed, wrong.infinity_overwritten, free=MISTAKES, probe=left)
def draw_arguments(rng: Random, size: int) -> tuple:
    """Some words are impossible."""
    return [table(rng, 3, 1, draw=partial(row, possible=0.6)) for _ in range(2)], [0.5, 0.5]


Few = partial(Criterion, visible=2, graded=5)

TASK = Task(
    name="ps5.ensemble",
    title="Several models as one",
    reference=reference,
    criteria=(
        Few("mean", 1, "Two models of equal weight: the mean of their probabilities.", draw_mean),
        Few("weights", 1, "Each model's probabilities count by its weight.", draw_weights),
        Few("beginnings", 0.5, "After every beginning that the models know.", draw_beginnings),
        Few(
            "small",
            0.5,
            "Probabilities that exp rounds to 0, or nearly, with the digits of a float64.",
            alternate(draw_small, draw_digits, draw_hardly_above_0),
            visible=3,
            graded=6,
        ),
        Few(
            "impossible",
            0.5,
            "Words that one model, or every one, holds impossible: −∞ in the second case alone.",
            alternate(draw_impossible_for_one, draw_impossible_for_all),
        ),
        Few(
            "arguments",
            0.5,
            "Models and weights are afterwards as they were.",
            draw_arguments,
            probe=leaving("models weights"),
        ),
    ),
    misconceptions=(
        Misconception(
            "mean of the log-probabilities",
            wrong.averaged_logs,
            "mean",
            "You take the mean of the logarithms. Take that of the probabilities, then its logarithm: after yours the "
            "probabilities do not even add to 1.",
        ),
        Misconception(
            "mean of the logarithms, normalised",
            wrong.logs_normalised,
            "mean",
            "You take the mean of the logarithms and make the probabilities add to 1. That is an ensemble, too, but "
            "another one: here the mean is of the probabilities.",
        ),
        Misconception(
            "sum for mean",
            wrong.sum_of_all,
            "mean",
            "You add the probabilities without their weights. The weights make a mean of the sum.",
        ),
        Misconception(
            "divided twice",
            wrong.divided_again,
            "mean",
            "You divide by the number of models, too. The weights add to 1 already.",
        ),
        Misconception(
            "probabilities returned",
            wrong.probabilities,
            "mean",
            "You return probabilities. A model here holds log-probabilities.",
        ),
        Misconception(
            "the surest model",
            wrong.largest,
            "mean",
            "You take the largest log-probability of each word. Take the mean of the probabilities.",
        ),
        Misconception(
            "the first model alone",
            wrong.first_only,
            "mean",
            "You return what the first model says. Every model counts.",
        ),
        Misconception(
            "weights ignored",
            wrong.weights_ignored,
            "weights",
            "You give every model the same weight. Multiply each one's probabilities by its own.",
        ),
        Misconception(
            "weights in the wrong order",
            wrong.weights_backwards,
            "weights",
            "You use the weights from the last to the first. The first weight is that of the first model.",
        ),
        Misconception(
            "two models only",
            wrong.first_two,
            "weights",
            "You join the first two models only. There may be more.",
        ),
        Misconception(
            "the first word only",
            wrong.start_only,
            "beginnings",
            "You join the distributions of the first word only. Join those after every beginning.",
        ),
        Misconception(
            "exp that becomes 0",
            wrong.underflowing,
            "small",
            "You return −∞ for what is improbable, not impossible: exp(−800) is rounded to 0, or you set a limit. "
            "Return log Σ exp(aᵢ) = m + log Σ exp(aᵢ − m) with m = max aᵢ, however small m is.",
        ),
        Misconception(
            "exp that loses its digits",
            wrong.digits_lost,
            "small",
            "exp(−740) is not 0, but has few digits left. Take the largest term out of every sum, not only where the "
            "sum is 0.",
        ),
        Misconception(
            "added in float32",
            wrong.sum_in_float32,
            "small",
            "Your sum is as precise as a float32, which torch.tensor(…) makes of it. Give it dtype=torch.float64.",
        ),
        Misconception(
            "not the largest taken out",
            wrong.too_large,
            "small",
            "You take another number than the largest out of the sum, the first model's or a mean, say. Where one is "
            "far larger, exp of the difference is too large. Take out m = max aᵢ.",
        ),
        Misconception(
            "computed in float32",
            wrong.in_float32,
            "small",
            "Your numbers are right, but only as precise as a float32, which torch.tensor(…) makes of them. Give it "
            "dtype=torch.float64.",
        ),
        Misconception(
            "one model forbids",
            wrong.all_must_agree,
            "impossible",
            "You hold a word impossible if one model does. Its probability is 0 there, and the mean is above 0.",
        ),
        Misconception(
            "models that forbid left out",
            wrong.only_where_possible,
            "impossible",
            "You take the mean over those models that hold a word possible. For the others it is 0, and they count.",
        ),
        Misconception(
            "not a number",
            wrong.not_a_number,
            "impossible",
            "You return nan for a word that is impossible in every model: −∞ − (−∞) is none. Return −∞.",
        ),
        Misconception(
            "a model changed",
            wrong.changed,
            "arguments",
            "You write into the first model, or into its lists. They belong to the caller: make a new dict of new "
            "lists.",
        ),
    ),
    forbidden=(f"{__name__}.found", "course_lib.search.ensemble.Ensemble.join"),
)
