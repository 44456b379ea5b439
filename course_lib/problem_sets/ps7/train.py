"""ps7.train: gradients of several batches as of one (Ott et al. 2018, section 3.2), the rate over time, and Adam."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import nn

from course_lib.grading.cases.arguments import leaving
from course_lib.grading.cases.isolate import alternate, until
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.cases.probes import Probe, called
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case, Parts, Task
from course_lib.problem_sets.ps3.models import Few
from course_lib.problem_sets.ps7 import lent, smoothed_loss
from course_lib.problem_sets.ps7 import wrong_train as wrong
from course_lib.problem_sets.ps7.mistakes_train import MISTAKES
from course_lib.problem_sets.ps7.wrong_train import Batch, Trained, Weights
from course_lib.training import adam, losses, schedules

VALUES = "losses trained"


def reference(batches: list[Batch], weights: Weights, accumulate: int, epsilon: float, warmup: int) -> Trained:
    """The loss of each update and the weights at the end: all words of an update's batches are put into one batch."""
    own = nn.ParameterDict({name: nn.Parameter(w.clone()) for name, w in weights.items()})
    d_model, n = own["W"].shape
    optimizer = adam.Adam(own.values(), 1.0, wrong.BETAS, wrong.EPS)
    schedule, found = schedules.inverse_square_root(warmup), []
    with torch.enable_grad():
        for step, start in enumerate(range(0, len(batches), accumulate), start=1):
            real = [(x, y, torch.arange(y.shape[1]) < k[:, None]) for x, y, k in batches[start : start + accumulate]]
            x, y = (torch.cat([each[i][each[2]] for each in real])[None] for i in (0, 1))
            everything = torch.ones_like(y, dtype=torch.bool)
            loss = losses.cross_entropy(x @ own["W"] + own["b"], y, everything, smoothing=epsilon * n / (n - 1))
            optimizer.zero_grad()
            loss.backward()
            optimizer.param_groups[0]["lr"] = schedule(step) * (d_model * warmup) ** -0.5
            optimizer.step()
            found.append(loss.item())
    return found, {name: w.detach() for name, w in own.items()}


# Cases

SCALE = 1e3  # a share of the words, lengths.sum() / words, is a float32: what that rounds off costs nothing
LONG = 3.0  # times x, where there are several updates: gradients are longer than 1, so that clipping shows
FAINT = 1e-5  # times x: Adam's ϵ counts beside the gradient of W
STEEP = 1e-3  # no number of the first gradient is nearer to 0: Adam takes its sign alone


def batch(rng: Random, d: int, vocabulary: int) -> Batch:
    """Two or three sentences, padded with zeros."""
    lengths = [rng.randint(1, 4) for _ in range(rng.randint(2, 3))]
    time = max(lengths) + rng.randint(0, 1)
    x, y = tensor(rng, len(lengths), time, d).double(), torch.zeros(len(lengths), time, dtype=torch.long)
    for row, n in enumerate(lengths):
        x[row, n:] = 0
        y[row, :n] = torch.tensor([rng.randrange(vocabulary) for _ in range(n)])
    return x, y, torch.tensor(lengths)


def draw(count: int, accumulate: int, faint: bool = False) -> Callable[[Random, int], Case]:
    """A training on so many batches, in several updates or one.

    `faint`: in every other case x, and so the gradient of W, is nearly 0.
    """
    several = count > accumulate

    def arguments(rng: Random, size: int) -> tuple:
        d, vocabulary = rng.choice((2, 4)), rng.choice((3, 5))
        weights = {"W": tensor(rng, d, vocabulary).double(), "b": tensor(rng, vocabulary).double()}
        size_of_x = FAINT if faint and size % 2 else LONG if several else 1
        batches = [(size_of_x * x, *rest) for x, *rest in (batch(rng, d, vocabulary) for _ in range(count))]
        return batches, weights, accumulate, rng.choice((0.1, 0.2)), 2 + size % 2

    def drawn(rng: Random, size: int) -> Case:
        slight = faint and size % 2
        fits = partial(clear, least=1e-2 * FAINT if slight else STEEP)
        made = until(lambda: arguments(rng, size), lambda *made: fits(*made) and (not several or clipping_shows(*made)))
        batches, _, together, epsilon, warmup = made
        words = " and ".join(str(wrong.words_of(each)) for each in batches)
        text = f"batches of {words} words, {together} an update, ε = {epsilon}, warm-up {warmup}"
        return Case(made, text + ", x nearly 0" * bool(slight), scale=SCALE)

    return drawn


