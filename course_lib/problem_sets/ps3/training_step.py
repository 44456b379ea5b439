"""ps3.training_step: loss, gradient, clipping (Pascanu et al. 2013), descent (Sutskever et al. 2014)."""

from collections.abc import Callable
from functools import partial
from random import Random

import torch
from torch import Tensor, nn

from course_lib.grading.boundary.proxy import Student, StudentError, local
from course_lib.grading.cases import unfit
from course_lib.grading.cases.arguments import after_call
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted, in_both_dtypes
from course_lib.grading.cases.precision import dtypes_and_precision
from course_lib.grading.cases.probes import Probe, arguments_alone, returned_values
from course_lib.grading.cases.training import named_tensors
from course_lib.grading.compare import difference, is_tensor
from course_lib.grading.declare import criterion, mistake, task, versions
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps3 import forced_scores, lent
from course_lib.problem_sets.ps3.models import FORBIDDEN, Few, Model, Pairs, model_weights

ARGUMENTS = "pairs weights bos eos rate max_norm"
VALUES = "loss norm updated"


def leaves(weights: Model) -> Model:
    """The same weights as parameters of their own."""
    return {part: {n: each.detach().clone().requires_grad_() for n, each in w.items()} for part, w in weights.items()}


def flat(weights: Model) -> list[Tensor]:
    return [each for part in weights.values() for each in part.values()]


def lengths(pairs: Pairs) -> Tensor:
    """How many words each target has, eos included."""
    return torch.tensor([len(y) + 1 for _, y in pairs])


def reference(
    pairs: Pairs, weights: Model, bos: int, eos: int, rate: float, max_norm: float
) -> tuple[Tensor, Tensor, Model]:
    """The loss of a word, the norm of its gradient, and W − rate · g, where g is no longer than max_norm."""
    weights = leaves(weights)
    loss = loss_of(*forced_scores.reference(pairs, weights, bos, eos), lengths(pairs))
    loss.backward()
    norm = nn.utils.clip_grad_norm_(flat(weights), max_norm)
    return loss, norm, {part: {name: w - rate * w.grad for name, w in each.items()} for part, each in weights.items()}


# Mistakes


def loss_of(words, scores, m):
    """−log p of a word: of all real words alike."""
    return -words.sum() / m.sum()


def gradients_of(pairs, weights, bos, eos, loss=loss_of):
    """The loss, parameters, and the gradients of the loss."""
    weights = leaves(weights)
    value = loss(*forced_scores.defined(pairs, weights, bos, eos), lengths(pairs))
    return value, weights, torch.autograd.grad(value, flat(weights))


def norm_of(gradients):
    """Of all gradients as one long vector."""
    return torch.cat([each.flatten() for each in gradients]).norm()


def clipped(gradients, norm, max_norm, beside=0.0):
    return [each * min(1.0, max_norm / (norm + beside)) for each in gradients]


def defined(
    pairs,
    weights,
    bos,
    eos,
    rate,
    max_norm,
    loss=loss_of,
    measure=norm_of,
    clip=clipped,
    told=lambda norm, gradients: norm,
    descend=lambda old, rate, g: old - rate * g,
    moves=("encoder", "decoder"),
):
    value, weights, gradients = gradients_of(pairs, weights, bos, eos, loss)
    norm = measure(gradients)
    short = clip(gradients, norm, max_norm)
    following = iter(short)
    updated = {
        part: {n: descend(each, rate, g) if part in moves else each for n, each in w.items() for g in [next(following)]}
        for part, w in weights.items()
    }
    return value, told(norm, short), updated


wrong = versions(defined)
loss_of_a_sentence = wrong("loss", loss=lambda words, scores, m: -scores.mean())(
    "You divide by the number of sentences: your loss is that of a sentence. Divide by the number of words."
)
sum_of_the_losses = wrong("loss", loss=lambda words, scores, m: -scores.sum())(
    "You add up all losses. Divide by the number of words."
)
mean_of_the_means_of_sentences = wrong("loss", loss=lambda words, scores, m: -(scores / m).mean())(
    "You take each sentence's mean first: so a word of a short sentence counts for more. All count alike."
)
mean_over_all_places = wrong("loss", loss=lambda words, scores, m: -words.mean())(
    "You divide by the number of places, padding included. Divide by the number of real words."
)


