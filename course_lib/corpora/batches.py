"""Batches: sentence pairs of similar length, padded, masked, within a budget of tokens, in a new order each epoch.

From text to a model, a line each:

    pairs = id_pairs(sentences, tokenizer, vocabulary)
    for batch in Batches(pairs, max_tokens=400, vocabulary=vocabulary).epoch(0):
        batch = batch.to(device())
        logits = model(batch.source, batch.source_mask, batch.target_in)
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from itertools import groupby

import numpy as np
import torch
from jaxtyping import Bool, Int64
from torch import Tensor

from course_lib.subwords.vocabulary import Vocabulary

Pair = tuple[Sequence[int], Sequence[int]]


@dataclass(frozen=True)
class Batch:
    """Padded sentence pairs; a mask is True where a token is real and False where it is padding.

    The source ends in eos; `target_in` is bos, y_1 … y_n and `target_out` is y_1 … y_n, eos, under one `target_mask`.
    """

    source: Int64[Tensor, "batch source_time"]
    source_mask: Bool[Tensor, "batch source_time"]
    target_in: Int64[Tensor, "batch target_time"]
    target_out: Int64[Tensor, "batch target_time"]
    target_mask: Bool[Tensor, "batch target_time"]

    def to(self, device: torch.device | str) -> "Batch":
        """The same batch on `device`."""
        return Batch(**{field.name: getattr(self, field.name).to(device) for field in fields(self)})


def collate(pairs: Sequence[Pair], vocabulary: Vocabulary) -> Batch:
    """One batch of all `pairs` of (source ids, target ids), which carry no bos, eos or padding themselves.

    Raises ValueError where there is no pair.
    """
    if not pairs:
        raise ValueError("pairs must hold at least one pair to make a batch, got none")
    pad, bos, eos = vocabulary.pad_id, vocabulary.bos_id, vocabulary.eos_id
    return Batch(
        source=_padded([[*source, eos] for source, _ in pairs], pad),
        source_mask=_mask([len(source) + 1 for source, _ in pairs]),
        target_in=_padded([[bos, *target] for _, target in pairs], pad),
        target_out=_padded([[*target, eos] for _, target in pairs], pad),
        target_mask=_mask([len(target) + 1 for _, target in pairs]),
    )


def _padded(rows: list[list[int]], pad: int) -> Int64[Tensor, "batch time"]:
    longest = max(map(len, rows))
    return torch.tensor([row + [pad] * (longest - len(row)) for row in rows])


def _mask(lengths: list[int]) -> Bool[Tensor, "batch time"]:
    return torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]


class Batches:
    """All of `pairs` in batches of at most `max_tokens` tokens a side, padding included.

    A batch of n pairs whose longest source and target are S and T tokens (eos included) keeps n·S ≤ max_tokens and
    n·T ≤ max_tokens, as in Vaswani et al. 2017, section 5.1. The pairs of an epoch are sorted by the length of the
    longer side, then of the target, then of the source, so that little is padding, ties in random order; then cut into
    batches, and the batches shuffled. The plan of an epoch depends on (lengths, max_tokens, seed, epoch) and nothing
    else: there is no state, so `epoch(e, start=k)` goes on after k batches where an interrupted run stopped.

    `pairs` hold ids without bos, eos or padding, as `id_pairs` makes them; the special ids are the vocabulary's (where
    source and target have vocabularies of their own, either: the special ids of all are the same).
    Raises ValueError where there is no pair, and for a pair that alone is over the budget; TypeError for pairs that are
    no sequence (a generator could be read for one epoch only), and for text in place of ids.
    """

    def __init__(self, pairs: Sequence[Pair], max_tokens: int, vocabulary: Vocabulary, *, seed: int = 0):
        _check(pairs)
        self.pairs, self.max_tokens, self.vocabulary, self.seed = pairs, max_tokens, vocabulary, seed
        self.lengths = lengths = np.array([(len(source) + 1, len(target) + 1) for source, target in pairs])
        over = np.flatnonzero(lengths.max(axis=1) > max_tokens)
        if len(over):
            source, target = lengths[over[0]]
            raise ValueError(
                f"max_tokens is {max_tokens}, but pair {over[0]} has {source} source and {target} target tokens with "
                f"eos ({len(over)} such pairs): raise max_tokens or leave out pairs that are longer"
            )

    def __len__(self) -> int:
        """How many batches an epoch has: equally many in every epoch, for pairs change places with others as long."""
        return self._number

    @cached_property
    def _number(self) -> int:
        return len(self.plan(0))

    def plan(self, epoch: int) -> list[list[int]]:
        """The indices of the pairs in each batch of `epoch` (0, 1, …), in the order in which they come."""
        random = np.random.default_rng([self.seed, epoch])
        order = random.permutation(len(self.pairs))
        source, target = self.lengths[order].T
        order = order[np.lexsort((source, target, np.maximum(source, target)))]  # by the last key first, stable
        batches = [[]]
        for index, longest in zip(order.tolist(), self.lengths[order].max(axis=1).tolist(), strict=True):
            if (len(batches[-1]) + 1) * longest > self.max_tokens:  # the longer side never shrinks in this order
                batches.append([])
            batches[-1].append(index)
        return [batches[k] for k in random.permutation(len(batches)) if batches[k]]

    def epoch(self, epoch: int, start: int = 0) -> Iterator[Batch]:
        """The batches of `epoch`, except the first `start`, which an interrupted run has already seen."""
        plan = self.plan(epoch)
        if not 0 <= start <= len(plan):
            raise ValueError(f"start must lie between 0 and the epoch's {len(plan)} batches, got {start}")
        for batch in plan[start:]:
            yield collate([self.pairs[index] for index in batch], self.vocabulary)


def grouped(lengths: Sequence[int], size: int, equal: bool = False) -> Iterator[list[int]]:
    """The indices of sentences of these lengths in groups of at most `size`, the shortest first.

    `equal`: all sentences of a group are equally long. Raises ValueError for a size below 1.
    """
    if size < 1:
        raise ValueError(f"batch_size must be at least 1, got {size}")
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    for _, alike in groupby(order, key=lengths.__getitem__ if equal else lambda k: None):
        chosen = list(alike)
        for start in range(0, len(chosen), size):
            yield chosen[start : start + size]


def _check(pairs: Sequence[Pair]) -> None:
    if not isinstance(pairs, Sequence):
        raise TypeError(
            f"pairs must be a list, for each epoch reads it again; got a {type(pairs).__name__}: list(pairs)"
        )
    if not pairs:
        raise ValueError("pairs must hold at least one pair of (source ids, target ids), got none")
    for number, pair in enumerate(pairs):
        sides = [pair] if isinstance(pair, str) else pair
        if any(isinstance(side, str) or any(isinstance(piece, str) for piece in side[:1]) for side in sides):
            raise TypeError(f"pairs must hold ids, got text in pair {number}: {pair!r:.80}; id_pairs makes ids of text")
