"""ps7.diagnose: what is wrong with a training, told from its rates, its first step and its losses."""

from functools import partial
from itertools import combinations, pairwise
from math import log
from random import Random

from course_lib.grading.cases.isolate import until
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.faults import ONE_FAULT_ONLY, asked, slips, the_first_alone, ways
from course_lib.grading.task import Case
from course_lib.problem_sets.ps7 import lent, runs, signs
from course_lib.problem_sets.ps7.runs import Run, farthest, floor, moved, moved_times, of_all_words
from course_lib.problem_sets.ps7.signs import (
    FALLEN,
    GROWN,
    ROUND,
    against,
    apart,
    below,
    changed,
    fallen,
    grown,
    numbers,
    of_those_that_moved,
    off,
)


def reference(run: Run) -> set[str]:
    """The faults, named in FAULTS, of the training that left `run` behind."""
    return found(run)


def found(run: Run) -> set[str]:
    """What may not do the student's work."""
    return defined(run)


# Mistakes

FAULTS = ("warm-up", "correction", "smoothing", "words", "overfitting")


def warm_up(run):
    """No rate is larger than the first."""
    return max(run["rates"]) <= run["rates"][0]


def correction(run):
    """What was moved in step 1 was not moved by the rate."""
    return off(run, farthest(run))


smoothing = below(floor)  # a training loss is lower than a smoothed loss can be
words = against(of_all_words)  # the last training loss is not that of all words of its batches
overfitting = changed()


def defined(run, warm_up=warm_up, correction=correction, smoothing=smoothing, words=words, overfitting=overfitting):
    tests = (warm_up, correction, smoothing, words, overfitting)
    return {fault for fault, test in zip(FAULTS, tests, strict=True) if test(run)}


wrong, slip = versions(defined), slips(defined)
the_first_two_rates_compared = slip("warm_up", lambda run: run["rates"][1] <= run["rates"][0])(
    "You compare the first two rates. A warm-up may rise later: compare the first with all."
)
the_first_and_the_last_rate_compared = slip("warm_up", lambda run: run["rates"][-1] <= run["rates"][0])(
    "You compare the first rate with the last. After a warm-up it may fall below the first: compare with all."
)
only_rates_that_always_fall = slip("warm_up", lambda run: all(a > b for a, b in pairwise(run["rates"])))(
    "You report 'warm-up' only where the rate falls in each step. A rate that stays, or falls and rises a little, has "
    "no warm-up either."
)
more_than_half_of_the_largest = slip("warm_up", lambda run: run["rates"][0] > max(run["rates"]) / 2)(
    "You report 'warm-up' where the first rate is more than half of the largest. A larger one comes later: the rate "
    "rises."
)
equal_rates = slip("warm_up", lambda run: max(run["rates"][1:]) < run["rates"][0])(
    "You do not report 'warm-up' where the rate stays what it was. Then, too, none is larger than the first."
)
nearly_the_largest = slip("warm_up", lambda run: run["rates"][0] >= 0.9 * max(run["rates"]))(
    "You report 'warm-up' where the first rate is 95 % of the largest. A larger one comes later: the rate rises."
)
the_first_rate_compared_with_a_fixed_number = slip("warm_up", lambda run: run["rates"][0] > 0.001)(
    "You report 'warm-up' where the first rate is large, and not where it is small. How large rates are depends on the "
    "model: compare the first with the others."
)
an_absolute_bound_for_the_rates = slip("warm_up", lambda run: max(run["rates"]) <= run["rates"][0] + 1e-6)(
    "You report 'warm-up' where another rate is larger, but by less than 10⁻⁶. All rates may be less than that: take "
    "the bound relative to the first, 1.01 times it, say."
)
compared_with_the_largest_rate = slip("correction", lambda run: abs(farthest(run) / max(run["rates"]) - 1) > 1e-3)(
    "You compare with the largest rate. `moved` is of step 1, and its rate is the first."
)
THREE = (runs.FACTORS[0], *runs.FACTORS[-2:])
some_factors_alone = slip("correction", lambda run: any(moved_times(run, each) for each in THREE))(
    "You report 'correction' for some betas only. Other betas give other numbers: compare with the rate itself."
)
numbers_that_did_not_move = slip("correction", lambda run: off(run, moved(run).mean()))(
    "You count numbers that did not move. Their gradient was 0: leave the zeros out."
)
the_first_number_alone = slip("correction", lambda run: off(run, moved(run)[0]))(
    "You look at one number of the weights. It may have had a gradient of 0, and then it stays."
)
the_first_tensor_alone = slip("correction", lambda run: off(run, [*run["moved"].values()][0].abs().max()))(
    "You look at the first tensor of the weights alone. All its gradients may have been 0."
)
the_last_tensor_alone = slip("correction", lambda run: off(run, [*run["moved"].values()][-1].abs().max()))(
    "You look at the last tensor of the weights alone. All its gradients may have been 0."
)
weights_moved_by_nearly_the_rate = slip("correction", lambda run: off(run, farthest(run), by=0.025))(
    "You do not report 'correction' where weights move by 2 to 3 % more or less than the rate. Corrected, they move by "
    "the rate but for rounding and ϵ; else they are more than 2 % off, whatever the betas."
)
an_absolute_bound_for_the_step = slip("correction", lambda run: abs(farthest(run) - run["rates"][0]) > 1e-6)(
    "You do not report 'correction' where the rates are less than 10⁻⁶. Take the bound relative to the first rate: "
    "|moved| / rate − 1."
)


