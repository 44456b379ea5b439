"""Wrong versions of problem set 8 that once passed, were told what is not true, or lost what was right."""

import math
from collections import Counter
from statistics import mean

import numpy as np
import pytest

from course_lib.grading import check, seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.trial import attempt
from course_lib.problem_sets.ps8 import (
    agreement,
    bootstrap,
    brevity_penalty,
    chrf,
    corpus_bleu,
    diagnose,
    greedy_matching,
    modified_precision,
    reports,
)
from tests.grading.caught import each_row, each_slip, is_caught, lost

from . import loops

SIGNS = ".,;:!?"


def lower(tokens):
    return [token.lower() for token in tokens]


def plain(tokens):
    return [token for token in tokens if token not in SIGNS]


def bare(tokens):
    return [token.strip(SIGNS) for token in tokens]


def precision_of(change):
    """An honest precision of other tokens."""
    return lambda hypothesis, references, n: loops.modified_precision(change(hypothesis), [*map(change, references)], n)


def bleu_of(change):
    """An honest BLEU of other tokens."""
    return lambda h, r, N: corpus_bleu.reference([*map(change, h)], [[*map(change, each)] for each in r], N)


def precision_by(choose):
    """Matches with the one reference that `choose` takes."""
    return lambda h, references, n: loops.modified_precision(h, [choose(h, references)], n)


def shortest_first(hypotheses, references, N):
    for each in references:
        each.sort(key=len)
    return corpus_bleu.reference(hypotheses, references, N)


def precision_shortest_first(hypothesis, references, n):
    references.sort(key=len)
    return loops.modified_precision(hypothesis, references, n)


def lower_in_place(hypotheses, references, N):
    """Of the references alone, and only after the score is known."""
    score = corpus_bleu.reference(hypotheses, references, N)
    for each in references:
        each[:] = map(lower, each)
    return score


def precision_lower_in_place(hypothesis, references, n):
    found = loops.modified_precision(hypothesis, references, n)
    references[:] = map(lower, references)
    return found


def precision_unless(nothing, result):
    """A precision that returns early: `result(hypothesis, n)` if `nothing(lengths, n)` is true of the references."""

    def found(hypothesis, references, n):
        if nothing([*map(len, references)], n):
            return result(hypothesis, n)
        return loops.modified_precision(hypothesis, references, n)

    return found


def rectangular(lengths, reference_lengths):
    """An array has equally many references in each row."""
    r = np.sort(np.array(reference_lengths))
    nearest = np.abs(r - np.array(lengths)[:, None]).argmin(1)
    return brevity_penalty.penalty(sum(lengths), int(r[np.arange(len(r)), nearest].sum()))


def streams(score):
    """All first references, all second ones, …: as many as every sentence has."""
    return lambda hypotheses, references, *others: score(
        hypotheses, [*zip(*zip(*references, strict=False), strict=False)], *others
    )


def bleu_of_those(kept):
    """BLEU of the sentences whose hypothesis is `kept`, 0 if there is none."""

    def bleu(hypotheses, references, N):
        pairs = [(h, r) for h, r in zip(hypotheses, references, strict=True) if kept(h)]
        return corpus_bleu.reference(*map(list, zip(*pairs, strict=True)), N) if pairs else 0.0

    return bleu


def nearest(to):
    """A penalty of references whose length is closest to what `to(lengths, others)` says."""

    def penalty(lengths, reference_lengths):
        chosen = [min(o, key=lambda r: (abs(r - to(lengths, o)), r)) for o in reference_lengths]
        return brevity_penalty.penalty(sum(lengths), sum(chosen))

    return penalty


def product(hypotheses, references, N, exponent=lambda N: 1 / N):
    """BLEU without a thought of orders that have no n-gram."""
    p = 1.0
    for n in range(1, N + 1):
        counts = [loops.modified_precision(h, each, n) for h, each in zip(hypotheses, references, strict=True)]
        matched, total = map(sum, zip(*counts, strict=True))
        p *= matched / total
    return 100 * corpus_bleu.brevity(hypotheses, references) * p ** exponent(N)


def chrf_without(characters):
    """chrF of texts from which these characters are taken out."""
    taken = str.maketrans("", "", characters)
    left = {ord(c): f"{ord(c) + 0xE000:c}" for c in " \t\n" if c not in characters}  # that are characters like others
    return lambda h, r, beta: chrf.reference(
        [each.translate(taken).translate(left) for each in h],
        [each.translate(taken).translate(left) for each in r],
        beta,
    )


