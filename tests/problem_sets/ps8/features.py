"""What the cases of problem set 8 show."""

from collections import Counter

from course_lib.problem_sets.ps8 import (
    agreement,
    bootstrap,
    brevity_penalty,
    corpus_bleu,
    diagnose,
    greedy_matching,
    reports,
)
from course_lib.problem_sets.ps8.modified_precision import all_grams
from course_lib.problem_sets.ps8.tokens import SIGNS


def between_one_and_all(hypothesis, references, n):
    """An n-gram that stands there more often than in any reference, not more often than in all of them together."""
    ours, *theirs = (Counter(all_grams(each, n)) for each in (hypothesis, *references))
    return any(max(each[g] for each in theirs) < ours[g] <= sum(each[g] for each in theirs) for g in ours)


def in_different_references(hypothesis, references, n):
    """No reference has the most of every n-gram."""
    theirs = [Counter(all_grams(each, n)) for each in references]
    return all(
        any(each[g] < max(other[g] for other in theirs) for g in set(all_grams(hypothesis, n))) for each in theirs
    )


def of_sentence(shown):
    """A feature of a hypothesis and its first reference, alone or in a corpus."""

    def of_first(hypothesis, references, _):
        corpus = isinstance(hypothesis[0], list)
        return shown(hypothesis[0], references[0][0]) if corpus else shown(hypothesis, references[0])

    return of_first


FORMS = {
    "a word in small letters here, with a capital letter there": of_sentence(
        lambda h, r: any(word not in r and word.lower() in map(str.lower, r) for word in h)
    ),
    "a sign that both have": of_sentence(lambda h, r: bool({*h} & {*r} & {*SIGNS})),
    "another sign on each side": of_sentence(
        lambda h, r: bool({*h} & {*SIGNS} - {*r}) and bool({*r} & {*SIGNS} - {*h})
    ),
}


def unordered(numbers):
    return [*numbers] not in (sorted(numbers), sorted(numbers, reverse=True))


def in_no_order(hypothesis, references, _):
    """Neither words nor the lengths of references are in order, and each text has a capital letter and a sign."""
    corpus = isinstance(hypothesis[0], list)
    for h, texts in zip(hypothesis, references, strict=True) if corpus else [(hypothesis, references)]:
        if not unordered([*map(len, texts)]) or not all(map(unordered, (h, *texts))):
            return False
        if not all({*each} & {*SIGNS} and [word.lower() for word in each] != each for each in (h, *texts)):
            return False
    return True


def four_roles(hypothesis, references, n):
    """The first reference, the longest, the shortest and the closest are four."""
    lengths = [*map(len, references)]
    near = [abs(length - len(hypothesis)) for length in lengths]
    return len({0, lengths.index(max(lengths)), lengths.index(min(lengths)), near.index(min(near))}) == 4


def far_from_the_mean(lengths, others):
    """The closest length is not the one that is closest to their mean."""
    right = reports.CHOICES["closest"](lengths[0], others[0])
    return right != brevity_penalty.closest(sum(others[0]) / len(others[0]), others[0])


def closest(compare):
    """How the closest length compares with that of the hypothesis."""
    return lambda lengths, others: compare(reports.CHOICES["closest"](lengths[0], others[0]), lengths[0])


def tie(shorter_first):
    """Two lengths that are equally close, in this order."""
    return lambda lengths, others: (
        abs(others[0][0] - lengths[0]) == abs(others[0][1] - lengths[0])
        and (others[0][0] < others[0][1]) == shorter_first
    )


def sums(lengths, others):
    return sum(lengths), sum(reports.CHOICES["closest"](c, each) for c, each in zip(lengths, others, strict=True))


def unequally_many(references):
    return len({*map(len, references)}) > 1


def unmatched_alone(hypotheses, references, N):
    """A sentence that scores 0 alone, in a corpus that does not."""
    alone = [corpus_bleu.defined([h], [each], N) for h, each in zip(hypotheses, references, strict=True)]
    return 0 in alone and corpus_bleu.defined(hypotheses, references, N) > 0


def fault(name, *others):
    """Just these faults."""
    return lambda report: diagnose.defined(report) == {name, *others}


def without(name):
    return lambda report: name not in diagnose.defined(report)