signs_kept = slip("correction", lambda run: any(off(run, each) for each in numbers(run) if each))(
    "You report 'correction' where weights went down by the rate. Their gradients decide whether they go up or "
    "down: take abs() of each number, and look at each, not at their mean."
)
signs_and_zeros_kept = slip("correction", lambda run: any(off(run, each) for each in numbers(run)))(
    "You report 'correction' where weights went down by the rate, or stayed. Take abs(), and leave zeros out."
)
the_largest_number_without_abs = slip("correction", lambda run: off(run, max(numbers(run))))(
    "You report 'correction' where no weight went up. All that moved may have gone down: take abs() before the largest."
)
only_weights_that_went_up = slip(
    "correction", of_those_that_moved(lambda tensors: [each.clamp(min=0) for each in tensors])
)("You look at numbers above 0 alone. All weights that moved may have gone down: take abs().")
what_moved_in_the_first_tensor_alone = slip("correction", of_those_that_moved(lambda tensors: tensors[:1]))(
    "You look at the first tensor alone. All its gradients may have been 0: then the others tell."
)
what_moved_in_the_first_two_tensors_alone = slip("correction", of_those_that_moved(lambda tensors: tensors[:2]))(
    "You look at the first two tensors alone. All their gradients may have been 0: then the others tell."
)
what_moved_in_the_last_tensor_alone = slip("correction", of_those_that_moved(lambda tensors: tensors[-1:]))(
    "You look at the last tensor alone. All its gradients may have been 0: then the others tell."
)
only_steps_that_are_too_long = slip("correction", lambda run: farthest(run) / run["rates"][0] - 1 > 1e-3)(
    "You report 'correction' only where weights move by more than the rate. Less is as wrong: which it is depends on "
    "the betas, and on which mean is not corrected."
)
only_steps_that_are_too_short = slip("correction", lambda run: 1 - farthest(run) / run["rates"][0] > 1e-3)(
    "You report 'correction' only where weights move by less than the rate. More is as wrong: which it is depends on "
    "the betas, and on which mean is not corrected."
)


