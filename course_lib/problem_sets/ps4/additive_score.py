"""ps4.additive_score: v^⊤ tanh(W_1 h_j + W_2 s) (Zhao), with coverage (See, Liu and Manning 2017)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor
from torch.func import functional_call

from course_lib.attention import Additive
from course_lib.grading.cases import unfit
from course_lib.grading.cases.isolate import alternate
from course_lib.grading.cases.numbers import Numbers, tensor
from course_lib.grading.cases.precision import precisely
from course_lib.grading.cases.probes import seeing
from course_lib.grading.cases.training import fit_for_training
from course_lib.grading.task import Case, Misconception, Task
from course_lib.problem_sets.ps4 import scores, states
from course_lib.problem_sets.ps4.scores import additive
from course_lib.problem_sets.ps4.states import Weights, case, count, matrix

VALUES = "scores"


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


# Cases


def score_weights(rng: Random, hidden: int, key: int, query: int) -> Weights:
    """W_1, W_2, v and w of a score that is `hidden` wide."""
    shapes = {"W_1": (hidden, key), "W_2": (hidden, query), "v": (hidden,), "w": (hidden,)}
    return {name: matrix(rng, *shape) for name, shape in shapes.items()}


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


value = seeing(VALUES, VALUES)

TASK = Task(
    name="ps4.additive_score",
    title="The additive score, with coverage",
    reference=reference,
    trains=True,
    criteria=(
        Numbers("one", 1, "One word, nothing covered: v^⊤ tanh(W_1 h + W_2 s).", draw((1, 1), (1, 1)), probe=value),
        Numbers("words", 1, "The same s meets every word of the sentence.", draw((1, 1), (2, 5)), probe=value),
        Numbers(
            "coverage",
            1,
            "Within the tanh, w times how much of this word is covered.",
            draw((1, 1), (2, 5), covered=True),
            probe=value,
        ),
        Numbers(
            "batch",
            1,
            "Several sentences, each with its own s, h and coverage, of different sizes.",
            draw((2, 4), (2, 5), covered=True, alike=False),
            probe=value,
        ),
        *fit_for_training(
            "s h coverage weights",
            VALUES,
            additive,
            gradient=(
                "It is fit for training: the gradient of what your function computes is right for s, h, the coverage "
                "and every weight; a call changes none of them.",
                alternate(draw((2, 2), (2, 4), covered=True), draw((2, 2), (2, 4))),
            ),
            dtype=("The scores have the dtype of s, float64 or float32, and its precision.", draw((1, 1), (4, 5))),
            looks=partial(precisely, defined=additive),
        ),
    ),
    misconceptions=(
        Misconception(
            "no tanh",
            scores.without_tanh,
            "one",
            "The tanh is missing: without it s adds the same to every word, and the softmax does not see it.",
        ),
        Misconception(
            "tanh of the score",
            scores.tanh_of_the_score,
            "one",
            "You take the tanh of the finished score. It belongs around the sum, before v.",
        ),
        Misconception(
            "a tanh for each term",
            scores.tanh_of_each,
            "one",
            "You take a tanh of each term. There is one tanh, around their sum: only so do s and h meet.",
        ),
        Misconception(
            "W_1 and W_2 exchanged",
            scores.matrices_exchanged,
            "one",
            "You multiply h by W_2 and s by W_1. It is W_1 h and W_2 s.",
        ),
        Misconception(
            "matrices turned",
            scores.matrices_turned,
            "one",
            "You compute W_1^⊤h and W_2^⊤s. For rows of states, W_1 h is h @ W_1.T.",
        ),
        Misconception(
            "W_1 turned",
            scores.keys_turned_within,
            "one",
            "You compute W_1^⊤h. For rows of states, W_1 h is h @ W_1.T; W_2 s of yours is right.",
        ),
        Misconception(
            "W_2 turned",
            scores.query_turned_within,
            "one",
            "You compute W_2^⊤s. For rows of states, W_2 s is s @ W_2.T; W_1 h of yours is right.",
        ),
        Misconception(
            "the decoder's state left out",
            scores.without_query,
            "one",
            "Your score does not depend on s: W_2 s is missing from the sum.",
        ),
        Misconception(
            "product in place of the sum",
            scores.multiplied,
            "one",
            "You multiply W_1 h by W_2 s. The additive score adds them.",
        ),
        Misconception(
            "v left out", scores.all_units, "one", "You add up the units of the tanh. v says how much each one counts."
        ),
        Misconception(
            "softmax taken already",
            scores.normalised_at_once,
            "one",
            "You return weights: each of your rows adds to 1. Here the scores are wanted, before the softmax.",
        ),
        Misconception(
            "coverage left out",
            scores.without_coverage,
            "coverage",
            "Your score does not depend on the coverage: w · coverage_j is missing from the sum.",
        ),
        Misconception(
            "coverage taken away",
            scores.coverage_taken_away,
            "coverage",
            "You take the coverage away. It is added: what it does to the score, w learns.",
        ),
        Misconception(
            "coverage outside the tanh",
            scores.coverage_after_tanh,
            "coverage",
            "You add w · coverage_j after the tanh. It is one of the three terms within it.",
        ),
        Misconception(
            "coverage of the whole sentence",
            scores.coverage_of_all_words,
            "coverage",
            "Every word of yours gets the coverage of all words together. Each has its own number.",
        ),
        Misconception(
            "the first sentence's decoder state",
            scores.first_query,
            "batch",
            "All your sentences are asked by the first one's s. Each has its own.",
        ),
        *unfit.mistakes(additive, weights_from=3),
    ),
    forbidden=(*states.LIBRARY, "course_lib.attention.scores.Additive.project"),
)
