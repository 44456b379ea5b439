"""An ensemble of tables as defined, and wrong in the ways that people get it wrong."""

from collections.abc import Callable
from functools import partial
from math import exp, inf, log, nan

import torch

from course_lib.problem_sets.ps5.tables import Model

Row = list[float]


def mixture(log_probs: Row, weights: Row) -> float:
    """log Σ_m λ_m p_m, the largest term taken out."""
    terms = [log_p + log(weight) for log_p, weight in zip(log_probs, weights, strict=True)]
    largest = max(terms)
    return largest if largest == -inf else largest + log(sum(exp(term - largest) for term in terms))


def defined(models: list[Model], weights: Row, join: Callable[[Row, Row], float] = mixture) -> Model:
    return {
        beginning: [join([*log_probs], weights) for log_probs in zip(*(m[beginning] for m in models), strict=True)]
        for beginning in models[0]
    }


def joined(join: Callable[[Row, Row], float]) -> Callable[..., Model]:
    return lambda models, weights: defined(models, weights, join)


def mean_of_logs(log_probs: Row, weights: Row) -> float:
    return sum(weight * log_p for log_p, weight in zip(log_probs, weights, strict=True))


def naive(log_probs: Row, weights: Row) -> float:
    total = sum(weight * exp(log_p) for log_p, weight in zip(log_probs, weights, strict=True))
    return log(total) if total else -inf


def first_taken_out(log_probs: Row, weights: Row, most: float = 700.0) -> float:
    """m = a_1 in place of the largest; exp of more than `most` is ∞. Raises OverflowError where it is too large."""
    if log_probs[0] == -inf:
        return naive(log_probs, weights)
    differences = [log_p - log_probs[0] for log_p in log_probs]
    if max(differences) > most:
        return inf
    return log_probs[0] + log(sum(weight * exp(each) for each, weight in zip(differences, weights, strict=True)))


def in_float32(models: list[Model], weights: Row) -> Model:
    """By torch.tensor(…) without a dtype."""

    def join(log_probs: Row, weights: Row) -> float:
        return torch.logsumexp(torch.tensor(log_probs) + torch.tensor(weights).log(), 0).item()

    return defined(models, weights, join)


def summed_in_float32(log_probs: Row, weights: Row) -> float:
    """The largest term taken out, the others added in float32."""
    terms = [log_p + log(weight) for log_p, weight in zip(log_probs, weights, strict=True)]
    if (largest := max(terms)) == -inf:
        return -inf
    return largest + float(torch.tensor([exp(term - largest) for term in terms]).sum().log())


def naive_unless_zero(log_probs: Row, weights: Row) -> float:
    """The largest term taken out only where the sum would be 0."""
    found = naive(log_probs, weights)
    return mixture(log_probs, weights) if found == -inf else found


averaged_logs = joined(mean_of_logs)
weights_ignored = joined(lambda row, weights: mixture(row, [1 / len(row)] * len(row)))
sum_of_all = joined(lambda row, weights: mixture(row, [1.0] * len(row)))
divided_again = joined(lambda row, weights: mixture(row, weights) - log(len(row)))
probabilities = joined(lambda row, weights: exp(mixture(row, weights)))
largest = joined(lambda row, weights: max(row))
first_only = joined(lambda row, weights: row[0])
first_two = joined(lambda row, weights: mixture(row[:2], weights[:2]))
weights_backwards = joined(lambda row, weights: mixture(row, weights[::-1]))
underflowing = joined(naive)
sum_in_float32 = joined(summed_in_float32)
digits_lost = joined(naive_unless_zero)
not_the_largest = joined(first_taken_out)
too_large = joined(partial(first_taken_out, most=inf))
all_must_agree = joined(lambda row, weights: -inf if -inf in row else mixture(row, weights))
not_a_number = joined(lambda row, weights: nan if max(row) == -inf else mixture(row, weights))


def left_out(row: Row, weights: Row) -> float:
    """The mean over those models for which the word is possible."""
    known = [(log_p, weight) for log_p, weight in zip(row, weights, strict=True) if log_p > -inf]
    if not known:
        return -inf
    return mixture([log_p for log_p, _ in known], [weight / sum(w for _, w in known) for _, weight in known])


only_where_possible = joined(left_out)


def logs_normalised(models: list[Model], weights: Row) -> Model:
    """The weighted mean of logarithms, with Σ p = 1."""
    found = {}
    for beginning, row in defined(models, weights, mean_of_logs).items():
        total = mixture(row, [1.0] * len(row))
        found[beginning] = [log_p - total for log_p in row]
    return found


def start_only(models: list[Model], weights: Row) -> Model:
    """The other beginnings as the first model has them."""
    return models[0] | {(): defined(models, weights)[()]}


def changed(models: list[Model], weights: Row) -> Model:
    found = defined(models, weights)
    models[0].clear()
    models[0].update(found)
    return found


def infinity_overwritten(models: list[Model], weights: Row) -> Model:
    """−∞ replaced in the models themselves."""
    found = defined(models, weights)
    for model in models:
        for row in model.values():
            row[:] = [max(log_p, -1e9) for log_p in row]
    return found
