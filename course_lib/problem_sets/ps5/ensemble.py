"""ps5.ensemble: several models as one more (the course's search/ensemble.py, here with a weight for each model)."""

from dataclasses import replace
from functools import partial
from math import exp, inf, log, nan
from random import Random

import torch

from course_lib.grading.cases.isolate import alternate, isolating
from course_lib.grading.cases.numbers import count
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, Criterion
from course_lib.problem_sets.ps5.tables import Model, exact, left, row, table


def reference(models: list[Model], weights: list[float]) -> Model:
    """log p(y | …) = log Σ_m λ_m p_m(y | …) after every beginning."""
    return {beginning: found([model[beginning] for model in models], weights) for beginning in models[0]}


def found(rows: list[list[float]], weights: list[float]) -> list[float]:
    """One row, by torch's log-sum-exp."""
    λ = torch.tensor(weights, dtype=torch.float64)[:, None]
    return torch.logsumexp(torch.tensor(rows, dtype=torch.float64) + λ.log(), 0).tolist()


# Mistakes


def mixture(log_probs, weights, log_of_sum=lambda numbers: log(sum(numbers))):
    """log Σ_m λ_m p_m, the largest term taken out."""
    terms = [log_p + log(weight) for log_p, weight in zip(log_probs, weights, strict=True)]
    largest = max(terms)
    return largest if largest == -inf else largest + log_of_sum([exp(term - largest) for term in terms])


def defined(models, weights, join=mixture):
    return {
        beginning: [join([*log_probs], weights) for log_probs in zip(*(m[beginning] for m in models), strict=True)]
        for beginning in models[0]
    }


wrong = versions(defined)


def mean_of_logs(log_probs, weights):
    return sum(weight * log_p for log_p, weight in zip(log_probs, weights, strict=True))


mean_of_the_log_probabilities = wrong("mean", join=mean_of_logs)(
    "You take the mean of the logarithms. Take that of the probabilities, then its logarithm: after yours the "
    "probabilities do not even add to 1."
)


@mistake("mean")
def mean_of_the_logarithms_normalised(models, weights):
    """You take the mean of the logarithms and make the probabilities add to 1. That is an ensemble, too, but another
    one: here the mean is of the probabilities."""
    means = defined(models, weights, mean_of_logs)
    totals = {beginning: mixture(row, [1.0] * len(row)) for beginning, row in means.items()}
    return {beginning: [log_p - totals[beginning] for log_p in row] for beginning, row in means.items()}


sum_for_mean = wrong("mean", join=lambda row, weights: mixture(row, [1.0] * len(row)))(
    "You add the probabilities without their weights. The weights make a mean of the sum."
)
divided_twice = wrong("mean", join=lambda row, weights: mixture(row, weights) - log(len(row)))(
    "You divide by the number of models, too. The weights add to 1 already."
)
probabilities_returned = wrong("mean", join=lambda row, weights: exp(mixture(row, weights)))(
    "You return probabilities. A model here holds log-probabilities."
)
the_surest_model = wrong("mean", join=lambda row, weights: max(row))(
    "You take the largest log-probability of each word. Take the mean of the probabilities."
)
the_first_model_alone = wrong("mean", join=lambda row, weights: row[0])(
    "You return what the first model says. Every model counts."
)
weights_ignored = wrong("weights", join=lambda row, weights: mixture(row, [1 / len(row)] * len(row)))(
    "You give every model the same weight. Multiply each one's probabilities by its own."
)
weights_in_the_wrong_order = wrong("weights", join=lambda row, weights: mixture(row, weights[::-1]))(
    "You use the weights from the last to the first. The first weight is that of the first model."
)
two_models_only = wrong("weights", join=lambda row, weights: mixture(row[:2], weights[:2]))(
    "You join the first two models only. There may be more."
)


@mistake("beginnings")
def the_first_word_only(models, weights):
    """You join the distributions of the first word only. Join those after every beginning."""
    return models[0] | {(): defined(models, weights)[()]}


def log_or_minus_infinity(total):
    return log(total) if total else -inf


def naive(log_probs, weights, term=lambda log_p, weight: weight * exp(log_p), log=log_or_minus_infinity):
    return log(sum(term(log_p, weight) for log_p, weight in zip(log_probs, weights, strict=True)))


def exp_of_both(log_p, weight):
    return exp(log(weight) + log_p)


