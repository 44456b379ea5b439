"""What the cases of problem set 5 show."""

from itertools import pairwise
from math import exp, inf

from course_lib.problem_sets.ps5 import beam_search, beam_step, diagnose, greedy
from course_lib.problem_sets.ps5.tables import EOS, ended, log_p, outputs


def finished_against(compare):
    """How many are finished, compared with n."""
    return lambda finished, live, n, max_length, alpha: compare(len(finished), n)


def eos_behind_the_last(model, max_length):
    """Whether EOS is the most probable word behind `max_length` others."""
    words, _ = greedy.defined(model, max_length)
    return words[-1] != EOS and words in model and greedy.first_best(model[words]) == EOS


def goes_on_behind_eos(model, max_length):
    """Whether the table knows what follows the EOS that a greedy search finds before its last step."""
    words, _ = greedy.defined(model, max_length)
    return words[-1] == EOS and len(words) < max_length and words in model


def a_little_better(asked):
    """Whether some output is better than the one that is asked about, and none by 0.001."""

    def there(model, max_length, output, reference):
        scores = dict(outputs(model, max_length))
        return 1e-5 < max(scores.values()) - scores[output[0] if asked == "search" else reference] < 0.001

    return {"another output is a little better": there}


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


def reference_best_in(*ways, output_is_reference=None):
    """Whether the reference is the best in just these ways, and whether it is the output, if that is asked."""

    def there(model, max_length, output, reference):
        scores = dict(outputs(model, max_length))
        best = {
            name
            for name, of in {"sum": scores, "mean": diagnose.means(scores)}.items()
            if diagnose.best_of(of, reference)
        }
        return best == set(ways) and output_is_reference in (None, output[0] == reference)

    return there


def right_score(wanted):
    """Whether the score is right, and output and reference are as `wanted`."""
    return lambda model, max_length, output, reference: (
        abs(output[1] - log_p(model, output[0])) < 1e-6 and wanted(output[0], reference)
    )


def shows(wrong, *others):
    """Whether a wrong version of the search finds other outputs, and these others do not."""

    def there(*arguments):
        right, found, *same = (sorted(search(*arguments)) for search in (beam_search.defined, wrong, *others))
        return found != right and all(each == right for each in same)

    return there


def nothing_finished(*arguments):
    return not any(map(ended, arguments[0]))


def equal(hypotheses, penalty, alpha):
    return len({(score, len(words)) for words, score in hypotheses}) < len(hypotheses)


def equal_of_unlike_length(longer_first, same_sum):
    """Whether two outputs have one divided score, but not one length: in this order, with equal or other sums."""

    def there(hypotheses, penalty, alpha):
        if (alpha == 0) != same_sum:
            return False
        divided = [(score / len(words) ** alpha, len(words)) for words, score in hypotheses]
        pairs = ((a, b) for i, a in enumerate(divided) for b in divided[i + 1 :])
        return any(a[0] == b[0] and a[1] != b[1] and (a[1] > b[1]) == longer_first for a, b in pairs)

    return there


def one_far_below_an_output(model, live, k):
    going, finished = beam_step.defined(model, live, k)
    return bool(finished) and finished[-1][1] - going[-1][1] > 10


def better_by(least, most):
    """Whether some live hypothesis is better than the best finished one by more than `least`, and less than `most`."""
    return lambda finished, live, *others: any(
        least < score - best < most for best in [max((s for _, s in finished), default=0)] for _, score in live
    )


def only_if(there, done):
    """The same, and something is finished if `done`, else nothing."""
    return lambda *given: there(*given) and nothing_finished(*given) != done


UNLIKE = {
    f"equal ones, {order} first, {sums}, {end}": only_if(equal_of_unlike_length(longer, same), done)
    for order, longer in (("the longer", True), ("the shorter", False))
    for sums, same in (("their sums equal", True), ("their sums unlike", False))
    for end, done in (("finished", True), ("unfinished", False))
}


