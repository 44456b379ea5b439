"""The mistakes that people make in ps7.diagnose, each with its hint."""

from course_lib.grading.task import Misconception
from course_lib.grading.tasks.ps7 import wrong_diagnose as wrong
from course_lib.grading.tasks.ps7.runs import NEVER

MISTAKES = (
    Misconception(
        "the first two rates compared",
        wrong.first_two_compared,
        "warm_up",
        "You compare the first two rates. A warm-up may rise later: compare the first with all.",
    ),
    Misconception(
        "the first and the last rate compared",
        wrong.last_compared,
        "warm_up",
        "You compare the first rate with the last. After a warm-up it may fall below the first: compare with all.",
    ),
    Misconception(
        "only rates that always fall",
        wrong.falling_only,
        "warm_up",
        "You report 'warm-up' only where the rate falls in each step. A rate that stays, or falls and rises a "
        "little, has no warm-up either.",
    ),
    Misconception(
        "the mean of what was moved",
        wrong.mean_moved,
        "correction",
        "You count numbers that did not move. Their gradient was 0: leave the zeros out.",
    ),
    Misconception(
        "the first number alone",
        wrong.first_moved,
        "correction",
        "You look at one number of the weights. It may have had a gradient of 0, and then it stays.",
    ),
    Misconception(
        "the first tensor alone",
        wrong.first_tensor,
        "correction",
        "You look at the first tensor of the weights alone. All its gradients may have been 0.",
    ),
    Misconception(
        "the last tensor alone",
        wrong.last_tensor,
        "correction",
        "You look at the last tensor of the weights alone. All its gradients may have been 0.",
    ),
    Misconception(
        "bound too wide for the first step",
        wrong.coarse_correction,
        "correction",
        "You allow weights to move by a few per cent more or less than the rate. Corrected, they move by the rate "
        "but for rounding; else they are more than 2 % off.",
    ),
    Misconception(
        "only steps that are too long",
        wrong.only_too_far,
        "correction",
        "You report 'correction' only where weights move by more than the rate. Less is as wrong: which it is "
        "depends on the betas, and on which mean is not corrected.",
    ),
    Misconception(
        "only steps that are too short",
        wrong.only_not_far_enough,
        "correction",
        "You report 'correction' only where weights move by less than the rate. More is as wrong: which it is "
        "depends on the betas, and on which mean is not corrected.",
    ),
    Misconception(
        "equal to the last bit",
        wrong.to_the_bit,
        "correction",
        "You compare exactly, by == or !=. Allow for rounding, and for Adam's ε.",
    ),
    Misconception(
        "the floor of torch's smoothing",
        wrong.floor_of_torch,
        "smoothing",
        "Your floor is that of ε spread over all n words. Here the right word keeps 1 − ε, and the n − 1 others "
        "share ε.",
    ),
    Misconception(
        "the floor of the right word",
        wrong.floor_of_the_word,
        "smoothing",
        "Your floor has the right word's part alone, −(1 − ε) log(1 − ε). The other words have one, too.",
    ),
    Misconception(
        "the floor of one probability",
        wrong.floor_of_one_probability,
        "smoothing",
        "Your floor is −log(1 − ε). The smoothed loss is a sum over all words.",
    ),
    Misconception(
        "the floor of two words",
        wrong.floor_not_shared,
        "smoothing",
        "Your floor takes the other words for one, of probability ε. There are n − 1, each with ε / (n − 1).",
    ),
    Misconception(
        "bound too wide for the floor",
        wrong.coarse_smoothing,
        "smoothing",
        "You report a loss only where it is far below the lowest smoothed loss. 0.01 below is too low already.",
    ),
    Misconception(
        "the held-out loss below the floor, too",
        wrong.held_out_too,
        "smoothing",
        "You compare held-out losses with the floor, too. They are not smoothed: they may lie below it.",
    ),
    Misconception(
        "the held-out loss below the floor",
        wrong.held_out_alone,
        "smoothing",
        "You compare held-out losses with the floor. It is the training losses that are smoothed.",
    ),
    Misconception(
        "the last loss alone",
        wrong.last_loss_alone,
        "smoothing",
        "You compare the last training loss alone with the floor. Any may lie below it.",
    ),
    Misconception(
        "mean of the batches' means",
        wrong.mean_of_means,
        "words",
        "You compare with the mean of the batches' losses. All words count alike: weigh each by its words.",
    ),
    Misconception(
        "the last batch's loss",
        wrong.last_batch,
        "words",
        "You compare with the loss of the last batch. It is that of all words of all batches.",
    ),
    Misconception(
        "only losses that are too large",
        wrong.only_too_large,
        "words",
        "You report 'words' only where the loss is too large. It may be too small.",
    ),
    Misconception(
        "the held-out loss alone",
        wrong.held_out_alone_grows,
        "overfitting",
        "You look at the held-out loss alone. Where the training loss grows, too, the training goes astray: that "
        "is not overfitting.",
    ),
    Misconception(
        "held-out above training",
        wrong.above_training,
        "overfitting",
        "You compare the held-out loss with the training loss. One is smoothed and the other is not: compare each "
        "with itself.",
    ),
    Misconception(
        "since the start",
        wrong.since_the_start,
        "overfitting",
        "You compare the last losses with the first. Compare with the evaluation with the lowest held-out loss.",
    ),
    Misconception(
        "the last two compared",
        wrong.last_two,
        "overfitting",
        "You compare the last two evaluations. Compare the last with the one with the lowest held-out loss.",
    ),
    Misconception(
        "any growth",
        wrong.any_growth,
        "overfitting",
        "You report any growth since the lowest held-out loss, however small. It is to be more than 0.1, and so is "
        "the fall.",
    ),
    Misconception(
        "the highest held-out loss since",
        wrong.highest_since,
        "overfitting",
        "You look at the highest held-out loss after the lowest. It may come back: compare the last one.",
    ),
    Misconception(
        "the lowest training loss since",
        wrong.lowest_since,
        "overfitting",
        "You look at the lowest training loss after the best evaluation. It may come back: compare the last one.",
    ),
    Misconception(
        "the training loss since the start",
        wrong.training_since_the_start,
        "overfitting",
        "You compare the last training loss with the first. Compare it with that at the lowest held-out loss.",
    ),
    *(
        Misconception(f"'{fault}' never reported", mistake, fault.replace("-", "_"), f"You never report '{fault}'.")
        for fault, mistake in NEVER.items()
    ),
    Misconception(
        "one fault only",
        wrong.only_the_first,
        "several",
        "You stop at the first fault that you find. There can be several: return them all.",
    ),
    Misconception(
        "rates sorted in place",
        wrong.sorted_in_place,
        "arguments",
        "You sort the rates that you are given. Make a new list, as sorted(…) does.",
    ),
)
