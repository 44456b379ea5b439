"""BERTScore's greedy matching (Zhang et al. 2020) of any vectors: each piece with the most similar one opposite.

    R = Σ_{x_i ∈ x} w(x_i) max_j cos(x_i, x̂_j) / Σ w(x_i)    x: the reference
    P = Σ_{x̂_j ∈ x̂} w(x̂_j) max_i cos(x_i, x̂_j) / Σ w(x̂_j)    x̂: the candidate
    F = 2 P R / (P + R)

BERTScore takes the vectors from one layer of BERT or RoBERTa. `encoder_states` takes them from a translator's encoder.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch
from jaxtyping import Float
from torch import Tensor

from course_lib.attention.masks import padding
from course_lib.subwords.vocabulary import EOS
from course_lib.transformer.model import Transformer
from course_lib.translator import Translator


@dataclass(frozen=True)
class Matching:
    """The similarities of all pairs, whom each piece is matched with, and what follows: each at most 1."""

    similarity: Float[Tensor, "candidate reference"]  # cosines, in −1..1
    of_candidate: list[int]  # for each piece of the candidate the most similar one of the reference
    of_reference: list[int]
    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """2PR / (P + R), 0 where P + R is 0."""
        return f1(self.precision, self.recall)


def cosines(
    candidate: Float[Tensor, "candidate d"], reference: Float[Tensor, "reference d"]
) -> Float[Tensor, "candidate reference"]:
    """cos(x̂_j, x_i) = x̂_jᵀ x_i / (‖x̂_j‖ ‖x_i‖) of all pairs."""
    return torch.nn.functional.normalize(candidate, dim=1) @ torch.nn.functional.normalize(reference, dim=1).mT


def greedy_matching(
    candidate: Float[Tensor, "candidate d"],
    reference: Float[Tensor, "reference d"],
    candidate_weights: Sequence[float] | None = None,
    reference_weights: Sequence[float] | None = None,
) -> Matching:
    """P and R of two sentences, a vector for each piece; weights are 1 unless given (`Idf`), 0 to leave a piece out.

    A piece with weight 0 can still be the one that another is matched with, as in BERTScore. P and R are 0 where a side
    has no piece. Of equally similar pieces the first. Raises ValueError for weights that are not as many as the pieces,
    below 0, or all 0.
    """
    similarity = cosines(candidate, reference)
    weights = [
        _weights(name, given, len(vectors))
        for name, given, vectors in (
            ("candidate_weights", candidate_weights, candidate),
            ("reference_weights", reference_weights, reference),
        )
    ]
    if not similarity.numel():
        return Matching(similarity, [], [], 0.0, 0.0)
    (best_of_candidate, of_candidate), (best_of_reference, of_reference) = similarity.max(1), similarity.max(0)
    precision, recall = (
        float(w.to(best) @ best / w.sum())
        for w, best in zip(weights, (best_of_candidate, best_of_reference), strict=True)
    )
    return Matching(similarity, of_candidate.tolist(), of_reference.tolist(), precision, recall)


def f1(precision: float, recall: float) -> float:
    """2PR / (P + R), 0 where P + R is 0."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


class Idf:
    """Rare pieces weigh more: idf(w) = log((M + 1) / (df(w) + 1)), df(w) of the M reference sentences hold w.

    A piece that no reference holds has log(M + 1), one that all hold 0. Raises ValueError for no reference.
    """

    def __init__(self, references: Iterable[Sequence[str]]):
        references = list(references)
        if not references:
            raise ValueError("references must hold at least one sentence, got none")
        self.sentences = len(references)
        self.frequency = Counter(piece for pieces in references for piece in set(pieces))

    def __call__(self, pieces: Sequence[str]) -> list[float]:
        """The weight of each piece of a sentence."""
        return [math.log((self.sentences + 1) / (self.frequency[piece] + 1)) for piece in pieces]


def rescaled(score: float, baseline: float) -> float:
    """(score − b) / (1 − b): 0 for what unrelated sentences get, the baseline b < 1; it is below 0 for less.

    BERTScore has a b of its own for each of P, R and F, the mean over random pairs of sentences. Raises ValueError for
    b ≥ 1.
    """
    if not baseline < 1:
        raise ValueError(f"baseline must be below 1, got {baseline}")
    return (score - baseline) / (1 - baseline)


@torch.no_grad()
def encoder_states(translator: Translator, sentence: str) -> tuple[list[str], Float[Tensor, "piece d"]]:
    """The pieces of a sentence with `</s>`, and the states of the translator's encoder for them: its last layer.

    For a sentence in the language that the translator reads. Raises ValueError as `Translator.read`, and TypeError for
    a model without an encoder of its own, such as an ensemble.
    """
    model = translator.model
    if not hasattr(model, "encoder"):
        raise TypeError(f"translator must hold a model with an encoder, got {type(model).__name__}")
    source, mask = translator.read([sentence])
    if isinstance(model, Transformer):
        h = model.encoder(model.source_embedding(source), padding(mask))
    else:
        h, _ = model.encoder(source, mask)
    return [translator.vocabulary.id_to_piece[i] for i in source[0].tolist()], h[0].float()


def match_sentences(
    translator: Translator,
    candidate: str,
    reference: str,
    idf: Callable[[Sequence[str]], Sequence[float]] | None = None,
) -> tuple[list[str], list[str], Matching]:
    """The pieces of both sentences, and their matching by the translator's encoder. `</s>` has weight 0.

    Raises as `encoder_states` and `greedy_matching`.
    """
    sides = [encoder_states(translator, sentence) for sentence in (candidate, reference)]
    weights = [_without_end(pieces, idf(pieces) if idf else [1.0] * len(pieces)) for pieces, _ in sides]
    return sides[0][0], sides[1][0], greedy_matching(sides[0][1], sides[1][1], *weights)


def _without_end(pieces: Sequence[str], weights: Sequence[float]) -> list[float]:
    return [0.0 if piece == EOS else weight for piece, weight in zip(pieces, weights, strict=True)]


def _weights(name: str, given: Sequence[float] | None, n: int) -> Float[Tensor, " piece"]:
    weights = torch.ones(n) if given is None else torch.tensor(list(given), dtype=torch.float64)
    if len(weights) != n or not (weights >= 0).all() or (n and not weights.sum() > 0):
        raise ValueError(f"{name} must be {n} numbers, none below 0 and not all 0, got {weights.tolist()}")
    return weights
