"""ps8.greedy_matching: precision, recall and F of BERTScore, from the vectors of two sentences (Zhang et al. 2020)."""

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import torch
from torch import Tensor

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.isolate import alternate, isolating, until
from course_lib.grading.cases.numbers import Numbers, tensor
from course_lib.grading.cases.probes import returned_values
from course_lib.grading.compare import difference, is_tensor, kind, shown
from course_lib.grading.declare import arguments, criterion, mistake, task, versions
from course_lib.grading.task import Case, OwnParts, Parts
from course_lib.metrics import matching

Drawn = tuple[Tensor, Tensor, Tensor, Tensor]
VALUES = "precision recall f"


def reference(
    candidate: Tensor, reference: Tensor, candidate_weights: Tensor, reference_weights: Tensor
) -> tuple[float, float, float]:
    """P, R and F of vectors (candidate piece, d) and (reference piece, d), each piece with its weight."""
    found = matching.greedy_matching(candidate, reference, candidate_weights.tolist(), reference_weights.tolist())
    return found.precision, found.recall, found.f1


# Mistakes


def normalised(vectors):
    return vectors / vectors.norm(dim=1, keepdim=True)


def weighted_mean(best, weights, others=None, at=None):
    """Σ w best / Σ w; `others` are the weights of the other side, of which piece `at` is the most similar one."""
    return weights @ best / weights.sum()


def harmonic(p, r):
    return 2 * p * r / (p + r) if p + r else 0.0 * p


def largest(similarity):
    """The largest number of each row, and its place."""
    return similarity.max(1)


def defined(
    candidate,
    reference,
    candidate_weights,
    reference_weights,
    norm=normalised,
    best=largest,
    mean=weighted_mean,
    f=harmonic,
    similarity=lambda c, r: c @ r.mT,
):
    similar = similarity(norm(candidate), norm(reference))
    (of_candidate, to_reference), (of_reference, to_candidate) = best(similar), best(similar.mT)
    p = mean(of_candidate, candidate_weights, reference_weights, to_reference)
    r = mean(of_reference, reference_weights, candidate_weights, to_candidate)
    return float(p), float(r), float(f(p, r))


wrong = versions(defined)


@mistake("recall")
def precision_and_recall_exchanged(*given):
    """Precision and recall are exchanged. Recall asks of each piece of the *reference* how similar the nearest piece of
    the candidate is; precision asks the candidate's pieces."""
    p, r, f = defined(*given)
    return r, p, f


mean_similarity = wrong("recall", best=lambda s: (s.mean(1), s.argmax(1)))(
    "You take the mean similarity to all pieces of the other side. Take the largest."
)


def diagonal(similarity):
    """What the i-th piece has in common with the i-th of the other side; those that have none, with the last."""
    at = torch.arange(len(similarity)).clamp(max=similarity.shape[1] - 1)
    return similarity.gather(1, at[:, None])[:, 0], at


piece_by_piece = wrong("recall", best=diagonal)(
    "You compare the first piece with the first, the second with the second. Each piece is matched with the most "
    "similar one, wherever it stands."
)


def each_once(similarity):
    """The most similar pair first, each piece in one pair; 0 where none is left."""
    best, at = similarity.new_zeros(len(similarity)), torch.zeros(len(similarity), dtype=torch.int64)
    left = similarity.clone()
    for _ in range(min(similarity.shape)):
        i, j = divmod(int(left.argmax()), left.shape[1])
        best[i], at[i] = similarity[i, j], j
        left[i], left[:, j] = -torch.inf, -torch.inf
    return best, at


each_piece_matched_once = wrong("recall", best=each_once)(
    "A piece is matched once with you. It may be the most similar one for several pieces of the other side."
)


def of_the_matches(precision):
    """Both numbers from the matches of one side: what the matches of the other side are is not asked."""

    def both(*given):
        p, r, _ = defined(*given)
        same = p if precision else r
        return same, same, same

    return both


