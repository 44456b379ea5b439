"""Wrong versions of problem set 5 that looked right on every visible case once: each loses now, and where it should."""

from functools import partial
from math import exp, inf, log

import pytest
import torch

from course_lib.grading.registry import problem_set
from course_lib.problem_sets.ps5 import (
    beam_search,
    contenders,
    diagnose,
    ensemble,
    greedy,
    rank,
)
from tests.grading.caught import each_row, is_caught, lost
from tests.grading.measure.secrets import secret


def continuations(model, live):
    return [((*y, word), s + x) for y, s in live for word, x in enumerate(model[y]) if x > -inf]


def split(ranked, k, among=None):
    going = [h for h in ranked if h[0][-1] != 0][:k]
    return going, [h for h in ranked[: k if among is None else among] if h[0][-1] == 0]


def by_score(hypotheses):
    return sorted(hypotheses, key=lambda h: -h[1])


def among_as_many_as_live(model, live, k):
    return split(by_score(continuations(model, live)), k, len(live))


def eos_last(model, live, k):
    return split(sorted(continuations(model, live), key=lambda h: (-h[1], h[0][-1] == 0)), k)


def eos_as_good_as_the_last(model, live, k):
    ranked = by_score(continuations(model, live))
    return split(ranked, k)[0], [h for h in ranked if h[0][-1] == 0 and h[1] >= ranked[:k][-1][1]]


def above_a_threshold(model, live, k):
    return split([h for h in by_score(continuations(model, live)) if h[1] > -12], k)


def of_each(model, live, k):
    kept = [h for each in live for h in by_score(continuations(model, [each]))[:k]]
    return split(by_score(kept), k)


def three_words(model, max_length):
    words, score = (), 0.0
    while len(words) < max_length and words[-1:] != (0,):
        word = max((0, 1, 2), key=model[words].__getitem__)
        words, score = (*words, word), score + model[words][word]
    return words, score


def behind_eos(model, max_length):
    words, score = (), 0.0
    while len(words) < max_length:
        log_probs = model[words]
        word = log_probs.index(max(log_probs))
        words, score = (*words, word), score + log_probs[word]
    return words, score


def unfinished_removed(hypotheses, penalty, alpha):
    if any(y[-1] == 0 for y, _ in hypotheses):
        for h in list(hypotheses):
            if h[0][-1] != 0:
                hypotheses.remove(h)
    return rank.defined(hypotheses, penalty, alpha)


def with_bases(power, gnmt):
    def ranked(hypotheses, penalty, alpha):
        chosen = [h for h in hypotheses if h[0][-1] == 0] or hypotheses
        base = {"power": power, "gnmt": gnmt}[penalty]
        return by_score((y, s / base(len(y), alpha)) for y, s in chosen)

    return ranked


def last_step_lost(model, k, max_length, enough):
    live, outputs = [((), 0.0)], []
    for _ in range(max_length):
        live, new = split(by_score(continuations(model, live)), k)
        if not live or len(outputs) + len(new) >= enough:
            break
        outputs += new
    return by_score(outputs) or live


def scores(finished, alpha):
    return sorted((s / len(y) ** alpha for y, s in finished), reverse=True)


def sorted_in_place(finished, live, n, max_length, alpha):
    finished.sort(key=lambda h: h[1] / len(h[0]) ** alpha, reverse=True)
    return contenders.defined(finished, live, n, max_length, alpha)


def worst_removed(finished, live, n, max_length, alpha):
    while len(finished) > n:
        finished.remove(min(finished, key=lambda h: h[1] / len(h[0]) ** alpha))
    return contenders.defined(finished, live, n, max_length, alpha)


def reversed_in_place(finished, live, n, max_length, alpha):
    won = contenders.defined(finished, live, n, max_length, alpha)
    finished.reverse()
    return won


def distinct_scores(finished, live, n, max_length, alpha):
    if len(finished) < n:
        return live
    different = sorted(set(scores(finished, alpha)), reverse=True)
    return [(y, s) for y, s in live if s / max_length**alpha > different[min(n, len(different)) - 1]]


