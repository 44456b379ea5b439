"""What an attention with faults gives for a padded batch, and how each fault is told from that alone."""

from collections.abc import Callable
from random import Random

import torch
from torch import Tensor

from course_lib.grading.cases.isolate import until
from course_lib.grading.cases.numbers import converted, tensor
from course_lib.grading.task import Case
from course_lib.problem_sets.ps4.masked_softmax import softmax
from course_lib.problem_sets.ps4.states import count, rows

Seen = tuple[Tensor, Tensor, Tensor, Tensor]  # weights (batch, i, j), mask (batch, j), h (batch, j, size), context
OF_WEIGHTS = ((), ("axis",), ("unmasked",), ("late mask",), ("axis", "unmasked"))
OF_CONTEXT = ((), ("step",), ("sentence",), ("step", "sentence"))


def run(e: Tensor, mask: Tensor, h: Tensor, faults: tuple[str, ...]) -> Seen:
    """What an attention with these faults makes of the scores e (batch, i, j)."""
    real = mask.unsqueeze(1)
    before = torch.ones_like(real) if {"unmasked", "late mask"} & {*faults} else real
    weights = softmax(e.masked_fill(~before, -1e30), 1 if "axis" in faults else 2)
    weights = weights if "unmasked" in faults else weights.masked_fill(~real, 0)
    return weights, mask, h, contexts(weights, h, "step" in faults, "sentence" in faults)


def contexts(weights: Tensor, h: Tensor, step: bool, sentence: bool) -> Tensor:
    """Σ_j α_ij h_j, with α_{i−1} for α_i if `step`, with the h of the sentence before if `sentence`."""
    α = torch.cat([torch.zeros_like(weights[:, :1]), weights[:, :-1]], 1) if step else weights
    return α @ (h.roll(1, 0) if sentence else h)


def near(one: Tensor, other: Tensor | float) -> bool:
    return bool(((one - other).abs() < 1e-6).all())


