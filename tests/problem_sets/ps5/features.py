"""What the cases of problem set 5 show."""

from itertools import pairwise
from math import exp, inf

from course_lib.problem_sets.ps5 import diagnose, greedy
from course_lib.problem_sets.ps5.tables import EOS, ended, log_p, outputs


def finished_against(compare):
    """How many are finished, compared with n."""
    return lambda finished, live, n, max_length, alpha: compare(len(finished), n)


def eos_behind_the_last(model, max_length):
    """Whether EOS is the most probable word behind `max_length` others."""
    words, _ = greedy.defined(model, max_length)
    return words[-1] != EOS and words in model and greedy.first_best(model[words]) == EOS


def ties(model, max_length):
    """The words that are as probable as the best one, at each step of a greedy search."""
    words, _ = greedy.defined(model, max_length)
    rows = [model[words[:i]] for i in range(len(words))]
    return [[word for word, log_p in enumerate(row) if log_p == max(row)] for row in rows]


def a_close_second(model, max_length):
    words, _ = greedy.defined(model, max_length)
    return any(
        0 < exp(best) - exp(second) < 0.1 for i in range(len(words)) for *_, second, best in [sorted(model[words[:i]])]
    )


def least_difference(rows):
    return min(b - a for row in rows for a, b in pairwise(sorted(row)) if a > -inf)


def faulty(fault):
    def there(*arguments):
        return fault in diagnose.defined(*arguments)

    return {f"{fault} is there": there, f"{fault} is not there": lambda *arguments: not there(*arguments)}


def equals(asked):
    """How many outputs are as good as the one that is asked about, by log p or by the mean, and better in none."""

    def there(model, max_length, output, reference):
        scores = dict(outputs(model, max_length))
        of = diagnose.means(scores) if asked == "length" else scores
        one = output[0] if asked == "search" else reference
        return of[one] == max(of.values()) and list(of.values()).count(of[one]) > 1

    return {"another output is as good as the best": there}


def nothing_finished(*arguments):
    return not any(map(ended, arguments[0]))


def equal(hypotheses, penalty, alpha):
    return len({(score, len(words)) for words, score in hypotheses}) < len(hypotheses)


def far_from_the_mean(models, weights):
    """Whether exp(a − mean) is larger than any float."""
    rows = (row for beginning in models[0] for row in zip(*(model[beginning] for model in models), strict=True))
    return any(max(row) - sum(row) / len(row) > 710 for row in rows)


SECRETS = {"greedy": 50, "diagnose": 50}
FEATURES = {
    ("greedy", "words"): {"a second word that is nearly as probable": a_close_second},
    ("greedy", "length"): {
        "EOS is the best word just behind the last": eos_behind_the_last,
        "max_length is 1": lambda model, max_length: max_length == 1,
    },
    ("greedy", "ties"): {
        "equal words, EOS among them": lambda *given: any(EOS in each and len(each) > 1 for each in ties(*given)),
        "equal words without EOS": lambda *given: any(EOS not in each and len(each) > 1 for each in ties(*given)),
    },
    ("beam_step", "several"): {
        "fewer than k words after each hypothesis": lambda model, live, k: len(model[live[0][0]]) - 1 < k,
        "sums that differ by 1/4096": lambda model, live, k: least_difference(model.values()) == 2**-12,
    },
    ("beam_search", "length"): {"max_length is 1": lambda model, k, max_length, enough: max_length == 1},
    ("beam_search", "enough"): {"k is 1, enough is not": lambda model, k, max_length, enough: k == 1 < enough},
    ("rank", "power"): {
        "α = 0.5": lambda hypotheses, penalty, alpha: alpha == 0.5,
        "another α": lambda hypotheses, penalty, alpha: 0.5 < alpha < 1,
        "α above 1": lambda hypotheses, penalty, alpha: alpha > 1,
    },
    ("rank", "gnmt"): {"α above 1": lambda hypotheses, penalty, alpha: alpha > 1},
    ("rank", "finished"): {
        f'nothing is finished, "{name}", α ≠ 1': lambda *given, name=name: (
            nothing_finished(*given) and given[1] == name and given[2] != 1
        )
        for name in ("gnmt", "power")
    },
    ("rank", "ties"): {
        "finished ones are equal": lambda *given: equal(*given) and not nothing_finished(*given),
        "unfinished ones are equal": lambda *given: equal(*given) and nothing_finished(*given),
    },
    ("contenders", "length"): {"α above 1": lambda finished, live, n, max_length, alpha: alpha > 1},
    ("contenders", "nth"): {
        "more than n are finished": finished_against(int.__gt__),
        "exactly n are finished": finished_against(int.__eq__),
        "fewer than n are finished": finished_against(int.__lt__),
    },
    ("ensemble", "small"): {
        "log-probabilities far from their mean": far_from_the_mean,
        "log-probabilities near −740": lambda models, weights: all(-743 < x < -734 for m in models for x in m[()][1:]),
        "log-probabilities above −20": lambda models, weights: all(x > -20 for m in models for x in m[()]),
    },
    ("diagnose", "search"): equals("search"),
    ("diagnose", "model"): faulty("model") | faulty("length") | equals("model"),
    ("diagnose", "length"): equals("length"),
    ("diagnose", "score"): faulty("score")
    | {
        "off by little more than 0.1": lambda model, max_length, output, reference: (
            0.1 < abs(output[1] - log_p(model, output[0])) < 0.15
        )
    },
}
