"""ps4.attentive_decoder: the state before asks, the context enters the unit (Bahdanau et al. 2015; Straka 2021).

With coverage, as in exercise 2: what was looked at before is known to the score (See, Liu and Manning 2017).
"""

from collections.abc import Callable
from copy import deepcopy
from math import inf
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib import attention
from course_lib.grading.cases.isolate import alternate, until
from course_lib.grading.cases.numbers import Numbers, count, tensor
from course_lib.grading.cases.training import with_cotangents
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.additive_score import additive_score
from course_lib.problem_sets.ps4.additive_score import defined as additive
from course_lib.problem_sets.ps4.additive_score import reference as score
from course_lib.problem_sets.ps4.masked_softmax import defined as softmax
from course_lib.problem_sets.ps4.masked_softmax import masked_softmax
from course_lib.problem_sets.ps4.states import ANYTHING, LIBRARY, NAN, Weights, case, matrix, put, rows, score_weights
from course_lib.recurrent.rnn import RNNCell


def reference(y: Tensor, s: Tensor, h: Tensor, mask: Tensor, weights: Weights) -> tuple[Tensor, Tensor]:
    """s_1 … and α_1 … from y_1 … (batch, i, word size), s_0 (batch, query size) and h (batch, j, key size).

    e_ij = score(s_{i−1}, h_j, Σ_{k<i} α_kj),  α_i = softmax(e_i),  c_i = Σ_j α_ij h_j,
    s_i = tanh(W_y y_i + W_c c_i + W_s s_{i−1} + b)
    """
    h = h.masked_fill(~mask.unsqueeze(2), 0)
    cell = RNNCell(y.shape[2] + h.shape[2], s.shape[1])
    given = {"W_x": torch.cat([weights["W_y"], weights["W_c"]], 1), "W_h": weights["W_s"], "b": weights["b"]}
    outputs, α, covered = [], [], torch.zeros_like(h[..., 0])
    for word in y.unbind(1):
        e = score(s, h, covered, weights)
        α.append(attention.masked_softmax(e.unsqueeze(1), mask.unsqueeze(1)))
        covered = torch.cat(α, 1).sum(1)
        c = attention.context(α[-1], h).squeeze(1)
        (s,) = functional_call(cell, given, (torch.cat([word, c], 1), (s,)))
        outputs.append(s)
    return torch.stack(outputs, 1), torch.cat(α, 1)


# Mistakes


def same(x, *_):
    return x


def cleaned(h, mask):
    return torch.where(mask.unsqueeze(2), h, 0)


def attend(s, h, mask, coverage, W):
    return softmax(additive(s, h, coverage, W).unsqueeze(1), mask).squeeze(1)


def average(α, h):
    return (α.unsqueeze(1) @ h).squeeze(1)


def summed(y, c, s, W):
    return y @ W["W_y"].T + c @ W["W_c"].T + s @ W["W_s"].T + W["b"]


def unit(*given):
    return torch.tanh(summed(*given))


def defined(
    y,
    s,
    h,
    mask,
    weights,
    given=same,
    read=same,
    clean=cleaned,
    word=lambda y, i: y[:, i],
    asks=same,
    weigh=attend,
    of=same,
    look=average,
    carry=same,
    step=unit,
    cover=lambda past, none: sum(past, none),
    give=lambda states, α, start: (states, α),
):
    W, h, start, states, past = given(weights), clean(h, mask), s, [], []
    for i in range(y.shape[1]):
        coverage = cover(past, h.new_zeros(h.shape[:2]))
        α = weigh(asks(s, start, word(y, i)), h, read(mask), coverage, W)
        s = step(word(y, i), look(of(α, past), h), carry(s, start), W)
        states.append(s)
        past.append(α)
    return give(torch.stack(states, 1), torch.stack(past, 1), start)


wrong = versions(defined)


@mistake("weights")
def the_new_state_asks(y, s, h, mask, weights):
    """A state that has read the word already asks, as in Luong's decoder. Here s_{i−1} asks: its context is needed to
    make s_i."""
    nothing = torch.zeros_like(h[:, 0])
    return defined(y, s, h, mask, weights, asks=lambda s, start, y: unit(y, nothing, s, weights))