def without_the_end(words, scores, m):
    real = torch.arange(words.shape[1]) < (m - 1)[:, None]
    return -words[real].sum() / (m - 1).sum()


end_left_out_of_the_loss = wrong("loss", loss=without_the_end)(
    "Your loss leaves out eos: to stop is predicted, too, and counts like a word."
)
norm_after_clipping = wrong("norm", told=lambda norm, gradients: norm_of(gradients))(
    "You return the norm after clipping, which is never more than max_norm: it would not show that training went "
    "astray."
)
sum_of_the_norms = wrong("norm", measure=lambda gradients: sum(each.norm() for each in gradients))(
    "You add up the norms of the weights' gradients. The norm of all of them is √(Σ of all squares)."
)
largest_norm = wrong("norm", measure=lambda gradients: max(each.norm() for each in gradients))(
    "Your norm is the largest of the norms of the weights' gradients. That of all together is √(Σ of all squares)."
)
ENCODER = 4  # gradients of the encoder, which come first
norm_of_the_decoder_only = wrong("norm", measure=lambda gradients: norm_of(gradients[ENCODER:]))(
    "Your norm is that of the decoder's gradient. The encoder's weights count as well."
)
no_square_root = wrong("norm", measure=lambda gradients: sum((each**2).sum() for each in gradients))(
    "You forget the square root: the norm is √(Σ of all squares)."
)


def largest(gradients):
    return max(each.abs().max() for each in gradients)


largest_number_for_the_norm = wrong("norm", measure=largest)(
    "Your norm is the largest number of the gradient. It is √(Σ of all squares)."
)


def multiplied(by):
    """The parts of who has so many times the right gradient."""
    return {
        "measure": lambda gradients: by * norm_of(gradients),
        "clip": lambda gradients, *lengths: clipped([by * each for each in gradients], *lengths),
    }


gradient_counted_twice = wrong("norm", **multiplied(2))(
    "Your gradient is twice the right one. Does backward run twice? What it gives is added to what is there, unless "
    "the gradients are set to 0 in between."
)
gradient_set_to_0 = wrong("norm", **multiplied(0))(
    "Your gradient is 0 and nothing moves. Is it set to 0 after backward? That is to be done before."
)
weights_returned_as_they_were = wrong("step", moves=())(
    "Your norm is right, and your new weights are the old ones: subtract rate · g, and return what that gives."
)
upwards = wrong("step", descend=lambda old, rate, g: old + rate * g)(
    "Your weights move up the loss: is rate · g added, or g the gradient of log p? Each weight becomes w − rate · g, "
    "where g is the gradient of the loss, −log p."
)
decoder_only = wrong("step", moves=("decoder",))(
    "The encoder's weights stay where they are. They are trained with the decoder's."
)
rate_left_out = wrong("step", descend=lambda old, rate, g: old - g)(
    "You subtract the whole gradient: multiply it by `rate`."
)
short_gradient_scaled_up = wrong(
    "step", clip=lambda gradients, norm, max_norm: [each * max_norm / norm for each in gradients]
)("You scale a gradient up to max_norm though its norm is smaller. It stays as it is.")
not_clipped = wrong("clipped", clip=lambda gradients, norm, max_norm: gradients)(
    "In your step max_norm changes nothing: the gradient is not clipped, or only after the weights have moved."
)
each_gradient_by_its_own_norm = wrong(
    "clipped", clip=lambda gradients, norm, most: [g * min(1.0, most / g.norm()) if g.any() else g for g in gradients]
)(
    "You clip each weight's gradient by its own norm, which turns the direction of the whole. One factor, from the "
    "norm of all, scales them all."
)


def network_by_network(gradients, norm, max_norm):
    networks = gradients[:ENCODER], gradients[ENCODER:]
    return [each for network in networks for each in clipped(network, norm_of(network), max_norm)]


each_network_by_its_own_norm = wrong("clipped", clip=network_by_network)(
    "You clip the encoder's gradient and the decoder's each by its own norm. One factor, from the norm of all, scales "
    "both."
)
values_clamped = wrong(
    "clipped", clip=lambda gradients, norm, max_norm: [each.clamp(-max_norm, max_norm) for each in gradients]
)("You cut single numbers at max_norm. One factor, from the norm of all, scales the whole gradient.")
scaled_to_length_1 = wrong(
    "clipped", clip=lambda gradients, norm, max_norm: [each / norm if norm > max_norm else each for each in gradients]
)("You scale a long gradient to length 1. It is scaled to length max_norm.")