def full_ones_out(finished, live, n, max_length, alpha):
    won = contenders.defined(finished, live, n, max_length, alpha)
    return [(y, s) for y, s in won if len(y) < max_length]


def worst_of_few(finished, live, n, max_length, alpha):
    best = scores(finished, alpha)[:n]
    return [(y, s) for y, s in live if not best or s / max_length**alpha > best[-1]]


def index_error(finished, live, n, max_length, alpha):
    reached = scores(finished, alpha)[n - 1]
    return [(y, s) for y, s in live if s / max_length**alpha > reached]


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


def diagnosed(every, better, candidates_for_mean):
    def diagnose(model, max_length, output, reference):
        def log_p(y):
            return sum(model[y[:i]][y[i]] for i in range(len(y)))

        outputs = {(*y, 0): log_p((*y, 0)) for y in model if every or len(y) < max_length}
        faults = {"score"} if abs(output[1] - log_p(output[0])) > 0.01 else set()
        if better(max(outputs.values()), log_p(output[0])):
            faults.add("search")
        if better(max(outputs.values()), log_p(reference)):
            mean = max(outputs[y] / len(y) for y in candidates_for_mean(outputs))
            faults.add("model" if better(mean, log_p(reference) / len(reference)) else "length")
        return faults

    return diagnose


def emptied(function):
    """The model thrown away when the work is done."""

    def emptying(model, *arguments):
        found = function(model, *arguments)
        model.clear()
        return found

    return emptying


def all_of(outputs):
    return outputs


def best_of(outputs):
    return [max(outputs, key=outputs.__getitem__)]


def with_eos_on_top(model, max_length):
    """`max_length` words, and EOS may follow."""
    words, score = (), 0.0
    while len(words) < max_length and words[-1:] != (0,):
        word = max(range(len(model[words])), key=model[words].__getitem__)
        words, score = (*words, word), score + model[words][word]
    if words[-1:] != (0,) and max(model[words]) == model[words][0]:
        words, score = (*words, 0), score + model[words][0]
    return words, score


def by_rounded_p(model, max_length):
    return greedy.defined(model, max_length, choose=lambda row: row.index(max(row, key=lambda x: round(exp(x), 1))))


def more_than_n(finished, live, n, max_length, alpha):
    if len(finished) <= n:
        return live
    return contenders.defined(finished, live, n, max_length, alpha)


def one_after_the_other(model, live, k):
    return split([h for each in live for h in by_score(continuations(model, [each]))], k)


def mean_taken_out(models, weights):
    def join(row):
        if -inf in row:
            return ensemble.mixture(row, weights)
        m = sum(row) / len(row)
        return m + log(sum(w * exp(x - m) for x, w in zip(row, weights, strict=True)))

    return {y: [join(row) for row in zip(*(m[y] for m in models), strict=True)] for y in models[0]}


def power_above_a_half(hypotheses, penalty, alpha):
    return rank.defined(hypotheses, penalty, 1.0 if penalty == "power" and alpha > 0.5 else alpha)


def unfinished_ranked_by(divisor, order=1):
    """All outputs ranked by a way of their own where none is finished."""

    def ranked(hypotheses, penalty, alpha):
        if any(y[-1] == 0 for y, _ in hypotheses):
            return rank.defined(hypotheses, penalty, alpha)
        return by_score((y, s / divisor(len(y), penalty, alpha)) for y, s in hypotheses[::order])

    return ranked


def right_divisor(n, penalty, alpha):
    return GNMT[penalty](n, alpha)


def alpha_at_most_1(n, alpha):
    return n ** min(alpha, 1)


def contenders_alpha_at_most_1(finished, live, n, max_length, alpha):
    return contenders.defined(finished, live, n, max_length, min(alpha, 1))


