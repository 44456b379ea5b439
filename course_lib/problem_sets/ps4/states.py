"""States of a decoder and an encoder for problem set 4, and what may not do the students' work."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor

from course_lib.grading.boundary.student_side import tensors
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.task import Case

Weights = dict[str, Tensor]  # W_1 (hidden, key size), W_2 (hidden, query size), v (hidden), …
Draw = Callable[[Random, int], Case]

LIBRARY = (  # attention as a whole, the lecture's and torch's
    *(f"course_lib.attention.scores.{name}.compare" for name in ("Dot", "Multiplicative", "Additive")),
    *(f"course_lib.attention.{module}{name}" for module in ("", "weights.") for name in ("masked_softmax", "context")),
    *(f"course_lib.seq2seq.attentive.{name}Decoder.step" for name in ("Bahdanau", "Luong")),
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention.forward",
)


def case(words: str, terms: int, *arguments: object) -> Case:
    """A case whose sums have up to `terms` terms, products of two of its finite numbers and weights below 1."""
    finite = [each[each.isfinite()].abs() for each in tensors(arguments) if each.is_floating_point()]
    largest = max(float(each.max()) for each in finite if each.numel())
    return Case(arguments, words, scale=max(1.0, largest) ** 2, terms=terms)


def matrix(rng: Random, *shape: int) -> Tensor:
    """Weights."""
    return tensor(rng, *shape, spread=0.7)


def score_weights(rng: Random, hidden: int, key: int, query: int) -> Weights:
    """W_1, W_2, v and w of an additive score that is `hidden` wide."""
    shapes = {"W_1": (hidden, key), "W_2": (hidden, query), "v": (hidden,), "w": (hidden,)}
    return {name: matrix(rng, *shape) for name, shape in shapes.items()}


def rows(rng: Random, lengths: list[int], words: int) -> Tensor:
    """A mask (batch, word): True for that many words of each sentence, anywhere."""
    mask = torch.zeros(len(lengths), words, dtype=torch.bool)
    for row, length in zip(mask, lengths, strict=True):
        row[rng.sample(range(words), length)] = True
    return mask


NAN = (torch.nan,)
ANYTHING = (torch.nan, torch.inf, -torch.inf, 1e30, -1e30)


def put(rng: Random, numbers: tuple[float, ...], value: Tensor, real: Tensor) -> None:
    """Put these numbers where `real`, the first dimensions of `value`, is False; always the first, and all that fit."""
    if numbers:
        chosen = value[~real]
        drawn = [numbers[0], *rng.sample(numbers[1:], len(numbers) - 1)]
        drawn += [rng.choice(numbers) for _ in range(chosen.numel() - len(drawn))]
        value[~real] = torch.tensor(drawn[: chosen.numel()], dtype=value.dtype).reshape(chosen.shape)
