"""Ensembles: wrong versions that looked right on every visible case once; each loses now, where it should."""

from functools import partial
from math import exp, inf, log

import torch

from course_lib.problem_sets.ps5 import ensemble
from tests.grading.caught import each_row, is_caught


def first_taken_out(models, weights):
    def join(row):
        m = row[0]
        if m == -inf:
            p = sum(w * exp(x) for x, w in zip(row, weights, strict=True))
            return log(p) if p else -inf
        return m + log(sum(w * exp(x - m) for x, w in zip(row, weights, strict=True)))

    return {y: [join(row) for row in zip(*(m[y] for m in models), strict=True)] for y in models[0]}


def infinity_replaced(models, weights):
    joined = ensemble.defined(models, weights)
    for model in models:
        for y in model:
            model[y] = [-1e5 if x == -inf else x for x in model[y]]
    return joined


def inner_lists_overwritten(models, weights):
    joined = ensemble.defined(models, weights)
    for y, row in joined.items():
        models[0][y][:] = row
    return joined


def row_beside_row(models, weights):
    """The rows by their places in the dicts, whatever beginnings they belong to."""
    return ensemble.defined([dict(zip(models[0], m.values(), strict=True)) for m in models], weights)


def mean_taken_out(models, weights):
    def join(row):
        if -inf in row:
            return ensemble.mixture(row, weights)
        m = sum(row) / len(row)
        return m + log(sum(w * exp(x - m) for x, w in zip(row, weights, strict=True)))

    return {y: [join(row) for row in zip(*(m[y] for m in models), strict=True)] for y in models[0]}


def shifted_unless(limit):
    """The largest taken out; −∞ below the limit."""

    def join(row, weights):
        joined = ensemble.mixture(row, weights)
        return joined if joined > limit else -inf

    return partial(ensemble.defined, join=join)


def log_of_sum_in_float32(row, weights):
    terms = [x + log(w) for x, w in zip(row, weights, strict=True)]
    top = max(terms)
    return top if top == -inf else top + float(torch.tensor([exp(x - top) for x in terms]).sum().log())


def shifted_where_0(row, weights):
    total = sum(w * exp(x) for x, w in zip(row, weights, strict=True))
    return log(total) if total > 0 else ensemble.mixture(row, weights)


def without_the_largest(term, logarithm):
    """exp of what is given, however small."""

    def joined(models, weights):
        rows = {y: zip(*(m[y] for m in models), strict=True) for y in models[0]}
        return {y: [logarithm(sum(map(term, row, weights))) for row in each] for y, each in rows.items()}

    return joined


def of_both(x, weight):
    return exp(x + log(weight))


def of_one(x, weight):
    return exp(x) * weight


def log_or_infinite(p):
    return log(p) if p > 0 else -inf


ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("ensemble", partial(ensemble.defined, join=log_of_sum_in_float32), "small", "added in float32"),
    ("ensemble", partial(ensemble.defined, join=shifted_where_0), "small", "exp that loses its digits"),
    ("ensemble", without_the_largest(of_one, log_or_infinite), "small", "exp that becomes 0"),
    ("ensemble", without_the_largest(of_both, log_or_infinite), "small", "exp of both that becomes 0"),
    ("ensemble", without_the_largest(of_one, log), "small", "log of 0"),
    ("ensemble", without_the_largest(of_both, log), "small", "log of 0 with exp of both"),
    ("ensemble", shifted_unless(-1000), "small", None),
    ("ensemble", mean_taken_out, "small", "not the largest taken out"),
    ("ensemble", ensemble.computed_in_float32, "small", "computed in float32"),
    ("ensemble", row_beside_row, "beginnings", None),
    ("ensemble", first_taken_out, "small", "not the largest taken out"),
    ("ensemble", infinity_replaced, "arguments", None),
    ("ensemble", inner_lists_overwritten, "arguments", "a model changed"),
)


@each_row("ps5", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