recall_for_precision = mistake(
    "precision",
    "Your precision is the recall. Precision asks each piece of the candidate for the nearest of the other.",
)(of_the_matches(precision=False))
precision_for_recall = mistake(
    "recall", "Your recall is the precision. Recall asks each piece of the reference for the nearest of the other."
)(of_the_matches(precision=True))
arithmetic_mean = wrong("f", f=lambda p, r: (p + r) / 2)(
    "Your F is the arithmetic mean of precision and recall. It is the harmonic one, 2 P R / (P + R)."
)
geometric_mean = wrong("f", f=lambda p, r: (p * r).clamp(min=0).sqrt())(
    "Your F is the geometric mean of precision and recall. It is the harmonic one, 2 P R / (P + R)."
)
without_the_2 = wrong("f", f=lambda p, r: harmonic(p, r) / 2)("Your F lacks the 2 of 2 P R / (P + R).")
recall_weighs_more = wrong("f", f=lambda p, r: 5 * p * r / (4 * p + r) if 4 * p + r else 0.0 * p)(
    "Your F is that of chrF, F_2. Here precision and recall weigh alike: 2 P R / (P + R)."
)
not_a_number_for_0 = wrong("f", f=lambda p, r: 2 * p * r / (p + r))(
    "Where P and R are 0 your F is 0/0, no number. F is 0 then."
)
divided_by_0 = wrong("f", f=lambda p, r: 2 * float(p) * float(r) / (float(p) + float(r)))(
    "Where P and R are 0 you divide by 0: Python raises an error. F is 0 then."
)
nothing_below_0 = wrong("f", f=lambda p, r: harmonic(p, r).clamp(min=0))(
    "You return 0 where precision and recall are below 0. The formula holds there as it stands, and F is below 0, too. "
    "It is 0 only where both are 0."
)
dot_products = wrong("cosine", norm=lambda vectors: vectors)(
    "Your similarity is the dot product: long vectors are similar to everything. Divide by the lengths of both vectors."
)
one_side_alone_normalised = wrong("cosine", norm=lambda v: v, similarity=lambda c, r: normalised(c) @ r.mT)(
    "You divide by the lengths of the candidate's vectors alone. The cosine divides by both lengths."
)
the_reference_alone_normalised = wrong("cosine", norm=lambda v: v, similarity=lambda c, r: c @ normalised(r).mT)(
    "You divide by the lengths of the reference's vectors alone. The cosine divides by both lengths."
)
divided_by_squared_lengths = wrong("cosine", norm=lambda v: v / (v**2).sum(1, keepdim=True))(
    "You divide by the squares of the lengths. A length is the root of the sum of squares."
)
normalised_over_the_pieces = wrong("recall", norm=lambda v: v / v.norm(dim=0, keepdim=True))(
    "You divide each column by its length. A vector is a row: take the norm over the last axis."
)
divided_by_the_length_of_the_whole = wrong("recall", norm=lambda v: v / v.norm())(
    "You divide all vectors of a sentence by one number, the length of the whole. Each has a length of its own."
)
divided_by_the_sum = wrong("recall", norm=lambda v: v / v.abs().sum(1, keepdim=True))(
    "You divide by the sum of a vector's numbers without signs. Its length is the root of the sum of squares."
)
similarities_below_0_left_out = wrong("negative", best=lambda s: (s.clamp(min=0).max(1)[0], s.argmax(1)))(
    "No similarity of yours is below 0: does the largest so far begin as 0, or do you clamp? Begin with −∞, or with "
    "the first one."
)
similarities_without_sign = wrong("negative", best=lambda s: s.abs().max(1))(
    "You take similarities without their sign. A vector that points the other way is the least similar one."
)
weights_ignored = wrong("weights", mean=lambda best, *_: best.mean())("You do not use the weights.")
not_divided_by_the_weights = wrong("weights", mean=lambda best, weights, *_: weights @ best / len(best))(
    "You divide by the number of pieces. Divide by the sum of the weights."
)
weighted_sum = wrong("weights", mean=lambda best, weights, *_: weights @ best)(
    "Your numbers are sums, not means: divide by the sum of the weights."
)
weights_of_the_partner = wrong("weights", mean=lambda best, _, others, at: others[at] @ best / others[at].sum())(
    "Each piece counts with the weight of the piece that it is matched with. It counts with its own."
)


