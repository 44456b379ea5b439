"""Cases of a training to be diagnosed: of each fault, those that show one wrong test each, in turn."""

from random import Random

from course_lib.grading.cases.isolate import alternate
from course_lib.grading.task import Case
from course_lib.problem_sets.ps7 import wrong_diagnose as wrong
from course_lib.problem_sets.ps7.runs import FACTORS, case, clear_run, draw

WARM_UP = (
    draw("warm-up", True, shows=(wrong.falling_only,)),
    draw("warm-up", False, shows=(wrong.first_two_compared,)),
    draw("warm-up", False, shows=(wrong.last_compared,), hides=(wrong.nearly_the_largest,)),
    draw("warm-up", True, shows=(wrong.fixed_rate,)),
    draw("warm-up", False, shows=(wrong.more_than_half,), hides=(wrong.nearly_the_largest,)),
    draw("warm-up", False, shows=(wrong.nearly_the_largest,)),
    draw("warm-up", False, shows=(wrong.fixed_rate,)),
    draw("warm-up", True, shows=(wrong.strictly_the_largest,)),
)
CORRECTION = (
    *(draw("correction", True, when=lambda run, factor=factor: wrong.moved_times(run, factor)) for factor in FACTORS),
    draw("correction", False, shows=(wrong.mean_moved,), hides=(wrong.exact_correction, wrong.to_the_bit)),
    draw("correction", False, shows=(wrong.exact_correction, wrong.to_the_bit), hides=(wrong.mean_moved,)),
    draw("correction", False, shows=(wrong.first_moved,), hides=(wrong.first_tensor,)),
    draw("correction", False, shows=(wrong.first_tensor,)),
    draw("correction", False, shows=(wrong.last_tensor,)),
    draw("correction", True, shows=(wrong.absolute_correction,)),
    draw("correction", True, shows=(wrong.upwards_alone,), hides=(wrong.absolute_correction,)),
    draw("correction", True, shows=(wrong.first_two_that_moved,)),
    draw("correction", True, shows=(wrong.last_that_moved,)),
)
SMOOTHING = (
    draw("smoothing", True, shows=(wrong.floor_of_torch,)),
    draw("smoothing", False, shows=(wrong.held_out_too,)),
    draw("smoothing", True, shows=(wrong.last_loss_alone,)),
    draw("smoothing", True, shows=(wrong.held_out_alone,)),
    draw(
        "smoothing",
        True,
        shows=(wrong.floor_of_the_word, wrong.floor_of_one_probability),
        hides=(wrong.floor_not_shared,),
    ),
    draw("smoothing", True, shows=(wrong.floor_of_the_word,), hides=(wrong.floor_of_one_probability,)),
    draw("smoothing", True, hides=(wrong.floor_of_the_word,)),
    draw("smoothing", True, shows=(wrong.coarse_smoothing,)),
    draw("smoothing", False, shows=(wrong.early_smoothing,)),
    draw("smoothing", False, shows=(wrong.shared_by_all,)),
    draw("smoothing", False, shows=(wrong.floor_in_bits,)),
)
WORDS = (
    draw("words", True, shows=(wrong.mean_of_means,)),
    draw("words", False, shows=(wrong.mean_of_means, wrong.last_batch, wrong.exact_words, wrong.to_the_bit)),
    draw("words", True, shows=(wrong.last_batch,)),
    draw("words", True, shows=(wrong.only_too_large,)),
    draw("words", True, shows=(wrong.coarse_words,)),
    draw("words", False, shows=(wrong.first_batch, wrong.last_batch), hides=(wrong.exact_words,)),
)
OVERFITTING = (
    draw("overfitting", True, shows=(wrong.since_the_start, wrong.last_two), hides=(wrong.fifth,)),
    draw(
        "overfitting",
        False,
        shows=(wrong.held_out_alone_grows, wrong.training_since_the_start),
        hides=(wrong.lowest_since,),
    ),
    draw("overfitting", False, shows=(wrong.above_training, wrong.any_growth)),
    draw("overfitting", True, hides=(wrong.since_the_start,)),
    draw("overfitting", False, shows=(wrong.held_out_alone_grows,), hides=(wrong.training_since_the_start,)),
    draw("overfitting", False, shows=(wrong.any_growth_of_held_out,)),
    draw("overfitting", False, shows=(wrong.any_fall_in_training,)),
    draw("overfitting", False, shows=(wrong.highest_since,)),
    draw("overfitting", False, shows=(wrong.lowest_since,), hides=(wrong.any_fall_in_training,)),
    draw("overfitting", True, shows=(wrong.fifth_of_held_out,)),
    draw("overfitting", True, shows=(wrong.fifth_of_training,)),
    draw("overfitting", True, shows=(wrong.more_for_held_out,), hides=(wrong.more_for_training,)),
    draw("overfitting", True, shows=(wrong.more_for_training,), hides=(wrong.more_for_held_out,)),
    draw("overfitting", False, shows=(wrong.less_for_held_out,)),
    draw("overfitting", False, shows=(wrong.less_for_training,)),
    draw("overfitting", True, shows=(wrong.percent_of_held_out,)),
    draw("overfitting", True, shows=(wrong.percent_of_training,)),
)
draw_warm_up, draw_correction, draw_smoothing, draw_words, draw_overfitting = (
    alternate(*draws) for draws in (WARM_UP, CORRECTION, SMOOTHING, WORDS, OVERFITTING)
)


def draw_arguments(rng: Random, size: int) -> Case:
    """A run with a fault, whose rates are not in order."""
    return case(clear_run(rng, {("warm-up", "correction")[size % 2]}, "correction"))