LUONG = (
    "Your unit makes s_i first, and s_i asks: Luong's order. Here s_{i−1} asks, and its context goes into the unit "
    "that makes s_i."
)


@mistake("weights", LUONG)
def the_order_of_Luong(y, s, h, mask, weights, feed=same):
    h, states, past = cleaned(h, mask), [], []
    c = torch.zeros_like(h[:, 0])
    for word in y.unbind(1):
        s = unit(word, feed(c), s, weights)
        α = attend(s, h, mask, sum(past, torch.zeros_like(h[..., 0])), weights)
        c = average(α, h)
        states.append(s)
        past.append(α)
    return torch.stack(states, 1), torch.stack(past, 1)


the_order_of_Luong_without_the_context = versions(the_order_of_Luong)("weights", feed=torch.zeros_like)(LUONG)
UNMASKED = "Words that are not real get a share of your weights: give the mask to the softmax."
all_words_real = wrong("padding", read=torch.ones_like, clean=same)(UNMASKED)
all_weights_real = wrong("padding", read=torch.ones_like)(UNMASKED)
weights_before_states = wrong("weights", give=lambda states, α, start: (α, states))(
    "You return the weights first. The states come first, then the weights."
)
the_last_step_only = wrong("weights", give=lambda states, α, start: (states[:, -1], α[:, -1]))(
    "You return the last step's state and weights. Those of every step are wanted, (batch, i, …)."
)
s_0_among_the_states = wrong("state", give=lambda states, α, start: (torch.cat([start.unsqueeze(1), states], 1), α))(
    "Your states begin with s_0. The first that is returned is s_1."
)


@mistake("state")
def mean_of_all_words(y, s, h, mask, weights):
    """Your context is the mean of the h. The weights say how much each counts."""
    return defined(y, s, h, mask, weights, look=lambda α, h: h.sum(1) / mask.unsqueeze(2).sum(1))


the_best_word_only = wrong("state", look=lambda α, h: h[torch.arange(len(h)), α.argmax(1)])(
    "Your context is the h with the largest weight. It is the sum of all h, each times its weight: only so a gradient "
    "reaches the scores."
)
no_context = wrong("state", look=lambda α, h: torch.zeros_like(h[:, 0]))(
    "Your state does not depend on the context: W_c c_i is missing."
)
no_state_before = wrong("state", given=lambda W: W | {"W_s": torch.zeros_like(W["W_s"])})(
    "Your unit does not read the state before it: W_s s_{i−1} is missing from the sum."
)
no_word = wrong("state", word=lambda y, i: torch.zeros_like(y[:, i]))(
    "Your unit does not read the word: W_y y_i is missing from the sum."
)
words_one_step_late = wrong("state", word=lambda y, i: y[:, i - 1] if i else torch.zeros_like(y[:, 0]))(
    "Step i of yours reads y_{i−1}, and the first one 0. `y` is shifted already: step i reads y_i."
)
context_of_the_step_before = wrong("carry", of=lambda α, past: past[-1] if past else α)(
    "From the second step on, your context is made with the weights of the step before. c_i is made with α_i."
)
no_tanh = wrong("state", step=summed)("The tanh around the new state is missing.")
no_bias = wrong("state", given=lambda W: W | {"b": torch.zeros_like(W["b"])})("You leave out the bias b.")
s_0_asks_at_every_step = wrong("carry", asks=lambda s, start, y: start)(
    "The state that asks is s_0 at all your steps. At step i it is s_{i−1}."
)
state_not_carried = wrong("carry", carry=lambda s, start: start)(
    "Your unit reads s_0 at every step. At step i it reads s_{i−1}, the state before."
)
s_0_at_every_step = wrong("carry", carry=lambda s, start: start, asks=lambda s, start, y: start)(
    "Every one of your steps starts from s_0. Step i starts from s_{i−1}: it asks, and it goes into the unit."
)
the_first_word_at_every_step = wrong("carry", word=lambda y, i: y[:, 0])(
    "You give the first word to every step. Step i reads y_i."
)
nothing_is_covered = wrong("coverage", cover=lambda past, none: none)(
    "Your coverage stays 0. After each step its weights are added to it."
)
only_the_step_before_is_covered = wrong("coverage", cover=lambda past, none: past[-1] if past else none)(
    "Your coverage is the weights of the step before. It is the sum of all steps before."
)
mean_coverage = wrong("coverage", cover=lambda past, none: sum(past, none) / max(1, len(past)))(
    "You divide the coverage by the number of steps. It is a sum: it grows."
)
coverage_returned = wrong("carry", give=lambda states, α, start: (states, α.cumsum(1)))(
    "The weights that you return add up from step to step: that is the coverage. Each step's own are wanted."
)
padding_within_the_context = wrong("padding", clean=same)(
    "An h that is not real has weight 0, but 0 · NaN is NaN: a product with 0, of the weights or of the mask, does not "
    "take NaN out. Put 0 in its place by masked_fill or torch.where, before you compute with it."
)
the_mask_of_the_first_sentence = wrong("batch", read=lambda mask: mask[:1].expand_as(mask))(
    "All your sentences have the first one's mask. Each has its own."
)
all_sentences_within_the_context = wrong("batch", look=lambda α, h: torch.einsum("bj,cjk->bk", α, h))(
    "Your contexts add up the h of all sentences. In an einsum, weights and h must have the same letter for the batch."
)
coverage_cut_off_from_the_gradient = wrong("gradient", cover=lambda past, none: sum(past, none).detach())(
    "No gradient passes through your coverage: is there a detach?"
)