def naive_unless_0(log_probs, weights):
    found = naive(log_probs, weights)
    return mixture(log_probs, weights) if found == -inf else found


def first_taken_out(log_probs, weights, most=inf):
    """The first in place of the largest; exp of more than `most` is ∞. Raises OverflowError where it is too large."""
    first = log_probs[0]
    if first == -inf:
        return naive(log_probs, weights)
    differences = [log_p - first for log_p in log_probs]
    return inf if max(differences) > most else first + naive(differences, weights)


TOO_SMALL = (
    "You return −∞ for what is improbable, not impossible: exp(−800) is rounded to 0, or you set a limit. Return "
    "log Σ exp(aᵢ) = m + log Σ exp(aᵢ − m) with m = max aᵢ, however small m is."
)
LOG_OF_0 = (
    "You take the logarithm of 0: exp(−800) is rounded to 0. Return log Σ exp(aᵢ) = m + log Σ exp(aᵢ − m) with "
    "m = max aᵢ, however small m is; and −∞ where m is −∞."
)
exp_that_becomes_0 = wrong("small", join=naive)(TOO_SMALL)
exp_of_both_that_becomes_0 = wrong("small", join=partial(naive, term=exp_of_both))(TOO_SMALL)
log_of_0 = wrong("small", join=partial(naive, log=log))(LOG_OF_0)
log_of_0_with_exp_of_both = wrong("small", join=partial(naive, term=exp_of_both, log=log))(LOG_OF_0)
exp_that_loses_its_digits = wrong("small", join=naive_unless_0)(
    "exp(−740) is not 0, but has few digits left. Take the largest term out of every sum, not only where the sum is 0."
)
added_in_float32 = wrong(
    "small", join=partial(mixture, log_of_sum=lambda numbers: torch.tensor(numbers).sum().log().item())
)("Your sum is as precise as a float32, which torch.tensor(…) makes of it. Give it dtype=torch.float64.")
not_the_largest_taken_out = wrong("small", join=first_taken_out)(
    "You take another number than the largest out of the sum, the first model's or a mean, say. Where one is far "
    "larger, exp of the difference is too large. Take out m = max aᵢ."
)
infinite_where_too_large = partial(defined, join=partial(first_taken_out, most=700.0))
computed_in_float32 = wrong(
    "small", join=lambda row, weights: (torch.tensor(row) + torch.tensor(weights).log()).logsumexp(0).item()
)(
    "Your numbers are right, but only as precise as a float32, which torch.tensor(…) makes of them. Give it "
    "dtype=torch.float64."
)
one_model_forbids = wrong("impossible", join=lambda row, weights: -inf if -inf in row else mixture(row, weights))(
    "You hold a word impossible if one model does. Its probability is 0 there, and the mean is above 0."
)


def mean_of_those_that_can(row, weights):
    known = [(log_p, weight) for log_p, weight in zip(row, weights, strict=True) if log_p > -inf]
    if not known:
        return -inf
    return mixture([log_p for log_p, _ in known], [weight / sum(w for _, w in known) for _, weight in known])


models_that_forbid_left_out = wrong("impossible", join=mean_of_those_that_can)(
    "You take the mean over those models that hold a word possible. For the others it is 0, and they count."
)
not_a_number = wrong("impossible", join=lambda row, weights: nan if max(row) == -inf else mixture(row, weights))(
    "You return nan for a word that is impossible in every model: −∞ − (−∞) is none. Return −∞."
)


@mistake("arguments")
def a_model_changed(models, weights):
    """You write into the first model, or into its lists. They belong to the caller: make a new dict of new lists."""
    found = defined(models, weights)
    models[0].clear()
    models[0].update(found)
    return found


def infinity_overwritten(models, weights):
    """−∞ replaced in the models themselves."""
    found = defined(models, weights)
    for model in models:
        for log_probs in model.values():
            log_probs[:] = [max(log_p, -1e9) for log_p in log_probs]
    return found


# Cases

MEAN = (
    *(mean_of_the_log_probabilities, mean_of_the_logarithms_normalised, sum_for_mean, probabilities_returned),
    *(the_surest_model, the_first_model_alone, divided_twice),
)
WEIGHTS = weights_ignored, weights_in_the_wrong_order
ALL = (
    *(*MEAN, *WEIGHTS, two_models_only, the_first_word_only, exp_that_becomes_0),
    *(one_model_forbids, models_that_forbid_left_out, not_a_number),
)
AS_PRECISE_AS_FLOAT32 = 10**8  # terms: what is off by a millionth is right; "small" asks for more


