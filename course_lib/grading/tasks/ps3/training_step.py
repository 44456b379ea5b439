"""ps3.training_step: loss, gradient, clipping (Pascanu et al. 2013), descent (Sutskever et al. 2014)."""

from collections.abc import Callable, Sequence
from functools import partial
from random import Random

import torch
from torch import Tensor, nn

from course_lib.grading.boundary.proxy import Student, local
from course_lib.grading.cases.arguments import after_call
from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted
from course_lib.grading.cases.probes import Probe, called
from course_lib.grading.compare import is_tensor
from course_lib.grading.task import Case, Misconception, Parts, Task
from course_lib.grading.tasks.ps3 import forced_scores, lent
from course_lib.grading.tasks.ps3.models import FORBIDDEN, Few, Model, model_weights

VALUES = "loss norm updated"
ARGUMENTS = "pairs weights bos eos rate max_norm"
VOCABULARY = forced_scores.VOCABULARY
Pairs = forced_scores.Pairs
Step = tuple[Tensor, Tensor, Model]


def leaves(weights: Model) -> Model:
    """The same weights as parameters of their own."""
    return {part: {n: each.detach().clone().requires_grad_() for n, each in w.items()} for part, w in weights.items()}


def flat(weights: Model) -> list[Tensor]:
    return [each for part in weights.values() for each in part.values()]


def loss_of(words: Tensor, scores: Tensor, m: Tensor) -> Tensor:
    """−log p of a word: of all real words alike."""
    return -words.sum() / m.sum()


def loss_and_words(scored: Callable, loss: Callable, pairs: Pairs, weights: Model, bos: int, eos: int) -> Tensor:
    m = torch.tensor([len(y) + 1 for _, y in pairs])
    return loss(*scored(pairs, weights, bos, eos), m)


def reference(pairs: Pairs, weights: Model, bos: int, eos: int, rate: float, max_norm: float) -> Step:
    """The loss of a word, the norm of its gradient, and W − rate · g, where g is no longer than max_norm."""
    weights = leaves(weights)
    loss = loss_and_words(forced_scores.reference, loss_of, pairs, weights, bos, eos)
    loss.backward()
    norm = nn.utils.clip_grad_norm_(flat(weights), max_norm)
    return loss, norm, {part: {name: w - rate * w.grad for name, w in each.items()} for part, each in weights.items()}


# Wrong versions


def norm_of(gradients: Sequence[Tensor]) -> Tensor:
    """Of all gradients as one long vector."""
    return torch.cat([each.flatten() for each in gradients]).norm()