@mistake("weights")
def weights_before_the_maximum(candidate, reference, candidate_weights, reference_weights):
    """You multiply similarities by the other side's weights before you look for the largest: then weights decide who is
    matched. The most similar piece is the partner, whatever its weight."""

    def among(similar, weights):
        return similar.gather(1, (similar * weights).argmax(1, keepdim=True))[:, 0]

    similar = normalised(candidate) @ normalised(reference).mT
    p = weighted_mean(among(similar, reference_weights), candidate_weights)
    r = weighted_mean(among(similar.mT, candidate_weights), reference_weights)
    return float(p), float(r), float(harmonic(p, r))


@mistake("weights")
def pieces_of_weight_0_are_no_partners(candidate, reference, candidate_weights, reference_weights):
    """You throw pieces of weight 0 away. They do not count themselves, but another piece may be matched with one."""
    c, r = candidate_weights > 0, reference_weights > 0
    return defined(candidate[c], reference[r], candidate_weights[c], reference_weights[r])


@mistake("weights")
def recall_not_weighted(*given):
    """Your recall is not weighted. It is a mean over the reference's pieces, each with its weight."""
    p, r = defined(*given)[0], weights_ignored(*given)[1]
    return p, r, harmonic(p, r)


@mistake("weights")
def precision_not_weighted(*given):
    """Your precision is not weighted. It is a mean over the candidate's pieces, each with its weight."""
    p, r = weights_ignored(*given)[0], defined(*given)[1]
    return p, r, harmonic(p, r)


@mistake("arguments")
def normalised_in_place(candidate, reference, *weights):
    """You change the vectors that you are given: /= writes into them, as does a method whose name ends in _."""
    for vectors in candidate, reference:
        vectors /= vectors.norm(dim=1, keepdim=True)
    return defined(candidate, reference, *weights)


@mistake("arguments")
def weights_divided_in_place(candidate, reference, *weights):
    """You change the weights that you are given: /= writes into them, as does a method whose name ends in _."""
    for each in weights:
        each /= each.sum()
    return defined(candidate, reference, *weights)


# What is looked at


def by_name(result: Any) -> Parts:
    """The three numbers, or tensors of one number, by name; as tensors, so that float32 is precise enough.

    Raises StudentError for what is no number.
    """
    seen = returned_values(lambda: result, (), VALUES.split())
    for name, value in seen.items():
        if not (is_tensor(value) and value.numel() == 1) and not isinstance(value, (int, float)):
            raise StudentError(f"{name} is {kind(value)}, not a number")
    return Parts((name, torch.tensor(float(value))) for name, value in seen.items())


def numbers(function: Callable, case: Case) -> Parts:
    return by_name(function(*case.arguments))


def of(name: str) -> Callable:
    """The probe that looks at one of the three."""
    return lambda function, case: Parts({name: numbers(function, case)[name]})


def either(function: Callable, case: Case) -> Parts:
    """The probe that looks at precision and recall, whichever is which: that is for "recall" and "precision"."""
    seen = numbers(function, case)
    small, large = sorted((seen["precision"], seen["recall"]))
    return Parts({"the smaller of precision and recall": small, "the larger of precision and recall": large})


class of_own_values:
    """The probe that asks for the F of the precision and the recall that the function returns."""

    def __call__(self, function: Callable, case: Case) -> Parts:
        return numbers(function, case)

    def excuse(self, function: Callable, case: Case, expected: Parts, got: Any) -> Any:
        """The right outcome in place of an F that is that of the function's own precision and recall.

        Where both should be 0, they must not be other numbers.
        """
        if not isinstance(got, Parts):
            return got
        if not any(expected.values()) and not any(value.isnan() for value in got.values()):
            return got
        own = Parts(f=harmonic(got["precision"], got["recall"]))
        if difference(own, Parts(f=got["f"]), case) is None:
            return expected
        right = all(difference(Parts({n: expected[n]}), Parts({n: got[n]}), case) is None for n in got if n != "f")
        return got if right else OwnParts(expected | {"f": got["f"]})


