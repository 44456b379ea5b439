"""ps7.train: gradients of several batches as of one (Ott et al. 2018, section 3.2), the rate over time, and Adam."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor, nn

from course_lib.grading.cases.isolate import alternate, until
from course_lib.grading.cases.numbers import Numbers, converted, tensor
from course_lib.grading.cases.probes import Probe, returned_values
from course_lib.grading.compare import is_tensor
from course_lib.grading.declare import arguments, changing, criterion, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps7 import adam_step as steps  # names that nobody lends a function of
from course_lib.problem_sets.ps7 import learning_rate as rates
from course_lib.problem_sets.ps7 import lent
from course_lib.problem_sets.ps7 import smoothed_loss as smoothing
from course_lib.training import adam, losses, schedules

Batch = tuple[Tensor, Tensor, Tensor]  # x (batch, time, d), target (batch, time), lengths (batch)
Weights = dict[str, Tensor]  # W (d, vocabulary), b (vocabulary)
Trained = tuple[list[float], Weights]
BETAS, EPS = (0.9, 0.98), 1e-9


def reference(batches: list[Batch], weights: Weights, accumulate: int, epsilon: float, warmup: int) -> Trained:
    """The loss of each update and the weights at the end: all words of an update's batches are put into one batch."""
    own = nn.ParameterDict({name: nn.Parameter(w.clone()) for name, w in weights.items()})
    d_model, n = own["W"].shape
    optimizer = adam.Adam(own.values(), 1.0, BETAS, EPS)
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


# Mistakes


def loss_of(batch, weights, epsilon):
    x, target, lengths = batch
    return smoothing.defined(x @ weights["W"] + weights["b"], target, lengths, epsilon)


def words_of(batch):
    return int(batch[2].sum())


def by_words(losses, words, n):
    """The mean over all words."""
    return sum(loss * count for loss, count in zip(losses, words, strict=True)) / sum(words)


def groups(batches, n):
    """The batches of each update: n, and at last those that are left."""
    return [batches[start : start + n] for start in range(0, len(batches), n)]


def gradients_of(loss, weights):
    return dict(zip(weights, torch.autograd.grad(loss, [*weights.values()]), strict=True))


def rate_of(step, warmup, weights):
    return rates.defined(step, warmup, len(weights["W"]))


def defined(
    batches,
    weights,
    accumulate,
    epsilon,
    warmup,
    split=groups,
    loss=loss_of,
    count=words_of,
    join=by_words,
    told=None,
    rate=rate_of,
    keep=lambda state: state,
    moves=("W", "b"),
    carried=False,
    eps=EPS,
    change=lambda gradients: gradients,
):
    """`told` is how the losses that are returned are joined, if otherwise than those that make the gradient.

    `carried`: gradients are added to those of the updates before.
    """
    losses, state = [], {}
    sums = {name: torch.zeros_like(w) for name, w in weights.items()}
    for step, group in enumerate(split(batches, accumulate), start=1):
        own = {name: w.detach().clone().requires_grad_() for name, w in weights.items()}
        each, words = [loss(batch, own, epsilon) for batch in group], [count(batch) for batch in group]
        total = join(each, words, accumulate)
        gradients = change(gradients_of(total, own))
        if carried:
            gradients = sums = {name: sums[name] + g for name, g in gradients.items()}
        given, moving = {name: w.detach() for name, w in own.items()}, {name: gradients[name] for name in moves}
        weights, state = steps.defined(given, moving, keep(state), rate(step, warmup, weights), BETAS, eps)
        losses.append((told(each, words, accumulate) if told else total).item())
    return losses, weights


def sum_over_words(losses, words, n):
    return by_words(losses, words, n) * sum(words)