equal_to_the_last_bit = wrong("correction", correction=signs.off_at_all, words=against(of_all_words, by=0))(
    "You compare exactly, by == or !=, or nearly so. Allow for rounding, and for Adam's ϵ."
)
moved_by_the_rate_to_the_last_bit = slip("correction", signs.off_at_all)(
    "You report 'correction' where weights move by the rate but for ϵ. Allow for rounding, and for ϵ: up to 1 %, say."
)
the_loss_to_the_last_bit = slip("words", against(of_all_words, by=0))(
    "You report 'words' where the loss differs in its last bits alone. Allow for rounding: up to 0.005, say."
)
the_floor_of_torchs_smoothing = slip("smoothing", below(signs.over_all_words))(
    "Your floor is that of ε spread over all n words. Here the right word keeps 1 − ε, and the n − 1 others share ε."
)
the_floor_of_the_right_word = slip("smoothing", below(signs.right_word))(
    "Your floor has the right word's part alone, −(1 − ε) log(1 − ε). The other words have one, too."
)
the_floor_of_one_probability = slip("smoothing", below(signs.one_probability))(
    "Your floor is −log(1 − ε). The smoothed loss is a sum over all words."
)
the_floor_of_one_other_word = slip("smoothing", below(signs.one_other_word))(
    "Your floor has the right word's part and that of one other word. There are n − 1 others, each with its part."
)
the_floor_of_the_other_words = slip("smoothing", below(signs.other_words))(
    "Your floor has the other words' part alone, −ε log(ε / (n − 1)). The right word has one, too."
)
the_floor_of_two_words = slip("smoothing", below(signs.two_words))(
    "Your floor takes the other words for one, of probability ε. There are n − 1, each with ε / (n − 1)."
)
the_floor_in_bits = slip("smoothing", below(signs.in_bits))(
    "Your floor is in bits. Losses are in nats: take the natural logarithm."
)
bound_too_wide_for_the_floor = slip("smoothing", below(lambda epsilon, n: floor(epsilon, n) - 0.015))(
    "You do not report 'smoothing' where a loss is less than 0.015 below the lowest smoothed loss. 0.01 below is too "
    "low already."
)
the_held_out_loss_below_the_floor_too = slip("smoothing", below(floor, lambda run: run["losses"] + run["held_out"]))(
    "You compare held-out losses with the floor, too. They are not smoothed: they may lie below it."
)
the_held_out_loss_below_the_floor = slip("smoothing", below(floor, lambda run: run["held_out"]))(
    "You compare held-out losses with the floor. It is the training losses that are smoothed."
)
the_mean_of_the_losses = slip("smoothing", below(floor, lambda run: [signs.mean_loss(run)]))(
    "You compare the mean of the training losses with the floor. Any of them may lie below it."
)
the_last_loss_alone = slip("smoothing", below(floor, lambda run: run["losses"][-1:]))(
    "You compare the last training loss alone with the floor. Any may lie below it."
)
mean_of_batch_means = slip("words", against(signs.mean_of_means))(
    "You compare with the mean of the batches' losses. All words count alike: weigh each by its words."
)
the_loss_of_the_last_batch = slip("words", against(signs.of_the_last))(
    "You compare with the loss of the last batch. It is that of all words of all batches."
)
the_loss_of_the_first_batch = slip("words", against(signs.of_the_first))(
    "You compare with the loss of the first batch. It is that of all words of all batches."
)
only_losses_that_are_too_large = slip("words", lambda run: run["losses"][-1] - of_all_words(run["batches"]) > ROUND)(
    "You report 'words' only where the loss is too large. It may be too small."
)
bound_too_wide_for_the_words = slip("words", against(of_all_words, by=0.015))(
    "You do not report 'words' where the loss is off by less than 0.015. More than 0.01 is too much already."
)
the_held_out_loss_alone = slip("overfitting", changed(losses=lambda losses, k: True))(
    "You report 'overfitting' where the held-out loss grows and the training loss has not fallen by more than 0.1. "
    "Both belong to it."
)
held_out_above_training = slip("overfitting", lambda run: run["held_out"][-1] - run["losses"][-1] > 0.1)(
    "You compare the held-out loss with the training loss. One is smoothed and the other is not: compare each with "
    "itself."
)
since_the_start = slip("overfitting", changed(since=lambda run: 0))(
    "You compare the last losses with the first. Compare with the evaluation with the lowest held-out loss."
)
since_the_first_rise = slip("overfitting", changed(since=signs.first_rise))(
    "You compare the last losses with those before the first rise of the held-out loss. It may fall again, and lower: "
    "compare with the evaluation with the lowest held-out loss of all."
)
the_last_two_compared = slip("overfitting", changed(since=lambda run: -2))(
    "You compare the last two evaluations. Compare the last with the one with the lowest held-out loss."
)
any_growth = slip("overfitting", changed(grown(), fallen()))(
    "You report 'overfitting' where the held-out loss grows, or the training loss falls, by less than 0.1. Each must "
    "change by more than 0.1."
)
any_growth_of_the_held_out_loss = slip("overfitting", changed(grown()))(
    "You report 'overfitting' where the training loss falls, however little the held-out loss has grown. That is to "
    "grow by more than 0.1, too."
)
any_fall_of_the_training_loss = slip("overfitting", changed(losses=fallen()))(
    "You report 'overfitting' where the training loss has fallen by less than 0.1. It is to fall by more."
)
a_held_out_loss_that_came_back = slip("overfitting", changed(lambda each, k: max(each[k:]) - each[k] > 0.1))(
    "You report 'overfitting' where the held-out loss has grown by more than 0.1 and come back. Compare the last one "
    "with the lowest."
)
a_training_loss_that_came_back = slip("overfitting", changed(losses=lambda each, k: each[k] - min(each[k:]) > 0.1))(
    "You report 'overfitting' where the training loss has fallen by more than 0.1 and come back. Compare the last one."
)
the_training_loss_since_its_highest = slip(
    "overfitting", changed(losses=lambda each, k: max(each[k:]) - each[-1] > 0.1)
)(
    "You report 'overfitting' where the training loss has risen and come back. Compare the last one with that at the "
    "lowest held-out loss."
)
the_training_loss_since_the_start = slip("overfitting", changed(losses=lambda losses, k: FALLEN(losses, 0)))(
    "You compare the last training loss with the first. Compare it with that at the lowest held-out loss."
)
held_out_losses_that_always_grow = slip(
    "overfitting", changed(lambda each, k: GROWN(each, k) and all(a < b for a, b in pairwise(each[k:])))
)(
    "You report 'overfitting' only where the held-out loss grows from evaluation to evaluation. Between the lowest one "
    "and the last it may rise and fall."
)
training_losses_that_always_fall = slip(
    "overfitting", changed(losses=lambda each, k: FALLEN(each, k) and all(a > b for a, b in pairwise(each[k:])))
)(
    "You report 'overfitting' only where the training loss falls from evaluation to evaluation. Between the one with "
    "the lowest held-out loss and the last it may rise and fall."
)
a_change_of_two_tenths = slip("overfitting", changed(grown(0.2), fallen(0.2)))(
    "You do not report 'overfitting' where a loss changes by less than 0.2. More than 0.1 is enough."
)
two_tenths_for_the_held_out_loss = slip("overfitting", changed(grown(0.2)))(
    "You do not report 'overfitting' where the held-out loss grows by less than 0.2. More than 0.1 is enough."
)
two_tenths_for_the_training_loss = slip("overfitting", changed(losses=fallen(0.2)))(
    "You do not report 'overfitting' where the training loss falls by less than 0.2. More than 0.1 is enough."
)
ten_percent_for_a_difference = slip("overfitting", changed(grown(times=1.1), fallen(times=0.9)))(
    "You compare with a tenth of the losses. 0.1 is a difference, however large the losses are."
)
ten_percent_of_the_held_out_loss = slip("overfitting", changed(grown(times=1.1)))(
    "You compare the rise of the held-out loss with a tenth of it. 0.1 is a difference, however large the loss is."
)
ten_percent_of_the_training_loss = slip("overfitting", changed(losses=fallen(times=0.9)))(
    "You compare the fall of the training loss with a tenth of it. 0.1 is a difference, however large the loss is."
)