def clipped(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [each * min(1.0, max_norm / norm) for each in gradients]


def gradients_of(pairs: Pairs, weights: Model, bos: int, eos: int, loss: Callable) -> tuple[Tensor, Model, tuple]:
    weights = leaves(weights)
    value = loss_and_words(forced_scores.defined, loss, pairs, weights, bos, eos)
    return value, weights, torch.autograd.grad(value, flat(weights))


def defined(
    pairs: Pairs,
    weights: Model,
    bos: int,
    eos: int,
    rate: float,
    max_norm: float,
    loss: Callable = loss_of,
    measure: Callable = norm_of,
    clip: Callable = clipped,
    told: Callable = lambda norm, gradients: norm,
    descend: Callable = lambda old, rate, g: old - rate * g,
    moves: tuple[str, ...] = ("encoder", "decoder"),
) -> Step:
    value, weights, gradients = gradients_of(pairs, weights, bos, eos, loss)
    norm = measure(gradients)
    short = clip(gradients, norm, max_norm)
    following = iter(short)
    updated = {
        part: {n: descend(each, rate, g) if part in moves else each for n, each in w.items() for g in [next(following)]}
        for part, w in weights.items()
    }
    return value, told(norm, short), updated


def of_the_sentence(words: Tensor, scores: Tensor, m: Tensor) -> Tensor:
    return -scores.mean()


def of_all(words: Tensor, scores: Tensor, m: Tensor) -> Tensor:
    return -scores.sum()


def of_means(words: Tensor, scores: Tensor, m: Tensor) -> Tensor:
    return -(scores / m).mean()


def over_places(words: Tensor, scores: Tensor, m: Tensor) -> Tensor:
    return -words.mean()


def sum_of_norms(gradients: Sequence[Tensor]) -> Tensor:
    return sum(each.norm() for each in gradients)


def square_of_the_norm(gradients: Sequence[Tensor]) -> Tensor:
    return sum((each**2).sum() for each in gradients)


def largest(gradients: Sequence[Tensor]) -> Tensor:
    return max(each.abs().max() for each in gradients)


def each_by_its_own(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [each * min(1.0, max_norm / each.norm()) if each.any() else each for each in gradients]


def clamped(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [each.clamp(-max_norm, max_norm) for each in gradients]


def always_scaled(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [each * max_norm / norm for each in gradients]


def never_clipped(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> Sequence[Tensor]:
    return gradients


def unit_length(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> Sequence[Tensor]:
    return [each / norm for each in gradients] if norm > max_norm else gradients


def in_place(pairs: Pairs, weights: Model, *rest) -> Step:
    loss, norm, updated = defined(pairs, weights, *rest)
    for old, new in zip(flat(weights), flat(updated), strict=True):
        old.data.copy_(new)
    return loss, norm, weights


# Cases


def draw(reach: tuple[float, float], ragged: bool = False) -> Callable[[Random, int], Case]:
    """Two pairs, and a max_norm so many times the norm of their gradient: below 1, it is clipped.

    `ragged`: targets of two lengths.
    """

    def arguments(rng: Random) -> tuple:
        bos, eos, *words = rng.sample(range(1, VOCABULARY), VOCABULARY - 1)
        most = rng.randint(2, 4)
        lengths = [(rng.randint(1, 3), m) for m in (most, most - (1 + rng.randrange(most)) * ragged)]
        pairs = [tuple(rng.choices(words, k=n) for n in each) for each in lengths]
        weights = model_weights(rng, VOCABULARY)
        norm = norm_of(gradients_of(pairs, weights, bos, eos, loss_of)[2]).item()
        rate, max_norm = round(rng.uniform(0.5, 2), 2), round(norm * rng.uniform(*reach), 2)
        return pairs, weights, bos, eos, rate, max_norm, norm

    def fits(pairs, weights, bos, eos, rate, max_norm, norm) -> bool:
        return 1 < norm < 5

    def drawn(rng: Random, size: int) -> Case:
        *made, norm = until(lambda: arguments(rng), fits)
        lengths = " and ".join(f"{len(x)} → {len(y)}" for x, y in made[0])
        longest = "is clipped" if made[-1] < norm else "is short enough"
        return Case(tuple(made), f"pairs of {lengths} words, a gradient that {longest}", scale=4.0, terms=10)

    return drawn


def looking_at(wanted: str) -> Probe:
    """The probe that looks at the `wanted` of the three values; a number may be a tensor or none."""

    def probe(function: Callable, case: Case) -> Parts:
        values = called(function, case.arguments, VALUES.split())
        return Parts((name, plain(values[name])) for name in wanted.split())

    return probe


def left_alone(function: Callable, case: Case) -> Parts:
    """The probe that looks at the arguments as the call leaves them, and of the result at nothing but its kind."""
    student = function if isinstance(function, Student) else local(function)
    called(student, case.arguments, VALUES.split())
    return after_call(ARGUMENTS, student.leaves(case.arguments))


def plain(value: object) -> object:
    """A number as a tensor without dimensions, in float32."""
    if isinstance(value, (int, float)) or is_tensor(value) and value.numel() == 1 and value.dim() <= 1:
        return torch.as_tensor(value, dtype=torch.float32).reshape(())
    return converted(value, torch.float32)


UNCLIPPED, CLIPPED = (1.5, 3.0), (0.3, 0.6)

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
            1,
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
            draw(UNCLIPPED),
            probe=left_alone,
        ),
    ),
    misconceptions=(
        Misconception(
            "loss of a sentence",
            partial(defined, loss=of_the_sentence),
            "loss",
            "You divide by the number of sentences: your loss is that of a sentence. Divide by the number of words.",
        ),
        Misconception(
            "sum of the losses", partial(defined, loss=of_all), "loss", "You add up all losses. Divide by the words."
        ),
        Misconception(
            "mean of the sentences' means",
            partial(defined, loss=of_means),
            "loss",
            "You take each sentence's mean first: so a word of a short sentence counts for more. All count alike.",
        ),
        Misconception(
            "mean over all places",
            partial(defined, loss=over_places),
            "loss",
            "You divide by the number of places, padding included. Divide by the number of real words.",
        ),
        Misconception(
            "norm after clipping",
            partial(defined, told=lambda norm, gradients: norm_of(gradients)),
            "norm",
            "You return the norm after clipping, which is never more than max_norm: it would not show that training "
            "went astray.",
        ),
        Misconception(
            "sum of the norms",
            partial(defined, measure=sum_of_norms),
            "norm",
            "You add up the norms of the weights' gradients. The norm of all of them is √(Σ of all squares).",
        ),
        Misconception(
            "no square root",
            partial(defined, measure=square_of_the_norm),
            "norm",
            "You forget the square root: the norm is √(Σ of all squares).",
        ),
        Misconception(
            "largest number for the norm",
            partial(defined, measure=largest),
            "norm",
            "Your norm is the largest number of the gradient. It is √(Σ of all squares).",
        ),
        Misconception(
            "upwards",
            partial(defined, descend=lambda old, rate, g: old + rate * g),
            "step",
            "You add the gradient: the loss grows. Subtract it.",
        ),
        Misconception(
            "decoder only",
            partial(defined, moves=("decoder",)),
            "step",
            "The encoder's weights stay where they are. They are trained with the decoder's.",
        ),
        Misconception(
            "rate left out",
            partial(defined, descend=lambda old, rate, g: old - g),
            "step",
            "You subtract the whole gradient: multiply it by `rate`.",
        ),
        Misconception(
            "always scaled to max_norm",
            partial(defined, clip=always_scaled),
            "step",
            "You scale a short gradient up to max_norm. It stays as it is.",
        ),
        Misconception(
            "not clipped", partial(defined, clip=never_clipped), "clipped", "You do not clip: max_norm changes nothing."
        ),
        Misconception(
            "each gradient by its own norm",
            partial(defined, clip=each_by_its_own),
            "clipped",
            "You clip each weight's gradient by its own norm, which turns the direction of the whole. One factor, from "
            "the norm of all, scales them all.",
        ),
        Misconception(
            "values clamped",
            partial(defined, clip=clamped),
            "clipped",
            "You cut single numbers at max_norm. One factor, from the norm of all, scales the whole gradient.",
        ),
        Misconception(
            "scaled to length 1",
            partial(defined, clip=unit_length),
            "clipped",
            "You scale a long gradient to length 1. It is scaled to length max_norm.",
        ),
        Misconception(
            "weights changed in place",
            in_place,
            "arguments",
            "You change the weights that you were given. Return new ones: the caller may compare them with the old.",
        ),
    ),
    forbidden=(
        *FORBIDDEN,
        "torch.optim.Optimizer.__init__",
        "torch.nn.utils.clip_grad_norm_",
        "torch.nn.utils.clip_grad.clip_grad_norm_",
        "torch.nn.utils.get_total_norm",
        "torch.nn.utils.clip_grads_with_norm_",
    ),
)
