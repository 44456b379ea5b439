"""The mistakes that people make in ps7.diagnose, each with its hint."""

from course_lib.grading.task import Misconception
from course_lib.problem_sets.ps7 import wrong_diagnose as wrong
from course_lib.problem_sets.ps7.mistakes_diagnose_steps import OF_STEPS

ASKS = {
    "warm-up": "It is not there where any rate is larger than the first: after a warm-up it may fall.",
    "correction": "Which way a weight moves depends on the sign of its gradient, and one whose gradient was 0 stays: "
    "take abs(), leave out zeros, compare with the first rate, and allow for rounding.",
    "smoothing": "It is not there where every training loss is above the lowest smoothed loss.",
    "words": "Compare the last training loss with Σ loss · words / Σ words of its batches, and allow for rounding.",
    "overfitting": "It is there only where the held-out loss grows, and the training loss falls, by more than 0.1.",
}
MISTAKES = (
    *OF_STEPS,
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
        "the floor in bits",
        wrong.floor_in_bits,
        "smoothing",
        "Your floor is in bits. Losses are in nats: take the natural logarithm.",
    ),
    Misconception(
        "bound too wide for the floor",
        wrong.coarse_smoothing,
        "smoothing",
        "You do not report 'smoothing' where a loss is less than 0.015 below the lowest smoothed loss. 0.01 below is "
        "too low already.",
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
        "the first batch's loss",
        wrong.first_batch,
        "words",
        "You compare with the loss of the first batch. It is that of all words of all batches.",
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
        "You do not report 'words' where the loss is off by less than 0.015. More than 0.01 is too much already.",
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
    Misconception(
        "a change of 0.2",
        wrong.fifth,
        "overfitting",
        "You do not report 'overfitting' where a loss changes by less than 0.2. More than 0.1 is enough.",
    ),
    Misconception(
        "0.2 for the held-out loss",
        wrong.fifth_of_held_out,
        "overfitting",
        "You do not report 'overfitting' where the held-out loss grows by less than 0.2. More than 0.1 is enough.",
    ),
    Misconception(
        "0.2 for the training loss",
        wrong.fifth_of_training,
        "overfitting",
        "You do not report 'overfitting' where the training loss falls by less than 0.2. More than 0.1 is enough.",
    ),
    Misconception(
        "10 % for 0.1",
        wrong.percent,
        "overfitting",
        "You compare with a tenth of the losses. 0.1 is a difference, however large the losses are.",
    ),
    Misconception(
        "10 % for 0.1 of the held-out loss",
        wrong.percent_of_held_out,
        "overfitting",
        "You compare the rise of the held-out loss with a tenth of it. 0.1 is a difference, however large the loss is.",
    ),
    Misconception(
        "10 % for 0.1 of the training loss",
        wrong.percent_of_training,
        "overfitting",
        "You compare the fall of the training loss with a tenth of it. 0.1 is a difference, however large the loss is.",
    ),
    *(
        Misconception(
            f"'{fault}' not reported",
            wrong.never(fault),
            fault.replace("-", "_"),
            f"You report '{fault}' in none of the cases tried.",
        )
        for fault in wrong.TESTS
    ),
    *(
        Misconception(
            f"'{fault}' always reported",
            wrong.always(fault),
            fault.replace("-", "_"),
            f"You report '{fault}' in every case, though it is not there in all. {asks}",
        )
        for fault, asks in ASKS.items()
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
