"""Diagnoses are asked fault by fault: a wrong test costs its own criterion and that of several faults, no other."""

import math
from functools import partial

import pytest

from course_lib.grading import seeds
from course_lib.grading.boundary.proxy import local
from course_lib.grading.engine import examine
from course_lib.grading.registry import problem_set
from course_lib.problem_sets.ps5 import diagnose as of_search
from course_lib.problem_sets.ps7 import diagnose as of_training
from course_lib.problem_sets.ps7.runs import farthest, floor, moved, of_all_words
from course_lib.problem_sets.ps7.signs import FALLEN, GROWN, against, below, changed, fallen, grown, off
from course_lib.problem_sets.ps8 import diagnose as of_bleu
from tests.grading.caught import SECRET, is_caught, ours
from tests.grading.each_task import group, nothing_forbidden


def judging(fault, test):
    """The diagnosis with another test of one fault."""
    return partial(of_training.defined, **{fault.replace("-", "_"): test})


highest_and_lowest = judging(
    "overfitting",
    changed(lambda each, k: max(each[k:]) - each[k] > 0.1, lambda each, k: each[k] - min(each[k:]) > 0.1),
)
lowest_of_all = judging(
    "overfitting",
    changed(lambda each, k: each[-1] - min(each) > 0.1, lambda each, k: each[k] - min(each) > 0.1),
)
floor_with_room = judging("smoothing", below(lambda epsilon, n: floor(epsilon, n) - 0.05))
within_4_percent = judging("correction", lambda run: off(run, farthest(run), by=0.04))


def of_tensor(place):
    return judging("correction", lambda run: off(run, [*run["moved"].values()][place].abs().max(), by=0.01))


warm_up_above_half = judging("warm-up", lambda run: run["rates"][0] > 0.5 * max(run["rates"]))


def warm_up_above(least):
    return judging("warm-up", lambda run: run["rates"][0] >= least)


not_close = judging(
    "correction",
    lambda run: any(each and not math.isclose(each, run["rates"][0]) for each in moved(run).tolist()),
)
none_of_the_lecture = judging(
    "correction",
    lambda run: any(abs(farthest(run) / run["rates"][0] - r) < 0.02 * r for r in (0.1, 0.71, 7.07, 3.16)),
)
held_out_grows_at_all = judging("overfitting", changed(lambda each, k: each[-1] > min(each)))
ten_percent = judging(
    "overfitting",
    changed(lambda each, k: each[-1] - each[k] > 0.1 * each[k], lambda each, k: each[k] - each[-1] > 0.1 * each[k]),
)
words_within_a_tenth = judging("words", against(of_all_words, by=0.08))


def not_near_the_rate(run):
    """Whether a weight that moved did not move up by the rate: abs() is forgotten."""
    changes = [each / run["rates"][0] for w in run["moved"].values() for each in w.flatten().tolist() if each]
    return any(abs(each - 1) > 0.01 for each in changes)


def above_a_tenth(run):
    return run["rates"][0] > max(run["rates"]) / 10


def not_always_rising(run):
    return run["rates"] != sorted(set(run["rates"]))


def held_out_against(run):
    return abs(run["held_out"][-1] - of_all_words(run["batches"])) > 0.005


def in_bits(run):
    ε, others = run["epsilon"], run["vocabulary"] - 1
    return min(run["losses"]) < -(1 - ε) * math.log2(1 - ε) - ε * math.log2(ε / others) - 0.001


def last_loss_against(number):
    return judging("words", against(number, by=0.005))


def mean_score(model, max_length, output, reference):
    words, reported = output
    off = abs(reported - of_search.log_p(model, words) / len(words)) > 0.01
    return of_search.defined(model, max_length, output, reference) - {"score"} | ({"score"} if off else set())


def score_of_the_best(model, max_length, output, reference):
    """The score compared with that of the most probable output."""
    best = max(score for _, score in of_search.outputs(model, max_length))
    found = of_search.defined(model, max_length, output, reference) - {"score"}
    return found | ({"score"} if abs(output[1] - best) > 0.01 else set())