one_fault_only = mistake("several", ONE_FAULT_ONLY)(the_first_alone(defined, FAULTS))


@changing("arguments", defined)
def rates_sorted_in_place(run):
    """You sort the rates that you are given. Make a new list, as sorted(…) does."""
    run["rates"].sort()


@changing("arguments", defined)
def signs_taken_away_in_place(run):
    """You call abs_() on the tensors that you are given. abs(), without the underscore, makes a new one."""
    for each in run["moved"].values():
        each.abs_()


# Cases: of each fault, those that show one wrong test each, in turn

EXACT = (moved_by_the_rate_to_the_last_bit, equal_to_the_last_bit)
SEVERAL = [faults for count in (2, 3) for faults in combinations(FAULTS, count)]


def case(run: Run) -> Case:
    counts = f"{len(run['rates'])} steps, {len(run['losses'])} evaluations, {len(run['batches'])} batches"
    return Case((run,), f"{counts} in the last step, ε = {run['epsilon']}, {run['vocabulary']} words in the vocabulary")


def clear_run(rng: Random, faults: set[str], wild: str) -> Run:
    """A run with these faults, in which no number decides narrowly."""
    while True:
        run = runs.run_with(rng, faults, wild)
        if runs.clear(run) and apart(run) and defined(run) == faults:
            return run


