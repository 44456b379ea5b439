"""Cases of ps3.sequence_loss: padded sentences, unlikely words, logits far apart."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from random import Random

import torch

from course_lib.grading.boundary.proxy import StudentError
from course_lib.grading.cases.numbers import case, padded, sentences, tensor
from course_lib.grading.cases.probes import seeing
from course_lib.grading.compare import misfit
from course_lib.grading.task import Case, Parts
from course_lib.problem_sets.ps2 import units
from course_lib.problem_sets.ps3 import wrong_sequence_loss as wrong

VALUES = "sums per_word"
CERTAIN = 60.0  # a logit whose word has p = 1 beside small ones; its exp is no overflow


def batch(rng: Random, time: int, lengths: list[int], spread: float = 1.5) -> Case:
    """Sentences of these lengths; at padding any word."""
    size = rng.randint(3, 6)
    logits = tensor(rng, len(lengths), time, size, spread=spread)
    target = torch.tensor([[rng.randrange(size) for _ in range(time)] for _ in lengths])
    return case(sentences(lengths, time), size * time, logits, target, torch.tensor(lengths))


draw = partial(units.one_sentence, batch)


def draw_padding(rng: Random, size: int) -> Case:
    """One word, and behind it logits that are NaN, or infinite: −∞ for the word that stands there, ∞ for the others.

    Every third time several sentences, with any finite logits behind the shorter ones.
    """
    if size % 3 == 2:
        return batch(rng, *padded(rng, 6))
    made = batch(rng, time := rng.randint(2, 4), [1])
    logits, target, _ = made.arguments
    logits[:, 1:] = torch.inf if size % 3 else torch.nan
    for place in range(1, time) if size % 3 else ():
        logits[0, place, target[0, place]] = -torch.inf
    return made


def draw_stable(rng: Random, size: int) -> Case:
    """An unlikely word with large logits, or with very negative ones; or two words, the logits of which lie far apart.

    Each of two is certain: so neither a mean nor a word that is left out shows, but a sum of exp that is 0.
    """
    if size % 3 == 2:
        made = batch(rng, 2, [2])
        logits, target, lengths = made.arguments
        logits = 10 * logits + rng.choice((-1, 1)) * torch.tensor([[[2000.0], [-2000.0]]])
        logits.scatter_add_(2, target[..., None], torch.full((1, 2, 1), 1000.0))
        return replace(made, arguments=(logits, target, lengths), words=f"{made.words}, far apart", scale=3000.0)
    made = batch(rng, 1, [1])
    logits, target, lengths = made.arguments
    logits = 10 * logits + (-1) ** (size % 3) * 2000
    logits[0, 0, target[0, 0]] -= 1000
    return replace(made, arguments=(logits, target, lengths), scale=3000.0)


def draw_full(rng: Random, size: int) -> Case:
    """Sentences of one length: several numbers to be precise, and no padding."""
    return batch(rng, time := rng.randint(2, 3), [time] * 5)


def draw_batch(rng: Random, size: int) -> Case:
    time, lengths = padded(rng, 6)
    made = batch(rng, time + size % 2, lengths)
    if size % 2:
        made.arguments[0][~wrong.real(*made.arguments[1:])] = torch.nan
    return made


def draw_certain(rng: Random, size: int) -> Case:
    """A batch with a word that is so likely that it loses exactly 0; every third time of sentences of one word."""
    made = batch(rng, 1, [1] * 3) if size % 3 == 2 else draw_batch(rng, size)
    logits, target, _ = made.arguments
    b = rng.randrange(len(target))
    logits[b, 0, target[b, 0]] = CERTAIN
    return replace(made, scale=CERTAIN)


sums = seeing(VALUES, "sums")


def beside_others(function: Callable, case: Case) -> Parts:
    """The probe that looks at the sums; of several sentences only at what each loses more in the batch than alone.

    So a sum that is wrong for one sentence costs nothing more in a batch.
    """
    *rows, lengths = case.arguments
    seen = looked_at(function, case)
    if len(lengths) == 1:
        return seen
    alone = []
    for b, n in enumerate(lengths.tolist()):
        arguments = (*(each[b : b + 1, :n] for each in rows), lengths[b : b + 1])
        alone.append(looked_at(function, replace(case, arguments=arguments))["sums"])
    return Parts({"what a sentence loses more in the batch than alone": seen["sums"] - torch.cat(alone)})


def looked_at(function: Callable, case: Case) -> Parts:
    """The sums; raises StudentError if they are not one for each sentence."""
    seen = sums(function, case)
    if says := misfit(case.arguments[-1], seen["sums"], "sums"):
        raise StudentError(says)
    return seen
