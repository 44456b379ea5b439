"""The step of ps3.training_step: right, and wrong in the ways that people get it wrong."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from course_lib.problem_sets.ps3 import forced_scores
from course_lib.problem_sets.ps3.models import Model, Pairs

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


def without_the_end(words: Tensor, scores: Tensor, m: Tensor) -> Tensor:
    real = torch.arange(words.shape[1]) < (m - 1)[:, None]
    return -words[real].sum() / (m - 1).sum()


def largest_norm(gradients: Sequence[Tensor]) -> Tensor:
    return max(each.norm() for each in gradients)


def sum_of_norms(gradients: Sequence[Tensor]) -> Tensor:
    return sum(each.norm() for each in gradients)


ENCODER = 4  # gradients of the encoder, which come first


def of_the_decoder(gradients: Sequence[Tensor]) -> Tensor:
    return norm_of(gradients[ENCODER:])


def square_of_the_norm(gradients: Sequence[Tensor]) -> Tensor:
    return sum((each**2).sum() for each in gradients)


def largest(gradients: Sequence[Tensor]) -> Tensor:
    return max(each.abs().max() for each in gradients)


def each_by_its_own(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [each * min(1.0, max_norm / each.norm()) if each.any() else each for each in gradients]


def each_network_by_its_own(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    networks = gradients[:ENCODER], gradients[ENCODER:]
    return [each for network in networks for each in clipped(network, norm_of(network), max_norm)]


def clamped(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [each.clamp(-max_norm, max_norm) for each in gradients]


def always_scaled(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [each * max_norm / norm for each in gradients]


def never_clipped(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> Sequence[Tensor]:
    return gradients


def twice_the_norm(gradients: Sequence[Tensor]) -> Tensor:
    return 2 * norm_of(gradients)


def twice(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return clipped([2 * each for each in gradients], norm, max_norm)


def zero_norm(gradients: Sequence[Tensor]) -> Tensor:
    return 0 * norm_of(gradients)


def emptied(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> list[Tensor]:
    return [torch.zeros_like(each) for each in gradients]


def unit_length(gradients: Sequence[Tensor], norm: Tensor, max_norm: float) -> Sequence[Tensor]:
    return [each / norm for each in gradients] if norm > max_norm else gradients


def asked_for_gradients(pairs: Pairs, weights: Model, *rest) -> Step:
    for each in flat(weights):
        each.requires_grad_()
    return defined(pairs, weights, *rest)


def gradients_asked_for_and_left(pairs: Pairs, weights: Model, *rest) -> Step:
    for each in flat(weights):
        each.requires_grad_()
        each.grad = torch.zeros_like(each)
    return defined(pairs, weights, *rest)


def gradients_left(pairs: Pairs, weights: Model, *rest) -> Step:
    step = gradients_asked_for_and_left(pairs, weights, *rest)
    for each in flat(weights):
        each.requires_grad_(False)
    return step


def in_place(pairs: Pairs, weights: Model, *rest) -> Step:
    loss, norm, updated = defined(pairs, weights, *rest)
    for old, new in zip(flat(weights), flat(updated), strict=True):
        old.data.copy_(new)
    return loss, norm, weights
