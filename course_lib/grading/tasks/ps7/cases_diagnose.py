"""Cases of a training to be diagnosed: of each fault, those that show one wrong test each, in turn."""

from course_lib.grading.cases.isolate import alternate
from course_lib.grading.tasks.ps7 import wrong_diagnose as wrong
from course_lib.grading.tasks.ps7.runs import draw

draw_warm_up = alternate(
    draw("warm-up", "warm-up", shows=(wrong.falling_only,)),
    draw("warm-up", shows=(wrong.first_two_compared,)),
    draw("warm-up", shows=(wrong.last_compared,), hides=(wrong.nearly_the_largest,)),
    draw("warm-up", "warm-up", shows=(wrong.fixed_rate,)),
    draw("warm-up", shows=(wrong.more_than_half,), hides=(wrong.nearly_the_largest,)),
    draw("warm-up", shows=(wrong.nearly_the_largest,)),
    draw("warm-up", shows=(wrong.fixed_rate,)),
    draw("warm-up", "warm-up"),
)
draw_correction = alternate(
    draw("correction", "correction", shows=(wrong.only_too_far,)),
    draw("correction", shows=(wrong.mean_moved,), hides=(wrong.exact_correction, wrong.to_the_bit)),
    draw("correction", "correction", shows=(wrong.only_not_far_enough,)),
    draw("correction", shows=(wrong.exact_correction, wrong.to_the_bit), hides=(wrong.mean_moved,)),
    draw("correction", shows=(wrong.first_moved,)),
    draw("correction", shows=(wrong.first_tensor,)),
    draw("correction", shows=(wrong.last_tensor,)),
    draw("correction", "correction", shows=(wrong.coarse_correction,)),
)
draw_smoothing = alternate(
    draw("smoothing", "smoothing", shows=(wrong.floor_of_torch,)),
    draw("smoothing", shows=(wrong.held_out_too,)),
    draw("smoothing", "smoothing", shows=(wrong.last_loss_alone,)),
    draw("smoothing", "smoothing", shows=(wrong.held_out_alone,)),
    draw(
        "smoothing",
        "smoothing",
        shows=(wrong.floor_of_the_word, wrong.floor_of_one_probability),
        hides=(wrong.floor_not_shared,),
    ),
    draw(
        "smoothing",
        "smoothing",
        shows=(wrong.floor_of_the_word,),
        hides=(wrong.floor_of_one_probability,),
    ),
    draw("smoothing", "smoothing", hides=(wrong.floor_of_the_word,)),
    draw("smoothing", "smoothing", shows=(wrong.coarse_smoothing,)),
    draw("smoothing", shows=(wrong.shared_by_all,)),
)
draw_words = alternate(
    draw("words", "words", shows=(wrong.mean_of_means,)),
    draw("words", shows=(wrong.mean_of_means, wrong.last_batch, wrong.exact_words, wrong.to_the_bit)),
    draw("words", "words", shows=(wrong.last_batch,)),
    draw("words", "words", shows=(wrong.only_too_large,)),
    draw("words", "words", shows=(wrong.coarse_words,)),
)
draw_overfitting = alternate(
    draw("overfitting", "overfitting", shows=(wrong.since_the_start, wrong.last_two)),
    draw("overfitting", shows=(wrong.held_out_alone_grows, wrong.training_since_the_start)),
    draw("overfitting", shows=(wrong.above_training, wrong.any_growth)),
    draw("overfitting", "overfitting", hides=(wrong.since_the_start,)),
    draw(
        "overfitting",
        shows=(wrong.held_out_alone_grows,),
        hides=(wrong.training_since_the_start,),
    ),
    draw("overfitting", shows=(wrong.any_growth_of_held_out,)),
    draw("overfitting", shows=(wrong.any_fall_in_training,)),
    draw("overfitting", shows=(wrong.highest_since,)),
    draw("overfitting", shows=(wrong.lowest_since,), hides=(wrong.any_fall_in_training,)),
)
draw_arguments = alternate(draw("warm-up", "warm-up"), draw("correction", "correction"))