def axis(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> bool:
    """The columns of real words add to 1."""
    return near(weights.sum(1)[mask], 1.0)


def unmasked(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> bool:
    """A word that is not real has a weight."""
    return bool(weights.mT[~mask].any())


def late_mask(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> bool:
    """Rows add to less than 1, and it is not for the axis."""
    return not axis(weights, mask, h, context) and not near(weights.sum(2), 1.0)


def step(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> bool:
    """The context is that of the weights one step before."""
    return any(near(contexts(weights, h, True, sentence), context) for sentence in (False, True))


def sentence(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor) -> bool:
    """The context is that of the states of the sentence before."""
    return any(near(contexts(weights, h, step, True), context) for step in (False, True))


TESTS = {"axis": axis, "unmasked": unmasked, "late mask": late_mask, "step": step, "sentence": sentence}


def defined(*seen: Tensor, **instead: Callable[..., bool]) -> set[str]:
    """The faults that TESTS find, some of them looked for `instead` in another way ("late_mask" for "late mask")."""
    tests = TESTS | {name.replace("_", " "): test for name, test in instead.items()}
    return {fault for fault, test in tests.items() if test(*seen)}


CLEAR = 0.01  # how much each fault changes: no tolerance from rounding up to this decides what is right


def clear(weights: Tensor, mask: Tensor, h: Tensor, context: Tensor, faults: tuple[str, ...]) -> bool:
    """Whether what is not so is so by more than CLEAR: each sum that is not 1, each context that is another's."""

    def apart(one: Tensor, other: Tensor | float) -> bool:
        return bool(((one - other).abs() > CLEAR).all())

    padded = ~mask.all(1)
    columns = "axis" in faults or apart(weights.sum(1)[mask], 1.0)
    not_one = torch.ones_like(padded) if "axis" in faults else padded & ("late mask" in faults)
    by_rows = apart(weights.sum(2)[not_one], 1.0)
    at_padding = "unmasked" not in faults or bool((weights.mT[~mask] > CLEAR).all())
    others = {
        (late, turned): contexts(weights, h, late, turned)
        for late in (False, True)
        for turned in (False, True)
        if (late, turned) != ("step" in faults, "sentence" in faults)
    }
    contexts_apart = all(bool(((context - other).abs().amax(2)[:, 1:] > CLEAR).all()) for other in others.values())
    return columns and by_rows and at_padding and contexts_apart


def rounded(rng: Random, value: Tensor) -> Tensor:
    """The same numbers, summed in another order: their last bits differ."""
    factors = torch.tensor([1 + rng.choice((-1, 1)) * 2**-51 for _ in range(value.numel())], dtype=value.dtype)
    return value * factors.view_as(value)


def low_at_padding(rng: Random, e: Tensor, mask: Tensor) -> Tensor:
    """Scores by which a word that is not real gets a weight between 0.01 and 0.02 if nothing is masked."""
    real = mask.unsqueeze(1).expand_as(e)
    sums = e.masked_fill(~real, -torch.inf).logsumexp(2, keepdim=True)
    shares = torch.tensor([rng.uniform(0.013, 0.015) for _ in range(e.numel())], dtype=e.dtype).view_as(e)
    return torch.where(real, e, sums + shares.log())


def even_columns(rng: Random, e: Tensor) -> Tensor:
    """Scores (batch, n, n), n even, whose softmax over the rows adds to 1 ± 0.02 to 0.04 in each column."""
    weights = (e / 2).exp()
    for _ in range(30):
        weights = weights / weights.sum(1, keepdim=True)
        weights = weights / weights.sum(2, keepdim=True)
    off = rng.uniform(0.02, 0.04) / e.shape[1]
    signs = torch.tensor([1.0, -1.0] * (e.shape[2] // 2), dtype=e.dtype)
    return (weights + off * signs).clamp(min=1e-3).log()


def scaled_down(weights: Tensor, h: Tensor, context: Tensor) -> Tensor:
    """h so small that the nearest of the other contexts is less than 0.04 away."""
    ways = [contexts(weights, h, late, turned) for late in (False, True) for turned in (False, True)]
    far = [float((context - other).abs().max()) for other in ways]
    return h * (0.04 / min((each for each in far if each > 1e-6), default=1.0))


def draw(*faults: tuple[str, ...], columns: bool = False) -> Callable[[Random, int], Case]:
    """An attention with each of these sets of faults in turn, over three sentences; one, two or all are padded.

    In every second round what a fault changes is little more than CLEAR: weights at padding and contexts, or, if
    `columns`, the sums of columns.
    """

    def attempt(rng: Random, size: int) -> tuple:
        turn, chosen = size // len(faults), faults[size % len(faults)]
        close = turn % 2 == 1
        words = rng.choice((2, 4)) if close and columns else rng.randint(2, 4)
        steps, width = words if close and columns else rng.randint(2, 4), rng.randint(2, 3)
        short = ((1,), (0, 2), (0, 1, 2), (2,), (0, 1), (0,), (1, 2))[turn % 7]
        lengths = [rng.randint(1, words - 1) if b in short else words for b in range(3)]
        mask = rows(rng, lengths, words)
        if close:  # what is not real stands in front: the last word is not enough to look at
            mask = mask.sort(1).values
        e, h = converted([tensor(rng, 3, steps, words), tensor(rng, 3, words, width)], torch.float64)
        if close:
            e = even_columns(rng, e) if columns else low_at_padding(rng, e, mask)
            weights, _, _, context = run(e, mask, h, chosen)
            h = scaled_down(weights, h, context)
        weights, mask, h, context = run(e, mask, h, chosen)
        return rounded(rng, weights), mask, h, rounded(rng, context), chosen

    def drawn(rng: Random, size: int) -> Case:
        *seen, _ = until(lambda: attempt(rng, size), clear)
        weights, mask, *_ = seen
        real = ", ".join(map(str, mask.sum(1).tolist()))
        words = f"3 sentences with {real} of {mask.shape[1]} words real, {count(weights.shape[1], 'step')}"
        return Case(tuple(seen), words)

    return drawn


SEVERAL = [weights + context for weights in OF_WEIGHTS for context in OF_CONTEXT if len(weights + context) > 1]