@mistake("arguments")
def weights_changed_in_place(pairs, weights, *others):
    """You change the weights that you were given. Return new ones: the caller may compare them with the old."""
    loss, norm, updated = defined(pairs, weights, *others)
    for old, new in zip(flat(weights), flat(updated), strict=True):
        old.data.copy_(new)
    return loss, norm, weights


@mistake("arguments")
def given_weights_that_ask_for_gradients(pairs, weights, *others):
    """After your call, the caller's `weights` ask for gradients (requires_grad). Take gradients with respect to copies,
    w.detach().clone(), and keep them in dicts of your own."""
    for each in flat(weights):
        each.requires_grad_()
    return defined(pairs, weights, *others)


@mistake("arguments")
def gradients_left_in_the_given_weights(pairs, weights, *others):
    """You leave a gradient in the .grad of weights that you were given: the next backward adds to it. Call backward on
    copies, w.detach().clone().requires_grad_(), or use torch.autograd.grad."""
    step = given_weights_that_ask_for_gradients_and_hold_them(pairs, weights, *others)
    for each in flat(weights):
        each.requires_grad_(False)
    return step


@mistake("arguments")
def given_weights_that_ask_for_gradients_and_hold_them(pairs, weights, *others):
    """After your call, the caller's `weights` ask for gradients (requires_grad), and each has one in its .grad. Take
    gradients with respect to copies, w.detach().clone(), and keep them in dicts of your own."""
    step = given_weights_that_ask_for_gradients(pairs, weights, *others)
    for each in flat(weights):
        each.grad = torch.zeros_like(each)
    return step


single_precision = mistake(
    "dtype", "You were given weights in float64 and return new ones in float32. Keep the dtype of each."
)(unfit.in_single_precision(defined))

# Cases

UNCLIPPED, CLIPPED = (1.5, 3.0), (0.2, 0.4)  # max_norm as a multiple of the norm, from … to
RATES = {UNCLIPPED: (0.5, 2.0), CLIPPED: (6.0, 8.0)}  # a large step of a clipped gradient shows how long it is
NEAR = {UNCLIPPED: (1.1, 1.2), CLIPPED: (0.8, 0.9)}
PRECISE = {"scale": 4.0, "terms": 10}


def shown(gradients: list[Tensor], weights: list[Tensor], rate: float, max_norm: float, beside: float = 1e-3) -> bool:
    """Whether some new weight clearly tells a gradient clipped by norm + `beside` from one that is clipped by norm."""

    def moved(beside: float) -> list[Tensor]:
        short = clipped(gradients, norm_of(gradients), max_norm, beside)
        return [w - rate * g for w, g in zip(weights, short, strict=True)]

    return difference(moved(0.0), moved(beside), Case((), "", **PRECISE | {"scale": 2 * PRECISE["scale"]})) is not None