def chrf_of_shares(hypotheses, references, beta):
    """P and R of each sentence and order, and their means over all."""
    p, r = [], []
    for h, text in zip(hypotheses, references, strict=True):
        for n in range(1, 7):
            ours, theirs = (chrf.ngrams(chrf.without_whitespace(each), n) for each in (h, text))
            if ours and theirs:
                p.append((ours & theirs).total() / ours.total())
                r.append((ours & theirs).total() / theirs.total())
    return 100 * chrf.f_score(mean(p), mean(r), beta) if p else 0.0


def chrf_of_some(hypotheses, references, beta):
    """The score of those whose hypothesis is not empty."""
    pairs = [(h, r) for h, r in zip(hypotheses, references, strict=True) if h.strip()]
    return loops.chrf([h for h, _ in pairs], [r for _, r in pairs], beta) if pairs else 0.0


def matching(f):
    """An honest matching in float64, with another F."""

    def matched(*given):
        p, r, _ = map(float, loops.greedy_matching(*given))
        return p, r, f(p, r)

    return matched


def resampled(d=None, turn=lambda ds: ds):
    """An honest bootstrap with another d, or other differences in the end."""

    def test(a, b, drawn):
        differences, wins, p = loops.bootstrap(a, b, drawn)
        if d is not None:
            p = bootstrap.p_value(differences, d(a, b))
        return turn(differences), wins, p

    return test


def with_p(p):
    """An honest bootstrap with a p-value of its own, made of the |d*|, their mean and |d|."""

    def test(a, b, drawn):
        differences, wins, _ = loops.bootstrap(a, b, drawn)
        sizes, d = [*map(abs, differences)], abs(bootstrap.ratio(b) - bootstrap.ratio(a))
        return differences, wins, p(sizes, mean(sizes), d)

    return test


def as_large(sizes, m, d):
    return (sum(size - m >= d for size in sizes) + 1) / (len(sizes) + 1)


def share(segments):
    return mean(m / n for m, n in segments)


def rated(chance=None, expected=None, nothing=lambda first, second: {*first} == {*second} and len({*first}) == 1):
    """An honest agreement, of which some parts are others."""

    def found(first, second):
        n, p, q = len(first), Counter(first), Counter(second)
        p_o = sum(a == b for a, b in zip(first, second, strict=True)) / n
        p_e = sum(p[c] * q[c] for c in chance or p) / n**2
        far = sum((a - b) ** 2 * p[a] * q[b] for a in expected or p for b in expected or q) / n**2
        if nothing(first, second) or far == 0:
            return p_o, p_e, math.nan, math.nan
        seen = sum((a - b) ** 2 for a, b in zip(first, second, strict=True)) / n
        return p_o, p_e, (p_o - p_e) / (1 - p_e), 1 - seen / far

    return found


def of_other(kappa=lambda found, observed: found, least=0.0):
    """An honest agreement with another κ, and an expected distance of at least `least`."""

    def found(first, second):
        observed, chance, right, weighted = loops.agreement(first, second)
        expected = mean((a - b) ** 2 for a in first for b in second)
        seen = mean((a - b) ** 2 for a, b in zip(first, second, strict=True))
        return observed, chance, kappa(right, observed), 1 - seen / max(expected, least) if expected else weighted

    return found


def instead_of_nan(*values):
    """Other values where κ is NaN."""

    def found(first, second):
        right = agreement.reference(first, second)
        return values if math.isnan(right[2]) else right

    return found


def diagnosis_by_the_hypotheses_words(report):
    found = diagnose.defined(report) - {"brevity"}
    c = sum(map(len, report["hypotheses"]))
    return found | ({"brevity"} if abs(report["bp"] - brevity_penalty.penalty(c, report["r"])) > 0.01 else set())


def diagnosis_by_the_references_words(report):
    found = diagnose.defined(report) - {"exchanged"}
    words = sum(len(text) for each in report["references"] for text in each)
    return found | ({"exchanged"} if report["total"][0] == words else set())


def diagnosis_by_words_and_pairs(report):
    """Without clipping where the first two counts may be right."""
    right = [reports.counted(report, fold=fold)[:2] for fold in (False, True)]
    return diagnose.defined(report) - ({"clipping"} if report["matched"][:2] in right else set())


def diagnosis_by_known_lengths(report):
    """r is wrong only where it is the sum of the shortest, longest or first references."""
    known = [reports.length(report, choose) for choose in (lambda c, r: min(r), lambda c, r: max(r), lambda c, r: r[0])]
    return diagnose.defined(report) - ({"length"} if report["r"] not in known else set())