def case(models: list[Model], weights: list[float]) -> Case:
    sizes = f"{count(len(models[0]), 'beginning')}, {len(models[0][()]) - 1} words and EOS"
    return Case((models, weights), f"{len(models)} models, {sizes}", terms=AS_PRECISE_AS_FLOAT32)


def precise(models: list[Model], weights: list[float]) -> Case:
    """A case that asks for all digits, also of numbers near 0."""
    return replace(case(models, weights), terms=1, scale=0.01)


def shares(rng: Random, models: int) -> list[float]:
    """Weights in hundredths, no two alike, whose sum is 1."""
    while True:
        cuts = sorted(rng.sample(range(10, 91), models - 1))
        parts = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
        if min(parts) >= 10 and len(set(parts)) == models:
            return [part / 100 for part in parts]


def in_another_order(rng: Random, size: int) -> tuple:
    """The second model has its beginnings in another order: a row belongs to its beginning, not to its place."""
    one, other = (table(rng, 2, 2 + size % 2) for _ in range(2))
    return [one, dict(reversed(other.items()))], [0.5, 0.5]


def sure(rng: Random, words: int, eos: float) -> list[float]:
    """One word that is nearly certain, the others beyond what exp can tell from 0, also of half their logarithms."""
    log_probs = [exact(-rng.uniform(1450, 1600)) for _ in range(words)]
    log_probs.insert(rng.randint(0, words), 0.0)
    return log_probs


def hardly_above_0(rng: Random, words: int, eos: float) -> list[float]:
    """One word that is certain, others whose probabilities a float64 holds with a few digits only."""
    return [0.0, *(exact(-rng.uniform(735, 742)) for _ in range(words))]


def two(**drawn):
    """Two models of equal weight and three words."""
    return lambda rng, size: ([table(rng, 3, 1, **drawn) for _ in range(2)], [0.5, 0.5])


shows = partial(isolating(defined, ALL, case), apart=False)
shows_digits = partial(isolating(defined, ALL, precise), apart=False, free=MEAN)
draw_mean = shows(*MEAN)(lambda rng, size: ([table(rng, 2 + size % 2, 1) for _ in range(2)], [0.5, 0.5]))
draw_weights = shows(*WEIGHTS, two_models_only, free=MEAN)(
    lambda rng, size: ([table(rng, 3, 1) for _ in range(3)], shares(rng, 3))
)
draw_small = alternate(
    shows_digits(exp_that_becomes_0, infinite_where_too_large, computed_in_float32)(two(draw=sure)),
    shows_digits(computed_in_float32, added_in_float32)(two()),
    shows_digits(exp_that_loses_its_digits, exp_that_becomes_0)(two(draw=hardly_above_0)),
)
draw_impossible = alternate(
    shows(one_model_forbids, models_that_forbid_left_out, free=MEAN)(two(draw=partial(row, possible=0.6))),
    shows(not_a_number, free=MEAN)(two(eos=lambda _: 0.0)),
)
draw_arguments = shows(a_model_changed, infinity_overwritten, free=ALL, probe=left)(
    two(draw=partial(row, possible=0.6))
)
TASK = task(
    __name__,
    "Several models as one",
    kind=partial(Criterion, visible=2, graded=5),
    criteria=(
        criterion("mean", 1, draw_mean)("Two models of equal weight: the mean of their probabilities."),
        criterion("weights", 1, draw_weights)("Each model's probabilities count by its weight."),
        criterion("beginnings", 0.5, shows(the_first_word_only, free=MEAN)(in_another_order))(
            "After every beginning that the models know."
        ),
        criterion("small", 0.5, draw_small, visible=3, graded=6)(
            "Probabilities that exp rounds to 0, or nearly, with the digits of a float64."
        ),
        criterion("impossible", 0.5, draw_impossible)(
            "Words that one model, or every one, holds impossible: −∞ in the second case alone."
        ),
        arguments(0.5, draw_arguments)("Models and weights are afterwards as they were."),
    ),
    forbidden=(f"{__name__}.found", "course_lib.search.ensemble.Ensemble.join"),
)