def counted_as(limit):
    """Counts that are limited in this way and in no right one."""
    return lambda report: diagnose.clipping(report) and report["matched"] == reports.counted(report, limit)


def right_words(report):
    """Of single words and pairs the counts are right, of longer n-grams they are not clipped."""
    return diagnose.clipping(report) and report["matched"][:2] == reports.counted(report)[:2]


def characters(text):
    return "".join(text.split())


def lengths(compare):
    """A comparison of the numbers of characters of the only hypothesis and its reference."""
    return lambda hypotheses, references, beta: compare(
        *(len(characters(each[0])) for each in (hypotheses, references))
    )


SECRETS = {"corpus_bleu": 100, "diagnose": 30, "chrf": 30, "bootstrap": 30, "agreement": 30, "greedy_matching": 60}
FEATURES = {
    ("modified_precision", "words"): FORMS,
    ("corpus_bleu", "precision"): FORMS,
    ("modified_precision", "arguments"): {"in no order": in_no_order},
    ("corpus_bleu", "arguments"): {"in no order": in_no_order},
    ("modified_precision", "references"): {
        "first, longest, shortest and closest are four": four_roles,
        "more often than any reference, not than all": between_one_and_all,
        "one matches here, another there": in_different_references,
        "one is too short for an n-gram": lambda hypothesis, references, n: min(map(len, references)) < n,
    },
    ("modified_precision", "clip"): {
        "single words": lambda hypothesis, references, n: n == 1,
        "pairs": lambda hypothesis, references, n: n == 2,
    },
    ("modified_precision", "total"): {
        "an empty hypothesis": lambda hypothesis, references, n: not hypothesis,
        "too short by one": lambda hypothesis, references, n: len(hypothesis) == n - 1 > 0,
        "too short by more": lambda hypothesis, references, n: 0 < len(hypothesis) < n - 1,
        "references that are too short": lambda hypothesis, references, n: (
            max(map(len, references)) < n <= len(hypothesis)
        ),
    },
    ("brevity_penalty", "long"): {
        "longer": lambda lengths, others: lengths[0] > others[0][0],
        "equally long": lambda lengths, others: lengths == others[0],
        "one word": lambda lengths, others: lengths == others[0] == [1],
    },
    ("brevity_penalty", "closest"): {
        "the closest is longer": closest(int.__gt__),
        "the closest is shorter": closest(int.__lt__),
        "the closest is not the one closest to their mean": far_from_the_mean,
    },
    ("brevity_penalty", "ties"): {"the shorter first": tie(True), "the longer first": tie(False)},
    ("brevity_penalty", "corpus"): {
        "together too short": lambda *given: sums(*given)[0] < sums(*given)[1],
        "together long enough": lambda *given: sums(*given)[0] >= sums(*given)[1],
        "unequally many references": lambda lengths, others: unequally_many(others),
    },
    ("brevity_penalty", "empty"): {
        "all are empty": lambda lengths, others: not any(lengths),
        "one is empty": lambda lengths, others: 0 in lengths and any(lengths),
    },
    ("corpus_bleu", "references"): {"unequally many": lambda hypotheses, references, N: unequally_many(references)},
    ("corpus_bleu", "mean"): {"N = 3": lambda h, r, N: N == 3, "N = 4": lambda h, r, N: N == 4},
    ("corpus_bleu", "zero"): {
        "a sentence without a match, not the corpus": unmatched_alone,
        "an empty hypothesis, not all": lambda hypotheses, references, N: [] in hypotheses and any(hypotheses),
        "right hypotheses that are too short": lambda h, r, N: [[each] for each in h] == r and max(map(len, h)) < N,
        "words match, longer n-grams do not": lambda h, r, N: (
            corpus_bleu.defined(h, r, 1) > 0 == corpus_bleu.defined(h, r, N)
        ),
    },
    ("diagnose", "clipping"): {
        "limited by the sum": counted_as("sum"),
        "not limited": counted_as("none"),
        "lower-cased alone": fault("case"),
        "single words and pairs are right": right_words,
    },
    ("diagnose", "case"): {
        "not clipped alone": fault("clipping"),
        "lower-cased and not clipped": fault("case", "clipping"),
        "lower-cased alone": fault("case"),
    },
    ("diagnose", "length"): {"exchanged": fault("exchanged"), "there": fault("length"), "nothing": without("length")},
    ("diagnose", "brevity"): {
        "another r": fault("length"),
        "exchanged, with shorter references": lambda report: (
            fault("exchanged")(report) and report["total"][0] < report["r"]
        ),
        "there": fault("brevity"),
    },
    ("diagnose", "score"): {"another penalty": fault("brevity"), "other counts": fault("clipping")},
    ("chrf", "spaces"): {
        "blanks, tabs and line ends": lambda h, r, beta: {*" \t\n"} <= {*h[0].strip()} and {*" \t\n"} <= {*r[0]},
    },
    ("chrf", "beta"): {
        "the hypothesis is longer": lengths(int.__gt__),
        "the reference is longer": lengths(int.__lt__),
        "β below 1": lambda hypotheses, references, beta: beta < 1,
    },
    ("chrf", "corpus"): {"an empty hypothesis among others": lambda h, r, beta: "" in h and any(h)},
    ("chrf", "orders"): {
        "the hypothesis alone is short": lengths(lambda h, r: 0 < h < 6 <= r),
        "the reference alone is short": lengths(lambda h, r: r < 6 <= h),
        "both are short": lengths(lambda h, r: 0 < h < 6 and r < 6),
        "the hypothesis is empty": lengths(lambda h, r: h == 0),
        "nothing matches": lambda h, r, beta: h[0].strip() != "" and not {*h[0]} & {*r[0]},
    },
    ("bootstrap", "wins"): {"both are equal in a resample": lambda *given: 0 in bootstrap.defined(*given)[0]},
    ("greedy_matching", "f"): {
        "P, R and F are below 0": lambda *given: max(greedy_matching.defined(*given)) < 0,
        "P, R and F are 0": lambda *given: greedy_matching.defined(*given) == (0, 0, 0),
        "P alone is 0": lambda *given: greedy_matching.defined(*given)[0] == 0 != greedy_matching.defined(*given)[1],
        "R alone is 0": lambda *given: greedy_matching.defined(*given)[1] == 0 != greedy_matching.defined(*given)[0],
        "P is larger": lambda *given: greedy_matching.defined(*given)[0] > greedy_matching.defined(*given)[1] > 0,
        "R is larger": lambda *given: greedy_matching.defined(*given)[1] > greedy_matching.defined(*given)[0] > 0,
    },
    ("bootstrap", "p"): {
        "sentences of unlike lengths": lambda a, b, drawn: a != b and len({n for _, n in a}) > 1,
        "equal systems": lambda a, b, drawn: a == b,
        "equal scores of unequal systems": lambda a, b, drawn: a != b and bootstrap.ratio(a) == bootstrap.ratio(b),
        "B is worse": lambda a, b, drawn: bootstrap.ratio(b) < bootstrap.ratio(a),
        "B is better": lambda a, b, drawn: bootstrap.ratio(b) > bootstrap.ratio(a),
    },
    ("agreement", "chance"): {
        "each gives points that the other does not give": agreement.only_one_gives,
        "points below 1": lambda first, second: min(*first, *second) < 1,
        "points above 10": lambda first, second: max(*first, *second) > 10,
    },
    ("agreement", "weighted"): {
        "points below 1": lambda first, second: min(*first, *second) < 1,
        "points above 10": lambda first, second: max(*first, *second) > 10,
        "two points, 1 apart": lambda first, second: max(*first, *second) - min(*first, *second) == 1,
    },
    ("agreement", "kappa"): {
        "κ below 0": lambda *given: agreement.defined(*given)[2] < 0,
        "agreement on no sentence": lambda *given: agreement.defined(*given)[0] == 0,
        "κ above 0": lambda *given: agreement.defined(*given)[2] > 0,
    },
    ("agreement", "undefined"): {
        "one number in all": lambda first, second: len({*first, *second}) == 1,
        "one number each": lambda first, second: len({*first}) == len({*second}) == 1 and first != second,
        "one sentence": lambda first, second: len(first) == 1 and first != second,
        "one number of the first alone": lambda first, second: len({*first}) == 1 < len({*second}),
        "one number of the second alone": lambda first, second: len({*second}) == 1 < len({*first}),
        "agreement in several numbers": lambda first, second: first == second and len({*first}) > 1,
    },
}
