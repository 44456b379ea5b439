"""ps4.attentive_decoder: the state before asks, the context enters the unit (Bahdanau et al. 2015; Straka 2021).

With coverage, as in exercise 2: what was looked at before is known to the score (See, Liu and Manning 2017).
"""

from functools import partial

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib import attention
from course_lib.grading.cases import unfit
from course_lib.grading.cases.numbers import Numbers
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Misconception, Task
from course_lib.problem_sets.ps4 import additive_score as score
from course_lib.problem_sets.ps4 import decoders, states
from course_lib.problem_sets.ps4.cases_attentive_decoder import draw, draw_all
from course_lib.problem_sets.ps4.decoders import Run
from course_lib.problem_sets.ps4.masked_softmax import masked_softmax
from course_lib.problem_sets.ps4.states import ANYTHING, Weights
from course_lib.recurrent.rnn import RNNCell

VALUES = "states weights"


def reference(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> Run:
    """s_1 … and α_1 … from y_1 … (batch, i, word size), s_0 (batch, query size) and h (batch, j, key size).

    e_ij = score(s_{i−1}, h_j, Σ_{k<i} α_kj),  α_i = softmax(e_i),  c_i = Σ_j α_ij h_j,
    s_i = tanh(W_y y_i + W_c c_i + W_s s_{i−1} + b)
    """
    h = h.masked_fill(~mask.unsqueeze(2), 0)
    cell = RNNCell(y.shape[2] + h.shape[2], s.shape[1])
    given = {"W_x": torch.cat([weights["W_y"], weights["W_c"]], 1), "W_h": weights["W_s"], "b": weights["b"]}
    outputs, α, covered = [], [], torch.zeros_like(h[..., 0])
    for word in y.unbind(1):
        e = score.reference(s, h, covered, weights)
        α.append(attention.masked_softmax(e.unsqueeze(1), mask.unsqueeze(1)))
        covered = torch.cat(α, 1).sum(1)
        c = attention.context(α[-1], h).squeeze(1)
        (s,) = functional_call(cell, given, (torch.cat([word, c], 1), (s,)))
        outputs.append(s)
    return torch.stack(outputs, 1), torch.cat(α, 1)


everything = seeing(VALUES, VALUES)

TASK = Task(
    name="ps4.attentive_decoder",
    title="A decoder that looks at the source",
    reference=reference,
    trains=True,
    lent=(score.additive_score, masked_softmax),
    criteria=(
        Numbers("weights", 1, "The first step's weights: s_0 asks.", draw((1, 1)), probe=seeing(VALUES, "weights")),
        Numbers(
            "state",
            1,
            "The first step's state: from the word, the context and s_0.",
            draw((1, 1)),
            probe=seeing(VALUES, "states"),
        ),
        Numbers(
            "carry",
            1,
            "Several steps, with w = 0: each starts from the state before it, which asks.",
            draw((2, 4)),
            probe=everything,
        ),
        Numbers(
            "coverage",
            1,
            "With w: the score knows all weights of the steps before.",
            draw((3, 4), covers=True),
            probe=everything,
        ),
        Numbers(
            "padding",
            0.5,
            "Words that are not real change nothing, whatever their h: even NaN.",
            draw((1, 1), padded=True, pads=ANYTHING),
            probe=everything,
        ),
        Numbers(
            "batch",
            0.5,
            "Several sentences with masks of their own.",
            draw((2, 3), (2, 3), padded=True, covers=True),
            probe=everything,
        ),
        *fit_for_training(
            "y s h mask weights",
            VALUES,
            decoders.defined,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right for y, s, h and every "
                "weight, through all steps; a call changes no argument.",
                draw_all,
            ),
            dtype=(
                "The states and the weights have the dtype of s, float64 or float32, and its precision.",
                draw((2, 2)),
            ),
            looks=partial(precisely, defined=decoders.defined),
        ),
    ),
    misconceptions=(
        Misconception(
            "the new state asks",
            decoders.new_state_asks,
            "weights",
            "A state that has read the word already asks, as in Luong's decoder. Here s_{i−1} asks: its context is "
            "needed to make s_i.",
        ),
        *(
            Misconception(
                name,
                function,
                "weights",
                "Your unit makes s_i first, and s_i asks: Luong's order. Here s_{i−1} asks, and its context goes into "
                "the unit that makes s_i.",
            )
            for name, function in (
                ("Luong's order", decoders.luongs_order),
                ("Luong's order, without the context", decoders.luongs_order_without_context),
            )
        ),
        Misconception(
            "all words real",
            decoders.everything_real,
            "padding",
            "Words that are not real get a share of your weights: give the mask to the softmax.",
        ),
        Misconception(
            "weights before states",
            decoders.weights_first,
            "weights",
            "You return the weights first. The states come first, then the weights.",
        ),
        Misconception(
            "the last step only",
            decoders.last_step_only,
            "weights",
            "You return the last step's state and weights. Those of every step are wanted, (batch, i, …).",
        ),
        Misconception(
            "s_0 among the states",
            decoders.with_the_start,
            "state",
            "Your states begin with s_0. The first that is returned is s_1.",
        ),
        Misconception(
            "mean of all words",
            decoders.plain_average,
            "state",
            "Your context is the mean of the h. The weights say how much each counts.",
        ),
        Misconception(
            "the best word only",
            decoders.best_word,
            "state",
            "Your context is the h with the largest weight. It is the sum of all h, each times its weight: only so a "
            "gradient reaches the scores.",
        ),
        Misconception(
            "no context",
            decoders.without_context,
            "state",
            "Your state does not depend on the context: W_c c_i is missing.",
        ),
        Misconception(
            "no state before",
            decoders.without_state,
            "state",
            "Your unit does not read the state before it: W_s s_{i−1} is missing from the sum.",
        ),
        Misconception(
            "no word",
            decoders.without_word,
            "state",
            "Your unit does not read the word: W_y y_i is missing from the sum.",
        ),
        Misconception(
            "words one step late",
            decoders.words_late,
            "state",
            "Step i of yours reads y_{i−1}, and the first one 0. `y` is shifted already: step i reads y_i.",
        ),
        Misconception(
            "context of the step before",
            decoders.context_late,
            "carry",
            "From the second step on, your context is made with the weights of the step before. c_i is made with α_i.",
        ),
        Misconception("no tanh", decoders.unsquashed, "state", "The tanh around the new state is missing."),
        Misconception("no bias", decoders.without_bias, "state", "You leave out the bias b."),
        Misconception(
            "s_0 asks at every step",
            decoders.first_state_asks,
            "carry",
            "The state that asks is s_0 at all your steps. At step i it is s_{i−1}.",
        ),
        Misconception(
            "state not carried",
            decoders.not_carried,
            "carry",
            "Every one of your steps starts from s_0: the state before it goes into the unit.",
        ),
        Misconception(
            "the first word at every step",
            decoders.first_word_only,
            "carry",
            "You give the first word to every step. Step i reads y_i.",
        ),
        Misconception(
            "nothing is covered",
            decoders.no_coverage,
            "coverage",
            "Your coverage stays 0. After each step its weights are added to it.",
        ),
        Misconception(
            "only the step before is covered",
            decoders.last_coverage,
            "coverage",
            "Your coverage is the weights of the step before. It is the sum of all steps before.",
        ),
        Misconception(
            "mean coverage",
            decoders.mean_coverage,
            "coverage",
            "You divide the coverage by the number of steps. It is a sum: it grows.",
        ),
        Misconception(
            "coverage returned",
            decoders.coverage_returned,
            "carry",
            "The weights that you return add up from step to step: that is the coverage. Each step's own are wanted.",
        ),
        Misconception(
            "padding within the context",
            decoders.with_padding,
            "padding",
            "An h that is not real has weight 0, but 0 · NaN is NaN. Set it to 0 before you compute with it.",
        ),
        Misconception(
            "the first sentence's mask",
            decoders.first_mask,
            "batch",
            "All your sentences have the first one's mask. Each has its own.",
        ),
        Misconception(
            "all sentences within the context",
            decoders.added_up,
            "batch",
            "Your contexts add up the h of all sentences. In an einsum, weights and h have one letter for the batch.",
        ),
        Misconception(
            "coverage cut off from the gradient",
            decoders.coverage_cut,
            "gradient",
            "No gradient passes through your coverage: is there a detach?",
        ),
        Misconception(
            "coverage changed in place",
            decoders.coverage_in_place,
            "gradient",
            "+= changes a tensor that the gradient needs; write coverage = coverage + α.",
        ),
        Misconception(
            "query cut off from the gradient",
            decoders.state_cut,
            "gradient",
            "No gradient passes from the scores to the state that asks: is there a detach?",
        ),
        *unfit.mistakes(decoders.defined, weights_from=4, returned=VALUES),
    ),
    forbidden=states.LIBRARY,
)