def compared_by_words(model, max_length, output, reference):
    """Of equally good outputs the one that is found first taken for the only best one."""

    def log_p(y):
        return sum(model[y[:i]][y[i]] for i in range(len(y)))

    every = [(*y, 0) for y in model if len(y) < max_length]
    faults = {"score"} if abs(output[1] - log_p(output[0])) > 0.01 else set()
    if output[0] != max(every, key=log_p):
        faults.add("search")
    if reference != max(every, key=log_p):
        faults.add("length" if reference == max(every, key=lambda y: log_p(y) / len(y)) else "model")
    return faults


def words_of_mean_compared(model, max_length, output, reference):
    """The same of the means alone."""
    every = [(*y, 0) for y in model if len(y) < max_length]
    faults = diagnose.defined(model, max_length, output, reference)
    best = max(every, key=lambda y: sum(model[y[:i]][y[i]] for i in range(len(y))) / len(y))
    return faults - {"length"} | {"model"} if "length" in faults and reference != best else faults


def tolerant(model, max_length, output, reference):
    found = diagnose.defined(model, max_length, output, reference) - {"score"}
    log_p = sum(model[output[0][:i]][output[0][i]] for i in range(len(output[0])))
    return found | {"score"} if abs(output[1] - log_p) > 0.2 else found


def greedy_by(choose):
    return lambda model, max_length: greedy.defined(model, max_length, choose=choose)


def rounded_to_3(row):
    return max(range(len(row)), key=lambda word: round(row[word], 3))


def within_a_hundredth(row):
    return next(word for word, x in enumerate(row) if x >= max(row) - 0.01)


def two_words_at_least(search):
    def searched(model, *arguments):
        *k, max_length = arguments[:2] if len(arguments) == 3 else arguments
        return search(model, *k, max(max_length, 2), *arguments[2:])

    return searched


def sums_rounded(model, live, k):
    return split(sorted(continuations(model, live), key=lambda h: round(h[1], 3), reverse=True), k)


def one_stops_at_the_first(model, k, max_length, enough):
    return beam_search.defined(model, k, max_length, 1 if k == 1 else enough)


def one_is_greedy(model, k, max_length, enough):
    if k == 1:
        return [greedy.defined(model, max_length)]
    return beam_search.defined(model, k, max_length, enough)


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