ALWAYS = "{} always reported".format
ROWS = (  # the set, a wrong diagnosis, the criterion that it loses, the mistake that is named
    ("ps7", highest_and_lowest, "overfitting", None),
    ("ps7", lowest_of_all, "overfitting", "a training loss that came back"),
    ("ps7", floor_with_room, "smoothing", "bound too wide for the floor"),
    ("ps7", within_4_percent, "correction", "weights moved by nearly the rate"),
    ("ps7", warm_up_above_half, "warm_up", "more than half of the largest"),
    ("ps7", of_training.nearly_the_largest, "warm_up", "nearly the largest"),
    ("ps7", warm_up_above(0.0001), "warm_up", None),
    ("ps7", warm_up_above(0.001), "warm_up", None),
    ("ps7", warm_up_above(0.002), "warm_up", "the first rate compared with a fixed number"),
    ("ps7", warm_up_above(0.1), "warm_up", "warm up not reported"),
    ("ps7", not_close, "correction", "moved by the rate to the last bit"),
    ("ps7", none_of_the_lecture, "correction", "weights moved by nearly the rate"),
    ("ps7", held_out_grows_at_all, "overfitting", "any growth of the held out loss"),
    ("ps7", words_within_a_tenth, "words", "bound too wide for the words"),
    ("ps7", of_tensor(0), "correction", "the first tensor alone"),
    ("ps7", of_tensor(-1), "correction", "the last tensor alone"),
    ("ps7", judging("correction", not_near_the_rate), "correction", "signs kept"),
    ("ps7", of_training.compared_with_the_largest_rate, "correction", "compared with the largest rate"),
    ("ps7", of_training.some_factors_alone, "correction", "some factors alone"),
    ("ps7", judging("warm-up", above_a_tenth), "warm_up", ALWAYS("warm up")),
    ("ps7", judging("warm-up", not_always_rising), "warm_up", ALWAYS("warm up")),
    ("ps7", of_training.equal_rates, "warm_up", "equal rates"),
    ("ps7", judging("smoothing", in_bits), "smoothing", "the floor in bits"),
    ("ps7", last_loss_against(lambda batches: sum(n * x for x, n in batches)), "words", ALWAYS("words")),
    ("ps7", last_loss_against(lambda batches: batches[0][0]), "words", "the loss of the first batch"),
    ("ps7", last_loss_against(lambda batches: math.fsum(n for _, n in batches)), "words", ALWAYS("words")),
    ("ps7", judging("words", held_out_against), "words", None),
    ("ps7", judging("overfitting", changed(grown(0.2), fallen(0.2))), "overfitting", "a change of two tenths"),
    ("ps7", judging("overfitting", changed(grown(0.2), FALLEN)), "overfitting", "two tenths for the held out loss"),
    ("ps7", judging("overfitting", changed(GROWN, fallen(0.2))), "overfitting", "two tenths for the training loss"),
    ("ps7", ten_percent, "overfitting", "ten percent for a difference"),
    ("ps5", mean_score, "score", "the score compared with the mean"),
    ("ps5", score_of_the_best, "score", "the score compared with the best"),
    ("ps5", of_search.every_other_output_a_search_error, "search", "every other output a search error"),
    ("ps5", of_search.the_reported_score_believed, "search", "the reported score believed"),
    *(
        ("ps8", getattr(of_bleu, name.replace(" ", "_")), fault, name)
        for fault, name in (
            ("exchanged", "larger totals alone"),
            ("clipping", "any larger count is clipping"),
            ("case", "any larger count is case"),
            ("length", "the longest reference"),
            ("brevity", "the right penalty wanted"),
            ("score", "the right score wanted"),
        )
    ),
)
CONSTANT = (("ps7", "warm-up", "correction"), ("ps8", "clipping", "exchanged"))
each_row = pytest.mark.parametrize(
    ("task", "function", "criterion", "mistake"),
    [
        pytest.param(task, *row, marks=group(task), id=f"{task.name}-{row[1]}-{i}")
        for i, (name, *row) in enumerate(ROWS)
        for task in [problem_set(name).task(f"{name}.diagnose")]
    ],
)


@each_row
def test_it_loses_the_criterion_that_it_should_and_gets_its_name(task, function, criterion, mistake):
    is_caught(task, function, criterion, mistake)


@each_row
def test_it_loses_no_criterion_of_another_fault(task, function, criterion, mistake):
    task, student = nothing_forbidden(task), ours(function)
    for key, visible in ((seeds.PUBLIC, True), (SECRET, False)):
        lost = {each.name for each in task.criteria if not examine(task, each, student, key, visible).passed}
        assert criterion in lost and lost <= {criterion, "several"}


@pytest.mark.parametrize(
    ("name", "answer"),
    [(name, faults) for name, one, other in CONSTANT for faults in (set(), {one}, {other})],
    ids=str,
)
def test_a_diagnosis_that_is_always_the_same_earns_nothing(name, answer):
    task = nothing_forbidden(problem_set(name).task(f"{name}.diagnose"))
    student = local(lambda *_: set(answer))
    for key in (seeds.PUBLIC, SECRET):
        assert not any(examine(task, each, student, key).points for each in task.criteria)