def diagnosis_of_what_is_exchanged_back(report):
    found = diagnose.defined(report)
    if "exchanged" in found:
        texts = [each for (each,) in report["references"]], [[each] for each in report["hypotheses"]]
        report["hypotheses"], report["references"] = texts
    return found


ROWS = (
    ("modified_precision", precision_of(lower), "words", "lower cased"),
    ("modified_precision", precision_of(plain), "words", "signs left out"),
    ("modified_precision", precision_of(bare), "words", "signs cut off"),
    ("modified_precision", precision_by(lambda h, r: max(r, key=len)), "references", "the longest reference alone"),
    ("modified_precision", precision_by(lambda h, r: min(r, key=len)), "references", "the shortest reference alone"),
    (
        "modified_precision",
        precision_by(lambda h, r: min(r, key=lambda each: (abs(len(each) - len(h)), len(each)))),
        "references",
        "the closest reference alone",
    ),
    (
        "modified_precision",
        precision_unless(lambda lengths, n: min(lengths) < n, lambda h, n: (0, max(0, len(h) - n + 1))),
        "references",
        "nothing beside a short reference",
    ),
    (
        "modified_precision",
        precision_unless(lambda lengths, n: max(lengths) < n, lambda h, n: (0, 0)),
        "total",
        "nothing where the references are too short",
    ),
    ("modified_precision", precision_shortest_first, "arguments", "references sorted in place"),
    ("modified_precision", precision_lower_in_place, "arguments", None),
    ("brevity_penalty", nearest(lambda _, others: mean(others)), "closest", "the closest to their mean"),
    ("brevity_penalty", nearest(lambda lengths, _: mean(lengths)), "corpus", "the closest to the mean hypothesis"),
    ("brevity_penalty", rectangular, "corpus", None),
    (
        "brevity_penalty",
        streams(loops.brevity_penalty),
        "corpus",
        "as many references as the first sentence has",
    ),
    ("corpus_bleu", bleu_of(lower), "precision", "lower cased"),
    ("corpus_bleu", bleu_of(plain), "precision", "signs left out"),
    ("corpus_bleu", bleu_of(bare), "precision", "signs cut off"),
    ("corpus_bleu", product, "zero", "divided by 0"),
    (
        "corpus_bleu",
        streams(corpus_bleu.defined),
        "references",
        "as many references as the first sentence has",
    ),
    ("corpus_bleu", bleu_of_those(bool), "zero", "empty hypotheses left out"),
    (
        "corpus_bleu",
        lambda h, r, N: corpus_bleu.reference(h, r, N) if [] not in h else 0.0,
        "zero",
        "an empty hypothesis is enough",
    ),
    ("corpus_bleu", shortest_first, "arguments", "references sorted in place"),
    ("corpus_bleu", lower_in_place, "arguments", None),
    ("chrf", chrf_without(" "), "spaces", "blanks alone taken out"),
    ("chrf", chrf_without(" \n"), "spaces", "tabs left in"),
    ("chrf", chrf_without(" \t"), "spaces", "line ends left in"),
    ("greedy_matching", matching(lambda p, r: 2 * p * r / (p + r)), "f", "divided by 0"),
    ("greedy_matching", matching(lambda p, r: 2 * p * r / (p + r) if p + r > 0 else 0.0), "f", "nothing below 0"),
    ("chrf", chrf_of_shares, "corpus", "mean of sentences that are not empty"),
    ("chrf", chrf_of_some, "corpus", "empty hypotheses left out"),
    ("greedy_matching", matching(lambda p, r: 2 * p * r / (p + r) if p * r else math.nan if p + r else 0.0), "f", None),
    ("greedy_matching", matching(lambda p, r: (p + r) / 2), "f", "arithmetic mean"),
    ("bootstrap", resampled(d=lambda a, b: share(b) - share(a)), "p", "d of mean shares"),
    ("bootstrap", resampled(turn=lambda ds: [-d for d in ds]), "resamples", "a minus b alone"),
    (
        "bootstrap",
        with_p(lambda sizes, m, d: as_large([max(m, x) for x in sizes], m, d)),
        "p",
        "one where the scores are equal",
    ),
    (
        "bootstrap",
        with_p(lambda sizes, m, d: as_large(sizes, m, d) if d else 1.0),
        "p",
        "one where the scores are equal",
    ),
    (
        "bootstrap",
        with_p(lambda sizes, m, d: as_large(sizes, mean([x for x in sizes if x] or [0]), d)),
        "p",
        "the mean of unequal resamples",
    ),
    ("bootstrap", with_p(lambda sizes, m, d: as_large(sizes, mean([*sizes, d]), d)), "p", "the mean with d"),
    ("agreement", of_other(kappa=lambda k, observed: k if observed else 0.0), "kappa", "zero where nothing agrees"),
    ("agreement", of_other(least=1.0), "weighted", "at least 1 expected"),
    ("agreement", rated(chance=range(1, 6)), "chance", "chance of 1 to 5"),
    ("agreement", rated(chance=range(11)), "chance", None),
    ("agreement", rated(expected=range(1, 6)), "weighted", "distances of 1 to 5"),
    ("agreement", rated(expected=range(11)), "weighted", None),
    ("agreement", instead_of_nan(*[math.nan] * 4), "undefined", "NaN for all four"),
    ("agreement", instead_of_nan(1.0, 1.0, 1.0, 0.0), "undefined", "a number for one point"),
    (
        "agreement",
        rated(nothing=lambda first, second: 1 in (len({*first}), len({*second}))),
        "undefined",
        "nothing for a rater with one point",
    ),
    (
        "agreement",
        rated(nothing=lambda first, second: len({*first}) == 1),
        "undefined",
        "nothing for a first rater with one point",
    ),
    (
        "agreement",
        rated(nothing=lambda first, second: len(first) == 1 or first == second and len({*first}) == 1),
        "undefined",
        "nothing for one sentence",
    ),
    ("diagnose", diagnosis_by_words_and_pairs, "clipping", "words and pairs compared"),
    ("diagnose", diagnosis_by_known_lengths, "length", "only known lengths"),
    ("diagnose", diagnosis_by_the_hypotheses_words, "brevity", "the words of the hypotheses as c"),
    ("diagnose", diagnosis_by_the_references_words, "exchanged", "the total of the references found"),
    ("diagnose", diagnosis_of_what_is_exchanged_back, "arguments", "exchanged back in place"),
)


