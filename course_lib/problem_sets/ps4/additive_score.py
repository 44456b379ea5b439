"""ps4.additive_score: v^⊤ tanh(W_1 h_j + W_2 s) (Zhao), with coverage (See, Liu and Manning 2017)."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.attention import Additive
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers, count, tensor
from course_lib.grading.declare import criterion, dtype, gradient, mistake, task, versions
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.states import LIBRARY, Weights, case, score_weights


def reference(s: Tensor, h: Tensor, coverage: Tensor, weights: Weights) -> Tensor:
    """e_j = v^⊤ tanh(W_1 h_j + W_2 s + w coverage_j), (batch, j): the coverage as one more number of each h_j."""
    score = Additive(s.shape[1], h.shape[2] + 1, len(weights["v"]))
    W_1 = torch.cat([weights["W_1"], weights["w"].unsqueeze(1)], 1)
    given = {"W_1.weight": W_1, "W_2.weight": weights["W_2"], "v": weights["v"]}
    return functional_call(score, given, (s.unsqueeze(1), torch.cat([h, coverage.unsqueeze(2)], 2))).squeeze(1)


def additive_score(s, h, coverage, weights):
    """What the exercises after this one may use: its source is lent to them, so it stands alone."""
    import torch

    sums = h @ weights["W_1"].T + (s @ weights["W_2"].T).unsqueeze(1) + coverage.unsqueeze(2) * weights["w"]
    return torch.tanh(sums) @ weights["v"]


# Mistakes


def same(x):
    return x


def defined(
    s,
    h,
    coverage,
    weights,
    asks=same,
    cover=same,
    given=same,
    linear=lambda W, x: x @ W.T,
    join=lambda h, s, c: h + s + c,
    φ=torch.tanh,
    after=same,
):
    W = given(weights)
    covered = cover(coverage).unsqueeze(2) * W["w"]
    return after(φ(join(linear(W["W_1"], h), linear(W["W_2"], asks(s)).unsqueeze(1), covered)) @ W["v"])


wrong = versions(defined)
no_tanh = wrong("one", φ=same)(
    "The tanh is missing: without it s adds the same to every word, and the softmax does not see it."
)
tanh_of_the_score = wrong("one", φ=same, after=torch.tanh)(
    "You take the tanh of the finished score. It belongs around the sum, before v."
)
a_tanh_for_each_term = wrong("one", join=lambda h, s, c: h.tanh() + s.tanh() + c.tanh(), φ=same)(
    "You take a tanh of each term. There is one tanh, around their sum: only so do s and h meet."
)
W_1_and_W_2_exchanged = wrong("one", given=lambda W: W | {"W_1": W["W_2"], "W_2": W["W_1"]})(
    "You multiply h by W_2 and s by W_1. It is W_1 h and W_2 s."
)
matrices_turned = wrong("one", linear=lambda W, x: x @ W)(
    "You compute W_1^⊤h and W_2^⊤s. For rows of states, W_1 h is h @ W_1.T."
)
W_1_turned = wrong("one", given=lambda W: W | {"W_1": W["W_1"].T})(
    "You compute W_1^⊤h. For rows of states, W_1 h is h @ W_1.T; W_2 s of yours is right."
)
W_2_turned = wrong("one", given=lambda W: W | {"W_2": W["W_2"].T})(
    "You compute W_2^⊤s. For rows of states, W_2 s is s @ W_2.T; W_1 h of yours is right."
)
the_state_of_the_decoder_left_out = wrong("one", join=lambda h, s, c: h + c)(
    "Your score does not depend on s: W_2 s is missing from the sum."
)
product_in_place_of_the_sum = wrong("one", join=lambda h, s, c: h * s + c)(
    "You multiply W_1 h by W_2 s. The additive score adds them."
)
v_left_out = wrong("one", given=lambda W: W | {"v": torch.ones_like(W["v"])})(
    "You add up the units of the tanh. v says how much each one counts."
)
softmax_taken_already = wrong("one", after=lambda e: e.softmax(-1))(
    "You return weights: each of your rows adds to 1. Here the scores are wanted, before the softmax."
)
coverage_left_out = wrong("coverage", join=lambda h, s, c: h + s)(
    "Your score does not depend on the coverage: w · coverage_j is missing from the sum."
)
coverage_taken_away = wrong("coverage", join=lambda h, s, c: h + s - c)(
    "You subtract the coverage. Add it: w learns whether it makes the score larger or smaller."
)


@mistake("coverage")
def coverage_outside_the_tanh(s, h, coverage, weights):
    """You add w · coverage_j after the tanh. It is one of the three terms within it."""
    return coverage_left_out(s, h, coverage, weights) + (weights["w"] @ weights["v"]) * coverage


coverage_of_the_whole_sentence = wrong("coverage", cover=lambda c: c.sum(1, keepdim=True).expand_as(c))(
    "Every word of yours gets the coverage of all words together. Each has its own number."
)
the_decoder_state_of_the_first_sentence = wrong("batch", asks=lambda s: s[:1].expand_as(s))(
    "All your sentences are asked by the first one's s. Each has its own."
)

# Cases


def draw(
    sentences: tuple[int, int], length: tuple[int, int], covered: bool = False, alike: bool = True
) -> Callable[[Random, int], Case]:
    """A batch and a length between these sizes, with a coverage or without.

    `alike`: both matrices are square, so that what is turned or exchanged by mistake shows in the numbers.
    """

    def drawn(rng: Random, size: int) -> Case:
        query, key, hidden = [rng.randint(2, 4)] * 3 if alike else rng.sample(range(2, 6), 3)
        batch, time = rng.randint(*sentences), rng.randint(*length)
        s, h = tensor(rng, batch, query), tensor(rng, batch, time, key)
        coverage = tensor(rng, batch, time).abs() + 0.1 if covered else torch.zeros(batch, time)
        words = (
            f"{count(batch, 'sentence')} of {count(time, 'word')}, s of size {query}, h of size {key}, "
            f"v of size {hidden}, {'a' if covered else 'no'} coverage"
        )
        return case(words, (query + key + 1) * hidden, s, h, coverage, score_weights(rng, hidden, key, query))

    return drawn


TASK = task(
    __name__,
    "The additive score, with coverage",
    returns="scores",
    kind=Numbers,
    criteria=(
        criterion("one", 1, draw((1, 1), (1, 1)), "scores")("One word, nothing covered: v^⊤ tanh(W_1 h + W_2 s)."),
        criterion("words", 1, draw((1, 1), (2, 5)), "scores")("The same s meets every word of the sentence."),
        criterion("coverage", 1, draw((1, 1), (2, 5), covered=True), "scores")(
            "Within the tanh, w times how much of this word is covered."
        ),
        criterion("batch", 1, draw((2, 4), (2, 5), covered=True, alike=False), "scores")(
            "Several sentences, each with its own s, h and coverage, of different sizes."
        ),
        gradient(alternate(draw((2, 2), (2, 4), covered=True), draw((2, 2), (2, 4))), weights_from=3)(
            "It is fit for training: the gradient of what your function computes is right for s, h, the coverage and "
            "every weight; a call changes none of them."
        ),
        dtype(draw((1, 1), (4, 5)))("The scores have the dtype of s, float64 or float32, and its precision."),
    ),
    forbidden=(*LIBRARY, "course_lib.attention.scores.Additive.project"),
)
