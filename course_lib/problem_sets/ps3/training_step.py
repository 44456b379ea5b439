"""ps3.training_step: loss, gradient, clipping (Pascanu et al. 2013), descent (Sutskever et al. 2014)."""

from functools import partial

from torch import nn

from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import in_both_dtypes
from course_lib.grading.task import Misconception, Task
from course_lib.problem_sets.ps3 import forced_scores, lent
from course_lib.problem_sets.ps3 import wrong_training_step as wrong
from course_lib.problem_sets.ps3.cases_training_step import (
    CLIPPED,
    UNCLIPPED,
    as_they_were,
    draw,
    looking_at,
    precise_weights,
)
from course_lib.problem_sets.ps3.models import FORBIDDEN, Few, Model
from course_lib.problem_sets.ps3.wrong_training_step import Pairs, Step


def reference(pairs: Pairs, weights: Model, bos: int, eos: int, rate: float, max_norm: float) -> Step:
    """The loss of a word, the norm of its gradient, and W − rate · g, where g is no longer than max_norm."""
    weights = wrong.leaves(weights)
    loss = wrong.loss_and_words(forced_scores.reference, wrong.loss_of, pairs, weights, bos, eos)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(wrong.flat(weights), max_norm)
    return loss, norm, {part: {name: w - rate * w.grad for name, w in each.items()} for part, each in weights.items()}