def far_from_the_mean(models, weights):
    """Whether exp(a − mean) is larger than any float."""
    rows = (row for beginning in models[0] for row in zip(*(model[beginning] for model in models), strict=True))
    return any(max(row) - sum(row) / len(row) > 710 for row in rows)


SECRETS = {"greedy": 50, "diagnose": 50}
FEATURES = {
    ("greedy", "words"): {"a second word that is nearly as probable": a_close_second},
    ("greedy", "end"): {
        "the table goes on behind EOS": goes_on_behind_eos,
        "EOS alone": lambda *given: greedy.defined(*given)[0] == (EOS,),
    },
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
    ("beam_step", "impossible"): {
        "one that goes on is less probable than an output by e¹⁰": one_far_below_an_output,
        "a word of less than e⁻²⁰ goes on": lambda model, live, k: any(
            model[words[:-1]][words[-1]] < -20 for words, _ in beam_step.defined(model, live, k)[0]
        ),
        "probabilities that exp gives as 0": lambda model, live, k: all(exp(score) == 0 for _, score in live),
    },
    ("beam_search", "length"): {"max_length is 1": lambda model, k, max_length, enough: max_length == 1},
    ("beam_search", "enough"): {
        "a live one is better than all of enough outputs": shows(beam_search.stopped_only_if_an_output_is_the_best),
        "k is 1, enough is not": lambda model, k, max_length, enough: k == 1 < enough,
        "a step too many shows where more than enough are finished": shows(
            *(beam_search.one_step_after_enough, beam_search.one_more_than_enough, beam_search.counted_step_by_step)
        ),
        "a count of each step shows where more than enough are finished": shows(
            beam_search.counted_step_by_step, beam_search.one_more_than_enough
        ),
    },
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
    }
    | {"EOS alone": lambda hypotheses, penalty, alpha: (EOS,) in dict(hypotheses)},
    ("rank", "ties"): {
        "finished ones are equal": lambda *given: equal(*given) and not nothing_finished(*given),
        "unfinished ones are equal": lambda *given: equal(*given) and nothing_finished(*given),
    }
    | UNLIKE,
    ("contenders", "plain"): {"a live one is better by 2⁻¹² alone": better_by(0, 2**-11)},
    ("contenders", "length"): {"α above 1": lambda finished, live, n, max_length, alpha: alpha > 1},
    ("contenders", "nth"): {
        "more than n are finished": finished_against(int.__gt__),
        "exactly n are finished": finished_against(int.__eq__),
        "fewer than n are finished": finished_against(int.__lt__),
        "several are finished, but fewer than n": lambda finished, live, n, *_: 1 < len(finished) < n,
        "nothing is finished": lambda finished, *_: not finished,
    },
    ("ensemble", "small"): {
        "log-probabilities far from their mean": far_from_the_mean,
        "log-probabilities near −740": lambda models, weights: all(-743 < x < -734 for m in models for x in m[()][1:]),
        "log-probabilities above −20": lambda models, weights: all(x > -20 for m in models for x in m[()]),
    },
    ("diagnose", "search"): equals("search")
    | a_little_better("search")
    | {
        "the best output has a word 3": lambda model, max_length, *rest: (
            3 in max(outputs(model, max_length), key=lambda each: each[1])[0]
        )
    },
    ("diagnose", "model"): faulty("model")
    | faulty("length")
    | equals("model")
    | a_little_better("model")
    | {"the reference is the best by its sum alone": reference_best_in("sum")},
    ("diagnose", "length"): equals("length")
    | {
        "output and reference are the best in both ways": reference_best_in("sum", "mean", output_is_reference=True),
        "the reference is the best in both ways": reference_best_in("sum", "mean", output_is_reference=False),
    },
    ("diagnose", "score"): faulty("score")
    | {
        "off by little more than 0.1": lambda model, max_length, output, reference: (
            0.1 < abs(output[1] - log_p(model, output[0])) < 0.15
        ),
        "EOS alone with its score": right_score(lambda words, reference: words == (EOS,) != reference),
        "the reference with its score": right_score(lambda words, reference: words == reference),
    },
}