@each_row("ps8", ROWS)
def test_a_wrong_version_loses_the_criterion_that_it_should(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


def arrays(a, b, drawn):
    differences, wins, p = loops.bootstrap(a, b, drawn)
    return np.array(differences), np.float64(wins), p


SLIPS = (
    ("bootstrap", bootstrap.a_minus_b, {"resamples"}),
    ("bootstrap", resampled(turn=lambda ds: [-d for d in ds]), {"resamples"}),
    ("bootstrap", bootstrap.mean_of_ratios, {"sums"}),
    ("bootstrap", arrays, set()),
    ("greedy_matching", matching(lambda p, r: 2 * p * r / (p + r)), {"f"}),
    ("modified_precision", modified_precision.lower_cased, {"words"}),
    ("corpus_bleu", corpus_bleu.lower_cased, {"precision"}),
    ("chrf", chrf.empty_hypotheses_left_out, {"corpus"}),
    ("agreement", agreement.chance_of_1_to_5, {"chance"}),
    ("agreement", agreement.NaN_for_all_four, {"undefined"}),
)


@each_slip("ps8", SLIPS)
def test_a_slip_costs_the_criterion_that_it_is_about_and_no_other(task, function, costs):
    assert lost(task, function) == costs


@pytest.mark.parametrize(
    ("name", "criterion", "function", "says"),
    [
        ("diagnose", "length", lambda report: set(), "'length' is not in the result, and should be"),
        ("diagnose", "length", lambda report: {"length"}, "'length' is in the result, and should not be"),
        ("agreement", "undefined", lambda first, second: (1.0, 1.0, 1.0, 1.0), "kappa is a number, not NaN"),
        ("agreement", "undefined", lambda first, second: (math.nan,) * 4, "observed is NaN, not a number"),
        (
            "bootstrap",
            "resamples",
            lambda a, b, drawn: (np.zeros((2, 2)), 0.0, 1.0),
            "differences is an array or a tensor, not a list of numbers",
        ),
    ],
)
def test_a_verdict_says_plainly_what_is_asked_and_what_came(name, criterion, function, says):
    assert check(f"ps8.{name}", criterion, function).message == says


def test_the_precision_of_a_number_does_not_keep_a_hint_away():
    """F of rounded floats differs from the float32 one in its last digits: the same mistake all the same."""
    in_floats = matching(lambda p, r: (p + r) / 2)
    task = greedy_matching.TASK
    (criterion,) = (each for each in task.criteria if each.name == "arguments")
    assert attempt(task, criterion, local(in_floats), seeds.PUBLIC, visible=True).failed is None
    assert check("ps8.greedy_matching", "f", in_floats).misconception == "arithmetic mean"