def draw(far: tuple[float, float], ragged: bool = False, asking: bool = False) -> Callable[[Random, int], Case]:
    """Two pairs, and a max_norm so many times the norm of their gradient: below 1, it is clipped.

    Every second max_norm is near the norm, on the same side of it as the `far` one, and the rate such that rate · norm
    lies on the other side. Where another one clips, a norm that is too large by 1/1000 shows. `ragged`: targets of two
    lengths, every second time one is empty. `asking`: every second time the weights that are given ask for gradients.
    """
    clips, vocabulary = far == CLIPPED, forced_scores.VOCABULARY

    def arguments(rng: Random, size: int) -> tuple:
        bos, eos, *words = rng.sample(range(1, vocabulary), vocabulary - 1)
        most = rng.randint(2, 4)
        sizes = [(rng.randint(1, 3), m) for m in (most, rng.randrange(most) * (1 - size % 2) if ragged else most)]
        pairs = [tuple(rng.choices(words, k=n) for n in each) for each in sizes]
        weights = model_weights(rng, vocabulary)
        gradients = gradients_of(pairs, weights, bos, eos)[2]
        norm = norm_of(gradients).item()
        rates, reach = ((0.2, 0.6) if clips else (1.5, 2), NEAR[far]) if size % 2 else (RATES[far], far)
        rate, max_norm = round(rng.uniform(*rates), 2), round(norm * rng.uniform(*reach), 2)
        shows = True
        if clips and size % 2 == 0:  # who cuts numbers off cuts one
            shows = largest(gradients).item() > 1.2 * max_norm and shown(gradients, flat(weights), rate, max_norm)
        return pairs, weights, bos, eos, rate, max_norm, norm, shows

    def fits(pairs, weights, bos, eos, rate, max_norm, norm, shows) -> bool:
        return 1 < norm < 5 and abs(max_norm - 1) > 0.05 and shows

    def drawn(rng: Random, size: int) -> Case:
        *made, norm, _ = until(lambda: arguments(rng, size), fits)
        sizes = " and ".join(f"{len(x)} → {len(y)}" for x, y in made[0])
        longest = "is clipped" if made[-1] < norm else "is short enough"
        asks = asking and size % 2 == 1
        text = f"pairs of {sizes} words, a gradient that {longest}" + ", weights with requires_grad" * asks
        return Case(tuple(made), text, extra=asks, **PRECISE)

    return drawn


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` one of the three values; a number may be a tensor or none."""

    def probe(function: Callable, case: Case) -> Parts:
        return Parts({wanted: plain(returned_values(function, case.arguments, VALUES.split())[wanted])})

    return probe


def plain(value: object) -> object:
    """A number as a tensor without dimensions, in float32."""
    if isinstance(value, (int, float)) or is_tensor(value) and value.numel() == 1 and value.dim() <= 1:
        return torch.as_tensor(value, dtype=torch.float32).reshape(())
    return converted(value, torch.float32)


def as_they_were(function: Callable, case: Case) -> Parts:
    """The probe that looks at the arguments as a call leaves them; if `case.extra`, of weights that ask for gradients.

    A call that raises an error because they ask shows nothing: what was copied by clone alone has no .grad then.
    """
    student = function if isinstance(function, Student) else local(function)
    seen = arguments_alone(ARGUMENTS, VALUES)(student, case)
    if not case.extra:
        return seen
    try:
        return after_call(ARGUMENTS, student, case.arguments, asking=True)
    except StudentError as error:
        if not error.raises:
            raise
        return Parts(seen | {"after the call, requires_grad of weights": True})


def precise_weights(function: Callable, case: Case) -> Parts:
    """The probe that looks at the dtypes of the new weights and at their precision.

    What the numbers are is for other criteria. Raises StudentError where a tensor is missing.
    """

    def see(arguments: tuple, function: Callable = function) -> dict[str, Tensor]:
        return dict(named_tensors(["updated"], (returned_values(function, arguments, VALUES.split())["updated"],)))

    found = see(case.arguments)
    for name in see(case.arguments, defined):
        if name not in found:
            raise StudentError(
                f"there is no tensor {name}: updated has a dict for each part, its tensors named as the old ones"
            )
    return dtypes_and_precision(see, found, partial(see, function=defined), case)


TASK = task(
    __name__,
    "One step of training",
    kind=Few,
    lent=(lent.shift, lent.sequence_loss, lent.encode, lent.decoder_step, lent.forced_scores),
    criteria=(
        criterion("loss", 1, draw(UNCLIPPED, ragged=True), looking_at("loss"))("The loss of a word, each word alike."),
        criterion("norm", 0.5, draw(CLIPPED), looking_at("norm"))("The norm of the whole gradient, before clipping."),
        criterion("step", 0.5, draw(UNCLIPPED), looking_at("updated"))(
            "A short gradient: every weight moves by −rate · g."
        ),
        criterion("clipped", 1, draw(CLIPPED), looking_at("updated"))(
            "A gradient longer than max_norm is scaled to it, all of it by one factor."
        ),
        criterion("arguments", 0.5, draw(UNCLIPPED, asking=True), as_they_were)(
            "The weights that were given are afterwards as they were."
        ),
        criterion("dtype", 0.5, in_both_dtypes(draw(UNCLIPPED)), precise_weights)(
            "The new weights have the dtype of the old, float64 or float32, and its precision."
        ),
    ),
    forbidden=(
        *FORBIDDEN,
        "torch.optim.Optimizer.__init__",
        "torch.nn.utils.clip_grad.clip_grad_norm_",
        *(f"torch.nn.utils.{name}" for name in ("clip_grad_norm_", "get_total_norm", "clip_grads_with_norm_")),
        "torch.nn.utils.clip_grad._get_total_norm",  # what they call, by whatever name a student has saved them
        "torch.nn.utils.clip_grad._clip_grads_with_norm_",
    ),
)