wrong = versions(defined)
plain_loss = wrong("loss", loss=lambda batch, weights, epsilon: loss_of(batch, weights, 0.0))(
    "You never use ε: your losses are those without smoothing."
)
mean_of_batch_means = wrong("words", join=lambda losses, words, n: sum(losses) / len(losses))(
    "You take the mean of the batches' losses: so a word of a small batch counts for more. Weigh each batch's loss by "
    "its number of real words."
)
divided_by_accumulate = wrong("words", join=lambda losses, words, n: sum(losses) / n)(
    "You divide each batch's loss by `accumulate`: batches of few words count as much as large ones, and the last "
    "update may have fewer batches. Weigh by the real words of the update."
)
sum_of_batch_means = wrong("words", join=lambda losses, words, n: sum(losses))(
    "You add up the batches' losses. The loss is the mean over all words of the update."
)
sum_over_the_words = wrong("loss", join=sum_over_words)("You add up the losses of all words. Divide by their number.")
the_last_batch_alone = wrong("words", join=lambda losses, words, n: losses[-1])(
    "Of each update you use the last batch alone: are the gradients of the others thrown away?"
)
the_first_batch_alone = wrong("words", join=lambda losses, words, n: losses[0])(
    "Of each update you use one batch alone."
)
weighed_by_sentences = wrong("words", count=lambda batch: len(batch[2]))(
    "You weigh batches by their sentences. Weigh by their real words."
)
weighed_by_places = wrong("words", count=lambda batch: batch[1].numel())(
    "You weigh batches by their places, padding included. Weigh by their real words."
)
weighed_by_words_whose_x_is_not_0 = wrong("words", count=lambda batch: int(batch[0].any(-1).sum()))(
    "You take a word whose x is 0 for padding. A real word may have any x: `lengths` says which are real."
)
right_gradient_but_the_mean_of_means_is_the_loss = wrong(
    "words", told=lambda losses, words, n: sum(losses) / len(losses)
)("Your weights are right, but the loss that you return is the mean of the batches' means.")
right_gradient_but_the_last_batch_gives_the_loss = wrong("words", told=lambda losses, words, n: losses[-1])(
    "Your weights are right, but the loss that you return is that of the update's last batch."
)
right_loss_but_gradient_of_the_sum_over_the_words = wrong("updates", join=sum_over_words, told=by_words)(
    "Your losses are right, but your gradient is that of the sum over the words. Divide it, too, by the number of "
    "words of the update."
)
right_loss_but_gradients_of_the_batches_added = wrong(
    "updates", join=lambda losses, words, n: sum(losses), told=by_words
)(
    "Your losses are right, but your gradient is the sum of the batches' gradients. Weigh each by the batch's share of "
    "the words."
)


@mistake("loss")
def the_loss_after_the_update(batches, weights, accumulate, epsilon, warmup):
    """Your losses are those of the weights after each update. Return those of the weights before it."""
    losses, trained = [], weights
    for i, group in enumerate(groups(batches, accumulate), start=1):
        _, trained = defined(batches[: i * accumulate], weights, accumulate, epsilon, warmup)
        each = [loss_of(batch, trained, epsilon) for batch in group]
        losses.append(by_words(each, [*map(words_of, group)], accumulate).item())
    return losses, trained


every_batch_an_update = wrong("words", split=lambda batches, n: [[batch] for batch in batches])(
    "You update the weights after each batch. Do it after `accumulate` of them."
)
b_stays = wrong("update", moves=("W",))("You move W alone. b is trained, too.")
updates_counted_from_0 = wrong("update", rate=lambda step, warmup, weights: rate_of(step - 1, warmup, weights))(
    "You count updates from 0: the first one has rate 0. They are counted from 1."
)
always_the_peak = wrong("update", rate=lambda step, warmup, weights: rate_of(warmup, warmup, weights))(
    "You take the rate of the step `warmup` for each update. The first update takes that of step 1."
)
another_epsilon = wrong("update", eps=1e-8)(
    "Your weights are those of ϵ = 10⁻⁸, which torch takes where none is given. Here it is 10⁻⁹."
)


