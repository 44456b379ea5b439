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
        "more than half of the largest",
        wrong.more_than_half,
        "warm_up",
        "You report 'warm-up' where the first rate is more than half of the largest. A larger one comes later: the "
        "rate rises.",
    ),
    Misconception(
        "nearly the largest",
        wrong.nearly_the_largest,
        "warm_up",
        "You report 'warm-up' where the first rate is 95 % of the largest. A larger one comes later: the rate rises.",
    ),
    Misconception(
        "the first rate compared with a fixed number",
        wrong.fixed_rate,
        "warm_up",
        "You report 'warm-up' where the first rate is large, and not where it is small. How large rates are depends on "
        "the model: compare the first with the others.",
    ),
    Misconception(
        "numbers that did not move",
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
        "weights moved by a little more than the rate",
        wrong.coarse_correction,
        "correction",
        "You do not report 'correction' where weights move by 3 % more than the rate. Corrected, they move by the rate "
        "but for rounding and ϵ; else they are more than 2 % off, whatever the betas.",
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
        "You compare exactly, by == or !=, or nearly so. Allow for rounding, and for Adam's ϵ.",
    ),
    Misconception(
        "moved by the rate to the last bit",
        wrong.exact_correction,
        "correction",
        "You report 'correction' where weights move by the rate but for ϵ. Allow for rounding, and for ϵ: up to 1 %, "
        "say.",
    ),
    Misconception(
        "the loss to the last bit",
        wrong.exact_words,
        "words",
        "You report 'words' where the loss differs in its last bits alone. Allow for rounding: up to 0.005, say.",
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
        "You do not report 'smoothing' where a loss is 0.02 to 0.05 below the lowest smoothed loss. 0.01 below is too "
        "low already.",
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
        "bound too wide for the words",
        wrong.coarse_words,
        "words",
        "You do not report 'words' where the loss is off by less than 0.05. More than 0.01 is too much already.",
    ),
    Misconception(
        "the held-out loss alone",
        wrong.held_out_alone_grows,
        "overfitting",
        "You report 'overfitting' where the held-out loss grows and the training loss has not fallen by more than 0.1. "
        "Both belong to it.",
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
        "You report 'overfitting' where the held-out loss grows, or the training loss falls, by less than 0.1. Each "
        "must change by more than 0.1.",
    ),
    Misconception(
        "any growth of the held-out loss",
        wrong.any_growth_of_held_out,
        "overfitting",
        "You report 'overfitting' where the held-out loss has grown by less than 0.1. It is to grow by more.",
    ),
    Misconception(
        "any fall of the training loss",
        wrong.any_fall_in_training,
        "overfitting",
        "You report 'overfitting' where the training loss has fallen by less than 0.1. It is to fall by more.",
    ),
    Misconception(
        "a held-out loss that came back",
        wrong.highest_since,
        "overfitting",
        "You report 'overfitting' where the held-out loss has grown by more than 0.1 and come back. Compare the last "
        "one with the lowest.",
    ),
    Misconception(
        "a training loss that came back",
        wrong.lowest_since,
        "overfitting",
        "You report 'overfitting' where the training loss has fallen by more than 0.1 and come back. Compare the last "
        "one.",
    ),
    Misconception(
        "the training loss since the start",
        wrong.training_since_the_start,
        "overfitting",
        "You compare the last training loss with the first. Compare it with that at the lowest held-out loss.",
    ),
    *(
        Misconception(
            f"'{fault}' not reported",
            mistake,
            fault.replace("-", "_"),
            f"You report '{fault}' in none of the cases tried.",
        )
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