there, absent = ways(defined, case, lambda rng, fault, faults: (clear_run(rng, faults, fault),))


def draw_several(rng: Random, size: int) -> Case:
    """Every two faults in turn, then every three."""
    faults = SEVERAL[size % len(SEVERAL)]
    return case(clear_run(rng, {*faults}, faults[size % 2]))


def draw_arguments(rng: Random, size: int) -> Case:
    """A run with a fault, whose rates are not in order, and in which some weights went down."""
    faults = {("warm-up", "correction")[size % 2]}
    return case(*until(lambda: (clear_run(rng, faults, "correction"),), lambda run: min(numbers(run)) < -1e-5))


FIRST_RATES = partial(defined, warm_up=lambda run: max(run["rates"][:5]) <= run["rates"][0])
EARLY = partial(defined, smoothing=below(lambda epsilon, n: floor(epsilon, n) + 0.015))
SHARED_BY_ALL = partial(
    defined, smoothing=below(lambda epsilon, n: -(1 - epsilon) * log(1 - epsilon) - epsilon * log(epsilon / n))
)
MORE_HELD_OUT, MORE_TRAINING, LESS_HELD_OUT, LESS_TRAINING = (
    partial(defined, overfitting=changed(grown(held_out), fallen(training)))
    for held_out, training in ((0.115, 0.1), (0.1, 0.115), (0.085, 0.1), (0.1, 0.085))
)