@mistake("loss")
def computed_in_float32(batches, weights, *rest):
    """You compute in float32, at least in part: your losses are further off than one rounding at the end. Is something
    on the way a float32, as after .float() or in a tensor that was made without a dtype?"""
    single = ([converted(batch, torch.float32) for batch in batches], converted(weights, torch.float32))
    return converted(defined(*single, *rest), torch.float64)


@mistake("update")
def batches_counted(batches, weights, accumulate, epsilon, warmup):
    """You count batches for the rate. A step of the schedule is an update."""

    def rate(step, warmup, weights):
        return rate_of(min(step * accumulate, len(batches)), warmup, weights)

    return defined(batches, weights, accumulate, epsilon, warmup, rate=rate)


@mistake("updates")
def the_first_batch_of_each_update_counted(batches, weights, accumulate, *rest):
    """For the rate of an update you count the batches up to its first one. A step of the schedule is an update."""

    def rate(step, warmup, weights):
        return rate_of((step - 1) * accumulate + 1, warmup, weights)

    return defined(batches, weights, accumulate, *rest, rate=rate)


the_number_of_words_for_the_width = wrong(
    "update", rate=lambda step, warmup, weights: rates.defined(step, warmup, weights["W"].shape[1])
)("You take the number of words for d_model. It is the number of W's rows.")
always_the_first_rate = wrong("updates", rate=lambda step, warmup, weights: rate_of(1, warmup, weights))(
    "Every update of yours has the rate of the first."
)


def no_longer_than_1(gradients):
    """All gradients together clipped to norm 1."""
    norm = torch.stack([g.norm() for g in gradients.values()]).norm()
    return {name: g / norm.clamp(min=1) for name, g in gradients.items()}


gradients_clipped = wrong("updates", change=no_longer_than_1)(
    "You clip the gradients to norm 1, as the lecture does. Here nothing is clipped."
)
each_gradient_clipped = wrong(
    "updates", change=lambda gradients: {name: g / g.norm().clamp(min=1) for name, g in gradients.items()}
)("You clip each gradient to norm 1. Here nothing is clipped.")
state_forgotten = wrong("updates", keep=lambda state: {})(
    "Each update of yours begins with an empty state. Hand on what adam_step returned."
)
gradients_never_set_to_0 = wrong("updates", carried=True)(
    "The gradients of earlier updates are still in yours: backward adds. Begin each update with none."
)
the_rest_dropped = wrong("rest", split=lambda batches, n: [each for each in groups(batches, n) if len(each) == n])(
    "You leave out the batches that are left at the end. They make a last, smaller update."
)


@changing("arguments", defined)
def gradients_asked_of_the_given_weights(batches, weights, *rest):
    """You call requires_grad_() on the weights that you were given: they are not as they were. Take gradients with
    respect to copies, w.detach().clone()."""
    for each in weights.values():
        each.requires_grad_()


@mistake("arguments")
def weights_changed_in_place(batches, weights, *rest):
    """You change the weights that you were given. Return new ones."""
    losses, trained = defined(batches, weights, *rest)
    with torch.no_grad():
        for name, each in weights.items():
            each.copy_(trained[name])
    return losses, trained


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