@mistake("gradient")
def changed_after_it_was_used(y, s, h, mask, weights):
    """A tensor that the gradient needs is changed later: by +=, or as part of a larger one into which you write. Write
    coverage = coverage + α, collect the weights in a list, and stack them at the end."""
    coverage = torch.zeros_like(h[:, :, 0])

    def weigh(s, h, mask, _, W):
        α = attend(s, h, mask, coverage, W)
        coverage.add_(α)
        return α

    return defined(y, s, h, mask, weights, weigh=weigh)


def numbers_for(*numbers):
    """h cleaned by what its numbers are, not by the mask: other numbers for NaN, ∞ and −∞; None: the largest."""
    return lambda h, mask: h.nan_to_num(*numbers)


large_numbers = numbers_for(0.0)
CLEANED = large_numbers, numbers_for(0.0, 0.0), numbers_for(0.0, None, 0.0)
large_numbers_put_for_infinity = wrong("gradient", clean=large_numbers)(
    "You put 0 for NaN, and a number of the largest size for ∞, for −∞ or for both, as nan_to_num does unless it is "
    "given others. On the way back it overflows: the gradient is NaN. Put 0 in the place of every h that is not real: "
    "the mask says which."
)
query_cut_off_from_the_gradient = wrong("gradient", asks=lambda s, start, y: s.detach())(
    "No gradient passes from the scores to the state that asks: is there a detach?"
)

# Cases


def draw(
    steps: tuple[int, int],
    batch: tuple[int, int] = (1, 1),
    padded: bool = False,
    pads: tuple[float, ...] = (),
    covers: bool = False,
) -> Callable[[Random, int], Case]:
    """So many steps, each number of them in turn, and sentences; `padded`: not all words are real; `pads`: what h is
    there; `covers`: w ≠ 0. Four steps are more than there are words.
    """

    def drawn(rng: Random, size: int) -> Case:
        key, query, hidden, embedding = rng.sample(range(2, 6), 4)
        times = steps[0] + size % (steps[1] - steps[0] + 1)
        sentences, words = rng.randint(*batch), 3 if times == 4 else rng.randint(3, 4)
        y, s, h = (tensor(rng, sentences, *shape) for shape in ((times, embedding), (query,), (words, key)))
        lengths = [words] * sentences
        if padded:
            lengths = [rng.randint(1, words - 1), *(rng.randint(1, words) for _ in range(sentences - 1))]
            rng.shuffle(lengths)
        mask = rows(rng, lengths, words)
        given = score_weights(rng, hidden, key, query)
        given["v"] *= 2  # weights that are far from equal
        given["w"] *= 2 * covers
        sizes = {"W_y": embedding, "W_c": key, "W_s": query}
        given |= {name: matrix(rng, query, size) for name, size in sizes.items()} | {"b": matrix(rng, query)}
        real = ", ".join(map(str, lengths))
        text = f"{count(sentences, 'sentence')} with {real} of {words} words real, {count(times, 'step')}"
        made = case(text, (query + key + embedding) * hidden * times, y, s, h, mask, given)
        put(rng, pads, h, mask)
        return made

    return drawn