TASK = task(
    __name__,
    "What is wrong with this training?",
    criteria=(
        asked(
            "warm-up",
            "no rate is larger than the first.",
            "It is not there where any rate is larger than the first: after a warm-up it may fall.",
            times=(1, 1),
        )(
            there(only_rates_that_always_fall, hides=(equal_rates,)),
            absent(the_first_two_rates_compared, the_first_and_the_last_rate_compared, hides=(FIRST_RATES,)),
            absent(the_first_and_the_last_rate_compared, hides=(nearly_the_largest, the_first_two_rates_compared)),
            there(the_first_rate_compared_with_a_fixed_number),
            absent(more_than_half_of_the_largest, hides=(nearly_the_largest,)),
            absent(nearly_the_largest),
            absent(the_first_rate_compared_with_a_fixed_number, FIRST_RATES),
            there(equal_rates),
            absent(an_absolute_bound_for_the_rates),
        ),
        asked(
            "correction",
            "m or v or both were not corrected in step 1.",
            "Which way a weight moves depends on the sign of its gradient, and one whose gradient was 0 stays: take "
            "abs(), leave out zeros, compare with the first rate, and allow for rounding.",
            times=(1, 1),
        )(
            *(there(when=partial(moved_times, factor=factor)) for factor in runs.FACTORS),
            absent(numbers_that_did_not_move, hides=(*EXACT, signs_kept, the_first_number_alone)),
            absent(*EXACT, hides=(numbers_that_did_not_move, signs_kept)),
            absent(signs_kept, hides=(the_largest_number_without_abs,)),
            absent(the_largest_number_without_abs),
            absent(the_first_number_alone, hides=(the_first_tensor_alone,)),
            absent(the_first_tensor_alone),
            absent(the_last_tensor_alone),
            there(an_absolute_bound_for_the_step, hides=(weights_moved_by_nearly_the_rate,)),
            there(only_weights_that_went_up, hides=(an_absolute_bound_for_the_step,)),
            there(what_moved_in_the_first_two_tensors_alone),
            there(what_moved_in_the_last_tensor_alone),
        ),
        asked(
            "smoothing",
            "a training loss is lower than a smoothed loss can be.",
            "It is not there where every training loss is above the lowest smoothed loss.",
            times=(2, 2),
        )(
            there(the_floor_of_torchs_smoothing, hides=(bound_too_wide_for_the_floor,)),
            absent(the_held_out_loss_below_the_floor_too),
            there(the_last_loss_alone, the_floor_of_the_other_words, hides=(the_floor_of_torchs_smoothing,)),
            there(the_held_out_loss_below_the_floor),
            there(the_floor_of_the_right_word, the_floor_of_one_other_word, hides=(the_floor_of_two_words,)),
            there(the_floor_of_two_words, hides=(the_floor_of_the_other_words,)),
            there(the_floor_of_one_probability, hides=(the_floor_of_one_other_word,)),
            there(the_floor_of_the_right_word, hides=(the_floor_of_one_probability,)),
            there(the_mean_of_the_losses, hides=(the_floor_of_the_right_word,)),
            there(bound_too_wide_for_the_floor),
            absent(EARLY),
            absent(SHARED_BY_ALL),
            absent(the_floor_in_bits),
        ),
        asked(
            "words",
            "the last training loss is not the mean over all words of its batches.",
            "Compare the last training loss with Σ loss · words / Σ words of its batches, and allow for rounding.",
            times=(2, 2),
        )(
            there(mean_of_batch_means),
            absent(mean_of_batch_means, the_loss_of_the_last_batch, the_loss_to_the_last_bit, equal_to_the_last_bit),
            there(the_loss_of_the_last_batch),
            there(the_loss_of_the_first_batch),
            there(only_losses_that_are_too_large),
            there(bound_too_wide_for_the_words),
            absent(the_loss_of_the_first_batch, the_loss_of_the_last_batch, hides=(the_loss_to_the_last_bit,)),
        ),
        asked(
            "overfitting",
            "the held-out loss grows while the training loss falls.",
            "It is there only where the held-out loss grows, and the training loss falls, by more than 0.1.",
            times=(1, 1),
        )(
            there(since_the_start, the_last_two_compared, hides=(a_change_of_two_tenths,)),
            absent(
                *(the_held_out_loss_alone, the_training_loss_since_the_start), hides=(a_training_loss_that_came_back,)
            ),
            absent(held_out_above_training, any_growth),
            there(when=lambda run: runs.best(run) == 0),
            absent(
                *(the_held_out_loss_alone, the_training_loss_since_its_highest),
                hides=(the_training_loss_since_the_start, any_fall_of_the_training_loss),
            ),
            absent(any_growth_of_the_held_out_loss),
            absent(any_fall_of_the_training_loss),
            absent(a_held_out_loss_that_came_back),
            absent(a_training_loss_that_came_back, hides=(any_fall_of_the_training_loss,)),
            there(two_tenths_for_the_held_out_loss, since_the_first_rise),
            there(two_tenths_for_the_training_loss),
            there(MORE_HELD_OUT, hides=(MORE_TRAINING,)),
            there(MORE_TRAINING, hides=(MORE_HELD_OUT,)),
            absent(LESS_HELD_OUT),
            absent(LESS_TRAINING),
            there(ten_percent_of_the_held_out_loss),
            there(ten_percent_of_the_training_loss),
            there(held_out_losses_that_always_grow, hides=(training_losses_that_always_fall,)),
            there(training_losses_that_always_fall, hides=(held_out_losses_that_always_grow,)),
        ),
        criterion("several", 1, draw_several, visible=len(SEVERAL), graded=len(SEVERAL))("Several faults at once."),
        arguments(0.5, draw_arguments, visible=2, graded=2)("The run is afterwards as it was."),
    ),
    lent=(lent.smoothed_loss, lent.adam_step),
    forbidden=(f"{__name__}.found",),
)