def draw(count: int, accumulate: int, faint: bool = False, blank: bool = False) -> Callable[[Random, int], Case]:
    """A training on so many batches, in several updates or one.

    `faint`: in every other case x, and so the gradient of W, is nearly 0. `blank`: the first real word has x = 0.
    """
    several = count > accumulate

    def arguments(rng: Random, size: int) -> tuple:
        d, vocabulary = rng.choice((2, 4)), rng.choice((3, 5))
        weights = {"W": tensor(rng, d, vocabulary).double(), "b": tensor(rng, vocabulary).double()}
        size_of_x = FAINT if faint and size % 2 else LONG if several else 1
        batches = [(size_of_x * x, *rest) for x, *rest in (batch(rng, d, vocabulary) for _ in range(count))]
        if blank:
            batches[0][0][0, 0] = 0
        return batches, weights, accumulate, rng.choice((0.1, 0.2)), 2 + size % 2

    def drawn(rng: Random, size: int) -> Case:
        slight = faint and size % 2
        fits = partial(clear, least=1e-2 * FAINT if slight else STEEP)
        made = until(lambda: arguments(rng, size), lambda *made: fits(*made) and (not several or clipping_shows(*made)))
        batches, _, together, epsilon, warmup = made
        words = " and ".join(str(words_of(each)) for each in batches)
        text = f"batches of {words} words, {together} an update, ε = {epsilon}, warm-up {warmup}"
        return Case(made, text + ", x nearly 0" * bool(slight), scale=SCALE)

    return drawn


def draw_precise(rng: Random, size: int) -> Case:
    """One update of one batch; W lies near 30000, where a float32 has two digits after the point: a loss computed in it
    is off by far more than SCALE allows."""
    batches, weights, *rest = draw(1, 1)(rng, 0).arguments
    weights = {"W": 30_000 + weights["W"], "b": weights["b"]}
    return Case((batches, weights, *rest), f"a batch of {words_of(batches[0])} words, W near 30000", scale=SCALE)


def clear(batches: list[Batch], weights: Weights, accumulate: int, epsilon: float, warmup: int, least: float) -> bool:
    """Whether no number of the first update's gradient is near 0 (W: `least`), and batches differ in their words."""
    own = {name: w.clone().requires_grad_() for name, w in weights.items()}
    words = [words_of(each) for each in batches]
    with torch.enable_grad():
        each = [loss_of(batch, own, epsilon) for batch in batches[:accumulate]]
        gradients = gradients_of(by_words(each, words[:accumulate], accumulate), own)
    return len({*words}) == len(words) and all(
        g.abs().min().item() > (least if name == "W" else STEEP) for name, g in gradients.items()
    )


def clipping_shows(*given: object) -> bool:
    """Whether gradients that are clipped to norm 1 give other weights."""
    (_, right), (_, moved) = defined(*given), gradients_clipped(*given)
    return any(bool((right[name] - moved[name]).abs().max() > 1e-3) for name in right)


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of both values: at each loss as a number, if it is one in a tensor."""

    def probe(function: Callable, case: Case) -> Parts:
        values = returned_values(function, case.arguments, ["losses", "trained"])
        losses = values["losses"]
        if isinstance(losses, (list, tuple)):
            values["losses"] = [each.item() if is_tensor(each) and each.numel() == 1 else each for each in losses]
        elif is_tensor(losses) and losses.dim() == 1:
            values["losses"] = losses.tolist()
        return Parts((name, values[name]) for name in wanted.split())

    return probe


TASK = task(
    __name__,
    "Training with accumulated gradients",
    kind=partial(Numbers, graded=2),  # each case of random weights shows what is wrong
    criteria=(
        criterion("loss", 0.5, alternate(*[draw(1, 1)] * 2, draw_precise), looking_at("losses"), visible=3, graded=3)(
            "The loss of an update of one batch, computed in float64."
        ),
        criterion("words", 1, draw(3, 3, blank=True), looking_at("losses"))(
            "The loss of an update of several batches: all words alike."
        ),
        criterion("update", 1, draw(2, 2, faint=True), looking_at("trained"))("The weights after one update."),
        criterion("updates", 1.5, draw(6, 2), looking_at("trained"))("The weights after several updates."),
        criterion("rest", 0.5, draw(5, 2), looking_at("losses trained"))(
            "The last update takes the batches that are left."
        ),
        arguments(0.5, draw(2, 2))("The batches and weights that were given are afterwards as they were."),
    ),
    lent=(lent.smoothed_loss, lent.learning_rate, lent.adam_step),
    forbidden=(*smoothing.TASK.forbidden, "torch.optim.Optimizer.__init__"),
)