def covered_before(steps: int) -> Callable:
    """The coverage of so many steps before, not of all."""
    return lambda past, none: sum(past[max(0, len(past) - steps) :], none)


def all_steps_count(case: Case) -> bool:
    """Whether the weights are others by more than 0.03 where only some of the steps before are covered."""
    right = defined(*case.arguments)[1]
    others = [defined(*case.arguments, cover=covered_before(steps))[1] for steps in range(right.shape[1] - 1)]
    return all(float((right - other).abs().max()) > 0.03 for other in others)


def draw_covered(rng: Random, size: int) -> Case:
    """With w, of which each step before is seen in the weights."""
    drawn = draw((3, 4), covers=True)
    return until(lambda: (drawn(rng, size),), all_steps_count)[0]


def overflows(case: Case, rng: Random, clean: Callable) -> bool:
    """Whether with what `clean` leaves of an h that is not real the gradient would not be finite."""
    cotangents = with_cotangents(lambda rng, size: case, defined)(rng, 0).extra
    *given, weights = case.arguments
    W_1 = weights["W_1"].clone().requires_grad_()
    values = defined(*given, weights | {"W_1": W_1}, clean=clean)
    (gradient,) = torch.autograd.grad(values, W_1, cotangents)
    return not bool(gradient.isfinite().all())


def draw_infinite(rng: Random, size: int) -> Case:
    """Words that are not real have an infinite h, of either sign: what each of CLEANED leaves there is too large."""
    drawn = draw((3, 4), (2, 3), padded=True, pads=(inf, -inf), covers=True)

    def fits(case: Case) -> bool:
        return all(overflows(case, deepcopy(rng), clean) for clean in CLEANED)

    return until(lambda: (drawn(rng, size),), fits)[0]


BOTH = "states weights"

TASK = task(
    __name__,
    "A decoder that looks at the source",
    returns=BOTH,
    kind=Numbers,
    lent=(additive_score, masked_softmax),
    criteria=(
        criterion("weights", 1, draw((1, 1)), "weights")("The first step's weights: s_0 asks."),
        criterion("state", 1, draw((1, 1)), "states")("The first step's state: from the word, the context and s_0."),
        criterion("carry", 1, draw((2, 4)), BOTH)(
            "Several steps, with w = 0: each starts from the state before it, which asks."
        ),
        criterion("coverage", 1, draw_covered, BOTH)("With w: the score knows all weights of the steps before."),
        criterion("padding", 0.5, draw((1, 1), padded=True, pads=ANYTHING), BOTH)(
            "Words that are not real change nothing, whatever their h: even NaN."
        ),
        criterion("batch", 0.5, draw((2, 3), (2, 3), padded=True, covers=True), BOTH)(
            "Several sentences with masks of their own."
        ),
        gradient(
            alternate(draw((3, 4), (2, 3), padded=True, pads=NAN, covers=True), draw_infinite),
            weights_from=4,
            each=True,
        )(
            "It is fit for training: the gradient of what your function computes is right for y, s, h and every "
            "weight, through all steps; a call changes no argument."
        ),
        dtype(draw((2, 2)))("The states and the weights have the dtype of s, float64 or float32, and its precision."),
    ),
    forbidden=LIBRARY,
)
