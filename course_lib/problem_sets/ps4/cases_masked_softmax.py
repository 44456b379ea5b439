"""Cases of ps4.masked_softmax: scores of padded sentences, large, far below, and anything where no word is real."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

import torch

from course_lib.grading.cases.numbers import tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.states import NAN, count, put, rows


def scores(
    rng: Random, lengths: list[int], words: int, levels: tuple[int, ...] = (0,), pads: tuple[float, ...] = ()
) -> Case:
    """Scores of sentences with so many real words, each row around a level; `pads`: what stands at the others."""
    queries = words if rng.random() < 0.5 else rng.randint(2, 5)
    e, mask = tensor(rng, len(lengths), queries, words), rows(rng, lengths, words)
    chosen = [rng.choice(levels) for _ in range(len(lengths) * queries)]
    chosen[: len(levels)] = levels
    e += torch.tensor(chosen, dtype=e.dtype).reshape(len(lengths), queries, 1)
    scale = float(e.abs().max())
    put(rng, pads, e, mask.unsqueeze(1).expand_as(e))
    real = ", ".join(map(str, lengths))
    text = f"{count(len(lengths), 'sentence')}, {queries} × {words} scores, {real} of {words} words real"
    return Case((e, mask), text, scale=max(1.0, scale), terms=words)


def draw(
    *kinds: str, count: tuple[int, int] = (1, 3), levels: tuple[int, ...] = (0,), pads: tuple[float, ...] = ()
) -> Callable[[Random, int], Case]:
    """Sentences that are "full", "padded" or of "nothing" real, each in turn, so many of them."""

    def drawn(rng: Random, size: int) -> Case:
        words = rng.randint(3, 5)
        length = {"full": lambda: words, "padded": lambda: rng.randint(1, words - 1), "nothing": lambda: 0}
        batch = rng.randint(*count)
        return scores(rng, [length[kinds[(size + b) % len(kinds)]]() for b in range(batch)], words, levels, pads)

    return drawn


def draw_far_below(rng: Random, size: int) -> Case:
    """Real scores near −1000, those that are not real far below them: without a mask, too, these weigh nothing.

    The real words come first: a mask that is read as a length is the same here.
    """
    words = rng.randint(3, 5)
    made = scores(rng, [words], words, levels=(-1000,))
    e, mask = made.arguments
    mask[:, (real := rng.randint(1, words - 1)) :] = False
    e[..., real:] = -1e30
    return replace(made, words=f"1 sentence, {e.shape[1]} × {words} scores near −1000, {real} of {words} words real")


def draw_far_apart(rng: Random, size: int) -> Case:
    """Real scores that lie 1000 apart within each row; in one the first is the largest, in one the last."""
    words, queries = rng.randint(3, 5), rng.randint(2, 4)
    e = tensor(rng, 1, queries, words)
    highest = rng.sample([0, words - 1, *(rng.randrange(words) for _ in range(queries - 2))], queries)
    for row, place in zip(e[0], highest, strict=True):
        levels = [rng.choice((0.0, -1000.0)) for _ in range(words)]
        levels[place], levels[place - 1] = 1000.0, -1000.0
        row += torch.tensor(levels)
    mask = torch.ones(1, words, dtype=torch.bool)
    text = f"1 sentence, {queries} × {words} scores, 1000 apart within each row, every word real"
    return Case((e, mask), text, scale=float(e.abs().max()), terms=words)


def draw_all(rng: Random, size: int) -> Case:
    return scores(rng, [rng.randint(1, 2), 0, 3], 3, pads=NAN)
