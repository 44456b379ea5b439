"""The mistakes that people make in ps7.train, each with its hint."""

from course_lib.grading.task import Misconception
from course_lib.problem_sets.ps7 import wrong_train as wrong

MISTAKES = (
    Misconception(
        "plain loss",
        wrong.plain,
        "loss",
        "You never use ε: your losses are those without smoothing.",
    ),
    Misconception(
        "mean of the batches' means",
        wrong.unweighted,
        "words",
        "You take the mean of the batches' losses: so a word of a small batch counts for more. Weigh each batch's "
        "loss by its number of real words.",
    ),
    Misconception(
        "divided by accumulate",
        wrong.divided_by_accumulate,
        "words",
        "You divide each batch's loss by `accumulate`: batches of few words count as much as large ones, and the "
        "last update may have fewer batches. Weigh by the real words of the update.",
    ),
    Misconception(
        "sum of the batches' means",
        wrong.summed,
        "words",
        "You add up the batches' losses. The loss is the mean over all words of the update.",
    ),
    Misconception(
        "sum over the words",
        wrong.summed_over_words,
        "loss",
        "You add up the losses of all words. Divide by their number.",
    ),
    Misconception(
        "the last batch alone",
        wrong.last_batch_alone,
        "words",
        "Of each update you use the last batch alone: are the gradients of the others thrown away?",
    ),
    Misconception("the first batch alone", wrong.first_batch_alone, "words", "Of each update you use one batch alone."),
    Misconception(
        "weighed by sentences",
        wrong.by_sentences,
        "words",
        "You weigh batches by their sentences. Weigh by their real words.",
    ),
    Misconception(
        "weighed by places",
        wrong.by_places,
        "words",
        "You weigh batches by their places, padding included. Weigh by their real words.",
    ),
    Misconception(
        "right gradient, mean of the means told",
        wrong.told_unweighted,
        "words",
        "Your weights are right, but the loss that you return is the mean of the batches' means.",
    ),
    Misconception(
        "right gradient, last loss told",
        wrong.told_of_the_last,
        "words",
        "Your weights are right, but the loss that you return is that of the update's last batch.",
    ),
    Misconception(
        "right loss, gradient of the sum over the words",
        wrong.gradient_not_divided,
        "updates",
        "Your losses are right, but your gradient is that of the sum over the words. Divide it, too, by the number of "
        "words of the update.",
    ),
    Misconception(
        "right loss, gradients of the batches added",
        wrong.gradients_added,
        "updates",
        "Your losses are right, but your gradient is the sum of the batches' gradients. Weigh each by the batch's "
        "share of the words.",
    ),
    Misconception(
        "the loss after the update",
        wrong.told_after_the_update,
        "loss",
        "Your losses are those of the weights after each update. Return those of the weights before it.",
    ),
    Misconception(
        "every batch an update",
        wrong.each_batch_an_update,
        "words",
        "You update the weights after each batch. Do it after `accumulate` of them.",
    ),
    Misconception("b stays", wrong.without_b, "update", "You move W alone. b is trained, too."),
    Misconception(
        "updates counted from 0",
        wrong.steps_from_0,
        "update",
        "You count updates from 0: the first one has rate 0. They are counted from 1.",
    ),
    Misconception(
        "always the peak",
        wrong.always_the_peak,
        "update",
        "You take the rate of the step `warmup` for each update. The first update takes that of step 1.",
    ),
    Misconception(
        "another ϵ",
        wrong.eps_of_torch,
        "update",
        "Your weights are those of ϵ = 10⁻⁸, which torch takes where none is given. Here it is 10⁻⁹.",
    ),
    Misconception(
        "computed in float32",
        wrong.in_float32,
        "loss",
        "Your loss is less precise than a float64: is something on the way a float32?",
    ),
    Misconception(
        "batches counted",
        wrong.batches_counted,
        "update",
        "You count batches for the rate. A step of the schedule is an update.",
    ),
    Misconception(
        "the vocabulary for d_model",
        wrong.words_for_width,
        "update",
        "You take the number of words for d_model. It is the number of W's rows.",
    ),
    Misconception(
        "always the first rate",
        wrong.always_the_first_rate,
        "updates",
        "Every update of yours has the rate of the first.",
    ),
    Misconception(
        "gradients clipped",
        wrong.clipped,
        "updates",
        "You clip the gradients to norm 1, as the lecture does. Here nothing is clipped.",
    ),
    Misconception(
        "each gradient clipped",
        wrong.each_clipped,
        "updates",
        "You clip each gradient to norm 1. Here nothing is clipped.",
    ),
    Misconception(
        "state forgotten",
        wrong.state_forgotten,
        "updates",
        "Each update of yours begins with an empty state. Hand on what adam_step returned.",
    ),
    Misconception(
        "gradients never set to 0",
        wrong.gradients_carried,
        "updates",
        "The gradients of earlier updates are still in yours: backward adds. Begin each update with none.",
    ),
    Misconception(
        "the rest dropped",
        wrong.rest_dropped,
        "rest",
        "You leave out the batches that are left at the end. They make a last, smaller update.",
    ),
    Misconception(
        "gradients asked of the given weights",
        wrong.asked_for_gradients,
        "arguments",
        "You call requires_grad_() on the weights that you were given: they are not as they were. Take gradients "
        "with respect to copies, w.detach().clone().",
    ),
    Misconception(
        "weights changed in place",
        wrong.in_place,
        "arguments",
        "You change the weights that you were given. Return new ones.",
    ),
)