def draw_precise(rng: Random, size: int) -> Case:
    """One update of one batch; W lies near 30000, where a float32 has two digits after the point: a loss computed in it
    is off by far more than SCALE allows."""
    batches, weights, *rest = draw(1, 1)(rng, 0).arguments
    weights = {"W": 30_000 + weights["W"], "b": weights["b"]}
    return Case((batches, weights, *rest), f"a batch of {wrong.words_of(batches[0])} words, W near 30000", scale=SCALE)


def clear(
    batches: list[Batch], weights: Weights, accumulate: int, epsilon: float, warmup: int, least: float = STEEP
) -> bool:
    """Whether no number of the first update's gradient is near 0 (W: `least`), and batches differ in their words."""
    first = batches[:accumulate]
    own = {name: w.clone().requires_grad_() for name, w in weights.items()}
    words = [wrong.words_of(each) for each in batches]
    with torch.enable_grad():
        each = [wrong.loss_of(batch, own, epsilon) for batch in first]
        gradients = wrong.gradients_of(wrong.by_words(each, words[: len(first)], accumulate), own)
    return len({*words}) == len(words) and all(
        g.abs().min().item() > (least if name == "W" else STEEP) for name, g in gradients.items()
    )


def clipping_shows(*arguments: object) -> bool:
    """Whether gradients that are clipped to norm 1 give other weights."""
    (_, right), (_, moved) = wrong.defined(*arguments), wrong.clipped(*arguments)
    return any(bool((right[name] - moved[name]).abs().max() > 1e-3) for name in right)


def plainly(values: Parts) -> Parts:
    """The values with each loss as a number, if it is one in a tensor."""
    losses = values["losses"]
    if isinstance(losses, (list, tuple)):
        numbers = [each.item() if is_tensor(each) and each.numel() == 1 else each for each in losses]
        return Parts(values | {"losses": numbers})
    if is_tensor(losses) and losses.dim() == 1:
        return Parts(values | {"losses": losses.tolist()})
    return values


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of both values."""

    def probe(function: Callable, case: Case) -> Parts:
        values = plainly(called(function, case.arguments, VALUES.split()))
        return Parts((name, values[name]) for name in wanted.split())

    return probe


LOSSES, TRAINED = looking_at("losses"), looking_at("trained")

TASK = Task(
    name="ps7.train",
    title="Training with accumulated gradients",
    reference=reference,
    lent=(lent.smoothed_loss, lent.learning_rate, lent.adam_step),
    criteria=(
        Few(
            "loss",
            0.5,
            "The loss of an update of one batch, computed in float64.",
            alternate(*[draw(1, 1)] * 2, draw_precise),
            visible=3,
            graded=3,
            probe=LOSSES,
        ),
        Few("words", 1, "The loss of an update of several batches: all words alike.", draw(3, 3), probe=LOSSES),
        Few("update", 1, "The weights after one update.", draw(2, 2, faint=True), probe=TRAINED),
        Few("updates", 1.5, "The weights after several updates.", draw(6, 2), probe=TRAINED),
        Few("rest", 0.5, "The last update takes the batches that are left.", draw(5, 2), probe=looking_at(VALUES)),
        Few(
            "arguments",
            0.5,
            "The batches and weights that were given are afterwards as they were.",
            draw(2, 2),
            probe=leaving("batches weights accumulate epsilon warmup"),
        ),
    ),
    misconceptions=MISTAKES,
    forbidden=(*smoothed_loss.TASK.forbidden, "torch.optim.Optimizer.__init__"),
)