GNMT = {"power": lambda n, alpha: n**alpha, "gnmt": lambda n, alpha: ((5 + n) / 6) ** alpha}
ROWS = (  # the task, a wrong version, the criterion that it loses, the mistake that is named
    ("greedy", greedy_by(rounded_to_3), "words", "nearly equal taken for equal"),
    ("greedy", greedy_by(within_a_hundredth), "words", None),
    ("greedy", two_words_at_least(greedy.defined), "length", "two words at least"),
    ("beam_step", sums_rounded, "several", "sums rounded"),
    ("beam_search", two_words_at_least(beam_search.defined), "length", "two words at least"),
    ("beam_search", one_stops_at_the_first, "enough", "stopped at the first where k is 1"),
    ("beam_search", one_is_greedy, "enough", "stopped at the first where k is 1"),
    ("ensemble", partial(ensemble.defined, join=log_of_sum_in_float32), "small", "added in float32"),
    ("ensemble", partial(ensemble.defined, join=shifted_where_0), "small", "exp that loses its digits"),
    ("ensemble", shifted_unless(-1000), "small", None),
    ("rank", unfinished_ranked_by(lambda n, _, alpha: n**alpha), "finished", "unfinished outputs by the power"),
    ("rank", unfinished_ranked_by(lambda n, _, alpha: n), "finished", None),
    (
        *("rank", unfinished_ranked_by(lambda n, penalty, _: GNMT[penalty](n, 1)), "finished"),
        "alpha ignored where nothing is finished",
    ),
    ("rank", unfinished_ranked_by(right_divisor, order=-1), "ties", "the last of equal unfinished ones"),
    ("rank", with_bases(alpha_at_most_1, lambda n, alpha: ((5 + n) / 6) ** alpha), "power", None),
    ("rank", rank.alpha_above_1_taken_for_1, "power", "alpha above 1 taken for 1"),
    ("contenders", contenders_alpha_at_most_1, "length", "alpha above 1 taken for 1"),
    ("diagnose", compared_by_words, "search", "another that is as good"),
    ("diagnose", compared_by_words, "model", "another that is as good"),
    ("diagnose", words_of_mean_compared, "length", None),
    ("diagnose", tolerant, "score", "a small difference taken for rounding"),
    ("greedy", with_eos_on_top, "length", "EOS not counted"),
    ("greedy", by_rounded_p, "words", "probabilities rounded"),
    ("greedy", greedy.EOS_behind_its_equals, "ties", "EOS behind its equals"),
    ("contenders", more_than_n, "nth", "more than n must be finished"),
    ("beam_step", one_after_the_other, "several", "one hypothesis after the other"),
    ("rank", power_above_a_half, "power", None),
    ("ensemble", mean_taken_out, "small", "not the largest taken out"),
    ("ensemble", ensemble.computed_in_float32, "small", "computed in float32"),
    ("greedy", three_words, "words", "words 1 and 2 only"),
    ("greedy", emptied(greedy.defined), "arguments", "the model emptied"),
    ("beam_search", emptied(beam_search.defined), "arguments", "the model emptied"),
    ("diagnose", emptied(diagnose.defined), "arguments", "the model emptied"),
    ("greedy", behind_eos, "end", "going on after EOS"),
    ("beam_step", among_as_many_as_live, "finished", "EOS accepted among as many as are live"),
    ("beam_step", of_each, "finished", "the best k words of every hypothesis only"),
    ("beam_step", eos_last, "ties", "EOS behind its equals"),
    ("beam_step", eos_as_good_as_the_last, "ties", "EOS accepted where it equals the kth"),
    ("beam_step", above_a_threshold, "impossible", "improbable words dropped"),
    ("rank", unfinished_removed, "arguments", "unfinished outputs removed in place"),
    ("rank", with_bases(lambda n, _: n, lambda n, _: (5 + n) / 6), "power", "alpha ignored"),
    ("rank", with_bases(GNMT["gnmt"], GNMT["power"]), "power", "penalties exchanged"),
    ("beam_search", last_step_lost, "steps", "outputs of the last step lost"),
    ("contenders", sorted_in_place, "arguments", "finished ones sorted in place"),
    ("contenders", worst_removed, "arguments", "finished ones removed in place"),
    ("contenders", reversed_in_place, "arguments", None),
    ("contenders", distinct_scores, "nth", "equal ones counted once"),
    ("contenders", full_ones_out, "length", "those of full length left out"),
    ("contenders", worst_of_few, "nth", "the last while fewer than n are finished"),
    ("contenders", index_error, "nth", "as if n were finished"),
    ("ensemble", row_beside_row, "beginnings", None),
    ("ensemble", first_taken_out, "small", "not the largest taken out"),
    ("ensemble", infinity_replaced, "arguments", None),
    ("ensemble", inner_lists_overwritten, "arguments", "a model changed"),
    ("diagnose", diagnosed(True, float.__gt__, all_of), "search", "longer outputs tried"),
    ("diagnose", diagnosed(False, float.__ge__, all_of), "search", "as good counted as better"),
    ("diagnose", diagnosed(False, float.__gt__, best_of), "length", "only the mean of the most probable output"),
)


def by_exp_of_log(hypotheses, penalty, alpha):
    """A right version whose quotients differ in the last digit."""
    chosen = [h for h in hypotheses if h[0][-1] == 0] or hypotheses
    base = {"power": lambda n: n, "gnmt": lambda n: (5 + n) / 6}[penalty]
    return by_score((y, s * exp(-alpha * log(base(len(y))))) for y, s in chosen)


@pytest.mark.parametrize("number", range(20))
def test_another_formula_for_the_quotients_is_right(number):
    assert lost(problem_set("ps5").task("ps5.rank"), by_exp_of_log, secret(number)) == set()


@each_row("ps5", ROWS)
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