# Cases

MATCHING = mean_similarity, piece_by_piece, each_piece_matched_once
EXCHANGED = precision_and_recall_exchanged, precision_for_recall, recall_for_precision
F = arithmetic_mean, geometric_mean, without_the_2, recall_weighs_more
COSINE = (
    *(dot_products, one_side_alone_normalised, the_reference_alone_normalised, divided_by_squared_lengths),
    *(normalised_over_the_pieces, divided_by_the_length_of_the_whole, divided_by_the_sum),
)
OF_UNIT = normalised_over_the_pieces, divided_by_the_length_of_the_whole, divided_by_the_sum
NEGATIVE = similarities_below_0_left_out, similarities_without_sign
WEIGHTS = (
    *(weights_ignored, not_divided_by_the_weights, weighted_sum, weights_of_the_partner, weights_before_the_maximum),
    *(pieces_of_weight_0_are_no_partners, recall_not_weighted, precision_not_weighted),
)
D = 3


def case(candidate: Tensor, reference: Tensor, *weights: Tensor) -> Case:
    said = ["" if bool((each == 1).all()) else "not " for each in weights]
    words = f"{len(candidate)} and {len(reference)} vectors of {candidate.shape[1]} numbers"
    words += ", all weights 1" if not any(said) else f", weights {shown(weights[0])} and {shown(weights[1])}"
    return Case((candidate, reference, *weights), words, terms=D)


shows = isolating(defined, (*MATCHING, *EXCHANGED, *F, *COSINE, *NEGATIVE, *WEIGHTS), case)


def vectors(rng: Random, count: int, unit: bool = True) -> Tensor:
    """So many vectors, of length 1 or of lengths between 0.3 and 3."""
    drawn = normalised(tensor(rng, count, D))
    return drawn if unit else drawn * torch.tensor([[rng.choice((0.3, 0.6, 1.7, 3.0))] for _ in range(count)])


def sizes(rng: Random) -> list[int]:
    """Two different numbers of pieces."""
    return rng.sample((2, 3, 4), 2)


def plain(rng: Random, unit: bool = True) -> Drawn:
    """Vectors whose weights are 1."""
    m, n = sizes(rng)
    return vectors(rng, m, unit), vectors(rng, n, unit), torch.ones(m), torch.ones(n)


def weights(rng: Random, count: int) -> Tensor:
    """Weights, one of them 0."""
    drawn = [0.0, *(rng.choice((0.25, 0.5, 1.5, 2.5)) for _ in range(count - 1))]
    return torch.tensor(rng.sample(drawn, count))


IN_ALL = *OF_UNIT, weighted_sum
draw_recall = shows(
    *(precision_and_recall_exchanged, precision_for_recall, *MATCHING), free=IN_ALL, apart=False, probe=of("recall")
)(lambda rng, size: plain(rng))
draw_precision = shows(
    precision_and_recall_exchanged, recall_for_precision, free=(*MATCHING, *IN_ALL), apart=False, probe=of("precision")
)(lambda rng, size: plain(rng))
draw_cosine = shows(*COSINE, free=(*MATCHING, *EXCHANGED, weighted_sum), probe=either, apart=False)(
    lambda rng, size: plain(rng, unit=False)
)
draw_negative = shows(*NEGATIVE, free=IN_ALL, probe=either)(
    lambda rng, size: (vectors(rng, 1), vectors(rng, 1), torch.ones(1), torch.ones(1))
)


