"""How far raters agree beyond chance: Cohen's κ (two), Fleiss' κ (equally many for each item), Krippendorff's α (any).

All are 1 − observed disagreement / expected disagreement: 1 for raters who always agree, 0 for what chance gives, below
0 for less. They differ in what chance is, and in how far apart two labels are. NaN where chance leaves no disagreement
to expect, because all labels are one.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from jaxtyping import Float, Int

Label = Hashable  # a number or a name
LEVELS = ("nominal", "ordinal", "interval")
WEIGHTS = (None, "linear", "quadratic")


def observed_agreement(first: Sequence[Label], second: Sequence[Label]) -> float:
    """p_o: the share of the items to which two raters gave the same label. Raises ValueError as `cohen_kappa`."""
    _check_two(first, second)
    return sum(a == b for a, b in zip(first, second, strict=True)) / len(first)


def cohen_kappa(
    first: Sequence[Label],
    second: Sequence[Label],
    weights: str | None = None,
    categories: Sequence[Label] | None = None,
) -> float:
    """Two raters' agreement (Cohen 1960; with weights 1968):

        κ = 1 − Σ_ij w_ij p_ij / Σ_ij w_ij p_i q_j    without weights: (p_o − p_e) / (1 − p_e)

    p_ij is the share of the items that the first calls i and the second j, p_i and q_j what each gives how often. w_ij
    is 1 for unequal labels, "linear" |i − j| or "quadratic" (i − j)², in steps along `categories`: by default the
    labels that occur, sorted. Raises ValueError for unequally many labels, none, a label that is NaN or None or not
    among the categories, and other weights.
    """
    _check_two(first, second)
    if weights not in WEIGHTS:
        raise ValueError(f'weights must be None, "linear" or "quadratic", got {weights!r}')
    place = _numbered([*first, *second], categories)
    p = np.zeros((len(place), len(place)))
    for a, b in zip(first, second, strict=True):
        p[place[a], place[b]] += 1 / len(first)
    steps = np.abs(np.subtract.outer(range(len(place)), range(len(place))))
    w = {None: steps > 0, "linear": steps, "quadratic": steps**2}[weights]
    return _beyond_chance((w * p).sum(), (w * np.outer(p.sum(1), p.sum(0))).sum())


def fleiss_kappa(counts: Int[np.ndarray, "item category"]) -> float:
    """The agreement of n raters for each item, not always the same ones (Fleiss 1971):

        κ = (P − P_e) / (1 − P_e),  P = mean_i (Σ_j n_ij² − n) / (n (n − 1)),  P_e = Σ_j p_j²

    n_ij: how many raters put item i into category j (`category_counts`); p_j: the share of all labels that are j.
    Raises ValueError for items with different numbers of raters, fewer than two, or no item.
    """
    counts = np.asarray(counts)
    raters = np.unique(counts.sum(1))
    if len(raters) != 1 or raters[0] < 2:
        raise ValueError(f"every item must have equally many raters, 2 or more, got {raters.tolist()}")
    n = int(raters[0])
    P = ((counts**2).sum(1) - n) / (n * (n - 1))
    p = counts.sum(0) / counts.sum()
    return _beyond_chance(1 - P.mean(), 1 - (p**2).sum())


def category_counts(
    ratings: Sequence[Sequence[Label]], categories: Sequence[Label] | None = None
) -> Int[np.ndarray, "item category"]:
    """How many raters gave each label to each item, of `ratings[rater][item]`; None and NaN count for nothing.

    Columns are the `categories`, by default the labels that occur, sorted. Raises ValueError for raters with
    unequally many items, and labels not among the categories.
    """
    if len(lengths := {len(row) for row in ratings}) != 1:
        raise ValueError(f"every rater must have as many items (None where not rated), got {sorted(lengths)}")
    place = _numbered([label for row in ratings for label in row if not _missing(label)], categories)
    counts = np.zeros((lengths.pop(), len(place)), dtype=np.int64)
    for row in ratings:
        for item, label in enumerate(row):
            if not _missing(label):
                counts[item, place[label]] += 1
    return counts


def krippendorff_alpha(
    ratings: Sequence[Sequence[Label | None]], level: str = "nominal", categories: Sequence[Label] | None = None
) -> float:
    """The agreement of any number of raters, each of whom may have left items out (Krippendorff 2011):

        α = 1 − D_o / D_e,  D_o = 1/n Σ_ck o_ck δ²_ck,  D_e = 1/(n (n − 1)) Σ_ck n_c n_k δ²_ck

    `ratings[rater][item]` is a label, or None or NaN for none. o_ck counts the pairs of labels c, k that different
    raters gave to one item, each 1/(m − 1) where the item has m labels; n_c = Σ_k o_ck. δ²_ck at each `level`:
    "nominal" 1 for unequal labels; "interval" (c − k)²; "ordinal" the labels that stand from c to k, those of c and k
    by half, squared. Ordinal labels are sorted, or in the order of `categories`. Items with one label say nothing.
    Raises ValueError for another level, and as `category_counts`; TypeError for interval labels that are no numbers.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, got {level!r}")
    counts = category_counts(ratings, categories).astype(float)
    labels = list(_numbered([label for row in ratings for label in row if not _missing(label)], categories))
    counts = counts[counts.sum(1) >= 2]
    m = counts.sum(1)[:, None, None]
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(len(labels))
    o = (pairs / (m - 1)).sum(0)
    n_c = o.sum(1)
    δ2 = _distances(level, labels, n_c)
    n = n_c.sum()
    return _beyond_chance((o * δ2).sum() / max(n, 1), (np.outer(n_c, n_c) * δ2).sum() / max(n * (n - 1), 1))


def _distances(level: str, labels: list[Label], n_c: np.ndarray) -> Float[np.ndarray, "label label"]:
    """δ²_ck of all pairs of labels."""
    if level == "nominal":
        return 1 - np.eye(len(labels))
    if level == "interval":
        if strange := [label for label in labels if isinstance(label, str)]:
            raise TypeError(f'level "interval" needs numbers, got {strange[0]!r}')
        return np.subtract.outer(np.array(labels, float), np.array(labels, float)) ** 2
    middle = np.cumsum(n_c) - n_c / 2  # from the lowest label to the middle of each
    return np.subtract.outer(middle, middle) ** 2


def _beyond_chance(observed: float, expected: float) -> float:
    return float(1 - observed / expected) if expected > 1e-12 else float("nan")


def _numbered(labels: Sequence[Label], categories: Sequence[Label] | None) -> dict[Label, int]:
    """A number for each category."""
    if categories is None:
        categories = sorted(set(labels))
    place = {label: number for number, label in enumerate(categories)}
    if unknown := [label for label in labels if label not in place]:
        raise ValueError(f"labels must be among the categories {list(categories)}, got {unknown[0]!r}")
    return place


def _missing(label: Label) -> bool:
    return label is None or label != label


def _check_two(first: Sequence[Label], second: Sequence[Label]) -> None:
    if len(first) != len(second) or not len(first):
        raise ValueError(f"both raters must label the same items, at least one, got {len(first)} and {len(second)}")
    for name, labels in (("first", first), ("second", second)):
        if gaps := [k for k, label in enumerate(labels) if _missing(label)]:
            raise ValueError(f"{name} must label every item, got {labels[gaps[0]]} at {gaps[0]}")
