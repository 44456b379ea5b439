"""BLEU in problem set 8 against sacreBLEU on the same tokens, and wrong versions that people write."""

import logging
import random
from collections import Counter
from statistics import mean

import pytest
from sacrebleu.metrics import BLEU

from course_lib.grading import seeds
from course_lib.grading.trial import draw
from course_lib.metrics import streams
from course_lib.problem_sets.ps8 import brevity_penalty, corpus_bleu, lent_bleu, modified_precision
from course_lib.problem_sets.ps8.reports import FAULTS, report_with, score
from tests.grading.caught import each_row, is_caught

from . import functional, loops, objects

logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it warns of few sentences


def sacrebleu(hypotheses, references, N):
    """sacreBLEU's parts of the same tokens, without smoothing."""
    oracle = BLEU(tokenize="none", smooth_method="none", max_ngram_order=N, effective_order=False, force=True)
    texts = [[" ".join(each) for each in of_one] for of_one in references]
    return oracle.corpus_score([" ".join(each) for each in hypotheses], streams(texts))


def noise(seed):
    """Sentences of few different words, with repetitions; some hypotheses are empty."""
    rng = random.Random(seed)

    def sentence(least):
        return [rng.choice("abcA") for _ in range(rng.randint(least, 9))]

    count = rng.randint(1, 4)
    references = [[sentence(1) for _ in range(rng.randint(1, 3))] for _ in range(count)]
    return [sentence(0) for _ in range(count)], references, rng.randint(1, 4)


def cases():
    """Every visible case of corpus_bleu, and noise."""
    task = corpus_bleu.TASK
    drawn = [each.arguments for c in task.criteria for each in draw(task, c, seeds.PUBLIC, visible=True)]
    return [*drawn, *map(noise, range(300))]


@pytest.mark.parametrize(
    "bleu", [corpus_bleu.reference, corpus_bleu.defined, loops.corpus_bleu], ids=("library", "equation", "loops")
)
def test_the_score_is_sacrebleus(bleu):
    scores = [(bleu(*given), sacrebleu(*given).score) for given in cases()]
    assert all(ours == pytest.approx(theirs, abs=1e-9) for ours, theirs in scores)
    assert sum(theirs > 0 for _, theirs in scores) > 50 < sum(theirs == 0 for _, theirs in scores)


@pytest.mark.parametrize(
    "counted", [modified_precision.reference, lent_bleu.modified_precision], ids=("library", "lent")
)
def test_matches_and_totals_are_sacrebleus(counted):
    for hypotheses, references, N in cases():
        theirs = sacrebleu(hypotheses, references, N)
        for n in range(1, N + 1):
            pairs = [counted(h, each, n) for h, each in zip(hypotheses, references, strict=True)]
            assert [*map(sum, zip(*pairs, strict=True))] == [theirs.counts[n - 1], theirs.totals[n - 1]]


@pytest.mark.parametrize("penalty", [brevity_penalty.reference, lent_bleu.brevity_penalty], ids=("library", "lent"))
def test_the_penalty_is_sacrebleus(penalty):
    for hypotheses, references, N in cases():
        lengths = [*map(len, hypotheses)], [[*map(len, each)] for each in references]
        assert penalty(*lengths) == pytest.approx(sacrebleu(hypotheses, references, N).bp, abs=1e-12)


def test_a_report_without_faults_has_sacrebleus_score():
    rng = random.Random(0)
    for _ in range(20):
        report = report_with(rng, set())
        theirs = sacrebleu(report["hypotheses"], report["references"], 4)
        assert report["score"] == pytest.approx(theirs.score, abs=0.01)
        assert (report["matched"], report["total"], report["r"]) == (theirs.counts, theirs.totals, theirs.ref_len)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_score_of_a_report_does_not_follow_from_its_numbers_only_with_the_fault_score(fault):
    rng = random.Random(1)
    for _ in range(10):
        report = report_with(rng, {fault})
        off = abs(report["score"] - score(report))
        assert off > 1 if fault == "score" else off < 0.01


def grams(tokens, n):
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]


def taken_out_of_any(hypothesis, references, n):
    """Each match is taken out of a reference that has it: the sum of all is the limit."""
    left = [grams(each, n) for each in references]
    matched = 0
    for gram in grams(hypothesis, n):
        for each in left:
            if gram in each:
                each.remove(gram)
                matched += 1
                break
    return matched, len(grams(hypothesis, n))


def sets(hypothesis, references, n):
    ours = set(grams(hypothesis, n))
    return len(ours & {g for each in references for g in grams(each, n)}), len(ours)


def recall(hypothesis, references, n):
    most = Counter()
    for each in references:
        most |= Counter(grams(each, n))
    return (Counter(grams(hypothesis, n)) & most).total(), most.total()


def of_means(lengths, reference_lengths):
    """The penalty of the mean length of the hypotheses and the mean of their references' mean lengths."""
    return brevity_penalty.penalty(mean(lengths), mean(map(mean, reference_lengths)))


def of_all_references(lengths, reference_lengths):
    """The penalty of the mean length of the hypotheses and the mean of all references, unequally many for each."""
    return brevity_penalty.penalty(mean(lengths), mean(r for each in reference_lengths for r in each))


def nearest_of_all(lengths, reference_lengths):
    c = sum(lengths)
    return brevity_penalty.penalty(c, min(map(sum, reference_lengths), key=lambda r: abs(r - c)))


def sentences_weighted(hypotheses, references, N):
    """The mean of the sentences' BLEU, weighted by their lengths."""
    scores = [functional.corpus_bleu([h], [each], N) for h, each in zip(hypotheses, references, strict=True)]
    words = [*map(len, hypotheses)]
    return sum(s * c for s, c in zip(scores, words, strict=True)) / (sum(words) or 1)


def bonus(hypotheses, references, N):
    """A penalty for outputs that are too long as well."""
    return corpus_bleu.defined(
        hypotheses,
        references,
        N,
        brevity=lambda h, r: brevity_penalty.long_outputs_punished([*map(len, h)], [[*map(len, each)] for each in r]),
    )


def diagnosed(**tests):
    """An honest diagnosis, some of whose tests are others."""

    def diagnose(report):
        return {f for f in FAULTS if (tests[f](report) if f in tests else f in objects.diagnose(report))}

    return diagnose


ROWS = (
    ("modified_precision", taken_out_of_any, "references", "counts of all references added"),
    ("modified_precision", sets, "clip", None),
    ("modified_precision", recall, "total", None),
    ("brevity_penalty", of_means, "closest", "the mean length"),
    ("brevity_penalty", of_all_references, "closest", None),
    ("brevity_penalty", nearest_of_all, "corpus", None),
    ("corpus_bleu", sentences_weighted, "corpus", None),
    ("diagnose", diagnosed(case=lambda report: False), "case", "case not reported"),
    ("diagnose", diagnosed(length=lambda report: report["r"] != sum(map(len, report["hypotheses"]))), "length", None),
    ("diagnose", diagnosed(brevity=lambda report: report["bp"] == 1), "brevity", None),
    ("diagnose", diagnosed(score=lambda report: report["score"] > 100), "score", "score not reported"),
)


@each_row("ps8", ROWS)
def test_a_wrong_version_loses_the_criterion_that_it_should(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)
