"""Queries, keys, values and masks for ps6.attention."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps6.layers import case, everything, some

FAR = 20.0  # the largest number of a case with large scores that counts for a result


def draw(
    wide: bool = False,
    masked: bool = False,
    batch: tuple[int, int] = (1, 1),
    heads: bool = False,
    far: bool = False,
) -> Callable[[Random, int], Case]:
    """So many sentences; `wide`: d_k > 1, and not the number of keys nor d_v; `heads`: Q, K and V have an axis more.

    In every other case there are as many queries as keys. `far`: there, scores are large instead.
    """

    def drawn(rng: Random, size: int) -> Case:
        apart = far and size % 2
        queries, keys, d_v = until(lambda: rng.sample(range(3, 7), 3), lambda queries, keys, d_v: keys > 3 or not apart)
        if size % 2 and not far:
            queries = keys
        d_k = rng.choice([d for d in range(2, 9) if d not in (queries, keys, d_v)]) if wide else 1
        sentences, several = 4 if apart else rng.randint(*batch), rng.randint(2, 3)
        shape = (sentences, several) if heads else (sentences,)
        Q, K, V = (tensor(rng, *shape, *each) for each in ((queries, d_k), (keys, d_k), (keys, d_v)))
        mask = some(rng, sentences, queries, keys) if masked else everything(sentences, queries, keys)
        if heads:
            mask = (mask if size % 2 else mask[:, :1]).unsqueeze(1)
        Q = 1.5 * Q
        if apart:
            mask = alike(rng, sentences, queries, keys)
            Q, K = 10 + 0.2 * Q, far_apart(K, mask)
            Q[3, -1] *= -1
        said = ", ".join([f"Q {tuple(Q.shape)}", f"K {tuple(K.shape)}", f"V {tuple(V.shape)}"])
        seen = (
            "every query may look at every key" if mask.all() else f"the mask is False in {int((~mask).sum())} places"
        )
        seen += ", where the scores are large" * apart
        made = case(f"{said}, {seen}", d_k + keys, Q, K, V, mask)
        return replace(made, scale=FAR) if apart else made

    return drawn


def alike(rng: Random, batch: int, queries: int, keys: int) -> Tensor:
    """A mask that is the same for all queries of a sentence: it hides two keys or more, and shows two or more."""
    mask = torch.zeros(batch, queries, keys, dtype=torch.bool)
    for sentence in mask:
        sentence[:, rng.sample(range(keys), rng.randint(2, keys - 2))] = True
    return mask


def far_apart(K: Tensor, mask: Tensor) -> Tensor:
    """Keys (batch, key, 1) for queries near 10.

    In sentence 0 shown keys have scores near −45, hidden ones of 20 000 and more; in sentence 1 those that are shown
    are near 200, where exp overflows, those that are hidden near −45; in sentence 2 all are near −45. In sentence 3
    shown keys have scores near −80 000, each another, and hidden ones near 80 000; a query near −10 turns them round.
    """
    shown, number = mask[:, 0].unsqueeze(-1), torch.arange(len(K)).view(-1, 1, 1)
    large = 2000 + 200 * torch.arange(K.shape[1]).view(-1, 1)
    scores = torch.where((number == 1) & shown, FAR, torch.where((number == 0) & ~shown, large, -4.5))
    scores = torch.where(number == 3, torch.where(shown, -1, 1) * (5500 + large), scores)
    return scores + 0.1 * K