def draw_f(rng: Random, size: int) -> Case:
    """P and R lie so far apart that other means of them are other numbers; now P is larger, now R."""

    def apart(*given: Tensor) -> bool:
        p, r, _ = defined(*given)
        return min(p, r) > 0.15 and (r - p if size // 4 % 2 else p - r) > 0.3

    return case(*until(lambda: plain(rng), apart))


def draw_apart(rng: Random, size: int) -> Case:
    """Vectors that have nothing in common: P, R and F are 0."""
    axis, m, n = rng.randrange(D), *sizes(rng)
    candidate, reference = vectors(rng, m), torch.zeros(n, D)
    candidate[:, axis] = 0.0
    reference[:, axis] = 1.0
    return case(candidate, reference, torch.ones(m), torch.ones(n))


def draw_below(rng: Random, size: int) -> Case:
    """Vectors all of which point away from those of the other side: P, R and F are below 0."""
    axis = normalised(tensor(rng, 1, D))

    def near(sign: float, count: int) -> Tensor:
        return normalised(sign * axis + tensor(rng, count, D, spread=0.3))

    def away(candidate: Tensor, reference: Tensor, *_: Tensor) -> bool:
        return bool((candidate @ reference.mT).max() < -0.3)

    m, n = sizes(rng)
    return case(*until(lambda: (near(1.0, m), near(-1.0, n), torch.ones(m), torch.ones(n)), away))


def draw_one_0(recall: bool) -> Callable[[Random, int], Case]:
    """One vector, and beside it one that has nothing in common with it, and its opposite: R is 0, or P."""

    def draw(rng: Random, size: int) -> Case:
        axis, sign = rng.sample(range(D), 2), rng.choice((-1.0, 1.0))
        one, two = torch.zeros(1, D), torch.zeros(2, D)
        one[0, axis[0]] = two[0, axis[1]] = sign
        two[1, axis[0]] = -sign
        halves = torch.full((2,), 0.5)
        return case(two, one, halves, torch.ones(1)) if recall else case(one, two, torch.ones(1), halves)

    return draw


@shows(*WEIGHTS, free=(*MATCHING, *EXCHANGED, *OF_UNIT), probe=either, apart=False)
def draw_weights(rng: Random, size: int) -> Drawn:
    m, n = sizes(rng)
    return vectors(rng, m), vectors(rng, n), weights(rng, m), weights(rng, n)


def draw_arguments(rng: Random, size: int) -> Case:
    """Vectors of other lengths than 1, and weights whose sum is not 1."""
    m, n = sizes(rng)
    return case(vectors(rng, m, unit=False), vectors(rng, n, unit=False), *(1 + weights(rng, each) for each in (m, n)))


TASK = task(
    __name__,
    "BERTScore's matching",
    kind=partial(Numbers, visible=3, graded=4),
    criteria=(
        criterion("recall", 1, draw_recall, of("recall"))(
            "Recall of vectors of length 1, all weights 1: each piece of the reference with its most similar one."
        ),
        criterion("precision", 0.5, draw_precision, of("precision"))("Precision of such vectors."),
        criterion(
            "f",
            0.5,
            alternate(
                *(draw_f, draw_apart, draw_below, draw_one_0(True)),
                *(draw_f, draw_apart, draw_below, draw_one_0(False)),
            ),
            of_own_values(),
            visible=8,
            graded=8,
        )("F of the precision and the recall that you return, also below 0; all three are 0 where nothing is similar."),
        criterion("cosine", 1, draw_cosine, either)("Precision and recall of vectors of any length."),
        criterion("negative", 0.5, alternate(draw_negative, draw_one_0(True), draw_one_0(False)), either)(
            "One vector on a side: the largest similarity may be below 0, and one of P and R may be 0."
        ),
        criterion("weights", 1, draw_weights, either)("Precision and recall where pieces have weights; some are 0."),
        arguments(0.5, draw_arguments, sees=by_name)("The tensors are afterwards as they were."),
    ),
    forbidden=(
        "course_lib.metrics.greedy_matching",
        "course_lib.metrics.match_sentences",
        "course_lib.metrics.matching.greedy_matching",
        "course_lib.metrics.matching.match_sentences",
        *(f"bert_score.{name}" for name in ("score", "BERTScorer.score", "utils.greedy_cos_idf")),
    ),
)