TASK = Task(
    name="ps3.training_step",
    title="One step of training",
    reference=reference,
    lent=(lent.shift, lent.sequence_loss, lent.encode, lent.decoder_step, lent.forced_scores),
    criteria=(
        Few("loss", 1, "The loss of a word, each word alike.", draw(UNCLIPPED, ragged=True), probe=looking_at("loss")),
        Few("norm", 0.5, "The norm of the whole gradient, before clipping.", draw(CLIPPED), probe=looking_at("norm")),
        Few(
            "step",
            0.5,
            "A short gradient: every weight moves by −rate · g.",
            draw(UNCLIPPED),
            probe=looking_at("updated"),
        ),
        Few(
            "clipped",
            1,
            "A gradient longer than max_norm is scaled to it, all of it by one factor.",
            draw(CLIPPED),
            probe=looking_at("updated"),
        ),
        Few(
            "arguments",
            0.5,
            "The weights that were given are afterwards as they were.",
            draw(UNCLIPPED, asking=True),
            probe=as_they_were,
        ),
        Few(
            "dtype",
            0.5,
            "The new weights have the dtype of the old, float64 or float32, and its precision.",
            in_both_dtypes(draw(UNCLIPPED)),
            probe=precise_weights,
        ),
    ),
    misconceptions=(
        Misconception(
            "loss of a sentence",
            partial(wrong.defined, loss=wrong.of_the_sentence),
            "loss",
            "You divide by the number of sentences: your loss is that of a sentence. Divide by the number of words.",
        ),
        Misconception(
            "sum of the losses",
            partial(wrong.defined, loss=wrong.of_all),
            "loss",
            "You add up all losses. Divide by the number of words.",
        ),
        Misconception(
            "mean of the sentences' means",
            partial(wrong.defined, loss=wrong.of_means),
            "loss",
            "You take each sentence's mean first: so a word of a short sentence counts for more. All count alike.",
        ),
        Misconception(
            "mean over all places",
            partial(wrong.defined, loss=wrong.over_places),
            "loss",
            "You divide by the number of places, padding included. Divide by the number of real words.",
        ),
        Misconception(
            "end left out of the loss",
            partial(wrong.defined, loss=wrong.without_the_end),
            "loss",
            "Your loss leaves out eos: to stop is predicted, too, and counts like a word.",
        ),
        Misconception(
            "norm after clipping",
            partial(wrong.defined, told=lambda norm, gradients: wrong.norm_of(gradients)),
            "norm",
            "You return the norm after clipping, which is never more than max_norm: it would not show that training "
            "went astray.",
        ),
        Misconception(
            "sum of the norms",
            partial(wrong.defined, measure=wrong.sum_of_norms),
            "norm",
            "You add up the norms of the weights' gradients. The norm of all of them is √(Σ of all squares).",
        ),
        Misconception(
            "largest norm",
            partial(wrong.defined, measure=wrong.largest_norm),
            "norm",
            "Your norm is the largest of the norms of the weights' gradients. That of all together is √(Σ of all "
            "squares).",
        ),
        Misconception(
            "norm of the decoder only",
            partial(wrong.defined, measure=wrong.of_the_decoder),
            "norm",
            "Your norm is that of the decoder's gradient. The encoder's weights count as well.",
        ),
        Misconception(
            "no square root",
            partial(wrong.defined, measure=wrong.square_of_the_norm),
            "norm",
            "You forget the square root: the norm is √(Σ of all squares).",
        ),
        Misconception(
            "largest number for the norm",
            partial(wrong.defined, measure=wrong.largest),
            "norm",
            "Your norm is the largest number of the gradient. It is √(Σ of all squares).",
        ),
        Misconception(
            "gradient counted twice",
            partial(wrong.defined, measure=wrong.twice_the_norm, clip=wrong.twice),
            "norm",
            "Your gradient is twice the right one. Does backward run twice? What it gives is added to what is there, "
            "unless the gradients are set to 0 in between.",
        ),
        Misconception(
            "gradient set to 0",
            partial(wrong.defined, measure=wrong.zero_norm, clip=wrong.emptied),
            "norm",
            "Your gradient is 0 and nothing moves. Is it set to 0 after backward? That is to be done before.",
        ),
        Misconception(
            "weights returned as they were",
            partial(wrong.defined, moves=()),
            "step",
            "Your norm is right, and your new weights are the old ones: subtract rate · g, and return what that gives.",
        ),
        Misconception(
            "upwards",
            partial(wrong.defined, descend=lambda old, rate, g: old + rate * g),
            "step",
            "Your weights move up the loss: is rate · g added, or g the gradient of log p? Each weight becomes "
            "w − rate · g, where g is the gradient of the loss, −log p.",
        ),
        Misconception(
            "decoder only",
            partial(wrong.defined, moves=("decoder",)),
            "step",
            "The encoder's weights stay where they are. They are trained with the decoder's.",
        ),
        Misconception(
            "rate left out",
            partial(wrong.defined, descend=lambda old, rate, g: old - g),
            "step",
            "You subtract the whole gradient: multiply it by `rate`.",
        ),
        Misconception(
            "short gradient scaled up",
            partial(wrong.defined, clip=wrong.always_scaled),
            "step",
            "You scale a gradient up to max_norm though its norm is smaller. It stays as it is.",
        ),
        Misconception(
            "not clipped",
            partial(wrong.defined, clip=wrong.never_clipped),
            "clipped",
            "In your step max_norm changes nothing: the gradient is not clipped, or only after the weights have moved.",
        ),
        Misconception(
            "each gradient by its own norm",
            partial(wrong.defined, clip=wrong.each_by_its_own),
            "clipped",
            "You clip each weight's gradient by its own norm, which turns the direction of the whole. One factor, from "
            "the norm of all, scales them all.",
        ),
        Misconception(
            "each network by its own norm",
            partial(wrong.defined, clip=wrong.each_network_by_its_own),
            "clipped",
            "You clip the encoder's gradient and the decoder's each by its own norm. One factor, from the norm of all, "
            "scales both.",
        ),
        Misconception(
            "values clamped",
            partial(wrong.defined, clip=wrong.clamped),
            "clipped",
            "You cut single numbers at max_norm. One factor, from the norm of all, scales the whole gradient.",
        ),
        Misconception(
            "scaled to length 1",
            partial(wrong.defined, clip=wrong.unit_length),
            "clipped",
            "You scale a long gradient to length 1. It is scaled to length max_norm.",
        ),
        Misconception(
            "weights changed in place",
            wrong.in_place,
            "arguments",
            "You change the weights that you were given. Return new ones: the caller may compare them with the old.",
        ),
        Misconception(
            "gradients asked of the given weights",
            wrong.asked_for_gradients,
            "arguments",
            "You call requires_grad_() on the weights that you were given: they are not as they were. Take gradients "
            "with respect to copies, w.detach().clone().",
        ),
        Misconception(
            "gradients left in the given weights",
            wrong.gradients_left,
            "arguments",
            "You leave a gradient in the .grad of weights that you were given: the next backward adds to it. Call "
            "backward on copies, w.detach().clone().requires_grad_(), or use torch.autograd.grad.",
        ),
        Misconception(
            "gradients asked of the given weights and left there",
            wrong.gradients_asked_for_and_left,
            "arguments",
            "You call requires_grad_() on the weights that you were given, and backward leaves a gradient in their "
            ".grad: they are not as they were. Take gradients with respect to copies, w.detach().clone().",
        ),
        Misconception(
            "single precision",
            unfit.in_single_precision(wrong.defined),
            "dtype",
            "You were given weights in float64 and return new ones in float32. Keep the dtype of each.",
        ),
    ),
    forbidden=(
        *FORBIDDEN,
        "torch.optim.Optimizer.__init__",
        "torch.nn.utils.clip_grad.clip_grad_norm_",
        "torch.nn.utils.clip_grad_norm_",
        "torch.nn.utils.get_total_norm",
        "torch.nn.utils.clip_grads_with_norm_",
        "torch.nn.utils.clip_grad._get_total_norm",  # what they call, by whatever name a student has saved them
        "torch.nn.utils.clip_grad._clip_grads_with_norm_",
    ),
)
